package postgres_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
)

// Inserted rows reuse the space of deleted ones: 2.5 MB in total, but only 0.5 MB at a time.
func TestReclaimFreesSpace(t *testing.T) {
	if !slices.Contains(dbtest.Engines(), "postgres") {
		t.Log("only PostgreSQL needs to reclaim space")
		return
	}
	// In a database of its own, where no other snapshot can still see the deleted rows.
	d := dbtest.Open(t, db.Options{URL: dbtest.Database(t, "template1")})
	leaves := db.Rows{Columns: []string{"body"}}
	for range 1000 {
		leaves.Add(strings.Repeat("leaf", 100))
	}
	for range 5 {
		err := errors.Join(
			d.InTx(t.Context(), func(tx *db.Tx) error { return tx.InsertRows("log_waiting", leaves) }),
			d.InTx(t.Context(), func(tx *db.Tx) error { _, err := tx.Exec(`DELETE FROM log_waiting`); return err }),
			d.Reclaim(t.Context(), "log_waiting"))
		if err != nil {
			t.Fatal(err)
		}
	}
	err := d.Read(t.Context(), func(tx *db.Tx) error {
		bytes, err := db.One(tx, db.Column[int64], `SELECT pg_total_relation_size('log_waiting')`)
		if bytes > 1<<20 {
			t.Errorf("the table has %d bytes", bytes)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
