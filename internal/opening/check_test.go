package opening

import (
	"testing"
	"time"

	"kaibao/internal/fair"
	"kaibao/internal/ledger"
	"kaibao/internal/packs"
)

var wrongly = []struct {
	name   string
	change func(*fair.OpenLeaf)
}{
	{"id", func(l *fair.OpenLeaf) { l.ID = "other" }},
	{"user", func(l *fair.OpenLeaf) { l.User = "00000000000000000000000000000002" }},
	{"nonce", func(l *fair.OpenLeaf) { l.Nonce++ }},
	{"pack", func(l *fair.OpenLeaf) { l.Pack = "8" }},
	{"manifest", func(l *fair.OpenLeaf) { l.Manifest[0]++ }},
	{"draw", func(l *fair.OpenLeaf) { l.Draw++ }},
	{"no draw", func(l *fair.OpenLeaf) { l.Draw = 0 }},
	{"commitment", func(l *fair.OpenLeaf) { l.Commitment[0]++ }},
	{"server seed", func(l *fair.OpenLeaf) { l.ServerSeed[0]++ }},
	{"client seed", func(l *fair.OpenLeaf) { l.ClientSeed = "y" }},
	{"card", func(l *fair.OpenLeaf) { l.Items[0].Card = "gold" }},
	{"value", func(l *fair.OpenLeaf) { l.Items[0].Value++ }},
	{"no items", func(l *fair.OpenLeaf) { l.Items = nil }},
	{"price", func(l *fair.OpenLeaf) { l.Price++ }},
	{"time", func(l *fair.OpenLeaf) { l.Time = l.Time.Add(-time.Hour) }},
	{"next", func(l *fair.OpenLeaf) { l.Next[0]++ }},
}

// An open's leaf must say what the batch has locked and drawn, in every field.
func TestALeafIsComparedWithItsBatch(t *testing.T) {
	text := []byte("kaibao-manifest/v1\npack 9\nname Few\nprice 1000\nitems 1\ntier 1 0 0 all\ncard silver 500 9\n")
	m, err := fair.ParseManifest(text)
	if err != nil {
		t.Fatal(err)
	}
	seed, now := [32]byte{1}, time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	commitment, next := fair.Commitment(seed), fair.Commitment([32]byte{2})
	by := packs.Published{Hash: fair.Hash(text), Manifest: m, EffectiveAt: now.Add(-time.Minute)}
	pulls, err := fair.Draw(m, by.Hash, seed, "x", 3, fair.Stock{"silver": 9})
	if err != nil {
		t.Fatal(err)
	}
	d := drawn{
		account: ledger.Held{Seed: ledger.Seed{Nonce: 3, Commitment: commitment[:]}}, by: by, pulls: pulls,
		Opened: Opened{NextSeed: ledger.Seed{Nonce: 4, Commitment: next[:]}, Opening: Opening{
			ID: "open", UserTag: "00000000000000000000000000000001", PackID: "9", Price: 1000, ManifestHash: by.Hash, Nonce: 3,
			Commitment: commitment, ServerSeed: seed, ClientSeed: "x", DrawSeq: 7, At: now, Next: next,
		}},
	}
	said := func(change func(*fair.OpenLeaf)) error {
		parsed, err := fair.ParseLeaf([]byte(leafOf(d.Opening, fair.Items(pulls))))
		if err != nil {
			t.Fatal(err)
		}
		l := parsed.(fair.OpenLeaf)
		change(&l)
		return (&batch{drawn: []drawn{d}, draws: map[string]int64{"9": 6}}).matches(0, l)
	}
	if err := said(func(*fair.OpenLeaf) {}); err != nil {
		t.Errorf("the right one: %v", err)
	}
	for _, w := range wrongly {
		if said(w.change) == nil {
			t.Errorf("another %s is let through", w.name)
		}
	}
	if (&batch{drawn: []drawn{d}}).matches(0, fair.CommitLeaf{}) == nil {
		t.Error("a leaf of another kind is let through")
	}
}
