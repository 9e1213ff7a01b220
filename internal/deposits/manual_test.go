package deposits_test

import (
	"net/http"
	"sync"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db/dbtest"
)

const manualPath = "/api/wallet/deposit/manual"

type jsonBody map[string]any

func balance(t *testing.T, c *apptest.Client) int64 {
	t.Helper()
	var wallet struct{ BalanceCents int64 }
	c.Get(t, "/api/wallet").Want(t, http.StatusOK, &wallet)
	return wallet.BalanceCents
}

func TestAdminCreditIsInAdminLog(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, _ *dbtest.Clock) {
		admin, user := s.Admin(t), s.SignIn(t)
		credit := jsonBody{"amount": 12.5, "walletAddress": user.Address, "reason": "a prize"}
		first := admin.Post(t, manualPath, credit, "Idempotency-Key", "k")
		first.Want(t, http.StatusOK, nil)
		if again := admin.Post(t, manualPath, credit, "Idempotency-Key", "k"); string(again.Body) != string(first.Body) {
			t.Errorf("the repeated call responded %d %s", again.Status, again.Body)
		}
		for _, refused := range []jsonBody{
			{"amount": 1, "walletAddress": user.Address}, {"amount": 1, "walletAddress": user.Address, "reason": " "},
			{"amount": 10_001, "walletAddress": user.Address, "reason": "too much"},
		} {
			admin.Post(t, manualPath, refused).Refused(t, http.StatusUnprocessableEntity, "invalid")
		}
		admin.Post(t, manualPath, jsonBody{"amount": 1, "walletAddress": s.NewClient(t).Address, "reason": "who?"}).Refused(t, http.StatusNotFound, "not_found")
		user.Post(t, manualPath, credit).Refused(t, http.StatusForbidden, "forbidden")
		var adminLog []struct {
			Act, WalletAddress string
			Request            struct {
				Amount         float64
				UserID, Reason string
			}
		}
		admin.Get(t, "/api/admin/audit").Want(t, http.StatusOK, &adminLog)
		if len(adminLog) != 1 || adminLog[0].Act != "deposit-manual" || adminLog[0].WalletAddress != admin.Address ||
			adminLog[0].Request.UserID != apptest.Get[struct{ ID string }](t, user, "/api/auth/user").ID || adminLog[0].Request.Amount != 12.5 || adminLog[0].Request.Reason != "a prize" {
			t.Errorf("the admin log: %+v", adminLog)
		}
		if got := balance(t, user); got != 1250 {
			t.Errorf("the user has %d", got)
		}
		s.Audit(t)
	})
}

// An admin can give at most 100,000 in 24 hours, approved or not, and 500 of that without approval,
// however many requests run concurrently.
func TestAdminCreditsHaveCeiling(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		admin, other, user := s.Admin(t), s.Admin(t), s.SignIn(t)
		credit := func(c *apptest.Client, amount int) apptest.Answer {
			return c.Post(t, manualPath, jsonBody{"amount": amount, "walletAddress": user.Address, "reason": "a prize"})
		}
		approved := func(amount int) apptest.Answer {
			var waiting struct{ Approval struct{ ID string } }
			credit(admin, amount).Want(t, http.StatusOK, &waiting)
			return other.Post(t, "/api/admin/approvals/"+waiting.Approval.ID, jsonBody{"decision": "approve", "reason": "agreed"})
		}
		answers := make([]apptest.Answer, 4)
		var wg sync.WaitGroup
		for i := range answers {
			wg.Go(func() { answers[i] = credit(admin, 200) })
		}
		wg.Wait()
		total, waiting := 0, ""
		for _, a := range answers {
			var result struct {
				Success  bool
				Approval struct{ ID string }
			}
			if a.Status != http.StatusOK {
				a.Refused(t, http.StatusConflict, "request_waiting") // one is waiting already
				continue
			}
			a.Want(t, http.StatusOK, &result)
			if result.Success {
				total++
			} else {
				waiting += result.Approval.ID
			}
		}
		if total != 2 || balance(t, user) != 400_00 {
			t.Errorf("%d of 4 credits were given without approval, the user has %d", total, balance(t, user))
		}
		// Differently encoded paths are the same call.
		for _, path := range []string{"/api/wallet/deposit/m%61nual", "/api/wallet/%64eposit/manual"} {
			admin.Post(t, path, jsonBody{"amount": 101, "walletAddress": user.Address, "reason": "a prize"}).Refused(t, http.StatusConflict, "request_waiting")
		}
		admin.Post(t, "/api/wallet/deposit/m%61nual", jsonBody{"amount": 50, "walletAddress": user.Address, "reason": "a prize"}).Want(t, http.StatusOK, nil)
		other.Post(t, "/api/admin/approvals/"+waiting, jsonBody{"decision": "refuse", "reason": "enough"}).Want(t, http.StatusOK, nil)
		for range 9 {
			approved(10_000).Want(t, http.StatusOK, nil)
		}
		approved(9_550).Want(t, http.StatusOK, nil)
		credit(admin, 1).Refused(t, http.StatusForbidden, "forbidden")
		credit(other, 1).Want(t, http.StatusOK, nil)
		clock.Advance(24 * time.Hour)
		for _, c := range []*apptest.Client{admin, other, user} {
			c.SignIn(t) // the session has expired
		}
		approved(10_000).Want(t, http.StatusOK, nil)
		if got := balance(t, user); got != 110_001_00 {
			t.Errorf("the user has %d", got)
		}
		s.Audit(t)
	})
}
