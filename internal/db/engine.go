package db

import (
	"cmp"
	"context"

	"github.com/pressly/goose/v3"
)

// backend is a database engine: SQLite or PostgreSQL. Everything the two do differently is here.
// Queries are written once, in SQL that both understand, with $1 placeholders (SQLite treats them
// as names, but its driver binds them by number).
type backend interface {
	traits() traits
	schemaVersion() int64 // the version that this program works with
	// write runs work in one transaction and commits it. It runs work again after a conflict with
	// another transaction, a bounded number of times.
	write(ctx context.Context, do work) error
	// readOnly runs work that only reads, on one snapshot unless why is peeking.
	readOnly(ctx context.Context, why purpose, do work) error
	// values turns rows into parts, each a WITH clause that defines v, with its arguments.
	values(rows Rows) []values
	// rebuilding runs do. If that is cheaper than updating a table's indexes row by row, it drops
	// them before and recreates them afterwards.
	rebuilding(tx *Tx, table string, do func() error) error
	// reclaim frees the space of a table's deleted rows for new rows.
	reclaim(ctx context.Context, table string) error
	// integrity checks the engine's files on disk.
	integrity(ctx context.Context) (Integrity, error)
	close() error
}

// traits describe an engine: its properties and its SQL dialect.
type traits struct {
	name       string
	goose      goose.Dialect
	writers    int    // Combiner batches that may be in flight at the same time
	forUpdate  string // clause that locks the rows of a SELECT
	forShare   string // clause that locks them against changes but lets others share the lock
	skipLocked string // forUpdate that skips locked rows
	alone      string // statement that locks the name $1; empty = not needed with a single writer
	clock      string // the server's clock in microseconds; empty = the engine has no clock of its own
	autoID     string // column type of a number that the database counts up
	bytewise   string // collation that compares bytes
	id         string // column type of the ids that NewID makes
	asID       string // the text column %[1]s as an id; NULL where it holds none
	inList     string // condition after a column: it is in the List %s
	keep       string // makes the rows of the table $1 immutable: no UPDATE, no DELETE
	proven     string // drops the foreign key $2 of the table $1 where the engine's own check is slow

	selfMigrating bool // the server migrates an older schema when it starts
}

// work runs on an engine's connection. A panic in it becomes an error.
type work func(ctx context.Context, conn runner) error

// purpose is what a read is for. Each has its own connections where the engine allows it.
type purpose int

const (
	reading    purpose = iota // on one snapshot
	peeking                   // lookups by key, without a transaction
	searching                 // queries that may scan many rows
	inspecting                // audits, without a time limit
)

// values are some rows in front of a statement that reads them under the name v.
type values struct {
	with string // WITH clause that goes before the statement
	args []any
	rows int
}

// maxAttempts is how many times a transaction runs that keeps conflicting with others.
const maxAttempts = 8

// runner is the connection of a running transaction.
type runner interface {
	exec(ctx context.Context, query string, args []any) (touched int64, err error)
	query(ctx context.Context, query string, args []any) (cursor, error)
	// later may defer a statement until the next one or until the commit. check turns its outcome
	// into the error to report.
	later(ctx context.Context, query string, args []any, check func(touched int64, err error) error) error
	// queue may defer a query until asked is called, at the latest. asked returns its error; read
	// iterates over its rows.
	queue(ctx context.Context, query string, args []any, read func(walk)) (asked func() error)
}

// walk iterates over a query's rows.
type walk interface {
	Next() bool
	Scan(dest ...any) error
	Err() error
}

// cursor is a walk that must be closed.
type cursor interface {
	walk
	Close() error
}

// walked passes rows to read and then closes them.
func walked(rows cursor, read func(walk)) (err error) {
	defer func() { err = cmp.Or(err, rows.Close()) }()
	read(rows)
	return rows.Err()
}
