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

	"kaibao/internal/apperr"
	"kaibao/internal/searchtext"
)

//go:embed migrations/*.sql
var embedded embed.FS

var migrations fs.FS = embedded

// SchemaUse says what Open does with a schema of another version than this program's.
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
)

// Migration describes what Open did to the schema.
type Migration struct {
	From, To int64 // versions; From is 0 for an empty database
	Took     time.Duration
	Backup   string // file of the backup made before the migration, on SQLite
}

// schema is the migrations of this program.
type schema struct {
	steps  []*goose.Migration
	newest int64
}

// currentVersion reads the schema's version. It is the first query of every writing transaction.
const currentVersion = `SELECT COALESCE(MAX(version_id), 0) FROM goose_db_version WHERE is_applied`

// errNewerSchema refuses writes after a newer program migrated the database. The node stays up, so
// that it works again if the older database is restored.
var errNewerSchema = apperr.New(apperr.Unavailable, "The server is being updated, so nothing was done. Please try again in a moment.").After(5 * time.Second)

// accepts refuses to write to a schema newer than this program's.
func (s schema) accepts(version int64) error {
	if version > s.newest {
		return errNewerSchema.Because(fmt.Errorf("the database has schema %d, this program knows %d: replace it with the new version", version, s.newest))
	}
	return nil
}

// use checks the schema and reports whether it has to be migrated.
func (s schema) use(version int64, use SchemaUse, of traits) (migrate bool, err error) {
	switch {
	case version > s.newest:
		return false, fmt.Errorf("the database has schema %d, this program knows %d: use a newer kaibao", version, s.newest)
	case version == s.newest:
		return false, nil
	case version == 0 && (use == SchemaExact || use == SchemaOlder):
		return false, errors.New("the database is empty: start the server once with `kaibao serve`, which sets it up")
	case use == SchemaOlder:
		return false, nil
	case version == 0, use == SchemaMigrate, use == SchemaServe && of.selfMigrating:
		return true, nil
	case of.selfMigrating:
		return false, fmt.Errorf("the database has schema %d, this program needs %d: start the server of this version first, which migrates it", version, s.newest)
	}
	return false, fmt.Errorf("the database has schema %d, this program needs %d: run `kaibao migrate`", version, s.newest)
}

// schemaVersion reads the schema's version. It is 0 for an empty database.
func schemaVersion(ctx context.Context, conn interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}) (version int64, err error) {
	err = conn.QueryRowContext(ctx, currentVersion).Scan(&version)
	if kindOf(err) == noTable {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("read the schema's version: %w", err)
	}
	return version, nil
}

// migrate brings the schema up to date. It returns the zero Migration if another program did so
// first. It retries after deadlocks with programs that don't take the schema lock.
func (s schema) migrate(ctx context.Context, conn *sql.DB, of traits, from int64, options ...goose.ProviderOption) (m Migration, err error) {
	begin := time.Now()
	options = append(options, goose.WithGoMigrations(s.steps...), goose.WithDisableGlobalRegistry(true))
	provider, err := goose.NewProvider(of.goose, conn, nil, options...)
	if err != nil {
		return m, fmt.Errorf("read the migrations: %w", err)
	}
	var done []*goose.MigrationResult
	for range maxAttempts {
		done, err = provider.Up(ctx)
		if kindOf(err) != rival {
			break
		}
	}
	if err != nil {
		return m, fmt.Errorf("migrate the database: %w", err)
	}
	if len(done) == 0 { // another program was faster
		return m, nil
	}
	return Migration{From: from, To: s.newest, Took: time.Since(begin)}, nil
}

var (
	keptTable = regexp.MustCompile(`(?m)^KEEP (\w+);$`)
	provenKey = regexp.MustCompile(`(?m)^PROVEN (\w+) (\w+);$`)
	foldAgain = regexp.MustCompile(`(?m)^FOLD (\w+) (\w+) (\w+);$`)
)

// readSchema makes a migration of each file and replaces its placeholders with the engine's SQL.
func readSchema(of traits) (s schema, err error) {
	files, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return s, err
	}
	words := strings.NewReplacer("AUTO_ID", of.autoID, " BYTEWISE", of.bytewise, " UUID", " "+of.id)
	for _, file := range files {
		text, err := fs.ReadFile(migrations, file)
		if err != nil {
			return s, err
		}
		number, _, _ := strings.Cut(path.Base(file), "_")
		version, err := strconv.ParseInt(number, 10, 64)
		if err != nil {
			return s, fmt.Errorf("migration %s has no number: %w", file, err)
		}
		script := keptTable.ReplaceAllString(words.Replace(string(text)), of.keep)
		script = provenKey.ReplaceAllString(script, of.proven)
		folds := foldAgain.FindAllStringSubmatch(script, -1)
		script = foldAgain.ReplaceAllString(script, "")
		up := func(ctx context.Context, tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, script)
			for i := 0; err == nil && i < len(folds); i++ {
				err = foldColumn(ctx, tx, folds[i][1], folds[i][2], folds[i][3])
			}
			return err
		}
		s.steps = append(s.steps, goose.NewGoMigration(version, &goose.GoFunc{RunTx: up}, nil))
		s.newest = max(s.newest, version)
	}
	return s, nil
}

// foldedAtOnce is the maximum number of rows of one statement.
const foldedAtOnce = 500

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
	rows, err := tx.QueryContext(ctx, `SELECT id, `+name+` FROM `+table+` WHERE id > $1 ORDER BY id LIMIT $2`, after, foldedAtOnce)
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
