package db

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"github.com/pressly/goose/v3"
)

//go:embed migrations/*.sql
var migrations embed.FS

// migrate brings the schema up to date. Two programs that start at once do it
// one after the other; a schema from a newer program is refused.
func (d *DB) migrate(ctx context.Context, conn *sql.DB) error {
	steps, newest, err := d.steps()
	if err != nil {
		return err
	}
	options := []goose.ProviderOption{
		goose.WithGoMigrations(steps...), goose.WithDisableGlobalRegistry(true),
	}
	if d.dialect.name == postgres.name {
		options = append(options, goose.WithSessionLocker(schemaLock{}))
	}
	provider, err := goose.NewProvider(d.dialect.goose, conn, nil, options...)
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("migrate the database: %w", err)
	}
	version, err := provider.GetDBVersion(ctx)
	if err != nil {
		return fmt.Errorf("read the schema's version: %w", err)
	}
	if version > newest {
		return fmt.Errorf("the database has schema %d, this program knows %d: use a newer kaibao", version, newest)
	}
	return nil
}

// schemaLock keeps other nodes from migrating the same schema. It waits in the
// server, which lets the next one in at once; goose's own lock asks every 5 s.
type schemaLock struct{}

// SessionLock implements lock.SessionLocker.
func (schemaLock) SessionLock(ctx context.Context, conn *sql.Conn) error {
	_, err := conn.ExecContext(ctx, `SELECT pg_advisory_lock(hashtext('kaibao ' || current_schema()))`)
	return err
}

// SessionUnlock implements lock.SessionLocker.
func (schemaLock) SessionUnlock(ctx context.Context, conn *sql.Conn) error {
	_, err := conn.ExecContext(ctx, `SELECT pg_advisory_unlock(hashtext('kaibao ' || current_schema()))`)
	return err
}

// steps makes a migration of each file, with the dialect's words put in.
func (d *DB) steps() (steps []*goose.Migration, newest int64, err error) {
	files, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return nil, 0, err
	}
	words := strings.NewReplacer("AUTO_ID", d.dialect.autoID, " BYTEWISE", d.dialect.bytewise)
	for _, file := range files {
		text, err := migrations.ReadFile(file)
		if err != nil {
			return nil, 0, err
		}
		number, _, _ := strings.Cut(path.Base(file), "_")
		version, err := strconv.ParseInt(number, 10, 64)
		if err != nil {
			return nil, 0, fmt.Errorf("migration %s has no number: %w", file, err)
		}
		script := words.Replace(string(text))
		up := func(ctx context.Context, tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, script)
			return err
		}
		steps = append(steps, goose.NewGoMigration(version, &goose.GoFunc{RunTx: up}, nil))
		newest = max(newest, version)
	}
	return steps, newest, nil
}
