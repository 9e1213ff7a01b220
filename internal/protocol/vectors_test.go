package protocol

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"strconv"
	"testing"
	"time"
)

// vector is one case of testdata/vectors.json or vectors-v2.json, which every implementation of the
// protocol must pass.
type vector struct {
	Name, Manifest, ManifestHash, ServerSeed, Commitment, ClientSeed, Key string

	Nonce uint64
	Stock Stock
	Items []struct {
		TierRoll, Card                           string
		TierCounter, Tier, CardRoll, CardCounter int
		Value                                    int64
	}

	// Of a sealed draw.
	Sealed                            bool
	Order, OrderHash, Signature, Open string
	Round                             uint64
}

// vectorFile is the content of a file of vectors.
type vectorFile struct {
	Protocol, Beacon string
	Cases            []vector

	Rounds []struct {
		Name            string
		TimeMs          int64
		Lead            int
		Genesis, Period int64
		Round           uint64
	}
	ManifestsRefused []struct{ Name, Manifest string }
}

func loadVectors(t *testing.T, name, protocol string) (file vectorFile) {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	if file.Protocol != protocol {
		t.Fatalf("protocol %q", file.Protocol)
	}
	return file
}

func TestVectors(t *testing.T) {
	file := loadVectors(t, "vectors.json", "kaibao/v1")
	if len(file.Cases) < 16 {
		t.Fatalf("%d cases", len(file.Cases))
	}
	for i, v := range file.Cases {
		t.Run(strconv.Itoa(i)+" "+v.Name, func(t *testing.T) { v.check(t) })
	}
}

// quicknet is the schedule of the beacon in vectors-v2.json.
var quicknet = Schedule{Genesis: 1692803367, Period: 3}

func TestSealedVectors(t *testing.T) {
	file := loadVectors(t, "vectors-v2.json", "kaibao/v2")
	if len(file.Cases) < 10 || len(file.Rounds) < 9 || len(file.ManifestsRefused) < 9 {
		t.Fatalf("%d cases, %d rounds, %d manifests", len(file.Cases), len(file.Rounds), len(file.ManifestsRefused))
	}
	for i, v := range file.Cases {
		t.Run(strconv.Itoa(i)+" "+v.Name, func(t *testing.T) {
			if m := parse(t, v.Manifest); hex.EncodeToString(m.Sealing.Beacon[:]) != file.Beacon {
				t.Errorf("the beacon is %x", m.Sealing.Beacon)
			}
			v.check(t)
		})
	}
	for _, v := range file.Rounds {
		if got := (Schedule{v.Genesis, v.Period}).RoundOf(time.UnixMilli(v.TimeMs), v.Lead); got != v.Round {
			t.Errorf("%s: round %d, want %d", v.Name, got, v.Round)
		}
	}
	for _, v := range file.ManifestsRefused {
		if _, err := ParseManifest([]byte(v.Manifest)); err == nil {
			t.Errorf("%s: the manifest is accepted", v.Name)
		}
	}
}

func (v vector) check(t *testing.T) {
	m := parse(t, v.Manifest)
	if got := string(m.Format()); got != v.Manifest {
		t.Errorf("Format returns %q", got)
	}
	hash, seed := Hash([]byte(v.Manifest)), [32]byte(decode(t, v.ServerSeed))
	commitment := Commitment(seed)
	compareHex(t, "manifest hash", hash[:], v.ManifestHash)
	compareHex(t, "commitment", commitment[:], v.Commitment)
	if v.Sealed {
		v.checkSealed(t, m, seed)
		return
	}
	key := Key(hash, seed, v.ClientSeed, v.Nonce)
	compareHex(t, "key", key[:], v.Key)
	pulls, err := Draw(m, hash, seed, v.ClientSeed, v.Nonce, v.Stock)
	v.checkPulls(t, pulls, err)
}

// checkSealed checks the order, its draw and its open.
func (v vector) checkSealed(t *testing.T, m *Manifest, seed [32]byte) {
	order := parseLeaf[OrderLeaf](t, v.Order)
	signature := Signature(decode(t, v.Signature))
	hash, key := order.Hash(), order.Key(seed, signature)
	compareHex(t, "order hash", hash[:], v.OrderHash)
	compareHex(t, "key", key[:], v.Key)
	compareHex(t, "manifest of the order", order.Manifest[:], v.ManifestHash)
	compareHex(t, "commitment of the order", order.Commitment[:], v.Commitment)
	if order.ClientSeed != v.ClientSeed || order.Nonce != v.Nonce || order.Round != v.Round {
		t.Errorf("order %+v", order)
	}
	if err := order.Verify(m, quicknet); err != nil {
		t.Error(err)
	}
	pulls, err := DrawSealed(m, order, seed, signature, v.Stock)
	v.checkPulls(t, pulls, err)
	if v.Open == "" {
		return
	}
	open := parseLeaf[SealedOpenLeaf](t, v.Open)
	if err := open.Verify(order, m, quicknet, v.Stock); err != nil {
		t.Error(err)
	}
	if open.ServerSeed != seed || open.Signature != signature {
		t.Errorf("open %+v", open)
	}
}

// parseLeaf parses a leaf of one kind and checks that it is formatted as it was.
func parseLeaf[L Leaf](t *testing.T, text string) L {
	t.Helper()
	parsed, err := ParseLeaf([]byte(text))
	leaf, ok := parsed.(L)
	if !ok || !bytes.Equal(leaf.Format(), []byte(text)) {
		t.Fatalf("%v: %q is read as %+v", err, text, parsed)
	}
	if err := CheckLeaf(leaf); err != nil {
		t.Error(err)
	}
	return leaf
}

func (v vector) checkPulls(t *testing.T, pulls []Pull, err error) {
	t.Helper()
	if v.Items == nil {
		if !errors.Is(err, ErrSoldOut) || pulls != nil {
			t.Fatalf("drew %v, %v; want sold out", pulls, err)
		}
		return
	}
	if err != nil || len(pulls) != len(v.Items) {
		t.Fatalf("drew %d cards, %v; want %d", len(pulls), err, len(v.Items))
	}
	for i, want := range v.Items {
		got := pulls[i]
		if strconv.FormatUint(got.TierRoll, 10) != want.TierRoll || int(got.TierCounter) != want.TierCounter ||
			got.Tier != want.Tier || int(got.CardRoll) != want.CardRoll || int(got.CardCounter) != want.CardCounter ||
			got.Card.ID != want.Card || int64(got.Card.Value) != want.Value {
			t.Errorf("card %d is %+v, want %+v", i, got, want)
		}
	}
}

func compareHex(t *testing.T, what string, got []byte, want string) {
	t.Helper()
	if text := hex.EncodeToString(got); text != want {
		t.Errorf("%s is %s, want %s", what, text, want)
	}
}

func decode(t testing.TB, text string) []byte {
	t.Helper()
	bytes, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return bytes
}
