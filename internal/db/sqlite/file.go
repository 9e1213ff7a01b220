package sqlite

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
	"strconv"
	"time"

	"github.com/mattn/go-sqlite3"

	"kaibao/internal/db/engine"
)

// prepareDir creates the data directory, or fails if the database must already exist.
func prepareDir(path string, mustExist bool) error {
	if _, err := os.Stat(path); mustExist && errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no database at %s: set --data to the server's data directory, or --database-url", path)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("create the data directory: %w", err)
	}
	return nil
}

// createFile creates an empty database that only its owner can read, because it will contain
// sessions and seeds. SQLite gives its other files the same mode. The caller holds the write lock.
// It never opens an existing database: closing that would release this process's locks on it.
func createFile(path string) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL, ownerOnly)
	if err == nil {
		return file.Close()
	}
	if !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("create the database: %w", err)
	}
	for _, part := range []string{path, path + "-wal", path + "-shm"} { // created by an earlier version
		if err := os.Chmod(part, ownerOnly); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("restrict the database file to its owner: %w", err)
		}
	}
	return nil
}

// openedFile is a database file that is open.
type openedFile struct {
	path   string
	opened os.FileInfo
}

// check fails if the file was deleted, moved or replaced. Anything written to it would be lost when the
// process ends.
func (f openedFile) check() error {
	now, err := os.Stat(f.path)
	if err == nil && os.SameFile(now, f.opened) {
		return nil
	}
	return engine.ErrBusy.Because(errors.Join(err, fmt.Errorf("the database file %s was deleted, moved or replaced while it is open: stop the server, and put the file back or restore a backup", f.path)))
}

// ownerOnly is the mode of a file that only its owner can access.
const ownerOnly = 0o600

// connector opens connections to a database file. A PRAGMA affects only its own connection, so each
// connection starts with all settings.
type connector struct {
	path     string
	settings []string
	wait     time.Duration // for locks of other connections
}

// Connect implements driver.Connector.
func (c connector) Connect(context.Context) (driver.Conn, error) {
	query := url.Values{"_txlock": {"immediate"}, "_busy_timeout": {strconv.FormatInt(c.wait.Milliseconds(), 10)}}
	address := url.URL{Scheme: "file", Opaque: (&url.URL{Path: c.path}).EscapedPath(), RawQuery: query.Encode()}
	return (&sqlite3.SQLiteDriver{ConnectHook: c.configure}).Open(address.String())
}

func (c connector) configure(conn *sqlite3.SQLiteConn) error {
	for _, setting := range c.settings {
		if _, err := conn.Exec("PRAGMA "+setting, nil); err != nil {
			return fmt.Errorf("set %s: %w", setting, err)
		}
	}
	return nil
}

// Driver implements driver.Connector.
func (connector) Driver() driver.Driver { return &sqlite3.SQLiteDriver{} }

// connect opens a pool of connections with some settings until Close.
func (e *Engine) connect(settings []string) *sql.DB {
	pool := sql.OpenDB(connector{path: e.path, settings: settings, wait: e.options.CallTime})
	e.atClose(pool.Close)
	return pool
}

// openUnconfigured opens a database without changing its journal mode, and without waiting for
// locks.
func openUnconfigured(path string) *sql.DB {
	return sql.OpenDB(connector{path: path})
}

const fullCache = 64 << 20

// useWAL is the setting that turns on the write-ahead log. It changes the file.
const useWAL = "journal_mode = WAL"

// settings returns the PRAGMAs of each connection. With a smaller cache than usual, sorts use
// temporary files instead of memory.
func settings(o Options) []string {
	sorting := "MEMORY"
	if o.Cache < fullCache {
		sorting = "FILE"
	}
	return []string{
		useWAL, "synchronous = FULL", "foreign_keys = 1",
		"temp_store = " + sorting, fmt.Sprintf("cache_size = -%d", o.Cache>>10), "wal_autocheckpoint = 0",
		fmt.Sprintf("journal_size_limit = %d", maxLogFile),
	}
}
