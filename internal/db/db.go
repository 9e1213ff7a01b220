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

// Options say where the data lives. The zero Now and Random are the system's.
type Options struct {
	Dir    string           // directory of the SQLite file; used when URL is empty
	URL    string           // postgres://…
	Now    func() time.Time // the clock that transactions read once
	Random io.Reader        // source of ids, nonces and seeds

	// Schema says what to do about a schema that is not this program's; Migrated is
	// called after one was set up or migrated.
	Schema   SchemaUse
	Migrated func(Migration)

	// CallTime is how long a call may take whose context has no end; 0 = 5 s.
	CallTime time.Duration

	// Cache is how many bytes each connection to SQLite keeps of the database; 0 = 64 MiB.
	// Whoever asks for less sorts on disk what it reads, instead of in memory.
	Cache int64

	// Commit stands between a writing transaction and the engine's COMMIT, so that
	// a test can make it fail before or after the fact. Nil calls commit, no more.
	Commit func(commit func() error) error

	// Watch is called when a writing transaction begins, and what it returns sees
	// the statements, so that a test can hold their order to a rule. Nil looks away.
	Watch func() (see func(statement string))
}

// DB is an open database with its schema up to date.
type DB struct {
	engine      engine
	traits      traits        // of the engine
	limit       time.Duration // of a call
	now         func() time.Time
	random      io.Reader
	watch       func() (see func(statement string))
	subscribers []func(what any)
	ready       singleflight.Group

	keepsTime bool         // now is the machine's clock
	clockOff  atomic.Int64 // nanoseconds that the database's clock is ahead of it
}

// ErrUnknownCommit marks a transaction whose COMMIT failed in a way that leaves
// open whether it was kept. Look for its idempotency key before acting again.
var ErrUnknownCommit = errors.New("commit outcome unknown")

// Open connects, does what the options say about an older schema, and refuses one
// newer than this program's.
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
	engine, err := open(ctx, o)
	if err != nil {
		return nil, err
	}
	d := &DB{engine: engine, traits: engine.traits(), limit: o.CallTime, now: o.Now, random: o.Random, watch: o.Watch, keepsTime: keepsTime}
	// A wrong clock can be set right while the node runs; till then it writes nothing.
	if err := d.CheckClock(ctx); err != nil && d.InTime() == nil {
		return nil, errors.Join(err, engine.close())
	}
	return d, nil
}

// Subscribe registers a function that receives the messages published with Tx.Publish. It runs
// after the commit and before InTx returns, so it must be fast. Call Subscribe before the first
// transaction.
func (d *DB) Subscribe(receive func(message any)) { d.subscribers = append(d.subscribers, receive) }

// Close lets running transactions end and closes every connection.
func (d *DB) Close() error { return d.engine.close() }

// Now is the clock that transactions use, to the microsecond, in UTC.
func (d *DB) Now() time.Time { return d.now().UTC().Truncate(time.Microsecond) }

// Engine names the engine: "sqlite" or "postgres".
func (d *DB) Engine() string { return d.traits.name }

// Schema is the version that this program works with.
func (d *DB) Schema() int64 { return d.engine.schemaVersion() }

// InTx runs fn in one transaction that may write, and commits when fn returns
// nil. Serialisation failures and deadlocks run fn again, a bounded number of
// times. A commit of unknown outcome is reported as ErrUnknownCommit. Once a newer
// program has migrated the database nothing is written any more (apperr.Unavailable).
//
// A context without an end is given one, here and in all that reads: who finds
// the database away or too slow is told to come back (apperr.Unavailable).
func (d *DB) InTx(ctx context.Context, fn func(*Tx) error) error {
	if err := d.InTime(); err != nil {
		return err
	}
	ctx, end := bounded(ctx, d.limit)
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
	return unavailable(err)
}

// Read runs fn on one consistent snapshot; fn must not write.
func (d *DB) Read(ctx context.Context, fn func(*Tx) error) error {
	return d.readOnly(ctx, reading, fn)
}

// Peek runs fn without the cost of a transaction: each of its queries sees what is there
// when it is asked, and finds it by key.
func (d *DB) Peek(ctx context.Context, fn func(*Tx) error) error {
	return d.readOnly(ctx, peeking, fn)
}

// Search is Read for what may have to look at many rows: lists and searches. They
// have few connections of their own and less time, so that everybody else is
// answered however many of them wait.
func (d *DB) Search(ctx context.Context, fn func(*Tx) error) error {
	ctx, end := context.WithTimeout(ctx, searchTime)
	defer end()
	return d.readOnly(ctx, searching, fn)
}

// Inspect is Read for as long as it takes, for operators who prove the books.
// Only a connection that is dead ends it, and ctx.
func (d *DB) Inspect(ctx context.Context, fn func(*Tx) error) error {
	return unavailable(d.engine.readOnly(ctx, inspecting, d.work(fn)))
}

// Reclaim gives the room of a table's rows that are gone to new ones, unless somebody is
// at it. What others are reading as it was stays.
func (d *DB) Reclaim(ctx context.Context, table string) error {
	return unavailable(d.engine.reclaim(ctx, table))
}

func (d *DB) readOnly(ctx context.Context, why purpose, fn func(*Tx) error) error {
	ctx, end := bounded(ctx, d.limit)
	defer end()
	return unavailable(d.engine.readOnly(ctx, why, d.work(fn)))
}

// work is fn on a connection. A panic of it is turned into an error: it must not
// take the writer, and everybody waiting for it, down.
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

// sleep waits, no longer than ctx.
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
