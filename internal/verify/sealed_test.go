package verify_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"
	"pgregory.net/rapid"

	"kaibao/internal/beacon"
	"kaibao/internal/money"
	"kaibao/internal/protocol"
	"kaibao/internal/verify"
)

// Orders of both packs by both users, several pending at once, an instant open, a card sold back, and a
// changed manifest.
func TestHonestSealedLog(t *testing.T) {
	log := newSealedLog(t)
	a, b := log.users[0], log.users[1]
	log.sell(a, "open")
	first, second, third := log.order(a, "few", nil), log.order(b, "open", nil), log.order(a, "few", nil)
	before := log.stockOf("few")
	log.returnCard("few", "few-a") // drawn on only by later orders
	fourth := log.order(b, "few", nil)
	log.fix()
	log.publishRound(first.Round, nil)
	for _, o := range []*testOrder{first, second, third} {
		if o.Round != first.Round {
			t.Fatal("the orders have different rounds")
		}
		items := log.drawOn(o, before, nil)
		if strings.Contains(log.leaves[items], "items few-a:") {
			before["few-a"]--
		}
	}
	before["few-a"]++
	log.drawOn(fourth, before, nil)
	instant := log.sealed("open", protocol.Unlimited)
	instant.Sealing.Instant = true
	log.announce(instant, time.Hour)
	log.now = log.now.Add(time.Hour + time.Second)
	log.open(a, "open", nil)
	log.sell(a, "open")
	report := checkLog(t, verify.Options{Location: log.writeMirror(t), Now: log.now})
	if report.Fault != nil {
		t.Fatal(report.Fault)
	}
	s := report.Sealed
	if report.Orders != 6 || report.Opens != 7 || s.Fixed != 6 || len(s.Unproven) != 0 || s.WithoutWitnesses != 0 || s.Pending != 0 || report.Rounds != 3 {
		t.Errorf("%+v, %+v", report.Counts, s)
	}
	hash := fmt.Sprintf("%x", log.beacon.Hash())
	if len(s.Beacons) != 1 || s.Beacons[0] != (verify.Beacon{Hash: hash, ID: "kaibao-sandbox", Orders: 6}) {
		t.Errorf("beacons %+v", s.Beacons)
	}
	if len(s.Witnesses) != 3 || s.Quorum != 2 || s.Trusted {
		t.Errorf("witnesses %+v", s)
	}
}

// Whatever honest users and operators do, the log passes: orders in any number, cards sold back while
// orders are pending, instant opens, rounds without orders, late cosignatures, and logs that continue
// others.
func TestRandomHonestSealedLog(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		log := newSealedLog(t)
		instant := log.sealed("instant", protocol.Unlimited)
		instant.Sealing.Instant = true
		log.announce(instant, 0)
		var pending []*testOrder // in log order
		orders, opens, returned := 0, 0, map[*testOrder]int{}
		settle := func() {
			for len(pending) > 0 {
				round := pending[0].Round
				log.publishRound(round, nil)
				for len(pending) > 0 && pending[0].Round == round {
					log.draw(pending[0], nil)
					log.packs["few"].stock["few-a"] += int64(returned[pending[0]])
					pending = pending[1:]
					opens++
				}
			}
		}
		for n := range rapid.IntRange(1, 40).Draw(rt, "steps") {
			p := log.users[rapid.IntRange(0, 1).Draw(rt, "user")]
			switch rapid.SampledFrom([]string{"order", "order", "order", "few", "few", "return", "fix", "settle", "open", "wait", "round", "restore", "key"}).Draw(rt, "step") {
			case "order":
				pending = append(pending, log.order(p, rapid.SampledFrom([]string{"open", "instant"}).Draw(rt, "pack"), nil))
				orders++
			case "few":
				pending = append(pending, log.order(p, "few", nil))
				orders++
			case "return":
				log.returnCard("few", "few-a")
				for _, o := range slices.Backward(pending) {
					if o.Draw > 0 { // the card counts once this order is drawn
						log.packs["few"].stock["few-a"]--
						returned[o]++
						break
					}
				}
			case "fix":
				log.fix()
			case "settle":
				settle()
			case "open":
				log.open(p, "instant", nil)
				opens++
			case "wait":
				settle()
				log.now = log.now.Add(time.Duration(rapid.IntRange(1, 7200).Draw(rt, "seconds")) * time.Second)
			case "round":
				settle()
				log.publishRound(log.beacon.RoundOf(log.now, 0), nil)
			case "restore", "key":
				name := fmt.Sprintf("kaibao.log/test/%d", n)
				if rapid.Bool().Draw(rt, "restored") {
					log.restore(t, name, 0)
				} else {
					log.replaceKey(t, name)
				}
				for n, o := range pending {
					log.leaves = slices.Insert(log.leaves, n+1, string(o.Format()))
				}
				log.cosigned = ""
			}
		}
		settle()
		report := checkLog(t, verify.Options{Location: log.writeMirror(t), Now: log.now})
		if report.Fault != nil {
			rt.Fatal(report.Fault)
		}
		s := report.Sealed
		if report.Orders != int64(orders) || report.Opens != int64(opens) || s.Fixed+int64(len(s.Unproven)) != int64(orders) || s.Pending != 0 {
			rt.Errorf("%+v, %+v; want %d orders and %d opens", report.Counts, s, orders, opens)
		}
	})
}

// Every way to cheat with a sealed pack is reported at the leaf that shows it.
func TestCheatingWithSealedPacks(t *testing.T) {
	minute := time.Minute
	for name, c := range map[string]struct {
		cheat  func(log *sealedLog) int64 // returns the leaf that must be reported
		reason string
	}{
		"a back-dated order that the witnesses didn't see": {func(log *sealedLog) int64 {
			log.now = log.now.Add(10 * time.Second)
			log.fix() // at a time when the round is known
			o := log.order(log.users[0], "open", func(l *protocol.OrderLeaf) {
				l.Time = l.Time.Add(-8 * time.Second)
				l.Round = log.beacon.RoundOf(l.Time, 3)
			})
			log.publishRound(o.Round, nil)
			return o.index
		}, "placed after its round: a quorum"},
		"a back-dated order after a checkpoint in the log": {func(log *sealedLog) int64 {
			log.now = log.now.Add(10 * time.Second)
			log.fix()
			log.publishRound(log.beacon.RoundOf(log.now, 0), func(l *protocol.RoundLeaf) { l.Round -= 4; l.Signature = log.signer.Sign(l.Round) })
			return log.order(log.users[0], "open", func(l *protocol.OrderLeaf) {
				l.Time = l.Time.Add(-8 * time.Second)
				l.Round = log.beacon.RoundOf(l.Time, 3)
			}).index
		}, "placed after its round: a quorum"},
		"an order after its round's leaf": {func(log *sealedLog) int64 {
			log.cosigned = ""
			round := log.beacon.RoundOf(log.now, 3)
			log.publishRound(round, nil)
			return log.order(log.users[0], "open", func(l *protocol.OrderLeaf) {
				l.Time = log.beacon.Time(round).Add(-4 * time.Second)
				l.Round = log.beacon.RoundOf(l.Time, 3)
			}).index
		}, "placed after its round: the log has round"},
		"a later round": {func(log *sealedLog) int64 {
			return log.order(log.users[0], "open", func(l *protocol.OrderLeaf) { l.Round++ }).index
		}, "the round is"},
		"an earlier round": {func(log *sealedLog) int64 {
			return log.order(log.users[0], "open", func(l *protocol.OrderLeaf) { l.Round-- }).index
		}, "the round is"},
		"a forged signature": {func(log *sealedLog) int64 {
			o := log.order(log.users[0], "open", nil)
			log.fix()
			return log.publishRound(o.Round, func(l *protocol.RoundLeaf) { l.Signature[20] ^= 1 })
		}, "isn't"},
		"another chain's signature": {func(log *sealedLog) int64 {
			o := log.order(log.users[0], "open", nil)
			log.fix()
			other, err := beacon.NewSigner([32]byte{2})
			if err != nil {
				log.t.Fatal(err)
			}
			return log.publishRound(o.Round, func(l *protocol.RoundLeaf) { l.Signature = other.Sign(l.Round) })
		}, "isn't the beacon's"},
		"another round's signature": {func(log *sealedLog) int64 {
			o := log.order(log.users[0], "open", nil)
			log.fix()
			return log.publishRound(o.Round, func(l *protocol.RoundLeaf) { l.Signature = log.signer.Sign(l.Round + 1) })
		}, "isn't the beacon's"},
		"a signature of 96 bytes": {func(log *sealedLog) int64 {
			o := log.order(log.users[0], "open", nil)
			log.fix()
			at := log.publishRound(o.Round, nil)
			log.rewrite(at, "\ncheckpoint", strings.Repeat("00", 48)+"\ncheckpoint")
			return at
		}, "not 48 bytes"},
		"a draw with another signature": {func(log *sealedLog) int64 {
			o := log.order(log.users[0], "open", nil)
			log.fix()
			log.publishRound(o.Round, nil)
			return log.draw(o, func(l *protocol.SealedOpenLeaf) { l.Signature = log.signer.Sign(o.Round + 1) })
		}, "differs from that of round"},
		"a chain that isn't described": {func(log *sealedLog) int64 {
			m := log.sealed("foreign", protocol.Unlimited)
			m.Sealing.Beacon[0]++
			log.announce(m, 0)
			return log.order(log.users[0], "foreign", nil).index
		}, "beacon "},
		"a description of another chain": {func(log *sealedLog) int64 {
			for name := range log.notes {
				log.notes[name] = []byte(strings.Replace(string(log.notes[name]), `"period":3`, `"period":1`, 1))
			}
			return int64(slices.IndexFunc(log.leaves, func(l string) bool { return strings.HasPrefix(l, protocol.OrderHeader) }))
		}, "doesn't match the hash"},
		"a draw before its round": {func(log *sealedLog) int64 {
			o := log.order(log.users[0], "open", nil)
			log.fix()
			return log.draw(o, nil)
		}, "before round"},
		"a draw with an earlier time": {func(log *sealedLog) int64 {
			o := log.order(log.users[0], "open", nil)
			log.fix()
			log.publishRound(o.Round, nil)
			return log.draw(o, func(l *protocol.SealedOpenLeaf) { l.Time = log.beacon.Time(o.Round).Add(-time.Millisecond) })
		}, "from before its round"},
		"a swapped card": {func(log *sealedLog) int64 {
			o := log.order(log.users[0], "open", nil)
			log.fix()
			log.publishRound(o.Round, nil)
			return log.draw(o, func(l *protocol.SealedOpenLeaf) { l.Items = []protocol.LeafItem{{Card: "open-x", Value: 1}} })
		}, "the seeds give"},
		"another seed": {func(log *sealedLog) int64 {
			o := log.order(log.users[0], "open", nil)
			log.fix()
			log.publishRound(o.Round, nil)
			return log.draw(o, func(l *protocol.SealedOpenLeaf) { l.ServerSeed[0]++ })
		}, "match the commitment"},
		"a client seed changed between order and open": {func(log *sealedLog) int64 {
			o := log.order(log.users[0], "open", nil)
			log.fix()
			log.publishRound(o.Round, nil)
			o.ClientSeed = "one that wins"
			return log.draw(o, nil)
		}, "doesn't repeat"},
		"a draw for another user": {func(log *sealedLog) int64 {
			o := log.order(log.users[0], "open", nil)
			log.fix()
			log.publishRound(o.Round, nil)
			return log.draw(o, func(l *protocol.SealedOpenLeaf) { l.User = log.users[1].tag })
		}, "doesn't repeat"},
		"a draw that was never ordered": {func(log *sealedLog) int64 {
			o := log.order(log.users[0], "open", nil)
			log.fix()
			log.publishRound(o.Round, nil)
			return log.draw(o, func(l *protocol.SealedOpenLeaf) { l.ID = "other" })
		}, "no pending order"},
		"a draw twice": {func(log *sealedLog) int64 {
			o := log.order(log.users[0], "open", nil)
			log.fix()
			log.publishRound(o.Round, nil)
			log.draw(o, nil)
			return log.draw(o, nil)
		}, "no pending order"},
		"an order twice": {func(log *sealedLog) int64 {
			o := log.order(log.users[0], "open", nil)
			return log.order(log.users[0], "open", func(l *protocol.OrderLeaf) { l.ID = o.ID }).index
		}, "already in the log"},
		"draws out of order": {func(log *sealedLog) int64 {
			log.order(log.users[0], "few", nil)
			second := log.order(log.users[1], "few", nil)
			log.fix()
			log.publishRound(second.Round, nil)
			return log.draw(second, nil)
		}, "is settled before the one with drawSeq"},
		"a gap in the drawSeq": {func(log *sealedLog) int64 {
			log.packs["few"].draw++
			return log.order(log.users[0], "few", nil).index
		}, "drawSeq"},
		"an older order in a finite pack": {func(log *sealedLog) int64 {
			log.order(log.users[0], "few", nil)
			return log.order(log.users[1], "few", func(l *protocol.OrderLeaf) {
				l.Time = l.Time.Add(-200 * time.Millisecond)
				l.Round = log.beacon.RoundOf(l.Time, 3)
			}).index
		}, "older than the pack's previous one"},
		"a draw that is withheld": {func(log *sealedLog) int64 {
			o := log.order(log.users[0], "open", nil)
			log.fix()
			log.publishRound(o.Round, nil)
			log.publishRound(o.Round+20, nil)
			log.publishRound(o.Round+21, nil)
			return o.index
		}, "withheld"},
		"a draw that is withheld before its round's leaf": {func(log *sealedLog) int64 {
			o := log.order(log.users[0], "open", nil)
			log.fix()
			log.publishRound(o.Round+20, nil)
			log.publishRound(o.Round+40, nil)
			return o.index
		}, "withheld"},
		"a card sold back before its order's draw": {func(log *sealedLog) int64 {
			for log.packs["few"].stock["few-a"] > 0 {
				log.sell(log.users[0], "few")
			}
			for { // until an order would draw the card if it were back
				o := log.order(log.users[0], "few", nil)
				log.fix()
				log.publishRound(o.Round, nil)
				m, err := protocol.ParseManifest([]byte(log.manifests[o.Manifest]))
				if err != nil {
					log.t.Fatal(err)
				}
				pulls, err := protocol.DrawSealed(m, o.OrderLeaf, o.seed, log.signer.Sign(o.Round), protocol.Stock{"few-a": 1})
				if err != nil {
					log.t.Fatal(err)
				}
				if pulls[0].Card.ID != "few-a" {
					log.draw(o, nil)
					continue
				}
				log.returnCard("few", "few-a")
				return log.draw(o, nil)
			}
		}, "the seeds give"},
		"an instant open that passes an order": {func(log *sealedLog) int64 {
			log.announce(oneCardManifest("v1", "v1-a", 5), 0)
			log.packs["v1"].stock["v1-a"] = 5
			old := *log.packs["v1"]
			m := oneCardManifest("v1", "v1-a", 5)
			m.Sealing = log.sealed("few", 5).Sealing
			log.now = log.now.Add(time.Second)
			log.leaves[log.announce(m, minute)] += "" // at the moment when the manifest takes effect, both are in force
			log.rewrite(int64(len(log.leaves)-1), "restock v1-a:5", "restock -")
			log.now = log.now.Add(minute - 100*time.Millisecond)
			log.order(log.users[0], "v1", nil)
			old.draw = log.packs["v1"].draw
			log.packs["v1"] = &old
			log.now = log.now.Add(-time.Second) // open adds it
			return log.open(log.users[1], "v1", nil)
		}, "draws before order"},
		"an instant open of a sealed pack": {func(log *sealedLog) int64 { return log.open(log.users[0], "open", nil) }, "doesn't allow instant opens"},
		"an instant open in the grace of a manifest that allowed it": {func(log *sealedLog) int64 {
			m := log.sealed("both", protocol.Unlimited)
			m.Sealing.Instant = true
			log.announce(m, 0)
			old := *log.packs["both"]
			log.announce(log.sealed("both", protocol.Unlimited), minute)
			log.now = log.now.Add(minute + time.Millisecond)
			log.packs["both"] = &old
			return log.open(log.users[0], "both", nil)
		}, "was not in force"},
		"an order of a pack that isn't sealed": {func(log *sealedLog) int64 {
			log.announce(oneCardManifest("v1", "v1-a", protocol.Unlimited), 0)
			return log.order(log.users[0], "v1", nil).index
		}, "isn't sealed"},
		"another price": {func(log *sealedLog) int64 {
			return log.order(log.users[0], "open", func(l *protocol.OrderLeaf) { l.Price-- }).index
		}, "the price is"},
		"a skipped nonce": {func(log *sealedLog) int64 {
			return log.order(log.users[0], "open", func(l *protocol.OrderLeaf) { l.Nonce++ }).index
		}, "nonce"},
		"more orders than the supply": {func(log *sealedLog) int64 {
			at := log.announce(log.sealed("rare", protocol.Unlimited), 0)
			log.rewrite(at, "supply -1", "supply 1")
			o := log.order(log.users[0], "rare", nil)
			log.fix()
			log.publishRound(o.Round, nil)
			log.draw(o, nil)
			return log.order(log.users[1], "rare", nil).index
		}, "supply"},
		"a manifest while an order is pending": {func(log *sealedLog) int64 {
			log.order(log.users[0], "few", nil)
			return log.announce(log.sealed("few", 5), minute)
		}, "is pending"},
		"a void of a public round": {func(log *sealedLog) int64 {
			o := log.order(log.users[0], "open", nil)
			log.fix()
			log.publishRound(o.Round+1, nil)
			log.now = log.now.Add(25 * time.Hour)
			return log.void(o, protocol.VoidNoBeacon)
		}, "as if round"},
		"a void too early": {func(log *sealedLog) int64 {
			o := log.order(log.users[0], "open", nil)
			log.now = log.now.Add(23 * time.Hour)
			return log.void(o, protocol.VoidNoBeacon)
		}, "voided only from"},
		"a void of half a round": {func(log *sealedLog) int64 {
			o, other := log.order(log.users[0], "open", nil), log.order(log.users[1], "open", nil)
			log.now = log.now.Add(25 * time.Hour)
			log.void(o, protocol.VoidNoBeacon)
			log.publishRound(o.Round, nil)
			return log.draw(other, nil)
		}, "others were voided"},
		"a void after the draw": {func(log *sealedLog) int64 {
			o := log.order(log.users[0], "open", nil)
			log.fix()
			log.publishRound(o.Round, nil)
			log.draw(o, nil)
			log.now = log.now.Add(25 * time.Hour)
			return log.void(o, protocol.VoidNoBeacon)
		}, "no pending order"},
		"a lost seed": {func(log *sealedLog) int64 {
			o := log.order(log.users[0], "open", nil)
			at := log.void(o, protocol.VoidLost)
			log.sell(log.users[1], "open")
			return at
		}, "lost its server seed"},
		"a checkpoint of another log": {func(log *sealedLog) int64 {
			o := log.order(log.users[0], "open", nil)
			other := slices.Clone(log.leaves)
			other[2] += "x"
			log.cosigned = log.cosignLeaves(other, log.now, 3)
			return log.publishRound(o.Round, nil)
		}, "there are two logs"},
		"a checkpoint of a longer log": {func(log *sealedLog) int64 {
			o := log.order(log.users[0], "open", nil)
			log.cosigned = log.cosignLeaves(append(slices.Clone(log.leaves), "a", "b"), log.now, 3)
			return log.publishRound(o.Round, nil)
		}, "the log has only"},
		"a checkpoint that the log didn't sign": {func(log *sealedLog) int64 {
			o := log.order(log.users[0], "open", nil)
			log.fix()
			head, tail, _ := strings.Cut(log.cosigned, "\n\n")
			_, cosignatures, _ := strings.Cut(tail, "\n")
			log.cosigned = head + "\n\n" + cosignatures
			return log.publishRound(o.Round, nil)
		}, "is not signed by"},
		"a false cosignature": {func(log *sealedLog) int64 {
			o := log.order(log.users[0], "open", nil)
			log.witnesses[1].key = log.witnesses[0].key
			log.fix()
			return log.publishRound(o.Round, nil)
		}, "signatures"},
		"a checkpoint of a log that doesn't exist": {func(log *sealedLog) int64 {
			o := log.order(log.users[0], "open", nil)
			log.fix()
			return log.publishRound(o.Round, func(l *protocol.RoundLeaf) { l.EndedCheckpoint = l.Checkpoint })
		}, "doesn't belong to a log"},
		"a back-dated manifest": {func(log *sealedLog) int64 {
			log.now = log.now.Add(10 * minute)
			log.sell(log.users[0], "open")
			log.now = log.now.Add(-9 * minute)
			return log.announce(log.sealed("new", protocol.Unlimited), 0)
		}, "back-dated"},
		"a back-dated manifest before the checkpoint that shows it": {func(log *sealedLog) int64 {
			log.now = log.now.Add(10 * minute)
			log.fix()
			now := log.now
			log.now = now.Add(-9 * minute)
			at := log.announce(log.sealed("new", protocol.Unlimited), 0)
			log.now = now
			log.publishRound(log.beacon.RoundOf(log.now, 0), nil)
			return at
		}, "back-dated"},
		"a time in the future": {func(log *sealedLog) int64 {
			now := log.now
			log.now = now.Add(2 * minute)
			at := log.announce(log.sealed("new", protocol.Unlimited), 0)
			log.now = now
			log.fix()
			log.publishRound(log.beacon.RoundOf(log.now, 0), nil)
			return at
		}, "its time is after"},
	} {
		t.Run(name, func(t *testing.T) {
			log := newSealedLog(t)
			log.sell(log.users[0], "open")
			at := c.cheat(log)
			fault := checkLog(t, verify.Options{Location: log.writeMirror(t)}).Fault
			switch {
			case fault == nil:
				t.Error("not detected")
			case fault.Leaf == nil || *fault.Leaf != at || !strings.Contains(fault.Reason, c.reason):
				t.Errorf("reported %q, want leaf %d: %q", fault, at, c.reason)
			}
		})
	}
}

// Orders without a quorum from before their round are drawn all the same, and listed.
func TestUnprovenOrders(t *testing.T) {
	for name, c := range map[string]struct {
		fix    func(log *sealedLog, o *testOrder)
		o      func(log *sealedLog) verify.Options
		proven bool
	}{
		"a quorum":        {func(log *sealedLog, _ *testOrder) { log.fix() }, nil, true},
		"all witnesses":   {func(log *sealedLog, _ *testOrder) { log.cosigned = log.cosign(log.now, 3) }, nil, true},
		"one witness":     {func(log *sealedLog, _ *testOrder) { log.cosigned = log.cosign(log.now, 1) }, nil, false},
		"no checkpoint":   {func(log *sealedLog, _ *testOrder) { log.cosigned = "" }, nil, false},
		"an earlier tree": {func(log *sealedLog, o *testOrder) { log.cosigned = log.cosignLeaves(log.leaves[:o.index], log.now, 3) }, nil, false},
		"a second before": {func(log *sealedLog, o *testOrder) {
			log.cosigned = log.cosign(log.beacon.Time(o.Round).Add(-time.Second), 2)
		}, nil, true},
		"at its round":         {func(log *sealedLog, o *testOrder) { log.cosigned = log.cosign(log.beacon.Time(o.Round), 2) }, nil, false},
		"without a time":       {func(log *sealedLog, _ *testOrder) { log.cosigned = log.cosign(time.Unix(0, 0), 2) }, nil, false},
		"before 1970":          {func(log *sealedLog, _ *testOrder) { log.cosigned = log.cosign(time.Unix(-1, 0), 2) }, nil, false},
		"the same witness":     {func(log *sealedLog, _ *testOrder) { log.witnesses[1] = log.witnesses[0]; log.fix() }, nil, false},
		"trusted witnesses":    {func(log *sealedLog, _ *testOrder) { log.fix() }, trusting(0, 0, 1), true},
		"others are trusted":   {func(log *sealedLog, _ *testOrder) { log.fix() }, trusting(0, 1, 2), false},
		"one is enough":        {func(log *sealedLog, _ *testOrder) { log.fix() }, trusting(1, 1, 2), true},
		"one is not enough":    {func(log *sealedLog, _ *testOrder) { log.cosigned = log.cosign(log.now, 1) }, trusting(1, 1, 2), false},
		"fewer than the log's": {func(log *sealedLog, _ *testOrder) { log.fix() }, trusting(0, 1), false},
	} {
		t.Run(name, func(t *testing.T) {
			log := newSealedLog(t)
			o := log.order(log.users[0], "open", nil)
			c.fix(log, o)
			log.publishRound(o.Round, nil)
			log.draw(o, nil)
			options := verify.Options{}
			if c.o != nil {
				options = c.o(log)
			}
			options.Location, options.Now = log.writeMirror(t), log.now
			report := checkLog(t, options)
			s := report.Sealed
			if report.Fault != nil || (s.Fixed == 1) != c.proven || (len(s.Unproven) == 1) == c.proven || s.WithoutWitnesses != 0 {
				t.Fatalf("%v: %+v", report.Fault, s)
			}
			if s.Trusted != (c.o != nil) {
				t.Errorf("trusted %v", s.Trusted)
			}
			if c.proven {
				return
			}
			if u := s.Unproven[0]; u.Leaf != o.index || u.ID != o.ID || u.User != o.User || u.Value == 0 || !u.Time.Equal(o.Time) || len(s.UnprovenOdds) != 1 || s.UnprovenOdds[0].Opens != 1 {
				t.Errorf("%+v", s)
			}
		})
	}
}

// trusting returns options that trust some of the log's witnesses.
func trusting(quorum int, witnesses ...int) func(log *sealedLog) verify.Options {
	return func(log *sealedLog) verify.Options {
		o := verify.Options{Quorum: quorum}
		for _, n := range witnesses {
			o.Witnesses = append(o.Witnesses, log.witnesses[n].String())
		}
		return o
	}
}

func TestInvalidTrustedWitnesses(t *testing.T) {
	log := newSealedLog(t)
	dir, key := log.writeMirror(t), log.witnesses[0].String()
	for name, o := range map[string]verify.Options{
		"no key":               {Witnesses: []string{"witness"}},
		"a log's key":          {Witnesses: []string{log.verifier}},
		"a witness twice":      {Witnesses: []string{key, key}},
		"more than are given":  {Witnesses: []string{key}, Quorum: 2},
		"quorum without a key": {Quorum: 1},
		"a negative quorum":    {Witnesses: []string{key}, Quorum: -1},
	} {
		o.Location = dir
		if _, err := verify.Log(t.Context(), o); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// Unproven orders that were drawn since the last run are counted.
func TestNewUnprovenOrders(t *testing.T) {
	log := newSealedLog(t)
	log.cosigned = ""
	unproven := func() {
		o := log.order(log.users[0], "open", nil)
		log.publishRound(o.Round, nil)
		log.draw(o, nil)
	}
	unproven()
	before := log.checkpoint(t, log.leaves)
	if s := checkLog(t, verify.Options{Location: log.writeMirror(t)}).Sealed; s.NewUnproven != 0 || len(s.Unproven) != 1 {
		t.Errorf("without a state: %+v", s)
	}
	if s := checkLog(t, verify.Options{Location: log.writeMirror(t), EarlierCheckpoint: before}).Sealed; s.NewUnproven != 0 {
		t.Errorf("with the same state: %+v", s)
	}
	unproven()
	log.restore(t, "kaibao.log/test/one", 0)
	unproven()
	if s := checkLog(t, verify.Options{Location: log.writeMirror(t), EarlierCheckpoint: before}).Sealed; s.NewUnproven != 2 || len(s.Unproven) != 3 {
		t.Errorf("with an earlier state: %+v", s)
	}
}

// Without witnesses, all orders are unproven, and times can't be checked.
func TestSealedLogWithoutWitnesses(t *testing.T) {
	log := newSealedLog(t)
	log.leaves = log.leaves[1:]
	log.cosigned = ""
	o := log.order(log.users[0], "open", nil)
	log.publishRound(o.Round, func(l *protocol.RoundLeaf) { l.Checkpoint = string(log.checkpoint(t, log.leaves)) })
	log.draw(o, nil)
	report := checkLog(t, verify.Options{Location: log.writeMirror(t), Now: log.now})
	if s := report.Sealed; report.Fault != nil || s.WithoutWitnesses != 1 || len(s.Unproven) != 0 || len(s.UnprovenOdds) != 1 || len(s.Witnesses) != 0 {
		t.Errorf("%v, %+v", report.Fault, s)
	}
}

// Without witnesses, a verifier that follows the log detects orders that were added with an earlier
// time.
func TestSeenTrees(t *testing.T) {
	log := newSealedLog(t)
	log.leaves = log.leaves[1:]
	seen := verify.SeenTree{Origin: "kaibao.log/test", Size: int64(len(log.leaves))}
	log.cosigned = ""
	o := log.order(log.users[0], "open", nil)
	log.publishRound(o.Round, nil)
	log.draw(o, nil)
	dir := log.writeMirror(t)
	for name, c := range map[string]struct {
		size  int64
		after time.Duration // since the round
		fault bool
	}{
		"long before":     {seen.Size, -time.Hour, false},
		"within an error": {seen.Size, 59 * time.Second, false},
		"after its round": {seen.Size, time.Minute, true},
		"with the order":  {seen.Size + 1, time.Hour, false},
	} {
		seen.Size, seen.Time = c.size, log.beacon.Time(o.Round).Add(c.after)
		fault := checkLog(t, verify.Options{Location: dir, Seen: []verify.SeenTree{seen, {Origin: "other", Time: seen.Time}}}).Fault
		if (fault != nil) != c.fault || fault != nil && (*fault.Leaf != o.index || !strings.Contains(fault.Reason, "you saw")) {
			t.Errorf("%s: %v", name, fault)
		}
	}
}

// Other witnesses take effect a day after they were named.
func TestWitnessesTakeEffectAfterADay(t *testing.T) {
	for after, proven := range map[time.Duration]bool{23 * time.Hour: true, 24 * time.Hour: false} {
		log := newSealedLog(t)
		at := log.nameWitnesses(3, 3)
		named := log.now
		log.now = named.Add(after)
		log.cosigned = ""
		o := log.order(log.users[0], "open", func(l *protocol.OrderLeaf) {
			l.Time = named.Add(after)
			l.Round = log.beacon.RoundOf(l.Time, 3)
		})
		log.fix()
		log.publishRound(o.Round, nil)
		log.draw(o, nil)
		if report := checkLog(t, verify.Options{Location: log.writeMirror(t)}); report.Fault != nil || (report.Sealed.Fixed == 1) != proven {
			t.Errorf("%s after leaf %d: %v, %+v", after, at, report.Fault, report.Sealed)
		}
	}
}

// fetch returns a fetcher that has the rounds up to one.
func (log *sealedLog) fetch(last uint64) verify.FetchRound {
	return func(_ context.Context, chain [32]byte, round uint64) (protocol.Signature, error) {
		if chain != log.beacon.Hash() || round > last {
			return protocol.Signature{}, errors.New("not found")
		}
		return log.signer.Sign(round), nil
	}
}

// At the end of the log, a draw is withheld if its round can be fetched a minute later.
func TestPendingOrders(t *testing.T) {
	for name, c := range map[string]struct {
		after          time.Duration
		last           func(o *testOrder) uint64 // that can be fetched; nil = no fetcher
		noWitness      bool
		overdue, fault bool
	}{
		"a minute later":            {after: time.Minute, last: func(o *testOrder) uint64 { return o.Round }, fault: true},
		"without witnesses":         {after: time.Minute, last: func(o *testOrder) uint64 { return o.Round }, noWitness: true, fault: true},
		"59 seconds later":          {after: 59 * time.Second, last: func(o *testOrder) uint64 { return o.Round }},
		"the beacon is silent":      {after: time.Minute, last: func(o *testOrder) uint64 { return o.Round - 1 }, overdue: true},
		"nobody asks":               {after: time.Minute, overdue: true},
		"nobody asks, no witnesses": {after: time.Minute, noWitness: true, overdue: true},
	} {
		t.Run(name, func(t *testing.T) {
			log := newSealedLog(t)
			if c.noWitness {
				log.leaves = log.leaves[1:]
			}
			o := log.order(log.users[0], "open", nil)
			now := log.beacon.Time(o.Round).Add(c.after)
			options := verify.Options{Location: log.writeMirror(t), Now: now}
			if !c.noWitness {
				writeFile(t, options.Location, "checkpoint", []byte(log.cosign(now, 2)))
				options.Now = now.Add(-time.Hour)
			}
			if c.last != nil {
				options.FetchRound = log.fetch(c.last(o))
			}
			report := checkLog(t, options)
			if f := report.Fault; (f != nil) != c.fault || f != nil && (*f.Leaf != o.index || !strings.Contains(f.Reason, "withheld")) {
				t.Errorf("fault %v", f)
			}
			if s := report.Sealed; s.Pending != 1 || (s.Overdue == 1) != c.overdue {
				t.Errorf("%+v", s)
			}
		})
	}
}

// An order may be voided if nobody can fetch its round for a day.
func TestVoidedRounds(t *testing.T) {
	log := newSealedLog(t)
	o, other := log.order(log.users[0], "open", nil), log.order(log.users[1], "few", nil)
	after := log.order(log.users[0], "few", nil)
	if o.Round != other.Round || o.Round != after.Round {
		t.Fatal("the orders have different rounds")
	}
	at := log.beacon.Time(o.Round)
	log.now = at.Add(24 * time.Hour)
	first := log.void(o, protocol.VoidNoBeacon)
	log.void(other, protocol.VoidNoBeacon)
	log.void(after, protocol.VoidNoBeacon)
	log.publishRound(log.beacon.RoundOf(log.now, 0), func(l *protocol.RoundLeaf) { l.Checkpoint = "" })
	log.sell(log.users[0], "few") // drawn on the same stock
	outage := verify.Outage{From: at, To: at}
	for name, c := range map[string]struct {
		o                verify.Options
		confirmed, fault bool
	}{
		"the round is still missing": {o: verify.Options{FetchRound: log.fetch(o.Round - 1)}},
		"nobody asks":                {},
		"it can be fetched":          {o: verify.Options{FetchRound: log.fetch(o.Round)}, fault: true},
		"an outage is confirmed":     {o: verify.Options{FetchRound: log.fetch(o.Round), Outages: []verify.Outage{outage}}, confirmed: true},
		"another outage":             {o: verify.Options{FetchRound: log.fetch(o.Round), Outages: []verify.Outage{{at.Add(1), at.Add(time.Hour)}, {at.Add(-time.Hour), at.Add(-1)}}}, fault: true},
	} {
		c.o.Location = log.writeMirror(t)
		report := checkLog(t, c.o)
		if f := report.Fault; (f != nil) != c.fault || f != nil && (*f.Leaf != first || !strings.Contains(f.Reason, "but it can")) {
			t.Errorf("%s: fault %v", name, f)
		}
		if v := report.Sealed.Voided; !c.fault && (len(v) != 1 || v[0].Round != o.Round || v[0].Confirmed != c.confirmed || report.Voids != 3) {
			t.Errorf("%s: %+v", name, report.Sealed)
		}
	}
}

// The books count an order when it is paid, and no longer once it is voided.
func TestBooksOfSealedPacks(t *testing.T) {
	log := newSealedLog(t)
	day := log.now.Truncate(protocol.Day)
	log.sell(log.users[0], "open")
	o := log.order(log.users[1], "open", nil)
	books := func(opens int64, at time.Time) {
		l := protocol.BooksLeaf{Day: at, Gifts: 1_000_00, Opens: protocol.Count{Number: opens, Amount: 5_00 * money.Cents(opens)}, Time: at.Add(25 * time.Hour)}
		l.Balances = l.ImpliedBalances()
		log.now = l.Time
		log.append(l)
	}
	books(2, day)
	log.now = log.beacon.Time(o.Round).Add(24 * time.Hour)
	log.void(o, protocol.VoidNoBeacon)
	books(1, day.Add(protocol.Day))
	if fault := checkLog(t, verify.Options{Location: log.writeMirror(t)}).Fault; fault != nil {
		t.Error(fault)
	}
}

// Pending orders follow the first leaf of a log that continues another one. Whether they are fixed is
// judged in the ended log.
func TestOrdersAcrossLogs(t *testing.T) {
	restore := func(log *sealedLog) { log.restore(log.t, "kaibao.log/test/one", 0) }
	replaceKey := func(log *sealedLog) { log.replaceKey(log.t, "kaibao.log/test/two") }
	for name, c := range map[string]struct {
		next   func(log *sealedLog)
		change func(log *sealedLog) // after the order is copied
		round  func(*protocol.RoundLeaf)
		fixed  bool
		reason string
	}{
		"a restore":              {next: restore, fixed: true},
		"another key":            {next: replaceKey, fixed: true},
		"the order isn't copied": {next: restore, change: func(log *sealedLog) { log.leaves = slices.Delete(log.leaves, 1, 2) }, reason: "isn't copied"},
		"the copy differs":       {next: restore, change: func(log *sealedLog) { log.rewrite(1, "clientSeed ", "clientSeed eHh4") }, reason: "isn't copied"},
		"it is copied twice":     {next: replaceKey, change: func(log *sealedLog) { log.leaves = append(log.leaves, log.leaves[1]) }, reason: "nonce"},
		"no checkpoint":          {next: restore, round: func(l *protocol.RoundLeaf) { l.EndedCheckpoint = "" }},
		"in the wrong place":     {next: restore, round: func(l *protocol.RoundLeaf) { l.Checkpoint, l.EndedCheckpoint = l.EndedCheckpoint, "" }, reason: "is not signed by"},
	} {
		t.Run(name, func(t *testing.T) {
			log := newSealedLog(t)
			o := log.order(log.users[0], "open", nil)
			log.fix()
			ended := log.cosigned
			c.next(log)
			log.leaves = slices.Insert(log.leaves, 1, string(o.Format()))
			if c.change != nil {
				c.change(log)
			}
			log.cosigned = ""
			log.publishRound(o.Round, func(l *protocol.RoundLeaf) {
				l.EndedCheckpoint = ended
				if c.round != nil {
					c.round(l)
				}
			})
			log.draw(o, nil)
			report := checkLog(t, verify.Options{Location: log.writeMirror(t)})
			if f := report.Fault; (f != nil) != (c.reason != "") || f != nil && !strings.Contains(f.Reason, c.reason) {
				t.Fatalf("fault %v, want %q", f, c.reason)
			}
			if s := report.Sealed; c.reason == "" && (report.Orders != 1 || (s.Fixed == 1) != c.fixed || (len(s.Unproven) == 0) != c.fixed) {
				t.Errorf("%+v", s)
			}
		})
	}
}

// The receipt of an order proves what was ordered, and its round by the rule of a known beacon.
func TestReceiptsOfOrders(t *testing.T) {
	text, err := os.ReadFile("../protocol/testdata/vectors-v2.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Cases []struct{ Manifest, Order string }
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	v := file.Cases[0]
	log := newTestLog(t, 1)
	signer, err := note.NewSigner(log.key)
	if err != nil {
		t.Fatal(err)
	}
	foreign := strings.Replace(v.Manifest, "beacon 52", "beacon 53", 1)
	naming := func(manifest string) string {
		return strings.Replace(v.Order, fmt.Sprintf("%x", protocol.Hash([]byte(v.Manifest))), fmt.Sprintf("%x", protocol.Hash([]byte(manifest))), 1)
	}
	v1 := "kaibao-manifest/v1\npack 2\nname x\nprice 2500\nitems 1\ntier 1 0 0 x\ncard a 1 -1\n"
	for name, c := range map[string]struct {
		order, manifest string
		want            verify.State
	}{
		"an order":         {v.Order, v.Manifest, verify.Passed},
		"another round":    {strings.Replace(v.Order, "round 657413", "round 657414", 1), v.Manifest, verify.Failed},
		"another manifest": {v.Order, foreign, verify.Failed},
		"no manifest":      {v.Order, "", verify.Unchecked},
		"an unknown chain": {naming(foreign), foreign, verify.Unchecked},
		"not sealed":       {naming(v1), v1, verify.Failed},
		"not a leaf":       {v.Order + "more\n", v.Manifest, verify.Failed},
	} {
		receipt, err := note.Sign(&note.Note{Text: c.order}, signer)
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		writeFile(t, dir, "receipt", receipt)
		steps, err := verify.Receipt(t.Context(), verify.ReceiptOptions{Location: dir + "/receipt", Key: log.verifier, Manifest: []byte(c.manifest)})
		if err != nil {
			t.Fatal(err)
		}
		if n := slices.IndexFunc(steps, func(s verify.Step) bool { return s.Name == "order" }); n < 0 || steps[n].State != c.want {
			t.Errorf("%s: %+v, want %s", name, steps, c.want)
		}
	}
}

// A fetcher asks one relay after another, and takes nothing but signatures.
func TestRelays(t *testing.T) {
	log := newSealedLog(t)
	want := log.signer.Sign(7)
	answers := func(body string) string {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != fmt.Sprintf("/%x/public/7", log.beacon.Hash()) {
				w.WriteHeader(http.StatusNotFound)
			}
			_, _ = w.Write([]byte(body))
		}))
		t.Cleanup(s.Close)
		return s.URL
	}
	good := answers(fmt.Sprintf(`{"round":7,"randomness":"ab","signature":"%x"}`, want))
	for name, relays := range map[string][]string{
		"none":       nil,
		"no JSON":    {answers("<html>")},
		"96 bytes":   {answers(fmt.Sprintf(`{"signature":"%x%x"}`, want, want))},
		"upper case": {answers(fmt.Sprintf(`{"signature":"%X"}`, want))},
	} {
		if _, err := verify.Relays(relays)(t.Context(), log.beacon.Hash(), 7); err == nil {
			t.Errorf("%s: accepted", name)
		}
		if s, err := verify.Relays(append(relays, good))(t.Context(), log.beacon.Hash(), 7); err != nil || s != want {
			t.Errorf("%s, then a good one: %x, %v", name, s, err)
		}
	}
	if _, err := verify.Relays([]string{good})(t.Context(), log.beacon.Hash(), 8); err == nil {
		t.Error("a missing round was accepted")
	}
}

// A mirror has the descriptions of beacons that not every verifier knows.
func TestMirrorWithBeacon(t *testing.T) {
	log := newSealedLog(t)
	log.sell(log.users[0], "open")
	host, dir := newHost(t, log.writeMirror(t)), t.TempDir()
	if _, _, err := verify.Mirror(t.Context(), host.URL, dir, "", func(int64, int64) {}); err != nil {
		t.Fatal(err)
	}
	if report := checkLog(t, verify.Options{Location: dir}); report.Fault != nil || report.Orders != 1 {
		t.Errorf("%v, %+v", report.Fault, report.Counts)
	}
}
