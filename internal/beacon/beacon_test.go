package beacon_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math/big"
	"os"
	"strings"
	"testing"

	"github.com/cloudflare/circl/ecc/bls12381"
	"pgregory.net/rapid"

	"kaibao/internal/beacon"
	"kaibao/internal/protocol"
)

const quicknetHash = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"

func TestQuicknet(t *testing.T) {
	hash := beacon.Quicknet().Hash()
	if got := hex.EncodeToString(hash[:]); got != quicknetHash {
		t.Errorf("the chain hash is %s", got)
	}
	if beacon.Known(hash) != beacon.Quicknet() || beacon.Known([32]byte{1}) != nil {
		t.Error("the list of known beacons is wrong")
	}
	for round, text := range map[uint64]string{
		1:      "b55e7cb2d5c613ee0b2e28d6750aabbb78c39dcc96bd9d38c2c2e12198df95571de8e8e402a0cc48871c7089a2b3af4b",
		123:    "b75c69d0b72a5d906e854e808ba7e2accb1542ac355ae486d591aa9d43765482e26cd02df835d3546d23c4b13e0dfc92",
		657413: "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b",
	} {
		if err := beacon.Quicknet().Verify(round, signature(t, text)); err != nil {
			t.Error(err)
		}
		if err := beacon.Quicknet().Verify(round+1, signature(t, text)); !errors.Is(err, beacon.ErrSignature) {
			t.Errorf("the signature of round %d counts for the next one: %v", round, err)
		}
	}
}

// The file is shared by all implementations of the protocol.
func TestVectors(t *testing.T) {
	text, err := os.ReadFile("../protocol/testdata/vectors-v2.json")
	if err != nil {
		t.Fatal(err)
	}
	type signed struct {
		Name, Signature string
		Round           uint64
	}
	var file struct {
		Beacon            string
		Cases             []signed
		SignaturesRefused []signed
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	if file.Beacon != quicknetHash || len(file.Cases) < 10 || len(file.SignaturesRefused) < 7 {
		t.Fatalf("beacon %s, %d cases, %d refused signatures", file.Beacon, len(file.Cases), len(file.SignaturesRefused))
	}
	for _, v := range file.Cases {
		if v.Signature == "" { // an instant open
			continue
		}
		if err := beacon.Quicknet().Verify(v.Round, signature(t, v.Signature)); err != nil {
			t.Errorf("%s: %v", v.Name, err)
		}
	}
	for _, v := range file.SignaturesRefused {
		parsed, err := beacon.ParseSignature(v.Signature)
		if err == nil {
			err = beacon.Quicknet().Verify(v.Round, parsed)
		}
		if err == nil {
			t.Errorf("%s: the signature is accepted", v.Name)
		}
	}
}

func signature(t testing.TB, text string) protocol.Signature {
	t.Helper()
	s, err := beacon.ParseSignature(text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestParseSignatureRefuses(t *testing.T) {
	good := strings.Repeat("ab", 48)
	for _, text := range []string{"", good[1:], good[2:], good + "ab", good + good, strings.ToUpper(good), "x" + good[1:], "0x" + good, good + "\n"} {
		if _, err := beacon.ParseSignature(text); err == nil {
			t.Errorf("%q is accepted", text)
		}
	}
	if s, err := beacon.ParseSignature(good); err != nil || s[47] != 0xab {
		t.Errorf("%x, %v", s, err)
	}
}

// sandbox returns a chain with its signer.
func sandbox(t testing.TB, seed byte) (*beacon.Beacon, *beacon.Signer) {
	t.Helper()
	signer, err := beacon.NewSigner([32]byte{seed})
	if err != nil {
		t.Fatal(err)
	}
	b, err := beacon.New(beacon.Chain{Schedule: protocol.Schedule{Genesis: 1_700_000_000, Period: 1}, Key: signer.PublicKey(), ID: "kaibao-sandbox"})
	if err != nil {
		t.Fatal(err)
	}
	return b, signer
}

// A signature counts for its round and its chain only, and no other bytes count for it.
func TestSignatures(t *testing.T) {
	b, signer := sandbox(t, 1)
	other, _ := sandbox(t, 2)
	if b.Hash() == other.Hash() || beacon.Known(b.Hash()) != nil {
		t.Error("the chains have wrong hashes")
	}
	rapid.Check(t, func(t *rapid.T) {
		round := rapid.Uint64Min(1).Draw(t, "round")
		s := signer.Sign(round)
		if err := b.Verify(round, s); err != nil {
			t.Fatal(err)
		}
		if other.Verify(round, s) == nil || beacon.Quicknet().Verify(round, s) == nil {
			t.Fatal("another chain's signature is accepted")
		}
		if b.Verify(round+1, s) == nil {
			t.Fatal("another round's signature is accepted")
		}
		s[rapid.IntRange(0, 47).Draw(t, "byte")] ^= byte(rapid.IntRange(1, 255).Draw(t, "by"))
		if b.Verify(round, s) == nil {
			t.Fatal("a changed signature is accepted")
		}
	})
}

// Other encodings and points are refused even if a library would take them.
func TestMalleableSignatures(t *testing.T) {
	b, signer := sandbox(t, 1)
	good := signer.Sign(7)
	var point bls12381.G1
	if err := point.SetBytes(good[:]); err != nil {
		t.Fatal(err)
	}
	point.Neg()
	infinity := new(bls12381.G1)
	infinity.SetIdentity()
	for name, encoded := range map[string][]byte{
		"negated":                point.BytesCompressed(),
		"infinity":               infinity.BytesCompressed(),
		"other sign of infinity": append([]byte{0xe0}, make([]byte, 47)...),
		"zero":                   make([]byte, 48),
		"not in the subgroup":    append([]byte{0x80}, make([]byte, 47)...), // (0, 2) is on the curve
		"not on the curve":       append(append([]byte{0x80}, make([]byte, 46)...), 1),
		"all ones":               append([]byte{0x9f}, bytes.Repeat([]byte{0xff}, 47)...),
		"start of uncompressed":  point.Bytes()[:48],
	} {
		if err := b.Verify(7, protocol.Signature(encoded)); !errors.Is(err, beacon.ErrSignature) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A coordinate that isn't reduced modulo the field's prime is a second encoding of the same point.
func TestUnreducedSignature(t *testing.T) {
	b, signer := sandbox(t, 1)
	prime, ok := new(big.Int).SetString("1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab", 16)
	if !ok {
		t.Fatal("no number")
	}
	tried := 0
	for round := uint64(1); tried < 3; round++ {
		s := signer.Sign(round)
		flags := s[0] & 0xe0
		s[0] &= 0x1f
		x := new(big.Int).Add(new(big.Int).SetBytes(s[:]), prime)
		if x.BitLen() > 381 {
			continue
		}
		tried++
		x.FillBytes(s[:])
		s[0] |= flags
		if err := b.Verify(round, s); !errors.Is(err, beacon.ErrSignature) {
			t.Errorf("round %d: %v", round, err)
		}
	}
}

func TestInvalidChains(t *testing.T) {
	good := beacon.Quicknet().Chain
	for name, spoil := range map[string]func(*beacon.Chain){
		"no period":                    func(c *beacon.Chain) { c.Period = 0 },
		"period of 33 bits":            func(c *beacon.Chain) { c.Period = 1 << 32 },
		"negative genesis":             func(c *beacon.Chain) { c.Genesis = -1 },
		"genesis in 10000":             func(c *beacon.Chain) { c.Genesis = protocol.MaxUnix + 1 },
		"no key":                       func(c *beacon.Chain) { c.Key = [96]byte{} },
		"key at infinity":              func(c *beacon.Chain) { c.Key = [96]byte{0xc0} },
		"key outside G2":               func(c *beacon.Chain) { c.Key[95]++ },
		"key not compressed":           func(c *beacon.Chain) { c.Key[0] &= 0x7f },
		"another key off the subgroup": func(c *beacon.Chain) { c.Key = [96]byte{0: 0x80, 95: 2} },
	} {
		c := good
		spoil(&c)
		if _, err := beacon.New(c); err == nil {
			t.Errorf("%s: the chain is accepted", name)
		}
	}
}

func TestChainJSON(t *testing.T) {
	want := beacon.Quicknet().Chain
	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got beacon.Chain
	if err := json.Unmarshal(text, &got); err != nil || got != want {
		t.Errorf("%s is read as %+v, %v", text, got, err)
	}
	for _, wrong := range []string{`"`, `{}`, strings.Replace(string(text), `"key":"83`, `"key":"`, 1), strings.Replace(string(text), `"groupHash":"f4`, `"groupHash":"xx`, 1)} {
		if err := json.Unmarshal([]byte(wrong), &got); err == nil {
			t.Errorf("%s is accepted", wrong)
		}
	}
}

func FuzzVerify(f *testing.F) {
	b, signer := sandbox(f, 1)
	good := signer.Sign(1)
	f.Add(good[:])
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) != len(good) {
			return
		}
		if s := protocol.Signature(data); b.Verify(1, s) == nil && s != good {
			t.Errorf("a second signature of the round: %x", s)
		}
	})
}

func BenchmarkVerify(b *testing.B) {
	chain, signer := sandbox(b, 1)
	s := signer.Sign(1)
	for b.Loop() {
		if err := chain.Verify(1, s); err != nil {
			b.Fatal(err)
		}
	}
}
