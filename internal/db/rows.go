package db

import (
	"fmt"
	"strings"
	"sync"
)

// Rows is a table of values that a statement reads under the name v, so that
// one statement does the work of many. Every row has a value for every column:
// string, int64 (or a type of that kind), []byte or nil.
type Rows struct {
	Columns []string
	Values  [][]any
}

// Add appends a row.
func (r *Rows) Add(values ...any) { r.Values = append(r.Values, values) }

// ExecWith runs a statement that reads v, and returns how many rows it touched.
func (tx *Tx) ExecWith(rows Rows, statement string) (touched int64, err error) {
	for _, part := range tx.dialect.parts(rows) {
		n, err := tx.Exec(tx.dialect.with(part)+statement, tx.dialect.arguments(part)...)
		if err != nil {
			return touched, err
		}
		touched += n
	}
	return touched, nil
}

// InsertRows inserts all rows into the columns of their names.
func (tx *Tx) InsertRows(table string, rows Rows) error {
	n, err := tx.ExecWith(rows, "INSERT INTO "+table+" ("+strings.Join(rows.Columns, ", ")+") SELECT * FROM v")
	if err == nil && n != int64(len(rows.Values)) {
		err = fmt.Errorf("%d of %d rows inserted into %s", n, len(rows.Values), table)
	}
	return err
}

// AllWith reads every row of a query that reads v. The order holds within the
// answer to one statement only, and there may be several.
func AllWith[T any](tx *Tx, scan func(Scanner) (T, error), rows Rows, query string) ([]T, error) {
	var all []T
	for _, part := range tx.dialect.parts(rows) {
		some, err := All(tx, scan, tx.dialect.with(part)+query, tx.dialect.arguments(part)...)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

// PostgreSQL takes a column of values as one array, whatever their number: one
// text to prepare for all of them.

func arrays(rows Rows) string {
	types := make([]string, len(rows.Columns))
	for n := range rows.Columns {
		types[n] = fmt.Sprintf("$%d::%s[]", n+1, columnType(rows, n))
	}
	return "WITH v(" + strings.Join(rows.Columns, ", ") + ") AS (SELECT * FROM unnest(" + strings.Join(types, ", ") + ")) "
}

func columnType(rows Rows, n int) string {
	for _, row := range rows.Values {
		switch row[n].(type) {
		case nil:
		case string:
			return "text"
		case []byte:
			return "bytea"
		default:
			return "bigint"
		}
	}
	return "bigint"
}

func columnArrays(rows Rows) []any {
	args := make([]any, len(rows.Columns))
	for n := range rows.Columns {
		column := make([]any, len(rows.Values))
		for m, row := range rows.Values {
			column[m] = row[n]
		}
		args[n] = column
	}
	return args
}

func whole(rows Rows) []Rows {
	if len(rows.Values) == 0 {
		return nil
	}
	return []Rows{rows}
}

// SQLite takes the values one by one. Rows are cut into powers of two, so that
// there are few texts to prepare.

func powersOfTwo(rows Rows) (parts []Rows) {
	for left := rows.Values; len(left) > 0; {
		n := 1
		for n*2 <= len(left) && n*2*len(rows.Columns) <= maxVariables {
			n *= 2
		}
		parts = append(parts, Rows{rows.Columns, left[:n]})
		left = left[n:]
	}
	return parts
}

// maxVariables is below SQLite's SQLITE_MAX_VARIABLE_NUMBER of 32766.
const maxVariables = 8192

type listShape struct {
	columns string
	rows    int
}

var lists sync.Map // listShape → the text

func valueList(rows Rows) string {
	shape := listShape{strings.Join(rows.Columns, ", "), len(rows.Values)}
	if text, ok := lists.Load(shape); ok {
		return text.(string)
	}
	var b strings.Builder
	b.WriteString("WITH v(" + shape.columns + ") AS (VALUES ")
	for n := range len(rows.Values) * len(rows.Columns) {
		switch {
		case n == 0:
			b.WriteString("(")
		case n%len(rows.Columns) == 0:
			b.WriteString("), (")
		default:
			b.WriteString(", ")
		}
		b.WriteString("?") // numbered ones have names, which SQLite would search for each value
	}
	b.WriteString(")) ")
	lists.Store(shape, b.String())
	return b.String()
}

func flat(rows Rows) []any {
	args := make([]any, 0, len(rows.Values)*len(rows.Columns))
	for _, row := range rows.Values {
		args = append(args, row...)
	}
	return args
}
