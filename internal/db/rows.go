package db

import (
	"errors"
	"fmt"
	"strings"

	"kaibao/internal/db/engine"
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

// WriteRows runs a statement that reads v and must affect as many rows as v has. If it affects
// another number, it fails with mismatch. The statement may be deferred until the transaction's
// next statement or the commit, which then returns its error.
func (tx *Tx) WriteRows(rows Rows, statement string, mismatch error) error {
	for _, part := range tx.db.engine.Values(rows.Columns, rows.Values) {
		check := func(affected int64, err error) error {
			if err == nil && affected != int64(part.Rows) {
				err = fmt.Errorf("%d of %d rows: %w", affected, part.Rows, mismatch)
			}
			return err
		}
		if err := tx.conn.QueueExec(tx.ctx, part.With+statement, part.Args, check); err != nil {
			return engine.NameStatement(statement, err)
		}
	}
	return nil
}

// ExecRows runs a statement that reads v and may affect any number of rows. Like WriteRows, it may
// be deferred.
func (tx *Tx) ExecRows(rows Rows, statement string) error {
	for _, part := range tx.db.engine.Values(rows.Columns, rows.Values) {
		check := func(_ int64, err error) error { return err }
		if err := tx.conn.QueueExec(tx.ctx, part.With+statement, part.Args, check); err != nil {
			return engine.NameStatement(statement, err)
		}
	}
	return nil
}

// InsertRows inserts all rows into the columns of the same names. Like WriteRows, it may be
// deferred.
func (tx *Tx) InsertRows(table string, rows Rows) error {
	return tx.WriteRows(rows, insertSQL(table, rows), errors.New("some rows were not inserted into "+table))
}

// UpsertRows is InsertRows for rows that may already exist; conflict is the text after ON CONFLICT.
// If a row is neither inserted nor updated, it fails with mismatch.
func (tx *Tx) UpsertRows(table string, rows Rows, conflict string, mismatch error) error {
	// Without a WHERE, SQLite parses ON as a join condition.
	return tx.WriteRows(rows, insertSQL(table, rows)+" WHERE TRUE ON CONFLICT "+conflict, mismatch)
}

func insertSQL(table string, rows Rows) string {
	return "INSERT INTO " + table + " (" + strings.Join(rows.Columns, ", ") + ") SELECT * FROM v"
}

// AllWith returns every row of a query that reads v. An ORDER BY only sorts the rows of one
// statement, and a large v is split into several statements.
func AllWith[T any](tx *Tx, scan func(Scanner) (T, error), rows Rows, query string) ([]T, error) {
	return QueueWith(tx, scan, rows, query)()
}

// QueueWith is AllWith deferred like Queue.
func QueueWith[T any](tx *Tx, scan func(Scanner) (T, error), rows Rows, query string) Queued[[]T] {
	var parts []func() ([]T, error)
	for _, part := range tx.db.engine.Values(rows.Columns, rows.Values) {
		parts = append(parts, QueueAll(tx, scan, part.With+query, part.Args...))
	}
	return func() ([]T, error) {
		var all []T
		for _, part := range parts {
			values, err := part()
			if err != nil {
				return nil, err
			}
			all = append(all, values...)
		}
		return all, nil
	}
}

// WithoutIndexes runs do, which writes very many rows of a table. On SQLite it drops the table's
// indexes before and recreates them after, so do can rely only on the primary key. PostgreSQL keeps
// the indexes, because others read the table meanwhile.
func (tx *Tx) WithoutIndexes(table string, do func() error) error {
	if tx.db.dialect.Indexes == "" {
		return do()
	}
	type index struct{ name, statement string }
	scan := func(s Scanner) (i index, err error) { return i, s.Scan(&i.name, &i.statement) }
	indexes, err := All(tx, scan, tx.db.dialect.Indexes, table)
	if err != nil {
		return err
	}
	for _, i := range indexes {
		if _, err := tx.Exec(`DROP INDEX ` + i.name); err != nil {
			return err
		}
	}
	if err := do(); err != nil {
		return err
	}
	for _, i := range indexes {
		if _, err := tx.Exec(i.statement); err != nil {
			return err
		}
	}
	return nil
}
