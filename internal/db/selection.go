package db

import (
	"encoding/base64"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"kaibao/internal/apperr"
)

// Key is a column or expression that a list is sorted by, with its value in a row.
type Key[R any] struct {
	Column   string
	bytewise bool
	value    func(R) any
	parse    func(text []byte) (any, error) // reads the value from a cursor
}

// Number is a key with integer values.
func Number[R any, N ~int64](column string, value func(R) N) Key[R] {
	return Key[R]{Column: column, value: func(row R) any { return value(row) }, parse: parse[int64]}
}

// Text is a key whose values are compared by the database's locale.
func Text[R any](column string, value func(R) string) Key[R] {
	return Key[R]{Column: column, value: func(row R) any { return value(row) }, parse: parse[string]}
}

// BytewiseText is a text key whose values are compared byte by byte.
func BytewiseText[R any](column string, value func(R) string) Key[R] {
	key := Text(column, value)
	key.bytewise = true
	return key
}

func parse[V any](text []byte) (any, error) {
	var value V
	err := json.Unmarshal(text, &value)
	return value, err
}

// Order is a sort order. Its keys together are unique for every row.
type Order[R any] struct {
	Name       string // in the API; empty for the default order
	Descending bool
	Keys       []Key[R]
}

// Selection is one page of a list: conditions, a sort order, and the position at which the page
// starts.
type Selection[R any] struct {
	order      Order[R]
	limit      int
	after      []any // keys of the last row of the previous page; nil for the first page
	skip       int   // rows to skip after those
	conditions []condition
	next       string
}

// condition is a part of a WHERE clause, with a ? for every argument.
type condition struct {
	clause string
	args   []any
}

// Select returns the page of at most limit rows that a cursor leads to; an empty cursor leads to
// the first page. It refuses a malformed cursor and one of an order with other keys.
func (o Order[R]) Select(limit int, cursor string) (*Selection[R], error) {
	s := &Selection[R]{order: o, limit: limit}
	if cursor == "" {
		return s, nil
	}
	var texts []json.RawMessage
	list, err := base64.RawURLEncoding.DecodeString(cursor)
	if err == nil {
		err = json.Unmarshal(list, &texts)
	}
	if err != nil {
		return nil, apperr.InvalidField("cursor", "is not a valid cursor")
	}
	errOtherOrder := apperr.InvalidField("cursor", "belongs to another sort order")
	if len(texts) != len(o.Keys) {
		return nil, errOtherOrder
	}
	for i, key := range o.Keys {
		value, err := key.parse(texts[i])
		if err != nil {
			return nil, errOtherOrder
		}
		s.after = append(s.after, value)
	}
	return s, nil
}

// Where adds a condition to the query. Each ? in clause is replaced by the next argument.
func (s *Selection[R]) Where(clause string, args ...any) {
	s.conditions = append(s.conditions, condition{clause, args})
}

// Skip moves the start of the page by a number of rows.
func (s *Selection[R]) Skip(rows int) { s.skip = rows }

// Start returns the position at which the page starts: after the row with the keys after (nil for the first row of
// the list), plus skip rows.
func (s *Selection[R]) Start() (after []any, skip int) { return s.after, s.skip }

// Limit returns the maximum number of rows of the page.
func (s *Selection[R]) Limit() int { return s.limit }

// EndAt sets the page's last row if more rows follow, for a page that wasn't read from the database.
func (s *Selection[R]) EndAt(last R) { s.next = s.cursor(last) }

// Rows reads the page. The query must end in a condition; Rows appends those of the selection.
func (s *Selection[R]) Rows(tx *Tx, scan func(Scanner) (R, error), query string, args ...any) ([]R, error) {
	text, args := s.complete(tx, query, args)
	rows, err := All(tx, scan, text, args...)
	s.next = ""
	if len(rows) > s.limit {
		rows = rows[:s.limit]
		s.next = s.cursor(rows[s.limit-1])
	}
	return rows, err
}

// Next returns the cursor of the page after the one that Rows read, empty after the last.
func (s *Selection[R]) Next() string { return s.next }

// complete adds conditions, sort order and limit to a query. It requests one row more than the page
// has, to find out whether there is another page.
func (s *Selection[R]) complete(tx *Tx, query string, args []any) (string, []any) {
	columns := make([]string, len(s.order.Keys))
	for i, key := range s.order.Keys {
		columns[i] = key.Column
		if key.bytewise {
			columns[i] = tx.Bytewise(key.Column)
		}
	}
	sign, direction := ">", ""
	if s.order.Descending {
		sign, direction = "<", " DESC"
	}
	conditions := s.conditions
	if s.after != nil {
		placeholders := strings.TrimSuffix(strings.Repeat("?, ", len(columns)), ", ")
		start := "(" + strings.Join(columns, ", ") + ") " + sign + " (" + placeholders + ")"
		conditions = append(slices.Clip(conditions), condition{start, s.after})
	}
	args = slices.Clip(args)
	for _, c := range conditions {
		query += " AND " + c.numbered(len(args)+1)
		args = append(args, c.args...)
	}
	args = append(args, s.limit+1)
	query += " ORDER BY " + strings.Join(columns, direction+", ") + direction + " LIMIT $" + strconv.Itoa(len(args))
	if s.skip > 0 {
		args = append(args, s.skip)
		query += " OFFSET $" + strconv.Itoa(len(args))
	}
	return query, args
}

// numbered replaces each ? with $n, counting from from.
func (c condition) numbered(from int) string {
	clause := c.clause
	for i := range c.args {
		clause = strings.Replace(clause, "?", "$"+strconv.Itoa(from+i), 1)
	}
	return clause
}

// cursor encodes the keys of a row as JSON.
func (s *Selection[R]) cursor(row R) string {
	values := make([]any, len(s.order.Keys))
	for i, key := range s.order.Keys {
		values[i] = key.value(row)
	}
	text, _ := json.Marshal(values) // numbers and strings can't fail
	return base64.RawURLEncoding.EncodeToString(text)
}
