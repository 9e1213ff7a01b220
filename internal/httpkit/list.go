package httpkit

// Page is embedded in the input of a call that answers a list.
type Page struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"200" default:"60"`
	Cursor string `query:"cursor" maxLength:"2000" doc:"X-Next-Cursor of the page before."`
}

// List is a page of a list; Next is empty on the last one.
type List[T any] struct {
	Next  string `header:"X-Next-Cursor"`
	Total string `header:"X-Total-Count"`
	Body  []T
}

// Cut makes a page of rows that were read with one more than limit, and takes
// the cursor from the last one shown.
func Cut[T any](rows []T, limit int, cursor func(T) string) *List[T] {
	list := &List[T]{Body: rows}
	if len(rows) > limit {
		list.Body = rows[:limit]
		list.Next = cursor(rows[limit-1])
	}
	return list
}
