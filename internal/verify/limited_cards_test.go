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
		before func(log *testLog)
		second protocol.Manifest
		delay  time.Duration
		holds  bool
	}{
		"limited in both":           {func(log *testLog) { log.announce(oneCardManifest("a", "card", 25), 0) }, oneCardManifest("b", "card", 25), 0, false},
		"limited in the first":      {func(log *testLog) { log.announce(oneCardManifest("a", "card", 25), 0) }, oneCardManifest("b", "card", unlimited), 0, false},
		"limited in the second":     {func(log *testLog) { log.announce(oneCardManifest("a", "card", unlimited), 0) }, oneCardManifest("b", "card", 25), 0, false},
		"none left in the first":    {func(log *testLog) { log.announce(oneCardManifest("a", "card", 0), 0) }, oneCardManifest("b", "card", unlimited), 0, false},
		"unlimited in both":         {func(log *testLog) { log.announce(oneCardManifest("a", "card", unlimited), 0) }, oneCardManifest("b", "card", unlimited), 0, true},
		"of another card":           {func(log *testLog) { log.announce(oneCardManifest("a", "card", 25), 0) }, oneCardManifest("b", "other", 25), 0, true},
		"before the first drops it": {func(log *testLog) { replaceCard(log, soon) }, oneCardManifest("b", "card", 25), soon - time.Minute, false},
		"after the first drops it":  {func(log *testLog) { replaceCard(log, soon) }, oneCardManifest("b", "card", 25), soon, true},
		"announced for the first": {func(log *testLog) {
			log.announce(oneCardManifest("a", "other", 25), 0)
			log.announce(oneCardManifest("a", "card", 25), soon)
		}, oneCardManifest("b", "card", 25), 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			log := newBusyLog(t, 1, 30)
			c.before(log)
			at := log.announce(c.second, c.delay)
			fault := checkLog(t, verify.Options{Location: log.writeMirror(t)}).Fault
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
func replaceCard(log *testLog, after time.Duration) {
	log.announce(oneCardManifest("a", "card", 25), 0)
	log.announce(oneCardManifest("a", "other", 25), after)
}
