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

// A leaf of an unknown kind or version is not a fault: everything that can be checked is checked,
// and the report asks for a newer verifier.
func TestUnknownKindNeedsNewerVerifier(t *testing.T) {
	for _, kind := range []string{"kaibao-gift/v1", "kaibao-open/v3", "kaibao-manifest-published/v2", "kaibao-epoch/v2"} {
		t.Run(kind, func(t *testing.T) {
			log := newBusyLog(t, 7, 60)
			before := log.checkpoint(t, log.leaves)
			unknown := int64(len(log.leaves))
			log.leaves = append(log.leaves, kind+"\nsomething 1\n")
			log.leaves = append(log.leaves, "kaibao-later/v3\n")
			log.users[0].nonce++ // as the unknown leaf may have done
			log.open(log.users[0], "plenty", nil)
			report := checkLog(t, verify.Options{Location: log.writeMirror(t), EarlierCheckpoint: before, Key: log.verifier})
			if report.Fault != nil || report.Unknown == nil || *report.Unknown != (verify.UnknownLeaf{Leaf: unknown, Kind: kind}) || report.EarlierSize == nil {
				t.Fatalf("fault %v, newer %v, earlier %v", report.Fault, report.Unknown, report.EarlierSize)
			}
			if report.Opens == 0 {
				t.Errorf("%d opens before it were counted", report.Opens)
			}
		})
	}
}

// After a leaf of an unknown kind, a leaf that is wrong by itself is still a fault.
func TestFaultsAfterUnknownKind(t *testing.T) {
	for name, cheat := range map[string]func(t *testing.T, log *testLog) (dir string){
		"a swapped card": func(t *testing.T, log *testLog) string {
			log.open(log.users[0], "plenty", func(l *protocol.OpenLeaf) {
				l.Items[0].Card = map[bool]string{true: "plenty-01", false: "plenty-00"}[l.Items[0].Card == "plenty-00"]
			})
			return log.writeMirror(t)
		},
		"no leaf": func(t *testing.T, log *testLog) string {
			log.leaves = append(log.leaves, "nonsense\n")
			return log.writeMirror(t)
		},
		"a leaf that was not signed": func(t *testing.T, log *testLog) string {
			dir := log.writeMirror(t)
			signed, err := os.ReadFile(filepath.Join(dir, "checkpoint"))
			if err != nil {
				t.Fatal(err)
			}
			log.leaves[len(log.leaves)-1] += "more 2\n"
			dir = log.writeMirror(t)
			writeFile(t, dir, "checkpoint", signed)
			return dir
		},
	} {
		t.Run(name, func(t *testing.T) {
			log := newBusyLog(t, 7, 20)
			log.leaves = append(log.leaves, "kaibao-gift/v1\nto somebody\n")
			if fault := checkLog(t, verify.Options{Location: cheat(t, log)}).Fault; fault == nil {
				t.Error("not detected")
			}
		})
	}
}

// A log whose first leaf is of an unknown kind may continue the remembered one.
func TestUnknownFirstLeafNeedsNewerVerifier(t *testing.T) {
	log := newBusyLog(t, 7, 20)
	before, key := log.checkpoint(t, log.leaves), log.verifier
	log.restore(t, "kaibao.log/restored", 2)
	log.leaves[0] = strings.Replace(log.leaves[0], "kaibao-epoch/v1", "kaibao-epoch/v2", 1)
	report := checkLog(t, verify.Options{Location: log.writeMirror(t), EarlierCheckpoint: before, Key: key})
	if report.Fault != nil || report.Unknown == nil || *report.Unknown != (verify.UnknownLeaf{Kind: "kaibao-epoch/v2"}) || report.EarlierSize != nil {
		t.Errorf("fault %v, newer %v, earlier %v", report.Fault, report.Unknown, report.EarlierSize)
	}
}

// A mirror keeps its old tree, since it can't copy the resources that an unknown leaf may name.
func TestMirrorWithUnknownKind(t *testing.T) {
	log := newBusyLog(t, 7, 20)
	h, to := newHost(t, log.writeMirror(t)), t.TempDir()
	copied := func() (verify.Checkpoint, *verify.UnknownLeaf) {
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
	log.leaves = append(log.leaves, "kaibao-gift/v1\nto somebody\n")
	h.dir = log.writeMirror(t)
	if _, newer := copied(); newer == nil || *newer != (verify.UnknownLeaf{Leaf: before.Size, Kind: "kaibao-gift/v1"}) {
		t.Errorf("copying returns %v, want leaf %d reported as unknown kind kaibao-gift/v1", newer, before.Size)
	}
	report := checkLog(t, verify.Options{Location: to})
	if report.Fault != nil || report.Unknown != nil || report.Checkpoint != before {
		t.Errorf("fault %v, newer %v, kept %v", report.Fault, report.Unknown, report.Checkpoint)
	}
	empty := t.TempDir()
	to = empty
	copied()
	if _, err := os.Stat(filepath.Join(empty, "checkpoint")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a first copy stored a checkpoint: %v", err)
	}
}

// For a receipt of an unknown kind, only the signature is checked.
func TestReceiptOfUnknownKind(t *testing.T) {
	log := newTestLog(t, 1)
	signer, err := note.NewSigner(log.key)
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
		steps, err := verify.Receipt(t.Context(), verify.ReceiptOptions{Location: file, Key: log.verifier, Now: time.Now()})
		if err != nil || verify.AnyNeedsNewer(steps) != newer || verify.AnyFailed(steps) == newer {
			t.Errorf("%q: %v, %v", text, steps, err)
		}
	}
}
