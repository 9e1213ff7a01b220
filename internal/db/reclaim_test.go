package db_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
)

// Rows that come and go take the room of those before them: some 2.5 MB come, and 0.5 at a time.
func TestRoomIsReclaimed(t *testing.T) {
	if !slices.Contains(dbtest.Engines(), "postgres") {
		t.Log("only PostgreSQL keeps the room of what is gone")
		return
	}
	// In a database of its own, where nobody still reads what is gone.
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
			t.Errorf("it has %d bytes", bytes)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
