package db_test

import (
	"errors"
	"testing"

	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
)

// Writes may be held back, but never beyond the commit, and each keeps its own error.
func TestAWriteThatMissesFailsTheTransaction(t *testing.T) {
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
			t.Errorf("a write that does not miss: %v", err)
		}
	})
}
