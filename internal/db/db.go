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
	"io"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/trace"
	"golang.org/x/sync/singleflight"

	"kaibao/internal/db/engine"
	"kaibao/internal/db/postgres"
	"kaibao/internal/db/sqlite"
)

// Options configure Open. Nil Now and Random mean the system's clock and random source.
type Options struct {
	Dir    string           // directory of the SQLite file; used when URL is empty
	URL    string           // postgres://…
	Pools  Pools            // connections to PostgreSQL; 0 = defaults
	Now    func() time.Time // the clock; each transaction reads it once
	Random io.Reader        // source of ids, nonces and seeds

	// Schema says which schema versions Open accepts or migrates. Open calls Migrated after it has set
	// up or migrated the schema.
	Schema   SchemaUse
	Migrated func(Migration)
	// EmptyError is returned by Open instead of setting up an empty database; nil = set it up.
	EmptyError error

	// CallTime is the time limit of calls whose context has no deadline; 0 = 5 s.
	CallTime time.Duration

	// Cache is the page cache of each SQLite connection in bytes; 0 = 64 MiB. With a smaller cache,
	// sorts use temporary files instead of memory.
	Cache int64

	// Slow reports slow statements.
	Slow SlowQueries

	// Commit wraps the COMMIT of each writing transaction, so that a test can make it fail before
	// or after it takes effect. Nil just calls commit.
	Commit func(commit func() error) error

	// Watch is called when a transaction begins. The function it returns receives each statement, so
	// that a test can check their order or their plans. Nil disables it.
	Watch func() (report func(statement string))

	// Traces adds PostgreSQL's statements, without arguments, to traced calls. Nil disables it.
	Traces trace.TracerProvider
}

// SlowQueries reports statements that take longer than a threshold.
type SlowQueries = engine.SlowQueries

// Pools are the maximum numbers of connections to PostgreSQL, for each kind of work.
type Pools = engine.Pools

// DB is an open database with its schema up to date.
type DB struct {
	engine      engine.Engine
	dialect     engine.Dialect
	schema      int64         // the version that this program works with
	callTime    time.Duration // default time limit of a call
	now         func() time.Time
	random      io.Reader
	watch       func() (report func(statement string))
	subscribers []func(message any)
	ready       singleflight.Group

	usesSystemClock bool         // Options.Now was nil
	clockOffset     atomic.Int64 // nanoseconds by which the database server's clock is ahead of this machine's
}

// Open connects to the database and checks its schema. Options.Schema decides whether an older
// schema is accepted, migrated or refused. A schema newer than this program's is an error, except
// with SchemaAny.
func Open(ctx context.Context, o Options) (*DB, error) {
	usesSystemClock := o.Now == nil
	if usesSystemClock {
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
	o.CallTime = cmp.Or(o.CallTime, CallTime)
	d := &DB{callTime: o.CallTime, now: o.Now, random: o.Random, watch: o.Watch, usesSystemClock: usesSystemClock}
	if err := d.connect(ctx, o); err != nil {
		return nil, err
	}
	// A wrong clock isn't an error here: it can be corrected while the node runs. Until then the
	// node refuses writes.
	if err := d.CheckClock(ctx); err != nil && d.ClockError() == nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// connect opens the engine that the options name.
func (d *DB) connect(ctx context.Context, o Options) error {
	d.dialect = sqlite.Dialect
	if o.URL != "" {
		d.dialect = postgres.Dialect
	}
	migrations, err := readMigrations(d.dialect)
	if err != nil {
		return err
	}
	d.schema = migrations.newest
	if o.URL != "" {
		d.engine, err = postgres.Open(ctx, postgres.Options{
			URL: o.URL, Pools: o.Pools, CallTime: o.CallTime, SearchTime: searchTime, Schema: migrations.schema(d.dialect, o), Slow: o.Slow, Commit: o.Commit, Traces: o.Traces,
		})
		return err
	}
	d.engine, err = sqlite.Open(ctx, sqlite.Options{
		Dir: o.Dir, MustExist: o.Schema == SchemaExact || o.Schema == SchemaOlder, ReadOnly: o.Schema == SchemaAny,
		CallTime: o.CallTime, Cache: o.Cache, Schema: migrations.schema(d.dialect, o), Slow: o.Slow, Commit: o.Commit,
	})
	return err
}

// Subscribe registers a function that receives the messages published with Tx.Publish. It runs
// after the commit and before InTx returns, so it must be fast. Call Subscribe before the first
// transaction.
func (d *DB) Subscribe(receive func(message any)) { d.subscribers = append(d.subscribers, receive) }

// Close waits for running transactions and closes every connection.
func (d *DB) Close() error { return d.engine.Close() }

// Now returns the current time by the clock that transactions use, in UTC and whole microseconds.
func (d *DB) Now() time.Time { return d.now().UTC().Truncate(time.Microsecond) }

// Engine returns the engine's name: "sqlite" or "postgres".
func (d *DB) Engine() string { return d.dialect.Name }

// Writers returns how many writing transactions are worth running at the same time.
func (d *DB) Writers() int { return d.dialect.Writers }

// Schema returns the schema version that this program works with.
func (d *DB) Schema() int64 { return d.schema }

// InTx runs fn in a writing transaction and commits when fn returns nil. After serialization
// failures and deadlocks it runs fn again, a bounded number of times. If the outcome of the commit
// is unknown it returns ErrUnknownCommit. Once a newer program has migrated the database, InTx
// refuses to write (apperr.Unavailable).
//
// A context without a deadline gets one, here and in all reads except Inspect. If the database is
// unreachable or too slow, the error is apperr.Unavailable and asks the caller to retry.
func (d *DB) InTx(ctx context.Context, fn func(*Tx) error) error {
	if err := d.ClockError(); err != nil {
		return err
	}
	ctx, end := d.WithTimeLimit(ctx)
	defer end()
	var afterCommit []func()
	err := d.engine.Write(ctx, d.withWatch(d.inTx(func(tx *Tx) error {
		err := fn(tx)
		afterCommit = tx.afterCommit
		return cmp.Or(err, tx.checkDeadline())
	})))
	if err == nil || errors.Is(err, ErrUnknownCommit) {
		for _, do := range afterCommit {
			do()
		}
	}
	return Unavailable(err)
}

// Read runs fn on one consistent snapshot. fn must not write.
func (d *DB) Read(ctx context.Context, fn func(*Tx) error) error {
	return d.read(ctx, engine.Read, fn)
}

// Peek runs fn without the cost of a transaction: each query sees the rows committed when it runs.
// Use it for lookups by key only; PostgreSQL plans its queries without table scans.
func (d *DB) Peek(ctx context.Context, fn func(*Tx) error) error {
	return d.read(ctx, engine.Peek, fn)
}

// Search is Read for queries that may scan many rows, such as lists and searches. Searches have a
// small connection pool and a shorter time limit (3 s) of their own, so that they never hold up
// other calls.
func (d *DB) Search(ctx context.Context, fn func(*Tx) error) error {
	ctx, end := context.WithTimeout(ctx, searchTime)
	defer end()
	return d.read(ctx, engine.Search, fn)
}

// Inspect is Read without a time limit, for audits. It ends early only if ctx ends or the
// connection is lost.
func (d *DB) Inspect(ctx context.Context, fn func(*Tx) error) error {
	return Unavailable(d.engine.Read(ctx, engine.Inspect, d.inTx(fn)))
}

// Reclaim frees the space of a table's deleted rows for new rows, unless the table is locked. Row
// versions that a running snapshot can still see are kept.
func (d *DB) Reclaim(ctx context.Context, table string) error {
	return Unavailable(d.engine.Reclaim(ctx, table))
}

func (d *DB) read(ctx context.Context, purpose engine.Purpose, fn func(*Tx) error) error {
	ctx, end := d.WithTimeLimit(ctx)
	defer end()
	return Unavailable(d.engine.Read(ctx, purpose, d.withWatch(d.inTx(fn))))
}

// inTx returns work that runs fn with a Tx on an engine's connection.
func (d *DB) inTx(fn func(*Tx) error) engine.Work {
	return func(ctx context.Context, conn engine.Conn) error {
		now := d.Now()
		return fn(&Tx{Now: now, AnnouncedAt: now, ctx: ctx, conn: conn, db: d})
	}
}

// Stats returns the state of the engine's connections.
func (d *DB) Stats() engine.Stats { return d.engine.Stats() }

// Integrity checks tables and indexes page by page: SQLite's integrity_check, or PostgreSQL's
// extension amcheck where it is installed.
func (d *DB) Integrity(ctx context.Context) (engine.Integrity, error) { return d.engine.Integrity(ctx) }
