package opening

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/beacon"
	"kaibao/internal/ledger"
	"kaibao/internal/packs"
	"kaibao/internal/protocol"
	"kaibao/internal/rounds"
)

// Order is the part of an open that only sealed packs have.
type Order struct {
	At        time.Time // of the order
	Items     int       // cards that it draws
	Beacon    [32]byte  // chain hash
	Round     uint64
	Signature protocol.Signature // of the round; zero until drawn
	Reason    protocol.VoidReason

	seed ledger.Seed // encrypted; empty once settled
}

// errSealedPack refuses an instant open. An outdated page must not order by accident.
var errSealedPack = apperr.New(apperr.SealedPack, "This pack is sealed: it is drawn some seconds after the order. Reload the page. You were not charged.")

// errDrawsPending refuses opens of a pack for the seconds that its pending orders take.
var errDrawsPending = apperr.New(apperr.SealedPaused, "Earlier orders of this pack are being drawn. Try again in a few seconds. You were not charged.").After(time.Second)

// errClockBehind refuses orders of a node whose clock is so far behind that its rounds are public.
var errClockBehind = apperr.New(apperr.SealedPaused, "Sealed packs are paused for a moment. You were not charged. Please try again.").
	Because(errors.New("the round of the order is already in the log: this node's clock is behind"))

// checkInstant refuses an instant open that the manifest or pending orders don't allow.
func checkInstant(m *protocol.Manifest, pack *packs.LivePack) error {
	if !m.Instant() {
		return errSealedPack
	}
	if m.Finite() && pack.Orders.Pending > 0 {
		return errDrawsPending // its draw depends on theirs
	}
	return nil
}

// placeOrder completes the order of a paid open and adds it to b.paid; write stores it. Nothing is drawn.
// The rules are those of docs/fairness.md, "Sealed packs".
func (b *openBatch) placeOrder(p paidOpen, pack *packs.LivePack) error {
	m := p.manifest.Manifest
	if m.Sealing == nil {
		return apperr.InvalidField("sealed", "must be false: this pack isn't sealed")
	}
	chain, err := b.beacon(m.Sealing.Beacon)
	if err != nil {
		return err
	}
	if err := b.readyForOrders(); err != nil {
		return err
	}
	if m.Finite() && !pack.CoversOrder(m) {
		return protocol.ErrSoldOut
	}
	o := &Order{At: p.At, Items: m.Items, Beacon: m.Sealing.Beacon, Round: chain.RoundOf(p.At, m.Sealing.Lead), seed: p.account.Seed}
	if m.Finite() && o.Round < pack.Orders.LastRound {
		return errDrawsPending // the earlier orders have a longer lead, of another manifest
	}
	if err := b.checkUnpublished(o); err != nil {
		return err
	}
	p.State, p.Order = Sealed, o
	b.lastRound = later(b.lastRound, chain.Time(o.Round))
	p.DrawSeq = pack.CountOrder(p.manifest, o.At, o.Round)
	b.tx.RestartAfter(chain.Time(o.Round).Add(-time.Duration(m.Sealing.Lead) * time.Second / 2)) // half the lead must be left
	b.paid = append(b.paid, p)
	return nil
}

// beacon returns a known beacon.
func (s *Service) beacon(hash [32]byte) (*beacon.Beacon, error) {
	if known := s.Rounds.Known(hash); known != nil {
		return known, nil
	}
	return nil, fmt.Errorf("the beacon %x is unknown", hash)
}

// readyForOrders refuses orders unless the node's clock agrees with the beacon's. The first call in a batch
// takes roundsLock, shared: no round is published until the transaction ends.
func (b *openBatch) readyForOrders() error {
	if err := b.Rounds.ClockReady(); err != nil {
		return err
	}
	if b.ordering {
		return nil
	}
	b.ordering = true
	return b.tx.SharedAdvisoryLock(roundsLock)
}

// checkUnpublished refuses an order whose round the log has already. roundsLock keeps it from getting
// there until the transaction ends.
func (b *openBatch) checkUnpublished(o *Order) error {
	last, err := rounds.Last(b.tx, o.Beacon)
	if err == nil && last >= o.Round {
		err = errClockBehind
	}
	return err
}

// orderLeaf returns the leaf of an order, built only from fields stored in its row.
func (o Open) orderLeaf() protocol.OrderLeaf {
	return protocol.OrderLeaf{DrawHead: o.head(), ClientSeed: o.ClientSeed, Price: o.Price, Round: o.Order.Round, Time: o.Order.At, Next: o.NextCommitment}
}

// checkOrderLeaf checks the leaf of an order against the locked account and
// pack, the manifest and the beacon.
func (b *openBatch) checkOrderLeaf(p paidOpen, l protocol.OrderLeaf) error {
	if p.Order == nil {
		return errors.New("is an order, not an open")
	}
	if err := b.checkHead(p, l.DrawHead, l.ClientSeed, l.Next, l.Time); err != nil {
		return err
	}
	chain, err := b.beacon(p.manifest.Manifest.Sealing.Beacon)
	if err != nil {
		return err
	}
	if !bytes.Equal(p.Order.seed.Sealed, p.account.Seed.Sealed) {
		return errors.New("the order's seed is not the account's")
	}
	if err := l.Verify(p.manifest.Manifest, chain.Schedule); err != nil {
		return fmt.Errorf("the order: %w", err)
	}
	return nil
}
