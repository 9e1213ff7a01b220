package opening

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"kaibao/internal/ledger"
	"kaibao/internal/protocol"
)

// leafText returns the last leaf of the open, built only from fields stored in its rows: its order
// until it is settled, then its open or void.
func (o Open) leafText() string {
	items := make([]protocol.LeafItem, len(o.Items))
	for n, e := range o.Items {
		items[n] = protocol.LeafItem{Card: e.Item.ID, Value: e.PulledValue}
	}
	return string(o.leaf(items).Format())
}

func (o Open) leaf(items []protocol.LeafItem) protocol.Leaf {
	switch {
	case o.Order == nil:
		return protocol.OpenLeaf{
			DrawHead: o.head(), ServerSeed: o.ServerSeed, ClientSeed: o.ClientSeed, Items: items, Price: o.Price, Time: o.At, Next: o.NextCommitment,
		}
	case o.State == Opened:
		return protocol.SealedOpenLeaf{Settlement: o.orderLeaf().Settlement(), ServerSeed: o.ServerSeed, Signature: o.Order.Signature, Items: items, Time: o.At}
	case o.State == Void:
		return protocol.VoidLeaf{Settlement: o.orderLeaf().Settlement(), Reason: o.Order.Reason, ServerSeed: o.ServerSeed, Time: o.At}
	}
	return o.orderLeaf()
}

func (o Open) head() protocol.DrawHead {
	return protocol.DrawHead{
		ID: o.ID, User: o.UserTag, Nonce: uint64(o.Nonce), Pack: o.PackID, Manifest: o.ManifestHash,
		Draw: uint64(o.DrawSeq), Commitment: o.Commitment,
	}
}

// checkLeaf checks the leaf of the batch's nth open.
func (b *openBatch) checkLeaf(n int, leaf protocol.Leaf) error {
	switch l := leaf.(type) {
	case protocol.OpenLeaf:
		return b.checkOpenLeaf(b.paid[n], l)
	case protocol.OrderLeaf:
		return b.checkOrderLeaf(b.paid[n], l)
	}
	return errors.New("is neither an open nor an order")
}

// checkOpenLeaf checks the leaf of an instant open against the locked account and pack, the manifest
// and the drawn items.
func (b *openBatch) checkOpenLeaf(p paidOpen, l protocol.OpenLeaf) error {
	if p.Order != nil {
		return errors.New("is an open, not an order")
	}
	if err := b.checkHead(p, l.DrawHead, l.ClientSeed, l.Next, l.Time); err != nil {
		return err
	}
	return l.VerifyDrawn(p.manifest.Manifest, p.pulls)
}

// checkHead checks what the leaves of opens and orders have in common.
func (b *openBatch) checkHead(p paidOpen, l protocol.DrawHead, clientSeed string, next [32]byte, at time.Time) error {
	if l.Draw > 0 {
		b.drawSeqs[l.Pack]++
	}
	locked := p.account.Seed
	switch {
	case l.ID != p.ID || l.User != p.UserTag || clientSeed != p.ClientSeed:
		return fmt.Errorf("is open %s of user %s, not open %s of user %s", l.ID, l.User, p.ID, p.UserTag)
	case l.Nonce != uint64(locked.Nonce):
		return fmt.Errorf("nonce is %d, but the account's is %d", l.Nonce, locked.Nonce)
	case !bytes.Equal(l.Commitment[:], locked.Commitment):
		return errors.New("the commitment differs from the account's")
	case !bytes.Equal(next[:], p.NextSeed.Commitment):
		return errors.New("the next commitment differs from the account's next one")
	case l.Manifest != p.manifest.Hash:
		return errors.New("the manifest differs from that of the draw")
	case at.Before(p.manifest.EffectiveAt.Truncate(time.Millisecond)):
		return fmt.Errorf("the manifest takes effect only at %s", p.manifest.EffectiveAt)
	case l.Draw > 0 && l.Draw != uint64(b.drawSeqs[l.Pack]):
		return fmt.Errorf("drawSeq is %d, but the pack's next is %d", l.Draw, b.drawSeqs[l.Pack])
	}
	return nil
}

// checkCommitLeaf checks that a leaf commits the user to the seed stored in their account.
func checkCommitLeaf(leaf protocol.Leaf, user string, seed ledger.Seed) error {
	l, ok := leaf.(protocol.CommitLeaf)
	if !ok || l.User != user || l.Nonce != uint64(seed.Nonce) || !bytes.Equal(l.Commitment[:], seed.Commitment) {
		return errors.New("does not commit to the account's seed")
	}
	return nil
}
