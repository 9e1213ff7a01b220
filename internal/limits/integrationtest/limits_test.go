package integrationtest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
)

type body = apptest.Body

// price is the price of pack 2, in cents.
const price = 2500

type pulled struct {
	BalanceCents int64
	Items        []struct {
		InventoryID, ID               string
		BaseValueCents, SellBackCents int64
	}
}

func open(t *testing.T, c *apptest.Client) (p pulled) {
	t.Helper()
	c.Post(t, "/api/packs/2/open", body{"clientSeed": "x"}).Want(t, http.StatusOK, &p)
	return p
}

func balance(t *testing.T, c *apptest.Client) int64 {
	t.Helper()
	return apptest.Get[struct{ BalanceCents int64 }](t, c, "/api/wallet").BalanceCents
}

// set sets a limit; nil removes it.
func set(t *testing.T, c *apptest.Client, limit string, cents any) {
	t.Helper()
	c.Call(t, http.MethodPut, "/api/limits", body{"limits": []body{{"limit": limit, "cents": cents}}}).Want(t, http.StatusOK, nil)
}

type limit struct {
	Limit, RenewsAt      string
	Cents, LeftCents     *int64
	UsedCents            int64
	Wanted               *struct{ Cents *int64 }
	LimitCents           int64
	Timed, ConfirmFromAt string
}

func shownLimits(t *testing.T, c *apptest.Client) map[string]limit {
	t.Helper()
	all := map[string]limit{}
	for _, l := range apptest.Get[struct{ Limits []limit }](t, c, "/api/limits").Limits {
		all[l.Limit] = l
	}
	return all
}

// reached returns the limit in an error's details, the amount left, and when it renews.
func reached(t *testing.T, a apptest.Answer, code string) (name string, left int64, renews string) {
	t.Helper()
	var details struct {
		Limit, RenewsAt string
		LeftCents       int64
	}
	if err := json.Unmarshal(a.Refused(t, http.StatusForbidden, code).Details, &details); err != nil {
		t.Fatal(err)
	}
	return details.Limit, details.LeftCents, details.RenewsAt
}

// Of 100 concurrent opens on two nodes, exactly as many succeed as the limit allows.
func TestLimitHoldsAcrossNodes(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		other := s
		if s.DB.Engine() == "postgres" {
			other = apptest.Start(t, s.Config)
		}
		ann := s.SignIn(t)
		ann.Deposit(t, 5000)
		set(t, ann, "loss-day", 10*price+price-1)
		there := other.NewClient(t)
		there.Address, there.Key = ann.Address, ann.Key
		there.SignIn(t)
		answers := make([]apptest.Answer, 100)
		var all sync.WaitGroup
		for n := range answers {
			all.Go(func() {
				c := []*apptest.Client{ann, there}[n%2]
				answers[n], _ = c.Try(t.Context(), http.MethodPost, "/api/packs/2/open", body{"clientSeed": fmt.Sprint(n)})
			})
		}
		all.Wait()
		opened := 0
		for _, a := range answers {
			if a.Status == http.StatusOK {
				opened++
				continue
			}
			if name, left, _ := reached(t, a, "loss_limit"); name != "loss-day" || left != price-1 {
				t.Errorf("refused by %s, which leaves %d", name, left)
			}
		}
		if left := balance(t, ann); opened != 10 || left != 500_000-10*price {
			t.Errorf("%d opens, balance %d", opened, left)
		}
		if l := shownLimits(t, ann)["loss-day"]; l.UsedCents != 10*price || *l.LeftCents != price-1 {
			t.Errorf("counted as %+v", l)
		}
		s.Audit(t)
	})
}

func TestLimitsRenew(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		to := func(text string) {
			at, err := time.Parse(time.RFC3339Nano, text)
			if err != nil {
				t.Fatal(err)
			}
			clock.Advance(at.Sub(clock.Now()))
		}
		for _, c := range []struct{ limit, last, next string }{
			{"loss-day", "2026-03-04T23:59:59.999999Z", "2026-03-05T00:00:00Z"},
			{"loss-week", "2026-03-08T23:59:59.999999Z", "2026-03-09T00:00:00Z"},
			{"loss-month", "2026-03-31T23:59:59.999999Z", "2026-04-01T00:00:00Z"},
		} {
			ann := s.SignIn(t)
			ann.Deposit(t, 100)
			set(t, ann, c.limit, price)
			open(t, ann)
			to(c.last)
			ann.SignIn(t)
			name, left, renews := reached(t, ann.Post(t, "/api/packs/2/open", body{"clientSeed": "x"}), "loss_limit")
			if at, err := time.Parse(time.RFC3339, renews); err != nil || name != c.limit || left != 0 || at.Format(time.RFC3339) != c.next {
				t.Errorf("refused by %s, which leaves %d and renews at %s, want %s at %s", name, left, renews, c.limit, c.next)
			}
			to(c.next)
			open(t, ann)
		}
		s.Audit(t)
	})
}

// An act that waited for its account while later ones passed has an older time, and so does one
// after the clock was set back.
func TestActsDelayedPastMidnightCountOnce(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		ann := s.SignIn(t)
		ann.Deposit(t, 1000)
		midnight := clock.Now().Truncate(24*time.Hour).AddDate(0, 0, 1)
		for _, after := range []time.Duration{-4 * time.Second, time.Second, -3 * time.Second, 2 * time.Second, -2 * time.Second} {
			clock.Advance(midnight.Add(after).Sub(clock.Now()))
			p := open(t, ann)
			ann.Post(t, "/api/inventory/sell-back", body{"inventoryIds": []string{p.Items[0].InventoryID}}).Want(t, http.StatusOK, nil)
			ann.Deposit(t, 10)
			s.Audit(t)
		}
	})
}

func TestPendingDepositsCountTowardTheLimit(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		ann := s.SignIn(t)
		ann.Deposit(t, 30)
		set(t, ann, "deposit-week", 100_00)
		var begun struct{ DepositID, ChargeToken string }
		ann.Post(t, "/api/wallet/deposits", body{"amountCents": 50_00}).Want(t, http.StatusOK, &begun)
		if name, left, _ := reached(t, ann.Post(t, "/api/wallet/deposits", body{"amountCents": 20_01}), "deposit_limit"); name != "deposit-week" || left != 20_00 {
			t.Errorf("refused by %s, which leaves %d", name, left)
		}
		reached(t, ann.Post(t, "/api/wallet/deposit/manual", body{"amount": 21}), "deposit_limit")
		ann.Deposit(t, 20)
		clock.Advance(30 * time.Minute) // expired, but a payment in time may still arrive
		reached(t, ann.Post(t, "/api/wallet/deposit/manual", body{"amount": 1}), "deposit_limit")
		clock.Advance(15 * time.Minute)
		apptest.Until(t, "the deposit has ended", func() bool {
			return apptest.Get[struct{ State string }](t, ann, "/api/wallet/deposits/"+begun.DepositID).State == "expired"
		})
		ann.Deposit(t, 50)
		reached(t, ann.Post(t, "/api/wallet/deposit/manual", body{"amount": 1}), "deposit_limit")
		open(t, ann) // reaching the limit is allowed
		s.Audit(t)
	})
}

func TestRaisingALimitNeedsADelayAndConfirmation(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		ann := s.SignIn(t)
		ann.Deposit(t, 500)
		confirm := func() apptest.Answer { return ann.Post(t, "/api/limits/confirm", body{"limit": "loss-month"}) }
		set(t, ann, "loss-month", 50_00)
		set(t, ann, "loss-month", nil)
		open(t, ann)
		open(t, ann)
		refused := func() { reached(t, ann.Post(t, "/api/packs/2/open", body{"clientSeed": "x"}), "loss_limit") }
		refused()
		confirm().Refused(t, http.StatusConflict, "too_early")
		clock.Advance(24*time.Hour - time.Microsecond)
		ann.SignIn(t)
		confirm().Refused(t, http.StatusConflict, "too_early")
		clock.Advance(time.Microsecond)
		refused() // unconfirmed
		confirm().Want(t, http.StatusOK, nil)
		confirm().Refused(t, http.StatusConflict, "conflict")
		open(t, ann)
		if l := shownLimits(t, ann)["loss-month"]; l.Cents != nil || l.Wanted != nil || l.UsedCents != 3*price {
			t.Errorf("after it was confirmed: %+v", l)
		}
		set(t, ann, "loss-month", 0) // immediate
		set(t, ann, "loss-month", 800_00)
		clock.Advance(8*24*time.Hour - time.Microsecond)
		ann.SignIn(t)
		if l := shownLimits(t, ann)["loss-month"]; l.Wanted == nil {
			t.Error("the request is gone before it has expired")
		}
		clock.Advance(time.Microsecond)
		confirm().Refused(t, http.StatusConflict, "conflict") // a week after it became confirmable
		if l := shownLimits(t, ann)["loss-month"]; l.Wanted != nil {
			t.Errorf("the expired request is shown: %+v", l.Wanted)
		}
		set(t, ann, "loss-month", 50_00)
		clock.Advance(8*24*time.Hour - time.Microsecond)
		ann.SignIn(t)
		confirm().Want(t, http.StatusOK, nil)
		set(t, ann, "loss-month", 0)
		refused()
		set(t, ann, "loss-month", 900_00)
		set(t, ann, "loss-month", 0) // cancels the request
		clock.Advance(25 * time.Hour)
		ann.SignIn(t)
		confirm().Refused(t, http.StatusConflict, "conflict")
		s.Audit(t)
		if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
			dbtest.AllowChanges(t, tx, s.DB.Engine(), "limit_acts")
			return tx.ExecOne(`UPDATE limit_acts SET created_at = created_at - 1 WHERE number = (SELECT MIN(number) FROM limit_acts WHERE act = 'confirm')`)
		}); err != nil {
			t.Fatal(err)
		}
		wantBreaches(t, s, "a higher limit must have been requested a day before its confirmation")
	})
}
