package publiclog_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/mod/sumdb/note"

	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/httpapi/httpapitest"
	"kaibao/internal/keys"
	"kaibao/internal/protocol"
	log "kaibao/internal/publiclog"
)

// nextKey returns another signing key and its verifier key.
func nextKey(t testing.TB, name string) (private, verifier string) {
	t.Helper()
	private, verifier, err := note.GenerateKey(nil, name)
	if err != nil {
		t.Fatal(err)
	}
	return private, verifier
}

func noCheck(*db.Tx) error { return nil }

// fingerprint returns the fingerprint of a signing key, as kaibao keys lists it.
func fingerprint(t testing.TB, private string) string {
	t.Helper()
	f, err := keys.Fingerprint(keys.Log, private)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// samePublicKey reports whether two verifier keys have the same public key, under any names.
func samePublicKey(a, b string) bool {
	_, keyA, _ := strings.Cut(a, "+")
	_, keyB, _ := strings.Cut(b, "+")
	_, keyA, _ = strings.Cut(keyA, "+") // the hash depends on the name
	_, keyB, _ = strings.Cut(keyB, "+")
	return keyA == keyB && keyA != ""
}

// readTx calls read in a read-only transaction.
func readTx(t testing.TB, d *db.DB, read func(tx *db.Tx) error) {
	t.Helper()
	if err := d.Read(t.Context(), read); err != nil {
		t.Fatal(err)
	}
}

// All leaves from before are in the ended log, which ends by naming the next one. A node that was
// running continues with the new key, and one that was stopped does so at its start.
func TestReplacedKeyContinuesLog(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		first := newKey(t)
		next, verifier := nextKey(t, "kaibao.log/next")
		keys := log.FixedKeys(first, next)
		open := func(memory string) *log.Log {
			t.Helper()
			l, err := log.Open(t.Context(), log.Options{DB: d, Keys: keys, CheckpointFile: memory})
			if err != nil {
				t.Fatal(err)
			}
			return l
		}
		running, stopped := filepath.Join(t.TempDir(), "running"), filepath.Join(t.TempDir(), "stopped")
		node := open(running)
		open(stopped)
		appendOpens(t, d, 0, 300)
		sequence(t, node)
		appendOpens(t, d, 300, 302)
		seeds := node.SeedOrigin()

		r, err := log.ReplaceKey(t.Context(), log.Options{DB: d, Keys: keys, CheckpointFile: running}, noCheck)
		origin, _, _ := strings.Cut(r.Key, "+")
		if err != nil || r.Size != 303 || !samePublicKey(r.Key, verifier) || !strings.HasPrefix(origin, "kaibao.log/next/") || r.EndedOrigin != "kaibao.log/test" {
			t.Fatalf("%+v, %v", r, err)
		}
		appendOpens(t, d, 302, 304)
		h := sequence(t, node)
		if h.Size != 3 || h.Origin != origin || node.VerifierKey() != r.Key || node.SeedOrigin() != seeds {
			t.Errorf("the node has %+v under %s with seeds of %s", h, node.VerifierKey(), node.SeedOrigin())
		}
		leaves := allLeaves(t, d)
		if !slices.Equal(leaves[300:302], []string{openLeaf(300), openLeaf(301)}) || !strings.HasPrefix(leaves[302], "kaibao-end/v1\norigin "+origin+"\nkey "+r.Key+"\n") ||
			!strings.HasPrefix(leaves[303], "kaibao-epoch/v1\norigin kaibao.log/test\nsize 303\n") || !slices.Equal(leaves[304:], []string{openLeaf(302), openLeaf(303)}) {
			t.Errorf("the log goes on with %q", leaves[300:])
		}
		if faults := audit(t, d); len(faults) > 0 {
			t.Error(faults)
		}
		restarted := open(stopped)
		if h := sequence(t, restarted); h.Size != 3 || h.Origin != origin {
			t.Errorf("the restarted node has %+v", h)
		}
		if signed, err := os.ReadFile(stopped); err != nil || !strings.HasPrefix(string(signed), origin+"\n3\n") {
			t.Errorf("the restarted node remembers %q, %v", signed, err)
		}
		readTx(t, d, func(tx *db.Tx) error {
			for id, want := range map[string]string{"000005": "kaibao.log/test", "000303": origin} {
				proof, err := node.ProveOpen(tx, id)
				receipt, signErr := node.Receipt(proof.Leaf)
				if err != nil || signErr != nil || !strings.HasPrefix(node.VerifierKeyOf(proof.Leaf), want+"+") || !strings.Contains(receipt, "\n— "+want+" ") ||
					!strings.HasPrefix(proof.Checkpoint, want+"\n") {
					t.Errorf("open %s: receipt %q, checkpoint %q, %v, %v", id, receipt, proof.Checkpoint, err, signErr)
				}
			}
			return nil
		})
		if _, err := log.ReplaceKey(t.Context(), log.Options{DB: d, Keys: keys, CheckpointFile: running}, noCheck); err == nil || !strings.Contains(err.Error(), "no unused log key") {
			t.Errorf("without an unused key: %v", err)
		}
		// When the old private key is gone, its receipts are too, but the proof in the ended log stays.
		keys = log.FixedKeys(next)
		node = open(running)
		readTx(t, d, func(tx *db.Tx) error {
			proof, err := node.ProveOpen(tx, "000005")
			receipt, signErr := node.Receipt(proof.Leaf)
			if err != nil || signErr != nil || receipt != "" || proof.Checkpoint == "" {
				t.Errorf("receipt %q, checkpoint %q, %v, %v", receipt, proof.Checkpoint, err, signErr)
			}
			return nil
		})
		keys = log.FixedKeys(first)
		if _, err := log.Open(t.Context(), log.Options{DB: d, Keys: keys, CheckpointFile: running}); err == nil || !strings.Contains(err.Error(), fingerprint(t, next)) {
			t.Errorf("without the new key: %v", err)
		}
	})
}

// Verifiers need all leaves of a log that ended because its key was lost, even those that were placed
// and never signed: the next log names the whole tree.
func TestUnsignedEndOfLogIsServed(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		first := newKey(t)
		folder := filepath.Join(t.TempDir(), "folder")
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		l := openLog(t, d, first, filepath.Join(folder, "memory"))
		appendOpens(t, d, 0, 2)
		sequence(t, l)
		appendOpens(t, d, 2, 5)
		if err := os.RemoveAll(folder); err != nil {
			t.Fatal(err)
		}
		if err := l.Sequence(t.Context()); err == nil || !strings.Contains(err.Error(), "remember the checkpoint") {
			t.Fatalf("without a folder for its checkpoint, a node signs: %v", err)
		}
		next, _ := nextKey(t, "kaibao.log/next")
		o := log.Options{DB: d, Keys: log.FixedKeys(next), CheckpointFile: filepath.Join(t.TempDir(), "memory")}
		l, r, err := log.StartEpoch(t.Context(), o, log.EpochStart{NewKey: true, Begin: func(*db.Tx, string) error { return nil }})
		if err != nil || r.Size != 5 {
			t.Fatalf("%+v, %v", r, err)
		}
		sequence(t, l)
		api := httpapitest.New(t, "https://kaibao.example")
		l.Routes(api.API)
		for tile, length := range map[string]int{"entries/000.p/5": 2*5 + len(openLeaf(0))*5, "0/000.p/5": 5 * 32} {
			if w := api.Call("GET", "/log/ended/test/tile/"+tile, ""); w.Code != 200 || w.Body.Len() != length {
				t.Errorf("%s: %d with %d bytes, want %d", tile, w.Code, w.Body.Len(), length)
			}
		}
		if w := api.Call("GET", "/log/ended/test/tile/entries/000.p/6", ""); w.Code != 404 {
			t.Errorf("a leaf after the end: %d", w.Code)
		}
	})
}

// A failure at any step leaves the log as it was.
func TestRefusedKeyChangesNothing(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		first := newKey(t)
		next, _ := nextKey(t, "kaibao.log/next")
		memory := filepath.Join(t.TempDir(), "memory")
		o := log.Options{DB: d, Keys: log.FixedKeys(first, next), CheckpointFile: memory}
		node := openLog(t, d, first, memory)
		appendOpens(t, d, 0, 3)
		refused := errors.New("a node lacks the key")
		if _, err := log.ReplaceKey(t.Context(), o, func(*db.Tx) error { return refused }); !errors.Is(err, refused) {
			t.Errorf("%v, want that a node lacks the key", err)
		}
		if h := sequence(t, node); h.Size != 3 || h.Origin != "kaibao.log/test" {
			t.Errorf("the log is %+v", h)
		}
		other := filepath.Join(t.TempDir(), "other")
		if _, err := log.ReplaceKey(t.Context(), log.Options{DB: d, Keys: o.Keys, CheckpointFile: other}, noCheck); err == nil || !strings.Contains(err.Error(), "never seen") {
			t.Errorf("on a machine without a checkpoint: %v", err)
		}
	})
}

// A node without the next key stops when the log has it, and continues once it gets the key.
func TestNodeWaitsForNewKey(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		first := newKey(t)
		next, _ := nextKey(t, "kaibao.log/next")
		has := []string{first}
		dir := t.TempDir()
		node, err := log.Open(t.Context(), log.Options{DB: d, Keys: func() ([]string, error) { return has, nil }, CheckpointFile: filepath.Join(dir, "node")})
		if err != nil {
			t.Fatal(err)
		}
		both := log.FixedKeys(first, next)
		if _, err := log.Open(t.Context(), log.Options{DB: d, Keys: both, CheckpointFile: filepath.Join(dir, "other")}); err != nil {
			t.Fatal(err)
		}
		if _, err := log.ReplaceKey(t.Context(), log.Options{DB: d, Keys: both, CheckpointFile: filepath.Join(dir, "other")}, noCheck); err != nil {
			t.Fatal(err)
		}
		if err := node.Sequence(t.Context()); err != nil && !strings.Contains(err.Error(), "not in log.key") {
			t.Errorf("without the key: %v", err)
		}
		appendOpens(t, d, 0, 1)
		if err := node.Sequence(t.Context()); err == nil || !strings.Contains(err.Error(), "log key "+fingerprint(t, next)+", which is not in log.key") {
			t.Errorf("without the key: %v", err)
		}
		has = append(has, next)
		if h := sequence(t, node); h.Size != 2 {
			t.Errorf("with the key, the log is %+v", h)
		}
	})
}

// While acts append leaves on two nodes, every leaf gets into the log that its receipt names.
func TestReceiptsNameTheirLog(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		first := newKey(t)
		keys := []string{first}
		for _, name := range []string{"kaibao.log/two", "kaibao.log/three", "kaibao.log/four"} {
			private, _ := nextKey(t, name)
			keys = append(keys, private)
		}
		dir := t.TempDir()
		var nodes []*log.Log
		for _, name := range []string{"a", "b"} {
			node, err := log.Open(t.Context(), log.Options{DB: d, Keys: log.FixedKeys(keys...), CheckpointFile: filepath.Join(dir, name)})
			if err != nil {
				t.Fatal(err)
			}
			nodes = append(nodes, node)
		}
		const opens = 60
		receipts := make([]log.Leaf, 2*opens)
		var work sync.WaitGroup
		for n, node := range nodes {
			work.Go(func() {
				for i := range opens {
					id := n*opens + i
					if err := d.InTx(t.Context(), func(tx *db.Tx) error {
						if err := node.CheckConsistency(tx)(); err != nil {
							return err
						}
						receipts[id] = node.NewLeaf(openLeaf(id))
						return log.Append(tx, openLeaf(id))
					}); err != nil {
						t.Error(err)
					}
					if i%7 == 0 {
						if err := node.Sequence(t.Context()); err != nil {
							t.Error(err)
						}
					}
				}
			})
		}
		work.Go(func() {
			for range 3 {
				o := log.Options{DB: d, Keys: log.FixedKeys(keys...), CheckpointFile: filepath.Join(dir, "a")}
				if _, err := log.ReplaceKey(t.Context(), o, noCheck); err != nil {
					t.Error(err)
				}
			}
		})
		work.Wait()
		sequence(t, nodes[0])
		readTx(t, d, func(tx *db.Tx) error {
			for id, leaf := range receipts {
				proof, err := nodes[1].ProveOpen(tx, fmt.Sprintf("%06d", id))
				if err != nil || nodes[1].VerifierKeyOf(leaf) != nodes[1].VerifierKeyOf(proof.Leaf) {
					t.Errorf("open %d has a receipt of %s, but is in %s: %v", id, nodes[1].VerifierKeyOf(leaf), nodes[1].VerifierKeyOf(proof.Leaf), err)
				}
			}
			return nil
		})
		if faults := audit(t, d); len(faults) > 0 {
			t.Error(faults)
		}
		ended := 0
		for _, text := range allLeaves(t, d) {
			if parsed, _ := protocol.ParseLeaf([]byte(text)); parsed != nil {
				if _, ok := parsed.(protocol.EndLeaf); ok {
					ended++
				}
			}
		}
		if ended != 3 {
			t.Errorf("%d logs ended, want 3", ended)
		}
	})
}

// A restore after a lost key begins a log with a new key, which its predecessor doesn't name.
func TestRestoreWithNewKey(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		memory := filepath.Join(t.TempDir(), "memory")
		node := openLog(t, d, newKey(t), memory)
		appendOpens(t, d, 0, 5)
		sequence(t, node)
		next, verifier := nextKey(t, "kaibao.log/next")
		o := log.Options{DB: d, Keys: log.FixedKeys(next), CheckpointFile: memory}
		if _, _, err := log.StartEpoch(t.Context(), o, log.EpochStart{Begin: begins}); err == nil || !strings.Contains(err.Error(), "not in log.key") {
			t.Errorf("without the old key: %v", err)
		}
		renewed, r, err := log.StartEpoch(t.Context(), o, log.EpochStart{NewKey: true, Begin: begins})
		if err != nil || !strings.HasPrefix(r.Origin, "kaibao.log/next/") || !samePublicKey(renewed.VerifierKey(), verifier) || renewed.SeedOrigin() != r.Origin {
			t.Fatalf("%+v, %v", r, err)
		}
		sequence(t, renewed)
		if faults := audit(t, d); len(faults) > 0 {
			t.Error(faults)
		}
	})
}

func begins(*db.Tx, string) error { return nil }
