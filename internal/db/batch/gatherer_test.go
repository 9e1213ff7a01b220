package batch_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"

	"kaibao/internal/db"
	"kaibao/internal/db/batch"
	"kaibao/internal/db/dbtest"
)

func TestWaitingLookupsShareOneQuery(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		const callers = 100
		entered, gate, queries := make(chan struct{}), make(chan struct{}), 0
		g := batch.NewGatherer(d, func(_ *db.Tx, keys []string) (map[string]int, error) {
			queries++
			if queries == 1 {
				close(entered)
				<-gate
			}
			found := map[string]int{}
			for _, key := range keys {
				if key != "nobody" {
					found[key] = len(key)
				}
			}
			return found, nil
		})
		var wg sync.WaitGroup
		find := func(key string) {
			wg.Go(func() {
				if value, err := g.Find(t.Context(), key); err != nil || value != len(key) {
					t.Errorf("%s: %d, %v", key, value, err)
				}
			})
		}
		find("first")
		<-entered
		for i := range callers {
			find(fmt.Sprintf("caller %d", i%10))
		}
		wg.Go(func() {
			if _, err := g.Find(t.Context(), "nobody"); !errors.Is(err, db.ErrNoRow) {
				t.Errorf("nobody: %v", err)
			}
		})
		for g.Waiting() < callers+1 {
			runtime.Gosched()
		}
		close(gate)
		wg.Wait()
		if queries != 2 {
			t.Errorf("%d queries for %d lookups", queries, callers+2)
		}
	})
}

func TestALookupFailsOrIsCanceled(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		broken := errors.New("broken")
		g := batch.NewGatherer(d, func(*db.Tx, []string) (map[string]int, error) { return nil, broken })
		if _, err := g.Find(t.Context(), "key"); !errors.Is(err, broken) {
			t.Errorf("a failing query: %v", err)
		}
		gate := make(chan struct{})
		defer close(gate)
		g = batch.NewGatherer(d, func(*db.Tx, []string) (map[string]int, error) { <-gate; return nil, nil })
		ctx, leave := context.WithCancel(t.Context())
		leave()
		if _, err := g.Find(ctx, "key"); !errors.Is(err, context.Canceled) {
			t.Errorf("a canceled lookup: %v", err)
		}
	})
}
