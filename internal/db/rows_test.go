package db_test

import (
	"errors"
	"fmt"
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
			_, err := listNames(tx)
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
		if err := d.InTx(t.Context(), func(tx *db.Tx) error { return insertName(tx, "first") }); err != nil {
			t.Fatal(err)
		}
		for name, c := range cases {
			err := d.InTx(t.Context(), func(tx *db.Tx) error {
				if err := insertName(tx, "same transaction"); err != nil {
					return err
				}
				return c.run(tx)
			})
			if !c.want(err) {
				t.Errorf("%s: %v", name, err)
			}
			wantNames(t, d, "first")
		}
		if err := d.InTx(t.Context(), func(tx *db.Tx) error { return rename(tx, "first") }); err != nil {
			t.Errorf("a write that affects all rows: %v", err)
		}
	})
}

// Queries may be deferred, but each sees the effects of exactly the statements before it, in whatever
// order the results are read.
func TestQueuedStatementsKeepTheirOrder(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			var queued []func() ([]string, error)
			for _, name := range []string{"a", "b"} {
				queued = append(queued, db.QueueAll(tx, db.Column[string], `SELECT name FROM settings ORDER BY name`))
				rows := db.Rows{Columns: []string{"name", "value"}}
				rows.Add(name, "")
				if err := tx.InsertRows("settings", rows); err != nil {
					return err
				}
			}
			empty := db.Queue(tx, db.Column[string], `SELECT name FROM settings WHERE name = 'c'`)
			last := db.Queue(tx, db.Column[string], `SELECT name FROM settings ORDER BY name DESC`)
			if name, err := last(); err != nil || name != "b" {
				t.Errorf("the last query returned %q, %v", name, err)
			}
			if _, err := empty(); !errors.Is(err, db.ErrNoRow) {
				t.Errorf("a query without rows: %v", err)
			}
			for i := range queued {
				if found, err := queued[i](); err != nil || len(found) != i || found == nil {
					t.Errorf("query after %d inserts: %q, %v", i, found, err)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		wantNames(t, d, "a", "b")
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
			first, second := db.Queue(tx, db.Column[int64], `SELECT 1`), db.Queue(tx, db.Column[int64], `SELECT 2`)
			_, err := first()
			if _, second := second(); second == nil {
				t.Error("a query queued after a failed statement succeeded")
			}
			return err
		})
		if !errors.Is(err, missed) {
			t.Errorf("returned %v", err)
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
				t.Errorf("returned %v", err)
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
		if err := d.InTx(t.Context(), func(tx *db.Tx) error { return insertName(tx, "after") }); err != nil {
			t.Errorf("after a panic: %v", err)
		}
	})
}

func TestRowsRoundTripInAnyNumber(t *testing.T) {
	type word struct{ who, text string }
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		if err := d.InTx(t.Context(), func(tx *db.Tx) error {
			_, err := tx.Exec(`CREATE TABLE words (who TEXT NOT NULL, text TEXT NOT NULL UNIQUE)`)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{0, 1, 2, 3, 7, 8, 255, 256, 300, 5000} {
			err := d.InTx(t.Context(), func(tx *db.Tx) error {
				rows := db.Rows{Columns: []string{"who", "text"}}
				for i := range n {
					rows.Add(fmt.Sprint(n), fmt.Sprint(n, "-", i))
				}
				if err := tx.InsertRows("words", rows); err != nil {
					return err
				}
				scan := func(s db.Scanner) (w word, err error) { return w, s.Scan(&w.who, &w.text) }
				found, err := db.AllWith(tx, scan, rows, `SELECT w.who, w.text FROM v JOIN words w ON w.text = v.text`)
				if err == nil && len(found) != n {
					err = fmt.Errorf("%d rows read back", len(found))
				}
				return err
			})
			if err != nil {
				t.Errorf("%d rows: %v", n, err)
			}
		}
	})
}

func TestRowsRoundTripNullsAndBytes(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			if _, err := tx.Exec(`CREATE TABLE things (n BIGINT, b BYTEA, s TEXT)`); err != nil {
				return err
			}
			rows := db.Rows{Columns: []string{"n", "b", "s"}}
			rows.Add(int64(1), []byte{0, 255}, "x")
			rows.Add(nil, nil, nil)
			if err := tx.InsertRows("things", rows); err != nil {
				return err
			}
			nulls, err := db.One(tx, db.Column[int64], `SELECT COUNT(*) FROM things WHERE n IS NULL AND b IS NULL AND s IS NULL`)
			if err == nil && nulls != 1 {
				err = fmt.Errorf("%d rows of nulls", nulls)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	})
}
