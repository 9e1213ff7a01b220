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
	Now    time.Time // UTC, whole microseconds
	Stated time.Time // as of when it promises others something: Now, or later by Restate
	by     time.Time // when it must have committed; zero = whenever
	late   string    // what the caller is told of a later commit
	ctx    context.Context
	conn   runner
	db     *DB
	then   []func()
	told   []any

	// RetriedAlone says that a failure is not final: a Combiner then runs each of the
	// transaction's commands again in a transaction of its own.
	RetriedAlone bool
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
func One[T any](tx *Tx, scan func(Scanner) (T, error), query string, args ...any) (value T, err error) {
	err = tx.soon(query, args, first(&value, scan))()
	return value, err
}

// Soon is One whose query waits for what it returns to be called, or for another
// statement, and goes with all that waits in one go: queries of which none needs what
// another one finds cost one round trip. They are answered in their order.
func Soon[T any](tx *Tx, scan func(Scanner) (T, error), query string, args ...any) func() (T, error) {
	var value T
	ask := tx.soon(query, args, first(&value, scan))
	return func() (T, error) {
		err := ask()
		return value, err
	}
}

func first[T any](value *T, scan func(Scanner) (T, error)) func(walk) error {
	return func(rows walk) (err error) {
		if !rows.Next() {
			return cmp.Or(rows.Err(), ErrNoRow)
		}
		*value, err = scan(rows)
		return err
	}
}

// All reads every row of a query; no rows are an empty, non-nil slice.
func All[T any](tx *Tx, scan func(Scanner) (T, error), query string, args ...any) (values []T, err error) {
	err = tx.soon(query, args, every(&values, scan))()
	return values, err
}

// SoonAll is All that waits as Soon does.
func SoonAll[T any](tx *Tx, scan func(Scanner) (T, error), query string, args ...any) func() ([]T, error) {
	var values []T
	ask := tx.soon(query, args, every(&values, scan))
	return func() ([]T, error) {
		err := ask()
		return values, err
	}
}

func every[T any](values *[]T, scan func(Scanner) (T, error)) func(walk) error {
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

func (tx *Tx) soon(query string, args []any, read func(walk) error) (ask func() error) {
	var failure error
	asked := tx.conn.soon(tx.ctx, query, args, func(rows walk) { failure = read(rows) })
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

// Alone waits until no other transaction that asked for the same name is under way, and
// keeps others out until this one ends. It is for what no row stands for, such as a row that
// may come, and is asked for before any row is locked.
func (tx *Tx) Alone(name string) error {
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
