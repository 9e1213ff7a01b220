package verify_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"kaibao/internal/protocol"
	"kaibao/internal/verify"
)

// newRestoredLog returns a log whose database was restored twice, with leaves waiting each time.
func newRestoredLog(t testing.TB) *testLog {
	log := newBusyLog(t, 11, 300)
	for _, name := range []string{"kaibao.log/test/one", "kaibao.log/test/two"} {
		log.restore(t, name, 3)
		for range 40 {
			log.open(log.users[log.random.IntN(len(log.users))], "plenty", nil)
			log.open(log.users[log.random.IntN(len(log.users))], "few", nil)
		}
		log.addUser()
		log.open(log.users[len(log.users)-1], "plenty", nil)
	}
	return log
}

// Nonces, stock, supply and draws continue across restores as in a single log.
func TestLogAcrossRestores(t *testing.T) {
	log := newRestoredLog(t)
	report := checkLog(t, verify.Options{Location: log.writeMirror(t)})
	if report.Fault != nil || len(report.EndedLogs) != 2 || report.EndedLogs[0].Origin != "kaibao.log/test" || report.Users != 6 {
		t.Errorf("report %+v with fault %v, want no fault, two ended logs and 6 users", report, report.Fault)
	}
	opens := 0
	for _, leaves := range append(slices.Collect(maps.Values(log.ended)), log.leaves) {
		for _, leaf := range leaves {
			if strings.HasPrefix(leaf, "kaibao-open/") {
				opens++
			}
		}
	}
	if report.Opens != int64(opens) {
		t.Errorf("%d opens are reported, want %d", report.Opens, opens)
	}
}

// Someone who followed the log before the restore learns which leaves are gone and can't be
// checked.
func TestEarlierCheckpointsAfterRestore(t *testing.T) {
	log := newBusyLog(t, 11, 300)
	lost := append(slices.Clone(log.leaves), "1", "2", "3", "4", "5")
	key, before, all := log.verifier, log.checkpoint(t, log.leaves[:200]), log.checkpoint(t, lost)
	rewritten := slices.Clone(log.leaves[:200])
	rewritten[7] = "another leaf"
	forged := log.checkpoint(t, rewritten)
	stranger := newTestLog(t, 3)
	log.restore(t, "kaibao.log/test/one", 0)
	dir := log.writeMirror(t)
	for name, c := range map[string]struct {
		o      verify.Options
		lost   int64
		reason string
	}{
		"the restored tree":      {verify.Options{Key: key, EarlierCheckpoint: before}, 0, ""},
		"more than was restored": {verify.Options{Key: key, EarlierCheckpoint: all}, 5, ""},
		"another party's":        {verify.Options{OtherCheckpoint: all}, 5, ""},
		"the new key":            {verify.Options{Key: log.verifier, EarlierCheckpoint: before}, 0, ""},
		"another prefix":         {verify.Options{Key: key, EarlierCheckpoint: forged}, 0, "in the ended log kaibao.log/test: the first 200 leaves"},
		"a stranger's key":       {verify.Options{Key: stranger.verifier}, 0, "not signed"},
		"a key of another log":   {verify.Options{Key: renamedKey(t, log)}, 0, "doesn't continue"},
	} {
		c.o.Location = dir
		report := checkLog(t, c.o)
		fault := report.Fault
		if (fault == nil) != (c.reason == "") || fault != nil && !strings.Contains(fault.Reason, c.reason) {
			t.Errorf("%s: fault %v, want %q", name, fault, c.reason)
		}
		if fault == nil && (report.EndedLogs[0].Lost != c.lost || (report.EarlierSize == nil) != (c.lost > 0 || c.o.EarlierCheckpoint == nil)) {
			t.Errorf("%s: %d leaves are reported lost, want %d, in %+v", name, report.EndedLogs[0].Lost, c.lost, report)
		}
	}
}

// renamedKey returns the log's key under a name that it never had.
func renamedKey(t testing.TB, log *testLog) string {
	copied := *log
	copied.ended = nil
	copied.users = nil
	copied.restore(t, "kaibao.log/nobody", 0)
	return copied.verifier
}

func TestCheatingAcrossRestore(t *testing.T) {
	for name, c := range map[string]struct {
		cheat  func(log *testLog)
		reason string
	}{
		"a commitment from before is used": {func(log *testLog) {
			at := slices.IndexFunc(log.leaves, func(l string) bool {
				return strings.HasPrefix(l, "kaibao-commit/") && strings.Contains(l, log.users[1].tag)
			})
			log.leaves = slices.Delete(log.leaves, at, at+1)
		}, "from before the restore"},
		"two new commitments": {func(log *testLog) {
			log.append(protocol.CommitLeaf{User: log.users[1].tag, Nonce: log.users[1].nonce, Commitment: log.randomBytes(), Time: log.now})
		}, "second first commitment"},
		"a nonce left out": {func(log *testLog) {
			at := slices.IndexFunc(log.leaves, func(l string) bool { return strings.HasPrefix(l, "kaibao-commit/") })
			log.rewrite(int64(at), "\nnonce ", "\nnonce 9")
		}, "continues with nonce 9"},
		"another root": {func(log *testLog) { log.rewrite(0, "\nroot ", "\nroot "+strings.Repeat("0", 64)+"\nx ") }, "not a leaf"},
		"a shorter end": {func(log *testLog) {
			log.ended["test"][5] += "\n"
		}, "in the ended log kaibao.log/test"},
		"a loop":              {func(log *testLog) { log.rewrite(0, "origin kaibao.log/test", "origin kaibao.log/test/one") }, "not possible"},
		"a path on disk":      {func(log *testLog) { log.rewrite(0, "origin kaibao.log/test", "origin kaibao.log/..") }, "not possible"},
		"a second epoch leaf": {func(log *testLog) { log.append(protocol.EpochLeaf{Origin: "kaibao.log/test", Size: 3, Time: log.now}) }, "must be the first leaf"},
	} {
		t.Run(name, func(t *testing.T) {
			log := newBusyLog(t, 5, 60)
			log.restore(t, "kaibao.log/test/one", 0)
			log.open(log.users[0], "plenty", nil)
			c.cheat(log)
			log.now = log.now.Add(time.Second)
			log.open(log.users[1], "plenty", nil)
			fault := checkLog(t, verify.Options{Location: log.writeMirror(t)}).Fault
			if fault == nil || !strings.Contains(fault.Reason, c.reason) {
				t.Errorf("%v, want %q", fault, c.reason)
			}
		})
	}
}

// The predecessor of a log is named by its first leaf. A server that first sends another first leaf
// than the signed one is caught.
func TestSecondFirstLeafIsDetected(t *testing.T) {
	// invented publishes an ended log that nobody signed and returns the first leaf of a log that
	// continues it.
	invented := func(t *testing.T, log *testLog, leaves []string) string {
		if log.ended == nil {
			log.ended = map[string][]string{}
		}
		log.ended["invented"] = leaves
		root, err := tlog.TreeHash(int64(len(leaves)), hashReader(t, leaves))
		if err != nil {
			t.Fatal(err)
		}
		return string(protocol.EpochLeaf{Origin: "kaibao.log/invented", Size: uint64(len(leaves)), Root: root, Time: log.now}.Format())
	}
	other := func(t *testing.T, log *testLog) []string {
		stranger := newTestLog(t, 2)
		stranger.publish("other", 500, protocol.Unlimited, 0, protocol.Unlimited)
		maps.Copy(log.manifests, stranger.manifests)
		return stranger.leaves
	}
	for name, c := range map[string]struct {
		make   func(t *testing.T) *testLog
		first  func(t *testing.T, log *testLog) string
		reason string
	}{
		"as it was signed": {
			func(t *testing.T) *testLog { return newRestoredLog(t) },
			func(_ *testing.T, log *testLog) string { return log.leaves[0] }, "",
		},
		"a predecessor of the first log": {
			func(t *testing.T) *testLog { return newBusyLog(t, 5, 60) },
			func(t *testing.T, log *testLog) string { return invented(t, log, other(t, log)) }, "two different logs",
		},
		"another predecessor": {
			func(t *testing.T) *testLog { return newRestoredLog(t) },
			func(t *testing.T, log *testLog) string {
				return invented(t, log, append(slices.Clone(log.ended["one"]), other(t, log)...))
			}, "two different logs",
		},
		"no predecessor": {
			func(t *testing.T) *testLog {
				log := newBusyLog(t, 5, 0)
				log.restore(t, "kaibao.log/test/one", 0)
				return log
			},
			func(t *testing.T, log *testLog) string { return log.leaves[1] }, "two different logs",
		},
	} {
		t.Run(name, func(t *testing.T) {
			log := c.make(t)
			shown := slices.Clone(log.leaves)
			shown[0] = c.first(t, log)
			host, once := newHost(t, log.writeMirror(t)), t.TempDir()
			writeTiles(t, once, shown)
			bundle := fmt.Sprintf("tile/entries/000.p/%d", len(shown))
			data, err := os.ReadFile(filepath.Join(once, filepath.FromSlash(bundle)))
			if err != nil {
				t.Fatal(err)
			}
			host.first[bundle] = data
			report := checkLog(t, verify.Options{Location: host.URL})
			fault := report.Fault
			if (fault == nil) != (c.reason == "") || fault != nil && (!strings.Contains(fault.Reason, c.reason) || fault.Leaf == nil || *fault.Leaf != 0) {
				t.Errorf("%v, want %q: %+v", fault, c.reason, report)
			}
			if len(host.first) > 0 {
				t.Error("the first leaf was not requested")
			}
		})
	}
}
