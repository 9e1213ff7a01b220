package postgres_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/db/engine"
)

// PostgreSQL's files are checked by amcheck; if it isn't installed, Unchecked says so.
func TestPostgresIntegrityUsesAmcheck(t *testing.T) {
	if !slices.Contains(dbtest.Engines(), "postgres") {
		t.Log("SQLite checks itself")
		return
	}
	d := dbtest.Open(t, dbtest.Options(t, "postgres"))
	check := func() engine.Integrity {
		t.Helper()
		found, err := d.Integrity(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	run := func(statements ...string) {
		t.Helper()
		if err := d.InTx(t.Context(), func(tx *db.Tx) error {
			for _, statement := range statements {
				if _, err := tx.Exec(statement); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
	}
	if found := check(); found.Err() != nil || !strings.Contains(found.Unchecked, "CREATE EXTENSION amcheck") {
		t.Errorf("without amcheck: %+v", found)
	}
	run(`CREATE SCHEMA "its own"`, `CREATE EXTENSION amcheck SCHEMA "its own"`, `INSERT INTO settings (name, value) VALUES ('a', 'b')`)
	if found := check(); found.Err() != nil || found.Unchecked != "" {
		t.Errorf("an intact database: %+v", found)
	}
	run(`CREATE FUNCTION shifting(text) RETURNS text IMMUTABLE LANGUAGE sql AS 'SELECT $1'`,
		`CREATE INDEX shifting_index ON settings (shifting(value))`,
		`CREATE OR REPLACE FUNCTION shifting(text) RETURNS text IMMUTABLE LANGUAGE sql AS 'SELECT $1 || $1'`)
	if found := check(); found.Err() == nil || !strings.Contains(found.Err().Error(), "shifting_index") {
		t.Errorf("an index that doesn't match its table: %+v", found)
	}
}

// A user who may not run amcheck is told the statement that allows it.
func TestPostgresIntegrityNamesTheMissingGrant(t *testing.T) {
	if !slices.Contains(dbtest.Engines(), "postgres") {
		t.Log("SQLite checks itself")
		return
	}
	o := dbtest.Options(t, "postgres")
	at, err := url.Parse(o.URL)
	if err != nil {
		t.Fatal(err)
	}
	owner := dbtest.Open(t, o)
	run := func(statement string) {
		t.Helper()
		if err := owner.InTx(t.Context(), func(tx *db.Tx) error { _, err := tx.Exec(statement); return err }); err != nil {
			t.Fatal(err)
		}
	}
	user := "shop of " + strings.Trim(at.Path, "/")
	run(`CREATE EXTENSION amcheck`)
	run(`CREATE ROLE "` + user + `" LOGIN PASSWORD 'secret'`)
	run(`GRANT SELECT ON ALL TABLES IN SCHEMA public TO "` + user + `"`)
	at.User = url.UserPassword(user, "secret")
	shop := dbtest.Open(t, db.Options{URL: at.String(), Schema: db.SchemaAny})
	found, err := shop.Integrity(t.Context())
	_, grant, ok := strings.Cut(found.Unchecked, ": as a superuser, run ")
	if err != nil || !ok || !strings.HasSuffix(grant, `TO "`+user+`"`) {
		t.Fatalf("without the grant: %+v: %v", found, err)
	}
	run(grant)
	if found, err := shop.Integrity(t.Context()); err != nil || found.Err() != nil || found.Unchecked != "" {
		t.Errorf("with the grant: %+v: %v", found, err)
	}
}
