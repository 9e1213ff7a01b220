package verify_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kaibao/internal/beacon"
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
		"a withheld draw after a lost seed": {func(log *sealedLog) int64 {
			log.void(log.order(log.users[0], "open", nil), protocol.VoidLost)
			o := log.order(log.users[1], "open", nil)
			log.fix()
			log.publishRound(o.Round+20, nil)
			log.publishRound(o.Round+40, nil)
			return o.index
		}, "withheld"},
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

// Orders whose seed is lost are all listed, and hide no fault, not even one that shows only at the end of the log.
func TestLostSeeds(t *testing.T) {
	log := newSealedLog(t)
	first, second := log.order(log.users[0], "open", nil), log.order(log.users[1], "few", nil)
	var lost []verify.LostOrder
	for _, o := range []*testOrder{first, second} {
		log.now = log.now.Add(time.Second)
		leaf := log.void(o, protocol.VoidLost)
		lost = append(lost, verify.LostOrder{Log: "kaibao.log/test", Leaf: leaf, ID: o.ID, User: o.User, Price: o.Price, Time: log.now})
	}
	log.sell(log.users[1], "open")
	withheld := log.order(log.users[0], "open", nil)
	options := verify.Options{Location: log.writeMirror(t), Now: log.beacon.Time(withheld.Round).Add(time.Minute)}
	writeFile(t, options.Location, "checkpoint", []byte(log.cosign(options.Now, 2)))
	if report := checkLog(t, options); report.Fault != nil || !slices.Equal(report.Sealed.LostOrders, lost) || report.Sealed.Overdue != 1 || report.Voids != 2 || report.Opens != 1 {
		t.Errorf("fault %v, %+v; want the lost orders %+v", report.Fault, report, lost)
	}
	options.FetchRound = log.fetch(withheld.Round)
	report := checkLog(t, options)
	if f := report.Fault; f == nil || f.Leaf == nil || *f.Leaf != withheld.index || !strings.Contains(f.Reason, "withheld") || !slices.Equal(report.Sealed.LostOrders, lost) {
		t.Errorf("fault %v, %+v; want the withheld leaf %d", f, report.Sealed, withheld.index)
	}
}
