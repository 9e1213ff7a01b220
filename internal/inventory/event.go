package inventory

import (
	"fmt"
	"strconv"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/money"
	"kaibao/internal/protocol"
)

// Event is one act on an entry, part of its history.
type Event struct {
	Entry  string
	Number int64 // 1, 2, 3 … per entry
	Act    Act
	By     string      // a user's id, or House
	Price  money.Cents // of the listing or sale, or paid by Kaibao; 0 = none
	Ref    string      // the listing, claim or gift; for a sell-back, the basis of its quote; for a floor, its new end
	At     time.Time
	// Trade and Owner are for the market feed only, and not stored. Owner is the user before the act.
	Trade protocol.TradeKind
	Owner string
}

// Kind is the name of an event in an entry's public history.
type Kind string

// The history begins with pulled. A sale is bought for its buyer, and sold for everyone else.
const (
	pulled Kind = "pulled"
	bought Kind = "bought"
	sold   Kind = "sold"
)

// Apply returns the entry after an event.
func (e Entry) Apply(ev Event) (Entry, error) {
	next, err := e.after(ev.Act, ev.By, ev.At)
	if err != nil {
		return e, err
	}
	switch ev.Act {
	case Vaulting:
		next.Vaulted = true
	case Listing, Repricing:
		next.ListingID, next.SalePrice = ev.Ref, ev.Price
	case Buying, FillingBid, AcceptingGift:
		next.Owner = ev.By
	case ExtendingFloor:
		until, err := strconv.ParseInt(ev.Ref, 10, 64)
		if err != nil {
			return e, fmt.Errorf("end of the floor %q: %w", ev.Ref, err)
		}
		next.SellBackUntil = db.Time(until)
	}
	next.Version++
	return next, nil
}
