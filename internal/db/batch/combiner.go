// Package batch lets concurrent calls share transactions and queries. A Combiner batches commands,
// which write; a Gatherer batches lookups by key.
package batch

import (
	"context"
	"errors"
	"sync"

	"go.opentelemetry.io/otel/trace"

	"kaibao/internal/db"
	"kaibao/internal/db/engine"
)

// Combiner batches commands: those that wait at the same time share one transaction. There is no
// timer: a batch takes the commands that queued up while the batch before committed, so a single
// command never waits for others.
type Combiner[C, R any] struct {
	db  *db.DB
	key func(C) string
	run func(tx *db.Tx, batch []C) ([]Outcome[R], error)

	mutex    sync.Mutex
	waiting  []*request[C, R] // first in, first out
	inFlight map[string]bool  // keys of the commands in running batches
	batches  int              // number of running batches
	closed   bool             // no more commands are accepted
	running  sync.WaitGroup   // lets Close wait for the running batches
	stopped  chan struct{}    // closed when Close has seen the last batch end
}

// Committed is the message (db.Tx.Publish) that a batch was committed.
type Committed struct{ Commands int }

// Outcome is the result of one command of a batch.
type Outcome[R any] struct {
	Value R
	Err   error
}

type request[C, R any] struct {
	ctx     context.Context
	command C
	Outcome[R]
	engine.Ticket
}

// NewCombiner returns a Combiner that passes each batch to run, which returns the outcomes in
// order. Commands with the same key never run at the same time. SQLite runs one batch at a time,
// PostgreSQL two. A command that run refuses must have written nothing. An error
// or a failed commit rolls back the whole batch. Its commands then run again one by one, so run
// must check whether a command was done before.
func NewCombiner[C, R any](d *db.DB, key func(C) string, run func(tx *db.Tx, batch []C) ([]Outcome[R], error)) *Combiner[C, R] {
	return &Combiner[C, R]{db: d, key: key, run: run, inFlight: map[string]bool{}, stopped: make(chan struct{})}
}

// Do runs a command in the next batch and waits for its commit. If the queue is full it returns
// apperr.Unavailable immediately. If ctx ends before the batch begins, nothing is done.
func (c *Combiner[C, R]) Do(ctx context.Context, command C) (R, error) {
	ctx, end := c.db.WithTimeLimit(ctx)
	defer end()
	r := &request[C, R]{ctx: ctx, command: command, Ticket: engine.NewTicket()}
	err := c.enqueue(r)
	if err == nil {
		err = r.Wait(ctx, c.stopped)
	}
	if err != nil {
		var nothing R
		return nothing, db.Unavailable(err)
	}
	return r.Value, r.Err
}

func (c *Combiner[C, R]) enqueue(r *request[C, R]) error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	switch {
	case c.closed:
		return engine.ErrBusy.Because(errors.New("the queue is closed"))
	case len(c.waiting) >= engine.MaxQueue:
		return engine.ErrBusy.Because(errors.New("the queue of commands is full"))
	}
	c.waiting = append(c.waiting, r)
	c.startBatches()
	return nil
}

// Waiting returns how many commands are in no batch yet.
func (c *Combiner[C, R]) Waiting() int {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return len(c.waiting)
}

// startBatches starts a batch if none is running, and a second one (on PostgreSQL) only when at
// least as many commands wait as are in the first one. A batch has a high fixed cost, and clients
// just answered soon send their next command: a batch started without them would spread the same
// work over more batches.
func (c *Combiner[C, R]) startBatches() {
	for !c.closed && c.batches < c.db.Writers() && len(c.waiting) >= max(1, len(c.inFlight)) {
		batch := c.nextBatch()
		if len(batch) == 0 {
			return // all wait for a command with the same key
		}
		c.batches++
		c.running.Go(func() { c.work(batch) })
	}
}

// nextBatch takes a batch from the queue: each key once, and none that is in a running batch.
func (c *Combiner[C, R]) nextBatch() (batch []*request[C, R]) {
	var left []*request[C, R]
	for _, r := range c.waiting {
		if key := c.key(r.command); len(batch) == engine.MaxBatch || c.inFlight[key] {
			left = append(left, r)
		} else {
			c.inFlight[key] = true
			batch = append(batch, r)
		}
	}
	c.waiting = left
	return batch
}

// Close stops accepting commands and waits for the running batches.
func (c *Combiner[C, R]) Close() {
	c.mutex.Lock()
	first := !c.closed
	c.closed = true
	c.mutex.Unlock()
	if first {
		c.running.Wait()
		close(c.stopped)
	}
	<-c.stopped
}

func (c *Combiner[C, R]) work(batch []*request[C, R]) {
	c.commit(batch)
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for _, r := range batch {
		delete(c.inFlight, c.key(r.command))
	}
	c.batches--
	c.startBatches()
}

func (c *Combiner[C, R]) commit(batch []*request[C, R]) {
	claimed := batch[:0:0]
	for _, r := range batch {
		if !r.Claim() {
			continue // the caller left
		}
		r.Err = r.ctx.Err()
		if r.Err == nil {
			claimed = append(claimed, r)
		}
	}
	if err := c.runBatch(claimed); err != nil {
		for _, r := range claimed {
			if err := c.retry(r, err, len(claimed)); err != nil {
				r.Err = err
			}
		}
	}
	for _, r := range batch {
		r.Done()
	}
}

// retry retries one command of a failed batch of the given size in a transaction of its own, and
// once more if the outcome of the commit is unknown. It stops when the caller's context has ended:
// while the database is down, each attempt takes a whole time limit.
func (c *Combiner[C, R]) retry(r *request[C, R], failure error, size int) error {
	if r.ctx.Err() == nil && size > 1 {
		failure = c.runBatch([]*request[C, R]{r})
	}
	if r.ctx.Err() == nil && errors.Is(failure, db.ErrUnknownCommit) {
		failure = c.runBatch([]*request[C, R]{r})
	}
	return failure
}

// runBatch runs commands in one transaction. After an error none of them is known to be done.
func (c *Combiner[C, R]) runBatch(requests []*request[C, R]) error {
	if len(requests) == 0 {
		return nil
	}
	commands := make([]C, len(requests))
	for i, r := range requests {
		commands[i] = r.command
	}
	var outcomes []Outcome[R]
	err := c.db.InTx(traceContext(requests), func(tx *db.Tx) (err error) {
		tx.RetrySeparately = len(commands) > 1
		tx.Publish(Committed{len(commands)})
		outcomes, err = c.run(tx, commands)
		return err
	})
	if err != nil {
		return err
	}
	for i, r := range requests {
		r.Outcome = outcomes[i]
	}
	return nil
}

// traceContext returns a context without a deadline. If one of the requests is traced, its trace
// shows the statements of the batch.
func traceContext[C, R any](requests []*request[C, R]) context.Context {
	for _, r := range requests {
		if span := trace.SpanFromContext(r.ctx); span.IsRecording() {
			return trace.ContextWithSpan(context.Background(), span)
		}
	}
	return context.Background()
}
