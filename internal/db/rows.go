package db

import (
	"errors"
	"fmt"
	"strings"
)

// Rows is a table of values that a statement reads under the name v, so that
// one statement does the work of many. Every row has a value for every column:
// string, ID, int64 (or a type of that kind), []byte or nil.
type Rows struct {
	Columns []string
	Values  [][]any
}

// Add appends a row.
func (r *Rows) Add(values ...any) { r.Values = append(r.Values, values) }

// WriteRows runs a statement that reads v and must touch as many rows as v has;
// otherwise is the error when it does not, unless the statement itself fails. It
// may run as late as the transaction's next statement or commit, and is then that
// one's error.
func (tx *Tx) WriteRows(rows Rows, statement string, otherwise error) error {
	for _, part := range tx.db.engine.values(rows) {
		check := func(touched int64, err error) error {
			if err == nil && touched != int64(part.rows) {
				err = fmt.Errorf("%d of %d rows: %w", touched, part.rows, otherwise)
			}
			return err
		}
		if err := tx.conn.later(tx.ctx, part.with+statement, part.args, check); err != nil {
			return failed(statement, err)
		}
	}
	return nil
}

// ExecRows runs a statement that reads v and may touch any number of rows. Like
// WriteRows it may run as late as the transaction's next statement or commit.
func (tx *Tx) ExecRows(rows Rows, statement string) error {
	for _, part := range tx.db.engine.values(rows) {
		check := func(_ int64, err error) error { return err }
		if err := tx.conn.later(tx.ctx, part.with+statement, part.args, check); err != nil {
			return failed(statement, err)
		}
	}
	return nil
}

// InsertRows inserts all rows into the columns of their names, as WriteRows does.
func (tx *Tx) InsertRows(table string, rows Rows) error {
	return tx.WriteRows(rows, insertion(table, rows), errors.New("not all were inserted into "+table))
}

// UpsertRows is InsertRows where some rows may be there already; conflict is what
// follows ON CONFLICT. Otherwise is the error when a row was neither inserted nor
// updated.
func (tx *Tx) UpsertRows(table string, rows Rows, conflict string, otherwise error) error {
	// Without a WHERE, SQLite takes ON for the condition of a join.
	return tx.WriteRows(rows, insertion(table, rows)+" WHERE TRUE ON CONFLICT "+conflict, otherwise)
}

func insertion(table string, rows Rows) string {
	return "INSERT INTO " + table + " (" + strings.Join(rows.Columns, ", ") + ") SELECT * FROM v"
}

// AllWith reads every row of a query that reads v. The order holds within the
// answer to one statement only, and there may be several.
func AllWith[T any](tx *Tx, scan func(Scanner) (T, error), rows Rows, query string) ([]T, error) {
	return QueueWith(tx, scan, rows, query)()
}

// QueueWith is Queue for AllWith.
func QueueWith[T any](tx *Tx, scan func(Scanner) (T, error), rows Rows, query string) func() ([]T, error) {
	var parts []func() ([]T, error)
	for _, part := range tx.db.engine.values(rows) {
		parts = append(parts, QueueAll(tx, scan, part.with+query, part.args...))
	}
	return func() ([]T, error) {
		var all []T
		for _, part := range parts {
			some, err := part()
			if err != nil {
				return nil, err
			}
			all = append(all, some...)
		}
		return all, nil
	}
}

// What stands around the values of Rows, before a statement that reads v.
const (
	beginOfValues = "WITH RECURSIVE v(" // a statement may add a table that reads itself
	endOfValues   = ")) "
)

// Rebuilding runs do, which is to write very many rows of a table in any order of its
// indexes: where nobody reads the table by them meanwhile they are made anew behind it.
// do must not need any but that of the primary key.
func (tx *Tx) Rebuilding(table string, do func() error) error {
	return tx.db.engine.rebuilding(tx, table, do)
}
