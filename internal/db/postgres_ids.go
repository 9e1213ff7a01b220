package db

import (
	"reflect"

	"github.com/jackc/pgx/v5/pgtype"
)

// UUIDValue implements pgtype.UUIDValuer.
func (id ID) UUIDValue() (pgtype.UUID, error) {
	if id == "" {
		return pgtype.UUID{}, nil
	}
	value, ok := ParseID(string(id))
	if !ok {
		return pgtype.UUID{}, errNoID
	}
	return pgtype.UUID{Bytes: value, Valid: true}, nil
}

// soughtText is a query argument that is compared with text or ids, depending on the column. For an
// id column, text that is no id becomes the zero UUID, which no row has: the query finds nothing,
// as on SQLite.
type soughtText string

// TextValue implements pgtype.TextValuer.
func (t soughtText) TextValue() (pgtype.Text, error) {
	return pgtype.Text{String: string(t), Valid: true}, nil
}

// UUIDValue implements pgtype.UUIDValuer.
func (t soughtText) UUIDValue() (pgtype.UUID, error) {
	id, _ := ParseID(string(t))
	return pgtype.UUID{Bytes: id, Valid: true}, nil
}

// sought converts a query's text arguments to soughtText, and its lists to arrays of it.
func sought(args []any) []any {
	given := listed(args)
	for n, arg := range given {
		if ids, ok := arg.([]ID); ok {
			given[n] = texts(ids)
		} else if value := reflect.ValueOf(arg); value.Kind() == reflect.String {
			given[n] = soughtText(value.String())
		}
	}
	return given
}

// listed converts each List of the arguments to an array, of text or ids depending on the column.
func listed(args []any) []any {
	given := make([]any, len(args))
	for n, arg := range args {
		given[n] = arg
		if list, ok := arg.(List); ok {
			given[n] = texts(list)
		}
	}
	return given
}

func texts[T ~string](values []T) pgtype.FlatArray[soughtText] {
	list := make(pgtype.FlatArray[soughtText], len(values))
	for n, value := range values {
		list[n] = soughtText(value)
	}
	return list
}
