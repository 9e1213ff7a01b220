package sqlite_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/db/sqlite"
)

// A backup taken while a writer is busy is a consistent snapshot, and a database that another
// process has open can't be replaced.
func TestBackupDuringWrites(t *testing.T) {
	o := dbtest.Options(t, "sqlite")
	d := dbtest.Open(t, o)
	var writing sync.WaitGroup
	begun, stop := make(chan struct{}), make(chan struct{})
	var first sync.Once
	writing.Go(func() {
		defer first.Do(func() { close(begun) })
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			if err := d.InTx(t.Context(), func(tx *db.Tx) error {
				return errors.Join(set(tx, "one", i), set(tx, "other", i))
			}); err != nil {
				t.Error(err)
				return
			}
			first.Do(func() { close(begun) })
		}
	})
	<-begun
	for range 5 {
		file := filepath.Join(t.TempDir(), "backup")
		if err := sqlite.Backup(t.Context(), o.Dir, file); err != nil {
			t.Fatal(err)
		}
		if _, err := restore(t.Context(), t, file, o.Dir); !errors.Is(err, sqlite.ErrInUse) {
			t.Errorf("restored under a running server: %v", err)
		}
		dir := t.TempDir()
		if replaced, err := restore(t.Context(), t, file, dir); err != nil || replaced != "" {
			t.Fatal(replaced, err)
		}
		copied := dbtest.Open(t, db.Options{Dir: dir})
		one, other := get(t, copied, "one"), get(t, copied, "other")
		if one != other || one == "" {
			t.Errorf("the copy has %q and %q", one, other)
		}
	}
	close(stop)
	writing.Wait()
}

// A backup removes what a killed one left under the name of incomplete files, and uses nothing of it.
// It replaces no file, and leaves only the backup, also if it fails.
func TestBackupAfterAKilledOne(t *testing.T) {
	o := dbtest.Options(t, "sqlite")
	d := dbtest.Open(t, o)
	if err := d.InTx(t.Context(), func(tx *db.Tx) error { return set(tx, "one", 1) }); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name, content string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	// SQLite's header of a journal that rolls a database back to no pages.
	journal := "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + "\x00\x00\x00\x00" + "\x00\x00\x00\x00" + "\x00\x00\x00\x00" + "\x00\x00\x02\x00" + "\x00\x00\x10\x00" + strings.Repeat("\x00", 512)
	write("backup.part", strings.Repeat("SQLite format 3\x00", 1000))
	write("backup.part-journal", journal)
	write("backup-journal", journal) // beside a file of an earlier version, which was deleted
	file := filepath.Join(dir, "backup")
	if err := sqlite.Backup(t.Context(), o.Dir, file); err != nil {
		t.Fatal(err)
	}
	wantOnly := func(want ...string) {
		t.Helper()
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, entry := range entries {
			names = append(names, entry.Name())
		}
		if !slices.Equal(names, want) {
			t.Errorf("the folder has %v, want %v", names, want)
		}
	}
	wantOnly("backup")
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the backup has mode %v (%v)", info.Mode(), err)
	}
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := sqlite.Backup(t.Context(), o.Dir, file); err == nil || !strings.Contains(err.Error(), "exists") {
		t.Errorf("a backup over another one returns %v", err)
	}
	if after, err := os.ReadFile(file); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the first backup was changed (%v)", err)
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if err := sqlite.Backup(canceled, o.Dir, file+"2"); err == nil {
		t.Error("a canceled backup succeeds")
	}
	wantOnly("backup")
	copied := t.TempDir()
	if _, err := restore(t.Context(), t, file, copied); err != nil {
		t.Fatal(err)
	}
	if one := get(t, dbtest.Open(t, db.Options{Dir: copied}), "one"); one != "1" {
		t.Errorf("the backup has %q", one)
	}
}

// Two backups into one file don't disturb each other: one of them succeeds and the other one fails, or
// the later one finds the earlier one complete.
func TestBackupsIntoOneFile(t *testing.T) {
	o := dbtest.Options(t, "sqlite")
	dbtest.Open(t, o)
	file := filepath.Join(t.TempDir(), "backup")
	var all sync.WaitGroup
	var succeeded atomic.Int64
	for range 4 {
		all.Go(func() {
			if sqlite.Backup(t.Context(), o.Dir, file) == nil {
				succeeded.Add(1)
			}
		})
	}
	all.Wait()
	if n := succeeded.Load(); n != 1 {
		t.Errorf("%d backups into one file succeeded", n)
	}
	if _, err := restore(t.Context(), t, file, t.TempDir()); err != nil {
		t.Error(err)
	}
}

// A restore keeps the replaced database, even if that is damaged.
func TestRestoreKeepsReplacedDatabase(t *testing.T) {
	dir := t.TempDir()
	first := dbtest.Options(t, "sqlite")
	dbtest.Open(t, first)
	file := filepath.Join(t.TempDir(), "backup")
	if err := sqlite.Backup(t.Context(), first.Dir, file); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, sqlite.File), []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	replaced, err := restore(t.Context(), t, file, dir)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(replaced); err != nil || string(text) != "damaged" {
		t.Errorf("the replaced file contains %q (%v)", text, err)
	}
	dbtest.Open(t, db.Options{Dir: dir})
}

// A log without its database is not applied to the restored one.
func TestRestoreRemovesLeftoverLog(t *testing.T) {
	o := dbtest.Options(t, "sqlite")
	d := dbtest.Open(t, o)
	write := func(n int) {
		t.Helper()
		if err := d.InTx(t.Context(), func(tx *db.Tx) error { return set(tx, "n", n) }); err != nil {
			t.Fatal(err)
		}
	}
	write(1)
	file, lost := filepath.Join(t.TempDir(), "backup"), t.TempDir()
	if err := sqlite.Backup(t.Context(), o.Dir, file); err != nil {
		t.Fatal(err)
	}
	write(2)
	log, err := os.ReadFile(filepath.Join(o.Dir, sqlite.File+"-wal"))
	if err != nil || len(log) == 0 {
		t.Fatalf("the log has %d bytes: %v", len(log), err)
	}
	if err := os.WriteFile(filepath.Join(lost, sqlite.File+"-wal"), log, 0o600); err != nil {
		t.Fatal(err)
	}
	if replaced, err := restore(t.Context(), t, file, lost); err != nil || replaced != "" {
		t.Fatalf("the restore renamed %q and returned %v", replaced, err)
	}
	if got := get(t, dbtest.Open(t, db.Options{Dir: lost}), "n"); got != "1" {
		t.Errorf("restored %s, want 1 as in the backup", got)
	}
}

// A restore that is canceled before it could check for a running server replaces nothing.
func TestCanceledRestoreReplacesNothing(t *testing.T) {
	o := dbtest.Options(t, "sqlite")
	dbtest.Open(t, o)
	file := filepath.Join(t.TempDir(), "backup")
	if err := sqlite.Backup(t.Context(), o.Dir, file); err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(t.Context())
	end()
	if replaced, err := restore(ctx, t, file, o.Dir); !errors.Is(err, context.Canceled) || replaced != "" {
		t.Errorf("the restore renamed %q and returned %v", replaced, err)
	}
}

// Restoring in place doesn't create a missing database.
func TestRestoreInPlaceCreatesNothing(t *testing.T) {
	dir := t.TempDir()
	if err := sqlite.NotInUse(t.Context(), dir); err == nil || errors.Is(err, sqlite.ErrInUse) {
		t.Errorf("NotInUse returned %v, want an error that there is no database", err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("NotInUse created %v (%v)", left, err)
	}
}

// A restore waits for a running write, until its context ends.
func TestRestoreWaitsForWriter(t *testing.T) {
	o := dbtest.Options(t, "sqlite")
	d := dbtest.Open(t, o)
	ctx, end := context.WithCancel(t.Context())
	if err := d.InTx(t.Context(), func(*db.Tx) error {
		end()
		if err := sqlite.NotInUse(ctx, o.Dir); !errors.Is(err, context.Canceled) {
			t.Errorf("during a write: %v", err)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// restore calls sqlite.Restore with the schema that this program knows.
func restore(ctx context.Context, t *testing.T, file, dir string) (replaced string, err error) {
	t.Helper()
	newest, err := db.NewestSchema()
	if err != nil {
		t.Fatal(err)
	}
	return sqlite.Restore(ctx, file, dir, newest)
}

func set(tx *db.Tx, name string, n int) error {
	_, err := tx.Exec(`INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value`, name, fmt.Sprint(n))
	return err
}

func get(t *testing.T, d *db.DB, name string) (value string) {
	t.Helper()
	err := d.Read(t.Context(), func(tx *db.Tx) (err error) {
		value, err = db.One(tx, db.Column[string], `SELECT value FROM settings WHERE name = $1`, name)
		return err
	})
	if err != nil && !errors.Is(err, db.ErrNoRow) {
		t.Fatal(err)
	}
	return value
}
