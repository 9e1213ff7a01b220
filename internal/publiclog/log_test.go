package publiclog_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"

	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/protocol"
	log "kaibao/internal/publiclog"
)

func newKey(t testing.TB) string {
	t.Helper()
	private, _, err := note.GenerateKey(nil, "kaibao.log/test")
	if err != nil {
		t.Fatal(err)
	}
	return private
}

func openLog(t testing.TB, d *db.DB, key, memory string) *log.Log {
	t.Helper()
	l, err := log.Open(t.Context(), log.Options{DB: d, Keys: log.FixedKeys(key), CheckpointFile: memory})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// openLeaf returns the leaf of an open.
func openLeaf(n int) string {
	return string(protocol.OpenLeaf{
		DrawHead:   protocol.DrawHead{ID: fmt.Sprintf("%06d", n), User: fmt.Sprintf("%032x", n), Pack: "2", Commitment: protocol.Commitment([32]byte{})},
		ClientSeed: "x", Items: []protocol.LeafItem{{Card: "card", Value: 10}}, Price: 2500, Time: time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC),
	}.Format())
}

// epochLeaf returns an epoch leaf that names an origin.
func epochLeaf(origin string) string { return string(protocol.EpochLeaf{Origin: origin}.Format()) }

// appendOpens adds the leaves of opens, each in a transaction of its own.
func appendOpens(t testing.TB, d *db.DB, from, to int) {
	t.Helper()
	for n := from; n < to; n++ {
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			return log.Append(tx, openLeaf(n))
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// allLeaves reads the whole log.
func allLeaves(t testing.TB, d *db.DB) (leaves []string) {
	t.Helper()
	err := d.Read(t.Context(), func(tx *db.Tx) error {
		for it := log.NewIterator(tx); ; {
			next, err := it.Next()
			if err != nil || len(next) == 0 {
				return err
			}
			leaves = append(leaves, next...)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return leaves
}

func sequence(t testing.TB, l *log.Log) *log.Head {
	t.Helper()
	if err := l.Sequence(t.Context()); err != nil {
		t.Fatal(err)
	}
	h, err := l.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func audit(t testing.TB, d *db.DB) []string {
	t.Helper()
	var faults []string
	err := d.Read(t.Context(), func(tx *db.Tx) error {
		found, err := log.Audit(tx)
		for _, b := range found {
			faults = append(faults, b.Detail)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return faults
}

func exec(t testing.TB, d *db.DB, query string, args ...any) {
	t.Helper()
	if err := d.InTx(t.Context(), func(tx *db.Tx) error { return tx.ExecOne(query, args...) }); err != nil {
		t.Fatal(err)
	}
}

func TestLeavesKeepCommitOrder(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		l := openLog(t, d, newKey(t), filepath.Join(t.TempDir(), "memory"))
		if before := sequence(t, l); before != nil {
			t.Errorf("the empty log is signed: %+v", before)
		}
		appendOpens(t, d, 0, 3)
		first := sequence(t, l)
		appendOpens(t, d, 3, 1300)
		last := sequence(t, l)
		if first.Size != 3 || last.Size != 1300 || first.Root == last.Root {
			t.Errorf("signed %+v, then %+v", first, last)
		}
		if again := sequence(t, l); again.Text != last.Text {
			t.Errorf("signed again: %+v", again)
		}
		if faults := audit(t, d); len(faults) > 0 {
			t.Error(faults)
		}
	})
}

func TestAuditFindsTreeMismatches(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		l := openLog(t, d, newKey(t), filepath.Join(t.TempDir(), "memory"))
		appendOpens(t, d, 0, 300)
		sequence(t, l)
		for name, query := range map[string]string{
			"leaves":          `DELETE FROM log_leaves WHERE leaf_index = 0`,
			"leaves' texts":   `UPDATE log_leaves SET entries = (SELECT entries FROM log_leaves WHERE leaf_index = 256) WHERE leaf_index = 0`,
			"leaves too many": `INSERT INTO log_leaves (epoch, leaf_index, number, oldest, newest, entries) SELECT 1, 300, number, oldest, newest, entries FROM log_leaves WHERE leaf_index = 256`,
			"leaves' number":  `UPDATE log_leaves SET number = 7 WHERE leaf_index = 0`,
			"the oldest open": `UPDATE log_leaves SET oldest = '' WHERE leaf_index = 0`,
			"the newest open": `UPDATE log_leaves SET newest = 'x' WHERE leaf_index = 0`,
			"a full tile":     `UPDATE log_tiles SET hashes = (SELECT hashes FROM log_tiles WHERE level = 0 AND number = 1) WHERE level = 0 AND number = 0`,
			"a tile not full": `UPDATE log_tiles SET hashes = (SELECT hashes FROM log_tiles WHERE level = 0 AND number = 0) WHERE level = 0 AND number = 1`,
			"a tile's place":  `UPDATE log_tiles SET number = 7 WHERE level = 0 AND number = 0`,
			"the signature":   `UPDATE log_tree SET checkpoint = checkpoint || 'x'`,
			"the root":        `UPDATE log_tree SET root = (SELECT hashes FROM log_tiles WHERE level = 1)`,
			"the checkpoint":  `UPDATE log_tree SET signed_size = 299`,
		} {
			undo := errors.New("undo")
			err := d.InTx(t.Context(), func(tx *db.Tx) error {
				if err := tx.ExecOne(query); err != nil {
					return err
				}
				if faults, err := log.Audit(tx); err != nil || len(faults) == 0 {
					t.Errorf("%s: %v (%v)", name, faults, err)
				}
				return undo
			})
			if !errors.Is(err, undo) {
				t.Error(err)
			}
		}
	})
}

// A database that is behind the signed tree, or diverges from it, stops the log at startup and at
// run time.
func TestCheckpointNeverRollsBack(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		key, memory := newKey(t), filepath.Join(t.TempDir(), "memory")
		l := openLog(t, d, key, memory)
		appendOpens(t, d, 0, 3)
		sequence(t, l)
		early, err := os.ReadFile(memory)
		if err != nil {
			t.Fatal(err)
		}
		appendOpens(t, d, 3, 10)
		signed := sequence(t, l)

		fork := dbtest.Open(t, dbtest.Options(t, d.Engine()))
		other := openLog(t, fork, key, filepath.Join(t.TempDir(), "memory"))
		appendOpens(t, fork, 0, 3)
		exec(t, fork, `UPDATE log_waiting SET body = 'another fact' WHERE body = $1`, openLeaf(1))
		sequence(t, other)
		for name, c := range map[string]struct {
			d      *db.DB
			memory []byte
		}{
			"a smaller tree":   {fork, readFile(t, memory)},
			"a different tree": {fork, early},
		} {
			path := filepath.Join(t.TempDir(), "memory")
			if err := os.WriteFile(path, c.memory, 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := log.Open(t.Context(), log.Options{DB: c.d, Keys: log.FixedKeys(key), CheckpointFile: path}); err == nil || !strings.Contains(err.Error(), "doesn't continue") {
				t.Errorf("%s was opened: %v", name, err)
			}
		}

		// The same at run time: the database under a running node is replaced by an older copy.
		exec(t, d, `UPDATE log_tree SET size = 3, signed_size = 3, root = (SELECT root FROM log_tree)`)
		appendOpens(t, d, 20, 30)
		if err := l.Sequence(t.Context()); err == nil || !strings.Contains(err.Error(), "doesn't continue") {
			t.Errorf("a database that went back: %v", err)
		}
		if now := readFile(t, memory); !strings.Contains(string(now), signed.Text[:40]) {
			t.Errorf("the node remembers %s", now)
		}
	})
}

func readFile(t testing.TB, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Every commit of the sequencer fails, before or after it takes effect. The log must end up as if
// none had failed.
func TestAmbiguousCommitPlacesNothingTwice(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			o := dbtest.Options(t, engine)
			broken, calls := errors.New("broken"), 0
			armed := false
			o.Commit = func(commit func() error) error {
				calls++
				if !armed || calls%3 == 0 {
					return commit()
				}
				if calls%3 == 1 {
					return broken
				}
				return errors.Join(commit(), broken)
			}
			d := dbtest.Open(t, o)
			l := openLog(t, d, newKey(t), filepath.Join(t.TempDir(), "memory"))
			appendOpens(t, d, 0, 1200)
			armed = true
			failures := 0
			for h := (*log.Head)(nil); h == nil || h.Size < 1200; failures++ {
				_ = l.Sequence(t.Context())
				var err error
				h, err = l.Head(t.Context())
				if err != nil || failures > 50 {
					t.Fatalf("%+v (%v)", h, err)
				}
			}
			if faults := audit(t, d); len(faults) > 0 || failures < 2 {
				t.Errorf("after %d failures: %v", failures, faults)
			}
		})
	}
}

// Three sequencers and several writers share one database: no leaf is lost or duplicated, and the
// leaves of each writer keep their order.
func TestConcurrentSequencers(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		key := newKey(t)
		var logs []*log.Log
		for range 3 {
			logs = append(logs, openLog(t, d, key, filepath.Join(t.TempDir(), "memory")))
		}
		ctx, done := context.WithCancel(t.Context())
		var sequencers, writers sync.WaitGroup
		for _, l := range logs {
			sequencers.Go(func() {
				for ctx.Err() == nil {
					if err := l.Sequence(t.Context()); err != nil {
						t.Error(err)
					}
				}
			})
		}
		for w := range 4 {
			writers.Go(func() { appendOpens(t, d, w*1000, w*1000+200) })
		}
		writers.Wait()
		done()
		sequencers.Wait()
		if h := sequence(t, logs[0]); h.Size != 800 {
			t.Errorf("the signed tree has %d leaves, want 800", h.Size)
		}
		bodies := allLeaves(t, d)
		next := map[int]int{}
		for _, body := range bodies {
			var n int
			_, _ = fmt.Sscanf(body, "kaibao-open/v1\nid %d\n", &n)
			if w := n / 1000; next[w] != n%1000 {
				t.Fatalf("writer %d: got leaf %d, want %d", w, n%1000, next[w])
			} else {
				next[w]++
			}
		}
		if faults := audit(t, d); len(faults) > 0 {
			t.Error(faults)
		}
	})
}

// Only the checkpoint file distinguishes the log from an old copy of it. Without one, a node
// refuses a non-empty log, unless it gets the last checkpoint.
func TestOpenRefusesKnownLogWithoutMemory(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		key, memory := newKey(t), filepath.Join(t.TempDir(), "memory")
		first := openLog(t, d, key, memory)
		join := func(checkpoint string) (string, error) {
			path := filepath.Join(t.TempDir(), "memory")
			_, err := log.Open(t.Context(), log.Options{
				DB: d, Keys: log.FixedKeys(key), CheckpointFile: path,
				NewestCheckpoint: func(context.Context) (string, error) { return checkpoint, nil },
			})
			return path, err
		}
		if _, err := join(""); err != nil {
			t.Errorf("with an empty log: %v", err)
		}
		// The first node of a shop may have the setting, too: no node runs yet that could answer.
		down := log.Options{
			DB: d, Keys: log.FixedKeys(key), CheckpointFile: filepath.Join(t.TempDir(), "memory"),
			NewestCheckpoint: func(context.Context) (string, error) { return "", errors.New("no node runs") },
		}
		if _, err := log.Open(t.Context(), down); err != nil {
			t.Errorf("with an empty log and no running node: %v", err)
		}
		down.CheckpointFile += "2"
		if _, err := log.Inspect(t.Context(), down); err != nil {
			t.Errorf("the check with an empty log and no running node: %v", err)
		}
		appendOpens(t, d, 0, 2)
		if _, err := join(""); err == nil || !strings.Contains(err.Error(), "kaibao restore") {
			t.Errorf("with a waiting open: %v", err)
		}
		early := sequence(t, first)
		appendOpens(t, d, 2, 9)
		last := sequence(t, first)
		if _, err := join(""); err == nil || !strings.Contains(err.Error(), "--log-checkpoint") {
			t.Errorf("with nine leaves: %v", err)
		}
		if _, err := log.Open(t.Context(), down); err == nil || !strings.Contains(err.Error(), "no node runs") {
			t.Errorf("with nine leaves and no running node: %v", err)
		}
		for _, signed := range []string{early.Text, last.Text} {
			path, err := join(signed)
			if err != nil {
				t.Errorf("with a checkpoint: %v", err)
			} else if string(readFile(t, path)) != signed {
				t.Error("the given checkpoint was not stored")
			}
		}
		other := dbtest.Open(t, dbtest.Options(t, d.Engine()))
		l := openLog(t, other, key, filepath.Join(t.TempDir(), "memory"))
		appendOpens(t, other, 20, 24)
		for name, c := range map[string]struct{ signed, says string }{
			"of another tree":  {sequence(t, l).Text, "doesn't continue"},
			"no checkpoint":    {"nonsense", "not a checkpoint"},
			"of another's key": {strings.Replace(last.Text, "kaibao.log/test\n9", "kaibao.log/test\n8", 1), "not a checkpoint"},
		} {
			if _, err := join(c.signed); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// An interrupted renewal leaves a database that no node opens. Renewing again completes it and
// creates one new epoch, not two.
func TestInterruptedRenewalResumes(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		key, memory := newKey(t), filepath.Join(t.TempDir(), "memory")
		l := openLog(t, d, key, memory)
		appendOpens(t, d, 0, 300)
		sequence(t, l)
		appendOpens(t, d, 300, 302)
		o := log.Options{DB: d, Keys: log.FixedKeys(key), CheckpointFile: memory}
		begun := 0
		begin := func(tx *db.Tx, origin string) error {
			begun++
			return log.Append(tx, epochLeaf(origin))
		}
		broken := errors.New("broken")
		if _, _, err := log.StartEpoch(t.Context(), o, log.EpochStart{Begin: func(*db.Tx, string) error { return broken }}); !errors.Is(err, broken) {
			t.Fatal(err)
		}
		if _, err := log.Open(t.Context(), o); err != nil {
			t.Errorf("a renewal that did nothing: %v", err)
		}
		_, first, err := log.StartEpoch(t.Context(), o, log.EpochStart{Begin: begin})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(memory); err != nil {
			t.Fatal(err)
		}
		if _, err := log.Open(t.Context(), o); err == nil || !strings.Contains(err.Error(), "kaibao restore") {
			t.Errorf("a partial renewal was opened: %v", err)
		}
		if err := l.Sequence(t.Context()); err == nil || !strings.Contains(err.Error(), "doesn't continue") {
			t.Errorf("a node from before the renewal continues: %v", err)
		}
		renewed, second, err := log.StartEpoch(t.Context(), o, log.EpochStart{Begin: begin})
		if err != nil || second != first || first.Size != 300 || begun != 1 {
			t.Fatalf("%+v, then %+v after %d (%v)", first, second, begun, err)
		}
		if h := sequence(t, renewed); h.Size != 4 || h.Origin != first.Origin {
			t.Errorf("after the renewal the tree is %+v, want 4 leaves and origin %q", h, first.Origin)
		}
		if faults := audit(t, d); len(faults) > 0 {
			t.Error(faults)
		}
		begins := allLeaves(t, d)[300:]
		if !strings.HasPrefix(begins[0], "kaibao-epoch/v1\n") || !slices.Equal(begins[1:], []string{openLeaf(300), openLeaf(301), epochLeaf(first.Origin)}) {
			t.Errorf("the new log begins with %q", begins)
		}
		openLog(t, d, key, memory)
	})
}
