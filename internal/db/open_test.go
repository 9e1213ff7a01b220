package db_test

import (
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
			if err := first.InTx(t.Context(), func(tx *db.Tx) error { return insertName(tx, "stored") }); err != nil {
				t.Fatal(err)
			}
			wantNames(t, dbtest.Open(t, o), "stored")
		})
	}
}

func TestConcurrentOpensMigrateOnce(t *testing.T) {
	const nodes = 6
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			o, results := dbtest.Empty(t, engine), make(chan error, nodes)
			for range nodes {
				go func() {
					d, err := db.Open(t.Context(), o)
					if err == nil {
						err = d.Close()
					}
					results <- err
				}()
			}
			for range nodes {
				if err := <-results; err != nil {
					t.Error(err)
				}
			}
			versions, err := appliedVersions(t, dbtest.Open(t, o))
			if distinct := slices.Compact(slices.Clone(versions)); err != nil || len(versions) < 2 || !slices.Equal(distinct, versions) {
				t.Errorf("migrations applied: %v (%v)", versions, err)
			}
		})
	}
}

// appliedVersions lists the applied schema versions, starting with goose's 0.
func appliedVersions(t *testing.T, d *db.DB) (versions []int64, err error) {
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
					t.Errorf("Open returned %v, want an error with %q", err, why)
				}
			}
			refused(map[string]string{"sqlite": "there is no database", "postgres": "kaibao serve"}[engine])
			d2 := dbtest.Open(t, o)
			dbtest.Open(t, existing)
			exec := func(statement string) {
				t.Helper()
				if err := d2.InTx(t.Context(), func(tx *db.Tx) error { _, err := tx.Exec(statement); return err }); err != nil {
					t.Fatal(err)
				}
			}
			exec(`DELETE FROM goose_db_version WHERE version_id > 1`)
			refused(map[string]string{"sqlite": "start the server of this version first", "postgres": "kaibao migrate"}[engine])
			if found, err := appliedVersions(t, d2); err != nil || slices.Max(found) != 1 {
				t.Errorf("the schema was migrated to %v (%v)", found, err)
			}
			exec(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (999999, TRUE)`)
			refused("use a newer kaibao")
		})
	}
}
