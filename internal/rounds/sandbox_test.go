package rounds_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/beacon"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/httpapi"
	"kaibao/internal/httpapi/httpapitest"
	"kaibao/internal/protocol"
	"kaibao/internal/rounds"
)

// node is a node of a sandbox, on a clock that only the test moves.
type node struct {
	*rounds.Service
	api *httpapitest.Server
}

func newNode(t *testing.T, d *db.DB, change func(*rounds.Options)) node {
	t.Helper()
	o := rounds.Options{DB: d, Sandbox: true, Steerable: true}
	if change != nil {
		change(&o)
	}
	n := node{rounds.New(o), httpapitest.New(t, "http://localhost", func(o *httpapi.Options) { o.DB = d })}
	if err := n.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	n.Routes(n.api.API)
	return n
}

// call calls the node's API.
func (n node) call(t *testing.T, method, path string) (status int, body []byte) {
	t.Helper()
	w := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(t.Context(), method, path, http.NoBody)
	r.Host = "localhost"
	n.api.Handler().ServeHTTP(w, r)
	body, err := io.ReadAll(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	return w.Code, body
}

func (n node) behave(t *testing.T, b rounds.Behavior) {
	t.Helper()
	if status, body := n.call(t, http.MethodPost, "/sandbox/beacon/"+string(b)); status != http.StatusNoContent {
		t.Fatalf("%s: %d %s", b, status, body)
	}
}

// relayed requests a round, or the latest, as a verifier does.
func (n node) relayed(t *testing.T, name string) (status int, round uint64, signature protocol.Signature) {
	t.Helper()
	status, body := n.call(t, http.MethodGet, fmt.Sprintf("/sandbox/beacon/%x/public/%s", n.Beacon().Hash(), name))
	var answer struct {
		Round     uint64
		Signature string
	}
	if status != http.StatusOK {
		return status, 0, signature
	}
	err := json.Unmarshal(body, &answer)
	if err == nil {
		signature, err = beacon.ParseSignature(answer.Signature)
	}
	if err != nil {
		t.Errorf("%s: %v", body, err)
	}
	return status, answer.Round, signature
}

// eachWithClock runs test on every engine, with a clock that only the test moves.
func eachWithClock(t *testing.T, test func(t *testing.T, o db.Options, clock *dbtest.Clock)) {
	t.Helper()
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			clock, o := dbtest.NewClock(), dbtest.Options(t, engine)
			o.Now = clock.Now
			test(t, o, clock)
		})
	}
}

// Nodes that start at once on an empty database agree on the beacon, as do those that start later.
func TestNodesAgreeOnTheSandboxBeacon(t *testing.T) {
	eachWithClock(t, func(t *testing.T, o db.Options, clock *dbtest.Clock) {
		var starting sync.WaitGroup
		nodes := make([]*rounds.Service, 8)
		for n := range nodes {
			nodes[n] = rounds.New(rounds.Options{DB: dbtest.Open(t, o), Sandbox: true})
			starting.Go(func() {
				if err := nodes[n].Open(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		starting.Wait()
		begun := clock.Now()
		clock.Advance(time.Hour)
		nodes = append(nodes, newNode(t, dbtest.Open(t, o), nil).Service)
		for _, n := range nodes {
			if n.Beacon().Hash() != nodes[0].Beacon().Hash() {
				t.Errorf("two beacons: %+v and %+v", nodes[0].Beacon().Chain, n.Beacon().Chain)
			}
		}
		if b := nodes[0].Beacon(); b.ID != "kaibao-sandbox" || b.Period != 1 || b.Genesis != begun.Unix() {
			t.Errorf("%+v", b.Chain)
		}
	})
}

// No round can be had before its time by the node's clock, whatever the beacon's behavior.
func TestRoundsAreNotSignedEarly(t *testing.T) {
	eachWithClock(t, func(t *testing.T, o db.Options, clock *dbtest.Clock) {
		n := newNode(t, dbtest.Open(t, o), nil)
		b := n.Beacon()
		round := b.RoundOf(clock.Now(), 10)
		clock.Advance(b.Time(round).Sub(clock.Now()) - time.Microsecond)
		for _, behavior := range []rounds.Behavior{rounds.Silent, rounds.Late, rounds.Lying, rounds.Forked, rounds.Punctual} {
			n.behave(t, behavior)
			if status, _, _ := n.relayed(t, fmt.Sprint(round)); status != http.StatusNotFound {
				t.Errorf("%s, a microsecond early: %d", behavior, status)
			}
			status, newest, signature := n.relayed(t, "latest")
			if newest >= round || status == http.StatusOK && b.Verify(round, signature) == nil {
				t.Errorf("%s, a microsecond early: the latest round is %d", behavior, newest)
			}
		}
		clock.Advance(time.Microsecond)
		for _, name := range []string{fmt.Sprint(round), "latest"} {
			if status, got, signature := n.relayed(t, name); status != http.StatusOK || got != round || b.Verify(round, signature) != nil {
				t.Errorf("%s: %d, round %d", name, status, got)
			}
		}
		for _, name := range []string{"0", "-1", "x", fmt.Sprint(round + 1), "18446744073709551616"} {
			if status, _, _ := n.relayed(t, name); status != http.StatusNotFound {
				t.Errorf("round %s: %d", name, status)
			}
		}
		if status, _ := n.call(t, http.MethodGet, fmt.Sprintf("/sandbox/beacon/%064x/public/1", 1)); status != http.StatusNotFound {
			t.Errorf("another chain: %d", status)
		}
	})
}

// How the beacon behaves can be changed while nodes run. All nodes see it.
func TestSandboxBehaviors(t *testing.T) {
	eachWithClock(t, func(t *testing.T, o db.Options, clock *dbtest.Clock) {
		n, other := newNode(t, dbtest.Open(t, o), nil), newNode(t, dbtest.Open(t, o), nil)
		b := n.Beacon()
		clock.Advance(time.Minute)
		round := b.RoundOf(clock.Now(), 0)
		for _, c := range []struct {
			rounds.Behavior
			newest, of uint64 // the latest round, and whose signature it has; 0 = none
		}{
			{rounds.Punctual, round, round}, {rounds.Silent, 0, 0}, {rounds.Late, round - 5, round - 5},
			{rounds.Lying, round, round - 1}, {rounds.Forked, round, 0}, {rounds.Punctual, round, round},
		} {
			n.behave(t, c.Behavior)
			status, newest, signature := other.relayed(t, "latest")
			if (status == http.StatusOK) != (c.newest > 0) || newest != c.newest {
				t.Errorf("%s: %d, the latest round is %d", c.Behavior, status, newest)
			}
			if c.of > 0 && b.Verify(c.of, signature) != nil || c.of == 0 && b.Verify(round, signature) == nil {
				t.Errorf("%s: the signature isn't that of round %d", c.Behavior, c.of)
			}
		}
		if status, _ := n.call(t, http.MethodPost, "/sandbox/beacon/dancing"); status != http.StatusNotFound {
			t.Errorf("an unknown behavior: %d", status)
		}
		fixed := newNode(t, dbtest.Open(t, o), func(o *rounds.Options) { o.Steerable = false })
		if status, _ := fixed.call(t, http.MethodPost, "/sandbox/beacon/silent"); status == http.StatusNoContent {
			t.Error("the beacon can be steered")
		}
	})
}

// A round of the sandbox's beacon is fetched like any other, once its time has come by the given clock.
func TestFetchFromTheSandbox(t *testing.T) {
	eachWithClock(t, func(t *testing.T, o db.Options, clock *dbtest.Clock) {
		n := newNode(t, dbtest.Open(t, o), nil)
		b := n.Beacon()
		round := b.RoundOf(clock.Now(), 3)
		type result struct {
			protocol.Signature
			error
		}
		fetched := make(chan result, 1)
		fetch := func(ctx context.Context) {
			signature, err := n.Fetch(ctx, b.Hash(), round)
			fetched <- result{signature, err}
		}
		ctx, end := context.WithCancel(t.Context())
		go fetch(ctx)
		end()
		if r := <-fetched; !errors.Is(r.error, context.Canceled) {
			t.Errorf("before its time: %v", r.error)
		}
		go fetch(t.Context())
		clock.Advance(b.Time(round).Add(400 * time.Millisecond).Sub(clock.Now()))
		r := <-fetched
		if r.error != nil || b.Verify(round, r.Signature) != nil {
			t.Errorf("%x, %v", r.Signature, r.error)
		}
		for _, behavior := range []rounds.Behavior{rounds.Silent, rounds.Late} {
			n.behave(t, behavior)
			ctx, end := context.WithTimeout(t.Context(), 500*time.Millisecond)
			_, err := n.Fetch(ctx, b.Hash(), round)
			end()
			if !errors.Is(err, context.DeadlineExceeded) || n.invalid() > 0 {
				t.Errorf("%s: %v, %d invalid signatures", behavior, err, n.invalid())
			}
		}
		for _, behavior := range []rounds.Behavior{rounds.Lying, rounds.Forked} {
			n.behave(t, behavior)
			before := n.invalid()
			ctx, end := context.WithCancel(t.Context())
			go fetch(ctx)
			tick := time.NewTicker(10 * time.Millisecond)
			for n.invalid() == before && t.Context().Err() == nil {
				<-tick.C
			}
			tick.Stop()
			end()
			if r := <-fetched; !errors.Is(r.error, context.Canceled) {
				t.Errorf("%s: %x, %v", behavior, r.Signature, r.error)
			}
		}
	})
}

// invalid returns how many signatures of the sandbox's beacon were invalid.
func (n node) invalid() int64 { return n.State().Invalid["sandbox-beacon.invalid"] }

// A node checks its clock while a sealed pack is on sale.
func TestClockIsCheckedWhileAPackIsActive(t *testing.T) {
	eachWithClock(t, func(t *testing.T, o db.Options, clock *dbtest.Clock) {
		active, failing := false, error(nil)
		n := newNode(t, dbtest.Open(t, o), func(o *rounds.Options) {
			o.Active = func(*db.Tx) (bool, error) { return active, failing }
		})
		check := n.Jobs()[0].Do
		clock.Advance(time.Minute)
		if _, err := check(t.Context()); err != nil || n.State().Active || n.State().Checks != 0 || !apperr.IsCode(n.ClockReady(), apperr.SealedPaused) {
			t.Errorf("without a sealed pack: %v, %+v", err, n.State())
		}
		failing = errors.New("no such table")
		if _, err := check(t.Context()); !errors.Is(err, failing) {
			t.Errorf("an error of the lookup: %v", err)
		}
		active, failing = true, nil
		// A tick of the clock for each request ends the check at the next round.
		checked := make(chan error, 1)
		go func() {
			_, err := check(t.Context())
			for err != nil && t.Context().Err() == nil { // a busy machine may need more than a second
				_, err = check(t.Context())
			}
			checked <- err
		}()
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for done := false; !done; {
			select {
			case err := <-checked:
				if err != nil {
					t.Error(err)
				}
				done = true
			case <-tick.C:
				clock.Advance(20 * time.Millisecond)
			}
		}
		state := n.State()
		if err := n.ClockReady(); err != nil || !state.Active || !state.ClockReady || state.Checks != 1 || state.Lateness == nil || *state.Lateness > time.Second {
			t.Errorf("%v, %+v", err, state)
		}
		clock.Advance(4*time.Second + time.Microsecond)
		if err := n.ClockReady(); !apperr.IsCode(err, apperr.SealedPaused) || apperr.As(err).RetryAfter != time.Second {
			t.Errorf("after 4 periods: %v", err)
		}
		n.behave(t, rounds.Silent)
		if _, err := check(t.Context()); err == nil {
			t.Error("a silent beacon was checked")
		}
	})
}

// A round is stored once. Another signature for it is refused.
func TestStoredRounds(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		signer, err := beacon.NewSigner([32]byte{1})
		if err != nil {
			t.Fatal(err)
		}
		chain, want := [32]byte{1}, signer.Sign(7)
		stored := func(chain [32]byte, round uint64) (signature protocol.Signature, ok bool) {
			t.Helper()
			if err := d.Read(t.Context(), func(tx *db.Tx) (err error) {
				signature, ok, err = rounds.Stored(tx, chain, round)
				return err
			}); err != nil {
				t.Fatal(err)
			}
			return signature, ok
		}
		store := func(signature protocol.Signature) error {
			return d.InTx(t.Context(), func(tx *db.Tx) error { return rounds.Store(tx, chain, 7, signature) })
		}
		if _, ok := stored(chain, 7); ok {
			t.Error("it is stored already")
		}
		for range 2 {
			if err := store(want); err != nil {
				t.Fatal(err)
			}
		}
		if err := store(signer.Sign(8)); err == nil {
			t.Error("another signature was stored")
		}
		if got, ok := stored(chain, 7); !ok || got != want {
			t.Errorf("%x, %t", got, ok)
		}
		for _, c := range []struct {
			chain [32]byte
			round uint64
		}{{chain, 8}, {[32]byte{2}, 7}} {
			if _, ok := stored(c.chain, c.round); ok {
				t.Errorf("%+v is stored", c)
			}
		}
		if err := d.InTx(t.Context(), func(tx *db.Tx) error { _, err := tx.Exec(`DELETE FROM beacon_rounds`); return err }); err == nil {
			t.Error("a round was deleted")
		}
	})
}

// Beacons are described in the form that verifiers read. The description has the chain's hash.
func TestBeaconDescriptions(t *testing.T) {
	eachWithClock(t, func(t *testing.T, o db.Options, _ *dbtest.Clock) {
		d := dbtest.Open(t, o)
		other := rounds.New(rounds.Options{DB: d}) // not a sandbox
		missing := func(hash [32]byte) {
			t.Helper()
			if err := d.Read(t.Context(), func(tx *db.Tx) error { _, err := rounds.Description(tx, hash); return err }); !errors.Is(err, db.ErrNoRow) {
				t.Errorf("the description of %x: %v", hash, err)
			}
		}
		missing([32]byte{1})
		n := newNode(t, d, nil)
		for _, b := range []*beacon.Beacon{beacon.Quicknet(), n.Beacon()} {
			var stored []byte
			if err := d.Read(t.Context(), func(tx *db.Tx) (err error) {
				stored, err = rounds.Description(tx, b.Hash())
				return err
			}); err != nil {
				t.Fatal(err)
			}
			status, served := n.call(t, http.MethodGet, fmt.Sprintf("/api/fairness/beacons/%x", b.Hash()))
			if status != http.StatusOK {
				t.Errorf("%s: %d %s", b.ID, status, served)
			}
			for from, text := range map[string][]byte{"the database": stored, "the API": served} {
				var chain beacon.Chain
				if err := json.Unmarshal(text, &chain); err != nil || chain != b.Chain || chain.Hash() != b.Hash() {
					t.Errorf("%s from %s: %s, %v", b.ID, from, text, err)
				}
			}
		}
		missing([32]byte{1})
		for _, name := range []string{"x", fmt.Sprintf("%064x", 1), fmt.Sprintf("%X", n.Beacon().Hash()), fmt.Sprintf("%x00", n.Beacon().Hash())} {
			if status, body := n.call(t, http.MethodGet, "/api/fairness/beacons/"+name); status != http.StatusNotFound && len(name) <= 64 || status == http.StatusOK {
				t.Errorf("%s: %d %s", name, status, body)
			}
		}
		if other.Known(n.Beacon().Hash()) != nil || other.Beacon() != beacon.Quicknet() {
			t.Error("outside a sandbox, its beacon is known")
		}
	})
}
