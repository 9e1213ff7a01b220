package postgres_test

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
)

// Two transactions lock the same two rows in opposite order. The server aborts one of them, which
// then runs again.
func TestADeadlockIsRetried(t *testing.T) {
	onPostgres(t, func(t *testing.T, d *db.DB) {
		rows := []string{"a", "b"}
		for _, name := range rows {
			if err := d.InTx(t.Context(), func(tx *db.Tx) error { return insertName(tx, name) }); err != nil {
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
			t.Errorf("ran %d times: no transaction was retried", runs.Load())
		}
		var values []string
		err := d.Read(t.Context(), func(tx *db.Tx) (err error) {
			values, err = db.All(tx, db.Column[string], `SELECT value FROM settings`)
			return err
		})
		if err != nil || !slices.Equal(values, []string{"xx", "xx"}) {
			t.Errorf("the rows have the values %q, want two updates each (%v)", values, err)
		}
	})
}

func TestOnlyConflictsAreRetried(t *testing.T) {
	onPostgres(t, func(t *testing.T, d *db.DB) {
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
			if err == nil || runs != c.runs || apperr.IsCode(err, apperr.Unavailable) != c.busy {
				t.Errorf("%s: ran %d times and returned %v", c.state, runs, err)
			}
		}
	})
}

// If the server ends a transaction, the error asks the caller to retry.
func TestTheServerEndsATransaction(t *testing.T) {
	if !slices.Contains(dbtest.Engines(), "postgres") {
		t.Log("only PostgreSQL ends transactions")
		return
	}
	o := dbtest.Options(t, "postgres")
	o.CallTime = 500 * time.Millisecond
	d, outside := dbtest.Open(t, o), dbtest.Open(t, db.Options{URL: o.URL, CallTime: time.Minute})
	gone := func(pid int64) bool {
		var sessions int64
		err := outside.Read(t.Context(), func(tx *db.Tx) (err error) {
			sessions, err = db.One(tx, db.Column[int64], `SELECT COUNT(*) FROM pg_stat_activity WHERE pid = $1`, pid)
			return err
		})
		return err == nil && sessions == 0
	}
	for name, end := range map[string]func(tx *db.Tx, pid int64){
		"an operator": func(_ *db.Tx, pid int64) {
			_ = outside.Read(t.Context(), func(tx *db.Tx) error {
				_, err := db.One(tx, db.Column[bool], `SELECT pg_terminate_backend($1)`, pid)
				return err
			})
		},
		"an idle timeout": func(*db.Tx, int64) {},
	} {
		for way, call := range map[string]func(context.Context, func(*db.Tx) error) error{"InTx": d.InTx, "Read": d.Read} {
			err := call(t.Context(), func(tx *db.Tx) error {
				pid, err := db.One(tx, db.Column[int64], `SELECT pg_backend_pid()`)
				if err != nil {
					return err
				}
				for end(tx, pid); !gone(pid); {
					if t.Context().Err() != nil {
						return t.Context().Err()
					}
				}
				_, err = db.One(tx, db.Column[int64], `SELECT 1`)
				return err
			})
			if !apperr.IsCode(err, apperr.Unavailable) {
				t.Errorf("%s ended by %s: %v", way, name, err)
			}
		}
	}
}
