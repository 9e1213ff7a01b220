package verify_test

import (
	"strings"
	"testing"
	"time"

	"kaibao/internal/protocol"
	"kaibao/internal/verify"
)

// A limited card may be in only one manifest in force. The leaf that violates this is reported.
func TestLimitedCardInOnePackOnly(t *testing.T) {
	const unlimited, soon = protocol.Unlimited, 10 * time.Minute
	for name, c := range map[string]struct {
		before func(w *testLog)
		second protocol.Manifest
		delay  time.Duration
		holds  bool
	}{
		"limited in both":           {func(w *testLog) { w.announce(oneCardManifest("a", "card", 25), 0) }, oneCardManifest("b", "card", 25), 0, false},
		"limited in the first":      {func(w *testLog) { w.announce(oneCardManifest("a", "card", 25), 0) }, oneCardManifest("b", "card", unlimited), 0, false},
		"limited in the second":     {func(w *testLog) { w.announce(oneCardManifest("a", "card", unlimited), 0) }, oneCardManifest("b", "card", 25), 0, false},
		"none left in the first":    {func(w *testLog) { w.announce(oneCardManifest("a", "card", 0), 0) }, oneCardManifest("b", "card", unlimited), 0, false},
		"unlimited in both":         {func(w *testLog) { w.announce(oneCardManifest("a", "card", unlimited), 0) }, oneCardManifest("b", "card", unlimited), 0, true},
		"of another card":           {func(w *testLog) { w.announce(oneCardManifest("a", "card", 25), 0) }, oneCardManifest("b", "other", 25), 0, true},
		"before the first drops it": {func(w *testLog) { replaceCard(w, soon) }, oneCardManifest("b", "card", 25), soon - time.Minute, false},
		"after the first drops it":  {func(w *testLog) { replaceCard(w, soon) }, oneCardManifest("b", "card", 25), soon, true},
		"announced for the first": {func(w *testLog) {
			w.announce(oneCardManifest("a", "other", 25), 0)
			w.announce(oneCardManifest("a", "card", 25), soon)
		}, oneCardManifest("b", "card", 25), 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := newBusyLog(t, 1, 30)
			c.before(w)
			at := w.announce(c.second, c.delay)
			fault := checkLog(t, verify.Options{Location: w.writeMirror(t)}).Fault
			switch {
			case c.holds && fault != nil:
				t.Error(fault)
			case !c.holds && (fault == nil || fault.Leaf == nil || *fault.Leaf != at || !strings.Contains(fault.Reason, "card card has limited stock")):
				t.Errorf("leaf %d is not reported: %v", at, fault)
			}
		})
	}
}

// replaceCard publishes a pack whose card is replaced by another after a while.
func replaceCard(w *testLog, after time.Duration) {
	w.announce(oneCardManifest("a", "card", 25), 0)
	w.announce(oneCardManifest("a", "other", 25), after)
}
