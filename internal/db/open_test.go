package db_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
)

func TestReopeningKeepsTheData(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			o := dbtest.Empty(t, engine)
			first := dbtest.Open(t, o)
			if err := first.InTx(t.Context(), func(tx *db.Tx) error { return put(tx, "kept") }); err != nil {
				t.Fatal(err)
			}
			wantKept(t, dbtest.Open(t, o), "kept")
		})
	}
}

func TestConcurrentOpensMigrateOnce(t *testing.T) {
	const nodes = 6
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			o, ended := dbtest.Empty(t, engine), make(chan error, nodes)
			for range nodes {
				go func() {
					d, err := db.Open(t.Context(), o)
					if err == nil {
						err = d.Close()
					}
					ended <- err
				}()
			}
			for range nodes {
				if err := <-ended; err != nil {
					t.Error(err)
				}
			}
			versions, err := applied(t, dbtest.Open(t, o))
			if distinct := slices.Compact(slices.Clone(versions)); err != nil || len(versions) < 2 || !slices.Equal(distinct, versions) {
				t.Errorf("migrations applied: %v (%v)", versions, err)
			}
		})
	}
}

// applied lists the applied schema versions, starting with goose's 0.
func applied(t *testing.T, d *db.DB) (versions []int64, err error) {
	err = d.Read(t.Context(), func(tx *db.Tx) error {
		versions, err = db.All(tx, db.Column[int64], `SELECT version_id FROM goose_db_version ORDER BY version_id`)
		return err
	})
	return versions, err
}

func TestANewerSchemaIsRefused(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			o := dbtest.Options(t, engine)
			err := dbtest.Open(t, o).InTx(t.Context(), func(tx *db.Tx) error {
				_, err := tx.Exec(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (999999, TRUE)`)
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			d, err := db.Open(t.Context(), o)
			if err == nil {
				_ = d.Close()
			}
			if err == nil || !strings.Contains(err.Error(), "use a newer kaibao") {
				t.Errorf("opened a newer schema: %v", err)
			}
		})
	}
}

func TestAnInvalidURLErrorHidesThePassword(t *testing.T) {
	_, err := db.Open(t.Context(), db.Options{URL: "postgres://kaibao:hunter2@[broken/kaibao"})
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("refused with %v", err)
	}
}

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

// An acknowledged write is on disk, even if the server's default is off, as on the test server.
func TestPostgresCommitsAreSynchronous(t *testing.T) {
	if !slices.Contains(dbtest.Engines(), "postgres") {
		t.Log("only runs on PostgreSQL")
		return
	}
	d := dbtest.Open(t, dbtest.Options(t, "postgres"))
	err := d.InTx(t.Context(), func(tx *db.Tx) error {
		got, err := db.One(tx, db.Column[string], `SHOW synchronous_commit`)
		if got != "on" {
			t.Errorf("synchronous_commit is %s", got)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// A command never creates or migrates the database. It refuses another schema version with an error
// that says what to do.
func TestAnExistingDatabaseIsNotMigrated(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			o := dbtest.Empty(t, engine)
			existing := o
			existing.Schema = db.SchemaExact
			refused := func(why string) {
				t.Helper()
				d, err := db.Open(t.Context(), existing)
				if err == nil {
					_ = d.Close()
				}
				if err == nil || !strings.Contains(err.Error(), why) {
					t.Errorf("opened: %v, want a refusal that says %q", err, why)
				}
			}
			refused(map[string]string{"sqlite": "there is no database", "postgres": "kaibao serve"}[engine])
			made := dbtest.Open(t, o)
			dbtest.Open(t, existing)
			version := func(statement string) {
				t.Helper()
				if err := made.InTx(t.Context(), func(tx *db.Tx) error { _, err := tx.Exec(statement); return err }); err != nil {
					t.Fatal(err)
				}
			}
			version(`DELETE FROM goose_db_version WHERE version_id > 1`)
			refused(map[string]string{"sqlite": "start the server of this version first", "postgres": "kaibao migrate"}[engine])
			if found, err := applied(t, made); err != nil || slices.Max(found) != 1 {
				t.Errorf("the schema was migrated to %v (%v)", found, err)
			}
			version(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (999999, TRUE)`)
			refused("use a newer kaibao")
		})
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
	for _, file := range []string{db.File, db.File + "-wal", db.File + "-shm"} {
		if err := os.Chmod(filepath.Join(dir, file), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	private()
}

// While a long read is running, SQLite's write-ahead log can't restart and grows. Afterwards it is
// truncated to its size limit.
func TestALongLogIsGivenBack(t *testing.T) {
	const most = 256 << 20 // size limit of the log
	o := db.Options{Dir: t.TempDir()}
	d := dbtest.Open(t, o)
	write := func(what byte, megabytes int) {
		t.Helper()
		if err := d.InTx(t.Context(), func(tx *db.Tx) error {
			_, err := tx.Exec(`UPDATE ballast SET bytes = $1`, bytes.Repeat([]byte{what}, megabytes<<20))
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	size := func() int64 {
		t.Helper()
		info, err := os.Stat(filepath.Join(o.Dir, db.File+"-wal"))
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
		for n := range byte(10) {
			write(n, 30)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if size() <= most {
		t.Fatalf("the log has only %d bytes after the long read", size())
	}
	for n := byte(0); size() > most; n++ {
		write(n, 1)
	}
}
