package marketevents

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"kaibao/internal/db"
	"kaibao/internal/jobs"
)

// read is how many events a Follower hands over at a time.
const read = 512

// Follower reads the events on one node, in their order, and hands them to who listens. It
// keeps nothing: a node that starts begins behind the last event that there is.
type Follower struct {
	db       *db.DB
	hear     []func(ctx context.Context, events []Event) error
	read     atomic.Int64 // until when it has read all that was committed, in microseconds
	catching singleflight.Group
	mutex    sync.Mutex // of what follows
	begun    bool
	position int64
}

// Follow makes a follower. Whoever listens gets events again, from the same one on, after
// any of them failed.
func Follow(d *db.DB, hear ...func(ctx context.Context, events []Event) error) *Follower {
	return &Follower{db: d, hear: hear}
}

// Job follows the events.
func (f *Follower) Job() jobs.Job {
	return jobs.Job{Name: "following the market", Every: pause, Limit: time.Minute, Do: func(ctx context.Context) (int64, error) { return 0, f.follow(ctx) }}
}

// CatchUp has all be handed over what there is, unless that was done within MaxLag: once for
// all who ask meanwhile. It fails where events wait for longer than that for their numbers.
func (f *Follower) CatchUp(ctx context.Context) error {
	if !f.late() {
		return nil
	}
	_, err, _ := f.catching.Do("", func() (any, error) {
		if err := f.follow(context.WithoutCancel(ctx)); err != nil {
			return nil, err
		}
		if f.late() {
			return nil, errUnnumbered
		}
		return nil, nil
	})
	return err
}

var errUnnumbered = errors.New("events wait for their numbers")

// late tells whether there may be events older than MaxLag that nobody was handed.
func (f *Follower) late() bool { return f.db.Now().Sub(db.Time(f.read.Load())) > MaxLag }

func (f *Follower) follow(ctx context.Context) error {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.readOn(ctx)
}

func (f *Follower) readOn(ctx context.Context) error {
	for {
		known, err := f.known(ctx)
		if err != nil {
			return err
		}
		events, err := f.next(ctx)
		if err != nil {
			return err
		}
		if len(events) == 0 {
			f.read.Store(max(f.read.Load(), known))
			return nil
		}
		for _, hear := range f.hear {
			err = errors.Join(err, hear(ctx, events))
		}
		if err != nil {
			return err
		}
		f.position = events[len(events)-1].Number
	}
}

// known is until when all events have numbers, in microseconds: now, or the time of the oldest
// that waits for its own. It is asked for before the numbered ones are read: an event that
// gets its number in between is among these.
func (f *Follower) known(ctx context.Context) (at int64, err error) {
	began := db.Micros(f.db.Now())
	err = f.db.Peek(ctx, func(tx *db.Tx) error {
		at, err = oldestWaiting(tx, began)
		return err
	})
	return min(began, at), err
}

// next are the events behind the last ones; the first time there are none.
func (f *Follower) next(ctx context.Context) (events []Event, err error) {
	err = f.db.Peek(ctx, func(tx *db.Tx) error {
		if f.begun {
			events, err = After(tx, f.position, read)
			return err
		}
		f.position, err = Position(tx, head)
		f.begun = err == nil
		return err
	})
	return events, err
}
