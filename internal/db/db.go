// Package db gives the features one kind of transaction over two engines:
// embedded SQLite and PostgreSQL. A use case opens it with InTx and hands the
// *Tx to the helpers it calls; whatever they write is kept together or not at all.
//
// An acknowledged InTx is on disk. The closure may run more than once, so it
// touches nothing but the database.
package db

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"time"

	"golang.org/x/sync/singleflight"
)

// Options say where the data lives. The zero Now and Random are the system's.
type Options struct {
	Dir    string           // directory of the SQLite file; used when URL is empty
	URL    string           // postgres://…
	Now    func() time.Time // the clock that transactions read once
	Random io.Reader        // source of ids, nonces and seeds

	// Existing refuses a database that is not there, or whose schema is not this
	// program's, instead of making or migrating it.
	Existing bool

	// CallTime is how long a call may take whose context has no end; 0 = 5 s.
	CallTime time.Duration

	// Commit stands between a writing transaction and the engine's COMMIT, so that
	// a test can make it fail before or after the fact. Nil calls commit, no more.
	Commit func(commit func() error) error
}

// DB is an open database with its schema up to date.
type DB struct {
	dialect dialect
	limit   time.Duration // of a call
	now     func() time.Time
	random  io.Reader
	commit  func(commit func() error) error
	pools   *postgresPools // nil on SQLite, as the rest is on PostgreSQL
	write   *sql.DB
	read    *sql.DB
	queue   *commitQueue // the single writer
	turns   *turns
	readers []readers
	ways    ways
	ready   singleflight.Group
}

// ErrUnknownCommit marks a transaction whose COMMIT failed in a way that leaves
// open whether it was kept. Look for its idempotency key before acting again.
var ErrUnknownCommit = errors.New("commit outcome unknown")

// Open connects, brings the schema up to date unless the options say otherwise,
// and refuses a schema newer than this program's.
func Open(ctx context.Context, o Options) (*DB, error) {
	d := &DB{now: o.Now, random: o.Random, commit: o.Commit}
	if d.now == nil {
		d.now = time.Now
	}
	if d.random == nil {
		d.random = rand.Reader
	}
	if d.limit = o.CallTime; d.limit == 0 {
		d.limit = CallTime
	}
	if d.commit == nil {
		d.commit = func(commit func() error) error { return commit() }
	}
	open := d.openSQLite
	if o.URL != "" {
		open = d.openPostgres
	}
	if err := open(ctx, o); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// Close lets running transactions end and closes every connection.
func (d *DB) Close() error {
	if d.pools != nil {
		d.pools.close()
	}
	if d.queue != nil {
		d.queue.close()
	}
	for _, r := range d.readers {
		r.close(cap(r))
	}
	var errs []error
	for _, pool := range []*sql.DB{d.read, d.write} {
		if pool != nil {
			errs = append(errs, pool.Close())
		}
	}
	if d.turns != nil {
		d.turns.close()
	}
	return errors.Join(errs...)
}

// Now is the clock that transactions use, to the microsecond, in UTC.
func (d *DB) Now() time.Time { return d.now().UTC().Truncate(time.Microsecond) }

// Engine names the engine: "sqlite" or "postgres".
func (d *DB) Engine() string { return d.dialect.name }

// InTx runs fn in one transaction that may write, and commits when fn returns
// nil. Serialisation failures and deadlocks run fn again, a bounded number of
// times. A commit of unknown outcome is reported as ErrUnknownCommit.
//
// A context without an end is given one, here and in all that reads: who finds
// the database away or too slow is told to come back (fault.Unavailable).
func (d *DB) InTx(ctx context.Context, fn func(*Tx) error) error {
	ctx, end := bounded(ctx, d.limit)
	defer end()
	if d.queue != nil {
		return d.told(d.queue.do(ctx, fn))
	}
	var err error
	for attempt := range maxAttempts {
		if err = pause(ctx, attempt); err != nil {
			return d.told(err)
		}
		if err = d.pools.attempt(ctx, d, fn); !d.dialect.retryable(err) {
			return d.told(err)
		}
	}
	return errBusy.Because(err)
}

// Read runs fn on one consistent snapshot; fn must not write.
func (d *DB) Read(ctx context.Context, fn func(*Tx) error) error {
	return d.look(ctx, d.ways.read, true, fn)
}

// Peek runs fn, which makes a single query, without the cost of a transaction.
func (d *DB) Peek(ctx context.Context, fn func(*Tx) error) error {
	return d.look(ctx, d.ways.peek, false, fn)
}

// Search is Read for what may have to look at many rows: lists and searches. They
// have few connections of their own and less time, so that everybody else is
// answered however many of them wait.
func (d *DB) Search(ctx context.Context, fn func(*Tx) error) error {
	ctx, end := context.WithTimeout(ctx, searchTime)
	defer end()
	return d.look(ctx, d.ways.search, true, fn)
}

// Inspect is Read for as long as it takes, for operators who prove the books.
// Only a connection that is dead ends it, and ctx.
func (d *DB) Inspect(ctx context.Context, fn func(*Tx) error) error {
	return d.told(d.ways.inspect.look(ctx, d, true, fn))
}

// ways are what reading goes by: connections for each kind of it.
type ways struct{ read, peek, search, inspect way }

type way interface {
	// look runs fn, on one snapshot if it is asked for.
	look(ctx context.Context, d *DB, snapshot bool, fn func(*Tx) error) error
}

func (d *DB) look(ctx context.Context, by way, snapshot bool, fn func(*Tx) error) error {
	ctx, end := bounded(ctx, d.limit)
	defer end()
	return d.told(by.look(ctx, d, snapshot, fn))
}

const maxAttempts = 8

// pause waits before a repeated attempt, so that the rivals can finish.
func pause(ctx context.Context, attempt int) error {
	if attempt == 0 {
		return nil
	}
	return sleep(ctx, time.Duration(attempt)*5*time.Millisecond)
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// call turns a panic of fn into an error: it must not take the writer, and
// everybody waiting for it, down.
func call(fn func(*Tx) error, tx *Tx) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic in a transaction: %v\n%s", p, debug.Stack())
		}
	}()
	return fn(tx)
}
