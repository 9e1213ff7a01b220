package db

import (
	"context"
	"errors"
	"hash/maphash"
	"sync"
)

// Combiner lets commands that wait at the same moment share one transaction.
// There is no timer: a batch is whoever waited while the one before committed,
// so a lone command waits for nobody. It knows nothing of what it runs.
type Combiner[C, R any] struct {
	db     *DB
	key    func(C) string
	run    func(tx *Tx, batch []C) ([]Outcome[R], error)
	lanes  []*lane[C, R]
	seed   maphash.Seed
	closed chan struct{} // no more commands are taken
	once   sync.Once
	ended  sync.WaitGroup
	idle   chan struct{} // all writers have ended
}

// Outcome is what became of one command of a batch.
type Outcome[R any] struct {
	Value R
	Err   error
}

type lane[C, R any] struct {
	waiting chan *order[C, R]
	held    []*order[C, R] // whose key was in the batch before already
}

type order[C, R any] struct {
	ctx     context.Context
	command C
	Outcome[R]
	ticket
}

// NewCombiner starts the writers: one on SQLite, two on PostgreSQL, between
// which the keys are split. run answers every command of a batch, in order; no
// two commands of a batch have the same key. A command that it refuses must
// have written nothing. An error, or a failed commit, undoes the whole batch;
// its commands then run again one by one, so run must find out whether a
// command was done before.
func NewCombiner[C, R any](d *DB, key func(C) string, run func(tx *Tx, batch []C) ([]Outcome[R], error)) *Combiner[C, R] {
	c := &Combiner[C, R]{db: d, key: key, run: run, seed: maphash.MakeSeed(), closed: make(chan struct{}), idle: make(chan struct{})}
	for range d.traits.writers {
		l := &lane[C, R]{waiting: make(chan *order[C, R], maxQueue)}
		c.lanes = append(c.lanes, l)
		c.ended.Go(func() { c.work(l) })
	}
	return c
}

// Do runs a command in the next batch and waits for its commit. Beyond the
// queue's bound it refuses at once. A caller that leaves before its batch
// begins gets nothing done.
func (c *Combiner[C, R]) Do(ctx context.Context, command C) (R, error) {
	ctx, end := bounded(ctx, c.db.limit)
	defer end()
	o := &order[C, R]{ctx: ctx, command: command, ticket: newTicket()}
	l := c.lanes[maphash.String(c.seed, c.key(command))%uint64(len(c.lanes))]
	select {
	case <-c.closed:
		return o.Value, errBusy.Because(errors.New("the queue is closed"))
	case l.waiting <- o:
	default:
		return o.Value, errBusy.Because(errors.New("the queue of commands is full"))
	}
	if err := o.wait(ctx, c.idle); err != nil {
		var nothing R
		return nothing, told(err)
	}
	return o.Value, o.Err
}

// Close ends the writers after the batches under way.
func (c *Combiner[C, R]) Close() {
	c.once.Do(func() {
		close(c.closed)
		c.ended.Wait()
		close(c.idle)
	})
	<-c.idle
}

func (c *Combiner[C, R]) work(l *lane[C, R]) {
	for {
		if len(l.held) == 0 {
			select {
			case <-c.closed:
				return
			case o := <-l.waiting:
				l.held = append(l.held, o)
			}
		}
		c.commit(c.gather(l))
	}
}

// gather makes a batch of who was held back and who is waiting, in that order,
// each key once.
func (c *Combiner[C, R]) gather(l *lane[C, R]) []*order[C, R] {
	candidates := l.held
	l.held = nil
	for len(candidates) < maxBatch {
		select {
		case o := <-l.waiting:
			candidates = append(candidates, o)
			continue
		default:
		}
		break
	}
	batch, keys := make([]*order[C, R], 0, len(candidates)), make(map[string]bool, len(candidates))
	for _, o := range candidates {
		if key := c.key(o.command); keys[key] {
			l.held = append(l.held, o)
		} else {
			keys[key] = true
			batch = append(batch, o)
		}
	}
	return batch
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
