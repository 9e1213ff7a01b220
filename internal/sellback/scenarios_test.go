package sellback_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
)

// The cases run one after the other on one server, each with its own users.
func TestSellBack(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		for _, c := range []struct {
			name string
			test func(*testing.T, *apptest.Server, *dbtest.Clock)
		}{
			{"sell back", testSellBack}, {"two devices", testTwoDevices}, {"a hundred entries", testHundredEntries}, {"end of the floor", testFloorEnd},
			{"value falls during sell-backs", testValueFallsDuringSellBacks}, {"worthless entry", testWorthlessEntry}, // last: a card stays worth one cent
		} {
			t.Run(c.name, func(t *testing.T) { c.test(t, s, clock) })
		}
	})
}

// The floor applies until the millisecond before its end.
func testFloorEnd(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
	admin := s.Admin(t)
	c, p := newCollector(t, s)
	for _, i := range p.Items[:2] {
		s.SetValue(t, admin, i.ID, 10)
	}
	clock.Advance(24*time.Hour - time.Millisecond)
	c.SignIn(t)
	if got := sell(t, c, p.Items[0].InventoryID); got.PayoutCents != p.Items[0].SellBackCents || got.Sold[0].Quote != "floor" {
		t.Errorf("in the floor's last millisecond sold for %+v, want %d by the floor", got, p.Items[0].SellBackCents)
	}
	clock.Advance(time.Millisecond)
	quoted := quote(t, c, p.Items[1].InventoryID)
	if got := sell(t, c, p.Items[1].InventoryID); quoted.Lines[0].FloorUntil != nil || quoted.TotalCents != 9 || got.PayoutCents != 9 || got.Sold[0].Quote != "value" {
		t.Errorf("at the floor's end sold for %+v, quoted %+v; want 9 by the value in both, and no floor", got, quoted)
	}
	s.Audit(t)
}

// Two devices sell the same entry or overlapping sets in different orders. Each entry is paid once.
func testTwoDevices(t *testing.T, s *apptest.Server, _ *dbtest.Clock) {
	c, p := newCollector(t, s)
	ids := p.ids()
	for round, sets := range [][2][]string{{ids[:1], ids[:1]}, {{ids[1], ids[2]}, {ids[2], ids[1]}}, {{ids[3], ids[4]}, {ids[4]}}} {
		before, statuses := balance(t, c), [2]int{}
		var both sync.WaitGroup
		for n, set := range sets {
			both.Go(func() {
				statuses[n] = c.Post(t, "/api/inventory/sell-back", payload{"inventoryIds": set}).Status
			})
		}
		both.Wait()
		slices.Sort(statuses[:])
		if statuses != [2]int{http.StatusOK, http.StatusConflict} {
			t.Errorf("round %d: statuses %v, want one 200 and one 409", round, statuses)
		}
		if balance(t, c) <= before {
			t.Errorf("round %d: no payout", round)
		}
	}
	s.Audit(t)
}

// A hundred entries are sold together or not at all. A refusal lists the entries that caused it.
func testHundredEntries(t *testing.T, s *apptest.Server, _ *dbtest.Clock) {
	c := s.SignIn(t)
	c.Deposit(t, 1000)
	var ids []string
	for range 20 {
		ids = append(ids, open(t, c, "demo-pack-1").ids()...)
	}
	_, others := newCollector(t, s)
	foreign, before := others.ids()[0], queryInt(t, s, `SELECT COUNT(*) FROM sell_backs`)
	wantRefusal := func(ids any, status int, code string, want ...string) {
		t.Helper()
		for _, path := range []string{"/api/inventory/quotes", "/api/inventory/sell-back"} {
			got := c.Post(t, path, payload{"inventoryIds": ids}).Refused(t, status, code)
			var details struct{ InventoryIDs []string }
			if len(want) > 0 && (json.Unmarshal(got.Details, &details) != nil || !slices.Equal(details.InventoryIDs, want)) {
				t.Errorf("%s names %s, want %v", path, got.Details, want)
			}
		}
	}
	wantRefusal(append(slices.Clone(ids[1:]), foreign), http.StatusNotFound, "not_found", foreign)
	wantRefusal([]string{"nothing"}, http.StatusNotFound, "not_found", "nothing")
	c.Post(t, "/api/marketplace/list", payload{"inventoryId": ids[7], "priceCents": 5, "confirmedCents": 5}).Want(t, http.StatusOK, nil)
	wantRefusal(ids, http.StatusConflict, "already_listed", ids[7])
	c.Post(t, "/api/marketplace/delist", payload{"inventoryId": ids[7]}).Want(t, http.StatusOK, nil)
	c.Post(t, "/api/inventory/quotes", payload{"inventoryIds": slices.Repeat(ids, 11)}).Refused(t, http.StatusUnprocessableEntity, "invalid")
	for _, invalid := range []any{[]string{}, []string{ids[0], ids[0]}, []any{ids[0], nil}, ids[0], nil} {
		wantRefusal(invalid, http.StatusUnprocessableEntity, "invalid")
	}
	c.Post(t, "/api/inventory/sell-back", payload{"inventoryIds": append(slices.Clone(ids), foreign)}).Refused(t, http.StatusUnprocessableEntity, "invalid")
	if n := queryInt(t, s, `SELECT COUNT(*) FROM sell_backs`) - before; n != 0 || balance(t, c) != 1000_00-20*25_00 {
		t.Errorf("refused calls sold %d entries and left a balance of %d; want none and %d", n, balance(t, c), 1000_00-20*25_00)
	}
	quoted := quote(t, c, ids...)
	if got := sell(t, c, ids...); got.PayoutCents != quoted.TotalCents || len(got.Sold) != 100 || balance(t, c) != got.BalanceCents {
		t.Errorf("sold %d for %d, quoted %d", len(got.Sold), got.PayoutCents, quoted.TotalCents)
	}
	wantRefusal(ids, http.StatusConflict, "already_sold", ids...)
	s.Audit(t)
}

// One card is corrected from $10 to $600, and later down again. Knowing an announced value early
// brings no gain: entries pay the old quote until no manifest with the old value can be drawn, and
// the pack pauses while it is expected to return more than it costs.
func TestAnnouncedValuesBringNoGain(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		addBox(t, s)
		admin, reader := s.Admin(t), s.SignIn(t)
		reader.Deposit(t, 2000)
		var low string // an entry
		var card string
		for low == "" {
			p := open(t, reader, "box")
			if p.Items[0].ID != "box-9" {
				low, card = p.Items[0].InventoryID, p.Items[0].ID
			} else {
				sell(t, reader, p.Items[0].InventoryID)
			}
		}
		s.SetValue(t, admin, card, 600_00)
		tryOpen := func() apptest.Answer { return reader.Post(t, "/api/packs/box/open", payload{"clientSeed": "x"}) }
		expectPaused := func(reason string) {
			t.Helper()
			tryOpen().Refused(t, http.StatusGone, "inactive")
			detail := apptest.Get[struct {
				IsActive bool
				Paused   string
			}](t, reader, "/api/packs/box")
			listed := apptest.Get[[]struct{ ID, Paused string }](t, admin, "/api/admin/packs")
			if detail.IsActive || !strings.Contains(detail.Paused, reason) || !slices.Contains(listed, struct{ ID, Paused string }{"box", detail.Paused}) {
				t.Errorf("pack detail %+v, admin list %+v; want the pack paused with %q in both", detail, listed, reason)
			}
		}
		expectPaused("is expected to return")
		clock.Advance(20*time.Minute - time.Millisecond)
		if got := quote(t, reader, low).TotalCents; got != 9_00 {
			t.Errorf("the rise counts too early: quote %d", got)
		}
		clock.Advance(time.Millisecond)
		if got := quote(t, reader, low).TotalCents; got != 540_00 {
			t.Errorf("the rise doesn't count: quote %d", got)
		}
		expectPaused("is expected to return") // now because of its own manifest

		// Only what Kaibao pays beyond the quote of the draw is booked.
		sell(t, reader, low)
		if n := queryInt(t, s, `SELECT beyond_quotes_cents FROM packs WHERE id = 'box'`); n != 540_00-9_00 {
			t.Errorf("%d cents were booked beyond quotes", n)
		}
		// A fall counts immediately, and the pack resumes once no manifest has the higher value.
		s.SetValue(t, admin, card, 10_00)
		expectPaused("is expected to return")
		clock.Advance(10 * time.Minute)
		tryOpen().Want(t, http.StatusOK, nil)
		s.Audit(t)
		s.VerifyLog(t)
	})
}

// Once the cheap cards are gone every roll would yield a grail: the pack pauses and resumes as soon
// as a card returns.
func TestPackOfGrailsPausesUntilCardsReturn(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		addBox(t, s)
		c := s.SignIn(t)
		c.Deposit(t, 5000)
		var cheap []string
		for len(cheap) < 8 {
			p := open(t, c, "box")
			if p.Items[0].ID == "box-9" {
				sell(t, c, p.Items[0].InventoryID)
			} else {
				cheap = append(cheap, p.Items[0].InventoryID)
			}
		}
		for n := range 3 {
			c.Post(t, "/api/packs/box/open", payload{"clientSeed": "x"}).Refused(t, http.StatusGone, "inactive")
			sell(t, c, cheap[n])
			back := open(t, c, "box")
			for back.Items[0].ID == "box-9" { // a one in ten chance
				sell(t, c, back.Items[0].InventoryID)
				back = open(t, c, "box")
			}
		}
		s.Audit(t)
		if report := s.VerifyLog(t); report.Stock < 3 {
			t.Errorf("%d stock changes in the log, want at least 3", report.Stock)
		}
	})
}

// A sold card returns to its pack's stock even if the pack is off sale, but not if the card was
// removed from the pack or is unlimited there.
func TestSoldCardsReturnToTheirPack(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		shop := addBox(t, s)
		c := s.SignIn(t)
		c.Deposit(t, 500)
		first, second := open(t, c, "box").Items[0], open(t, c, "box").Items[0]
		unlimited := open(t, c, "demo-pack-1").Items[0]
		left := func() int64 { return queryInt(t, s, `SELECT SUM(remaining) FROM stock WHERE pack_id = 'box'`) }
		exec := func(query string, args ...any) {
			if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
				if _, err := tx.Exec(query, args...); err != nil {
					return err
				}
				return shop.Publish(tx, "box")
			}); err != nil {
				t.Fatal(err)
			}
		}
		exec(`UPDATE packs SET is_active = FALSE WHERE id = 'box'`)
		sell(t, c, first.InventoryID, unlimited.InventoryID)
		if n := left(); n != 9 {
			t.Errorf("%d cards are left, want 9", n)
		}
		s.Audit(t)
		exec(`UPDATE items SET is_active = FALSE WHERE id = $1`, second.ID)
		sell(t, c, second.InventoryID)
		if n := left(); n != 9 {
			t.Errorf("%d cards are left, want 9: the returned card is no longer in the pack", n)
		}
		s.Audit(t)
		s.VerifyLog(t)
	})
}

// A value falls during two hundred concurrent sell-backs. Each pays by the old or the new value.
func testValueFallsDuringSellBacks(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
	admin, owners := s.Admin(t), make([]*apptest.Client, 8)
	held, byItem := make([][]entry, len(owners)), map[string]int{}
	for n := range owners {
		owners[n] = s.SignIn(t)
		owners[n].Deposit(t, 125)
		for range 5 {
			open(t, owners[n], "demo-pack-1")
		}
	}
	clock.Advance(25 * time.Hour) // after the floors have ended
	admin.SignIn(t)
	for n, c := range owners {
		c.SignIn(t)
		held[n] = apptest.Get[[]entry](t, c, "/api/inventory/me")
		for _, e := range held[n] {
			byItem[e.Item.ID]++
		}
	}
	falling := ""
	for id, n := range byItem {
		if n > byItem[falling] {
			falling = id
		}
	}
	old := apptest.Get[struct{ BaseValueCents int64 }](t, admin, "/api/items/"+falling).BaseValueCents
	var all sync.WaitGroup
	var answered atomic.Int32
	half := make(chan struct{})
	paid := make([][]int64, len(owners))
	for n, c := range owners {
		paid[n] = make([]int64, len(held[n]))
		for m, e := range held[n] {
			all.Go(func() {
				if m%2 == 1 {
					<-half
				}
				defer func() { // also after a failed sale, so that no one waits forever
					if answered.Add(1) == 50 {
						close(half)
					}
				}()
				paid[n][m] = sell(t, c, e.ID).PayoutCents
			})
		}
	}
	all.Go(func() {
		<-half
		s.SetValue(t, admin, falling, old/2)
	})
	all.Wait()
	outcomes := map[int64]int{}
	for n := range owners {
		for m, e := range held[n] {
			got, want := paid[n][m], e.Item.BaseValueCents*90/100
			if e.Item.ID == falling {
				outcomes[got]++
			} else if got != want {
				t.Errorf("%s paid %d, want %d", e.Item.ID, got, want)
			}
		}
	}
	for got := range outcomes {
		if got != old*90/100 && got != old/2*90/100 {
			t.Errorf("payout %d fits neither value %d nor %d", got, old, old/2)
		}
	}
	t.Log(fmt.Sprint(outcomes))
	s.Audit(t)
}

// An entry for which Kaibao would pay nothing is refused.
func testWorthlessEntry(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
	admin := s.Admin(t)
	c, p := newCollector(t, s)
	s.SetValue(t, admin, p.Items[0].ID, 1)
	clock.Advance(24 * time.Hour)
	c.SignIn(t)
	c.Post(t, "/api/inventory/sell-back", payload{"inventoryIds": p.ids()[:1]}).Refused(t, http.StatusConflict, "conflict")
	s.Audit(t)
}
