package db

import (
	"fmt"
	"reflect"
	"strings"
)

// values passes every column as one array, so that one prepared statement fits any number of rows.
func (e *postgresEngine) values(rows Rows) []values {
	if len(rows.Values) == 0 {
		return nil
	}
	types := make([]string, len(rows.Columns))
	args := make([]any, len(rows.Columns))
	for n := range rows.Columns {
		kind := columnType(rows, n)
		types[n] = fmt.Sprintf("$%d::%s[]", n+1, kind)
		args[n] = columnArray(rows, n, kind)
	}
	with := beginOfValues + strings.Join(rows.Columns, ", ") + ") AS (SELECT * FROM unnest(" + strings.Join(types, ", ") + endOfValues
	return []values{{with: with, args: args, rows: len(rows.Values)}}
}

func columnType(rows Rows, n int) string {
	for _, row := range rows.Values {
		switch row[n].(type) {
		case nil:
		case string:
			return "text"
		case ID:
			return "uuid"
		case []byte:
			return "bytea"
		default:
			return "bigint"
		}
	}
	return "bigint"
}

func columnArray(rows Rows, n int, kind string) any {
	switch kind {
	case "text":
		return column(rows, n, func(v any) string { return v.(string) })
	case "uuid":
		return column(rows, n, func(v any) ID { return v.(ID) })
	case "bytea":
		return column(rows, n, func(v any) []byte { return v.([]byte) })
	default:
		return column(rows, n, func(v any) int64 { return reflect.ValueOf(v).Int() })
	}
}

// column returns a column as a slice of one type, so that the driver needn't inspect each value.
func column[T any](rows Rows, n int, as func(any) T) any {
	values := make([]T, len(rows.Values))
	for m, row := range rows.Values {
		if row[n] == nil {
			return nullable(rows, n, as)
		}
		values[m] = as(row[n])
	}
	return values
}

func nullable[T any](rows Rows, n int, as func(any) T) []*T {
	values := make([]*T, len(rows.Values))
	for m, row := range rows.Values {
		if row[n] != nil {
			value := as(row[n])
			values[m] = &value
		}
	}
	return values
}

// rebuilding keeps the indexes: dropping them would lock out readers until the commit.
func (e *postgresEngine) rebuilding(_ *Tx, _ string, do func() error) error { return do() }
