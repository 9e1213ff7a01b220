package db

import (
	"strings"

	lru "github.com/hashicorp/golang-lru/v2"
)

// values cuts rows into powers of two, so that there are few texts to prepare.
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

// lists are the texts made last.
var lists = newLists()

func newLists() *lru.Cache[listShape, string] {
	cache, err := lru.New[listShape, string](maxPrepared)
	if err != nil {
		panic(err) // of a size below 1 only
	}
	return cache
}

// valueList is a table of so many rows, whose values are taken one by one.
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
		b.WriteString("?") // numbered ones have names, which SQLite would search for each value
	}
	b.WriteString(endOfValues)
	lists.Add(shape, b.String())
	return b.String()
}

// rebuilding sorts once what would be put into its place row by row, page by page from
// the disk. Others read the indexes as they were until the commit.
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
