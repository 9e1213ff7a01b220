package db

import (
	"context"
	"errors"
	"sync"
)

// Combiner lets commands that wait at the same moment share one transaction.
// There is no timer: a batch is whoever waited while the one before committed,
// so a lone command waits for nobody. It knows nothing of what it runs.
type Combiner[C, R any] struct {
	db  *DB
	key func(C) string
	run func(tx *Tx, batch []C) ([]Outcome[R], error)

	mutex    sync.Mutex
	waiting  []*order[C, R]  // in the order in which they came
	underWay map[string]bool // the keys of all commands in batches that have begun
	batches  int             // that have begun and not ended
	closed   bool            // no more commands are taken
	ended    sync.WaitGroup  // of the batches
	idle     chan struct{}   // closed behind the last batch
}

// Outcome is what became of one command of a batch.
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

// NewCombiner has run answer every command of a batch, in order; no two commands under
// way have the same key. One batch is under way at a time on SQLite, two on PostgreSQL. A
// command that run refuses must have written nothing. An error, or a failed commit, undoes
// the whole batch; its commands then run again one by one, so run must find out whether a
// command was done before.
func NewCombiner[C, R any](d *DB, key func(C) string, run func(tx *Tx, batch []C) ([]Outcome[R], error)) *Combiner[C, R] {
	return &Combiner[C, R]{db: d, key: key, run: run, underWay: map[string]bool{}, idle: make(chan struct{})}
}

// Do runs a command in the next batch and waits for its commit. Beyond the
// queue's bound it refuses at once. A caller that leaves before its batch
// begins gets nothing done.
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

// begin begins what batches may begin: one while none is under way, and another beside it
// once as many wait as are under way. A batch costs much by itself, and those who were just
// answered ask again in a moment: who begins without them does the same work in more batches.
func (c *Combiner[C, R]) begin() {
	for !c.closed && c.batches < c.db.traits.writers && len(c.waiting) >= max(1, len(c.underWay)) {
		batch := c.gather()
		if len(batch) == 0 {
			return // all wait for others of their key
		}
		c.batches++
		c.ended.Go(func() { c.work(batch) })
	}
}

// gather makes a batch of who is waiting, each key once and none that is under way.
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

// Close ends the work after the batches under way.
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

// alone runs a command of a batch of some size that failed, unless the caller's time
// is over: while the database is away each try takes a whole deadline.
func (c *Combiner[C, R]) alone(o *order[C, R], failure error, size int) error {
	if o.ctx.Err() == nil && size > 1 {
		failure = c.together([]*order[C, R]{o})
	}
	if o.ctx.Err() == nil && errors.Is(failure, ErrUnknownCommit) {
		failure = c.together([]*order[C, R]{o})
	}
	return failure
}

// together runs some commands in one transaction; an error means that none of
// them is known to be done.
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
