package opening

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"kaibao/internal/ledger"
	"kaibao/internal/protocol"
)

// leafText returns the open's leaf, built only from fields stored in its rows.
func (o Open) leafText() string {
	items := make([]protocol.LeafItem, len(o.Items))
	for n, e := range o.Items {
		items[n] = protocol.LeafItem{Card: e.Item.ID, Value: e.PulledValue}
	}
	return formatLeaf(o, items)
}

func formatLeaf(o Open, items []protocol.LeafItem) string {
	return string(protocol.OpenLeaf{
		DrawHead: protocol.DrawHead{
			ID: o.ID, User: o.UserTag, Nonce: uint64(o.Nonce), Pack: o.PackID, Manifest: o.ManifestHash,
			Draw: uint64(o.DrawSeq), Commitment: o.Commitment,
		},
		ServerSeed: o.ServerSeed, ClientSeed: o.ClientSeed, Items: items, Price: o.Price, Time: o.At, Next: o.NextCommitment,
	}.Format())
}

// checkOpenLeaf checks the leaf of the batch's nth open against the locked account and pack, the
// manifest and the drawn items.
func (b *openBatch) checkOpenLeaf(n int, leaf protocol.Leaf) error {
	d := b.drawn[n]
	l, ok := leaf.(protocol.OpenLeaf)
	if !ok {
		return errors.New("is not an open")
	}
	if l.Draw > 0 {
		b.drawSeqs[l.Pack]++
	}
	locked := d.account.Seed
	switch {
	case l.ID != d.ID || l.User != d.UserTag || l.ClientSeed != d.ClientSeed:
		return fmt.Errorf("is open %s of user %s, not open %s of user %s", l.ID, l.User, d.ID, d.UserTag)
	case l.Nonce != uint64(locked.Nonce):
		return fmt.Errorf("nonce is %d, but the account's is %d", l.Nonce, locked.Nonce)
	case !bytes.Equal(l.Commitment[:], locked.Commitment):
		return errors.New("the commitment differs from the account's")
	case !bytes.Equal(l.Next[:], d.NextSeed.Commitment):
		return errors.New("the next commitment differs from the account's next one")
	case l.Manifest != d.manifest.Hash:
		return errors.New("the manifest differs from that of the draw")
	case l.Time.Before(d.manifest.EffectiveAt.Truncate(time.Millisecond)):
		return fmt.Errorf("the manifest takes effect only at %s", d.manifest.EffectiveAt)
	case l.Draw > 0 && l.Draw != uint64(b.drawSeqs[l.Pack]):
		return fmt.Errorf("drawSeq is %d, but the pack's next is %d", l.Draw, b.drawSeqs[l.Pack])
	}
	return l.VerifyDrawn(d.manifest.Manifest, d.pulls)
}

// checkCommitLeaf checks that a leaf commits the user to the seed stored in their account.
func checkCommitLeaf(leaf protocol.Leaf, user string, seed ledger.Seed) error {
	l, ok := leaf.(protocol.CommitLeaf)
	if !ok || l.User != user || l.Nonce != uint64(seed.Nonce) || !bytes.Equal(l.Commitment[:], seed.Commitment) {
		return errors.New("does not commit to the account's seed")
	}
	return nil
}
