package protocol

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"kaibao/internal/money"
)

const (
	// OrderHeader is the first line of an order's leaf.
	OrderHeader = "kaibao-order/v1"
	// SealedOpenHeader is the first line of the leaf of a sealed open.
	SealedOpenHeader = "kaibao-open/v2"
	// VoidHeader is the first line of a void's leaf.
	VoidHeader = "kaibao-void/v1"
)

// OrderLeaf records an order: an open of a sealed pack that is paid, but not drawn yet. It fixes
// everything that decides the draw except the server seed, to which the commitment binds it, and
// the beacon's signature of the round, which nobody knows yet.
type OrderLeaf struct {
	DrawHead
	ClientSeed string
	Price      money.Cents
	Round      uint64 // of the manifest's beacon: see Schedule.RoundOf
	Time       time.Time
	Next       [32]byte
}

// Settlement has the fields of the leaf that settles an order: an open or a void. It repeats the
// order's head.
type Settlement struct {
	DrawHead
	Order [32]byte // OrderLeaf.Hash
	Round uint64
}

// SealedOpenLeaf settles an order with its draw.
type SealedOpenLeaf struct {
	Settlement
	ServerSeed [32]byte
	Signature  Signature  // of the round
	Items      []LeafItem // in the order drawn
	Time       time.Time  // not before the round's
}

// VoidLeaf settles an order without a draw. The price is refunded.
type VoidLeaf struct {
	Settlement
	Reason     VoidReason
	ServerSeed [32]byte // zero if the reason is VoidLost
	Time       time.Time
}

// VoidReason says why an order could not be drawn.
type VoidReason string

// The reasons of a void.
const (
	VoidNoBeacon VoidReason = "no-beacon" // the round could not be fetched for VoidAfter
	VoidLost     VoidReason = "lost"      // a restore of the database lost the server seed
)

// Format implements Leaf.
func (l OrderLeaf) Format() []byte {
	return fmt.Appendf(l.format(OrderHeader), "clientSeed %s\nprice %d\nround %d\ntime %s\nnext %x\n",
		formatClientSeed(l.ClientSeed), l.Price, l.Round, formatTime(l.Time), l.Next)
}

// At implements Leaf.
func (l OrderLeaf) At() time.Time { return l.Time }

// Hash returns the SHA-256 of the leaf's text, which is part of its draw's key.
func (l OrderLeaf) Hash() [32]byte { return sha256.Sum256(l.Format()) }

// Settlement returns the fields that the leaf of the order's open or void repeats.
func (l OrderLeaf) Settlement() Settlement { return Settlement{l.DrawHead, l.Hash(), l.Round} }

// Format implements Leaf.
func (l SealedOpenLeaf) Format() []byte {
	return fmt.Appendf(l.format(SealedOpenHeader), "serverSeed %x\norder %x\nround %d\nsignature %x\nitems %s\ntime %s\n",
		l.ServerSeed, l.Order, l.Round, l.Signature, formatItems(l.Items), formatTime(l.Time))
}

// At implements Leaf.
func (l SealedOpenLeaf) At() time.Time { return l.Time }

// Format implements Leaf.
func (l VoidLeaf) Format() []byte {
	seed := none
	if l.Reason != VoidLost {
		seed = fmt.Sprintf("%x", l.ServerSeed)
	}
	return fmt.Appendf(l.format(VoidHeader), "order %x\nround %d\nreason %s\nserverSeed %s\ntime %s\n",
		l.Order, l.Round, l.Reason, seed, formatTime(l.Time))
}

// At implements Leaf.
func (l VoidLeaf) At() time.Time { return l.Time }

func readOrder(r *reader) Leaf {
	var l OrderLeaf
	l.DrawHead = r.drawHead()
	l.ClientSeed = r.clientSeed(r.field("clientSeed"))
	l.Price = r.amount(r.field("price"))
	l.Round = r.round(r.field("round"))
	l.Time = r.time(r.field("time"))
	l.Next = r.hash(r.field("next"))
	return l
}

func readSealedOpen(r *reader) Leaf {
	var l SealedOpenLeaf
	l.DrawHead = r.drawHead()
	l.ServerSeed = r.hash(r.field("serverSeed"))
	l.Order = r.hash(r.field("order"))
	l.Round = r.round(r.field("round"))
	l.Signature = r.signature(r.field("signature"))
	l.Items = r.items(r.field("items"))
	l.Time = r.time(r.field("time"))
	return l
}

func readVoid(r *reader) Leaf {
	var l VoidLeaf
	l.DrawHead = r.drawHead()
	l.Order = r.hash(r.field("order"))
	l.Round = r.round(r.field("round"))
	l.Reason = VoidReason(r.oneOf(r.field("reason"), string(VoidNoBeacon), string(VoidLost)))
	if seed := r.field("serverSeed"); l.Reason == VoidLost {
		r.check(seed == none, "a lost seed must be -")
	} else {
		l.ServerSeed = r.hash(seed)
	}
	l.Time = r.time(r.field("time"))
	return l
}

// Key derives the key of a sealed draw: from the inputs of Key, the text of the order's leaf and
// the beacon's signature of its round. All rolls of the open follow from the key.
func (l OrderLeaf) Key(seed [32]byte, signature Signature) [32]byte {
	order, beacon := l.Hash(), sha256.Sum256(signature[:])
	message := appendKeyInputs(append(make([]byte, 0, maxMessage), sealedDrawTag...), l.Manifest, l.ClientSeed, l.Nonce)
	message = append(append(message, order[:]...), beacon[:]...)
	mac := newMAC(seed)
	return mac.sum(message)
}

// DrawSealed draws all cards of an order, like Draw. m is the manifest that the order names.
func DrawSealed(m *Manifest, order OrderLeaf, seed [32]byte, signature Signature, stock Stock) ([]Pull, error) {
	if err := CheckClientSeed(order.ClientSeed); err != nil {
		return nil, err
	}
	return m.draw(order.Key(seed, signature), stock)
}

// Verify checks that the order matches the manifest that it names, and that its round is the one of
// its time. schedule is that of the manifest's beacon.
func (l OrderLeaf) Verify(m *Manifest, schedule Schedule) error {
	if m.Sealing == nil {
		return errors.New("the pack isn't sealed, so it can't be ordered")
	}
	if err := m.checkTerms(l.DrawHead, l.Price); err != nil {
		return err
	}
	if round := schedule.RoundOf(l.Time, m.Sealing.Lead); l.Round != round {
		return fmt.Errorf("the round is %d instead of %d", l.Round, round)
	}
	return nil
}

// Verify recomputes the open of an order. m is the order's manifest, schedule its beacon's, and stock
// that before the draw (nil if no card of the pack can run out). The caller must check the beacon's
// signature.
func (l SealedOpenLeaf) Verify(order OrderLeaf, m *Manifest, schedule Schedule, stock Stock) error {
	pulls, err := DrawSealed(m, order, l.ServerSeed, l.Signature, stock)
	if err != nil {
		return fmt.Errorf("repeat the draw: %w", err)
	}
	return l.VerifyDrawn(order, schedule, pulls)
}

// VerifyDrawn is like Verify for a caller that has just made the draw.
func (l SealedOpenLeaf) VerifyDrawn(order OrderLeaf, schedule Schedule, pulls []Pull) error {
	if err := l.check(order); err != nil {
		return err
	}
	if err := checkSeed(l.ServerSeed, l.Commitment); err != nil {
		return err
	}
	if at := schedule.Time(l.Round); l.Time.Before(at) {
		return fmt.Errorf("the draw is from before its round, which is published at %s", formatTime(at))
	}
	return checkItems(l.Items, pulls)
}

// Verify checks the void of an order. schedule is that of the order's beacon.
func (l VoidLeaf) Verify(order OrderLeaf, schedule Schedule) error {
	if err := l.check(order); err != nil {
		return err
	}
	if after := schedule.Time(l.Round).Add(VoidAfter); l.Reason == VoidNoBeacon && l.Time.Before(after) {
		return fmt.Errorf("the order may be voided only from %s", formatTime(after))
	}
	return nil
}

// check verifies that the leaf repeats the order.
func (l Settlement) check(order OrderLeaf) error {
	if l.DrawHead != order.DrawHead || l.Round != order.Round || l.Order != order.Hash() {
		return fmt.Errorf("the leaf of order %s doesn't repeat its fields", l.ID)
	}
	return nil
}
