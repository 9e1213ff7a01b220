package protocol

import (
	"fmt"
	"slices"
)

// VerifyOpen recomputes an open from its leaf, the published bytes of the manifest
// that it names, and the stock before its draw (nil when no card of the pack can
// run out). It returns nil when the revealed seed is the one committed to, the
// manifest is the one named, and pack, price and items are what the seeds yield;
// otherwise an error that says which of these does not hold.
//
// It does not see the log: that the commitment was published before, that the
// manifest was in force and that the stock is right must be checked there.
func VerifyOpen(leaf OpenLeaf, manifest []byte, stock Stock) error {
	if Hash(manifest) != leaf.Manifest {
		return fmt.Errorf("the manifest is not the one named")
	}
	m, err := ParseManifest(manifest)
	if err != nil {
		return err
	}
	return leaf.Verify(m, stock)
}

// Verify is VerifyOpen with the manifest that the leaf names, parsed already: for
// many opens of one manifest. That it is the one named is for the caller to know.
func (l OpenLeaf) Verify(m *Manifest, stock Stock) error {
	if err := l.fits(m); err != nil {
		return err
	}
	pulls, err := Draw(m, l.Manifest, l.ServerSeed, l.ClientSeed, l.Nonce, stock)
	if err != nil {
		return fmt.Errorf("drawing again: %w", err)
	}
	return l.yields(pulls)
}

// VerifyDrawn is Verify for the caller that has just made the draw.
func (l OpenLeaf) VerifyDrawn(m *Manifest, pulls []Pull) error {
	if err := l.fits(m); err != nil {
		return err
	}
	return l.yields(pulls)
}

// fits checks all but the draw.
func (l OpenLeaf) fits(m *Manifest) error {
	if err := l.checkSeed(); err != nil {
		return err
	}
	switch {
	case m.Pack != l.Pack:
		return fmt.Errorf("the manifest is of pack %s, not %s", m.Pack, l.Pack)
	case m.Price != l.Price:
		return fmt.Errorf("the price is %s, not %s", m.Price, l.Price)
	case m.Finite() != (l.Draw > 0):
		return fmt.Errorf("draw %d does not fit the pack's stock", l.Draw)
	}
	return nil
}

// yields compares the items with those drawn.
func (l OpenLeaf) yields(pulls []Pull) error {
	if drawn := Items(pulls); !slices.Equal(drawn, l.Items) {
		return fmt.Errorf("the seeds yield %v, not %v", drawn, l.Items)
	}
	return nil
}

// Items gives the drawn cards as a leaf lists them.
func Items(pulls []Pull) []LeafItem {
	items := make([]LeafItem, len(pulls))
	for i, pull := range pulls {
		items[i] = LeafItem{Card: pull.Card.ID, Value: pull.Card.Value}
	}
	return items
}
