package db

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// Tx is a running transaction. Its time is fixed when it begins, so that all it
// writes carries the same instant.
type Tx struct {
	Now  time.Time // UTC, whole microseconds
	ctx  context.Context
	conn runner
	db   *DB
	then []func()
	told []any
}

// Scanner is a row to read columns from.
type Scanner interface{ Scan(dest ...any) error }

// AfterCommit has InTx do something when what was written is kept, or may be, and before
// it returns.
func (tx *Tx) AfterCommit(do func()) { tx.then = append(tx.then, do) }

// Tell has whoever hears of what is done on this node (DB.Hear) told of something when what
// was written is kept, or may be.
func (tx *Tx) Tell(what any) {
	tx.told = append(tx.told, what)
	tx.AfterCommit(func() {
		for _, hear := range tx.db.hear {
			hear(what)
		}
	})
}

// Told is what was told in the transaction so far.
func (tx *Tx) Told() []any { return tx.told }

// Exec runs a statement and returns how many rows it touched.
func (tx *Tx) Exec(query string, args ...any) (int64, error) {
	n, err := tx.conn.exec(tx.ctx, query, args)
	return n, failed(query, err)
}

// ExecOne runs a statement that must touch exactly one row.
func (tx *Tx) ExecOne(query string, args ...any) error {
	n, err := tx.Exec(query, args...)
	if err == nil && n != 1 {
		err = fmt.Errorf("%d rows touched instead of one: %w", n, ErrNoRow)
	}
	return err
}

// ErrNoRow says that a row that was asked for is not there.
var ErrNoRow = errors.New("no such row")

// One reads the first row of a query, or ErrNoRow.
func One[T any](tx *Tx, scan func(Scanner) (T, error), query string, args ...any) (T, error) {
	var zero T
	rows, err := tx.conn.query(tx.ctx, query, args)
	if err != nil {
		return zero, failed(query, err)
	}
	defer func() { _ = rows.Close() }()
	value, err := first(rows, scan)
	if err != nil {
		return zero, failed(query, err)
	}
	return value, failed(query, rows.Close())
}

func first[T any](rows walk, scan func(Scanner) (T, error)) (value T, err error) {
	if rows.Next() {
		return scan(rows)
	}
	if err := rows.Err(); err != nil {
		return value, err
	}
	return value, ErrNoRow
}

// Soon reads the first row of a query in one go with the transaction's next
// statement, so that it costs no round trip of its own. What it returns gives the
// row after that, or ErrNoRow.
func Soon[T any](tx *Tx, scan func(Scanner) (T, error), query string, args ...any) func() (T, error) {
	var value T
	none := ErrNoRow
	err := tx.conn.soon(tx.ctx, query, args, func(rows walk) error {
		value, none = first(rows, scan)
		return nil
	})
	return func() (T, error) { return value, failed(query, cmp.Or(err, none)) }
}

// All reads every row of a query; no rows are an empty, non-nil slice.
func All[T any](tx *Tx, scan func(Scanner) (T, error), query string, args ...any) ([]T, error) {
	values := []T{}
	err := Each(tx, scan, func(value T) error {
		values = append(values, value)
		return nil
	}, query, args...)
	if err != nil {
		return nil, err
	}
	return values, nil
}

// Each shows every row of a query to see, one at a time, until see fails. see must
// not use the transaction: its connection is busy with the query.
func Each[T any](tx *Tx, scan func(Scanner) (T, error), see func(T) error, query string, args ...any) error {
	rows, err := tx.conn.query(tx.ctx, query, args)
	if err != nil {
		return failed(query, err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		value, err := scan(rows)
		if err != nil {
			return failed(query, err)
		}
		if err := see(value); err != nil {
			return err
		}
	}
	return failed(query, rows.Err())
}

// Column scans a row of one column.
func Column[T any](s Scanner) (T, error) {
	var value T
	err := s.Scan(&value)
	return value, err
}

// ForUpdate is the clause that locks the rows a SELECT returns until the
// transaction ends; SQLite's single writer needs none.
func (tx *Tx) ForUpdate() string { return tx.db.traits.forUpdate }

// ForShare is the clause that keeps the rows a SELECT returns as they are until the
// transaction ends, and lets others keep them too.
func (tx *Tx) ForShare() string { return tx.db.traits.forShare }

// ForUpdateSkipLocked is ForUpdate that passes over the rows which another
// transaction holds, for work that it is then doing.
func (tx *Tx) ForUpdateSkipLocked() string { return tx.db.traits.skipLocked }

// Random gives n unpredictable bytes. It panics when the system has none, as
// nothing can go on safely then.
func (tx *Tx) Random(n int) []byte {
	b := make([]byte, n)
	if _, err := io.ReadFull(tx.db.random, b); err != nil {
		panic(fmt.Sprintf("no randomness: %v", err))
	}
	return b
}

// Micros is how a time is stored: microseconds since 1970, UTC.
func Micros(t time.Time) int64 { return t.UnixMicro() }

// Time reads back what Micros stored.
func Time(micros int64) time.Time { return time.UnixMicro(micros).UTC() }

// InList is the condition that a column's value is in the List of a placeholder.
func (tx *Tx) InList(column, placeholder string) string {
	return column + fmt.Sprintf(tx.db.traits.inList, placeholder)
}

// AsID is a column of text as the id that it holds, and NULL where it holds none.
func (tx *Tx) AsID(column string) string { return fmt.Sprintf(tx.db.traits.asID, column) }

// Bytewise is a column compared byte by byte, whatever the database's locale is.
func (tx *Tx) Bytewise(column string) string { return column + tx.db.traits.bytewise }
