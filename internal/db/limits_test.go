package db_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
)

// Searches that never end use all connections for searches. Further searches return
// apperr.Unavailable; all other calls still work.
func TestSearchesDoNotBlockOtherCalls(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		query := func(tx *db.Tx) error { _, err := db.One(tx, db.Column[int64], `SELECT 1`); return err }
		end := make(chan struct{})
		waiting, cancel := context.WithCancel(t.Context())
		inside := make(chan struct{}, 64)
		var wg sync.WaitGroup
		for range 64 {
			wg.Go(func() {
				_ = d.Search(waiting, func(*db.Tx) error { inside <- struct{}{}; <-end; return nil })
			})
		}
		<-inside
		for name, call := range map[string]func(context.Context, func(*db.Tx) error) error{
			"Read": d.Read, "Peek": d.Peek, "InTx": d.InTx,
		} {
			if err := call(t.Context(), query); err != nil {
				t.Errorf("%s during searches: %v", name, err)
			}
		}
		if err := d.Ready(t.Context()); err != nil {
			t.Errorf("Ready during searches: %v", err)
		}
		longCtx, cancelLong := context.WithTimeout(t.Context(), time.Hour) // longer than the time limit of a search
		defer cancelLong()
		if err := d.Search(longCtx, query); !apperr.IsCode(err, apperr.Unavailable) {
			t.Errorf("another search: %v", err)
		}
		cancel()
		close(end)
		wg.Wait()
		if err := d.Search(t.Context(), query); err != nil {
			t.Errorf("a search after the others have ended: %v", err)
		}
	})
}

// An endless query is canceled, on each engine in its own way.
func TestASlowSearchIsCanceled(t *testing.T) {
	slow := map[string]string{
		"sqlite":   `WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n) SELECT COUNT(*) FROM n`,
		"postgres": `SELECT pg_sleep(3600) IS NULL`,
	}
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		err := d.Search(t.Context(), func(tx *db.Tx) error {
			_, err := db.One(tx, db.Column[any], slow[d.Engine()])
			return err
		})
		if !apperr.IsCode(err, apperr.Unavailable) {
			t.Errorf("returned %v", err)
		}
	})
}
