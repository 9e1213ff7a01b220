package publiclog_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	formats "github.com/transparency-dev/formats/note"
	"golang.org/x/mod/sumdb/note"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/jobs"
	"kaibao/internal/protocol"
	log "kaibao/internal/publiclog"
)

// cosignedLog is a log with witnesses, and a clock that only the test moves.
type cosignedLog struct {
	*testing.T
	*dbtest.Clock
	db        *db.DB
	log       *log.Log
	key       string
	memory    string // the nodes' checkpoint file
	witnesses []*witnessDouble
}

// eachCosignedLog runs test on every engine with a log that has a number of witnesses and a quorum.
func eachCosignedLog(t *testing.T, count, quorum int, test func(l *cosignedLog)) {
	t.Helper()
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			l := &cosignedLog{T: t, Clock: dbtest.NewClock(), key: newKey(t), memory: filepath.Join(t.TempDir(), "memory")}
			l.Advance(300 * time.Millisecond)
			o := dbtest.Options(t, engine)
			o.Now = l.Now
			l.db = dbtest.Open(t, o)
			l.log = l.node()
			for n := range count {
				l.witnesses = append(l.witnesses, newWitness(t, fmt.Sprintf("witness.example/%d", n+1), l.Now))
			}
			if count > 0 {
				l.setWitnesses(quorum, l.witnesses...)
				l.sequence()
			}
			test(l)
		})
	}
}

// node opens the log as another node, on the same machine.
func (l *cosignedLog) node() *log.Log {
	l.Helper()
	node := openLog(l.T, l.db, l.key, l.memory)
	node.WaitForAll()
	return node
}

func (l *cosignedLog) setWitnesses(quorum int, witnesses ...*witnessDouble) log.WitnessChange {
	l.Helper()
	w := log.Witnesses{Quorum: quorum}
	for _, witness := range witnesses {
		w.List = append(w.List, witness.WitnessAddress)
	}
	var c log.WitnessChange
	l.inTx(func(tx *db.Tx) (err error) {
		c, err = log.SetWitnesses(tx, w)
		return err
	})
	return c
}

func (l *cosignedLog) inTx(do func(*db.Tx) error) {
	l.Helper()
	if err := l.db.InTx(l.Context(), do); err != nil {
		l.Fatal(err)
	}
}

// grow adds a leaf and has the log cosigned.
func (l *cosignedLog) grow(n int) {
	l.Helper()
	appendOpens(l.T, l.db, n, n+1)
	l.sequence()
	l.cosign(l.log)
}

func (l *cosignedLog) sequence() {
	l.Helper()
	if err := l.log.Sequence(l.Context()); err != nil {
		l.Fatal(err)
	}
}

func (l *cosignedLog) cosign(node *log.Log) {
	l.Helper()
	if err := node.Cosign(l.Context()); err != nil {
		l.Fatal(err)
	}
}

// cosigners opens a checkpoint with an independent library and returns the names of the witnesses that
// cosigned it, each now.
func (l *cosignedLog) cosigners(checkpoint string) (names []string) {
	l.Helper()
	v, err := note.NewVerifier(l.log.VerifierKey())
	if err != nil {
		l.Fatal(err)
	}
	verifiers := []note.Verifier{v}
	for _, w := range l.witnesses {
		v, err := formats.NewVerifierForCosignatureV1(w.String())
		if err != nil {
			l.Fatal(err)
		}
		verifiers = append(verifiers, v)
	}
	opened, err := note.Open([]byte(checkpoint), note.VerifierList(verifiers...))
	if err != nil {
		l.Fatal(err)
	}
	if len(opened.UnverifiedSigs) > 0 {
		l.Errorf("unverified lines: %+v", opened.UnverifiedSigs)
	}
	for _, s := range opened.Sigs[1:] {
		at, err := formats.CoSigV1Timestamp(s)
		if err != nil || at.Unix() != l.Now().Unix() {
			l.Errorf("%s cosigned at %s, want %s (%v)", s.Name, at, l.Now(), err)
		}
		names = append(names, strings.TrimPrefix(s.Name, "witness.example/"))
	}
	slices.Sort(names)
	return names
}

// served returns the served checkpoint.
func (l *cosignedLog) served() string {
	l.Helper()
	h, err := l.log.Head(l.Context())
	if err != nil || h == nil {
		l.Fatalf("%+v %v", h, err)
	}
	return h.Text
}

func (l *cosignedLog) wantCosigners(want ...string) {
	l.Helper()
	if names := l.cosigners(l.served()); !slices.Equal(names, want) {
		l.Errorf("cosigned by %v, want %v", names, want)
	}
}

// result returns how many of this node's submissions to a witness had a result.
func (l *cosignedLog) result(w *witnessDouble, result log.SubmissionResult) int64 {
	for _, c := range l.log.Submissions() {
		if c.Witness == w.Name && c.Result == result {
			return c.Count
		}
	}
	return 0
}

// before returns CheckpointBefore.
func (l *cosignedLog) before(at time.Time, size int64) (text string) {
	l.Helper()
	l.inTx(func(tx *db.Tx) (err error) {
		text, err = log.CheckpointBefore(tx, at, size)
		return err
	})
	return text
}

func (l *cosignedLog) audit() {
	l.Helper()
	l.inTx(func(tx *db.Tx) error {
		breaches, err := log.Audit(tx)
		for _, b := range breaches {
			l.Error(b)
		}
		return err
	})
}

// wantPaused wants that no quorum answers, without waiting for it.
func (l *cosignedLog) wantPaused() {
	l.Helper()
	l.log.SetPatience(50 * time.Millisecond)
	defer l.log.SetPatience(time.Minute)
	err := l.log.QuorumReady(l.Context())
	if e, ok := errors.AsType[*apperr.Error](err); !ok || e.Code != apperr.SealedPaused {
		l.Errorf("%v, want sealed_paused", err)
	}
}

func TestCheckpointsAreCosigned(t *testing.T) {
	eachCosignedLog(t, 3, 2, func(l *cosignedLog) {
		start := l.Now().Truncate(time.Second)
		l.cosign(l.log)
		l.wantCosigners("1", "2", "3")
		first := l.served()
		l.Advance(5 * time.Second)
		appendOpens(l.T, l.db, 1, 700) // several tiles
		l.sequence()
		l.wantCosigners() // the new tree isn't cosigned yet
		l.cosign(l.log)
		l.wantCosigners("1", "2", "3")
		second := l.served()
		l.cosign(l.log) // nothing to do
		if n := l.witnesses[0].count(); n != 2 {
			t.Errorf("%d submissions", n)
		}
		for _, want := range []struct {
			before time.Time
			size   int64
			text   string
		}{
			{start, 1, ""}, {start.Add(time.Second), 1, first}, {start.Add(time.Second), 2, first}, {start.Add(time.Second), 0, first},
			{start.Add(5 * time.Second), 1, first}, {start.Add(time.Hour), 1, first}, {start.Add(5*time.Second + 900*time.Millisecond), 2, first},
			{start.Add(6 * time.Second), 2, second}, {start.Add(6 * time.Second), 700, second}, {start.Add(6 * time.Second), 701, second}, {start.Add(time.Hour), 0, second},
		} {
			if got := l.before(want.before, want.size); got != want.text {
				t.Errorf("before %s with %d leaves: %q, want %q", want.before, want.size, got, want.text)
			}
		}
		l.audit()

		prune := l.log.Jobs(l.db)
		l.Advance(25*time.Hour - time.Second)
		for _, job := range prune {
			if job.Name == "cosigned checkpoints" {
				if _, err := job.Do(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
		}
		if l.before(l.Now(), 1) != second {
			t.Error("the first checkpoint is still there, or the second isn't")
		}
	})
}

// A witness that misbehaves contributes nothing and doesn't keep the others from being a quorum.
func TestMisbehavingWitnesses(t *testing.T) {
	for name, b := range map[string]struct {
		result log.SubmissionResult
		set    func(l *cosignedLog, w *witnessDouble)
	}{
		"another key": {log.Invalid, func(l *cosignedLog, w *witnessDouble) {
			other := newWitness(l.T, w.Name, l.Now)
			w.key = other.key // with the id of the right one
		}},
		"another key id": {log.Invalid, func(l *cosignedLog, w *witnessDouble) { w.URL = renamedWitness(l, w).URL }},
		"the cosignature of another tree": {log.Invalid, func(l *cosignedLog, w *witnessDouble) {
			w.alter = func(string) string { return w.cosign("kaibao.log/test\n1\n"+w.root.String()+"\n", l.Now()) }
		}},
		"a damaged line": {log.Invalid, func(_ *cosignedLog, w *witnessDouble) {
			w.alter = func(line string) string { return line[:len(line)/2] }
		}},
		"no line": {log.Invalid, func(_ *cosignedLog, w *witnessDouble) { w.alter = func(string) string { return "" } }},
		"a line break": {log.Invalid, func(_ *cosignedLog, w *witnessDouble) {
			w.alter = func(line string) string { return line[:len(line)-1] }
		}},
		"time 0":          {log.WrongTime, func(l *cosignedLog, w *witnessDouble) { w.ahead = -l.Now().Sub(time.Unix(0, 0)) }},
		"a clock ahead":   {log.WrongTime, func(_ *cosignedLog, w *witnessDouble) { w.ahead = 2 * time.Second }},
		"a clock behind":  {log.WrongTime, func(_ *cosignedLog, w *witnessDouble) { w.ahead = -6 * time.Second }},
		"an error":        {log.Refused, func(_ *cosignedLog, w *witnessDouble) { w.behave = answer(http.StatusInternalServerError, "") }},
		"unknown log":     {log.Refused, func(_ *cosignedLog, w *witnessDouble) { w.behave = answer(http.StatusNotFound, "") }},
		"a redirect":      {log.Refused, func(_ *cosignedLog, w *witnessDouble) { w.behave = answer(http.StatusFound, "") }},
		"another history": {log.Conflicting, func(_ *cosignedLog, w *witnessDouble) { w.size = 2 }}, // with another root
		"a longer log":    {log.Conflicting, func(_ *cosignedLog, w *witnessDouble) { w.size = 99 }},
		"a fork":          {log.Refused, func(_ *cosignedLog, w *witnessDouble) { w.size = 1 }}, // the proof doesn't fit
		"sizes at random": {log.Conflicting, func(_ *cosignedLog, w *witnessDouble) { w.behave = answer(http.StatusConflict, "1\n") }},
		"no size":         {log.Refused, func(_ *cosignedLog, w *witnessDouble) { w.behave = answer(http.StatusConflict, "many\n") }},
		"no answer":       {log.Unreachable, func(_ *cosignedLog, w *witnessDouble) { w.URL = "http://127.0.0.1:1" }},
	} {
		t.Run(name, func(t *testing.T) {
			eachCosignedLog(t, 0, 0, func(l *cosignedLog) {
				for n := range 3 {
					l.witnesses = append(l.witnesses, newWitness(t, fmt.Sprintf("witness.example/%d", n+1), l.Now))
				}
				bad := l.witnesses[1]
				named := bad.Witness // the policy names the witness as it should be
				b.set(l, bad)
				l.witnesses[1] = &witnessDouble{WitnessAddress: log.WitnessAddress{Witness: named, URL: bad.URL}}
				l.setWitnesses(2, l.witnesses...)
				l.grow(1)
				l.wantCosigners("1", "3")
				if n := l.result(l.witnesses[1], b.result); n != 1 {
					t.Errorf("%+v, want one %s", l.log.Submissions(), b.result)
				}
				l.audit()
				l.witnesses[0].set(func() { l.witnesses[0].behave = answer(http.StatusServiceUnavailable, "") })
				l.grow(2)
				l.wantCosigners() // only one is left
				l.Advance(3 * time.Second)
				l.wantPaused()
			})
		})
	}
}

// renamedWitness returns a witness whose name differs, and with it the id in its signatures.
func renamedWitness(l *cosignedLog, w *witnessDouble) *witnessDouble {
	other := newWitness(l.T, w.Name+"x", l.Now)
	other.alter = func(line string) string { return strings.Replace(line, other.Name, w.Name, 1) }
	return other
}

// answer makes a witness answer with a status.
func answer(status int, body string) func(http.Handler) http.Handler {
	return func(http.Handler) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
			rw.Header().Set("Location", "/add-checkpoint")
			rw.WriteHeader(status)
			_, _ = rw.Write([]byte(body))
		})
	}
}

// A silent witness doesn't delay the quorum, and doesn't get a second request meanwhile. The
// cosignature of a slow one is added when it arrives.
func TestSlowWitness(t *testing.T) {
	eachCosignedLog(t, 3, 2, func(l *cosignedLog) {
		slow, arrived, release := l.witnesses[2], make(chan struct{}, 1), make(chan struct{})
		slow.set(func() {
			slow.behave = func(honest http.Handler) http.Handler {
				return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
					arrived <- struct{}{}
					select {
					case <-release:
						honest.ServeHTTP(rw, r)
					case <-r.Context().Done():
					}
				})
			}
		})
		l.log.WaitForQuorum()
		l.cosign(l.log)
		<-arrived
		l.wantCosigners("1", "2")
		close(release)
		for l.result(slow, log.Cosigned) == 0 {
			if l.Context().Err() != nil {
				t.Fatal("no answer")
			}
			runtime.Gosched()
		}
		l.cosign(l.log)
		l.wantCosigners("1", "2", "3")
		l.audit()
	})
}

// A node that starts doesn't know what the witnesses have cosigned. They tell it.
func TestSubmissionAfterRestart(t *testing.T) {
	eachCosignedLog(t, 1, 1, func(l *cosignedLog) {
		l.cosign(l.log)
		l.Advance(time.Minute) // nobody is the submitter any more
		l.log = l.node()
		l.grow(1)
		l.Advance(time.Second)
		l.grow(2)
		l.wantCosigners("1")
		if got := strings.Join(l.witnesses[0].requests, ", "); got != "old 0, old 0, old 1, old 2" {
			t.Errorf("requests: %s", got)
		}
	})
}

// Only one node submits. If it dies, another one takes over.
func TestOneNodeSubmits(t *testing.T) {
	eachCosignedLog(t, 3, 2, func(l *cosignedLog) {
		other := l.node()
		for n := range 4 {
			l.Advance(time.Second)
			appendOpens(l.T, l.db, n, n+1)
			l.sequence()
			var all sync.WaitGroup
			for _, node := range []*log.Log{l.log, other} {
				all.Go(func() {
					if err := node.Cosign(t.Context()); err != nil {
						t.Error(err)
					}
				})
			}
			all.Wait()
		}
		first, second := l.log.Submissions(), other.Submissions()
		if len(first) > 0 && len(second) > 0 {
			t.Fatalf("both nodes submitted: %+v %+v", first, second)
		}
		survivor := other
		if len(first) == 0 {
			survivor = l.log
		}
		l.wantCosigners("1", "2", "3")
		appendOpens(l.T, l.db, 8, 9)
		l.sequence()
		l.cosign(survivor)
		l.wantCosigners() // the other one may still be submitting
		l.Advance(3 * time.Second)
		l.cosign(survivor)
		l.wantCosigners("1", "2", "3")
		if err := survivor.StopSubmitting(t.Context()); err != nil {
			t.Fatal(err)
		}
		fresh := l.node()
		appendOpens(l.T, l.db, 9, 10)
		l.sequence()
		l.cosign(fresh) // at once
		l.wantCosigners("1", "2", "3")
	})
}

func TestOrdersNeedFreshQuorum(t *testing.T) {
	eachCosignedLog(t, 0, 0, func(l *cosignedLog) {
		ready := func(node *log.Log) {
			t.Helper()
			if err := node.QuorumReady(t.Context()); err != nil {
				t.Error(err)
			}
		}
		ready(l.log) // no witnesses
		l.witnesses = []*witnessDouble{newWitness(t, "witness.example/1", l.Now)}
		w := l.witnesses[0]
		l.setWitnesses(1, w)
		l.Advance(time.Second)
		l.wantPaused() // no quorum yet
		l.sequence()
		l.cosign(l.log)
		ready(l.log)
		appendOpens(l.T, l.db, 1, 2)
		l.Advance(2*time.Second - time.Microsecond)
		l.sequence()
		ready(l.log)
		l.Advance(time.Microsecond)
		l.wantPaused()

		// With the jobs running, an order on any node gets a new quorum.
		l.run(l.log)
		l.Advance(time.Hour)
		ready(l.log)
		l.Advance(time.Hour)
		ready(l.node())
		w.set(func() { w.behave = answer(http.StatusServiceUnavailable, "") })
		ready(l.log) // fresh
		l.Advance(2 * time.Second)
		l.wantPaused()
		l.wantWanted(l.Now())
		w.set(func() { w.behave = nil })
		l.Advance(time.Second)
		ready(l.log)
		l.wantWanted(time.Time{})
	})
}

// wantWanted checks since when orders wait for a quorum; zero = none does.
func (l *cosignedLog) wantWanted(since time.Time) {
	l.Helper()
	var c *log.CosigningStatus
	l.inTx(func(tx *db.Tx) (err error) { c, err = log.ReadCosigning(tx); return err })
	if !c.WantedSince.Equal(since) {
		l.Errorf("a quorum is wanted since %s, want %s", c.WantedSince, since)
	}
}

// run runs a node's jobs until the test ends.
func (l *cosignedLog) run(node *log.Log) {
	ctx, stop := context.WithCancel(l.Context())
	var running sync.WaitGroup
	running.Go(func() { jobs.New(slog.New(slog.DiscardHandler), l.Now, node.Jobs(l.db)...).Run(ctx) })
	l.Cleanup(func() { stop(); running.Wait() })
}

// A leaf without a place in the tree pauses orders, even if the quorum is fresh.
func TestUnplacedLeafPausesOrders(t *testing.T) {
	eachCosignedLog(t, 1, 1, func(l *cosignedLog) {
		l.cosign(l.log)
		at := l.Now()
		leaf := string(protocol.EpochLeaf{Origin: "x", Time: at}.Format())
		l.inTx(func(tx *db.Tx) error { return log.Append(tx, leaf) })
		l.Advance(time.Second)
		if err := l.log.QuorumReady(t.Context()); err != nil {
			t.Error(err)
		}
		l.Advance(time.Millisecond)
		l.wantPaused()
		l.sequence()
		if err := l.log.QuorumReady(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// After an outage, witnesses see no tree without the leaves that waited: these would look back-dated.
func TestOverdueLeafIsPlacedBeforeWitnessesAreAsked(t *testing.T) {
	eachCosignedLog(t, 1, 1, func(l *cosignedLog) {
		appendOpens(t, l.db, 1, 2)
		l.sequence()
		leaf := string(protocol.EpochLeaf{Origin: "x", Time: l.Now()}.Format())
		l.inTx(func(tx *db.Tx) error { return log.Append(tx, leaf) })
		l.Advance(2 * time.Minute)
		l.cosign(l.node())
		l.wantCosigners()
		l.sequence()
		l.cosign(l.node())
		l.wantCosigners("1")
	})
}

// Other witnesses come into force after 24 hours. For a minute from then on, checkpoints need both
// quorums, because orders go by the policy at their time.
func TestChangeOfWitnesses(t *testing.T) {
	eachCosignedLog(t, 2, 2, func(l *cosignedLog) {
		next := newWitness(t, "witness.example/3", l.Now)
		inForce := l.Now().Add(24 * time.Hour).Truncate(time.Millisecond)
		first, second := l.witnesses[0], l.witnesses[1]
		l.witnesses = append(l.witnesses, next)
		if c := l.setWitnesses(2, second, first); c.Announced || !c.InForceAt.Equal(l.Now().Truncate(time.Millisecond)) {
			t.Errorf("the same witnesses: %+v", c)
		}
		if c := l.setWitnesses(2, second, next); !c.Announced || !c.InForceAt.Equal(inForce) {
			t.Errorf("other witnesses: %+v, want in force at %s", c, inForce)
		}
		l.grow(1)
		l.wantCosigners("1", "2")
		l.Advance(24*time.Hour - time.Millisecond)
		l.grow(2)
		l.wantCosigners("1", "2")
		l.Advance(time.Millisecond)
		first.set(func() { first.behave = answer(http.StatusServiceUnavailable, "") })
		l.grow(3)
		l.wantCosigners() // the first one is still needed
		first.set(func() { first.behave = nil })
		l.Advance(time.Second)
		l.cosign(l.log)
		l.wantCosigners("1", "2", "3")
		l.Advance(time.Minute)
		l.grow(4)
		l.wantCosigners("2", "3")
		l.audit()
	})
}

// Several nodes or commands that announce the same witnesses at once write one leaf.
func TestWitnessesAreAnnouncedOnce(t *testing.T) {
	eachCosignedLog(t, 0, 0, func(l *cosignedLog) {
		w := log.Witnesses{Quorum: 1, List: []log.WitnessAddress{newWitness(t, "witness.example/1", l.Now).WitnessAddress}}
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				if err := l.db.InTx(t.Context(), func(tx *db.Tx) error { _, err := log.SetWitnesses(tx, w); return err }); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		l.sequence()
		h, err := l.log.Head(t.Context())
		if err != nil || h.Size != 1 {
			t.Errorf("%+v %v, want one leaf", h, err)
		}
		l.inTx(func(tx *db.Tx) error {
			list, err := log.ListWitnesses(tx)
			if len(list) != 1 || list[0].Quorum != 1 || len(list[0].List) != 1 || list[0].List[0] != w.List[0] {
				t.Errorf("%+v", list)
			}
			return err
		})
		l.audit()
	})
}

// Witnesses on the public internet get at most one submission a second. Those on private addresses get
// each tree.
func TestPublicWitnessesAreSpared(t *testing.T) {
	for address, public := range map[string]bool{
		"https://witness.example": true, "https://192.0.2.1": true, "https://[2001:db8::1]:8443/x": true, "http://localhost:8095": false, "http://127.0.0.1:8095": false,
		"http://[::1]:8095": false, "http://10.1.2.3": false, "http://192.168.1.1": false, "http://witness:8095": false, "http://a.internal": false,
	} {
		if log.IsPublic(address) != public {
			t.Errorf("%s is public: %v", address, !public)
		}
	}
	eachCosignedLog(t, 3, 2, func(l *cosignedLog) {
		l.log.TreatAsPublic()
		l.cosign(l.log)
		l.grow(1)
		l.wantCosigners() // too soon
		l.Advance(time.Second - time.Microsecond)
		l.cosign(l.log)
		l.wantCosigners()
		l.Advance(time.Microsecond)
		l.cosign(l.log)
		l.wantCosigners("1", "2", "3")
	})
}

func TestHurryWakesSequencer(t *testing.T) {
	eachCosignedLog(t, 0, 0, func(l *cosignedLog) {
		sequencer := l.log.Jobs(l.db)[0]
		woken := func() bool {
			select {
			case <-sequencer.Wake:
				return true
			default:
				return false
			}
		}
		if woken() {
			t.Error("woken without orders")
		}
		l.log.Hurry(l.Now().Add(time.Second))
		if !woken() {
			t.Error("an order didn't wake the sequencer")
		}
		if _, err := sequencer.Do(t.Context()); err != nil {
			t.Fatal(err)
		}
		<-sequencer.Wake // again soon
		l.Advance(time.Second)
		if _, err := sequencer.Do(t.Context()); err != nil || woken() {
			t.Errorf("still hurrying (%v)", err)
		}
	})
}

func TestWitnessFile(t *testing.T) {
	keys := make([]string, 16)
	for n := range keys {
		keys[n] = newWitness(t, fmt.Sprintf("w/%d", n), time.Now).String()
	}
	lines := func(quorum, count int) string {
		text := fmt.Sprintf("# ours\n\nquorum %d\n", quorum)
		for n := range count {
			text += "witness " + keys[n] + " https://witness.example/" + fmt.Sprint(n) + "/\n"
		}
		return text
	}
	w, err := log.ParseWitnesses(lines(8, 15))
	if err != nil || w.Quorum != 8 || len(w.List) != 15 || w.List[14].URL != "https://witness.example/14" || w.List[14].String() != keys[14] {
		t.Errorf("%+v %v", w, err)
	}
	for text, want := range map[string]string{
		lines(7, 15): "two quorums", lines(1, 2): "two quorums", lines(9, 16): "too many", lines(3, 2): "the quorum must be", lines(0, 1): "at least 1",
		"":                                "quorum NUMBER is missing",
		"quorum 1\n":                      "witness",
		lines(1, 1) + "quorum 1\n":        "line 5",
		lines(2, 1) + lines(2, 1)[17:]:    "duplicate",
		"quorum 1\nwitness " + keys[0]:    "line 2",
		"quorum 1\nwitness x https://w.x": "not a verifier key",
		"quorum 1\nwitness " + keys[0] + " ftp://witness.example":          "https address",
		"quorum 1\nwitness " + keys[0] + " https://witness.example/?a=b":   "https address",
		"quorum 1\nwitness " + keys[0] + " https://a:b@witness.example":    "https address",
		"quorum 1\nwitness " + keys[0][:len(keys[0])-4] + " https://w.x\n": "line 2",
	} {
		if _, err := log.ParseWitnesses(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
