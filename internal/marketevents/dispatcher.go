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

// batchSize is how many events a Dispatcher delivers per batch.
const batchSize = 512

// Dispatcher delivers the events in order to the listeners of one node. It stores no position:
// after a start it continues with the next new event.
type Dispatcher struct {
	db             *db.DB
	listeners      []func(ctx context.Context, events []Event) error
	deliveredUntil atomic.Int64 // all events committed up to this time, in microseconds, were delivered
	catchUp        singleflight.Group
	mutex          sync.Mutex // guards the fields below
	started        bool
	position       int64
}

// NewDispatcher returns a dispatcher. If a listener fails, the same events are delivered to all
// listeners again.
func NewDispatcher(d *db.DB, listeners ...func(ctx context.Context, events []Event) error) *Dispatcher {
	return &Dispatcher{db: d, listeners: listeners}
}

// Job returns the job that delivers new events.
func (d *Dispatcher) Job() jobs.Job {
	return jobs.Job{Name: "market dispatcher", Every: pollInterval, Limit: time.Minute, Do: func(ctx context.Context) (int64, error) { return 0, d.run(ctx) }}
}

// CatchUp delivers all events now, unless that happened within MaxLag. Concurrent callers share one
// run. It returns an error if some events have been unnumbered for longer than MaxLag, because only
// numbered events can be delivered.
func (d *Dispatcher) CatchUp(ctx context.Context) error {
	if !d.isLate() {
		return nil
	}
	_, err, _ := d.catchUp.Do("", func() (any, error) {
		if err := d.run(context.WithoutCancel(ctx)); err != nil {
			return nil, err
		}
		if d.isLate() {
			return nil, errNotNumbered
		}
		return nil, nil
	})
	return err
}

var errNotNumbered = errors.New("events wait for their numbers")

// isLate reports whether events older than MaxLag may be undelivered.
func (d *Dispatcher) isLate() bool { return d.db.Now().Sub(db.Time(d.deliveredUntil.Load())) > MaxLag }

func (d *Dispatcher) run(ctx context.Context) error {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return d.deliverNew(ctx)
}

func (d *Dispatcher) deliverNew(ctx context.Context) error {
	for {
		numbered, err := d.numberedUntil(ctx)
		if err != nil {
			return err
		}
		events, err := d.next(ctx)
		if err != nil {
			return err
		}
		if len(events) == 0 {
			d.deliveredUntil.Store(max(d.deliveredUntil.Load(), numbered))
			return nil
		}
		for _, listener := range d.listeners {
			err = errors.Join(err, listener(ctx, events))
		}
		if err != nil {
			return err
		}
		d.position = events[len(events)-1].Number
	}
}

// numberedUntil returns the time, in microseconds, up to which all events have numbers: now, or the
// time of the oldest waiting event. Call it before reading numbered events, so that an event
// numbered in between is among them.
func (d *Dispatcher) numberedUntil(ctx context.Context) (at int64, err error) {
	began := db.Micros(d.db.Now())
	err = d.db.Peek(ctx, func(tx *db.Tx) error {
		at, err = oldestWaiting(tx, began)
		return err
	})
	return min(began, at), err
}

// next returns the next events. The first call only sets the position and returns none.
func (d *Dispatcher) next(ctx context.Context) (events []Event, err error) {
	err = d.db.Peek(ctx, func(tx *db.Tx) error {
		if d.started {
			events, err = After(tx, d.position, batchSize)
			return err
		}
		d.position, err = Position(tx, headReader)
		d.started = err == nil
		return err
	})
	return events, err
}
