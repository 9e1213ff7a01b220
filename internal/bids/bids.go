// Package bids stores standing orders to buy. A bid's money is held in advance, so that it can be
// filled at any moment.
package bids

import (
	"cmp"
	"time"

	"kaibao/internal/inventory"
	"kaibao/internal/ledger"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// Bid is an order to buy an entry, an item, or any item that matches a criterion.
type Bid struct {
	ID        string
	User      string
	Scope     Scope
	Price     Price
	Quantity  int64  // the quantity ordered, as of the last change
	Remaining int64  // how many are not filled yet
	Place     string // ID that ascends: at equal prices, the bid with the lower place is filled first
	Hold      string // the ref of the transfer that funded it; each hold is returned once
	State     State
	CreatedAt time.Time
	ExpiresAt time.Time // the bid expires at exactly this time
	EndedAt   time.Time // zero while it is open
	Counter   Counter
}

// State is whether a bid is open, or how it ended.
type State string

// The states.
const (
	Open      State = "open"
	Filled    State = "filled"
	Withdrawn State = "withdrawn"
	Expired   State = "expired"
	Frozen    State = "frozen" // its user's account was frozen
	Ended     State = "ended"  // its entry is claimed, was sold back or now belongs to the bidder
)

// Price is what a bid pays per item: a fixed price, or a percentage of the item's quote value up
// to a cap.
type Price struct {
	Peg money.Percent // percentage of the value; 0 = fixed
	Max money.Cents   // the fixed price or the cap; this amount is held per item
}

// For returns the price for an item of the given value, rounded down to the cent.
func (p Price) For(value money.Cents) money.Cents {
	switch {
	case p.Peg == 0:
		return p.Max
	case p.Peg > 100:
		return min(value+value.Share(p.Peg-100), p.Max)
	}
	return min(value.Share(p.Peg), p.Max)
}

// Counter is the entry owner's counter-offer to a bid; a price of 0 = none.
type Counter struct {
	Price money.Cents
	By    string
	At    time.Time
}

// IsOpen reports whether the counter-offer can be accepted: it must be younger than
// policy.CounterLife, and its maker must have owned the entry since and still be able to sell it.
func (c Counter) IsOpen(e inventory.Entry, now time.Time) bool {
	return c.Price > 0 && now.Before(c.At.Add(policy.CounterLife)) && e.Owner == c.By && !e.AcquiredAt.After(c.At) && (e.State == inventory.Held || e.State == inventory.Listed)
}

// IsOpen reports whether the bid can be filled at the given time.
func (b Bid) IsOpen(now time.Time) bool { return b.State == Open && now.Before(b.ExpiresAt) }

// Held returns the money the bid holds.
func (b Bid) Held() money.Cents {
	if b.State != Open {
		return 0
	}
	return b.Price.Max * money.Cents(b.Remaining)
}

// Compare orders bids for an item of the given value, best first: by price, fixed before pegged,
// then higher percentage, higher cap and earlier place.
func Compare(a, b Bid, value money.Cents) int {
	return cmp.Or(
		cmp.Compare(b.Price.For(value), a.Price.For(value)),
		cmp.Compare(min(a.Price.Peg, 1), min(b.Price.Peg, 1)),
		cmp.Compare(b.Price.Peg, a.Price.Peg),
		cmp.Compare(b.Price.Max, a.Price.Max),
		cmp.Compare(a.Place, b.Place),
	)
}

// holdTransfer returns the transfer that funds an open bid.
func (b Bid) holdTransfer() ledger.Transfer {
	return ledger.Transfer{Debit: ledger.Account(b.User), Credit: ledger.BidsAccount(b.User), Amount: b.Held(), Kind: ledger.KindBid, Ref: b.Hold}
}

// Replacing returns the changed bid with the old bid's creation time and counter-offer. It keeps
// the old place only if the price is the same and the quantity is no higher than what remained.
func (b Bid) Replacing(old Bid) Bid {
	b.CreatedAt, b.Counter = old.CreatedAt, old.Counter
	if b.Price == old.Price && b.Quantity <= old.Remaining {
		b.Place = old.Place
	}
	return b
}

// TakeHold moves the bid's money into a hold with the given ID.
func (b Bid) TakeHold(batch *ledger.Batch, hold string) (Bid, error) {
	b.State, b.Hold = Open, hold
	_, err := batch.Move(b.holdTransfer())
	return b, err
}

// Release returns the money an open bid still holds.
func (b Bid) Release(batch *ledger.Batch) error {
	_, err := batch.Move(ledger.Transfer{Debit: ledger.BidsAccount(b.User), Credit: ledger.Account(b.User), Amount: b.Held(), Kind: ledger.KindBidReturn, Ref: b.Hold})
	return err
}

// End returns an open bid's money and ends the bid.
func (b Bid) End(batch *ledger.Batch, as State, now time.Time) (Bid, error) {
	if err := b.Release(batch); err != nil {
		return b, err
	}
	b.State, b.EndedAt, b.Counter = as, now, Counter{}
	return b, nil
}

// Payment returns the transfers that pay a trade: the price goes from the bid's hold to the seller,
// and the rest held for that item goes back to the bidder. A counter-offer above the bid takes the
// difference from the balance.
func (b Bid) Payment(trade, seller string, price money.Cents) []ledger.Transfer {
	held, own := ledger.BidsAccount(b.User), ledger.Account(b.User)
	fromBid := min(price, b.Price.Max)
	paid := []ledger.Transfer{{Debit: held, Credit: ledger.Account(seller), Amount: fromBid, Kind: ledger.KindBidFill, Ref: trade}}
	if more := price - fromBid; more > 0 {
		paid = append(paid, ledger.Transfer{Debit: own, Credit: ledger.Account(seller), Amount: more, Kind: ledger.KindCounter, Ref: trade})
	}
	if rest := b.Price.Max - fromBid; rest > 0 {
		paid = append(paid, ledger.Transfer{Debit: held, Credit: own, Amount: rest, Kind: ledger.KindBidReturn, Ref: trade})
	}
	return paid
}

// Fill returns the bid with one item fewer remaining. The last one ends it.
func (b Bid) Fill(now time.Time) Bid {
	b.Remaining--
	if b.Remaining == 0 {
		b.State, b.EndedAt, b.Counter = Filled, now, Counter{}
	}
	return b
}
