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

// Bid is a standing order to buy.
type Bid struct {
	ID        string
	User      string
	Scope     Scope
	Price     Price
	Quantity  int64 // that it was placed for, at its last change
	Remaining int64 // of them, not filled yet
	Place     string
	Hold      string // what the transfer that took its money was for; each hold is returned once
	State     State
	CreatedAt time.Time
	ExpiresAt time.Time // over at exactly this moment
	EndedAt   time.Time // zero while it is open
	Counter   Counter
}

// State is whether a bid is open, or how it ended; there is nothing between.
type State string

// The states.
const (
	Open      State = "open"
	Filled    State = "filled"
	Withdrawn State = "withdrawn"
	Expired   State = "expired"
	Ended     State = "ended" // its entry is claimed, was sold back, or is the bidder's own
)

// Price is what a bid pays for one: a fixed price, or a part of what the item is worth at
// that moment, up to a cap.
type Price struct {
	Peg  money.Percent // of the value; 0 = fixed
	Most money.Cents   // the fixed price, or the cap: so much is held for each
}

// For is the price for an item of a value, in cents, rounded down.
func (p Price) For(value money.Cents) money.Cents {
	switch {
	case p.Peg == 0:
		return p.Most
	case p.Peg > 100:
		return min(value+value.Share(p.Peg-100), p.Most)
	}
	return min(value.Share(p.Peg), p.Most)
}

// Counter is what the owner of an entry asks of the bid for it; a price of 0 = nothing.
type Counter struct {
	Price money.Cents
	By    string
	At    time.Time
}

// Stands tells whether the answer can be accepted at a time: for policy.CounterLife, while
// the entry is still its owner's to sell.
func (c Counter) Stands(e inventory.Entry, now time.Time) bool {
	return c.Price > 0 && now.Before(c.At.Add(policy.CounterLife)) && e.Owner == c.By && !e.AcquiredAt.After(c.At) && !e.Ended() && e.State != inventory.Claimed
}

// Stands tells whether the bid can be filled at a time.
func (b Bid) Stands(now time.Time) bool { return b.State == Open && now.Before(b.ExpiresAt) }

// Held is what the bid holds while it is open.
func (b Bid) Held() money.Cents {
	if b.State != Open {
		return 0
	}
	return b.Price.Most * money.Cents(b.Remaining)
}

// Compare is below 0 where a comes before b for an item of a value: the better price,
// fixed before pegged, the higher per cent, the higher cap, the earlier.
func Compare(a, b Bid, value money.Cents) int {
	return cmp.Or(
		cmp.Compare(b.Price.For(value), a.Price.For(value)),
		cmp.Compare(min(a.Price.Peg, 1), min(b.Price.Peg, 1)),
		cmp.Compare(b.Price.Peg, a.Price.Peg),
		cmp.Compare(b.Price.Most, a.Price.Most),
		cmp.Compare(a.Place, b.Place),
	)
}

// hold is the transfer that takes what an open bid holds.
func (b Bid) hold() ledger.Transfer {
	return ledger.Transfer{Debit: ledger.Account(b.User), Credit: ledger.Bids(b.User), Amount: b.Held(), Kind: ledger.KindBid, Ref: b.Hold}
}

// InPlaceOf is a bid as it was changed, with what stays of it as it was: its place only for
// the same price and no more.
func (b Bid) InPlaceOf(was Bid) Bid {
	b.CreatedAt, b.Counter = was.CreatedAt, was.Counter
	if b.Price == was.Price && b.Quantity <= was.Remaining {
		b.Place = was.Place
	}
	return b
}

// Take takes an open bid's money, and gives it the hold under which it lies.
func (b Bid) Take(batch *ledger.Batch, hold string) (Bid, error) {
	b.State, b.Hold = Open, hold
	_, err := batch.Move(b.hold())
	return b, err
}

// Release returns what an open bid still holds.
func (b Bid) Release(batch *ledger.Batch) error {
	_, err := batch.Move(ledger.Transfer{Debit: ledger.Bids(b.User), Credit: ledger.Account(b.User), Amount: b.Held(), Kind: ledger.KindBidReturn, Ref: b.Hold})
	return err
}

// End returns an open bid's money and ends it.
func (b Bid) End(batch *ledger.Batch, as State, now time.Time) (Bid, error) {
	if err := b.Release(batch); err != nil {
		return b, err
	}
	b.State, b.EndedAt, b.Counter = as, now, Counter{}
	return b, nil
}

// Pay are the transfers that pay a trade's price to its seller out of what the bid holds
// for one, and return the rest of that. A counter-offer above the bid takes what is
// missing from the balance.
func (b Bid) Pay(trade, seller string, price money.Cents) []ledger.Transfer {
	held, own := ledger.Bids(b.User), ledger.Account(b.User)
	fromBid := min(price, b.Price.Most)
	paid := []ledger.Transfer{{Debit: held, Credit: ledger.Account(seller), Amount: fromBid, Kind: ledger.KindBidFill, Ref: trade}}
	if more := price - fromBid; more > 0 {
		paid = append(paid, ledger.Transfer{Debit: own, Credit: ledger.Account(seller), Amount: more, Kind: ledger.KindCounter, Ref: trade})
	}
	if rest := b.Price.Most - fromBid; rest > 0 {
		paid = append(paid, ledger.Transfer{Debit: held, Credit: own, Amount: rest, Kind: ledger.KindBidReturn, Ref: trade})
	}
	return paid
}

// Fill is the bid with one less to be filled.
func (b Bid) Fill(now time.Time) Bid {
	b.Remaining--
	if b.Remaining == 0 {
		b.State, b.EndedAt, b.Counter = Filled, now, Counter{}
	}
	return b
}
