package db_test

import (
	"context"
	"slices"
	"testing"

	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/db/engine"
)

// The statistics count the connections in use, and the calls that had to wait for one.
func TestStatsCountConnections(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		searching := func() engine.Pool {
			pools := d.Stats().Pools
			n := slices.IndexFunc(pools, func(p engine.Pool) bool { return p.Name == "searches" })
			if n < 0 {
				t.Fatalf("the pools are %+v", pools)
			}
			return pools[n]
		}
		before := searching()
		if before.InUse != 0 || before.Size < 1 {
			t.Errorf("unused, the pool is %+v", before)
		}
		// Search until all connections are in use. One more search gives up.
		var search func(depth int64)
		search = func(depth int64) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if depth == before.Size {
				cancel()
			}
			err := d.Search(ctx, func(*db.Tx) error {
				if now := searching(); now.InUse != depth+1 {
					t.Errorf("%d searches run, but the pool is %+v", depth+1, now)
				}
				search(depth + 1)
				return nil
			})
			if (err != nil) != (depth == before.Size) {
				t.Errorf("search %d of at most %d: %v", depth+1, before.Size, err)
			}
		}
		search(0)
		after := searching()
		if after.InUse != 0 || d.Engine() == "sqlite" && after.Waits != before.Waits+1 || d.Stats().Queue != 0 {
			t.Errorf("the pool was %+v and is %+v", before, after)
		}
	})
}
