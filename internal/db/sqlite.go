package db

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"

	_ "modernc.org/sqlite" // registers the driver "sqlite"
)

// File is the name of the SQLite database in the data directory.
const File = "kaibao.db"

func (d *DB) openSQLite(ctx context.Context, o Options) error {
	d.dialect = sqlite3
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return fmt.Errorf("make the data directory: %w", err)
	}
	path := filepath.Join(o.Dir, File)
	var err error
	if d.write, err = sql.Open("sqlite", sqliteDSN(path, false)); err != nil {
		return err
	}
	d.write.SetMaxOpenConns(2) // the writer and the checkpointer
	if d.read, err = sql.Open("sqlite", sqliteDSN(path, true)); err != nil {
		return err
	}
	if err := whileLocked(path+".lock", func() error { return d.migrate(ctx, d.write) }); err != nil {
		return err
	}
	if d.readers, err = newReaders(ctx, d.read, max(4, 2*runtime.NumCPU())); err != nil {
		return err
	}
	conn, err := d.write.Conn(ctx)
	if err != nil {
		return fmt.Errorf("open the writer: %w", err)
	}
	d.queue = newCommitQueue(d, conn, newCheckpointer(d.write))
	return nil
}

// sqliteDSN carries the settings in the address, as a PRAGMA reaches only the
// connection that runs it.
func sqliteDSN(path string, readOnly bool) string {
	q := url.Values{"_pragma": {
		"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)",
		"temp_store(MEMORY)", "cache_size(-65536)", "wal_autocheckpoint(0)",
	}}
	if readOnly {
		q.Add("_pragma", "query_only(1)")
	} else {
		q.Set("_txlock", "immediate")
	}
	return (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: q.Encode()}).String()
}
