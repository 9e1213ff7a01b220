package packs

import (
	"math"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/protocol"
)

// PackOrders describes the orders of a pack whose cards can run out. An order is pending until it is
// drawn or voided.
type PackOrders struct {
	Pending      int64
	PendingItems int64     // cards that the pending orders will draw
	LastAt       time.Time // of the last order, pending or not; zero = none
	LastRound    uint64    // that draws the last order
}

// CoversOrder reports whether the pack has enough cards for another order of a manifest: an accepted
// order can't sell out. Cards that return to the stock after pending orders don't count yet.
func (p *LivePack) CoversOrder(m *protocol.Manifest) bool {
	var left int64
	for _, tier := range m.Tiers {
		for _, card := range tier.Cards {
			if !card.Finite() {
				return true
			}
			left += p.Stock[card.ID]
		}
	}
	return left-p.Orders.PendingItems >= int64(m.Items)
}

// WaitingReturn is a sold-back card that returns to its pack's stock once the orders with a lower
// drawSeq are drawn or voided.
type WaitingReturn struct {
	PackID  string
	DrawSeq int64
	Card    string
}

// ApplyReturnsBefore adds the waiting returns with a drawSeq below next to the stock of the locked pack,
// and deletes them. Call it before each draw with the draw's drawSeq.
func (p *LivePack) ApplyReturnsBefore(next int64) {
	for len(p.waitingReturns) > 0 && p.waitingReturns[0].DrawSeq < next {
		r := p.waitingReturns[0]
		p.waitingReturns, p.returned = p.waitingReturns[1:], r.DrawSeq
		p.Stock[r.Card]++
		p.drawnCards[r.Card]--
	}
}

// LockForSettling locks a pack for the draws or voids of its orders, like QueueLivePack.
func (s *Service) LockForSettling(tx *db.Tx, packID string) (*LivePack, error) {
	p, err := s.QueueLivePack(tx, packID)()
	if err == nil && p.DrawSeq > 0 {
		p.waitingReturns, err = WaitingReturns(tx, packID)
	}
	return p, err
}

// CountSettled counts an order as no longer pending. Call it in the order of the orders' drawSeq.
func (p *LivePack) CountSettled(drawSeq int64, m *protocol.Manifest) {
	if drawSeq == 0 {
		return
	}
	p.Orders.Pending--
	p.Orders.PendingItems -= int64(m.Items)
}

// SaveSettled writes the pack's stock and counters. After its last pending order, all waiting returns
// are in the stock.
func (s *Service) SaveSettled(tx *db.Tx, p *LivePack) error {
	if p.Orders.Pending == 0 {
		p.ApplyReturnsBefore(math.MaxInt64)
	}
	return s.SaveLivePack(tx, p)
}
