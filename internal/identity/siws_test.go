package identity

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/mr-tron/base58"
	"pgregory.net/rapid"

	"kaibao/internal/apperr"
)

// newTestKey returns the same key in every run, so that the texts below can be literals.
func newTestKey(fill byte) ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{fill}, ed25519.SeedSize))
}

func publicKey(key ed25519.PrivateKey) ed25519.PublicKey {
	return ed25519.PublicKey(key[ed25519.SeedSize:])
}

func addressOf(key ed25519.PrivateKey) string { return base58.Encode(publicKey(key)) }

func testMessage(key ed25519.PrivateKey) Message {
	issued := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	return Message{
		Domain: "127.0.0.1:8080", Address: addressOf(key), URI: "http://127.0.0.1:8080",
		Nonce: "00112233445566778899aabbccddeeff", IssuedAt: issued, ExpirationTime: issued.Add(5 * time.Minute),
	}
}

func sign(key ed25519.PrivateKey, message []byte) string {
	return base58.Encode(ed25519.Sign(key, message))
}

func wantBadSignature(t *testing.T, err error) {
	t.Helper()
	if !apperr.IsCode(err, apperr.BadSignature) {
		t.Errorf("got %v, want the error bad_signature", err)
	}
}

func TestMessageText(t *testing.T) {
	m := testMessage(newTestKey(1))
	want := `127.0.0.1:8080 wants you to sign in with your Solana account:
AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9

Sign in to Kaibao. This sends no transaction and costs nothing.

URI: http://127.0.0.1:8080
Version: 1
Chain ID: mainnet
Nonce: 00112233445566778899aabbccddeeff
Issued At: 2026-01-01T00:00:00.000Z
Expiration Time: 2026-01-01T00:05:00.000Z`
	if got := m.Text(); got != want {
		t.Errorf("text:\n%s\nwant:\n%s", got, want)
	}
}

func TestMessageTextIsUTCWithMilliseconds(t *testing.T) {
	m := testMessage(newTestKey(1))
	m.IssuedAt = time.Date(2026, 1, 1, 8, 0, 0, 123_999_999, time.FixedZone("UTC+8", 8*3600))
	if !strings.Contains(m.Text(), "Issued At: 2026-01-01T00:00:00.123Z\n") {
		t.Errorf("text:\n%s", m.Text())
	}
}

func TestMessageInput(t *testing.T) {
	got, err := json.Marshal(testMessage(newTestKey(1)).Input())
	if err != nil {
		t.Fatal(err)
	}
	want := `{"domain":"127.0.0.1:8080","address":"AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9",` +
		`"statement":"Sign in to Kaibao. This sends no transaction and costs nothing.",` +
		`"uri":"http://127.0.0.1:8080","version":"1","chainId":"mainnet","nonce":"00112233445566778899aabbccddeeff",` +
		`"issuedAt":"2026-01-01T00:00:00.000Z","expirationTime":"2026-01-01T00:05:00.000Z"}`
	if string(got) != want {
		t.Errorf("input:\n%s\nwant:\n%s", got, want)
	}
}

func TestExpiredAt(t *testing.T) {
	m := testMessage(newTestKey(1))
	if m.ExpiredAt(m.ExpirationTime.Add(-time.Microsecond)) {
		t.Error("expired before its time")
	}
	if !m.ExpiredAt(m.ExpirationTime) {
		t.Error("still valid at its expiration time")
	}
}

func TestParseAddress(t *testing.T) {
	good := addressOf(newTestKey(1))
	key, err := ParseAddress(good)
	if err != nil || !key.Equal(publicKey(newTestKey(1))) {
		t.Fatalf("ParseAddress(%q) = %x, %v", good, key, err)
	}
	refused := map[string]string{
		"empty":               "",
		"leading space":       " " + good,
		"trailing space":      good + " ",
		"trailing line feed":  good + "\n",
		"inner space":         good[:10] + " " + good[10:],
		"zero, not in base58": "0" + good[1:],
		"capital O":           "O" + good[1:],
		"small l":             good[:5] + "l" + good[6:],
		"not ASCII":           good[:len(good)-1] + "é",
		"31 bytes":            base58.Encode(bytes.Repeat([]byte{7}, 31)),
		"33 bytes":            base58.Encode(bytes.Repeat([]byte{7}, 33)),
		"an extra leading 1":  "1" + good,
		"31 zero bytes":       strings.Repeat("1", 31),
		"33 zero bytes":       strings.Repeat("1", 33),
		"44 digits, 33 bytes": strings.Repeat("z", 44),
		"hexadecimal":         hex.EncodeToString(bytes.Repeat([]byte{7}, 32)),
		"very long":           strings.Repeat("z", 1<<20),
	}
	for name, address := range refused {
		t.Run(name, func(t *testing.T) {
			_, err := ParseAddress(address)
			if !apperr.IsCode(err, apperr.Invalid) || apperr.As(err).Fields["address"] == "" {
				t.Errorf("got %v, want an error on the field address", err)
			}
		})
	}
}

func TestParseAddressAcceptsOnlyCanonicalEncodings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "key")
		zeros := rapid.IntRange(0, 32).Draw(t, "leading zeros")
		clear(raw[:zeros])
		address := base58.Encode(raw)
		key, err := ParseAddress(address)
		if err != nil || !bytes.Equal(key, raw) {
			t.Fatalf("ParseAddress(%q) = %x, %v", address, key, err)
		}
		if _, err := ParseAddress("1" + address); err == nil {
			t.Fatalf("a second encoding of %q was accepted", address)
		}
	})
}

func TestVerifyAccepts(t *testing.T) {
	key := newTestKey(1)
	m := testMessage(key)
	for name, form := range knownForms(m, publicKey(key)) {
		t.Run(name, func(t *testing.T) {
			for _, signedMessage := range [][]byte{form, nil, {}} {
				if err := Verify(m, m.Address, sign(key, form), signedMessage); err != nil {
					t.Errorf("signedMessage of %d bytes: %v", len(signedMessage), err)
				}
			}
		})
	}
}

// knownForms returns the forms that wallets sign, written independently of the code under test.
func knownForms(m Message, key ed25519.PublicKey) map[string][]byte {
	text := m.Text()
	length := string([]byte{byte(len(text)), byte(len(text) >> 8)})
	zeros := strings.Repeat("\x00", 32)
	ours := m.Domain + strings.Repeat("\x00", 32-len(m.Domain))
	forms := map[string]string{
		"bare text":                          text,
		"short envelope, UTF-8":              "\xffsolana offchain\x00\x01" + length + text,
		"short envelope, ASCII":              "\xffsolana offchain\x00\x00" + length + text,
		"envelope, no domain, ASCII":         "\xffsolana offchain\x00" + zeros + "\x00\x01" + string(key) + length + text,
		"envelope, no domain, UTF-8":         "\xffsolana offchain\x00" + zeros + "\x01\x01" + string(key) + length + text,
		"envelope, domain is ours, ASCII":    "\xffsolana offchain\x00" + ours + "\x00\x01" + string(key) + length + text,
		"envelope, domain is ours, in UTF-8": "\xffsolana offchain\x00" + ours + "\x01\x01" + string(key) + length + text,
	}
	out := make(map[string][]byte, len(forms))
	for name, form := range forms {
		out[name] = []byte(form)
	}
	return out
}

func TestVerifyRefusesOtherEnvelopes(t *testing.T) {
	key, other := newTestKey(1), newTestKey(2)
	m := testMessage(key)
	text := m.Text()
	signer, stranger := string(publicKey(key)), string(publicKey(other))
	length := string([]byte{byte(len(text)), byte(len(text) >> 8)})
	wrongLength := string([]byte{byte(len(text) + 1), byte(len(text) >> 8)})
	bigEndian := string([]byte{byte(len(text) >> 8), byte(len(text))})
	zeros := strings.Repeat("\x00", 32)
	const prefix = "\xffsolana offchain"
	envelopes := map[string]string{
		"header version 1":     prefix + "\x01\x01" + signer + text,
		"short, version 1":     prefix + "\x01\x01" + length + text,
		"format 2":             prefix + "\x00\x02" + length + text,
		"long, format 2":       prefix + "\x00" + zeros + "\x02\x01" + signer + length + text,
		"wrong length":         prefix + "\x00\x01" + wrongLength + text,
		"big endian length":    prefix + "\x00\x01" + bigEndian + text,
		"no length":            prefix + "\x00\x01" + text,
		"no prefix byte":       "solana offchain\x00\x01" + length + text,
		"trailing byte":        prefix + "\x00\x01" + length + text + "\n",
		"text cut":             prefix + "\x00\x01" + length + text[:len(text)-1],
		"enveloped twice":      prefix + "\x00\x01" + length + prefix + "\x00\x01" + length + text,
		"another app's domain": prefix + "\x00" + strings.Repeat("x", 32) + "\x00\x01" + signer + length + text,
		"no signer":            prefix + "\x00" + zeros + "\x00\x00" + length + text,
		"another signer":       prefix + "\x00" + zeros + "\x00\x01" + stranger + length + text,
		"two signers":          prefix + "\x00" + zeros + "\x00\x02" + signer + stranger + length + text,
		"text with line feed":  text + "\n",
		"text with CRLF":       strings.ReplaceAll(text, "\n", "\r\n"),
		"byte order mark":      "\uFEFF" + text,
		"nothing":              "",
	}
	for name, envelope := range envelopes {
		t.Run(name, func(t *testing.T) {
			signature := sign(key, []byte(envelope))
			wantBadSignature(t, Verify(m, m.Address, signature, []byte(envelope)))
			wantBadSignature(t, Verify(m, m.Address, signature, nil))
		})
	}
}

func TestVerifyRefusesOtherMessages(t *testing.T) {
	key := newTestKey(1)
	m := testMessage(key)
	changes := map[string]func(*Message){
		"other domain":         func(m *Message) { m.Domain = "kaibao.example" },
		"other port":           func(m *Message) { m.Domain = "127.0.0.1:8081" },
		"other URI":            func(m *Message) { m.URI = "https://kaibao.example" },
		"other nonce":          func(m *Message) { m.Nonce = strings.Repeat("0", 32) },
		"issued later":         func(m *Message) { m.IssuedAt = m.IssuedAt.Add(time.Millisecond) },
		"an expired challenge": func(m *Message) { m.ExpirationTime = m.ExpirationTime.Add(-time.Hour) },
		"another account":      func(m *Message) { m.Address = addressOf(newTestKey(2)) },
	}
	for name, change := range changes {
		t.Run(name, func(t *testing.T) {
			signed := m
			change(&signed)
			signature := sign(key, []byte(signed.Text()))
			wantBadSignature(t, Verify(m, m.Address, signature, []byte(signed.Text())))
			wantBadSignature(t, Verify(m, m.Address, signature, nil))
			wantBadSignature(t, Verify(m, m.Address, signature, []byte(m.Text())))
		})
	}
}

func TestVerifyRefusesOtherKeys(t *testing.T) {
	victim, attacker := newTestKey(1), newTestKey(2)
	m := testMessage(victim)
	text := []byte(m.Text())
	t.Run("a message that names the victim", func(t *testing.T) {
		wantBadSignature(t, Verify(m, m.Address, sign(attacker, text), text))
		wantBadSignature(t, Verify(m, m.Address, sign(attacker, text), nil))
		wantBadSignature(t, Verify(m, addressOf(attacker), sign(attacker, text), text))
	})
	t.Run("the victim's envelope", func(t *testing.T) {
		for _, form := range knownForms(m, publicKey(attacker)) {
			wantBadSignature(t, Verify(m, m.Address, sign(attacker, form), form))
		}
	})
	t.Run("the attacker's own message", func(t *testing.T) {
		own := testMessage(attacker)
		wantBadSignature(t, Verify(m, m.Address, sign(attacker, []byte(own.Text())), []byte(own.Text())))
		wantBadSignature(t, Verify(m, own.Address, sign(attacker, []byte(own.Text())), []byte(own.Text())))
	})
	t.Run("an address in other spelling", func(t *testing.T) {
		for _, address := range []string{"", " " + m.Address, m.Address + " ", strings.ToLower(m.Address)} {
			wantBadSignature(t, Verify(m, address, sign(victim, text), text))
		}
	})
}

func TestVerifyRefusesMalformedSignatures(t *testing.T) {
	key := newTestKey(1)
	m := testMessage(key)
	raw := ed25519.Sign(key, []byte(m.Text()))
	good := base58.Encode(raw)
	signatures := map[string]string{
		"empty":          "",
		"63 bytes":       base58.Encode(raw[:63]),
		"65 bytes":       base58.Encode(append(bytes.Clone(raw), 0)),
		"zeros":          strings.Repeat("1", 64),
		"leading space":  " " + good,
		"trailing space": good + " ",
		"not base58":     "0" + good[1:],
		"hexadecimal":    hex.EncodeToString(raw),
		"with message":   base58.Encode(append(bytes.Clone(raw), m.Text()...)),
		"S plus order":   base58.Encode(addGroupOrder(raw)),
	}
	for name, signature := range signatures {
		t.Run(name, func(t *testing.T) {
			wantBadSignature(t, Verify(m, m.Address, signature, nil))
		})
	}
}

// addGroupOrder returns the other encoding of a signature, S + L, which a careless verifier accepts
// as a second, different signature.
func addGroupOrder(signature []byte) []byte {
	order, _ := hex.DecodeString("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010")
	out := bytes.Clone(signature)
	carry := 0
	for i, b := range order {
		sum := int(out[32+i]) + int(b) + carry
		out[32+i], carry = byte(sum), sum>>8
	}
	return out
}

func TestVerifyRefusesAnyChangedByte(t *testing.T) {
	key := newTestKey(1)
	m := testMessage(key)
	var forms [][]byte
	for _, form := range knownForms(m, publicKey(key)) {
		forms = append(forms, form)
	}
	rapid.Check(t, func(t *rapid.T) {
		form := forms[rapid.IntRange(0, len(forms)-1).Draw(t, "form")]
		index := rapid.IntRange(0, len(form)-1).Draw(t, "at")
		flip := rapid.ByteRange(1, 255).Draw(t, "flip")
		changed := bytes.Clone(form)
		changed[index] ^= flip
		// A changed format or application domain can produce another accepted form. The signature
		// over the first form must not be valid for it.
		if err := Verify(m, m.Address, sign(key, form), changed); err == nil {
			t.Fatalf("accepted a signed message whose byte %d was changed", index)
		}
		accepted := false
		for _, other := range forms {
			accepted = accepted || bytes.Equal(changed, other)
		}
		if err := Verify(m, m.Address, sign(key, changed), nil); (err == nil) != accepted {
			t.Fatalf("byte %d changed by %#x: %v", index, flip, err)
		}
	})
}

func TestVerifyRefusesAnyChangedSignature(t *testing.T) {
	key := newTestKey(1)
	m := testMessage(key)
	signature := ed25519.Sign(key, []byte(m.Text()))
	rapid.Check(t, func(t *rapid.T) {
		changed := bytes.Clone(signature)
		changed[rapid.IntRange(0, 63).Draw(t, "at")] ^= rapid.ByteRange(1, 255).Draw(t, "flip")
		if Verify(m, m.Address, base58.Encode(changed), nil) == nil {
			t.Fatal("a changed signature was accepted")
		}
	})
}

// smallOrderKeys has all 14 encodings that decode to a point of small order.
var smallOrderKeys = []string{
	"0000000000000000000000000000000000000000000000000000000000000000",
	"0000000000000000000000000000000000000000000000000000000000000080",
	"0100000000000000000000000000000000000000000000000000000000000000",
	"0100000000000000000000000000000000000000000000000000000000000080",
	"ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
	"ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
	"edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
	"edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
	"eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
	"eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
	"26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
	"26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
	"c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
	"c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
}

// Under these keys, R of small order and S = 0 pass crypto/ed25519 without a secret for at least
// one nonce in eight, so repeated attempts would succeed.
func TestVerifyRefusesForgeriesUnderSmallOrderKeys(t *testing.T) {
	for _, encoding := range smallOrderKeys {
		t.Run(encoding, func(t *testing.T) {
			key, err := hex.DecodeString(encoding)
			if err != nil {
				t.Fatal(err)
			}
			m, signature := forge(key)
			if signature == nil {
				t.Fatal("crypto/ed25519 refused every forgery, so isStrongKey needn't refuse this key")
			}
			wantBadSignature(t, Verify(m, m.Address, base58.Encode(signature), []byte(m.Text())))
		})
	}
}

// forge searches for a challenge for which a forged signature verifies.
func forge(key ed25519.PublicKey) (Message, []byte) {
	m := testMessage(newTestKey(1))
	m.Address = base58.Encode(key)
	for nonce := range 100 {
		m.Nonce = hex.EncodeToString(bytes.Repeat([]byte{byte(nonce)}, 16))
		for _, r := range smallOrderKeys {
			point, _ := hex.DecodeString(r)
			signature := append(point, make([]byte, 32)...)
			if ed25519.Verify(key, []byte(m.Text()), signature) {
				return m, signature
			}
		}
	}
	return m, nil
}

func TestIsStrongKey(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.SliceOfN(rapid.Byte(), ed25519.SeedSize, ed25519.SeedSize).Draw(t, "seed")
		if !isStrongKey(publicKey(ed25519.NewKeyFromSeed(seed))) {
			t.Fatal("refused a wallet's key")
		}
	})
	for low := 0xed; low <= 0xff; low++ {
		for _, high := range []byte{0x7f, 0xff} {
			key := bytes.Repeat([]byte{0xff}, 32)
			key[0], key[31] = byte(low), high
			if isStrongKey(key) {
				t.Errorf("accepted the unreduced key %x", key)
			}
		}
	}
	largest := bytes.Repeat([]byte{0xff}, 32)
	largest[0], largest[31] = 0xeb, 0x7f
	if !isStrongKey(largest) {
		t.Error("refused a reduced key")
	}
}
