package db_test

import (
	"errors"
	"testing"

	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
)

// Writes may be deferred until the commit, and each keeps its own error.
func TestAWriteWithTooFewRowsFailsTheTransaction(t *testing.T) {
	missed := errors.New("missed")
	rename := func(tx *db.Tx, names ...string) error {
		rows := db.Rows{Columns: []string{"name"}}
		for _, name := range names {
			rows.Add(name)
		}
		return tx.WriteRows(rows, `UPDATE settings SET value = 'seen' FROM v WHERE settings.name = v.name`, missed)
	}
	cases := map[string]struct {
		run  func(tx *db.Tx) error
		want func(error) bool
	}{
		"as the last statement": {func(tx *db.Tx) error { return rename(tx, "first", "nobody") },
			func(err error) bool { return errors.Is(err, missed) }},
		"before a query": {func(tx *db.Tx) error {
			if err := rename(tx, "nobody"); err != nil {
				return err
			}
			_, err := names(tx)
			return err
		}, func(err error) bool { return errors.Is(err, missed) }},
		"before another write": {func(tx *db.Tx) error {
			if err := rename(tx, "nobody"); err != nil {
				return err
			}
			return rename(tx, "first")
		}, func(err error) bool { return errors.Is(err, missed) }},
		"and a duplicate": {func(tx *db.Tx) error {
			if err := rename(tx, "first"); err != nil {
				return err
			}
			rows := db.Rows{Columns: []string{"name", "value"}}
			rows.Add("first", "twice")
			return tx.InsertRows("settings", rows)
		}, db.IsDuplicate},
	}
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		if err := d.InTx(t.Context(), func(tx *db.Tx) error { return put(tx, "first") }); err != nil {
			t.Fatal(err)
		}
		for name, c := range cases {
			err := d.InTx(t.Context(), func(tx *db.Tx) error {
				if err := put(tx, "beside it"); err != nil {
					return err
				}
				return c.run(tx)
			})
			if !c.want(err) {
				t.Errorf("%s: %v", name, err)
			}
			wantKept(t, d, "first")
		}
		if err := d.InTx(t.Context(), func(tx *db.Tx) error { return rename(tx, "first") }); err != nil {
			t.Errorf("a write that affects all rows: %v", err)
		}
	})
}

// Queries may be deferred, but each sees the rows as of its place among the statements, in whatever
// order the results are read.
func TestQueuedStatementsKeepTheirOrder(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			var asked []func() ([]string, error)
			for _, name := range []string{"a", "b"} {
				asked = append(asked, db.QueueAll(tx, db.Column[string], `SELECT name FROM settings ORDER BY name`))
				rows := db.Rows{Columns: []string{"name", "value"}}
				rows.Add(name, "")
				if err := tx.InsertRows("settings", rows); err != nil {
					return err
				}
			}
			none := db.Queue(tx, db.Column[string], `SELECT name FROM settings WHERE name = 'c'`)
			last := db.Queue(tx, db.Column[string], `SELECT name FROM settings ORDER BY name DESC`)
			if name, err := last(); err != nil || name != "b" {
				t.Errorf("the last query returned %q, %v", name, err)
			}
			if _, err := none(); !errors.Is(err, db.ErrNoRow) {
				t.Errorf("a query without rows: %v", err)
			}
			for n := range asked {
				if found, err := asked[n](); err != nil || len(found) != n || found == nil {
					t.Errorf("query after %d inserts: %q, %v", n, found, err)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		wantKept(t, d, "a", "b")
	})
}

func TestQueriesQueuedAfterAFailureFail(t *testing.T) {
	missed := errors.New("missed")
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			rows := db.Rows{Columns: []string{"name"}}
			rows.Add("nobody")
			if err := tx.WriteRows(rows, `DELETE FROM settings WHERE name IN (SELECT name FROM v)`, missed); err != nil {
				return err // immediately on SQLite
			}
			behind, further := db.Queue(tx, db.Column[int64], `SELECT 1`), db.Queue(tx, db.Column[int64], `SELECT 2`)
			_, err := behind()
			if _, further := further(); further == nil {
				t.Error("a query queued after a failed statement succeeded")
			}
			return err
		})
		if !errors.Is(err, missed) {
			t.Errorf("ended with %v", err)
		}
	})
}

// A scan error affects only its own query. A panic while scanning affects only its own transaction.
func TestAScanErrorAffectsOnlyItsQuery(t *testing.T) {
	unread := errors.New("unread")
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			bad := db.QueueAll(tx, func(db.Scanner) (int64, error) { return 0, unread }, `SELECT 1`)
			if n, err := db.One(tx, db.Column[int64], `SELECT 2`); err != nil || n != 2 {
				t.Errorf("another query: %d, %v", n, err)
			}
			if _, err := bad(); !errors.Is(err, unread) {
				t.Errorf("ended with %v", err)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		func() {
			defer func() { _ = recover() }()
			_ = d.InTx(t.Context(), func(tx *db.Tx) error {
				_, err := db.One(tx, func(db.Scanner) (int64, error) { panic("unread") }, `SELECT 1`)
				return err
			})
		}()
		if err := d.InTx(t.Context(), func(tx *db.Tx) error { return put(tx, "after") }); err != nil {
			t.Errorf("after a panic: %v", err)
		}
	})
}
