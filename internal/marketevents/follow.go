package marketevents

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

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
	begun    bool
	position int64
	read     atomic.Int64 // when it had read all that there was, in microseconds
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

func (f *Follower) follow(ctx context.Context) error {
	for {
		began := f.db.Now()
		events, err := f.next(ctx)
		if err == nil && len(events) == 0 {
			f.read.Store(db.Micros(began))
		}
		if err != nil || len(events) == 0 {
			return err
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

// Behind is since when there may be events that nobody was handed.
func (f *Follower) Behind() time.Duration { return f.db.Now().Sub(db.Time(f.read.Load())) }

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
