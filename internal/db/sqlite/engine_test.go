package sqlite

import (
	"context"
	"database/sql"
	"testing"
	"time"

	"kaibao/internal/db/engine"
)

// open opens the database of a directory with the tables that these tests use. Options that aren't set
// get a server's values.
func open(t *testing.T, o Options) *Engine {
	t.Helper()
	o.Schema = engine.Schema{
		Newest: 1,
		Due:    func(version int64) (bool, error) { return version == 0, nil },
		Migrate: func(ctx context.Context, conns *sql.DB, _ int64, _ string, _ engine.MigrationLock) error {
			_, err := conns.ExecContext(ctx, `CREATE TABLE goose_db_version (version_id BIGINT NOT NULL, is_applied BOOLEAN NOT NULL);
				INSERT INTO goose_db_version (version_id, is_applied) VALUES (1, TRUE);
				CREATE TABLE settings (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL);`)
			return err
		},
	}
	if o.Commit == nil {
		o.Commit = func(commit func() error) error { return commit() }
	}
	if o.CallTime == 0 {
		o.CallTime = 5 * time.Second
	}
	e, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e
}

// insert returns work that inserts a row with a name.
func insert(name string) engine.Work {
	return func(ctx context.Context, conn engine.Conn) error {
		_, err := conn.Exec(ctx, `INSERT INTO settings (name, value) VALUES ($1, '')`, []any{name})
		return err
	}
}

// committedNames returns the names of the committed rows.
func committedNames(t *testing.T, e *Engine) (found []string) {
	t.Helper()
	err := e.Read(t.Context(), engine.Read, func(ctx context.Context, conn engine.Conn) error {
		rows, err := conn.Query(ctx, `SELECT name FROM settings ORDER BY name`, nil)
		if err != nil {
			return err
		}
		return engine.ReadAndClose(rows, func(rows engine.Rows) {
			for rows.Next() {
				var name string
				if err := rows.Scan(&name); err != nil {
					t.Error(err)
				}
				found = append(found, name)
			}
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
