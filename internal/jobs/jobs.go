// Package jobs runs background work on a node. Every job repeats until the node stops. A failing
// job does not delay the others.
package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"
)

// Job is one kind of background work. Every node does it: what only one may do at
// a time is kept apart by locks in the database.
type Job struct {
	Name  string        // as operators read it
	Every time.Duration // the pause between two rounds
	Limit time.Duration // after it a round is cancelled

	// Do is one round. It says how much of the log it has not got to yet, 0 if it
	// does not read the log.
	Do func(ctx context.Context) (behind int64, err error)
}

// longest bounds the pause of a job that fails again and again, unless its own is
// longer still.
const longest = 2 * time.Second

// State is how a job is doing.
type State struct {
	Name        string
	LastSuccess time.Time // zero before the first
	LastError   error     // nil before the first
	FailedAt    time.Time // when it was
	Behind      int64     // after the last round
}

// Runner does jobs and remembers how they went.
type Runner struct {
	log    *slog.Logger
	now    func() time.Time
	jobs   []Job
	mutex  sync.Mutex
	states []State
}

// New makes a runner; now is the clock of the states.
func New(log *slog.Logger, now func() time.Time, jobs ...Job) *Runner {
	states := make([]State, len(jobs))
	for n, job := range jobs {
		states[n].Name = job.Name
	}
	return &Runner{log: log, now: now, jobs: jobs, states: states}
}

// States says how every job is doing, in the order in which they were given.
func (r *Runner) States() []State {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return append([]State{}, r.states...)
}

// Run does the jobs until ctx ends, and waits for those under way.
func (r *Runner) Run(ctx context.Context) {
	var all sync.WaitGroup
	for n := range r.jobs {
		all.Go(func() { r.repeat(ctx, n) })
	}
	all.Wait()
}

func (r *Runner) repeat(ctx context.Context, n int) {
	job := r.jobs[n]
	pause := job.Every
	for {
		behind, err := job.runOnce(ctx)
		if ctx.Err() != nil {
			return
		}
		r.note(n, behind, err)
		if err != nil {
			r.log.ErrorContext(ctx, "the job "+job.Name+" failed and is tried again", "error", err)
			pause = max(job.Every, min(2*pause, longest))
		} else {
			pause = job.Every
		}
		if !wait(ctx, pause) {
			return
		}
	}
}

func (r *Runner) note(n int, behind int64, err error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	s := &r.states[n]
	s.Behind = behind
	if err == nil {
		s.LastSuccess = r.now()
		return
	}
	s.LastError, s.FailedAt = err, r.now()
}

var errTooLong = errors.New("cancelled, as it took too long")

// runOnce is one call of Do; a panic is a failure like any other. It is cancelled and
// not given a deadline: each of its calls to the database has one, a shorter one.
func (j Job) runOnce(ctx context.Context) (behind int64, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer time.AfterFunc(j.Limit, func() { cancel(errTooLong) }).Stop()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	behind, err = j.Do(ctx)
	if err != nil && errors.Is(context.Cause(ctx), errTooLong) {
		err = fmt.Errorf("%w (%s): %w", errTooLong, j.Limit, err)
	}
	return behind, err
}

func wait(ctx context.Context, pause time.Duration) bool {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
