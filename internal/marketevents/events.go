// Package marketevents orders market events for all nodes. Acts insert events, and a background job
// numbers them without gaps.
package marketevents

import (
	"context"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/jobs"
	"kaibao/internal/money"
)

// Kind is what happened.
type Kind string

// The kinds.
const (
	Offered  Kind = "offered"   // an entry is for sale at a price, or at another one
	Delisted Kind = "delisted"  // it is not any more
	Traded   Kind = "traded"    // an entry has another owner
	Left     Kind = "left"      // an entry is claimed, or was sold back
	Bid      Kind = "bid"       // a bid stands, or stands otherwise
	BidEnded Kind = "bid-ended" // a bid stands no more
	Valued   Kind = "valued"    // an item's value has changed
	Edited   Kind = "edited"    // an item is another than it was, its value apart
	Opened   Kind = "opened"    // a pack was opened
	More     Kind = "more"      // so were others, that are not told of one by one
	Boards   Kind = "boards"    // others lead, or lead by more
)

// Event is one thing that happened.
type Event struct {
	Number int64       `json:"-"` // 1, 2, 3 …; 0 until it has one
	Kind   Kind        `json:"kind"`
	Item   string      `json:"item,omitzero"` // empty where it is about no single one
	Entry  string      `json:"entry,omitzero"`
	Bid    string      `json:"bid,omitzero"`
	Price  money.Cents `json:"price,omitzero"`  // of what is offered, traded or bid, the best value of an open; 0 where there is none
	Detail string      `json:"detail,omitzero"` // of what is offered the listing, of a trade its kind, of an open its id and pack, of more how many and which packs
	At     time.Time   `json:"-"`
}

// Added are the events of an act on this node, told to who hears of it (db.DB.Subscribe) before
// they have numbers.
type Added []Event

// How often events are looked for, how many get their numbers in a transaction, and how
// long they are kept.
const (
	pause  = 100 * time.Millisecond
	batch  = 512
	limit  = time.Minute
	Kept   = 24 * time.Hour
	MaxLag = 500 * time.Millisecond // by when every node has been told
)

// Jobs number events, and forget old ones.
func Jobs(d *db.DB) []jobs.Job {
	return []jobs.Job{
		{Name: "market events", Every: pause, Limit: limit, Do: func(ctx context.Context) (int64, error) { return 0, number(ctx, d) }},
		jobs.Reclaiming(d, "events_waiting"),
		jobs.Reclaiming(d, "market_digests"),
		jobs.Pruning(d, "old market events", forget),
	}
}

// number gives all events that wait their numbers. Every node does it: the head's row is
// the lock.
func number(ctx context.Context, d *db.DB) error {
	for {
		var some bool
		err := d.Peek(ctx, func(tx *db.Tx) (err error) { some, err = anyWaiting(tx); return err })
		if err != nil || !some {
			return err
		}
		moved := 0
		err = d.InTx(ctx, func(tx *db.Tx) (err error) { moved, err = move(tx); return err })
		if err != nil || moved < batch {
			return err
		}
	}
}

// move numbers a batch, unless another node is at it.
func move(tx *db.Tx) (int, error) {
	last, free, err := lockReader(tx, head)
	if err != nil || !free {
		return 0, err
	}
	waiting, err := takeWaiting(tx, batch)
	if err != nil || len(waiting) == 0 {
		return 0, err
	}
	for n := range waiting {
		waiting[n].Number = last + int64(n) + 1
	}
	if err := insertNumbered(tx, waiting); err != nil {
		return 0, err
	}
	return len(waiting), Advance(tx, head, last, last+int64(len(waiting)))
}
