package db

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	lru "github.com/hashicorp/golang-lru/v2"
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

// WriteRows runs a statement that reads v and must touch as many rows as v has;
// otherwise is the error when it does not, unless the statement itself fails. It
// may run as late as the transaction's next statement or commit, and is then that
// one's error.
func (tx *Tx) WriteRows(rows Rows, statement string, otherwise error) error {
	for _, part := range tx.dialect.parts(rows) {
		check := func(touched int64, err error) error {
			if err == nil && touched != int64(len(part.Values)) {
				err = fmt.Errorf("%d of %d rows: %w", touched, len(part.Values), otherwise)
			}
			return err
		}
		if err := tx.conn.later(tx.ctx, tx.dialect.with(part)+statement, tx.dialect.arguments(part), check); err != nil {
			return failed(statement, err)
		}
	}
	return nil
}

// InsertRows inserts all rows into the columns of their names, as WriteRows does.
func (tx *Tx) InsertRows(table string, rows Rows) error {
	return tx.WriteRows(rows, "INSERT INTO "+table+" ("+strings.Join(rows.Columns, ", ")+") SELECT * FROM v",
		errors.New("not all were inserted into "+table))
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

// What stands around the values of Rows, before a statement that reads v.
const (
	beginOfValues = "WITH v("
	endOfValues   = ")) "
)

// PostgreSQL takes a column of values as one array, whatever their number: one
// text to prepare for all of them.

func arrays(rows Rows) string {
	types := make([]string, len(rows.Columns))
	for n := range rows.Columns {
		types[n] = fmt.Sprintf("$%d::%s[]", n+1, columnType(rows, n))
	}
	return beginOfValues + strings.Join(rows.Columns, ", ") + ") AS (SELECT * FROM unnest(" + strings.Join(types, ", ") + endOfValues
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
		switch columnType(rows, n) {
		case "text":
			args[n] = column(rows, n, func(v any) string { return v.(string) })
		case "bytea":
			args[n] = column(rows, n, func(v any) []byte { return v.([]byte) })
		default:
			args[n] = column(rows, n, func(v any) int64 { return reflect.ValueOf(v).Int() })
		}
	}
	return args
}

// column is an array of one type, so that the driver need not look at value by
// value.
func column[T any](rows Rows, n int, as func(any) T) any {
	values := make([]T, len(rows.Values))
	for m, row := range rows.Values {
		if row[n] == nil {
			return nullable(rows, n, as)
		}
		values[m] = as(row[n])
	}
	return values
}

func nullable[T any](rows Rows, n int, as func(any) T) []*T {
	values := make([]*T, len(rows.Values))
	for m, row := range rows.Values {
		if row[n] != nil {
			value := as(row[n])
			values[m] = &value
		}
	}
	return values
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

// lists are the texts made last.
var lists = newLists()

func newLists() *lru.Cache[listShape, string] {
	cache, err := lru.New[listShape, string](maxPrepared)
	if err != nil {
		panic(err) // of a size below 1 only
	}
	return cache
}

func valueList(rows Rows) string {
	shape := listShape{strings.Join(rows.Columns, ", "), len(rows.Values)}
	if text, ok := lists.Get(shape); ok {
		return text
	}
	var b strings.Builder
	b.WriteString(beginOfValues + shape.columns + ") AS (VALUES ")
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
	b.WriteString(endOfValues)
	lists.Add(shape, b.String())
	return b.String()
}

func flat(rows Rows) []any {
	args := make([]any, 0, len(rows.Values)*len(rows.Columns))
	for _, row := range rows.Values {
		args = append(args, row...)
	}
	return args
}
