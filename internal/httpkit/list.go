package httpkit

import (
	"context"
	"reflect"

	"kaibao/internal/db"
)

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

const (
	nextCursor = "X-Next-Cursor"
	totalCount = "X-Total-Count"
)

// listed is a *List of anything.
type listed interface {
	of() reflect.Type
	sent() (body any, next, total string)
}

func (*List[T]) of() reflect.Type { return reflect.TypeFor[[]T]() }

func (l *List[T]) sent() (body any, next, total string) { return l.Body, l.Next, l.Total }

// Paged answers the page of a list that a call asks for. It is selected in an order
// (db.Order.Select), looked for by one of db.DB's ways to read, and read and shown by
// show, which calls db.Selection.Rows.
func Paged[R, V any](
	ctx context.Context, look func(context.Context, func(*db.Tx) error) error, page Page,
	choose func(limit int, cursor string) (*db.Selection[R], error),
	show func(*db.Tx, *db.Selection[R]) ([]V, error),
) (*List[V], error) {
	selection, err := choose(page.Limit, page.Cursor)
	if err != nil {
		return nil, err
	}
	list := &List[V]{}
	err = look(ctx, func(tx *db.Tx) (err error) {
		list.Body, err = show(tx, selection)
		return err
	})
	list.Next = selection.Next()
	return list, err
}
