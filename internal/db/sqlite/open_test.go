package sqlite_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/db/sqlite"
)

// Each nested read needs another connection.
func TestEverySQLiteConnectionHasItsSettings(t *testing.T) {
	d := dbtest.Open(t, db.Options{Dir: t.TempDir()})
	check := func(tx *db.Tx) error {
		for pragma, want := range map[string]string{
			"synchronous": "2", "foreign_keys": "1", "journal_mode": "wal", "busy_timeout": "5000",
		} {
			got, err := db.One(tx, db.Column[string], "PRAGMA "+pragma)
			if err != nil || got != want {
				t.Errorf("%s is %q (%v), want %q", pragma, got, err, want)
			}
		}
		return nil
	}
	if err := d.InTx(t.Context(), check); err != nil {
		t.Error(err)
	}
	var nest func(depth int) error
	nest = func(depth int) error {
		return d.Read(t.Context(), func(tx *db.Tx) error {
			if depth > 1 {
				if err := nest(depth - 1); err != nil {
					return err
				}
			}
			return check(tx)
		})
	}
	if err := nest(4); err != nil {
		t.Error(err)
	}
}

// A command that writes ends at once: Close doesn't wait for the next checkpoint.
func TestCloseDoesNotWaitForTheCheckpointer(t *testing.T) {
	var closing time.Duration
	const databases = 5
	for range databases {
		d, err := db.Open(t.Context(), db.Options{Dir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := d.InTx(t.Context(), func(tx *db.Tx) error { return set(tx, "last", 1) }); err != nil {
				t.Fatal(err)
			}
		}
		began := time.Now()
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		closing += time.Since(began)
	}
	if average := closing / databases; average > 500*time.Millisecond {
		t.Errorf("closing a database takes %s on average, want less than 500ms", average)
	}
}

// Only their owner may read or write the database files. Files that an earlier version made with
// other permissions are corrected.
func TestDatabaseFilesArePrivate(t *testing.T) {
	dir := t.TempDir()
	private := func() {
		t.Helper()
		d := dbtest.Open(t, db.Options{Dir: dir})
		if err := d.InTx(t.Context(), func(tx *db.Tx) error { _, err := tx.Exec(`DELETE FROM settings`); return err }); err != nil {
			t.Fatal(err)
		}
		files, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil || len(files) < 3 {
			t.Fatalf("found %q (%v)", files, err)
		}
		for _, file := range files {
			if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%s has mode %v (%v)", file, info.Mode(), err)
			}
		}
	}
	private()
	for _, file := range []string{sqlite.File, sqlite.File + "-wal", sqlite.File + "-shm"} {
		if err := os.Chmod(filepath.Join(dir, file), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	private()
}

// While a long read is running, SQLite's write-ahead log can't restart and grows. Afterwards it is
// truncated to its size limit.
func TestALongLogIsTruncated(t *testing.T) {
	const most = 256 << 20 // size limit of the log
	o := db.Options{Dir: t.TempDir()}
	d := dbtest.Open(t, o)
	write := func(value byte, megabytes int) {
		t.Helper()
		if err := d.InTx(t.Context(), func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE ballast SET bytes = $1`, bytes.Repeat([]byte{value}, megabytes<<20))
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	size := func() int64 {
		t.Helper()
		info, err := os.Stat(filepath.Join(o.Dir, sqlite.File+"-wal"))
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	if err := d.InTx(t.Context(), func(tx *db.Tx) error {
		_, err := tx.Exec(`CREATE TABLE ballast AS SELECT 1 AS bytes`)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if err := d.Inspect(t.Context(), func(tx *db.Tx) error {
		if _, err := db.All(tx, db.Column[int64], `SELECT bytes FROM ballast`); err != nil {
			return err
		}
		for i := range byte(10) {
			write(i, 30)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if size() <= most {
		t.Fatalf("the log has only %d bytes after the long read", size())
	}
	for i := byte(0); size() > most; i++ {
		write(i, 1)
	}
}
