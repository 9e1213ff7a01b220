package db_test

import (
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/fault"
)

// eachWithRivals runs test on the engines whose transactions run side by side.
func eachWithRivals(t *testing.T, test func(t *testing.T, d *db.DB)) {
	t.Helper()
	for _, engine := range dbtest.Engines() {
		if engine != "sqlite" { // one writer has no rivals
			t.Run(engine, func(t *testing.T) { test(t, dbtest.Open(t, dbtest.Options(t, engine))) })
		}
	}
}

// Two transactions take the same two rows in opposite order and meet in the
// middle: the server ends one of them, which then runs again.
func TestADeadlockIsCured(t *testing.T) {
	eachWithRivals(t, func(t *testing.T, d *db.DB) {
		rows := []string{"a", "b"}
		for _, name := range rows {
			if err := d.InTx(t.Context(), func(tx *db.Tx) error { return put(tx, name) }); err != nil {
				t.Fatal(err)
			}
		}
		var met sync.WaitGroup
		met.Add(2)
		var runs atomic.Int64
		touchBoth := func(order []string) error {
			first := true
			return d.InTx(t.Context(), func(tx *db.Tx) error {
				runs.Add(1)
				for _, name := range order {
					if err := tx.ExecOne(`UPDATE settings SET value = value || 'x' WHERE name = $1`, name); err != nil {
						return err
					}
					if first {
						first = false
						met.Done()
						met.Wait()
					}
				}
				return nil
			})
		}
		ended := make(chan error, 2)
		go func() { ended <- touchBoth([]string{"a", "b"}) }()
		go func() { ended <- touchBoth([]string{"b", "a"}) }()
		for range 2 {
			if err := <-ended; err != nil {
				t.Error(err)
			}
		}
		if runs.Load() < 3 {
			t.Errorf("ran %d times: nobody was made to run again", runs.Load())
		}
		var values []string
		err := d.Read(t.Context(), func(tx *db.Tx) (err error) {
			values, err = db.All(tx, db.Column[string], `SELECT value FROM settings`)
			return err
		})
		if err != nil || !slices.Equal(values, []string{"xx", "xx"}) {
			t.Errorf("each row was touched %q times (%v)", values, err)
		}
	})
}

func TestOnlyFailuresThatPassAreRepeated(t *testing.T) {
	eachWithRivals(t, func(t *testing.T, d *db.DB) {
		for _, c := range []struct {
			state string
			runs  int
			busy  bool
		}{
			{"40001", 8, true}, // serialization_failure
			{"40P01", 8, true}, // deadlock_detected
			{"23505", 1, false},
			{"57014", 1, true}, // query_canceled: too slow
			{"53300", 1, true}, // too_many_connections
		} {
			runs := 0
			err := d.InTx(t.Context(), func(tx *db.Tx) error {
				runs++
				_, err := tx.Exec(`DO $do$ BEGIN RAISE EXCEPTION 'made up' USING ERRCODE = '` + c.state + `'; END $do$`)
				return err
			})
			if err == nil || runs != c.runs || fault.IsCode(err, "unavailable") != c.busy {
				t.Errorf("%s: ran %d times and answered %v", c.state, runs, err)
			}
		}
	})
}
