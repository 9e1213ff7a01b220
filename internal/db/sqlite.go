package db

import (
	"context"
	"database/sql"
	"fmt"
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
	if err := os.MkdirAll(o.Dir, 0o700); err != nil {
		return fmt.Errorf("make the data directory: %w", err)
	}
	path := filepath.Join(o.Dir, File)
	var err error
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
	if err := d.migrateInTurn(ctx); err != nil {
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

func (d *DB) migrateInTurn(ctx context.Context) error {
	if err := d.turns.take(ctx); err != nil {
		return err
	}
	defer d.turns.pass()
	return d.migrate(ctx, d.write)
}
