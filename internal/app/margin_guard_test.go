package app_test

import (
	"net/http"
	"sync"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db/dbtest"
)

// jackpot creates an item and a $1 pack that draws only this item. The item's first value is the
// maximum; it is now worth $1.
func (w *approvalTest) jackpot(t *testing.T) (item, pack string) {
	t.Helper()
	var i, p struct{ ID string }
	w.admin.Post(t, "/api/admin/items", payload{"name": "Jackpot", "series": "Jackpot", "rarity": "Grail", "baseValueCents": 1_000_000_00}).Want(t, http.StatusOK, &i)
	w.admin.Post(t, "/api/admin/items", payload{"name": "Filler", "series": "Filler", "rarity": "Grail", "baseValueCents": 100}).Want(t, http.StatusOK, nil)
	wantNoApproval(t, w.setValue(t, i.ID, 100))
	w.createPack(t, 100, payload{"series": []string{"Jackpot"}, "lootTableJson": payload{"rarities": payload{"Grail": 1.0}, "itemsPerPack": 1}}).Want(t, http.StatusOK, &p)
	return i.ID, p.ID
}

// A still-honored manifest is checked with the values of its successor. An item missing there can't
// be checked, so its value must not rise.
func TestValueRisesCannotBypassTheMarginGuard(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		w := &approvalTest{Server: s, clock: clock, admin: s.Admin(t), second: s.Admin(t), user: s.SignIn(t)}
		item, pack := w.jackpot(t)
		raise := payload{"baseValueCents": 1_000_000_00, "source": "An auction", "reason": "A slip.", "isActive": false}
		w.admin.Call(t, http.MethodPatch, "/api/admin/items/"+item, raise).Refused(t, http.StatusConflict, "conflict")
		wantNoApproval(t, w.admin.Call(t, http.MethodPatch, "/api/admin/packs/"+pack, payload{"series": []string{"Filler"}}))
		w.setValue(t, item, 1_000_000_00).Refused(t, http.StatusConflict, "conflict")
		w.admin.Post(t, "/api/admin/catalogue/import", payload{"format": "csv", "reason": "A list.",
			"text": "id,name,series,rarity,baseValueCents\n" + item + ",Jackpot,Jackpot,Grail,100000000\n"}).Refused(t, http.StatusConflict, "conflict")
		w.user.Deposit(t, 10)
		w.user.Post(t, "/api/packs/"+pack+"/open", payload{"clientSeed": "x"}).Want(t, http.StatusOK, nil)
		// The item can no longer be drawn. Its value may rise, but with owners that needs a second
		// admin.
		clock.Advance(30 * time.Minute)
		w.admin.SignIn(t)
		w.second.SignIn(t)
		w.wantApproval(t, w.setValue(t, item, 1_000_000_00))
		s.Audit(t)
	})
}

// An accepted loss applies only to the odds that two admins saw, before and after its approval.
func TestAcceptedLossAppliesToItsOddsOnly(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		w := &approvalTest{Server: s, clock: clock, admin: s.Admin(t), second: s.Admin(t), user: s.SignIn(t)}
		_, pack := w.jackpot(t)
		lose := payload{"priceCents": 80, "acceptedLossCents": 20_000_00, "isActive": true}
		ids := approvalIDs(t, w.admin.Call(t, http.MethodPatch, "/api/admin/packs/"+pack, lose))
		wantNoApproval(t, w.admin.Call(t, http.MethodPatch, "/api/admin/packs/"+pack, payload{"priceCents": 1}))
		approve := payload{"decision": "approve", "reason": "It is a sale."}
		w.second.Post(t, "/api/admin/approvals/"+ids[0], approve).Refused(t, http.StatusConflict, "request_outdated")
		w.second.Post(t, "/api/admin/approvals/"+ids[0], payload{"decision": "refuse", "reason": "It is another pack."}).Want(t, http.StatusOK, nil)
		lose["priceCents"] = 70
		w.wantApproval(t, w.admin.Call(t, http.MethodPatch, "/api/admin/packs/"+pack, lose))
		w.admin.Call(t, http.MethodPatch, "/api/admin/packs/"+pack, payload{"priceCents": 1}).Refused(t, http.StatusConflict, "margin")
		s.Audit(t)
	})
}

// Concurrent opens count when a value is restored, because users who draw the item then would gain.
func TestConcurrentOpensCountForARaise(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		w := &approvalTest{Server: s, clock: clock, admin: s.Admin(t), second: s.Admin(t), user: s.SignIn(t)}
		item, pack := w.jackpot(t)
		players := make([]*apptest.Client, 4)
		for n := range players {
			players[n] = s.SignIn(t)
			players[n].Deposit(t, 100)
		}
		for range 10 {
			clock.Advance(time.Second)
			var all sync.WaitGroup
			opens, raised := make([]apptest.Answer, len(players)), apptest.Answer{}
			for n, f := range players {
				all.Go(func() { opens[n] = f.Post(t, "/api/packs/"+pack+"/open", payload{"clientSeed": "x"}) })
			}
			all.Go(func() { raised = w.setValue(t, item, 1_000_000_00) })
			all.Wait()
			for _, open := range opens {
				if open.Status == http.StatusOK && raised.Status == http.StatusOK && len(approvalIDs(t, raised)) == 0 {
					t.Fatal("one admin raised a value while the item was drawn at its old value")
				}
			}
			if raised.Status != http.StatusOK || len(approvalIDs(t, raised)) > 0 {
				continue // from now on raises need approval
			}
			wantNoApproval(t, w.setValue(t, item, 100))
			clock.Advance(30 * time.Minute)
			for _, c := range players {
				c.SignIn(t)
			}
			w.admin.SignIn(t)
		}
		s.WaitForLog(t)
		s.Audit(t)
	})
}
