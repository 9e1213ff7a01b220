package sqlite

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
	conn   *conn
	log    *checkpointer
	lock   *writeLock
	file   openedFile
	schema engine.Schema
	commit func(commit func() error) error // Options.Commit
	jobs   chan *job
	ctx    context.Context // ends when the queue closes
	cancel context.CancelFunc
	idle   chan struct{} // closed when the writer has stopped
}

type job struct {
	ctx context.Context
	do  engine.Work
	err error
	engine.Ticket
}

func newCommitQueue(conn *sql.Conn, log *checkpointer, lock *writeLock, file openedFile, o Options) *commitQueue {
	q := &commitQueue{
		conn: newConn(conn, o.Slow), log: log, lock: lock, file: file, schema: o.Schema, commit: o.Commit,
		jobs: make(chan *job, engine.MaxQueue), idle: make(chan struct{}),
	}
	q.ctx, q.cancel = context.WithCancel(context.Background())
	go q.run()
	return q
}

// do queues work and waits for its commit. It fails immediately if the queue is full.
func (q *commitQueue) do(ctx context.Context, do engine.Work) error {
	j := &job{ctx: ctx, do: do, Ticket: engine.NewTicket()}
	select {
	case <-q.ctx.Done():
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
	q.cancel()
	<-q.idle
}

func (q *commitQueue) run() {
	defer close(q.idle)
	defer q.conn.close()
	defer q.log.close()
	for {
		select {
		case first := <-q.jobs:
			q.runBatch(first)
			q.log.logWritten()
		case <-q.ctx.Done():
			return
		}
	}
}

// runBatch waits until no other process writes, and commits the waiting jobs.
func (q *commitQueue) runBatch(first *job) {
	err := q.lock.lock(q.ctx)
	if err != nil {
		err = engine.ErrBusy.Because(err)
	}
	defer q.lock.unlock()
	batch := q.gather(first)
	defer respond(batch)
	if err == nil {
		err = q.file.check()
	}
	if err == nil {
		q.log.restartLog(context.Background(), q.conn.Conn)
		err = q.begin(context.Background())
	}
	if err == nil {
		q.commitBatch(batch)
		return
	}
	for _, j := range batch {
		if j.Claim() {
			j.err = err
		}
	}
}

// begin starts a transaction, unless the schema is newer than this program.
func (q *commitQueue) begin(ctx context.Context) error {
	if err := q.conn.run(ctx, "BEGIN IMMEDIATE"); err != nil {
		return engine.ErrBusy.Because(err)
	}
	err := q.checkSchema(ctx)
	if err != nil {
		_ = q.conn.run(ctx, "ROLLBACK")
	}
	return err
}

// checkSchema fails if the schema is newer than this program.
func (q *commitQueue) checkSchema(ctx context.Context) error {
	rows, err := q.conn.query(ctx, engine.CurrentVersion, nil)
	if err != nil {
		return err
	}
	var version int64
	var failure error
	err = engine.ReadAndClose(rows, func(rows engine.Rows) {
		if rows.Next() {
			failure = rows.Scan(&version)
		}
	})
	return cmp.Or(err, failure, q.schema.Accepts(version))
}

func respond(batch []*job) {
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

// commitBatch runs the jobs of a batch in the open transaction, and commits it.
func (q *commitQueue) commitBatch(batch []*job) {
	ctx := context.Background()
	succeeded := 0
	for _, j := range batch {
		if !j.Claim() {
			continue // the caller left
		}
		j.err = q.runJob(j)
		if j.err == nil {
			succeeded++
		}
	}
	if succeeded == 0 {
		_ = q.conn.run(ctx, "ROLLBACK")
		return
	}
	if err := q.commit(func() error { return q.conn.run(ctx, "COMMIT") }); err != nil {
		_ = q.conn.run(ctx, "ROLLBACK")
		for _, j := range batch {
			if j.err == nil {
				j.err = fmt.Errorf("%w: %w", engine.ErrUnknownCommit, err)
			}
		}
	}
}

// uninterrupted is the context of a job in a batch. Its cancellation is noticed between statements
// and interrupts none, because that would fail the whole batch.
type uninterrupted struct{ context.Context }

// Done implements context.Context.
func (uninterrupted) Done() <-chan struct{} { return nil }

// runJob runs one job in its savepoint, and retries it after a conflict.
func (q *commitQueue) runJob(j *job) error {
	if err := j.ctx.Err(); err != nil {
		return err
	}
	ctx := context.Background()
	var err error
	for range engine.MaxAttempts {
		if err := q.conn.run(ctx, "SAVEPOINT job"); err != nil {
			return err
		}
		err = j.do.Run(uninterrupted{j.ctx}, q.conn)
		if err == nil {
			return q.conn.run(ctx, "RELEASE job")
		}
		for _, command := range []string{"ROLLBACK TO job", "RELEASE job"} {
			if undo := q.conn.run(ctx, command); undo != nil {
				return errors.Join(err, undo)
			}
		}
		if KindOf(err) != engine.Conflict {
			return err
		}
	}
	return engine.ErrBusy.Because(err)
}
