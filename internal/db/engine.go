package db

import (
	"cmp"
	"context"

	"github.com/pressly/goose/v3"
)

// engine is a database: SQLite or PostgreSQL. Whatever is done differently on the
// two is here. Queries are written once, in what both speak, with $1 placeholders
// (SQLite takes them for names; its driver goes by the number).
type engine interface {
	traits() traits
	schemaVersion() int64 // that this program works with
	// write commits work in one transaction. It runs it again when a rival was in
	// its way, a bounded number of times.
	write(ctx context.Context, do work) error
	// readOnly runs work that only reads, on one snapshot unless it is peeking.
	readOnly(ctx context.Context, why purpose, do work) error
	// values gives rows to statements that read them under the name v.
	values(rows Rows) []values
	// rebuilding runs do, and makes a table's indexes anew behind it where that costs less
	// than keeping them in order row by row.
	rebuilding(tx *Tx, table string, do func() error) error
	// reclaim gives the room of a table's rows that are gone to new ones.
	reclaim(ctx context.Context, table string) error
	// integrity checks what the engine keeps on disk.
	integrity(ctx context.Context) (Integrity, error)
	close() error
}

// traits are what must be known of an engine, and the words of its SQL.
type traits struct {
	name       string
	goose      goose.Dialect
	writers    int    // batches that may commit at the same time
	forUpdate  string // locks the rows that a SELECT returns
	forShare   string // keeps them as they are, and lets others do the same
	skipLocked string // forUpdate that waits for nobody
	alone      string // keeps out who asks for the same name $1; empty = one transaction writes at a time anyway
	clock      string // the time by the server's own clock, in microseconds; empty = it has none
	autoID     string // column type of a sequence that the database counts
	bytewise   string // collation that compares bytes
	id         string // column type of what NewID makes
	asID       string // the column of text %[1]s as such, NULL where it is none
	inList     string // what follows a column that is in the List %s
	keep       string // lets no row of the table $1 be changed or deleted
	proven     string // gives up the foreign key $2 of the table $1, where the engine's own look is dear

	selfMigrating bool // the server migrates an older schema at its start
}

// work is what somebody does on a connection. Its panic is an error.
type work func(ctx context.Context, conn runner) error

// purpose says what reading is for. Each has connections that others leave alone
// as far as the engine allows.
type purpose int

const (
	reading    purpose = iota // on one snapshot
	peeking                   // by key, without a transaction
	searching                 // at many rows
	inspecting                // for as long as it takes
)

// values are some rows before a statement that reads them under the name v.
type values struct {
	with string // stands before the statement
	args []any
	rows int
}

// maxAttempts is how often work runs that rivals are in the way of.
const maxAttempts = 8

// runner is an engine's connection while a transaction has it.
type runner interface {
	exec(ctx context.Context, query string, args []any) (touched int64, err error)
	query(ctx context.Context, query string, args []any) (cursor, error)
	// later may hold a statement back until the next one, or until the commit;
	// check makes of its outcome the error that counts.
	later(ctx context.Context, query string, args []any, check func(touched int64, err error) error) error
	// queue may hold a query back likewise, until what it returns is called at the latest,
	// which gives its error; read walks through its answer.
	queue(ctx context.Context, query string, args []any, read func(walk)) (asked func() error)
}

// walk is a query's answer, row by row.
type walk interface {
	Next() bool
	Scan(dest ...any) error
	Err() error
}

// cursor walks through a query's answer.
type cursor interface {
	walk
	Close() error
}

// walked has read walk through a query's answer, and closes it whatever happens.
func walked(rows cursor, read func(walk)) (err error) {
	defer func() { err = cmp.Or(err, rows.Close()) }()
	read(rows)
	return rows.Err()
}
