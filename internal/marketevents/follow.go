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

// batchSize is how many events a Follower delivers per batch.
const batchSize = 512

// Follower delivers the events in order to the listeners of one node. It stores no position: after
// a start it continues with the next new event.
type Follower struct {
	db             *db.DB
	listeners      []func(ctx context.Context, events []Event) error
	deliveredUntil atomic.Int64 // all events committed up to this time, in microseconds, were delivered
	catchUp        singleflight.Group
	mutex          sync.Mutex // guards the fields below
	started        bool
	position       int64
}

// Follow returns a follower. If a listener fails, the same events are delivered to all listeners
// again.
func Follow(d *db.DB, listeners ...func(ctx context.Context, events []Event) error) *Follower {
	return &Follower{db: d, listeners: listeners}
}

// Job returns the job that delivers new events.
func (f *Follower) Job() jobs.Job {
	return jobs.Job{Name: "market follower", Every: pollInterval, Limit: time.Minute, Do: func(ctx context.Context) (int64, error) { return 0, f.run(ctx) }}
}

// CatchUp delivers all events now, unless that happened within MaxLag. Concurrent callers share one
// run. It fails if events have waited longer than MaxLag for their numbers.
func (f *Follower) CatchUp(ctx context.Context) error {
	if !f.isLate() {
		return nil
	}
	_, err, _ := f.catchUp.Do("", func() (any, error) {
		if err := f.run(context.WithoutCancel(ctx)); err != nil {
			return nil, err
		}
		if f.isLate() {
			return nil, errNotNumbered
		}
		return nil, nil
	})
	return err
}

var errNotNumbered = errors.New("events wait for their numbers")

// isLate reports whether events older than MaxLag may be undelivered.
func (f *Follower) isLate() bool { return f.db.Now().Sub(db.Time(f.deliveredUntil.Load())) > MaxLag }

func (f *Follower) run(ctx context.Context) error {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.deliverNew(ctx)
}

func (f *Follower) deliverNew(ctx context.Context) error {
	for {
		numbered, err := f.numberedUntil(ctx)
		if err != nil {
			return err
		}
		events, err := f.next(ctx)
		if err != nil {
			return err
		}
		if len(events) == 0 {
			f.deliveredUntil.Store(max(f.deliveredUntil.Load(), numbered))
			return nil
		}
		for _, listener := range f.listeners {
			err = errors.Join(err, listener(ctx, events))
		}
		if err != nil {
			return err
		}
		f.position = events[len(events)-1].Number
	}
}

// numberedUntil returns the time, in microseconds, up to which all events have numbers: now, or the
// time of the oldest waiting event. Call it before reading numbered events, so that an event
// numbered in between is among them.
func (f *Follower) numberedUntil(ctx context.Context) (at int64, err error) {
	began := db.Micros(f.db.Now())
	err = f.db.Peek(ctx, func(tx *db.Tx) error {
		at, err = oldestWaiting(tx, began)
		return err
	})
	return min(began, at), err
}

// next returns the next events. The first call only sets the position and returns none.
func (f *Follower) next(ctx context.Context) (events []Event, err error) {
	err = f.db.Peek(ctx, func(tx *db.Tx) error {
		if f.started {
			events, err = After(tx, f.position, batchSize)
			return err
		}
		f.position, err = Position(tx, headReader)
		f.started = err == nil
		return err
	})
	return events, err
}
