package protocol

import (
	"strings"
	"testing"
)

// provable returns an open of the given manifest as an honest server logs it.
func provable(t *testing.T, manifest string, stock Stock) OpenLeaf {
	t.Helper()
	m := parse(t, manifest)
	seed := [32]byte{1, 2, 3}
	leaf := OpenLeaf{
		DrawHead:   DrawHead{Nonce: 5, Pack: m.Pack, Manifest: Hash([]byte(manifest)), Commitment: Commitment(seed)},
		ServerSeed: seed, ClientSeed: "mine", Price: m.Price,
	}
	if m.Finite() {
		leaf.Draw = 1
	}
	pulls, err := Draw(m, leaf.Manifest, seed, leaf.ClientSeed, leaf.Nonce, stock)
	if err != nil {
		t.Fatal(err)
	}
	leaf.Items = Items(pulls)
	return leaf
}

func TestVerifyOpen(t *testing.T) {
	stock := Stock{"r-1": 0}
	if err := VerifyOpen(provable(t, gappy, stock), []byte(gappy), stock); err != nil {
		t.Error(err)
	}
	unlimited := strings.Replace(sampleText, "1200 1", "1200 -1", 1)
	if err := VerifyOpen(provable(t, unlimited, nil), []byte(unlimited), nil); err != nil {
		t.Error(err)
	}
}

func TestVerifyOpenReportsFailedCheck(t *testing.T) {
	for _, c := range []struct {
		name, want string
		spoil      func(*OpenLeaf)
	}{
		{"seed", "doesn't match the commitment", func(l *OpenLeaf) { l.ServerSeed[0]++ }},
		{"manifest", "not the one named", func(l *OpenLeaf) { l.Manifest[0]++ }},
		{"pack", "belongs to pack 9", func(l *OpenLeaf) { l.Pack = "8" }},
		{"price", "price is 25.00", func(l *OpenLeaf) { l.Price++ }},
		{"draw", "draw number 0 doesn't match", func(l *OpenLeaf) { l.Draw = 0 }},
		{"client seed", "the seeds give", func(l *OpenLeaf) { l.ClientSeed = "other" }},
		{"nonce", "the seeds give", func(l *OpenLeaf) { l.Nonce += 2 }},
		{"value", "the seeds give", func(l *OpenLeaf) { l.Items[0].Value++ }},
		{"items", "the seeds give", func(l *OpenLeaf) { l.Items = l.Items[1:] }},
		{"empty client seed", "repeat the draw", func(l *OpenLeaf) { l.ClientSeed = "" }},
	} {
		leaf := provable(t, gappy, nil)
		c.spoil(&leaf)
		if err := VerifyOpen(leaf, []byte(gappy), nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("spoiled %s: got %v, want %q", c.name, err, c.want)
		}
	}
}

func TestVerifyOpenRefusesABadManifest(t *testing.T) {
	leaf := provable(t, gappy, nil)
	text := []byte(gappy + "\n")
	leaf.Manifest = Hash(text)
	if err := VerifyOpen(leaf, text, nil); err == nil || !strings.Contains(err.Error(), "line 13") {
		t.Errorf("got %v", err)
	}
}
