// Package db offers one kind of transaction on two engines: embedded SQLite and PostgreSQL. A use
// case starts it with InTx and passes the *Tx to the functions it calls. All their writes commit
// together or not at all.
//
// When InTx returns without an error, the transaction is durable on disk. The closure may run more
// than once, so it must have no effect outside the database.
package db

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"
)

const fullCache = 64 << 20

// Options configure Open. Nil Now and Random mean the system's clock and random source.
type Options struct {
	Dir    string           // directory of the SQLite file; used when URL is empty
	URL    string           // postgres://…
	Now    func() time.Time // the clock; each transaction reads it once
	Random io.Reader        // source of ids, nonces and seeds

	// Schema says which schema versions Open accepts or migrates. Migrated is called after Open has
	// set up or migrated the schema.
	Schema   SchemaUse
	Migrated func(Migration)

	// CallTime is the time limit of calls whose context has no deadline; 0 = 5 s.
	CallTime time.Duration

	// Cache is the page cache of each SQLite connection in bytes; 0 = 64 MiB. With a smaller cache,
	// sorts use temporary files instead of memory.
	Cache int64

	// Commit wraps the COMMIT of each writing transaction, so that a test can make it fail before
	// or after it takes effect. Nil just calls commit.
	Commit func(commit func() error) error

	// Watch is called when a writing transaction begins. The function it returns receives each
	// statement, so that a test can check their order. Nil disables it.
	Watch func() (see func(statement string))
}

// DB is an open database with its schema up to date.
type DB struct {
	engine      backend
	traits      traits        // of engine
	limit       time.Duration // default time limit of a call
	now         func() time.Time
	random      io.Reader
	watch       func() (see func(statement string))
	subscribers []func(what any)
	ready       singleflight.Group

	keepsTime bool         // now is the system clock
	clockOff  atomic.Int64 // nanoseconds by which the database server's clock is ahead of ours
}

// ErrUnknownCommit marks a transaction whose COMMIT failed in a way that leaves open whether it
// took effect. Look up its idempotency key before retrying.
var ErrUnknownCommit = errors.New("commit outcome unknown")

// Open connects to the database and checks its schema. An older schema is treated as Options.Schema
// says; a schema newer than this program's is an error.
func Open(ctx context.Context, o Options) (*DB, error) {
	keepsTime := o.Now == nil
	if keepsTime {
		o.Now = time.Now
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	if o.Migrated == nil {
		o.Migrated = func(Migration) {}
	}
	if o.Commit == nil {
		o.Commit = func(commit func() error) error { return commit() }
	}
	o.CallTime, o.Cache = cmp.Or(o.CallTime, CallTime), cmp.Or(o.Cache, fullCache)
	open := openSQLite
	if o.URL != "" {
		open = openPostgres
	}
	opened, err := open(ctx, o)
	if err != nil {
		return nil, err
	}
	d := &DB{engine: opened, traits: opened.traits(), limit: o.CallTime, now: o.Now, random: o.Random, watch: o.Watch, keepsTime: keepsTime}
	// A wrong clock isn't an error here: it can be corrected while the node runs. Until then the
	// node refuses writes.
	if err := d.CheckClock(ctx); err != nil && d.InTime() == nil {
		return nil, errors.Join(err, opened.close())
	}
	return d, nil
}

// Subscribe registers a function that receives the messages published with Tx.Publish. It runs
// after the commit and before InTx returns, so it must be fast. Call Subscribe before the first
// transaction.
func (d *DB) Subscribe(receive func(message any)) { d.subscribers = append(d.subscribers, receive) }

// Close waits for running transactions and closes every connection.
func (d *DB) Close() error { return d.engine.close() }

// Now returns the current time by the clock that transactions use, in UTC and whole microseconds.
func (d *DB) Now() time.Time { return d.now().UTC().Truncate(time.Microsecond) }

// Engine returns the engine's name: "sqlite" or "postgres".
func (d *DB) Engine() string { return d.traits.name }

// Writers returns how many writing transactions are worth running at the same time.
func (d *DB) Writers() int { return d.traits.writers }

// Schema returns the schema version that this program works with.
func (d *DB) Schema() int64 { return d.engine.schemaVersion() }

// InTx runs fn in a writing transaction and commits when fn returns nil. After serialization
// failures and deadlocks it runs fn again, a bounded number of times. If the outcome of the commit
// is unknown it returns ErrUnknownCommit. Once a newer program has migrated the database, InTx
// refuses to write (apperr.Unavailable).
//
// A context without a deadline gets one, here and in all reads except Inspect. If the database is
// unreachable or too slow, the error is apperr.Unavailable and asks the caller to retry.
func (d *DB) InTx(ctx context.Context, fn func(*Tx) error) error {
	if err := d.InTime(); err != nil {
		return err
	}
	ctx, end := d.WithTimeLimit(ctx)
	defer end()
	var then []func()
	err := d.engine.write(ctx, d.watched(d.work(func(tx *Tx) error {
		err := fn(tx)
		then = tx.afterCommit
		return cmp.Or(err, tx.punctual())
	})))
	if err == nil || errors.Is(err, ErrUnknownCommit) {
		for _, do := range then {
			do()
		}
	}
	return Unavailable(err)
}

// Read runs fn on one consistent snapshot. fn must not write.
func (d *DB) Read(ctx context.Context, fn func(*Tx) error) error {
	return d.readOnly(ctx, reading, fn)
}

// Peek runs fn without the cost of a transaction: each query sees the rows committed when it runs.
// Use it for lookups by key only; PostgreSQL plans its queries without table scans.
func (d *DB) Peek(ctx context.Context, fn func(*Tx) error) error {
	return d.readOnly(ctx, peeking, fn)
}

// Search is Read for queries that may scan many rows, such as lists and searches. Searches have a
// small connection pool and a shorter time limit (3 s) of their own, so that they never hold up
// other calls.
func (d *DB) Search(ctx context.Context, fn func(*Tx) error) error {
	ctx, end := context.WithTimeout(ctx, searchTime)
	defer end()
	return d.readOnly(ctx, searching, fn)
}

// Inspect is Read without a time limit, for audits. It ends early only if ctx ends or the
// connection is lost.
func (d *DB) Inspect(ctx context.Context, fn func(*Tx) error) error {
	return Unavailable(d.engine.readOnly(ctx, inspecting, d.work(fn)))
}

// Reclaim frees the space of a table's deleted rows for new rows, unless the table is locked. Row
// versions that a running snapshot can still see are kept.
func (d *DB) Reclaim(ctx context.Context, table string) error {
	return Unavailable(d.engine.reclaim(ctx, table))
}

func (d *DB) readOnly(ctx context.Context, why purpose, fn func(*Tx) error) error {
	ctx, end := d.WithTimeLimit(ctx)
	defer end()
	return Unavailable(d.engine.readOnly(ctx, why, d.work(fn)))
}

// work wraps fn to run on an engine's connection. It turns a panic into an error, because a panic
// must not stop the writer and everyone waiting for it.
func (d *DB) work(fn func(*Tx) error) work {
	return func(ctx context.Context, conn runner) (err error) {
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("panic in a transaction: %v\n%s", p, debug.Stack())
			}
		}()
		now := d.Now()
		return fn(&Tx{Now: now, Stated: now, ctx: ctx, conn: conn, db: d})
	}
}

// sleep waits for d or until ctx ends.
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
