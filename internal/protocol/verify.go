package protocol

import (
	"fmt"
	"slices"

	"kaibao/internal/money"
)

// VerifyOpen recomputes an open from its leaf, the published bytes of its manifest, and the stock
// before its draw (nil if no card of the pack can run out). It returns nil if the revealed seed
// matches the commitment, the manifest matches its hash, and pack, price and items are what the
// seeds yield; otherwise the error names the failed check.
//
// It doesn't check the log: whether the commitment was published before, the manifest was in force
// and the stock is right.
func VerifyOpen(leaf OpenLeaf, manifest []byte, stock Stock) error {
	if Hash(manifest) != leaf.Manifest {
		return fmt.Errorf("the manifest is not the one named in the leaf")
	}
	m, err := ParseManifest(manifest)
	if err != nil {
		return err
	}
	return leaf.Verify(m, stock)
}

// Verify is like VerifyOpen with a parsed manifest, for checking many opens of the same manifest.
// The caller must make sure that it is the manifest the leaf names.
func (l OpenLeaf) Verify(m *Manifest, stock Stock) error {
	if err := l.checkManifest(m); err != nil {
		return err
	}
	pulls, err := Draw(m, l.Manifest, l.ServerSeed, l.ClientSeed, l.Nonce, stock)
	if err != nil {
		return fmt.Errorf("repeat the draw: %w", err)
	}
	return checkItems(l.Items, pulls)
}

// VerifyDrawn is like Verify for a caller that has just made the draw.
func (l OpenLeaf) VerifyDrawn(m *Manifest, pulls []Pull) error {
	if err := l.checkManifest(m); err != nil {
		return err
	}
	return checkItems(l.Items, pulls)
}

// checkManifest checks everything except the draw.
func (l OpenLeaf) checkManifest(m *Manifest) error {
	if err := checkSeed(l.ServerSeed, l.Commitment); err != nil {
		return err
	}
	if !m.Instant() {
		return fmt.Errorf("the manifest of pack %s doesn't allow instant opens", m.Pack)
	}
	return m.checkTerms(l.DrawHead, l.Price)
}

// checkTerms checks that an open or order has the manifest's pack, price and kind of stock.
func (m *Manifest) checkTerms(h DrawHead, price money.Cents) error {
	switch {
	case m.Pack != h.Pack:
		return fmt.Errorf("the manifest belongs to pack %s, not %s", m.Pack, h.Pack)
	case m.Price != price:
		return fmt.Errorf("the price is %s instead of %s", m.Price, price)
	case m.Finite() != (h.Draw > 0):
		return fmt.Errorf("draw number %d doesn't match the pack's kind of stock", h.Draw)
	}
	return nil
}

// checkItems compares a leaf's items with the drawn ones.
func checkItems(items []LeafItem, pulls []Pull) error {
	if drawn := Items(pulls); !slices.Equal(drawn, items) {
		return fmt.Errorf("the seeds give %v, but the leaf has %v", drawn, items)
	}
	return nil
}

// Items returns the drawn cards in the form used by leaves.
func Items(pulls []Pull) []LeafItem {
	items := make([]LeafItem, len(pulls))
	for i, pull := range pulls {
		items[i] = LeafItem{Card: pull.Card.ID, Value: pull.Card.Value}
	}
	return items
}
