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

	"kaibao/internal/fault"
)

// Options say where the data lives. The zero Now and Random are the system's.
type Options struct {
	Dir    string           // directory of the SQLite file; used when URL is empty
	URL    string           // postgres://…
	Now    func() time.Time // the clock that transactions read once
	Random io.Reader        // source of ids, nonces and seeds

	// Commit stands between a writing transaction and the engine's COMMIT, so that
	// a test can make it fail before or after the fact. Nil calls commit, no more.
	Commit func(commit func() error) error
}

// DB is an open database with its schema up to date.
type DB struct {
	dialect dialect
	now     func() time.Time
	random  io.Reader
	commit  func(commit func() error) error
	pools   *postgresPools // nil on SQLite, as the rest is on PostgreSQL
	write   *sql.DB
	read    *sql.DB
	queue   *commitQueue // the single writer
	turns   *turns
	readers readers
}

// ErrUnknownCommit marks a transaction whose COMMIT failed in a way that leaves
// open whether it was kept. Look for its idempotency key before acting again.
var ErrUnknownCommit = errors.New("commit outcome unknown")

// Open connects, brings the schema up to date and refuses a schema newer than
// this program's.
func Open(ctx context.Context, o Options) (*DB, error) {
	d := &DB{now: o.Now, random: o.Random, commit: o.Commit}
	if d.now == nil {
		d.now = time.Now
	}
	if d.random == nil {
		d.random = rand.Reader
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
	if d.readers != nil {
		d.readers.close(cap(d.readers))
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

// Ping tells whether the database answers.
func (d *DB) Ping(ctx context.Context) error {
	if d.pools != nil {
		return d.pools.read.Ping(ctx)
	}
	return d.read.PingContext(ctx)
}

// Now is the clock that transactions use, to the microsecond, in UTC.
func (d *DB) Now() time.Time { return d.now().UTC().Truncate(time.Microsecond) }

// Engine names the engine: "sqlite" or "postgres".
func (d *DB) Engine() string { return d.dialect.name }

// InTx runs fn in one transaction that may write, and commits when fn returns
// nil. Serialisation failures and deadlocks run fn again, a bounded number of
// times. A commit of unknown outcome is reported as ErrUnknownCommit.
func (d *DB) InTx(ctx context.Context, fn func(*Tx) error) error {
	if d.queue != nil {
		return d.queue.do(ctx, fn)
	}
	var err error
	for attempt := range maxAttempts {
		if err = pause(ctx, attempt); err != nil {
			return err
		}
		if err = d.pools.attempt(ctx, d, fn); !d.dialect.retryable(err) {
			return err
		}
	}
	return errBusy.Because(err)
}

// errBusy asks the caller to come back: nothing was done.
var errBusy = fault.New(fault.Unavailable, "unavailable", "The server is busy. Please try again.").After(time.Second)

// Read runs fn on one consistent snapshot; fn must not write.
func (d *DB) Read(ctx context.Context, fn func(*Tx) error) error {
	return d.look(ctx, true, fn)
}

// Peek runs fn, which makes a single query, without the cost of a transaction.
func (d *DB) Peek(ctx context.Context, fn func(*Tx) error) error {
	return d.look(ctx, false, fn)
}

func (d *DB) look(ctx context.Context, snapshot bool, fn func(*Tx) error) error {
	if d.pools != nil {
		return d.pools.look(ctx, d, snapshot, fn)
	}
	return d.readers.look(ctx, d, snapshot, fn)
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
