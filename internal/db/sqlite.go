package db

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"time"

	_ "modernc.org/sqlite" // registers the driver "sqlite"
)

// File is the name of the SQLite database in the data directory.
const File = "kaibao.db"

func (d *DB) openSQLite(ctx context.Context, o Options) error {
	d.dialect = sqlite3
	path := filepath.Join(o.Dir, File)
	err := findPlace(path, o.Existing)
	if err != nil {
		return err
	}
	if d.write, err = sql.Open("sqlite", sqliteDSN(path, false, d.limit)); err != nil {
		return err
	}
	d.write.SetMaxOpenConns(2) // the writer and the checkpointer
	if d.read, err = sql.Open("sqlite", sqliteDSN(path, true, d.limit)); err != nil {
		return err
	}
	if d.turns, err = openTurns(path); err != nil {
		return err
	}
	if err := d.prepareInTurn(ctx, path, o.Existing); err != nil {
		return err
	}
	if err := d.openReaders(ctx); err != nil {
		return err
	}
	conn, err := d.write.Conn(ctx)
	if err != nil {
		return fmt.Errorf("open the writer: %w", err)
	}
	d.queue = newCommitQueue(d, conn, newCheckpointer(d.write, d.limit), d.turns)
	return nil
}

// findPlace makes the data directory, unless the database must be there already.
func findPlace(path string, existing bool) error {
	if _, err := os.Stat(path); existing && errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no database at %s: name the server's data directory with --data, or its --database-url", path)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("make the data directory: %w", err)
	}
	return nil
}

// makeFile makes an empty database that its owner alone can read: it holds
// everybody's sessions and seeds. SQLite gives the files that it makes beside it
// the same mode. It is done in turn and never opens a database that is there, as
// closing that again would take this process's locks on it away.
func makeFile(path string) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL, private)
	if err == nil {
		return file.Close()
	}
	if !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("make the database: %w", err)
	}
	for _, part := range []string{path, path + "-wal", path + "-shm"} { // made by an earlier version
		if err := os.Chmod(part, private); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("keep the database to its owner: %w", err)
		}
	}
	return nil
}

// private is the mode of a file for its owner alone.
const private = 0o600

// sqliteDSN carries the settings in the address, as a PRAGMA reaches only the
// connection that runs it.
func sqliteDSN(path string, readOnly bool, patience time.Duration) string {
	q := url.Values{"_pragma": {
		fmt.Sprintf("busy_timeout(%d)", patience.Milliseconds()), "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)",
		"temp_store(MEMORY)", "cache_size(-65536)", "wal_autocheckpoint(0)",
	}}
	if readOnly {
		q.Add("_pragma", "query_only(1)")
	} else {
		q.Set("_txlock", "immediate")
	}
	return (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: q.Encode()}).String()
}

func (d *DB) openReaders(ctx context.Context) error {
	// Searches work in this process: half of the processors stay for everybody else.
	for _, n := range []int{max(4, 2*runtime.NumCPU()), max(2, runtime.NumCPU()/2)} {
		r, err := newReaders(ctx, d.read, n)
		if err != nil {
			return err
		}
		d.readers = append(d.readers, r)
	}
	all, few := d.readers[0], d.readers[1]
	d.ways = ways{read: all, peek: all, inspect: all, search: few}
	return nil
}

// prepareInTurn makes the file and its schema what they must be.
func (d *DB) prepareInTurn(ctx context.Context, path string, existing bool) error {
	if err := d.turns.take(ctx); err != nil {
		return err
	}
	defer d.turns.pass()
	if err := makeFile(path); err != nil {
		return err
	}
	return d.migrate(ctx, d.write, existing)
}
