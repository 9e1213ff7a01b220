// Package alerts notifies users. Alerts about bids and listings are written when they happen.
// Watchlist and saved-search matches are computed when the user asks, so that creating a listing
// costs the same however many users wait for it.
package alerts

import (
	"time"

	"kaibao/internal/db"
	"kaibao/internal/jobs"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// Kind is what an alert tells.
type Kind string

// The kinds that are written when it happens.
const (
	Outbid   Kind = "outbid"   // somebody bids more than the user for the same
	Filled   Kind = "filled"   // the user's bid bought something, or, without a bid, somebody bought the user's listing
	Counter  Kind = "counter"  // the entry's owner answered the user's bid with a price
	Expiring Kind = "expiring" // the user's bid ends soon
	Ended    Kind = "ended"    // the user's bid has ended unfilled
)

// The kinds that are looked up when somebody asks.
const (
	price  Kind = "price"   // what the user watches is for sale at their price or less
	listed Kind = "listing" // something new is for sale that a saved search finds
)

var kinds = []Kind{Outbid, Filled, Counter, Expiring, Ended, price, listed}

// Alert is something that a user is told once. All but User and Kind may be empty.
type Alert struct {
	User             string // id
	Kind             Kind
	Item, Entry, Bid string // ids
	Price            money.Cents
}

// told is an alert with what it came of: later ones have greater ids. What is looked up
// has the id of its listing, or of the watch if that is later, so that it is the same
// however often it is asked for.
type told struct {
	id     string
	search string // name of the one that found it
	Alert
}

// name tells an alert from all others of its user, in their order.
func (t told) name() string { return t.id + "-" + string(t.Kind) }

func (t told) at() time.Time { return db.ID(t.id).Time() }

// Add writes alerts in the transaction that causes them. An alert about a bid replaces the
// unread one of the same bid and kind, so that a bidder has at most one of each. The caller
// holds the lock of every bid it names.
func Add(tx *db.Tx, list []Alert) error {
	list = newestOfEach(list)
	if err := removeUnread(tx, list); err != nil {
		return err
	}
	return insert(tx, list)
}

// newestOfEach drops alerts that a later one in the list replaces.
func newestOfEach(list []Alert) []Alert {
	type about struct {
		bid  string
		kind Kind
	}
	last := map[about]int{}
	for i, a := range list {
		last[about{a.Bid, a.Kind}] = i
	}
	kept := make([]Alert, 0, len(list))
	for i, a := range list {
		if a.Bid == "" || last[about{a.Bid, a.Kind}] == i {
			kept = append(kept, a)
		}
	}
	return kept
}

// Jobs forget what was told long ago.
func Jobs(d *db.DB) []jobs.Job {
	return []jobs.Job{jobs.Pruning(d, "old alerts", func(tx *db.Tx, most int) (int64, error) {
		return forget(tx, tx.Now.Add(-policy.AlertsKept), most)
	})}
}
