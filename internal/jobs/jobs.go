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

// Job is one kind of background work. Every node runs it; database locks protect work that must not
// run twice at the same time.
type Job struct {
	Name  string        // shown to operators
	Every time.Duration // pause between two rounds
	Limit time.Duration // time after which a round is canceled

	// Wake ends the pause after a successful round at once; nil = never.
	Wake <-chan struct{}

	// Do runs one round. It returns how many leaves of the public log are still to be processed, 0
	// for jobs that don't read the log. With an error, 0 means that the number is unknown.
	Do func(ctx context.Context) (behind int64, err error)
}

// longest is the longest pause after repeated failures, unless Every is longer.
const longest = 2 * time.Second

// State is the latest outcome of a job.
type State struct {
	Name        string
	Every       time.Duration // as in Job
	Limit       time.Duration // as in Job
	LastSuccess time.Time     // zero before the first
	LastError   error         // nil before the first
	FailedAt    time.Time     // time of LastError
	Failing     bool          // the last round failed
	Failures    int64         // failed rounds since the start
	Behind      int64         // as returned by the last round that knew it
}

// Runner runs jobs and records their states.
type Runner struct {
	log    *slog.Logger
	now    func() time.Time
	jobs   []Job
	mutex  sync.Mutex
	states []State
}

// New returns a runner; now is the clock of the states.
func New(log *slog.Logger, now func() time.Time, jobs ...Job) *Runner {
	states := make([]State, len(jobs))
	for n, job := range jobs {
		states[n].Name, states[n].Every, states[n].Limit = job.Name, job.Every, job.Limit
	}
	return &Runner{log: log, now: now, jobs: jobs, states: states}
}

// States returns the state of every job, in the order given to New.
func (r *Runner) States() []State {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return append([]State{}, r.states...)
}

// Run runs the jobs until ctx ends, and then waits for running rounds.
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
		wake := job.Wake
		if err != nil {
			wake = nil
			r.log.ErrorContext(ctx, "the job "+job.Name+" failed and is tried again", "error", err)
			pause = max(job.Every, min(2*pause, longest))
		} else {
			pause = job.Every
		}
		if !wait(ctx, pause, wake) {
			return
		}
	}
}

func (r *Runner) note(n int, behind int64, err error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	s := &r.states[n]
	if err == nil || behind > 0 {
		s.Behind = behind
	}
	s.Failing = err != nil
	if err == nil {
		s.LastSuccess = r.now()
		return
	}
	s.LastError, s.FailedAt = err, r.now()
	s.Failures++
}

var errTooLong = errors.New("cancelled, as it took too long")

// runOnce calls Do once and turns a panic into an error. It cancels the round instead of setting a
// deadline, so that each database call in it keeps its own, shorter time limit.
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

func wait(ctx context.Context, pause time.Duration, wake <-chan struct{}) bool {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	case <-wake:
		return true
	}
}
