package verify_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"

	"kaibao/internal/protocol"
	"kaibao/internal/verify"
)

// A leaf of a kind, or of a version, that nobody had thought of is no fault: what can be
// checked is, and the report says what is needed.
func TestAnUnknownKindNeedsANewerVerifier(t *testing.T) {
	for _, kind := range []string{"kaibao-gift/v1", "kaibao-open/v2", "kaibao-manifest-published/v2", "kaibao-epoch/v2"} {
		t.Run(kind, func(t *testing.T) {
			w := busy(t, 7, 60)
			before := w.checkpoint(t, w.leaves)
			unknown := int64(len(w.leaves))
			w.leaves = append(w.leaves, kind+"\nsomething 1\n")
			w.leaves = append(w.leaves, "kaibao-later/v3\n")
			w.users[0].nonce++ // as what was unknown may have said
			w.open(w.users[0], "plenty", nil)
			report := check(t, verify.Options{Where: w.write(t), Earlier: before, Key: w.verifier})
			if report.Fault != nil || report.Newer == nil || *report.Newer != (verify.Newer{Leaf: unknown, Kind: kind}) || report.Earlier == nil {
				t.Fatalf("fault %v, newer %v, earlier %v", report.Fault, report.Newer, report.Earlier)
			}
			if report.Opens == 0 {
				t.Errorf("%d opens before it were counted", report.Opens)
			}
		})
	}
}

// Behind a leaf of an unknown kind, what is wrong by itself is still a fault.
func TestFaultsBehindAnUnknownKind(t *testing.T) {
	for name, cheat := range map[string]func(t *testing.T, w *world) (dir string){
		"a swapped card": func(t *testing.T, w *world) string {
			w.open(w.users[0], "plenty", func(l *protocol.OpenLeaf) {
				l.Items[0].Card = map[bool]string{true: "plenty-01", false: "plenty-00"}[l.Items[0].Card == "plenty-00"]
			})
			return w.write(t)
		},
		"no leaf": func(t *testing.T, w *world) string {
			w.leaves = append(w.leaves, "nonsense\n")
			return w.write(t)
		},
		"a leaf that was not signed": func(t *testing.T, w *world) string {
			dir := w.write(t)
			signed, err := os.ReadFile(filepath.Join(dir, "checkpoint"))
			if err != nil {
				t.Fatal(err)
			}
			w.leaves[len(w.leaves)-1] += "more 2\n"
			dir = w.write(t)
			put(t, dir, "checkpoint", signed)
			return dir
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := busy(t, 7, 20)
			w.leaves = append(w.leaves, "kaibao-gift/v1\nto somebody\n")
			if fault := check(t, verify.Options{Where: cheat(t, w)}).Fault; fault == nil {
				t.Error("not noticed")
			}
		})
	}
}

// A log that begins in a way that is unknown may go on from the one that is remembered.
func TestAnUnknownBeginningNeedsANewerVerifier(t *testing.T) {
	w := busy(t, 7, 20)
	before, key := w.checkpoint(t, w.leaves), w.verifier
	w.restore(t, "kaibao.log/restored", 2)
	w.leaves[0] = strings.Replace(w.leaves[0], "kaibao-epoch/v1", "kaibao-epoch/v2", 1)
	report := check(t, verify.Options{Where: w.write(t), Earlier: before, Key: key})
	if report.Fault != nil || report.Newer == nil || *report.Newer != (verify.Newer{Kind: "kaibao-epoch/v2"}) || report.Earlier != nil {
		t.Errorf("fault %v, newer %v, earlier %v", report.Fault, report.Newer, report.Earlier)
	}
}

// A mirror keeps the tree that it had: what else an unknown leaf names it cannot copy.
func TestAMirrorOfAnUnknownKind(t *testing.T) {
	w := busy(t, 7, 20)
	h, to := newHost(t, w.write(t)), t.TempDir()
	copied := func() (verify.Checkpoint, *verify.Newer) {
		c, newer, err := verify.Mirror(t.Context(), h.URL, to, "", func(int64, int64) {})
		if err != nil {
			t.Fatal(err)
		}
		return c, newer
	}
	before, newer := copied()
	if newer != nil {
		t.Fatal(newer)
	}
	w.leaves = append(w.leaves, "kaibao-gift/v1\nto somebody\n")
	h.dir = w.write(t)
	if _, newer := copied(); newer == nil || *newer != (verify.Newer{Leaf: before.Size, Kind: "kaibao-gift/v1"}) {
		t.Errorf("%v", newer)
	}
	report := check(t, verify.Options{Where: to})
	if report.Fault != nil || report.Newer != nil || report.Checkpoint != before {
		t.Errorf("fault %v, newer %v, kept %v", report.Fault, report.Newer, report.Checkpoint)
	}
	empty := t.TempDir()
	to = empty
	copied()
	if _, err := os.Stat(filepath.Join(empty, "checkpoint")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a first copy keeps a tree: %v", err)
	}
}

// A receipt of a kind that is unknown is signed, and more cannot be said.
func TestAReceiptOfAnUnknownKind(t *testing.T) {
	w := newWorld(t, 1)
	signer, err := note.NewSigner(w.key)
	if err != nil {
		t.Fatal(err)
	}
	for text, newer := range map[string]bool{"kaibao-open/v9\nid 1\n": true, "kaibao-bid/v2\nid 1\n": true, "nonsense\n": false} {
		signed, err := note.Sign(&note.Note{Text: text}, signer)
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "receipt")
		if err := os.WriteFile(file, signed, 0o600); err != nil {
			t.Fatal(err)
		}
		steps, err := verify.Receipt(t.Context(), verify.ReceiptOptions{Where: file, Key: w.verifier, Now: time.Now()})
		if err != nil || verify.Unjudged(steps) != newer || verify.Broken(steps) == newer {
			t.Errorf("%q: %v, %v", text, steps, err)
		}
	}
}
