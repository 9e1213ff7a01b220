package postgres_test

import (
	"slices"
	"strings"
	"testing"

	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
)

// onPostgres runs test on an empty PostgreSQL database.
func onPostgres(t *testing.T, test func(t *testing.T, d *db.DB)) {
	t.Helper()
	if slices.Contains(dbtest.Engines(), "postgres") {
		t.Run("postgres", func(t *testing.T) { test(t, dbtest.Open(t, dbtest.Options(t, "postgres"))) })
	}
}

func insertName(tx *db.Tx, name string) error {
	_, err := tx.Exec(`INSERT INTO settings (name, value) VALUES ($1, '')`, name)
	return err
}

// committedNames returns the names that insertName inserted and that are committed.
func committedNames(t testing.TB, d *db.DB) (found []string) {
	t.Helper()
	err := d.Read(t.Context(), func(tx *db.Tx) (err error) {
		found, err = db.All(tx, db.Column[string], `SELECT name FROM settings ORDER BY name`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestAnInvalidURLErrorHidesThePassword(t *testing.T) {
	_, err := db.Open(t.Context(), db.Options{URL: "postgres://kaibao:hunter2@[broken/kaibao"})
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("the error is %v, want one without the password", err)
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
