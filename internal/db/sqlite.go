package db

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mattn/go-sqlite3"
	"github.com/pressly/goose/v3"
)

// File is the name of the SQLite database in the data directory.
const File = "kaibao.db"

// sqliteEngine is one database file with many readers and one writer.
type sqliteEngine struct {
	path      string
	schema    schema
	queue     *commitQueue // the single writer
	readers   readers
	searchers readers
	closers   []func() error // run in reverse order by close
}

func openSQLite(ctx context.Context, o Options) (backend, error) {
	e := &sqliteEngine{}
	var err error
	e.schema, err = readSchema(e.traits())
	if err != nil {
		return nil, err
	}
	if err := e.open(ctx, o); err != nil {
		return nil, errors.Join(err, e.close())
	}
	return e, nil
}

func (e *sqliteEngine) open(ctx context.Context, o Options) error {
	path := filepath.Join(o.Dir, File)
	e.path = path
	existing := o.Schema == SchemaExact || o.Schema == SchemaOlder
	if err := findPlace(path, existing); err != nil {
		return err
	}
	turns, err := openTurns(path)
	if err != nil {
		return err
	}
	e.atEnd(func() error { turns.close(); return nil })
	write, file, err := e.prepareInTurn(ctx, turns, path, o)
	if err != nil {
		return err
	}
	if err := e.openReaders(ctx, e.connect(sqliteFile{path, append(sqliteSettings(o), "query_only = 1")})); err != nil {
		return err
	}
	conn, err := write.Conn(ctx)
	if err != nil {
		return fmt.Errorf("open the writer: %w", err)
	}
	e.queue = newCommitQueue(conn, newCheckpointer(write, file, o.CallTime), turns, e.schema, o.Commit)
	e.atEnd(func() error { e.queue.close(); return nil })
	return nil
}

// atEnd registers a function that close runs before those registered earlier.
func (e *sqliteEngine) atEnd(closer func() error) { e.closers = append(e.closers, closer) }

func (e *sqliteEngine) close() error {
	var errs []error
	for _, closer := range slices.Backward(e.closers) {
		errs = append(errs, closer())
	}
	return errors.Join(errs...)
}

func (e *sqliteEngine) connect(file sqliteFile) *sql.DB {
	pool := sql.OpenDB(file)
	e.atEnd(pool.Close)
	return pool
}

func (e *sqliteEngine) schemaVersion() int64 { return e.schema.newest }

func (e *sqliteEngine) traits() traits {
	return traits{
		name: "sqlite", goose: goose.DialectSQLite3, writers: 1, selfMigrating: true,
		autoID: "INTEGER PRIMARY KEY AUTOINCREMENT", id: "TEXT", asID: "%s", inList: " IN (SELECT value FROM json_each(%s))",
		keep: `CREATE TRIGGER ${1}_kept BEFORE UPDATE ON $1 BEGIN SELECT RAISE(ABORT, 'rows of $1 are kept as they are'); END;
			CREATE TRIGGER ${1}_kept_too BEFORE DELETE ON $1 BEGIN SELECT RAISE(ABORT, 'rows of $1 are kept as they are'); END;`,
	}
}

func (e *sqliteEngine) write(ctx context.Context, do work) error { return e.queue.do(ctx, do) }

func (e *sqliteEngine) readOnly(ctx context.Context, why purpose, do work) error {
	if why == searching {
		return e.searchers.readOnly(ctx, true, do)
	}
	return e.readers.readOnly(ctx, why != peeking, do)
}

// reclaim does nothing, because SQLite reuses the space of deleted rows immediately.
func (e *sqliteEngine) reclaim(context.Context, string) error { return nil }

// sqliteKind classifies errors of the driver and of checkText.
func sqliteKind(err error) kind {
	if errors.Is(err, errBadText) {
		return badText
	}
	lite, ok := errors.AsType[sqlite3.Error](err)
	if !ok {
		return another
	}
	switch lite.ExtendedCode {
	case sqlite3.ErrConstraintUnique, sqlite3.ErrConstraintPrimaryKey:
		return duplicate
	}
	switch lite.Code {
	case sqlite3.ErrBusy, sqlite3.ErrLocked, sqlite3.ErrInterrupt, sqlite3.ErrFull, sqlite3.ErrIoErr, sqlite3.ErrCantOpen:
		return passing
	}
	if strings.Contains(lite.Error(), "no such table") {
		return noTable
	}
	return another
}

// findPlace creates the data directory, or fails if the database must already exist.
func findPlace(path string, existing bool) error {
	if _, err := os.Stat(path); existing && errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no database at %s: name the server's data directory with --data, or its --database-url", path)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("make the data directory: %w", err)
	}
	return nil
}

// makeFile creates an empty database that only its owner can read, because it will contain
// sessions and seeds. SQLite gives its other files the same mode. The caller holds the turn. It
// never opens an existing database: closing that would release this process's locks on it.
func makeFile(path string) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL, private)
	if err == nil {
		return file.Close()
	}
	if !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("make the database: %w", err)
	}
	for _, part := range []string{path, path + "-wal", path + "-shm"} { // created by an earlier version
		if err := os.Chmod(part, private); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("keep the database to its owner: %w", err)
		}
	}
	return nil
}

// private is the mode of a file that only its owner can access.
const private = 0o600

// sqliteFile opens connections to a database file. A PRAGMA affects only its own connection, so
// each connection starts with all settings.
type sqliteFile struct {
	path     string
	settings []string
}

// Connect implements driver.Connector.
func (f sqliteFile) Connect(context.Context) (driver.Conn, error) {
	query := url.Values{"_txlock": {"immediate"}}
	address := url.URL{Scheme: "file", Opaque: (&url.URL{Path: f.path}).EscapedPath(), RawQuery: query.Encode()}
	return (&sqlite3.SQLiteDriver{ConnectHook: f.prepare}).Open(address.String())
}

func (f sqliteFile) prepare(conn *sqlite3.SQLiteConn) error {
	for _, setting := range f.settings {
		if _, err := conn.Exec("PRAGMA "+setting, nil); err != nil {
			return fmt.Errorf("set %s: %w", setting, err)
		}
	}
	return nil
}

// Driver implements driver.Connector.
func (sqliteFile) Driver() driver.Driver { return &sqlite3.SQLiteDriver{} }

func sqliteSettings(o Options) []string {
	sorting := "MEMORY"
	if o.Cache < fullCache {
		sorting = "FILE"
	}
	return []string{
		fmt.Sprintf("busy_timeout = %d", o.CallTime.Milliseconds()), "journal_mode = WAL", "synchronous = FULL", "foreign_keys = 1",
		"temp_store = " + sorting, fmt.Sprintf("cache_size = -%d", o.Cache>>10), "wal_autocheckpoint = 0",
		fmt.Sprintf("journal_size_limit = %d", keptLog),
	}
}

func (e *sqliteEngine) openReaders(ctx context.Context, pool *sql.DB) (err error) {
	e.readers, err = newReaders(ctx, pool, max(4, 2*runtime.NumCPU()))
	if err != nil {
		return err
	}
	e.atEnd(func() error { e.readers.close(cap(e.readers)); return nil })
	// SQLite searches in this process: half of the processors remain for everything else.
	e.searchers, err = newReaders(ctx, pool, max(2, runtime.NumCPU()/2))
	if err != nil {
		return err
	}
	e.atEnd(func() error { e.searchers.close(cap(e.searchers)); return nil })
	return nil
}

// prepareInTurn creates or migrates the database while holding the turn, and opens it for the
// writer.
func (e *sqliteEngine) prepareInTurn(ctx context.Context, turns *turns, path string, o Options) (*sql.DB, *os.File, error) {
	if err := turns.take(ctx); err != nil {
		return nil, nil, err
	}
	defer turns.pass()
	if err := makeFile(path); err != nil {
		return nil, nil, err
	}
	file, err := os.OpenFile(path, os.O_RDWR, private)
	if err != nil {
		return nil, nil, fmt.Errorf("open the database: %w", err)
	}
	e.atEnd(sync.OnceValue(file.Close)) // after the connections, because closing it releases this process's locks
	write := e.connect(sqliteFile{path, sqliteSettings(o)})
	write.SetMaxOpenConns(2) // the writer and the checkpointer
	return write, file, e.prepareSchema(ctx, write, path, o)
}

// prepareSchema backs up and migrates a database that no other process has open. So no older
// program that doesn't check the schema's version can be running.
func (e *sqliteEngine) prepareSchema(ctx context.Context, conns *sql.DB, path string, o Options) error {
	version, err := schemaVersion(ctx, conns)
	if err != nil {
		return err
	}
	migrate, err := e.schema.use(version, o.Schema, e.traits())
	if err != nil || !migrate {
		return err
	}
	backup := ""
	if version > 0 {
		backup = fmt.Sprintf("%s.schema-%d-%s", path, version, time.Now().UTC().Format(backupTime))
		if err := closeIdle(conns, func() error { return alone(ctx, path) }); err != nil {
			return fmt.Errorf("migrate the database from schema %d to %d: %w", version, e.schema.newest, err)
		}
		if err := Backup(ctx, o.Dir, backup); err != nil {
			return fmt.Errorf("back up the database before it is migrated from schema %d to %d: %w", version, e.schema.newest, err)
		}
	}
	m, err := e.schema.migrate(ctx, conns, e.traits(), version)
	if err == nil && m != (Migration{}) {
		m.Backup = backup
		o.Migrated(m)
	}
	return err
}

// closeIdle runs a function while an unused pool has no open connection.
func closeIdle(conns *sql.DB, do func() error) error {
	conns.SetMaxIdleConns(0)
	defer conns.SetMaxIdleConns(2)
	return do()
}
