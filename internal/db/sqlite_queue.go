package db

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"

	"kaibao/internal/db/engine"
)

// commitQueue is SQLite's single writer. Jobs that arrive while a commit waits for the disk share
// the next transaction. Each job has its own savepoint, so a failure undoes only its own work.
type commitQueue struct {
	conn   *statements
	log    *checkpointer
	turns  *turns
	schema schema
	ending func(commit func() error) error // Options.Commit
	jobs   chan *job
	open   context.Context // ends when the queue closes
	shut   context.CancelFunc
	idle   chan struct{} // closed when the writer has stopped
}

type job struct {
	ctx context.Context
	do  work
	err error
	engine.Ticket
}

func newCommitQueue(conn *sql.Conn, log *checkpointer, turns *turns, schema schema, ending func(commit func() error) error) *commitQueue {
	q := &commitQueue{
		conn: newStatements(conn), log: log, turns: turns, schema: schema, ending: ending,
		jobs: make(chan *job, engine.MaxQueue), idle: make(chan struct{}),
	}
	q.open, q.shut = context.WithCancel(context.Background())
	go q.run()
	return q
}

// do queues work and waits for its commit. It fails immediately if the queue is full.
func (q *commitQueue) do(ctx context.Context, do work) error {
	j := &job{ctx: ctx, do: do, Ticket: engine.NewTicket()}
	select {
	case <-q.open.Done():
		return engine.ErrBusy.Because(errors.New("the database is closed"))
	case q.jobs <- j:
	default:
		return engine.ErrBusy.Because(errors.New("the commit queue is full"))
	}
	if err := j.Wait(ctx, q.idle); err != nil {
		return err
	}
	return j.err
}

func (q *commitQueue) close() {
	q.shut()
	<-q.idle
}

func (q *commitQueue) run() {
	defer close(q.idle)
	defer q.conn.close()
	defer q.log.close()
	for {
		select {
		case first := <-q.jobs:
			q.inTurn(first)
			q.log.note()
		case <-q.open.Done():
			return
		}
	}
}

// inTurn waits until no other process writes, and commits the waiting jobs.
func (q *commitQueue) inTurn(first *job) {
	err := q.turns.take(q.open)
	if err != nil {
		err = engine.ErrBusy.Because(err)
	}
	defer q.turns.pass()
	batch := q.gather(first)
	defer tell(batch)
	if err == nil {
		q.log.startOver(context.Background(), q.conn.conn)
		err = q.begin(context.Background())
	}
	if err == nil {
		q.commit(batch)
		return
	}
	for _, j := range batch {
		if j.Take() {
			j.err = err
		}
	}
}

// begin starts a transaction, unless the schema is newer than this program.
func (q *commitQueue) begin(ctx context.Context) error {
	if err := q.conn.run(ctx, "BEGIN IMMEDIATE"); err != nil {
		return engine.ErrBusy.Because(err)
	}
	var version int64
	var failure error
	read := scanFirst(&version, Column[int64])
	err := q.conn.queue(ctx, currentVersion, nil, func(rows walk) { failure = read(rows) })()
	err = cmp.Or(err, failure, q.schema.accepts(version))
	if err != nil {
		_ = q.conn.run(ctx, "ROLLBACK")
	}
	return err
}

func tell(batch []*job) {
	for _, j := range batch {
		j.Done()
	}
}

// gather takes the jobs that are already waiting, at most engine.MaxBatch.
func (q *commitQueue) gather(first *job) []*job {
	batch := []*job{first}
	for len(batch) < engine.MaxBatch {
		select {
		case j := <-q.jobs:
			batch = append(batch, j)
		default:
			return batch
		}
	}
	return batch
}

// commit runs the jobs of a batch in the open transaction, and commits it.
func (q *commitQueue) commit(batch []*job) {
	ctx := context.Background()
	kept := 0
	for _, j := range batch {
		if !j.Take() {
			continue // the caller left
		}
		j.err = q.member(j)
		if j.err == nil {
			kept++
		}
	}
	if kept == 0 {
		_ = q.conn.run(ctx, "ROLLBACK")
		return
	}
	if err := q.ending(func() error { return q.conn.run(ctx, "COMMIT") }); err != nil {
		_ = q.conn.run(ctx, "ROLLBACK")
		for _, j := range batch {
			if j.err == nil {
				j.err = fmt.Errorf("%w: %w", ErrUnknownCommit, err)
			}
		}
	}
}

// unbroken is the context of a job in a batch. Its cancellation is noticed between statements and
// interrupts none, because that would fail the whole batch.
type unbroken struct{ context.Context }

// Done implements context.Context.
func (unbroken) Done() <-chan struct{} { return nil }

// member runs one job in its savepoint, and retries it after a conflict.
func (q *commitQueue) member(j *job) error {
	if err := j.ctx.Err(); err != nil {
		return err
	}
	ctx := context.Background()
	var err error
	for range maxAttempts {
		if err := q.conn.run(ctx, "SAVEPOINT member"); err != nil {
			return err
		}
		err = j.do(unbroken{j.ctx}, q.conn)
		if err == nil {
			return q.conn.run(ctx, "RELEASE member")
		}
		for _, word := range []string{"ROLLBACK TO member", "RELEASE member"} {
			if undo := q.conn.run(ctx, word); undo != nil {
				return errors.Join(err, undo)
			}
		}
		if kindOf(err) != rival {
			return err
		}
	}
	return engine.ErrBusy.Because(err)
}
