package inventory

import (
	"fmt"
	"time"

	"kaibao/internal/audit"
	"kaibao/internal/db"
	"kaibao/internal/money"
	"kaibao/internal/policy"
	"kaibao/internal/protocol"
)

// Event is one act on an entry, part of its history.
type Event struct {
	Entry  string
	Number int64 // 1, 2, 3 … per entry
	Act    Act
	By     string      // a user's id, or House
	Price  money.Cents // of the listing or sale, or paid by Kaibao; 0 = none
	Ref    string      // the listing or claim; for a sell-back, the basis of its quote
	At     time.Time
	Trade  protocol.TradeKind // only for the market feed; not stored
}

// Kind is the name of an event in an entry's public history.
type Kind string

// The history begins with pulled. A sale is bought for its buyer, and sold for everyone else.
const (
	pulled Kind = "pulled"
	bought Kind = "bought"
	sold   Kind = "sold"
)

// Follow returns the entry after an event.
func (e Entry) Follow(ev Event) (Entry, error) {
	next, err := e.after(ev.Act, ev.By, ev.At)
	if err != nil {
		return e, err
	}
	switch ev.Act {
	case Vaulting:
		next.Vaulted = true
	case Listing, Repricing:
		next.ListingID, next.SalePrice = ev.Ref, ev.Price
	case Buying, FillingBid:
		next.Owner = ev.By
	}
	next.Version++
	return next, nil
}

// newborn returns the entry as it was when it was pulled.
func (l lived) newborn() Entry {
	return Entry{
		ID: l.is.ID, Owner: l.puller, State: Held, AcquiredFrom: FromPack, AcquiredAt: l.pulledAt,
		SellBackFloor: policy.SellBack(l.pulledValue), SellBackUntil: l.pulledAt.Add(policy.FloorLife),
	}
}

// lived is an entry's current row with its pull and one of its events; an event numbered 0 means
// that it has none.
type lived struct {
	is          Entry
	puller      string
	pulledAt    time.Time
	pulledValue money.Cents
	event       Event
}

// livesOff replays every entry's events from its pull on and compares the result with its row.
func livesOff(tx *db.Tx) (found []audit.Breach, err error) {
	var is, as Entry
	off := func(detail string) {
		found = append(found, audit.Breach{Rule: "an entry is what its life made of it", Row: "inventory " + is.ID, Detail: detail})
	}
	compare := func() {
		if is != as {
			off(fmt.Sprintf("is %s, its events make it %s", is.brief(), as.brief()))
		}
	}
	err = eachLife(tx, func(l lived) error {
		if l.is.ID != is.ID {
			compare()
			is, as = l.is, l.newborn()
		}
		if l.event.Number == 0 {
			return nil
		}
		next, err := as.Follow(l.event)
		if err != nil || l.event.Number != next.Version {
			off(fmt.Sprintf("event %d after %d: %v", l.event.Number, as.Version, err))
		}
		as = next
		return nil
	})
	compare()
	return found, err
}

// brief describes the fields that acts can change.
func (e Entry) brief() string {
	return fmt.Sprintf("%s of %s, in the vault %t, from %s at %s, listing %s for %s after %s, floor %s until %s, version %d",
		e.State, e.Owner, e.Vaulted, e.AcquiredFrom, e.AcquiredAt, e.ListingID, e.SalePrice, e.EndedListing, e.SellBackFloor, e.SellBackUntil, e.Version)
}
