package opening

import (
	"testing"
	"time"

	"kaibao/internal/ledger"
	"kaibao/internal/packs"
	"kaibao/internal/protocol"
)

var wrongFields = []struct {
	name   string
	change func(*protocol.OpenLeaf)
}{
	{"id", func(l *protocol.OpenLeaf) { l.ID = "other" }},
	{"user", func(l *protocol.OpenLeaf) { l.User = "00000000000000000000000000000002" }},
	{"nonce", func(l *protocol.OpenLeaf) { l.Nonce++ }},
	{"pack", func(l *protocol.OpenLeaf) { l.Pack = "8" }},
	{"manifest", func(l *protocol.OpenLeaf) { l.Manifest[0]++ }},
	{"draw", func(l *protocol.OpenLeaf) { l.Draw++ }},
	{"no draw", func(l *protocol.OpenLeaf) { l.Draw = 0 }},
	{"commitment", func(l *protocol.OpenLeaf) { l.Commitment[0]++ }},
	{"server seed", func(l *protocol.OpenLeaf) { l.ServerSeed[0]++ }},
	{"client seed", func(l *protocol.OpenLeaf) { l.ClientSeed = "y" }},
	{"card", func(l *protocol.OpenLeaf) { l.Items[0].Card = "gold" }},
	{"value", func(l *protocol.OpenLeaf) { l.Items[0].Value++ }},
	{"no items", func(l *protocol.OpenLeaf) { l.Items = nil }},
	{"price", func(l *protocol.OpenLeaf) { l.Price++ }},
	{"time", func(l *protocol.OpenLeaf) { l.Time = l.Time.Add(-time.Hour) }},
	{"next", func(l *protocol.OpenLeaf) { l.Next[0]++ }},
}

func TestLeafMustMatchBatchInEveryField(t *testing.T) {
	text := []byte("kaibao-manifest/v1\npack 9\nname Few\nprice 1000\nitems 1\ntier 1 0 0 all\ncard silver 500 9\n")
	m, err := protocol.ParseManifest(text)
	if err != nil {
		t.Fatal(err)
	}
	seed, now := [32]byte{1}, time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	commitment, next := protocol.Commitment(seed), protocol.Commitment([32]byte{2})
	manifest := packs.PublishedManifest{Hash: protocol.Hash(text), Manifest: m, EffectiveAt: now.Add(-time.Minute)}
	pulls, err := protocol.Draw(m, manifest.Hash, seed, "x", 3, protocol.Stock{"silver": 9})
	if err != nil {
		t.Fatal(err)
	}
	d := paidOpen{
		account: ledger.AccountRow{Seed: ledger.Seed{Nonce: 3, Commitment: commitment[:]}}, manifest: manifest, pulls: pulls,
		OpenResult: OpenResult{NextSeed: ledger.Seed{Nonce: 4, Commitment: next[:]}, Open: Open{
			ID: "open", UserTag: "00000000000000000000000000000001", PackID: "9", Price: 1000, ManifestHash: manifest.Hash, Nonce: 3,
			Commitment: commitment, ServerSeed: seed, ClientSeed: "x", DrawSeq: 7, At: now, NextCommitment: next,
		}},
	}
	check := func(change func(*protocol.OpenLeaf)) error {
		parsed, err := protocol.ParseLeaf(d.leaf(protocol.Items(pulls)).Format())
		if err != nil {
			t.Fatal(err)
		}
		l := parsed.(protocol.OpenLeaf)
		change(&l)
		return (&openBatch{paid: []paidOpen{d}, drawSeqs: map[string]int64{"9": 6}}).checkLeaf(0, l)
	}
	if err := check(func(*protocol.OpenLeaf) {}); err != nil {
		t.Errorf("a correct leaf is refused: %v", err)
	}
	for _, w := range wrongFields {
		if check(w.change) == nil {
			t.Errorf("a leaf with this field wrong is accepted: %s", w.name)
		}
	}
	if (&openBatch{paid: []paidOpen{d}}).checkLeaf(0, protocol.CommitLeaf{}) == nil {
		t.Error("a commit leaf is accepted as the leaf of an open")
	}
}
