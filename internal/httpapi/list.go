package httpapi

import (
	"context"

	"kaibao/internal/db"
)

// Page is embedded in the input of a call that returns a paginated list.
type Page struct {
	Limit  int    `query:"limit" minimum:"1" maximum:"200" default:"60"`
	Cursor string `query:"cursor" maxLength:"2000" doc:"X-Next-Cursor of the previous page."`
}

// List is one page of a list. Next is empty on the last page.
type List[T any] struct {
	Next  string `header:"X-Next-Cursor"`
	Total string `header:"X-Total-Count"`
	Body  []T
}

// Parts returns the body and the values of the headers, for code that encodes lists of any T.
func (l *List[T]) Parts() (body any, next, total string) { return l.Body, l.Next, l.Total }

// Paged returns the requested page. read starts a read transaction, as db.DB.Read does.
// newSelection builds the selection (db.Order.Select). loadRows runs db.Selection.Rows and converts
// the rows.
func Paged[R, V any](
	ctx context.Context, read func(context.Context, func(*db.Tx) error) error, page Page,
	newSelection func(limit int, cursor string) (*db.Selection[R], error),
	loadRows func(*db.Tx, *db.Selection[R]) ([]V, error),
) (*List[V], error) {
	selection, err := newSelection(page.Limit, page.Cursor)
	if err != nil {
		return nil, err
	}
	list := &List[V]{}
	err = read(ctx, func(tx *db.Tx) (err error) {
		list.Body, err = loadRows(tx, selection)
		return err
	})
	list.Next = selection.Next()
	return list, err
}
