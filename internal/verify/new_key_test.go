package verify_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"

	"kaibao/internal/protocol"
	"kaibao/internal/verify"
)

// newRotatedLog returns a log whose key was replaced twice, with a restore between.
func newRotatedLog(t testing.TB) *testLog {
	log := newBusyLog(t, 11, 300)
	more := func() {
		for range 20 {
			log.open(log.users[log.random.IntN(len(log.users))], "plenty", nil)
			log.open(log.users[log.random.IntN(len(log.users))], "few", nil)
		}
	}
	log.replaceKey(t, "kaibao.log/two")
	more()
	log.restore(t, "kaibao.log/two/restored", 0)
	more()
	log.replaceKey(t, "kaibao.log/three")
	more()
	return log
}

// Commitments, nonces, stock and draws continue with a new key as if nothing had happened. Someone
// who trusted an earlier key may trust the new one.
func TestLogAcrossKeys(t *testing.T) {
	stranger, log := newTestLog(t, 3), newRotatedLog(t)
	dir := log.writeMirror(t)
	report := checkLog(t, verify.Options{Location: dir})
	if report.Fault != nil || len(report.EndedLogs) != 3 || report.Users != 4 {
		t.Fatalf("report %+v with fault %v", report, report.Fault)
	}
	for n, want := range []struct {
		origin   string
		replaced bool
	}{{"kaibao.log/test", true}, {"kaibao.log/two", false}, {"kaibao.log/two/restored", true}} {
		if e := report.EndedLogs[n]; e.Origin != want.origin || e.KeyReplaced != want.replaced || (e.OtherKey != "") != want.replaced {
			t.Errorf("ended log %d is %+v, want %+v", n, e, want)
		}
	}
	for _, trusted := range []string{report.EndedLogs[0].Key, report.EndedLogs[1].Key, report.EndedLogs[2].Key, log.verifier} {
		if report := checkLog(t, verify.Options{Location: dir, Key: trusted}); report.Fault != nil || report.Key != log.verifier {
			t.Errorf("someone who trusts %s gets the key %s and fault %v", trusted, report.Key, report.Fault)
		}
	}
	if report := checkLog(t, verify.Options{Location: dir, Key: stranger.verifier}); report.Fault == nil || !strings.Contains(report.Fault.Reason, "is not signed by") {
		t.Errorf("someone who trusts another first key gets fault %v", report.Fault)
	}
}

// Someone who followed the log before its key was replaced sees whether it continues theirs.
func TestEarlierCheckpointsAfterNewKey(t *testing.T) {
	log := newBusyLog(t, 11, 300)
	key, before := log.verifier, log.checkpoint(t, log.leaves[:200])
	rewritten := slices.Clone(log.leaves[:200])
	rewritten[7] = "another leaf"
	forged, longer := log.checkpoint(t, rewritten), log.checkpoint(t, append(slices.Clone(log.leaves), "1", "2", "3"))
	log.replaceKey(t, "kaibao.log/two")
	dir := log.writeMirror(t)
	for name, c := range map[string]struct {
		earlier []byte
		reason  string
	}{
		"the same log":   {before, ""},
		"another prefix": {forged, "the first 200 leaves differ"},
		"a longer log":   {longer, "it was cut"},
	} {
		report := checkLog(t, verify.Options{Location: dir, Key: key, EarlierCheckpoint: c.earlier})
		if (report.Fault == nil) != (c.reason == "") || report.Fault != nil && !strings.Contains(report.Fault.Reason, c.reason) {
			t.Errorf("%s: fault %v, want %q", name, report.Fault, c.reason)
		}
		if report.Fault == nil && (report.EarlierSize == nil || *report.EarlierSize != 200) {
			t.Errorf("%s: %+v", name, report)
		}
	}
}

func TestCheatingWithKeys(t *testing.T) {
	keyPair := newKeyPair
	for name, c := range map[string]struct {
		cheat   func(t *testing.T, log *testLog)
		reason  string
		trusted bool // only those who trust the first key notice
	}{
		"a new key without an end": {func(t *testing.T, log *testLog) {
			private, public := keyPair(t, "kaibao.log/two")
			log.continueWith(t, private, public)
		}, "which it doesn't name", true},
		"an end that names another key": {func(t *testing.T, log *testLog) {
			private, public := keyPair(t, "kaibao.log/two")
			_, other := keyPair(t, "kaibao.log/two")
			log.append(protocol.EndLeaf{Origin: "kaibao.log/two", Key: other, Time: log.now})
			log.continueWith(t, private, public)
		}, "as the next key", false},
		"an end whose key has another name": {func(t *testing.T, log *testLog) {
			private, public := keyPair(t, "kaibao.log/two")
			log.append(protocol.EndLeaf{Origin: "kaibao.log/three", Key: public, Time: log.now})
			log.continueWith(t, private, public)
		}, "as the next key", false},
		"an ended log signed by the next key": {func(t *testing.T, log *testLog) {
			log.replaceKey(t, "kaibao.log/two")
			_, impostor := keyPair(t, "kaibao.log/test")
			log.notes["ended/test/key"] = []byte(impostor)
		}, "is not signed by its key", false},
		"an ended log that is invented": {func(t *testing.T, log *testLog) {
			trusted := log.verifier
			log.key, log.verifier = keyPair(t, "kaibao.log/test")
			log.replaceKey(t, "kaibao.log/two")
			log.notes["ended/test/key"] = []byte(trusted)
		}, "is not signed by its key", false},
		"an older checkpoint of the ended log": {func(t *testing.T, log *testLog) {
			log.notes = nil
			old := log.checkpoint(t, log.leaves)
			log.replaceKey(t, "kaibao.log/two")
			log.notes["ended/test/checkpoint"] = old
		}, "is not signed by its key", false},
		"a log that goes on after its end": {func(_ *testing.T, log *testLog) {
			log.append(protocol.EndLeaf{Origin: "kaibao.log/two", Key: "kaibao.log/two+76fa8222+AepKbGPinFIKvvVQexMuxfmVR3auvr57kkIe6mkURtIs", Time: log.now})
			log.open(log.users[0], "plenty", nil)
		}, "can't have the key", false},
		"a second end": {func(t *testing.T, log *testLog) {
			_, public := keyPair(t, "kaibao.log/two")
			log.append(protocol.EndLeaf{Origin: "kaibao.log/two", Key: public, Time: log.now})
			log.replaceKey(t, "kaibao.log/three")
		}, "goes on after its end", false},
		"an end without a next log": {func(t *testing.T, log *testLog) {
			_, public := keyPair(t, "kaibao.log/two")
			log.append(protocol.EndLeaf{Origin: "kaibao.log/two", Key: public, Time: log.now})
		}, "is not shown", false},
		"new commitments": {func(t *testing.T, log *testLog) {
			log.replaceKey(t, "kaibao.log/two")
			log.append(protocol.CommitLeaf{User: log.users[1].tag, Nonce: log.users[1].nonce, Commitment: log.randomBytes(), Time: log.now})
		}, "second first commitment", false},
	} {
		t.Run(name, func(t *testing.T) {
			log := newBusyLog(t, 5, 60)
			key := log.verifier
			c.cheat(t, log)
			dir := log.writeMirror(t)
			if fault := checkLog(t, verify.Options{Location: dir, Key: key}).Fault; fault == nil || !strings.Contains(fault.Reason, c.reason) {
				t.Errorf("someone who trusts the first key gets %v, want %q", fault, c.reason)
			}
			if report := checkLog(t, verify.Options{Location: dir}); (report.Fault == nil) != c.trusted {
				t.Errorf("someone who trusts no key gets %v", report.Fault)
			} else if c.trusted && report.EndedLogs[0].OtherKey != log.verifier {
				t.Errorf("the other key isn't reported: %+v", report.EndedLogs)
			}
		})
	}
}

// A check that was running when the key was replaced starts again, because the current log's tiles
// are then those of the next log.
func TestKeyReplacedDuringCheck(t *testing.T) {
	log := newBusyLog(t, 5, 60)
	host := newHost(t, log.writeMirror(t))
	old := host.dir
	first, err := os.ReadFile(filepath.Join(old, "checkpoint"))
	if err != nil {
		t.Fatal(err)
	}
	log.replaceKey(t, "kaibao.log/two")
	host.first["checkpoint"], host.first["key"] = first, []byte(firstKeyOf(t, old))
	host.dir = log.writeMirror(t)
	report := checkLog(t, verify.Options{Location: host.URL})
	if report.Fault != nil || report.Key != log.verifier {
		t.Errorf("%s: %v", report.Key, report.Fault)
	}
}

func firstKeyOf(t *testing.T, dir string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "key"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// A mirror keeps no tiles that it fetched while the key was replaced, because the next log has the same
// addresses.
func TestKeyReplacedDuringCopy(t *testing.T) {
	log, mirror := newBusyLog(t, 5, 60), t.TempDir()
	host := newHost(t, log.writeMirror(t))
	old, size := host.dir, len(log.leaves)
	log.replaceKey(t, "kaibao.log/two")
	for len(log.leaves) < size {
		log.open(log.users[0], "plenty", nil)
	}
	partial := fmt.Sprintf("000.p/%d", size)
	for _, name := range []string{"checkpoint", "key", "tile/entries/" + partial, "tile/0/" + partial} {
		data, err := os.ReadFile(filepath.Join(old, name))
		if err != nil {
			t.Fatal(err)
		}
		host.first[name] = data
	}
	host.dir = log.writeMirror(t)
	if err := runMirror(t, host, mirror); err == nil || !strings.Contains(err.Error(), "run the command again") {
		t.Errorf("ended with %v", err)
	}
	if err := runMirror(t, host, mirror); err != nil {
		t.Fatal(err)
	}
	if report := checkLog(t, verify.Options{Location: mirror}); report.Fault != nil || len(report.EndedLogs) != 1 {
		t.Errorf("report is %+v, fault %v", report, report.Fault)
	}
}

// A mirror goes on with the next log, and keeps the ended one.
func TestMirrorFollowsNewKeys(t *testing.T) {
	for name, before := range map[string]func(t *testing.T, mirror string, log *testLog){
		"as it was": func(*testing.T, string, *testLog) {},
		"interrupted after the move": func(t *testing.T, mirror string, _ *testLog) {
			if err := os.MkdirAll(filepath.Join(mirror, "ended", "test"), 0o750); err != nil {
				t.Fatal(err)
			}
			if err := os.Rename(filepath.Join(mirror, "tile"), filepath.Join(mirror, "ended", "test", "tile")); err != nil {
				t.Fatal(err)
			}
			writeFile(t, mirror, "tile/entries/000.p/1", []byte("\x00\x03old"))
		},
		"interrupted before the key": func(t *testing.T, mirror string, log *testLog) {
			host := newHost(t, log.writeMirror(t))
			key := firstKeyOf(t, mirror)
			if err := runMirror(t, host, mirror); err != nil {
				t.Fatal(err)
			}
			writeFile(t, mirror, "key", []byte(key))
		},
	} {
		t.Run(name, func(t *testing.T) {
			log, mirror := newBusyLog(t, 9, 300), t.TempDir()
			host := newHost(t, log.writeMirror(t))
			if err := runMirror(t, host, mirror); err != nil {
				t.Fatal(err)
			}
			log.replaceKey(t, "kaibao.log/two")
			log.open(log.users[0], "plenty", nil)
			before(t, mirror, log)
			log.open(log.users[0], "plenty", nil)
			log.replaceKey(t, "kaibao.log/three")
			log.open(log.users[1], "plenty", nil)
			host.dir = log.writeMirror(t)
			for range 2 {
				if err := runMirror(t, host, mirror); err != nil {
					t.Fatal(err)
				}
			}
			if report := checkLog(t, verify.Options{Location: mirror}); report.Fault != nil || len(report.EndedLogs) != 2 || report.Key != log.verifier {
				t.Errorf("report is %+v, fault %v", report, report.Fault)
			}
		})
	}
}

// A mirror refuses a log that continues with a key which its predecessor doesn't name, and one whose
// ended log differs from the copy.
func TestMirrorRefusesOtherKeys(t *testing.T) {
	for name, c := range map[string]struct {
		change func(t *testing.T, log *testLog)
		says   string
	}{
		"a new key without an end": {func(t *testing.T, log *testLog) {
			private, public, err := note.GenerateKey(nil, "kaibao.log/two")
			if err != nil {
				t.Fatal(err)
			}
			log.continueWith(t, private, public)
		}, "another log"},
		"another past": {func(t *testing.T, log *testLog) {
			log.leaves[7] = "another leaf"
			log.replaceKey(t, "kaibao.log/two")
		}, "was rewritten"},
	} {
		t.Run(name, func(t *testing.T) {
			log, mirror := newBusyLog(t, 9, 300), t.TempDir()
			host := newHost(t, log.writeMirror(t))
			if err := runMirror(t, host, mirror); err != nil {
				t.Fatal(err)
			}
			before := readFiles(t, mirror)
			c.change(t, log)
			host.dir = log.writeMirror(t)
			err := runMirror(t, host, mirror)
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, want %q", err, c.says)
			}
			if after := readFiles(t, mirror); len(after) != len(before) {
				t.Error("the mirror has changed")
			}
		})
	}
}

// forgedBundle returns the first bundle of leaves with one of them replaced, and its name.
func forgedBundle(t *testing.T, leaves []string, index int, leaf string) (name string, data []byte) {
	t.Helper()
	dir, forged := t.TempDir(), slices.Clone(leaves)
	forged[index] = leaf
	writeTiles(t, dir, forged)
	name = fmt.Sprintf("tile/entries/000.p/%d", len(leaves))
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return name, data
}

// A server that hides with an unknown first leaf that its log isn't the trusted one is detected, whether
// the leaf is in the log or only in its first answer.
func TestUnknownFirstLeafHidesNoOtherLog(t *testing.T) {
	const unknown = "kaibao-epoch/v9\norigin kaibao.log/test\n"
	trusted := newBusyLog(t, 3, 10)
	for name, signed := range map[string]bool{"in the log": true, "in the first answer": false} {
		log := newBusyLog(t, 5, 60)
		log.key, log.verifier = newKeyPair(t, "kaibao.log/other")
		if signed {
			log.leaves[0] = unknown
		}
		host := newHost(t, log.writeMirror(t))
		if !signed {
			name, data := forgedBundle(t, log.leaves, 0, unknown)
			host.first[name] = data
		}
		o := verify.Options{Location: host.URL, Key: trusted.verifier, EarlierCheckpoint: trusted.checkpoint(t, trusted.leaves)}
		if report := checkLog(t, o); report.Fault == nil {
			t.Errorf("%s: %+v", name, report)
		}
		if _, _, err := verify.Mirror(t.Context(), host.URL, t.TempDir(), trusted.verifier, func(int64, int64) {}); err == nil {
			t.Errorf("%s: the log was copied", name)
		}
	}
}

func newKeyPair(t *testing.T, name string) (private, public string) {
	t.Helper()
	private, public, err := note.GenerateKey(nil, name)
	if err != nil {
		t.Fatal(err)
	}
	return private, public
}

// A server can't move a mirror to another log by showing an end that isn't in the trusted log.
func TestMirrorRefusesForgedEnd(t *testing.T) {
	log, mirror := newBusyLog(t, 9, 200), t.TempDir()
	host := newHost(t, log.writeMirror(t))
	if err := runMirror(t, host, mirror); err != nil {
		t.Fatal(err)
	}
	before := readFiles(t, mirror)
	leaves := log.leaves
	private, public := newKeyPair(t, "kaibao.log/two")
	log.continueWith(t, private, public)
	host.dir = log.writeMirror(t)
	end := protocol.EndLeaf{Origin: "kaibao.log/two", Key: public, Time: log.now}
	name, data := forgedBundle(t, leaves, len(leaves)-1, string(end.Format()))
	host.first["ended/test/"+name] = data
	if err := runMirror(t, host, mirror); err == nil || !strings.Contains(err.Error(), "two different logs") {
		t.Errorf("%v, want that the server shows two different logs", err)
	}
	if len(host.first) > 0 {
		t.Error("the forged end was not requested")
	}
	if after := readFiles(t, mirror); !maps.Equal(after, before) {
		t.Error("the mirror has changed")
	}
}

// A log with an absurd size is refused at once.
func TestAbsurdSizeIsRefused(t *testing.T) {
	log := newBusyLog(t, 5, 10)
	dir := log.writeMirror(t)
	signer, err := note.NewSigner(log.key)
	if err != nil {
		t.Fatal(err)
	}
	signed, err := note.Sign(&note.Note{Text: "kaibao.log/test\n4611686018427387905\nAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n"}, signer)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, dir, "checkpoint", signed)
	if fault := checkLog(t, verify.Options{Location: dir}).Fault; fault == nil || !strings.Contains(fault.Reason, "size") {
		t.Errorf("%v, want that the size is refused", fault)
	}
}
