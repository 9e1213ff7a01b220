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
	"time"

	"github.com/pressly/goose/v3"

	"kaibao/internal/db/engine"
	"kaibao/internal/searchtext"
)

//go:embed migrations/*.sql
var embeddedMigrations embed.FS

var migrations fs.FS = embeddedMigrations

// SchemaUse selects which schema versions Open accepts or migrates.
type SchemaUse int

const (
	// SchemaServe sets up an empty database. It backs up and migrates SQLite; PostgreSQL has to be
	// migrated with SchemaMigrate.
	SchemaServe SchemaUse = iota
	// SchemaExact accepts only this program's schema.
	SchemaExact
	// SchemaOlder accepts an older schema as it is, for commands that only use `settings`.
	SchemaOlder
	// SchemaMigrate migrates either engine.
	SchemaMigrate
	// SchemaAny accepts every schema as it is, even none, for checks. On SQLite it only allows reads.
	SchemaAny
)

// Migration describes a setup or migration of the schema.
type Migration struct {
	From, To int64 // versions; From is 0 for an empty database
	Took     time.Duration
	Backup   string // file of the backup made before the migration, on SQLite
}

// migrationSet is the migrations of this program in one dialect.
type migrationSet struct {
	steps  []*goose.Migration
	newest int64
}

// ErrEmpty means that no server has set up the database.
var ErrEmpty = errors.New("the database is empty: restore a backup into it first. For a new shop, start the server once with `kaibao serve`, which sets it up")

// schema returns the schema that an engine checks and migrates as the options say.
func (m migrationSet) schema(dialect engine.Dialect, o Options) engine.Schema {
	return engine.Schema{
		Newest: m.newest,
		Due: func(version int64) (bool, error) {
			due, err := m.due(version, o.Schema, dialect)
			if due && version == 0 && o.EmptyError != nil {
				return false, o.EmptyError
			}
			return due, err
		},
		Migrate: func(ctx context.Context, conns *sql.DB, from int64, backup string, lock engine.MigrationLock) error {
			done, err := m.migrate(ctx, conns, dialect, from, lock)
			if err == nil && done != (Migration{}) {
				done.Backup = backup
				o.Migrated(done)
			}
			return err
		},
	}
}

// due reports whether a schema version has to be migrated, or why it can't be used.
func (m migrationSet) due(version int64, use SchemaUse, dialect engine.Dialect) (bool, error) {
	moved := engine.CheckMoved(version)
	switch {
	case use == SchemaAny:
		return false, nil
	case moved != nil:
		return false, moved
	case version > m.newest:
		return false, fmt.Errorf("the database has schema %d, but this version supports only up to %d: use a newer kaibao", version, m.newest)
	case version == m.newest:
		return false, nil
	case version == 0 && (use == SchemaExact || use == SchemaOlder):
		return false, ErrEmpty
	case use == SchemaOlder:
		return false, nil
	case version == 0, use == SchemaMigrate, use == SchemaServe && dialect.MigratesOnServe:
		return true, nil
	case dialect.MigratesOnServe:
		return false, fmt.Errorf("the database has schema %d, this program needs %d: start the server of this version first, which migrates it", version, m.newest)
	}
	return false, fmt.Errorf("the database has schema %d, this program needs %d: run `kaibao migrate`", version, m.newest)
}

// migrate brings the schema up to date. It returns the zero Migration if another program did so
// first. It retries after deadlocks with programs that don't take the lock.
func (m migrationSet) migrate(ctx context.Context, conns *sql.DB, dialect engine.Dialect, from int64, lock engine.MigrationLock) (Migration, error) {
	begin := time.Now()
	options := []goose.ProviderOption{goose.WithGoMigrations(m.steps...), goose.WithDisableGlobalRegistry(true)}
	if lock != nil {
		options = append(options, goose.WithSessionLocker(lock))
	}
	provider, err := goose.NewProvider(goose.Dialect(dialect.Goose), conns, nil, options...)
	if err != nil {
		return Migration{}, fmt.Errorf("read the migrations: %w", err)
	}
	var done []*goose.MigrationResult
	for range engine.MaxAttempts {
		done, err = provider.Up(ctx)
		if kindOf(err) != engine.Conflict {
			break
		}
	}
	if err != nil {
		return Migration{}, fmt.Errorf("migrate the database: %w", err)
	}
	if len(done) == 0 { // another program was faster
		return Migration{}, nil
	}
	return Migration{From: from, To: m.newest, Took: time.Since(begin)}, nil
}

// Lines of migrations that scriptFor replaces with SQL or steps: tables to make append-only,
// append-only tables whose names of deleted users may be replaced, foreign keys to drop, and search
// columns to fill.
var (
	appendOnlyLine     = regexp.MustCompile(`(?m)^KEEP (\w+);$`)
	erasableLine       = regexp.MustCompile(`(?m)^ERASABLE (\w+) ([\w, ]+);$`)
	dropForeignKeyLine = regexp.MustCompile(`(?m)^PROVEN (\w+) (\w+);$`)
	foldLine           = regexp.MustCompile(`(?m)^FOLD (\w+) (\w+) (\w+);$`)
)

// readMigrations makes a migration of each file.
func readMigrations(dialect engine.Dialect) (m migrationSet, err error) {
	files, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return m, err
	}
	for _, file := range files {
		text, err := fs.ReadFile(migrations, file)
		if err != nil {
			return m, err
		}
		version, err := versionOf(file)
		if err != nil {
			return m, err
		}
		up := func(ctx context.Context, tx *sql.Tx) error {
			script, folds := scriptFor(dialect, string(text))
			_, err := tx.ExecContext(ctx, script)
			for i := 0; err == nil && i < len(folds); i++ {
				err = foldColumn(ctx, tx, folds[i][1], folds[i][2], folds[i][3])
			}
			return err
		}
		m.steps = append(m.steps, goose.NewGoMigration(version, &goose.GoFunc{RunTx: up}, nil))
		m.newest = max(m.newest, version)
	}
	return m, nil
}

// scriptFor replaces a migration's placeholders with the dialect's SQL. It returns the search columns
// to fill after the script as submatches of foldLine.
func scriptFor(dialect engine.Dialect, text string) (script string, folds [][]string) {
	placeholders := strings.NewReplacer("AUTO_ID", dialect.AutoID, " BYTEWISE", dialect.Bytewise, " UUID", " "+dialect.IDType)
	script = appendOnlyLine.ReplaceAllString(placeholders.Replace(text), dialect.AppendOnly)
	script = erasableLine.ReplaceAllStringFunc(script, func(line string) string {
		parts := erasableLine.FindStringSubmatch(line)
		return erasable(dialect, parts[1], strings.Split(parts[2], ", "))
	})
	script = dropForeignKeyLine.ReplaceAllString(script, dialect.DropForeignKey)
	folds = foldLine.FindAllStringSubmatch(script, -1)
	return foldLine.ReplaceAllString(script, ""), folds
}

// erasable returns the SQL that lets an append-only table replace the names of a deleted user. Such
// an update leaves the fixed columns as they are and adds the user's id to the column "erased".
func erasable(dialect engine.Dialect, table string, fixed []string) string {
	same := make([]string, len(fixed))
	for i, column := range fixed {
		same[i] = "NEW." + column + " IS NOT DISTINCT FROM OLD." + column
	}
	const appended = "LENGTH(NEW.erased) = LENGTH(OLD.erased) + 37 AND SUBSTR(NEW.erased, 1, LENGTH(OLD.erased)) = OLD.erased"
	return strings.NewReplacer("$1", table, "$2", strings.Join(same, " AND ")+" AND "+appended).Replace(dialect.Erasable)
}

// NewestSchema returns the newest schema version that this program knows.
func NewestSchema() (int64, error) {
	m, err := readMigrations(engine.Dialect{}) // versions are the same in all dialects
	return m.newest, err
}

// SchemaVersion reads the schema version of the database; 0 means that it is empty.
func SchemaVersion(tx *Tx) (int64, error) {
	version, err := One(tx, Column[int64], engine.CurrentVersion)
	if kindOf(err) == engine.NoTable {
		return 0, nil
	}
	return version, err
}

// CheckSchema reports whether a server would set up or migrate a database with a schema version, or
// why it would refuse to start.
func (d *DB) CheckSchema(version int64) (migrates bool, err error) {
	return migrationSet{newest: d.schema}.due(version, SchemaServe, d.dialect)
}

// versionOf returns the schema version that a migration leads to.
func versionOf(file string) (int64, error) {
	number, _, _ := strings.Cut(path.Base(file), "_")
	version, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("migration %s without a number: %w", file, err)
	}
	return version, nil
}

// foldBatchSize is the number of rows that foldColumn updates per statement.
const foldBatchSize = 500

// foldColumn fills a table's search column with the folded form of its names (searchtext.Index). A
// migration requests it with `FOLD table column name;`.
func foldColumn(ctx context.Context, tx *sql.Tx, table, column, name string) error {
	for after := ""; ; {
		folded, last, err := foldedNames(ctx, tx, table, name, after)
		if err != nil || len(folded) == 0 {
			return err
		}
		after = last
		marks := make([]string, 0, len(folded)/2)
		for i := 1; i < len(folded); i += 2 {
			marks = append(marks, fmt.Sprintf("($%d, $%d)", i, i+1))
		}
		_, err = tx.ExecContext(ctx, `WITH v (id, folded) AS (VALUES `+strings.Join(marks, ", ")+`)
			UPDATE `+table+` SET `+column+` = v.folded FROM v WHERE `+table+`.id = v.id`, folded...)
		if err != nil {
			return err
		}
	}
}

// foldedNames returns the ids of the next rows, each followed by its folded name.
func foldedNames(ctx context.Context, tx *sql.Tx, table, name, after string) (folded []any, last string, err error) {
	rows, err := tx.QueryContext(ctx, `SELECT id, `+name+` FROM `+table+` WHERE id > $1 ORDER BY id LIMIT $2`, after, foldBatchSize)
	if err != nil {
		return nil, "", err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var text string
		if err := rows.Scan(&last, &text); err != nil {
			return nil, "", err
		}
		folded = append(folded, last, searchtext.Index(text))
	}
	return folded, last, rows.Err()
}
