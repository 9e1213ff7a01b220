package deposits_test

import (
	"net/http"
	"sync"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/deposits/sandbox"
)

// Nobody can credit points to a deleted account, within the daily total or beyond it. Nobody could
// use the points or take them back.
func TestDeletedUserIsNotCredited(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin, second, user := s.Admin(t), s.Admin(t), s.SignIn(t)
		var asked struct{ Approval struct{ ID string } }
		admin.Post(t, manualPath, jsonBody{"amount": 600, "walletAddress": user.Address, "reason": "a prize"}).Want(t, http.StatusOK, &asked)
		id := s.DeleteUser(t, user)
		second.Post(t, "/api/admin/approvals/"+asked.Approval.ID, jsonBody{"decision": "approve", "reason": "yes"}).Refused(t, http.StatusConflict, "conflict")
		for _, amount := range []int{3, 600} {
			admin.Post(t, manualPath, jsonBody{"amount": amount, "walletAddress": "deleted:" + id, "reason": "a prize"}).Refused(t, http.StatusConflict, "conflict")
		}
		s.Audit(t)
	})
}

// A credit that races with the deletion comes first and is given up, or is refused.
func TestCreditRacesWithDeletion(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin := s.Admin(t)
		for range 6 {
			user := s.SignIn(t)
			var all sync.WaitGroup
			for range 3 {
				all.Go(func() {
					a, err := admin.Try(t.Context(), http.MethodPost, manualPath, jsonBody{"amount": 3, "walletAddress": user.Address, "reason": "a prize"})
					if err != nil || a.Status != http.StatusOK && a.Status != http.StatusConflict && a.Status != http.StatusNotFound {
						t.Errorf("%d %s: %v", a.Status, a.Body, err)
					}
				})
			}
			s.DeleteUser(t, user)
			all.Wait()
			s.Audit(t)
		}
	})
}

// A payment that arrives after its user was deleted isn't lost: it waits for an admin, who can't
// credit it, but can refund it.
func TestLatePaymentOfDeletedUserIsRefunded(t *testing.T) {
	eachEngine(t, func(t *testing.T, node testNode) {
		node.changeProvider(func(behavior *sandbox.Behavior) { behavior.AcceptLate = true })
		user, other, admin := node.SignIn(t), node.SignIn(t), node.Admin(t)
		late := createDeposit(t, user, 10_00)
		node.clock.Advance(33 * time.Minute)
		late.waitForState(t, user, "expired")
		node.DeleteUser(t, user)
		payCharge(t, other, late, "pay")
		deposits := func() []deposit { return apptest.Get[[]deposit](t, admin, "/api/admin/deposits?state=review") }
		node.clock.Advance(10 * time.Minute)
		apptest.Until(t, "the payment is under review", func() bool { return len(deposits()) == 1 })
		resolve := func(action string) apptest.Answer {
			return admin.Post(t, "/api/admin/deposits/"+late.DepositID+"/resolve", jsonBody{"action": action, "reason": "The user is gone."})
		}
		resolve("credit").Refused(t, http.StatusConflict, "conflict")
		resolve("refund").Want(t, http.StatusOK, nil)
		if left := deposits(); len(left) != 0 {
			t.Errorf("after the refund, %+v are under review", left)
		}
	})
}
