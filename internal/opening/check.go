package opening

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"kaibao/internal/ledger"
	"kaibao/internal/protocol"
)

// matches checks the leaf of the batch's nth open against the locked account and pack, the manifest
// and the drawn items.
func (b *openBatch) matches(n int, leaf protocol.Leaf) error {
	d := b.drawn[n]
	l, ok := leaf.(protocol.OpenLeaf)
	if !ok {
		return errors.New("it is not an open")
	}
	if l.Draw > 0 {
		b.draws[l.Pack]++
	}
	locked := d.account.Seed
	switch {
	case l.ID != d.ID || l.User != d.UserTag || l.ClientSeed != d.ClientSeed:
		return fmt.Errorf("it is open %s of user %s, not open %s of user %s", l.ID, l.User, d.ID, d.UserTag)
	case l.Nonce != uint64(locked.Nonce):
		return fmt.Errorf("nonce %d, the account's is %d", l.Nonce, locked.Nonce)
	case !bytes.Equal(l.Commitment[:], locked.Commitment):
		return errors.New("the commitment is not the one that the account shows")
	case !bytes.Equal(l.Next[:], d.NextSeed.Commitment):
		return errors.New("the next commitment is not the one that the account will show")
	case l.Manifest != d.by.Hash:
		return errors.New("the manifest is not the one drawn by")
	case l.Time.Before(d.by.EffectiveAt.Truncate(time.Millisecond)):
		return fmt.Errorf("the manifest takes effect at %s", d.by.EffectiveAt)
	case l.Draw > 0 && l.Draw != uint64(b.draws[l.Pack]):
		return fmt.Errorf("drawSeq %d, the pack's next is %d", l.Draw, b.draws[l.Pack])
	}
	return l.VerifyDrawn(d.by.Manifest, d.pulls)
}

// commits checks that a leaf commits the user to the seed stored in their account.
func commits(leaf protocol.Leaf, user string, seed ledger.Seed) error {
	l, ok := leaf.(protocol.CommitLeaf)
	if !ok || l.User != user || l.Nonce != uint64(seed.Nonce) || !bytes.Equal(l.Commitment[:], seed.Commitment) {
		return errors.New("it does not commit to the account's seed")
	}
	return nil
}
