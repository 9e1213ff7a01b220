package verify_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/tlog"

	"kaibao/internal/beacon"
	"kaibao/internal/money"
	"kaibao/internal/protocol"
	"kaibao/internal/verify"
)

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
		"at its round":       {func(log *sealedLog, o *testOrder) { log.cosigned = log.cosign(log.beacon.Time(o.Round), 2) }, nil, false},
		"without a time":     {func(log *sealedLog, _ *testOrder) { log.cosigned = log.cosign(time.Unix(0, 0), 2) }, nil, false},
		"before 1970":        {func(log *sealedLog, _ *testOrder) { log.cosigned = log.cosign(time.Unix(-1, 0), 2) }, nil, false},
		"the same witness":   {func(log *sealedLog, _ *testOrder) { log.witnesses[1] = log.witnesses[0]; log.fix() }, nil, false},
		"trusted witnesses":  {func(log *sealedLog, _ *testOrder) { log.fix() }, trusting(0, 0, 1), true},
		"others are trusted": {func(log *sealedLog, _ *testOrder) { log.fix() }, trusting(0, 1, 2), false},
		"one is enough":      {func(log *sealedLog, _ *testOrder) { log.fix() }, trusting(1, 1, 2), true},
		"one is not enough":  {func(log *sealedLog, _ *testOrder) { log.cosigned = log.cosign(log.now, 1) }, trusting(1, 1, 2), false},
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
	for name, c := range map[string]struct {
		o    verify.Options
		want string
	}{
		"no key":               {verify.Options{Witnesses: []string{"witness"}}, "is not a verifier key"},
		"a log's key":          {verify.Options{Witnesses: []string{log.verifier}}, "is not a verifier key"},
		"a witness twice":      {verify.Options{Witnesses: []string{key, key}}, "is given twice"},
		"more than are given":  {verify.Options{Witnesses: []string{key}, Quorum: 2}, "needs as many witnesses"},
		"quorum without a key": {verify.Options{Quorum: 1}, "needs as many witnesses"},
		"a negative quorum":    {verify.Options{Witnesses: []string{key}, Quorum: -1}, "needs as many witnesses"},
		"fewer than the log's": {verify.Options{Witnesses: []string{key}}, "the log's quorum is 2: name at least 2 witnesses, or pass --quorum"},
	} {
		c.o.Location = dir
		_, err := verify.Log(t.Context(), c.o)
		if _, ok := errors.AsType[verify.OptionsError](err); !ok || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
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
		if (fault != nil) != c.fault || fault != nil && (*fault.Leaf != o.index || !strings.Contains(fault.Reason, "was seen without it")) {
			t.Errorf("%s: %v", name, fault)
		}
	}

	// A log that is shorter than what others saw can't be compared, so it doesn't pass.
	longer := verify.SeenTree{Origin: seen.Origin, Size: int64(len(log.leaves)) + 1, Time: log.now}
	if _, err := verify.Log(t.Context(), verify.Options{Location: dir, Seen: []verify.SeenTree{longer}}); err == nil || !strings.Contains(err.Error(), "but the log has only") {
		t.Errorf("a log that is shorter than what was seen: %v", err)
	}

	// A tree that was seen must be part of the log.
	for rootOf, forked := range map[int64]bool{3: false, 4: true} {
		root, err := tlog.TreeHash(rootOf, hashReader(t, log.leaves))
		if err != nil {
			t.Fatal(err)
		}
		tree := verify.SeenTree{Origin: seen.Origin, Size: 3, Root: root, Time: log.beacon.Time(o.Round)}
		fault := checkLog(t, verify.Options{Location: dir, Seen: []verify.SeenTree{tree}}).Fault
		if (fault != nil) != forked || forked && (*fault.Leaf != 2 || !strings.Contains(fault.Reason, "the first 3 leaves were seen with the root")) {
			t.Errorf("3 leaves with the root of %d: %v", rootOf, fault)
		}
	}
}

// A restore can lose leaves that someone saw. They are counted, like those of checkpoints. A log that ended for
// another key lost none.
func TestSeenTreesOfEndedLogs(t *testing.T) {
	treeOf := func(log *sealedLog, leaves []string) verify.SeenTree {
		root, err := tlog.TreeHash(int64(len(leaves)), hashReader(t, leaves))
		if err != nil {
			t.Fatal(err)
		}
		origin, _, _ := strings.Cut(log.verifier, "+")
		return verify.SeenTree{Origin: origin, Size: int64(len(leaves)), Root: root, Time: log.now}
	}
	log := newSealedLog(t)
	log.sell(log.users[0], "open")
	size := len(log.leaves)
	lost := append(slices.Clone(log.leaves), "1", "2", "3")
	seen := []verify.SeenTree{
		treeOf(log, nil), treeOf(log, lost[:4]), treeOf(log, lost[:size]), treeOf(log, lost[:size+1]), treeOf(log, lost), {Origin: "other", Time: log.now},
	}
	log.restore(t, "kaibao.log/test/one", 0)
	seen = append(seen, treeOf(log, log.leaves))
	dir := log.writeMirror(t)
	file := verify.SeenFile{Name: "witness.seen", Trees: seen}
	report := checkLog(t, verify.Options{Location: dir, SeenFiles: []verify.SeenFile{file}})
	want := verify.ComparedFile{Name: "witness.seen", Equal: 4, Lost: 2, Other: 1}
	if report.Fault != nil || len(report.SeenFiles) != 1 || report.SeenFiles[0] != want || report.EndedLogs[0].Lost != 3 {
		t.Errorf("fault %v, %+v, %+v; want %+v and 3 lost leaves", report.Fault, report.SeenFiles, report.EndedLogs, want)
	}
	if report := checkLog(t, verify.Options{Location: dir, Seen: seen}); report.Fault != nil || report.EndedLogs[0].Lost != 3 {
		t.Errorf("in the state: fault %v, %+v; want 3 lost leaves", report.Fault, report.EndedLogs)
	}

	// The wrong root of a tree is reported, even if the log is too short for one before it.
	longer, forked := treeOf(log, append(slices.Clone(log.leaves), "1")), treeOf(log, log.leaves[:2])
	forked.Root = longer.Root
	for _, trees := range [][]verify.SeenTree{{longer, forked}, {forked, longer}} {
		o := verify.Options{Location: dir, Seen: trees[:1], SeenFiles: []verify.SeenFile{{Name: "a", Trees: trees}}}
		if f := checkLog(t, o).Fault; f == nil || !strings.Contains(f.Reason, "the first 2 leaves were seen with the root") {
			t.Errorf("fault %v", f)
		}
	}

	_, err := verify.Log(t.Context(), verify.Options{Location: dir, SeenFiles: []verify.SeenFile{file, {Name: "other.seen", Trees: seen[5:6]}}})
	if _, ok := errors.AsType[verify.OptionsError](err); !ok || err.Error() != "other.seen has no tree of this log" {
		t.Errorf("a file without a tree of the log: %v", err)
	}

	log = newSealedLog(t)
	log.replaceKey(t, "kaibao.log/test/two")
	longer = verify.SeenTree{Origin: "kaibao.log/test", Size: int64(len(log.ended["test"])) + 1, Root: longer.Root, Time: log.now}
	if f := checkLog(t, verify.Options{Location: log.writeMirror(t), Seen: []verify.SeenTree{longer}}).Fault; f == nil || !strings.Contains(f.Reason, "was cut, or there are two logs") {
		t.Errorf("a log that ended for another key: fault %v", f)
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
	return func(_ context.Context, b *beacon.Beacon, round uint64) (protocol.Signature, error) {
		if b.Hash() != log.beacon.Hash() || round > last {
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
