package app_test

import (
	"net/http"
	"sync"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db/dbtest"
)

// jackpot is a new item, and a pack that draws nothing else for a dollar. Its first value is the
// highest there is; what it was set to later is a dollar.
func (w *roadWorld) jackpot(t *testing.T) (item, pack string) {
	t.Helper()
	var i, p struct{ ID string }
	w.admin.Post(t, "/api/admin/items", asked{"name": "Jackpot", "series": "Jackpot", "rarity": "Grail", "baseValueCents": 1_000_000_00}).Want(t, http.StatusOK, &i)
	w.admin.Post(t, "/api/admin/items", asked{"name": "Filler", "series": "Filler", "rarity": "Grail", "baseValueCents": 100}).Want(t, http.StatusOK, nil)
	alone(t, w.set(t, i.ID, 100))
	w.makePack(t, 100, asked{"series": []string{"Jackpot"}, "lootTableJson": asked{"rarities": asked{"Grail": 1.0}, "itemsPerPack": 1}}).Want(t, http.StatusOK, &p)
	return i.ID, p.ID
}

// The margin guard judges older odds by the values of the next ones. Where those hold the item
// no more, they would tell nothing of its new value.
func TestNoValueRisesBehindTheMarginGuard(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		w := &roadWorld{Server: s, clock: clock, admin: s.Admin(t), second: s.Admin(t), user: s.SignIn(t)}
		item, pack := w.jackpot(t)
		raise := asked{"baseValueCents": 1_000_000_00, "source": "An auction", "reason": "A slip.", "isActive": false}
		w.admin.Call(t, http.MethodPatch, "/api/admin/items/"+item, raise).Refused(t, http.StatusConflict, "conflict")
		alone(t, w.admin.Call(t, http.MethodPatch, "/api/admin/packs/"+pack, asked{"series": []string{"Filler"}}))
		w.set(t, item, 1_000_000_00).Refused(t, http.StatusConflict, "conflict")
		w.admin.Post(t, "/api/admin/catalogue/import", asked{"format": "csv", "reason": "A list.",
			"text": "id,name,series,rarity,baseValueCents\n" + item + ",Jackpot,Jackpot,Grail,100000000\n"}).Refused(t, http.StatusConflict, "conflict")
		w.user.Deposit(t, 10)
		w.user.Post(t, "/api/packs/"+pack+"/open", asked{"clientSeed": "x"}).Want(t, http.StatusOK, nil)
		// Nobody draws it any more: it is worth what it was, and who has it waits for a second admin.
		clock.Advance(30 * time.Minute)
		w.admin.SignIn(t)
		w.second.SignIn(t)
		w.later(t, w.set(t, item, 1_000_000_00))
		s.Audit(t)
	})
}

// A loss is accepted for the odds that two admins saw, before and after it was approved.
func TestALossIsAcceptedForItsOdds(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		w := &roadWorld{Server: s, clock: clock, admin: s.Admin(t), second: s.Admin(t), user: s.SignIn(t)}
		_, pack := w.jackpot(t)
		lose := asked{"priceCents": 80, "acceptedLossCents": 20_000_00, "isActive": true}
		ids := asks(t, w.admin.Call(t, http.MethodPatch, "/api/admin/packs/"+pack, lose))
		alone(t, w.admin.Call(t, http.MethodPatch, "/api/admin/packs/"+pack, asked{"priceCents": 1}))
		approve := asked{"decision": "approve", "reason": "It is a sale."}
		w.second.Post(t, "/api/admin/approvals/"+ids[0], approve).Refused(t, http.StatusConflict, "request_outdated")
		w.second.Post(t, "/api/admin/approvals/"+ids[0], asked{"decision": "refuse", "reason": "It is another pack."}).Want(t, http.StatusOK, nil)
		lose["priceCents"] = 70
		w.later(t, w.admin.Call(t, http.MethodPatch, "/api/admin/packs/"+pack, lose))
		w.admin.Call(t, http.MethodPatch, "/api/admin/packs/"+pack, asked{"priceCents": 1}).Refused(t, http.StatusConflict, "margin")
		s.Audit(t)
	})
}

// Opens under way while a value is put back are counted: whoever draws the item then would gain.
func TestOpensUnderWayCountForARaise(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		w := &roadWorld{Server: s, clock: clock, admin: s.Admin(t), second: s.Admin(t), user: s.SignIn(t)}
		item, pack := w.jackpot(t)
		friends := make([]*apptest.Client, 4)
		for n := range friends {
			friends[n] = s.SignIn(t)
			friends[n].Deposit(t, 100)
		}
		for range 10 {
			clock.Advance(time.Second)
			var all sync.WaitGroup
			opens, raised := make([]apptest.Answer, len(friends)), apptest.Answer{}
			for n, f := range friends {
				all.Go(func() { opens[n] = f.Post(t, "/api/packs/"+pack+"/open", asked{"clientSeed": "x"}) })
			}
			all.Go(func() { raised = w.set(t, item, 1_000_000_00) })
			all.Wait()
			for _, open := range opens {
				if open.Status == http.StatusOK && raised.Status == http.StatusOK && len(asks(t, raised)) == 0 {
					t.Fatal("a value rose alone while the item was drawn by its old one")
				}
			}
			if raised.Status != http.StatusOK || len(asks(t, raised)) > 0 {
				continue // it waits from now on
			}
			alone(t, w.set(t, item, 100))
			clock.Advance(30 * time.Minute)
			for _, c := range friends {
				c.SignIn(t)
			}
			w.admin.SignIn(t)
		}
		s.Settle(t)
		s.Audit(t)
	})
}
