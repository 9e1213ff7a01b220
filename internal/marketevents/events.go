// Package marketevents orders market events for all nodes. Acts insert events, and a background job
// numbers them without gaps. A Dispatcher delivers them in order to listeners on each node; a Digest
// merges frequent ones.
package marketevents

import (
	"context"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/jobs"
	"kaibao/internal/money"
)

// Kind is the type of an event.
type Kind string

// The kinds.
const (
	Offered    Kind = "offered"   // an entry is listed, or relisted at another price
	Delisted   Kind = "delisted"  // an entry is no longer listed
	Traded     Kind = "traded"    // an entry has a new owner
	LeftMarket Kind = "left"      // an entry was claimed or sold back
	Bid        Kind = "bid"       // a bid was placed or changed
	BidEnded   Kind = "bid-ended" // a bid is no longer open
	Valued     Kind = "valued"    // an item's value changed
	Edited     Kind = "edited"    // an item's attributes changed, other than its value
	Opened     Kind = "opened"    // a pack was opened
	More       Kind = "more"      // several opens, merged into one event
	Boards     Kind = "boards"    // the leaders of the boards changed, or their values
)

// Event is something that happened on the market.
type Event struct {
	Number int64  `json:"-"` // 1, 2, 3 … without gaps; 0 until it is assigned
	Kind   Kind   `json:"kind"`
	Item   string `json:"item,omitzero"` // empty if it concerns no single item
	Entry  string `json:"entry,omitzero"`
	Bid    string `json:"bid,omitzero"`
	// Price is that of the listing, trade or bid, or the highest value of an open; otherwise 0.
	Price money.Cents `json:"price,omitzero"`
	// Detail is the listing of Offered, the kind of Traded, the ID and pack of Opened, and the
	// number and packs of More.
	Detail string `json:"detail,omitzero"`
	// Users are the ids of the users whose own entry or bid it concerns, separated by spaces.
	Users string    `json:"users,omitzero"`
	At    time.Time `json:"-"`
}

// Added is published after a commit on this node (db.DB.Subscribe), with the events of the
// transaction. They have no numbers yet.
type Added []Event

// pollInterval is how often events are numbered and delivered, and Retention how long they are kept.
const (
	pollInterval  = 100 * time.Millisecond
	numberedPerTx = 512
	jobTimeout    = time.Minute
	Retention     = 24 * time.Hour
	MaxLag        = 500 * time.Millisecond // maximum delay until every node has handled an event
)

// Jobs returns the jobs that number events and delete old ones.
func Jobs(d *db.DB) []jobs.Job {
	return []jobs.Job{
		{Name: "market events", Every: pollInterval, Limit: jobTimeout, Do: func(ctx context.Context) (int64, error) { return 0, numberEvents(ctx, d) }},
		jobs.Reclaiming(d, "events_waiting"),
		jobs.Reclaiming(d, "market_digests"),
		jobs.Pruning(d, "old market events", deleteOld),
	}
}

// numberEvents assigns numbers to all waiting events. Every node runs it; the row of the head
// reader is the lock.
func numberEvents(ctx context.Context, d *db.DB) error {
	for {
		var waiting bool
		err := d.Peek(ctx, func(tx *db.Tx) (err error) { waiting, err = anyWaiting(tx); return err })
		if err != nil || !waiting {
			return err
		}
		numbered := 0
		err = d.InTx(ctx, func(tx *db.Tx) (err error) { numbered, err = numberBatch(tx); return err })
		if err != nil || numbered < numberedPerTx {
			return err
		}
	}
}

// numberBatch numbers one batch, unless another node is doing so.
func numberBatch(tx *db.Tx) (int, error) {
	last, free, err := lockReader(tx, headReader)
	if err != nil || !free {
		return 0, err
	}
	waiting, err := takeWaiting(tx, numberedPerTx)
	if err != nil || len(waiting) == 0 {
		return 0, err
	}
	for n := range waiting {
		waiting[n].Number = last + int64(n) + 1
	}
	if err := insertNumbered(tx, waiting); err != nil {
		return 0, err
	}
	return len(waiting), Advance(tx, headReader, last, last+int64(len(waiting)))
}
