package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/mattn/go-sqlite3"

	"kaibao/internal/db/engine"
)

// Integrity checks tables and indexes page by page.
func (e *Engine) Integrity(ctx context.Context) (engine.Integrity, error) {
	return checkFile(ctx, e.path)
}

// checkFile checks every page of a database. Others may write to it meanwhile.
func checkFile(ctx context.Context, path string) (i engine.Integrity, err error) {
	conns := openUnconfigured(path)
	defer func() { err = errors.Join(err, conns.Close()) }()
	i.Faults, err = textColumn(ctx, conns, "PRAGMA integrity_check")
	if len(i.Faults) == 1 && i.Faults[0] == "ok" {
		i.Faults = nil
	}
	if lite, ok := errors.AsType[sqlite3.Error](err); ok && (lite.Code == sqlite3.ErrCorrupt || lite.Code == sqlite3.ErrNotADB) {
		return engine.Integrity{Faults: append(i.Faults, lite.Error())}, nil
	}
	if err != nil {
		return i, fmt.Errorf("check %s: %w", path, err)
	}
	return i, nil
}

// textColumn returns the rows of a query with one text column.
func textColumn(ctx context.Context, conns interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}, query string) (values []string, err error) {
	rows, err := conns.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var value string
		if err := rows.Scan(&value); err != nil {
			return values, err
		}
		values = append(values, value)
	}
	return values, rows.Err()
}
