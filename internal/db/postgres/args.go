package postgres

import (
	"errors"
	"reflect"

	"github.com/jackc/pgx/v5/pgtype"

	"kaibao/internal/db/engine"
)

// idText is an engine.ID as an argument. The empty one is NULL.
type idText string

// UUIDValue implements pgtype.UUIDValuer.
func (t idText) UUIDValue() (pgtype.UUID, error) {
	if t == "" {
		return pgtype.UUID{}, nil
	}
	bytes, ok := engine.ParseUUID(string(t))
	if !ok {
		return pgtype.UUID{}, errors.New("invalid id")
	}
	return pgtype.UUID{Bytes: bytes, Valid: true}, nil
}

// queryText is a query argument that is compared with text or ids, according to the column's type. For an
// id column, text that is no id becomes the zero UUID, which no row has: the query finds nothing,
// as on SQLite.
type queryText string

// TextValue implements pgtype.TextValuer.
func (t queryText) TextValue() (pgtype.Text, error) {
	return pgtype.Text{String: string(t), Valid: true}, nil
}

// UUIDValue implements pgtype.UUIDValuer.
func (t queryText) UUIDValue() (pgtype.UUID, error) {
	id, _ := engine.ParseUUID(string(t))
	return pgtype.UUID{Bytes: id, Valid: true}, nil
}

// queryArgs converts a query's text arguments to queryText, and its lists to arrays of it.
func queryArgs(args []any) []any {
	converted := make([]any, len(args))
	for i, arg := range args {
		switch arg := arg.(type) {
		case engine.List:
			converted[i] = texts(arg.Strings())
		case []idText:
			converted[i] = texts(arg)
		default:
			converted[i] = arg
			if value := reflect.ValueOf(arg); value.Kind() == reflect.String {
				converted[i] = queryText(value.String())
			}
		}
	}
	return converted
}

// execArgs converts the ids among a statement's arguments to idText, and each list to an array of
// text or ids, depending on the column.
func execArgs(args []any) []any {
	converted := make([]any, len(args))
	for i, arg := range args {
		switch arg := arg.(type) {
		case engine.List:
			converted[i] = texts(arg.Strings())
		case engine.ID:
			converted[i] = idText(arg.UUIDText())
		default:
			converted[i] = arg
		}
	}
	return converted
}

func texts[T ~string](values []T) pgtype.FlatArray[queryText] {
	list := make(pgtype.FlatArray[queryText], len(values))
	for i, value := range values {
		list[i] = queryText(value)
	}
	return list
}
