package db

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"kaibao/internal/apperr"
)

// Tx is a running transaction. Its time is fixed when it begins, so that all it
// writes carries the same instant.
type Tx struct {
	Now         time.Time // UTC, whole microseconds
	Stated      time.Time // as of when it promises others something: Now, or later by Restate
	by          time.Time // when it must have committed; zero = whenever
	late        string    // what the caller is told of a later commit
	ctx         context.Context
	conn        runner
	db          *DB
	afterCommit []func()
	published   []any

	// RetrySeparately makes a Combiner retry each command in a transaction of its own after
	// a failure.
	RetrySeparately bool
}

// Restate has the transaction promise as of this moment, behind work that took long: nobody
// sees a promise before the commit. Now stays, as does what was stated before.
func (tx *Tx) Restate() { tx.Stated = tx.db.Now() }

// CommitBy makes InTx roll back with apperr.Unavailable and a message if the clock is past a
// time once the last statement has run. The earliest of several times counts.
func (tx *Tx) CommitBy(at time.Time, late string) {
	if tx.by.IsZero() || at.Before(tx.by) {
		tx.by, tx.late = at, late
	}
}

// punctual compares the clock with the time by which the transaction must have committed.
func (tx *Tx) punctual() error {
	if late := tx.db.Now().Sub(tx.by); !tx.by.IsZero() && late > 0 {
		return apperr.New(apperr.Unavailable, tx.late).After(time.Second).Because(fmt.Errorf("%s later than it may be seen", late))
	}
	return nil
}

// Scanner is a row to read columns from.
type Scanner interface{ Scan(dest ...any) error }

// AfterCommit runs a function after the commit and before InTx returns, also if it is unknown
// whether the commit succeeded.
func (tx *Tx) AfterCommit(do func()) { tx.afterCommit = append(tx.afterCommit, do) }

// Publish sends a message to this node's subscribers (DB.Subscribe) after the commit, also if
// it is unknown whether the commit succeeded.
func (tx *Tx) Publish(message any) {
	tx.published = append(tx.published, message)
	tx.AfterCommit(func() {
		for _, receive := range tx.db.subscribers {
			receive(message)
		}
	})
}

// Published returns the messages that this transaction has published so far.
func (tx *Tx) Published() []any { return tx.published }

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
func One[T any](tx *Tx, scan func(Scanner) (T, error), query string, args ...any) (value T, err error) {
	err = tx.queue(query, args, scanFirst(&value, scan))()
	return value, err
}

// Queue queues a query and returns a function that yields its first row, or ErrNoRow. Queued
// queries share one round trip: they are sent when one of those functions is called or another
// statement runs, in the order they were queued.
func Queue[T any](tx *Tx, scan func(Scanner) (T, error), query string, args ...any) func() (T, error) {
	var value T
	ask := tx.queue(query, args, scanFirst(&value, scan))
	return func() (T, error) {
		err := ask()
		return value, err
	}
}

func scanFirst[T any](value *T, scan func(Scanner) (T, error)) func(walk) error {
	return func(rows walk) (err error) {
		if !rows.Next() {
			return cmp.Or(rows.Err(), ErrNoRow)
		}
		*value, err = scan(rows)
		return err
	}
}

// All reads every row of a query. Without rows it returns an empty, non-nil slice.
func All[T any](tx *Tx, scan func(Scanner) (T, error), query string, args ...any) (values []T, err error) {
	err = tx.queue(query, args, scanAll(&values, scan))()
	return values, err
}

// QueueAll is Queue for all rows of a query.
func QueueAll[T any](tx *Tx, scan func(Scanner) (T, error), query string, args ...any) func() ([]T, error) {
	var values []T
	ask := tx.queue(query, args, scanAll(&values, scan))
	return func() ([]T, error) {
		err := ask()
		return values, err
	}
}

func scanAll[T any](values *[]T, scan func(Scanner) (T, error)) func(walk) error {
	*values = []T{}
	return func(rows walk) error {
		for rows.Next() {
			value, err := scan(rows)
			if err != nil {
				return err
			}
			*values = append(*values, value)
		}
		return nil
	}
}

func (tx *Tx) queue(query string, args []any, read func(walk) error) (ask func() error) {
	var failure error
	asked := tx.conn.queue(tx.ctx, query, args, func(rows walk) { failure = read(rows) })
	return func() error { return failed(query, cmp.Or(asked(), failure)) }
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

// AdvisoryLock holds the lock of a name until the transaction ends. It protects what has no row
// to lock, such as a row that may be inserted. Take it before locking any row.
func (tx *Tx) AdvisoryLock(name string) error {
	if tx.db.traits.alone == "" {
		return nil
	}
	_, err := tx.Exec(tx.db.traits.alone, name)
	return err
}

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
