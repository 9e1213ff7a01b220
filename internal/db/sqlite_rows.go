package db

import (
	"strings"

	lru "github.com/hashicorp/golang-lru/v2"
)

// values splits rows into groups of powers of two, so that few different statements are prepared.
func (e *sqliteEngine) values(rows Rows) (parts []values) {
	for left := rows.Values; len(left) > 0; {
		n := 1
		for n*2 <= len(left) && n*2*len(rows.Columns) <= maxVariables {
			n *= 2
		}
		args := make([]any, 0, n*len(rows.Columns))
		for _, row := range left[:n] {
			args = append(args, row...)
		}
		parts = append(parts, values{with: valueList(rows.Columns, n), args: args, rows: n})
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

// lists caches the latest texts.
var lists = newLists()

func newLists() *lru.Cache[listShape, string] {
	cache, err := lru.New[listShape, string](maxPrepared)
	if err != nil {
		panic(err) // only for a size below 1
	}
	return cache
}

// valueList returns the text of a VALUES table with a number of rows and one placeholder per value.
func valueList(columns []string, rows int) string {
	shape := listShape{strings.Join(columns, ", "), rows}
	if text, ok := lists.Get(shape); ok {
		return text
	}
	var b strings.Builder
	b.WriteString(beginOfValues + shape.columns + ") AS (VALUES ")
	for n := range rows * len(columns) {
		switch {
		case n == 0:
			b.WriteString("(")
		case n%len(columns) == 0:
			b.WriteString("), (")
		default:
			b.WriteString(", ")
		}
		b.WriteString("?") // numbered placeholders are names, which SQLite would look up for each value
	}
	b.WriteString(endOfValues)
	lists.Add(shape, b.String())
	return b.String()
}

// rebuilding drops and recreates the indexes if that is cheaper than updating them row by row.
// Others see the old indexes until the commit.
func (e *sqliteEngine) rebuilding(tx *Tx, table string, do func() error) error {
	type index struct{ name, statement string }
	scan := func(s Scanner) (i index, err error) { return i, s.Scan(&i.name, &i.statement) }
	all, err := All(tx, scan, `SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = $1 AND sql IS NOT NULL`, table)
	if err != nil {
		return err
	}
	for _, i := range all {
		if _, err := tx.Exec(`DROP INDEX ` + i.name); err != nil {
			return err
		}
	}
	if err := do(); err != nil {
		return err
	}
	for _, i := range all {
		if _, err := tx.Exec(i.statement); err != nil {
			return err
		}
	}
	return nil
}
