package db_test

import (
	"strings"
	"testing"

	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
)

// The error of a failed statement quotes its beginning once, without its arguments.
func TestErrorsQuoteTheFailedStatement(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		const secret = "nobody's business"
		rows := db.Rows{Columns: []string{"name", "value"}}
		rows.Add(secret, nil)
		for name, c := range map[string]struct {
			want string
			do   func(*db.Tx) error
		}{
			"a write": {"UPDATE settings SET value = NULL WHERE name <> $1: ", func(tx *db.Tx) error {
				if _, err := db.InitSetting(tx, "a", "b"); err != nil {
					return err
				}
				_, err := tx.Exec("UPDATE settings\n\t\tSET value = NULL WHERE name <> $1", secret)
				return err
			}},
			"a row": {"SELECT nonsense FROM settings WHERE name = $1: ", func(tx *db.Tx) error {
				_, err := db.One(tx, db.Column[string], `SELECT nonsense FROM settings WHERE name = $1`, secret)
				return err
			}},
			"all rows": {"SELECT value FROM settings WHERE name <> $1: ", func(tx *db.Tx) error {
				if _, err := db.InitSetting(tx, "a", "not a number"); err != nil {
					return err
				}
				_, err := db.All(tx, db.Column[int64], `SELECT value FROM settings WHERE name <> $1`, secret)
				return err
			}},
			"InsertRows": {"INSERT INTO settings (name, value) SELECT * FROM v: ", func(tx *db.Tx) error {
				return tx.InsertRows("settings", rows)
			}},
			"a deferred write": {"INSERT INTO settings (name, value) SELECT * FROM v: ", func(tx *db.Tx) error {
				if err := tx.InsertRows("settings", rows); err != nil {
					return err
				}
				_, err := tx.Exec(`DELETE FROM settings`)
				return err
			}},
		} {
			err := d.InTx(t.Context(), c.do)
			if err == nil || !strings.HasPrefix(err.Error(), c.want) || strings.Count(err.Error(), c.want) != 1 {
				t.Errorf("%s: %v, want %s", name, err, c.want)
			}
			if err != nil && strings.Contains(err.Error(), secret) {
				t.Errorf("%s reveals an argument: %v", name, err)
			}
		}
	})
}
