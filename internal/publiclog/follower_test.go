package publiclog_test

import (
	"errors"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/jobs"
	log "kaibao/internal/publiclog"
)

// writeOpens adds valid opens and, between them, leaves of another kind.
func writeOpens(t *testing.T, d *db.DB, from, to int) {
	t.Helper()
	var leaves []string
	for n := from; n < to; n++ {
		leaves = append(leaves, openLeaf(n), epochLeaf("between"))
	}
	if err := d.InTx(t.Context(), func(tx *db.Tx) error { return log.Append(tx, leaves...) }); err != nil {
		t.Fatal(err)
	}
}

// countedOpens returns the opens that count received, in log order. count stores them in the
// follower's transaction; the database rejects duplicates.
func countedOpens(t *testing.T, d *db.DB) (ids []string) {
	t.Helper()
	if err := d.Read(t.Context(), func(tx *db.Tx) (err error) {
		ids, err = db.All(tx, db.Column[string], `SELECT name FROM settings WHERE name LIKE '0%' ORDER BY CAST(value AS INTEGER)`)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return ids
}

func countOpens(tx *db.Tx, opens []log.Draw) error {
	for _, open := range opens {
		_, err := tx.Exec(`INSERT INTO settings (name, value) SELECT $1, CAST(COUNT(*) AS TEXT) FROM settings`, open.ID)
		if err != nil {
			return err
		}
	}
	return nil
}

// Several nodes follow concurrently, across the start of an epoch: each open is counted once, in
// order.
func TestNodesCountEachOpenOnce(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		key, memory := newKey(t), filepath.Join(t.TempDir(), "memory")
		const ended, grown = 1300, 2100
		l := openLog(t, d, key, memory)
		writeOpens(t, d, 0, ended)
		sequence(t, l)
		renewed, _, err := log.StartEpoch(t.Context(), log.Options{DB: d, Keys: log.FixedKeys(key), CheckpointFile: memory}, log.EpochStart{Begin: func(*db.Tx, string) error { return nil }})
		if err != nil {
			t.Fatal(err)
		}
		writeOpens(t, d, ended, grown)
		sequence(t, renewed)
		var nodes sync.WaitGroup
		for range 3 {
			nodes.Go(func() {
				job := renewed.Followers().Add("draws", countOpens)
				for behind := int64(1); behind > 0; {
					var err error
					behind, err = job.Do(t.Context())
					if err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		nodes.Wait()
		ids := countedOpens(t, d)
		if len(ids) != grown || !slices.IsSorted(ids) {
			t.Errorf("%d opens are counted, want %d in their order", len(ids), grown)
		}
	})
}

// A batch that can't be counted is retried rather than skipped, and leaves nothing behind.
func TestFollowerRetriesFailedBatch(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		l := openLog(t, d, newKey(t), filepath.Join(t.TempDir(), "memory"))
		writeOpens(t, d, 0, 1200)
		sequence(t, l)
		broken := errors.New("broken")
		failing := l.Followers().Add("draws", func(tx *db.Tx, opens []log.Draw) error {
			if err := countOpens(tx, opens); err != nil || opens[0].ID == "000000" {
				return err
			}
			return broken
		})
		for range 2 {
			if lag, err := failing.Do(t.Context()); !errors.Is(err, broken) || lag != 2400-2048 {
				t.Errorf("the failing job returned lag %d and error %v, want %d and %v", lag, err, 2400-2048, broken)
			}
		}
		if ids := countedOpens(t, d); len(ids) != 1024 {
			t.Errorf("%d opens are counted, want 1024", len(ids))
		}
		if lag, err := l.Followers().Add("draws", countOpens).Do(t.Context()); err != nil || lag != 0 || len(countedOpens(t, d)) != 1200 {
			t.Errorf("lag %d, %d opens counted, error %v; want 0, 1200 and none", lag, len(countedOpens(t, d)), err)
		}
		if _, err := l.Followers().Add("nobody", countOpens).Do(t.Context()); !errors.Is(err, db.ErrNoRow) {
			t.Errorf("a follower without a position returned %v, want %v", err, db.ErrNoRow)
		}
	})
}

// A node that read the log before the database was replaced counts none of the opens that it has
// cached.
func TestFollowerIgnoresReplacedLog(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		key, memory := newKey(t), filepath.Join(t.TempDir(), "memory")
		l := openLog(t, d, key, memory)
		writeOpens(t, d, 0, 10)
		sequence(t, l)
		all := l.Followers()
		read := all.Add("draws", func(*db.Tx, []log.Draw) error { return nil })
		late := all.Add("standings", countOpens)
		if _, err := read.Do(t.Context()); err != nil {
			t.Fatal(err)
		}
		if _, _, err := log.StartEpoch(t.Context(), log.Options{DB: d, Keys: log.FixedKeys(key), CheckpointFile: memory}, log.EpochStart{Begin: func(*db.Tx, string) error { return nil }}); err != nil {
			t.Fatal(err)
		}
		if _, err := late.Do(t.Context()); !apperr.IsCode(err, apperr.LogForked) || len(countedOpens(t, d)) != 0 {
			t.Errorf("%d opens were counted from the cache (error %v), want none and log_forked", len(countedOpens(t, d)), err)
		}
	})
}

// Followers share the cached batches. A batch that all of them have read is dropped.
func TestFollowersShareReads(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		l := openLog(t, d, newKey(t), filepath.Join(t.TempDir(), "memory"))
		writeOpens(t, d, 0, 10)
		sequence(t, l)
		given := map[string]int{}
		all := l.Followers()
		follow := func(name string) jobs.Job {
			return all.Add(name, func(_ *db.Tx, opens []log.Draw) error {
				given[name] += len(opens)
				return nil
			})
		}
		draws, standings := follow("draws"), follow("standings")
		exec := func(statement string) {
			t.Helper()
			if err := d.InTx(t.Context(), func(tx *db.Tx) error { _, err := tx.Exec(statement); return err }); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := draws.Do(t.Context()); err != nil {
			t.Fatal(err)
		}
		exec(`DELETE FROM log_leaves`)
		if lag, err := standings.Do(t.Context()); err != nil || lag != 0 || given["draws"] != 10 || given["standings"] != 10 {
			t.Errorf("lag %d, opens received %v, error %v; want 0, and 10 for each follower", lag, given, err)
		}
		exec(`UPDATE log_followers SET position = 0`)
		if _, err := draws.Do(t.Context()); err == nil || given["draws"] != 10 {
			t.Errorf("a batch that all have read is still cached: %v", given)
		}
	})
}
