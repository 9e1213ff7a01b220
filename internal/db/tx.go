package db

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/db/engine"
)

// Tx is a running transaction. Its time is fixed when it begins, so that everything it writes
// carries the same timestamp.
type Tx struct {
	Now         time.Time // UTC, whole microseconds
	AnnouncedAt time.Time // time of its announcements: Now, or later after AnnounceNow
	deadline    time.Time // of CommitBy; zero = none
	lateMessage string    // of the error if the deadline has passed
	restartAt   time.Time // of RestartAfter; zero = none
	ctx         context.Context
	conn        engine.Conn
	db          *DB
	afterCommit []func()

	// MarketPosition is the market position that a node must have reached to show this
	// transaction's changes; empty if the market didn't change. Package action returns it to the
	// client.
	MarketPosition string

	// RetrySeparately makes a batch.Combiner retry each command in a transaction of its own after
	// a failure.
	RetrySeparately bool
}

// AnnounceNow sets AnnouncedAt to the current time, for announcements made after slow work. Nobody sees
// them before the commit. Now and earlier announcements don't change.
func (tx *Tx) AnnounceNow() { tx.AnnouncedAt = tx.db.Now() }

// CommitBy makes InTx roll back with apperr.Unavailable and a message if the clock is past a
// deadline once the last statement has run. The earliest of several deadlines counts.
func (tx *Tx) CommitBy(deadline time.Time, lateMessage string) {
	if tx.deadline.IsZero() || deadline.Before(tx.deadline) {
		tx.deadline, tx.lateMessage = deadline, lateMessage
	}
}

// RestartAfter makes InTx roll back and run the closure again, with a new time, if the clock is past a
// deadline once the last statement has run. The earliest of several deadlines counts.
func (tx *Tx) RestartAfter(deadline time.Time) {
	if tx.restartAt.IsZero() || deadline.Before(tx.restartAt) {
		tx.restartAt = deadline
	}
}

// checkDeadline checks the deadlines of CommitBy and RestartAfter.
func (tx *Tx) checkDeadline() error {
	if !tx.restartAt.IsZero() && tx.db.Now().After(tx.restartAt) {
		return ErrAgain
	}
	if late := tx.db.Now().Sub(tx.deadline); !tx.deadline.IsZero() && late > 0 {
		return apperr.New(apperr.Unavailable, tx.lateMessage).After(time.Second).Because(fmt.Errorf("%s too late to commit", late))
	}
	return nil
}

// Scanner is a row to scan columns from.
type Scanner interface{ Scan(dest ...any) error }

// AfterCommit runs a function after the commit and before InTx returns, also if it is unknown
// whether the commit succeeded.
func (tx *Tx) AfterCommit(do func()) { tx.afterCommit = append(tx.afterCommit, do) }

// Publish sends a message to this node's subscribers (DB.Subscribe) after the commit, also if
// it is unknown whether the commit succeeded.
func (tx *Tx) Publish(message any) {
	tx.AfterCommit(func() {
		for _, receive := range tx.db.subscribers {
			receive(message)
		}
	})
}

// Exec runs a statement and returns the number of rows it affected.
func (tx *Tx) Exec(query string, args ...any) (int64, error) {
	n, err := tx.conn.Exec(tx.ctx, query, args)
	return n, engine.NameStatement(query, err)
}

// ExecOne runs a statement that must affect exactly one row.
func (tx *Tx) ExecOne(query string, args ...any) error {
	n, err := tx.Exec(query, args...)
	if err == nil && n != 1 {
		err = fmt.Errorf("%d rows affected instead of one: %w", n, ErrNoRow)
	}
	return err
}

// One returns the first row of a query, or ErrNoRow.
func One[T any](tx *Tx, scan func(Scanner) (T, error), query string, args ...any) (value T, err error) {
	err = tx.queue(query, args, scanFirst(&value, scan))()
	return value, err
}

// Queued waits for a queued query and returns its result.
type Queued[T any] func() (T, error)

// Queue queues a query and returns a function that yields its first row, or ErrNoRow. Queued
// queries share one round trip: they are sent when one of those functions is called or another
// statement runs, in the order they were queued.
func Queue[T any](tx *Tx, scan func(Scanner) (T, error), query string, args ...any) Queued[T] {
	var value T
	wait := tx.queue(query, args, scanFirst(&value, scan))
	return func() (T, error) {
		err := wait()
		return value, err
	}
}

func scanFirst[T any](value *T, scan func(Scanner) (T, error)) func(engine.Rows) error {
	return func(rows engine.Rows) (err error) {
		if !rows.Next() {
			return cmp.Or(rows.Err(), ErrNoRow)
		}
		*value, err = scan(rows)
		return err
	}
}

// All returns every row of a query. Without rows it returns an empty, non-nil slice.
func All[T any](tx *Tx, scan func(Scanner) (T, error), query string, args ...any) (values []T, err error) {
	err = tx.queue(query, args, scanAll(&values, scan))()
	return values, err
}

// QueueAll is Queue for all rows of a query.
func QueueAll[T any](tx *Tx, scan func(Scanner) (T, error), query string, args ...any) Queued[[]T] {
	var values []T
	wait := tx.queue(query, args, scanAll(&values, scan))
	return func() ([]T, error) {
		err := wait()
		return values, err
	}
}

func scanAll[T any](values *[]T, scan func(Scanner) (T, error)) func(engine.Rows) error {
	*values = []T{}
	return func(rows engine.Rows) error {
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

func (tx *Tx) queue(query string, args []any, read func(engine.Rows) error) (wait func() error) {
	var failure error
	done := tx.conn.QueueQuery(tx.ctx, query, args, func(rows engine.Rows) { failure = read(rows) })
	return func() error { return engine.NameStatement(query, cmp.Or(done(), failure)) }
}

// Each calls visit for every row of a query, until visit fails. visit must not use the transaction: its
// connection is busy with the query.
func Each[T any](tx *Tx, scan func(Scanner) (T, error), visit func(T) error, query string, args ...any) error {
	rows, err := tx.conn.Query(tx.ctx, query, args)
	if err != nil {
		return engine.NameStatement(query, err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		value, err := scan(rows)
		if err != nil {
			return engine.NameStatement(query, err)
		}
		if err := visit(value); err != nil {
			return err
		}
	}
	return engine.NameStatement(query, rows.Err())
}

// Column scans a row of one column.
func Column[T any](s Scanner) (T, error) {
	var value T
	err := s.Scan(&value)
	return value, err
}

// ForUpdate returns the clause that locks the rows of a SELECT until the transaction ends. It is
// empty on SQLite, which has a single writer.
func (tx *Tx) ForUpdate() string { return tx.db.dialect.ForUpdate }

// ForShare returns the clause that protects the rows of a SELECT from changes until the transaction
// ends. Other transactions can hold the same lock.
func (tx *Tx) ForShare() string { return tx.db.dialect.ForShare }

// ForUpdateSkipLocked is ForUpdate that skips rows locked by other transactions. It is for queues, in
// which another transaction is processing the locked rows.
func (tx *Tx) ForUpdateSkipLocked() string { return tx.db.dialect.SkipLocked }

// AdvisoryLock holds the lock of a name until the transaction ends. It protects data without a
// row to lock, such as a row that may be inserted. Acquire it before locking any row.
func (tx *Tx) AdvisoryLock(name string) error {
	if tx.db.dialect.AdvisoryLock == "" {
		return nil
	}
	_, err := tx.Exec(tx.db.dialect.AdvisoryLock, name)
	return err
}

// SharedAdvisoryLock holds the lock of a name until the transaction ends, like others that share it.
// AdvisoryLock waits for all of them, and later ones wait behind it.
func (tx *Tx) SharedAdvisoryLock(name string) error {
	if tx.db.dialect.SharedLock == "" {
		return nil
	}
	_, err := tx.Exec(tx.db.dialect.SharedLock, name)
	return err
}

// ExcludeWriters waits until no other transaction writes, and keeps new ones waiting until this one
// ends. It fails if a transaction runs for longer than 5 s. Call it before anything else.
func (tx *Tx) ExcludeWriters() error {
	if tx.db.dialect.ExcludeWriters == "" {
		return nil
	}
	_, err := tx.Exec(tx.db.dialect.ExcludeWriters)
	return err
}

// Random returns n unpredictable bytes. It panics if the random source fails, because no
// secret can be made safely then.
func (tx *Tx) Random(n int) []byte {
	b := make([]byte, n)
	if _, err := io.ReadFull(tx.db.random, b); err != nil {
		panic(fmt.Sprintf("no random numbers: %v", err))
	}
	return b
}

// Micros returns a time as it is stored: microseconds since 1970, UTC.
func Micros(t time.Time) int64 { return t.UnixMicro() }

// Time returns the time that Micros stored.
func Time(micros int64) time.Time { return time.UnixMicro(micros).UTC() }

// InList returns the condition that a column's value is in the List of a placeholder.
func (tx *Tx) InList(column, placeholder string) string {
	return column + fmt.Sprintf(tx.db.dialect.InList, placeholder)
}

// AsID returns an expression for a text column as an id; it is NULL where the text is no id.
func (tx *Tx) AsID(column string) string { return fmt.Sprintf(tx.db.dialect.AsID, column) }

// Bytewise returns an expression that compares a column byte by byte, whatever the database's
// locale.
func (tx *Tx) Bytewise(column string) string { return column + tx.db.dialect.Bytewise }
