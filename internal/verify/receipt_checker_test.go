package verify_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"

	"kaibao/internal/protocol"
	"kaibao/internal/verify"
)

// receipt signs a leaf of the log.
func (log *testLog) receipt(t *testing.T, leaf int64) string {
	t.Helper()
	signer, err := note.NewSigner(log.key)
	if err != nil {
		t.Fatal(err)
	}
	signed, err := note.Sign(&note.Note{Text: log.leaves[leaf]}, signer)
	if err != nil {
		t.Fatal(err)
	}
	return string(signed)
}

// Receipts in any order are checked without the log. Each way to cheat is detected either in
// the receipt itself or in the draws of its pack.
func TestManyReceipts(t *testing.T) {
	all := func(opens []int64) []int64 { return opens }
	honest := func(*protocol.OpenLeaf) {}
	otherCard := func(l *protocol.OpenLeaf) { l.Items[0].Card = "other" }
	for name, c := range map[string]struct {
		pack  string
		cheat func(*protocol.OpenLeaf) // forges one of the opens
		shown func(opens []int64) []int64
		said  string
	}{
		"of plenty":            {"plenty", honest, all, ""},
		"of few":               {"few", honest, all, ""},
		"another seed":         {"plenty", func(l *protocol.OpenLeaf) { l.ServerSeed[0] ^= 1 }, all, "doesn't match the commitment"},
		"another card":         {"plenty", otherCard, all, "the seeds give"},
		"another limited card": {"few", otherCard, all, "the seeds give"},
		"one is missing":       {"few", honest, func(opens []int64) []int64 { return slices.Delete(opens, 2, 3) }, "use a fresh server"},
		"one is there twice":   {"few", honest, func(opens []int64) []int64 { return append(opens, opens[0]) }, "use a fresh server"},
		"not of an open":       {"few", honest, func([]int64) []int64 { return []int64{0} }, "not the receipt of an open"},
	} {
		t.Run(name, func(t *testing.T) {
			log := newTestLog(t, 7)
			log.publish("plenty", 500, protocol.Unlimited, 0, protocol.Unlimited, protocol.Unlimited)
			log.publish("few", 900, protocol.Unlimited, 0, 40, protocol.Unlimited)
			log.addUser()
			var opens []int64
			for n := range 20 {
				opens = append(opens, log.open(log.users[0], c.pack, func(l *protocol.OpenLeaf) {
					if n == 3 {
						c.cheat(l)
					}
				}))
			}
			shown := c.shown(opens)
			slices.Reverse(shown)
			receipts, err := verify.NewReceiptChecker(t.Context(), log.writeMirror(t))
			for _, leaf := range shown {
				if err == nil {
					_, err = receipts.Check(log.receipt(t, leaf))
				}
			}
			if err == nil {
				err = receipts.CheckLimited()
			}
			if (err == nil) != (c.said == "") || !strings.Contains(fmt.Sprint(err), c.said) {
				t.Errorf("ended with %v, want %q", err, c.said)
			}
		})
	}
}

// Receipts from before a replacement of the key are signed with the old one.
func TestReceiptsFromBeforeKeyReplacement(t *testing.T) {
	log := newBusyLog(t, 3, 40)
	before := log.receipt(t, log.open(log.users[0], "plenty", nil))
	log.replaceKey(t, "kaibao.log/two")
	after := log.receipt(t, log.open(log.users[0], "plenty", nil))
	receipts, err := verify.NewReceiptChecker(t.Context(), log.writeMirror(t))
	if err != nil {
		t.Fatal(err)
	}
	for name, receipt := range map[string]string{"before": before, "after": after} {
		if _, err := receipts.Check(receipt); err != nil {
			t.Errorf("%s the replacement: %v", name, err)
		}
	}
	log.replaceKey(t, "kaibao.log/three")
	if _, err := receipts.Check(log.receipt(t, log.open(log.users[0], "plenty", nil))); err == nil || !strings.Contains(err.Error(), "not signed by a key of the log") {
		t.Errorf("of an unknown key: %v", err)
	}
}
