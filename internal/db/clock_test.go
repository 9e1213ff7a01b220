package db_test

import (
	"testing"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
)

func TestCheckClockAcceptsACorrectClock(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		for range 3 {
			if err := d.CheckClock(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if err := d.InTx(t.Context(), func(*db.Tx) error { return nil }); err != nil {
			t.Error(err)
		}
	})
}

// A node with a wrong clock refuses writes. It accepts them again once the clock is right.
func TestAWrongClockRefusesWrites(t *testing.T) {
	for _, c := range []struct {
		server string
		wrong  bool
	}{{"+ 3600000000", true}, {"- 3600000000", true}, {"+ 200000", false}, {"- 200000", false}} {
		dbtest.Each(t, func(t *testing.T, d *db.DB) {
			if !d.ShiftServerClock(c.server) {
				return // the engine has no clock
			}
			checked := d.CheckClock(t.Context())
			wrote := d.InTx(t.Context(), func(*db.Tx) error { return nil })
			ready := d.Ready(t.Context())
			for _, err := range []error{checked, wrote, ready} {
				if apperr.IsCode(err, apperr.Unavailable) != c.wrong || (err != nil) != c.wrong {
					t.Errorf("server's clock off by %s µs: %v", c.server, err)
				}
			}
			d.ShiftServerClock("+ 0")
			if err := d.CheckClock(t.Context()); err != nil {
				t.Error(err)
			}
			if err := d.InTx(t.Context(), func(*db.Tx) error { return nil }); err != nil {
				t.Error("after the clock was corrected, a write returned", err)
			}
		})
	}
}
