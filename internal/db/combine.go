package db

import (
	"context"
	"errors"
	"sync"
)

// Combiner batches commands: those that wait at the same time share one transaction. There is no
// timer: a batch takes the commands that queued up while the one before committed, so a single
// command never waits for others.
type Combiner[C, R any] struct {
	db  *DB
	key func(C) string
	run func(tx *Tx, batch []C) ([]Outcome[R], error)

	mutex    sync.Mutex
	waiting  []*order[C, R]  // first in, first out
	underWay map[string]bool // keys of the commands in flight
	batches  int             // batches in flight
	closed   bool            // no more commands are accepted
	ended    sync.WaitGroup  // batches in flight
	idle     chan struct{}   // closed after the last batch
}

// Outcome is the result of one command of a batch.
type Outcome[R any] struct {
	Value R
	Err   error
}

type order[C, R any] struct {
	ctx     context.Context
	command C
	Outcome[R]
	ticket
}

// NewCombiner returns a Combiner that passes each batch to run, which returns the outcomes in
// order. Commands with the same key are never in flight at the same time. SQLite has one batch in
// flight at a time, PostgreSQL two. A command that run refuses must have written nothing. An error
// or a failed commit rolls back the whole batch. Its commands then run again one by one, so run
// must check whether a command was done before.
func NewCombiner[C, R any](d *DB, key func(C) string, run func(tx *Tx, batch []C) ([]Outcome[R], error)) *Combiner[C, R] {
	return &Combiner[C, R]{db: d, key: key, run: run, underWay: map[string]bool{}, idle: make(chan struct{})}
}

// Do runs a command in the next batch and waits for its commit. If the queue is full it returns
// apperr.Unavailable immediately. If ctx ends before the batch begins, nothing is done.
func (c *Combiner[C, R]) Do(ctx context.Context, command C) (R, error) {
	ctx, end := bounded(ctx, c.db.limit)
	defer end()
	o := &order[C, R]{ctx: ctx, command: command, ticket: newTicket()}
	err := c.enter(o)
	if err == nil {
		err = o.wait(ctx, c.idle)
	}
	if err != nil {
		var nothing R
		return nothing, unavailable(err)
	}
	return o.Value, o.Err
}

func (c *Combiner[C, R]) enter(o *order[C, R]) error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	switch {
	case c.closed:
		return errBusy.Because(errors.New("the queue is closed"))
	case len(c.waiting) >= maxQueue:
		return errBusy.Because(errors.New("the queue of commands is full"))
	}
	c.waiting = append(c.waiting, o)
	c.begin()
	return nil
}

// begin starts a batch if none is in flight, and a second one (on PostgreSQL) only when at least as
// many commands wait as are in flight. A batch has a high fixed cost, and clients just answered
// soon send their next command: a batch started without them would spread the same work over more
// batches.
func (c *Combiner[C, R]) begin() {
	for !c.closed && c.batches < c.db.traits.writers && len(c.waiting) >= max(1, len(c.underWay)) {
		batch := c.gather()
		if len(batch) == 0 {
			return // all wait for a command with the same key
		}
		c.batches++
		c.ended.Go(func() { c.work(batch) })
	}
}

// gather takes a batch from the queue: each key once, and none that is in flight.
func (c *Combiner[C, R]) gather() (batch []*order[C, R]) {
	var left []*order[C, R]
	for _, o := range c.waiting {
		if key := c.key(o.command); len(batch) == maxBatch || c.underWay[key] {
			left = append(left, o)
		} else {
			c.underWay[key] = true
			batch = append(batch, o)
		}
	}
	c.waiting = left
	return batch
}

// Close stops accepting commands and waits for the batches in flight.
func (c *Combiner[C, R]) Close() {
	c.mutex.Lock()
	first := !c.closed
	c.closed = true
	c.mutex.Unlock()
	if first {
		c.ended.Wait()
		close(c.idle)
	}
	<-c.idle
}

func (c *Combiner[C, R]) work(batch []*order[C, R]) {
	c.commit(batch)
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for _, o := range batch {
		delete(c.underWay, c.key(o.command))
	}
	c.batches--
	c.begin()
}

func (c *Combiner[C, R]) commit(batch []*order[C, R]) {
	living := batch[:0:0]
	for _, o := range batch {
		if !o.take() {
			continue // the caller left
		}
		o.Err = o.ctx.Err()
		if o.Err == nil {
			living = append(living, o)
		}
	}
	if err := c.together(living); err != nil {
		for _, o := range living {
			if err := c.alone(o, err, len(living)); err != nil {
				o.Err = err
			}
		}
	}
	for _, o := range batch {
		close(o.done)
	}
}

// alone retries one command of a failed batch of the given size in a transaction of its own, and
// once more if the outcome of the commit is unknown. It stops when the caller's context has ended:
// while the database is down, each attempt takes a whole time limit.
func (c *Combiner[C, R]) alone(o *order[C, R], failure error, size int) error {
	if o.ctx.Err() == nil && size > 1 {
		failure = c.together([]*order[C, R]{o})
	}
	if o.ctx.Err() == nil && errors.Is(failure, ErrUnknownCommit) {
		failure = c.together([]*order[C, R]{o})
	}
	return failure
}

// together runs some commands in one transaction. After an error none of them is known to be done.
func (c *Combiner[C, R]) together(orders []*order[C, R]) error {
	if len(orders) == 0 {
		return nil
	}
	commands := make([]C, len(orders))
	for n, o := range orders {
		commands[n] = o.command
	}
	var outcomes []Outcome[R]
	err := c.db.InTx(context.Background(), func(tx *Tx) (err error) {
		tx.RetrySeparately = len(commands) > 1
		outcomes, err = c.run(tx, commands)
		return err
	})
	if err != nil {
		return err
	}
	for n, o := range orders {
		o.Outcome = outcomes[n]
	}
	return nil
}
