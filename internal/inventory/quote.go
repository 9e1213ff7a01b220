package inventory

import (
	"time"

	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// Quote is Kaibao's offer for an entry.
type Quote struct {
	Payout money.Cents
	By     Basis
}

// Basis is what determined a quote.
type Basis string

// Bases of a quote.
const (
	ByFloor Basis = "floor" // the quote at the draw, if higher than ByValue
	ByValue Basis = "value" // the item's quote value
)

// Quote returns what Kaibao pays for the entry at a time: the sell-back share of its quote value,
// or the floor while that applies and is higher.
func (e Entry) Quote(now time.Time) Quote {
	current := policy.SellBack(e.QuoteValue)
	if e.floorHolds(now) && e.SellBackFloor > current {
		return Quote{e.SellBackFloor, ByFloor}
	}
	return Quote{current, ByValue}
}

// floorHolds reports whether the floor still applies; it ends at SellBackUntil, exclusive.
func (e Entry) floorHolds(now time.Time) bool { return now.Before(e.SellBackUntil) }
