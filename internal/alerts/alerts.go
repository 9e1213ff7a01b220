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

// Kind is the reason for an alert.
type Kind string

// The kinds that are stored when they happen. The constraint alerts_kind allows only these: another
// one needs a migration.
const (
	Outbid   Kind = "outbid"   // another user bids more for the same scope
	Filled   Kind = "filled"   // the user's bid or, without a bid, their listing was filled
	Counter  Kind = "counter"  // the entry's owner made a counter-offer to the user's bid
	Expiring Kind = "expiring" // the user's bid expires soon
	Ended    Kind = "ended"    // the user's bid ended unfilled
	Gift     Kind = "gift"     // the user was offered a gift, or a gift of theirs was accepted, refused or expired
)

// The kinds that are computed when the user asks. They are never stored.
const (
	price  Kind = "price"   // a watched item is for sale at the user's price or less
	listed Kind = "listing" // a new listing matches a saved search
)

var kinds = []Kind{Outbid, Filled, Counter, Expiring, Ended, Gift, price, listed}

// GiftEvent is what happened to a gift.
type GiftEvent string

// The events of gifts. The receiver is alerted to the first, the giver to the others.
const (
	GiftOffered  GiftEvent = "offered"
	GiftAccepted GiftEvent = "accepted"
	GiftRefused  GiftEvent = "refused"
	GiftExpired  GiftEvent = "expired"
)

// Alert is a notification to a user. All fields but User and Kind may be empty.
type Alert struct {
	User             string // ID
	Kind             Kind
	Item, Entry, Bid string // IDs
	Price            money.Cents
	Gift             string // ID
	GiftEvent        GiftEvent
}

// userAlert is an alert with its ID; later alerts have greater IDs. A computed alert has the ID of
// its listing, or of its watch if that is later, so it stays the same across requests.
type userAlert struct {
	id     string
	search string // the name of the saved search, if one found it
	Alert
}

// name returns the unique name of the alert among its user's. Names sort by time.
func (a userAlert) name() string { return a.id + "-" + string(a.Kind) }

func (a userAlert) at() time.Time { return db.ID(a.id).Time() }

// Add stores alerts in the transaction that causes them. An alert about a bid replaces the unread
// one of the same bid and kind, so a bidder has at most one of each. The caller must hold the locks
// of all bids named.
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

// Jobs returns the job that deletes old alerts.
func Jobs(d *db.DB) []jobs.Job {
	return []jobs.Job{jobs.Pruning(d, "old alerts", func(tx *db.Tx, limit int) (int64, error) {
		return deleteOld(tx, tx.Now.Add(-policy.AlertsKept), limit)
	})}
}
