package postgres

import (
	"fmt"
	"reflect"
	"strings"

	"kaibao/internal/db/engine"
)

// Values passes every column as one array, so that one prepared statement fits any number of rows.
func (e *Engine) Values(columns []string, rows [][]any) []engine.Values {
	if len(rows) == 0 {
		return nil
	}
	types := make([]string, len(columns))
	args := make([]any, len(columns))
	for i := range columns {
		kind := columnType(rows, i)
		types[i] = fmt.Sprintf("$%d::%s[]", i+1, kind)
		args[i] = columnArray(rows, i, kind)
	}
	with := engine.ValuesPrefix + strings.Join(columns, ", ") + ") AS (SELECT * FROM unnest(" + strings.Join(types, ", ") + engine.ValuesSuffix
	return []engine.Values{{With: with, Args: args, Rows: len(rows)}}
}

func columnType(rows [][]any, n int) string {
	for _, row := range rows {
		switch row[n].(type) {
		case nil:
		case string:
			return "text"
		case engine.ID:
			return "uuid"
		case []byte:
			return "bytea"
		default:
			return "bigint"
		}
	}
	return "bigint"
}

func columnArray(rows [][]any, n int, kind string) any {
	switch kind {
	case "text":
		return column(rows, n, func(v any) string { return v.(string) })
	case "uuid":
		return column(rows, n, func(v any) idText { return idText(v.(engine.ID).UUIDText()) })
	case "bytea":
		return column(rows, n, func(v any) []byte { return v.([]byte) })
	default:
		return column(rows, n, func(v any) int64 { return reflect.ValueOf(v).Int() })
	}
}

// column returns a column as a slice of one type, so that the driver needn't inspect each value.
func column[T any](rows [][]any, n int, convert func(any) T) any {
	values := make([]T, len(rows))
	for m, row := range rows {
		if row[n] == nil {
			return nullable(rows, n, convert)
		}
		values[m] = convert(row[n])
	}
	return values
}

func nullable[T any](rows [][]any, n int, convert func(any) T) []*T {
	values := make([]*T, len(rows))
	for m, row := range rows {
		if row[n] != nil {
			value := convert(row[n])
			values[m] = &value
		}
	}
	return values
}
