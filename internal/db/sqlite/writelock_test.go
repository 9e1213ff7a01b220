package sqlite_test

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
)

// A server and a command write to the same data directory without pause. Neither waits for more
// than one turn of the other.
func TestProcessesTakeTurnsWriting(t *testing.T) {
	// The test counts turns, not time, so a slow machine doesn't matter.
	o := db.Options{Dir: t.TempDir(), CallTime: time.Hour}
	server, command := dbtest.Open(t, o), dbtest.Open(t, o)
	if err := server.InTx(t.Context(), func(tx *db.Tx) error { return set(tx, "row", 0) }); err != nil {
		t.Fatal(err)
	}
	// A write takes much longer than the time between two of them.
	touch := func(d *db.DB) error {
		return d.InTx(t.Context(), func(tx *db.Tx) error {
			return tx.ExecOne(`UPDATE settings SET value = (WITH RECURSIVE n(n) AS
				(SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < 10000) SELECT MAX(n) FROM n) WHERE name = 'row'`)
		})
	}
	const writers = 2
	var written atomic.Int64
	busy, stop := context.WithCancel(t.Context())
	var all sync.WaitGroup
	for range writers { // so that one always waits
		all.Go(func() {
			for busy.Err() == nil {
				if err := touch(server); err != nil {
					t.Error(err)
					return
				}
				written.Add(1)
			}
		})
	}
	const turns = 5
	for written.Load() == 0 {
		runtime.Gosched()
	}
	before := written.Load()
	for range turns {
		if err := touch(command); err != nil {
			t.Error(err)
			break
		}
	}
	during := written.Load() - before
	stop()
	all.Wait()
	if during < turns/2 || during > 2*writers*turns {
		t.Errorf("while one wrote %d times, the other did %d times", turns, during)
	}
}
