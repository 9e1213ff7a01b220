package sqlite

import (
	"strings"

	lru "github.com/hashicorp/golang-lru/v2"

	"kaibao/internal/db/engine"
)

// Values splits rows into groups of powers of two, so that few different statements are prepared.
func (e *Engine) Values(columns []string, rows [][]any) (parts []engine.Values) {
	for left := rows; len(left) > 0; {
		n := 1
		for n*2 <= len(left) && n*2*len(columns) <= maxVariables {
			n *= 2
		}
		args := make([]any, 0, n*len(columns))
		for _, row := range left[:n] {
			args = append(args, row...)
		}
		parts = append(parts, engine.Values{With: valueList(columns, n), Args: args, Rows: n})
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

// valueLists caches the results of valueList.
var valueLists = newLists()

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
	if text, ok := valueLists.Get(shape); ok {
		return text
	}
	var b strings.Builder
	b.WriteString(engine.ValuesPrefix + shape.columns + ") AS (VALUES ")
	for i := range rows * len(columns) {
		switch {
		case i == 0:
			b.WriteString("(")
		case i%len(columns) == 0:
			b.WriteString("), (")
		default:
			b.WriteString(", ")
		}
		b.WriteString("?") // numbered placeholders are names, which SQLite would look up for each value
	}
	b.WriteString(engine.ValuesSuffix)
	valueLists.Add(shape, b.String())
	return b.String()
}
