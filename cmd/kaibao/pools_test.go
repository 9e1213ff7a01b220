package main

import (
	"slices"
	"strings"
	"testing"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
)

// A node works with the smallest pools, and never has more connections than they allow.
func TestSmallestPools(t *testing.T) {
	t.Parallel()
	if !slices.Contains(dbtest.Engines(), "postgres") {
		t.Log("only for PostgreSQL")
		return
	}
	config := apptest.Config(t, "postgres")
	inspect := dbtest.Open(t, db.Options{URL: config.DatabaseURL, Pools: db.Pools{Writes: 1, Lookups: 1, Reads: 1, Searches: 1, Audits: 1}})
	n := newNode(t, append(nodeArgs(config.Data, config.DatabaseURL), strings.Fields("--pool-writes 1 --pool-lookups 1 --pool-reads 1 --pool-searches 1 --pool-audits 2")...))
	c := signedIn(t, n)
	for range 20 {
		openPack(t, c)
		c.Get(t, "/api/items?search=a").Want(t, 200, nil)
		c.Get(t, "/api/books").Want(t, 200, nil)
	}
	connections := 0
	err := inspect.Read(t.Context(), func(tx *db.Tx) (err error) {
		connections, err = db.One(tx, db.Column[int], `SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database()`)
		return err
	})
	if own := 5; err != nil || connections > 6+own {
		t.Errorf("%d connections besides %d of the test, want at most 6: %v", connections-own, own, err)
	}
}
