package db_test

import (
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"testing"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/db/batch"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/db/sqlite"
)

// Once a newer program has migrated the database, an older one writes nothing and isn't ready.
func TestANewerSchemaRefusesWrites(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		if err := d.InTx(t.Context(), func(tx *db.Tx) error {
			_, err := tx.Exec(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (999999, TRUE)`)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		refused := func(name string, err error) {
			t.Helper()
			if refusal, ok := errors.AsType[*apperr.Error](err); !ok || refusal.Code != apperr.Unavailable || refusal.RetryAfter <= 0 {
				t.Errorf("%s: %v, want apperr.Unavailable with a retry delay", name, err)
			}
		}
		refused("a write", d.InTx(t.Context(), func(tx *db.Tx) error { return insertName(tx, "late") }))
		refused("a statement on a table that is gone", d.InTx(t.Context(), func(tx *db.Tx) error {
			_, err := tx.Exec(`INSERT INTO gone (name) VALUES ('late')`)
			return err
		}))
		refused("ready", d.Ready(t.Context()))
		combiner := batch.NewCombiner(d, func(name string) string { return name }, func(tx *db.Tx, names []string) ([]batch.Outcome[string], error) {
			return make([]batch.Outcome[string], len(names)), insertName(tx, names[0])
		})
		defer combiner.Close()
		_, err := combiner.Do(t.Context(), "late")
		refused("a batch", err)
		wantNames(t, d)
	})
}

// A migration waits for running writing transactions. Later transactions wait for the migration and
// are then refused.
func TestMigrationsExcludeWriters(t *testing.T) {
	if !slices.Contains(dbtest.Engines(), "postgres") {
		t.Log("SQLite has one writer")
		return
	}
	o := dbtest.Options(t, "postgres")
	d := dbtest.Open(t, o)
	waitForSessions := func(sessions int64) {
		for found := int64(-1); found != sessions && t.Context().Err() == nil; {
			if err := d.Peek(t.Context(), func(tx *db.Tx) (err error) {
				found, err = db.One(tx, db.Column[int64], `SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`)
				return err
			}); err != nil {
				t.Fatal(err)
			}
		}
	}
	db.AddMigration(t, `INSERT INTO settings (name, value) SELECT 'found by the migration', name FROM settings`)
	o.Schema = db.SchemaMigrate
	migrated, late := make(chan error, 1), make(chan error, 1)
	if err := d.InTx(t.Context(), func(tx *db.Tx) error {
		if err := insertName(tx, "early"); err != nil {
			return err
		}
		go func() {
			next, err := db.Open(t.Context(), o)
			if err == nil {
				err = next.Close()
			}
			migrated <- err
		}()
		waitForSessions(1)
		go func() { late <- d.InTx(t.Context(), func(tx *db.Tx) error { return insertName(tx, "late") }) }()
		waitForSessions(2)
		return nil
	}); err != nil {
		t.Fatalf("the early transaction: %v", err)
	}
	if err := <-migrated; err != nil {
		t.Fatalf("migrate: %v", err)
	}
	if err := <-late; !apperr.IsCode(err, apperr.Unavailable) {
		t.Errorf("the late transaction: %v", err)
	}
	wantNames(t, d, "early", "found by the migration")
}

// On PostgreSQL, only `kaibao migrate` migrates an older schema. On SQLite, the server migrates a
// database that no other program has open, and makes a backup first.
func TestMigratingAnOlderSchema(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			o := dbtest.Options(t, engine)
			var done []db.Migration
			o.Migrated = func(m db.Migration) { done = append(done, m) }
			open := func(use db.SchemaUse) (*db.DB, error) {
				o.Schema = use
				d, err := db.Open(t.Context(), o)
				if err == nil {
					t.Cleanup(func() { _ = d.Close() })
				}
				return d, err
			}
			running, err := open(db.SchemaServe)
			if err != nil {
				t.Fatal(err)
			}
			older := running.Schema()
			db.AddMigration(t, `INSERT INTO settings (name, value) VALUES ('migrated', '')`)
			if _, err := open(db.SchemaExact); err == nil {
				t.Error("SchemaExact accepted an older schema")
			}
			if d, err := open(db.SchemaOlder); err != nil {
				t.Errorf("SchemaOlder refused an older schema: %v", err)
			} else if err := errors.Join(d.InTx(t.Context(), func(tx *db.Tx) error { return insertName(tx, "noted") }), d.Close()); err != nil {
				t.Errorf("write to the older schema: %v", err)
			}
			if _, err := open(db.SchemaServe); err == nil || engine == "sqlite" && !errors.Is(err, sqlite.ErrInUse) {
				t.Errorf("migrated while another program had it open: %v", err)
			}
			wantNames(t, running, "noted")
			if err := running.Close(); err != nil {
				t.Fatal(err)
			}
			use := map[string]db.SchemaUse{"sqlite": db.SchemaServe, "postgres": db.SchemaMigrate}[engine]
			d, err := open(use)
			if err != nil {
				t.Fatal(err)
			}
			wantNames(t, d, "migrated", "noted")
			if len(done) != 1 || done[0].From != older || done[0].To != d.Schema() {
				t.Fatalf("Migrated was called with %+v", done)
			}
			if engine != "sqlite" {
				return
			}
			dir := t.TempDir()
			if _, err := sqlite.Restore(t.Context(), done[0].Backup, dir, d.Schema()); err != nil {
				t.Fatalf("restore the backup: %v", err)
			}
			wantNames(t, dbtest.Open(t, db.Options{Dir: dir, Schema: db.SchemaOlder}), "noted")
		})
	}
}

// Programs that don't check the schema version have the application_name kaibao. After a migration,
// PostgreSQL refuses their writes to all older tables.
func TestPostgresRefusesWritesOfOlderPrograms(t *testing.T) {
	if !slices.Contains(dbtest.Engines(), "postgres") {
		t.Log("SQLite is migrated when no other program has it open")
		return
	}
	o := dbtest.Options(t, "postgres")
	d := dbtest.Open(t, o)
	tables := tablesOf(t, d)
	older, operator := connect(t, o, "kaibao"), connect(t, o, "psql")
	wantOlderWrites := func() {
		t.Helper()
		if _, err := older.ExecContext(t.Context(), `DELETE FROM settings`); err != nil {
			t.Errorf("a write of an older program before the migration: %v", err)
		}
	}
	wantOlderWrites()
	db.AddMigration(t, `SELECT 1 FROM gone`)
	o.Schema = db.SchemaMigrate
	if _, err := db.Open(t.Context(), o); err == nil {
		t.Fatal("a broken migration succeeded")
	}
	wantOlderWrites()
	db.AddMigration(t, `SELECT 1`)
	dbtest.Open(t, o)
	for _, table := range tables {
		insert := fmt.Sprintf("INSERT INTO %s SELECT * FROM %[1]s WHERE FALSE", table)
		if _, err := operator.ExecContext(t.Context(), insert); err != nil {
			t.Errorf("%s of an operator: %v", insert, err)
		}
		for _, statement := range []string{
			insert,
			fmt.Sprintf("DELETE FROM %s WHERE FALSE", table),
			fmt.Sprintf("DO $$ BEGIN EXECUTE (SELECT format('UPDATE %s SET %%1$I = %%1$I WHERE FALSE', attname) FROM pg_attribute WHERE attrelid = '%[1]s'::regclass AND attnum = 1); END $$", table),
		} {
			_, err := older.ExecContext(t.Context(), statement)
			refusal, ok := errors.AsType[serverError](err)
			appendOnly := ok && refusal.SQLState() == "P0001" && statement != insert
			if !ok || refusal.SQLState() != "57P03" && !appendOnly {
				t.Errorf("%s of an older program: %v", statement, err)
			}
		}
	}
}

// Each of several migrations commits separately. An older program can write before the first one,
// but not between them.
func TestAnOlderProgramWritesNothingBetweenMigrations(t *testing.T) {
	if !slices.Contains(dbtest.Engines(), "postgres") {
		t.Log("SQLite is migrated when no other program has it open")
		return
	}
	o := dbtest.Empty(t, "postgres")
	newest := db.FirstMigration(t)
	d := dbtest.Open(t, o)
	newest()
	older := connect(t, o, "kaibao")
	written, stopped := make(chan struct{}, 1), make(chan error, 1)
	go func() {
		for i := 0; ; i++ {
			if _, err := older.ExecContext(t.Context(), `INSERT INTO settings (name, value) SELECT $1, MAX(version_id) FROM goose_db_version`, fmt.Sprintf("older %d", i)); err != nil {
				stopped <- err
				return
			}
			select {
			case written <- struct{}{}:
			default:
			}
		}
	}()
	<-written
	o.Schema = db.SchemaMigrate
	if migrated := dbtest.Open(t, o); migrated.Schema() <= d.Schema() {
		t.Fatalf("migrated from %d to %d", d.Schema(), migrated.Schema())
	}
	if refusal, ok := errors.AsType[serverError](<-stopped); !ok || refusal.SQLState() != "57P03" {
		t.Errorf("stopped by %v", refusal)
	}
	if err := d.Read(t.Context(), func(tx *db.Tx) error {
		versions, err := db.All(tx, db.Column[string], `SELECT DISTINCT value FROM settings WHERE name LIKE 'older %'`)
		if !slices.Equal(versions, []string{"1"}) {
			t.Errorf("the older program wrote under the schema versions %q, want only 1", versions)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

// serverError is an error of the PostgreSQL server.
type serverError interface {
	error
	SQLState() string
}

// connect opens the database with program as its application_name.
func connect(t *testing.T, o db.Options, program string) *sql.DB {
	t.Helper()
	address, err := url.Parse(o.URL)
	if err != nil {
		t.Fatal(err)
	}
	query := address.Query()
	query.Set("application_name", program)
	address.RawQuery = query.Encode()
	conns, err := sql.Open("pgx", address.String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conns.Close() })
	return conns
}

// tablesOf lists the tables that programs write to.
func tablesOf(t *testing.T, d *db.DB) (tables []string) {
	t.Helper()
	if err := d.Read(t.Context(), func(tx *db.Tx) (err error) {
		tables, err = db.All(tx, db.Column[string], `SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND tablename <> 'goose_db_version'`)
		return err
	}); err != nil || len(tables) < 40 {
		t.Fatalf("found the tables %q (%v)", tables, err)
	}
	return tables
}
