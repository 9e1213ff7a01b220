package idempotency_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/idempotency"
)

const (
	deposit = "/api/wallet/deposit/manual"
	open    = "/api/packs/2/open" // costs $25
)

var (
	ten  = map[string]any{"amount": 10}
	seed = map[string]any{"clientSeed": "seed"}
)

func key(text string) []string { return []string{"Idempotency-Key", text} }

func wantBalance(t testing.TB, c *apptest.Client, cents int64) {
	t.Helper()
	var wallet struct{ BalanceCents int64 }
	c.Get(t, "/api/wallet").Want(t, http.StatusOK, &wallet)
	if wallet.BalanceCents != cents {
		t.Errorf("balance %d, want %d", wallet.BalanceCents, cents)
	}
}

// replays checks that a response repeats the first one, byte for byte.
func replays(t testing.TB, again, first apptest.Answer) {
	t.Helper()
	if again.Status != http.StatusOK || string(again.Body) != string(first.Body) || again.Header.Get("Idempotency-Replayed") != "true" ||
		again.Header.Get("Content-Type") != first.Header.Get("Content-Type") {
		t.Errorf("replayed: %d %v %s, first: %s", again.Status, again.Header, again.Body, first.Body)
	}
	if first.Header.Get("Idempotency-Replayed") != "" {
		t.Error("the first response has the header Idempotency-Replayed")
	}
}

func TestRetriesReplayTheResponse(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.SignIn(t)
		c.Deposit(t, 100)
		for _, call := range []struct {
			path string
			body any
		}{{deposit, ten}, {open, seed}} {
			first := c.Post(t, call.path, call.body, key(call.path)...)
			replays(t, c.Post(t, call.path, call.body, key(call.path)...), first)
		}
		wantBalance(t, c, 100_00+10_00-25_00)

		// Without a key every call acts.
		c.Deposit(t, 10)
		c.Deposit(t, 10)
		wantBalance(t, c, 105_00)
		s.Audit(t)
	})
}

// Concurrent requests with the same key get one response, even if the balance only covers one of
// them.
func TestConcurrentRetriesActOnce(t *testing.T) {
	const twins = 20
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for _, call := range []struct {
			path          string
			body          any
			before, after int64
		}{{deposit, ten, 1_00, 11_00}, {open, seed, 25_00, 0}} {
			c := s.SignIn(t)
			c.Deposit(t, int(call.before/100))
			var answers [twins]apptest.Answer
			var all sync.WaitGroup
			for n := range twins {
				all.Go(func() { answers[n], _ = c.Try(t.Context(), "POST", call.path, call.body, key("twins")...) })
			}
			all.Wait()
			acted := 0
			for _, a := range answers {
				if a.Status != http.StatusOK || string(a.Body) != string(answers[0].Body) {
					t.Errorf("answered %d %s, another request %s", a.Status, a.Body, answers[0].Body)
				}
				if a.Header.Get("Idempotency-Replayed") == "" {
					acted++
				}
			}
			if acted != 1 {
				t.Errorf("%d of %d requests acted, want 1", acted, twins)
			}
			wantBalance(t, c, call.after)
		}
		s.Audit(t)
	})
}

// A replayed response waits for PostgreSQL's synchronous standbys, as the first one did: its
// transaction locks the row that it found, so its commit waits. Otherwise a client whose first
// commit had an unknown outcome, because a standby didn't respond, would be told on retry that it
// succeeded.
func TestReplaysWaitForStandbys(t *testing.T) {
	eachWithNodes(t, func(t *testing.T, s, _ *apptest.Server) {
		c := s.SignIn(t)
		locked := func() (n int) {
			t.Helper()
			if err := s.DB.Read(t.Context(), func(tx *db.Tx) (err error) {
				n, err = db.One(tx, db.Column[int], `SELECT count(*) FROM idempotency WHERE xmax <> 0`)
				return err
			}); err != nil {
				t.Fatal(err)
			}
			return n
		}
		first := c.Post(t, deposit, ten, key("k")...)
		if n := locked(); n != 0 {
			t.Fatalf("%d responses are locked before any replay", n)
		}
		replays(t, c.Post(t, deposit, ten, key("k")...), first)
		if n := locked(); n != 1 {
			t.Errorf("%d responses are locked after a replay, want 1", n)
		}
	})
}

func TestKeysSurviveARestart(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			config := apptest.Config(t, engine)
			s := apptest.Start(t, config)
			c := s.SignIn(t)
			c.Deposit(t, 100)
			first := c.Post(t, open, seed, key("k")...)
			s.Stop()

			s = apptest.Start(t, config)
			c.Base = s.URL
			c.SignIn(t) // for the browser another port is another origin
			replays(t, c.Post(t, open, seed, key("k")...), first)
			wantBalance(t, c, 75_00)
			s.Audit(t)
		})
	}
}

func TestKeysHoldAcrossNodes(t *testing.T) {
	eachWithNodes(t, func(t *testing.T, one, two *apptest.Server) {
		c := one.SignIn(t)
		c.Deposit(t, 25)
		elsewhere := *c
		elsewhere.Base = two.URL
		elsewhere.SignIn(t)

		var answers [20]apptest.Answer
		var all sync.WaitGroup
		for n := range answers {
			node := []*apptest.Client{c, &elsewhere}[n%2]
			all.Go(func() { answers[n], _ = node.Try(t.Context(), "POST", open, seed, key("k")...) })
		}
		all.Wait()
		for _, a := range answers {
			if a.Status != http.StatusOK || string(a.Body) != string(answers[0].Body) {
				t.Errorf("answered %d %s, another request %s", a.Status, a.Body, answers[0].Body)
			}
		}
		wantBalance(t, &elsewhere, 0)
		one.Audit(t)
	})
}

// eachWithNodes runs test on the engines that several nodes can share.
func eachWithNodes(t *testing.T, test func(t *testing.T, one, two *apptest.Server)) {
	t.Helper()
	for _, engine := range dbtest.Engines() {
		if engine != "sqlite" {
			t.Run(engine, func(t *testing.T) {
				config := apptest.Config(t, engine)
				test(t, apptest.Start(t, config), apptest.Start(t, config))
			})
		}
	}
}

func TestAKeyIsRefusedForAnotherRequest(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.SignIn(t)
		first := c.Post(t, deposit, ten, key("k")...)
		for name, call := range map[string]struct {
			path string
			body any
		}{
			"another amount": {deposit, map[string]any{"amount": 20}},
			"another body":   {deposit, `{"amount": 10 }`},
			"another path":   {open, seed},
		} {
			t.Run(name, func(t *testing.T) {
				c.Post(t, call.path, call.body, key("k")...).Refused(t, http.StatusUnprocessableEntity, "idempotency_mismatch")
			})
		}
		replays(t, c.Post(t, deposit, ten, key("k")...), first)

		// Keys of different users are independent.
		other := s.SignIn(t)
		if a := other.Post(t, deposit, map[string]any{"amount": 30}, key("k")...); a.Status != 200 || a.Header.Get("Idempotency-Replayed") != "" {
			t.Errorf("another user's key: %d %s", a.Status, a.Body)
		}
		wantBalance(t, c, 10_00)
		wantBalance(t, other, 30_00)
	})
}

func TestARefusedRequestCanBeRetried(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.SignIn(t)
		for range 2 {
			c.Post(t, open, seed, key("k")...).Refused(t, http.StatusPaymentRequired, "insufficient_funds")
		}
		c.Deposit(t, 25)
		first := c.Post(t, open, seed, key("k")...)
		replays(t, c.Post(t, open, seed, key("k")...), first)
		wantBalance(t, c, 0)
	})
}

func TestKeysAreVisibleASCII(t *testing.T) {
	c := apptest.Start(t, apptest.Config(t, "sqlite", apptest.Empty)).SignIn(t)
	for text, status := range map[string]int{
		"!~":                     200,
		strings.Repeat("k", 128): 200,
		strings.Repeat("k", 129): 422,
		"two words":              422,
		"tab\there":              422,
		"schlüssel":              422,
		"钥匙":                     422,
	} {
		if a := c.Post(t, deposit, ten, key(text)...); a.Status != status {
			t.Errorf("key %q: %d %s", text, a.Status, a.Body)
		}
	}
	wantBalance(t, c, 20_00)
}

func TestResponsesExpireAfterSevenDays(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			clock := dbtest.NewClock()
			s := apptest.Start(t, apptest.Config(t, engine, apptest.Empty, apptest.At(clock)))
			c := s.SignIn(t)
			first := c.Post(t, deposit, ten, key("k")...)
			for _, c := range []struct {
				wait   time.Duration
				stored int
			}{{idempotency.KeyLifetime, 1}, {time.Microsecond, 0}} {
				clock.Advance(c.wait)
				if _, err := idempotency.Jobs(s.DB)[0].Do(t.Context()); err != nil {
					t.Fatal(err)
				}
				if n := stored(t, s.DB); n != c.stored {
					t.Errorf("%s later %d responses are stored, want %d", c.wait, n, c.stored)
				}
			}
			c.SignIn(t) // the session has expired
			second := c.Post(t, deposit, ten, key("k")...)
			if second.Header.Get("Idempotency-Replayed") != "" || string(second.Body) == string(first.Body) {
				t.Errorf("an expired key replayed %s", second.Body)
			}
			wantBalance(t, c, 20_00)
		})
	}
}

// stored counts the stored responses.
func stored(t *testing.T, d *db.DB) (n int) {
	t.Helper()
	err := d.Read(t.Context(), func(tx *db.Tx) (err error) {
		n, err = db.One(tx, db.Column[int], `SELECT COUNT(*) FROM idempotency`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// Text that one engine can't store is a client error on both.
func TestUnstorableTextIsAClientError(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.SignIn(t)
		for _, answer := range []apptest.Answer{
			c.Get(t, "/api/packs/%00"), c.Get(t, "/api/packs/%ff"), c.Get(t, "/api/opens/%00"), c.Get(t, "/api/items?search=%00"),
			c.Get(t, "/api/inventory/me?cursor=%00"), c.Post(t, "/api/packs/%00/open", seed),
			c.Post(t, open, `{"clientSeed":"a","manifest":"\u0000","commitment":"\u0000"}`),
		} {
			if answer.Status >= 500 {
				t.Errorf("answered %d %s", answer.Status, answer.Body)
			}
		}
	})
}
