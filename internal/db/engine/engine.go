// Package engine has the declarations that package db shares with its two engines: their interface,
// dialects, errors, the schema they check, and queue tickets.
package engine

import (
	"cmp"
	"context"
	"fmt"
	"runtime/debug"
	"time"
)

// Engine is an open database. All differences between SQLite and PostgreSQL are in their Engine and
// their Dialect. Queries are written once, in SQL that both understand, with $1 placeholders
// (SQLite treats them as names, but its driver binds them by number).
type Engine interface {
	// Write runs work in one transaction and commits it. It runs work again after a conflict with
	// another transaction, a bounded number of times.
	Write(ctx context.Context, do Work) error
	// Read runs work that only reads, on one snapshot unless the purpose is Peek.
	Read(ctx context.Context, purpose Purpose, do Work) error
	// Values turns rows into one or more tables, each for a statement of its own.
	Values(columns []string, rows [][]any) []Values
	// Reclaim frees the space of a table's deleted rows for new rows.
	Reclaim(ctx context.Context, table string) error
	// Integrity checks the engine's files on disk.
	Integrity(ctx context.Context) (Integrity, error)
	// Stats returns the state of the connections.
	Stats() Stats
	// Close waits for running transactions and closes every connection.
	Close() error
}

// Stats is the state of an engine's connections.
type Stats struct {
	Pools []Pool
	// Queue is the number of transactions that wait for SQLite's writer. It is 0 on PostgreSQL, where
	// they wait for a connection.
	Queue int
}

// Pool is the state of the connections for one kind of work.
type Pool struct {
	Name  string // the kind of work
	Size  int64  // maximum number of connections
	InUse int64  // number of connections in use
	Waits int64  // calls since the start that found no free connection
}

// MaxAttempts is how often a transaction runs before its conflicts with others become an error.
const MaxAttempts = 8

// Work runs on an engine's connection.
type Work func(ctx context.Context, conn Conn) error

// Run runs the work. It turns a panic into an error, because a panic must not stop the
// writer that others wait for.
func (w Work) Run(ctx context.Context, conn Conn) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic in a transaction: %v\n%s", p, debug.Stack())
		}
	}()
	return w(ctx, conn)
}

// Purpose is the purpose of a read. On PostgreSQL each has its own connections.
type Purpose int

// The purposes, named after the methods of db.DB.
const (
	Read    Purpose = iota // on one snapshot
	Peek                   // lookups by key, without a transaction
	Search                 // queries that may scan many rows
	Inspect                // audits, without a time limit
)

// String returns the purpose's name in statistics.
func (p Purpose) String() string { return [...]string{"read", "peek", "search", "inspect"}[p] }

// Conn is the connection of a running transaction.
type Conn interface {
	// Exec runs a statement and returns the number of rows it affected.
	Exec(ctx context.Context, query string, args []any) (affected int64, err error)
	// Query runs a query. No other statement can run until its rows are closed.
	Query(ctx context.Context, query string, args []any) (ClosableRows, error)
	// QueueExec may defer a statement until the next one or until the commit. check turns its
	// outcome into the error to report.
	QueueExec(ctx context.Context, query string, args []any, check func(affected int64, err error) error) error
	// QueueQuery may defer a query until wait is called, at the latest. wait returns its error; read
	// iterates over its rows.
	QueueQuery(ctx context.Context, query string, args []any, read func(Rows)) (wait func() error)
}

// Rows iterates over a query's rows.
type Rows interface {
	Next() bool
	Scan(dest ...any) error
	Err() error
}

// ClosableRows are Rows that must be closed.
type ClosableRows interface {
	Rows
	Close() error
}

// ReadAndClose passes rows to read and then closes them.
func ReadAndClose(rows ClosableRows, read func(Rows)) (err error) {
	defer func() { err = cmp.Or(err, rows.Close()) }()
	read(rows)
	return rows.Err()
}

// Values is a table of rows that a statement reads under the name v.
type Values struct {
	With string // WITH clause that goes before the statement
	Args []any
	Rows int
}

// The text around the columns and rows of Values.With.
const (
	ValuesPrefix = "WITH RECURSIVE v(" // RECURSIVE so that a statement may add a recursive query
	ValuesSuffix = ")) "
)

// Sleep waits for d or until ctx ends.
func Sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
