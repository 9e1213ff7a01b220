package approval_test

import (
	"net/http"
	"sync"
	"testing"

	"kaibao/internal/app/apptest"
	"kaibao/internal/approval"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/policy"
)

type request struct {
	ID, Kind, Subject, Reason, AskedBy, State, DecidedBy, Decision string
	Payload                                                        struct {
		Amount            float64
		AcceptedLossCents int64
	}
}

func credit(t *testing.T, admin, to *apptest.Client, dollars int) request {
	t.Helper()
	var response struct {
		Success     bool
		Transaction *struct{ ID string }
		Approval    request
	}
	admin.Post(t, "/api/wallet/deposit/manual", apptest.Body{"amount": dollars, "walletAddress": to.Address, "reason": "a prize"}).Want(t, http.StatusOK, &response)
	if response.Success || response.Transaction != nil || response.Approval.State != "pending" {
		t.Fatalf("a credit of %d returned %+v, want a pending request", dollars, response)
	}
	return response.Approval
}

func decide(t *testing.T, admin *apptest.Client, r request, decision string) apptest.Answer {
	t.Helper()
	return admin.Post(t, "/api/admin/approvals/"+r.ID, apptest.Body{"decision": decision, "reason": "I looked."})
}

func balance(t *testing.T, c *apptest.Client) int64 {
	return apptest.Get[struct{ BalanceCents int64 }](t, c, "/api/wallet").BalanceCents
}

func waiting(t *testing.T, admin *apptest.Client) int64 {
	return apptest.Get[struct{ Totals struct{ Approvals int64 } }](t, admin, "/api/admin/metrics").Totals.Approvals
}

// Credits above the daily total need approval, even if split up. Only another admin can approve,
// and only once.
func TestLargeCreditNeedsAnotherAdmin(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann, ben, user, second := s.Admin(t), s.Admin(t), s.SignIn(t), s.SignIn(t)
		ann.Post(t, "/api/wallet/deposit/manual", apptest.Body{"amount": 400, "walletAddress": user.Address, "reason": "a prize"}).Want(t, http.StatusOK, nil)
		r := credit(t, ann, user, 101)
		ann.Post(t, "/api/wallet/deposit/manual", apptest.Body{"amount": 101, "walletAddress": user.Address, "reason": "again"}).Refused(t, http.StatusConflict, "request_waiting")
		if r.Kind != "credit" || r.Subject != "user "+apptest.Get[struct{ ID string }](t, user, "/api/auth/user").ID || r.AskedBy != ann.Address || r.Payload.Amount != 101 || waiting(t, ben) != 1 {
			t.Errorf("request %+v", r)
		}
		decide(t, ann, r, "approve").Refused(t, http.StatusForbidden, "forbidden")
		user.Get(t, "/api/admin/approvals").Refused(t, http.StatusForbidden, "forbidden")
		user.Post(t, "/api/admin/approvals/"+r.ID, apptest.Body{"decision": "approve", "reason": "me"}).Refused(t, http.StatusForbidden, "forbidden")
		if balance(t, user) != 400_00 {
			t.Errorf("balance before approval %d", balance(t, user))
		}
		var all sync.WaitGroup
		answers := make([]apptest.Answer, 4)
		for n := range answers {
			all.Go(func() { answers[n] = decide(t, ben, r, "approve") })
		}
		all.Wait()
		approved := 0
		for _, a := range answers {
			if a.Status == http.StatusOK {
				approved++
			} else {
				a.Refused(t, http.StatusConflict, "conflict")
			}
		}
		if approved != 1 || balance(t, user) != 501_00 || waiting(t, ann) != 0 {
			t.Errorf("approved %d times, the balance is %d", approved, balance(t, user))
		}
		refused := credit(t, ann, second, 600)
		decide(t, ben, refused, "refuse").Want(t, http.StatusOK, &refused)
		decide(t, ben, refused, "approve").Refused(t, http.StatusConflict, "conflict")
		if refused.State != "refused" || refused.DecidedBy != ben.Address || refused.Decision != "I looked." || balance(t, second) != 0 {
			t.Errorf("refused request %+v, balance %d", refused, balance(t, second))
		}
		steps := apptest.Get[[]struct{ Act, WalletAddress string }](t, ann, "/api/admin/audit?subject=approval")
		if len(steps) != 4 || steps[3].Act != "ask-approval" || steps[3].WalletAddress != ann.Address || steps[2].Act != "decide-approval" || steps[2].WalletAddress != ben.Address {
			t.Errorf("the admin log has %+v", steps)
		}
		if found := apptest.Get[[]request](t, ann, "/api/admin/approvals?state=approved"); len(found) != 1 || found[0].ID != r.ID {
			t.Errorf("approved requests %+v", found)
		}
		s.Audit(t)
	})
}

// An admin can neither ask for nor approve a credit to themselves.
func TestAdminCannotCreditThemselves(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann, ben, cat := s.Admin(t), s.Admin(t), s.Admin(t)
		for _, dollars := range []int{1, 600} {
			ann.Post(t, "/api/wallet/deposit/manual", apptest.Body{"amount": dollars, "walletAddress": ann.Address, "reason": "a prize"}).
				Refused(t, http.StatusForbidden, "own_interest")
		}
		r := credit(t, ann, ben, 600)
		decide(t, ben, r, "approve").Refused(t, http.StatusForbidden, "own_interest")
		if balance(t, ann) != 0 || balance(t, ben) != 0 || waiting(t, cat) != 1 {
			t.Errorf("balances %d and %d, %d pending requests", balance(t, ann), balance(t, ben), waiting(t, cat))
		}
		decide(t, cat, r, "approve").Want(t, http.StatusOK, nil)
		if balance(t, ben) != 600_00 {
			t.Errorf("balance after approval %d", balance(t, ben))
		}
		s.Audit(t)
	})
}

// A former admin can't approve, requests of a former admin can't be approved, and old requests
// expire.
func TestFormerAdminsAndExpiredRequests(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		ann, ben, user := s.Admin(t), s.Admin(t), s.SignIn(t)
		role := func(c *apptest.Client, to string) {
			t.Helper()
			if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
				return tx.ExecOne(`UPDATE users SET role = $2 WHERE wallet_address = $1`, c.Address, to)
			}); err != nil {
				t.Fatal(err)
			}
		}
		r := credit(t, ann, user, 600)
		role(ben, "user")
		decide(t, ben, r, "approve").Refused(t, http.StatusForbidden, "forbidden")
		role(ben, "admin")
		role(ann, "user")
		decide(t, ben, r, "approve").Refused(t, http.StatusConflict, "conflict")
		role(ann, "admin")
		clock.Advance(policy.ApprovedWithin)
		ben.SignIn(t)
		decide(t, ben, r, "approve").Refused(t, http.StatusConflict, "conflict")
		for range 2 {
			if err := s.DB.InTx(t.Context(), approval.Expire); err != nil {
				t.Fatal(err)
			}
		}
		if found := apptest.Get[[]request](t, ben, "/api/admin/approvals"); len(found) != 1 || found[0].State != "expired" {
			t.Errorf("requests %+v", found)
		}
		if steps := apptest.Get[[]struct{ Act, By string }](t, ben, "/api/admin/audit?act=expire-approval"); len(steps) != 1 || steps[0].By != "program" {
			t.Errorf("the admin log has %+v", steps)
		}
		ann.SignIn(t)
		again := credit(t, ann, user, 600)
		decide(t, ben, again, "approve").Want(t, http.StatusOK, nil)
		s.Audit(t)
	})
}

// A pack that may lose much is created off sale until another admin accepts the loss.
func TestLargeLossNeedsAnotherAdmin(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann, ben := s.Admin(t), s.Admin(t)
		body := apptest.Body{
			"name": "Generous", "priceCents": 100, "series": []string{"Starter"}, "acceptedLossCents": int64(policy.SandboxSoloLossLimit) + 1,
			"lootTableJson": apptest.Body{"rarities": apptest.Body{"Common": 0.9, "Rare": 0.1}, "itemsPerPack": 1},
		}
		var made struct {
			ID       string
			IsActive bool
			Approval request
		}
		ann.Post(t, "/api/admin/packs", body).Want(t, http.StatusOK, &made)
		if made.IsActive || made.Approval.Kind != "accept-loss" || made.Approval.Payload.AcceptedLossCents != int64(policy.SandboxSoloLossLimit)+1 {
			t.Errorf("created pack %+v", made)
		}
		user := s.SignIn(t)
		user.Deposit(t, 10)
		open := func() apptest.Answer {
			return user.Post(t, "/api/packs/"+made.ID+"/open", apptest.Body{"clientSeed": "x"})
		}
		open().Refused(t, http.StatusGone, "inactive")
		decide(t, ben, made.Approval, "approve").Want(t, http.StatusOK, nil)
		open().Want(t, http.StatusOK, nil)
		if acts := apptest.Get[[]struct{ Act string }](t, ben, "/api/admin/audit?subject=pack+"+made.ID); len(acts) != 2 || acts[0].Act != "accept-loss" {
			t.Errorf("the admin log has %+v", acts)
		}
		s.Audit(t)
	})
}

// Accepting a loss doesn't put the pack on sale, unless the request says so, for both new and
// edited packs.
func TestApprovedLossDoesNotStartSale(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann, ben := s.Admin(t), s.Admin(t)
		type pack struct {
			ID       string
			IsActive bool
			Approval *request
			Wanted   struct {
				IsActive          bool
				AcceptedLossCents int64
			}
		}
		var made pack
		ann.Post(t, "/api/admin/packs", apptest.Body{
			"name": "Generous", "priceCents": 100, "series": []string{"Starter"}, "acceptedLossCents": int64(policy.SandboxSoloLossLimit) + 1, "isActive": false,
			"lootTableJson": apptest.Body{"rarities": apptest.Body{"Common": 0.9, "Rare": 0.1}, "itemsPerPack": 1},
		}).Want(t, http.StatusOK, &made)
		if made.Approval == nil {
			t.Fatal("no approval was requested for a pack created off sale")
		}
		is := func(loss int64, onSale bool) {
			t.Helper()
			for _, p := range apptest.Get[[]pack](t, ann, "/api/admin/packs") {
				if p.ID == made.ID && (p.Wanted.IsActive != onSale || p.Wanted.AcceptedLossCents != loss) {
					t.Errorf("wanted state %+v, want on sale %t with a loss of %d", p.Wanted, onSale, loss)
				}
			}
		}
		edit := func(loss int64, changes apptest.Body) {
			t.Helper()
			changes["acceptedLossCents"], changes["reason"] = loss, "A drop."
			var edited pack
			ann.Call(t, http.MethodPatch, "/api/admin/packs/"+made.ID, changes).Want(t, http.StatusOK, &edited)
			decide(t, ben, *edited.Approval, "approve").Want(t, http.StatusOK, nil)
		}
		decide(t, ben, *made.Approval, "approve").Want(t, http.StatusOK, nil)
		is(int64(policy.SandboxSoloLossLimit)+1, false)
		edit(int64(policy.SandboxSoloLossLimit)+2, apptest.Body{})
		is(int64(policy.SandboxSoloLossLimit)+2, false)
		edit(int64(policy.SandboxSoloLossLimit)+3, apptest.Body{"isActive": true})
		is(int64(policy.SandboxSoloLossLimit)+3, true)
		edit(int64(policy.SandboxSoloLossLimit)+4, apptest.Body{})
		is(int64(policy.SandboxSoloLossLimit)+4, true)
		s.Audit(t)
	})
}
