package db

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/pressly/goose/v3"
)

//go:embed migrations/*.sql
var migrations embed.FS

// migrate brings the schema up to date, or only looks at it. Two programs that
// start at once do it one after the other; a schema that this program does not
// know is refused.
func migrate(ctx context.Context, conn *sql.DB, of traits, existing bool, options ...goose.ProviderOption) error {
	steps, newest, err := steps(of)
	if err != nil {
		return err
	}
	if existing {
		return checkVersion(ctx, conn, newest)
	}
	options = append(options, goose.WithGoMigrations(steps...), goose.WithDisableGlobalRegistry(true))
	provider, err := goose.NewProvider(of.goose, conn, nil, options...)
	if err != nil {
		return fmt.Errorf("read the migrations: %w", err)
	}
	if _, err := provider.Up(ctx); err != nil {
		return fmt.Errorf("migrate the database: %w", err)
	}
	return checkVersion(ctx, conn, newest)
}

// checkVersion refuses a schema that is not this program's newest.
func checkVersion(ctx context.Context, conn *sql.DB, newest int64) error {
	if _, err := conn.ExecContext(ctx, `SELECT 1 FROM goose_db_version LIMIT 1`); err != nil {
		if kindOf(err) == noTable {
			return errors.New("the database is empty: start the server once with `kaibao serve`, which sets it up")
		}
		return fmt.Errorf("read the schema's version: %w", err)
	}
	var version int64
	row := conn.QueryRowContext(ctx, `SELECT COALESCE(MAX(version_id), 0) FROM goose_db_version WHERE is_applied`)
	if err := row.Scan(&version); err != nil {
		return fmt.Errorf("read the schema's version: %w", err)
	}
	switch {
	case version > newest:
		return fmt.Errorf("the database has schema %d, this program knows %d: use a newer kaibao", version, newest)
	case version < newest:
		return fmt.Errorf("the database has schema %d, this program needs %d: start the server of this version first, which migrates it", version, newest)
	}
	return nil
}

var (
	keptTable = regexp.MustCompile(`(?m)^KEEP (\w+);$`)
	provenKey = regexp.MustCompile(`(?m)^PROVEN (\w+) (\w+);$`)
)

// steps makes a migration of each file, with the engine's words put in.
func steps(of traits) (steps []*goose.Migration, newest int64, err error) {
	files, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return nil, 0, err
	}
	words := strings.NewReplacer("AUTO_ID", of.autoID, " BYTEWISE", of.bytewise, " UUID", " "+of.id)
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
		script := keptTable.ReplaceAllString(words.Replace(string(text)), of.keep)
		script = provenKey.ReplaceAllString(script, of.proven)
		up := func(ctx context.Context, tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, script)
			return err
		}
		steps = append(steps, goose.NewGoMigration(version, &goose.GoFunc{RunTx: up}, nil))
		newest = max(newest, version)
	}
	return steps, newest, nil
}
