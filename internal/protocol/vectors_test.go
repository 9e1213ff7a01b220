package protocol

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"strconv"
	"testing"
)

// vector is one case of testdata/vectors.json, which every implementation of the protocol must
// pass.
type vector struct {
	Name, Manifest, ManifestHash, ServerSeed, Commitment, ClientSeed, Key string

	Nonce uint64
	Stock Stock
	Items []struct {
		TierRoll, Card                           string
		TierCounter, Tier, CardRoll, CardCounter int
		Value                                    int64
	}
}

func loadVectors(t *testing.T) []vector {
	t.Helper()
	text, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Protocol string
		Cases    []vector
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	if file.Protocol != "kaibao/v1" || len(file.Cases) < 16 {
		t.Fatalf("unexpected vectors: protocol %q, %d cases", file.Protocol, len(file.Cases))
	}
	return file.Cases
}

func TestVectors(t *testing.T) {
	for i, v := range loadVectors(t) {
		t.Run(strconv.Itoa(i)+" "+v.Name, func(t *testing.T) { v.check(t) })
	}
}

func (v vector) check(t *testing.T) {
	m, err := ParseManifest([]byte(v.Manifest))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(m.Format()); got != v.Manifest {
		t.Errorf("Format returns %q", got)
	}
	hash, seed := Hash([]byte(v.Manifest)), seedOf(t, v.ServerSeed)
	commitment, key := Commitment(seed), Key(hash, seed, v.ClientSeed, v.Nonce)
	for _, c := range []struct{ what, got, want string }{
		{"manifest hash", hex.EncodeToString(hash[:]), v.ManifestHash},
		{"commitment", hex.EncodeToString(commitment[:]), v.Commitment},
		{"key", hex.EncodeToString(key[:]), v.Key},
	} {
		if c.got != c.want {
			t.Errorf("%s is %s, want %s", c.what, c.got, c.want)
		}
	}
	pulls, err := Draw(m, hash, seed, v.ClientSeed, v.Nonce, v.Stock)
	if v.Items == nil {
		if !errors.Is(err, ErrSoldOut) || pulls != nil {
			t.Fatalf("Draw = %v, %v; want sold out", pulls, err)
		}
		return
	}
	if err != nil || len(pulls) != len(v.Items) {
		t.Fatalf("Draw returns %d cards, %v; want %d", len(pulls), err, len(v.Items))
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

func seedOf(t testing.TB, text string) (seed [32]byte) {
	t.Helper()
	if _, err := hex.Decode(seed[:], []byte(text)); err != nil {
		t.Fatal(err)
	}
	return seed
}
