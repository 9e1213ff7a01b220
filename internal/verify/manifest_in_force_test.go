package verify_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kaibao/internal/protocol"
	"kaibao/internal/verify"
)

// Reverting a change within its notice period announces the same manifest again while it is still
// in force.
func TestRevertedChangePasses(t *testing.T) {
	for name, named := range map[string]int{"the manifest that stayed": 0, "the one taken back, in its grace": 1} {
		t.Run(name, func(t *testing.T) {
			log := newTestLog(t, 1)
			log.addUser()
			before, after := oneCardManifest("box", "card", protocol.Unlimited), oneCardManifest("box", "other", protocol.Unlimited)
			log.announce(before, 0)
			log.open(log.users[0], "box", nil)
			log.announce(after, 10*time.Minute)
			log.now = log.now.Add(5 * time.Minute)
			log.announce(before, 10*time.Minute)
			log.open(log.users[0], "box", nil)
			log.now = log.now.Add(6 * time.Minute)
			log.open(log.users[0], "box", nil) // replaced now, in force again later
			log.now = log.now.Add(6 * time.Minute)
			log.packs["box"].text = string([]protocol.Manifest{before, after}[named].Format())
			log.open(log.users[0], "box", nil)
			if fault := checkLog(t, verify.Options{Location: log.writeMirror(t)}).Fault; fault != nil {
				t.Error(fault)
			}
		})
	}
}

// announcement is a manifest and the time from which it is in force.
type announcement struct {
	hash [32]byte
	from time.Time
}

// isInForce reports whether an open at a time may name a manifest: at some moment within its
// millisecond, that manifest is in force, or was replaced and is in its grace period.
func isInForce(all []announcement, hash [32]byte, at time.Time) bool {
	var current, replaced announcement
	named := func() bool {
		inForce := !current.from.IsZero() && current.hash == hash
		return inForce || !replaced.from.IsZero() && replaced.hash == hash && !at.After(current.from.Add(10*time.Minute))
	}
	may := false
	for _, a := range all {
		if a.from.After(at) {
			break
		}
		if a.from.Equal(at) { // the open may have been a moment later
			may = may || named()
		}
		current, replaced = a, current
	}
	return may || named()
}

// Manifests are announced, reverted and announced again in random order, and opens name any of them
// at any time. Opens with a manifest that was in force or in its grace period must pass; the first
// other open must be reported.
func TestOpensByAnyManifestAtAnyTime(t *testing.T) {
	held, named := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		log := newTestLog(t, 1)
		log.addUser()
		manifests := []protocol.Manifest{oneCardManifest("box", "card", protocol.Unlimited), oneCardManifest("box", "other", protocol.Unlimited), oneCardManifest("box", "card", protocol.Unlimited), oneCardManifest("box", "card", protocol.Unlimited)}
		manifests[2].Price = 600
		manifests[3].Tiers[0].Cards[0].Value = 90
		var all []announcement
		edges := func() (times []time.Time) {
			for _, a := range all {
				times = append(times, a.from, a.from.Add(10*time.Minute))
			}
			return times
		}
		publish := func(delay time.Duration) {
			m := manifests[rapid.IntRange(0, len(manifests)-1).Draw(rt, "manifest")]
			a := announcement{protocol.Hash(m.Format()), log.now.Add(delay)}
			if n := len(all); n > 0 && a.from.Before(all[n-1].from) { // keep the order
				a.from = all[n-1].from
			}
			log.announce(m, a.from.Sub(log.now))
			all = append(all, a)
		}
		publish(0)
		for range rapid.IntRange(1, 25).Draw(rt, "acts") {
			if rapid.Bool().Draw(rt, "publish") {
				log.now = log.now.Add(time.Duration(rapid.IntRange(0, 15).Draw(rt, "minutes")) * time.Minute)
				publish(time.Duration(rapid.IntRange(1, 20).Draw(rt, "notice")) * time.Minute)
				continue
			}
			at := log.now.Add(time.Duration(rapid.IntRange(0, 20*60).Draw(rt, "seconds")) * time.Second)
			if edge := rapid.SampledFrom(edges()).Draw(rt, "edge"); rapid.Bool().Draw(rt, "at an edge") && !edge.Before(log.now) {
				at = edge.Add(time.Duration(rapid.IntRange(-1, 1).Draw(rt, "off")) * time.Millisecond)
			}
			m := rapid.SampledFrom(manifests).Draw(rt, "named")
			if !published(all, protocol.Hash(m.Format())) {
				continue
			}
			log.now = at
			log.packs["box"].text = string(m.Format())
			leaf := log.open(log.users[0], "box", func(l *protocol.OpenLeaf) { l.Time = at })
			log.now = at
			if isInForce(all, protocol.Hash(m.Format()), at) {
				held++
				continue
			}
			fault := checkLog(t, verify.Options{Location: log.writeMirror(t)}).Fault
			if fault == nil || fault.Leaf == nil || *fault.Leaf != leaf || !strings.Contains(fault.Reason, "in force") {
				rt.Fatalf("%v, want leaf %d with manifest %x at %s reported: %v", fault, leaf, protocol.Hash(m.Format()), at, all)
			}
			named++
			return
		}
		if fault := checkLog(t, verify.Options{Location: log.writeMirror(t)}).Fault; fault != nil {
			rt.Fatal(fmt.Errorf("%w: %v", fault, all))
		}
	})
	if held == 0 || named == 0 {
		t.Errorf("%d opens passed and %d were refused: want some of both", held, named)
	}
}

func published(all []announcement, hash [32]byte) bool {
	for _, a := range all {
		if a.hash == hash {
			return true
		}
	}
	return false
}
