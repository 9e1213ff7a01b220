// Package userrows has the type of the queries that return a user's rows for the export of their
// personal data. Each package declares the queries of its own tables.
package userrows

import (
	"strconv"
	"time"

	"kaibao/internal/db"
)

// Query returns a user's rows in one or more tables, for one CSV file of an export.
type Query struct {
	File    string // the file's name without .csv
	Columns []Column
	SQL     string // $1 is the user's id; the columns are in the order of Columns and never NULL
}

// Column is a column of a Query.
type Column struct {
	Name string
	scan func() (into any, text func() string)
}

// Text declares a column of texts or ids.
func Text(name string) Column { return newColumn(name, func(v string) string { return v }) }

// Number declares a column of whole numbers, such as cents.
func Number(name string) Column {
	return newColumn(name, func(v int64) string { return strconv.FormatInt(v, 10) })
}

// Bool declares a column of truth values.
func Bool(name string) Column { return newColumn(name, strconv.FormatBool) }

// Time declares a column of times in microseconds. 0 is written as an empty text.
func Time(name string) Column {
	return newColumn(name, func(micros int64) string {
		if micros == 0 {
			return ""
		}
		return db.Time(micros).Format(time.RFC3339Nano)
	})
}

func newColumn[T any](name string, format func(T) string) Column {
	return Column{name, func() (any, func() string) {
		value := new(T)
		return value, func() string { return format(*value) }
	}}
}

// Header returns the names of the columns.
func (q Query) Header() []string {
	names := make([]string, len(q.Columns))
	for i, c := range q.Columns {
		names[i] = c.Name
	}
	return names
}

// Each calls visit for every row of a user, as texts.
func (q Query) Each(tx *db.Tx, user string, visit func([]string) error) error {
	scan := func(s db.Scanner) ([]string, error) {
		into, texts := make([]any, len(q.Columns)), make([]func() string, len(q.Columns))
		for i, c := range q.Columns {
			into[i], texts[i] = c.scan()
		}
		err := s.Scan(into...)
		row := make([]string, len(texts))
		for i, text := range texts {
			row[i] = text()
		}
		return row, err
	}
	return db.Each(tx, scan, visit, q.SQL, user)
}
