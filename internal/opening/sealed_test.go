package opening_test

import (
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/keys"
	"kaibao/internal/protocol"
)

// sealedResult is the response to an order, or an open of one.
type sealedResult struct {
	result
	State string
	Order struct {
		Beacon, RoundAt, VoidReason   string
		Round, RoundInMs, PollAfterMs int64
		Items                         int
	}
}

// sealedPack creates a pack for $10 that draws Pokemon cards, without limited stock.
func sealedPack(t *testing.T, admin *apptest.Client, sealing string) (id string) {
	t.Helper()
	admin.Post(t, "/api/admin/items", apptest.Body{"name": "Sealed card", "series": "Sealed", "rarity": "Common", "baseValueCents": 500}).Want(t, http.StatusOK, nil)
	var made struct{ ID string }
	admin.Post(t, "/api/admin/packs", apptest.Body{"name": "Sealed pack", "priceCents": 1000, "series": []string{"Sealed"}, "sealing": sealing,
		"lootTableJson": apptest.Body{"itemsPerPack": 1, "rarities": apptest.Body{"Common": 1}}}).Want(t, http.StatusOK, &made)
	return made.ID
}

// order orders a pack as soon as the node takes orders.
func order(t *testing.T, c *apptest.Client, pack, seed string) (r sealedResult) {
	t.Helper()
	var answer apptest.Answer
	apptest.Until(t, "the node takes orders", func() bool {
		answer = c.Post(t, "/api/packs/"+pack+"/open", map[string]any{"clientSeed": seed, "sealed": true})
		return answer.Status != http.StatusServiceUnavailable
	})
	answer.Want(t, http.StatusOK, &r)
	return r
}

// settled waits until an order is settled.
func settled(t *testing.T, c *apptest.Client, id string) (r sealedResult) {
	t.Helper()
	apptest.Until(t, "the order is settled", func() bool {
		c.Get(t, "/api/opens/"+id).Want(t, http.StatusOK, &r)
		return r.State != "sealed"
	})
	return r
}

func TestSealedPackIsOrderedFirstAndDrawnLater(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		pack := sealedPack(t, s.Admin(t), "sealed")
		c := s.SignIn(t)
		c.Deposit(t, 100)
		shown := commitment(t, c)
		c.Post(t, "/api/packs/"+pack+"/open", body("x")).Refused(t, http.StatusConflict, "sealed_pack")
		c.Post(t, "/api/packs/2/open", map[string]any{"clientSeed": "x", "sealed": true}).Refused(t, http.StatusUnprocessableEntity, "invalid")

		ordered := order(t, c, pack, "mine")

		if ordered.State != "sealed" || ordered.ServerSeedRevealed != "" || len(ordered.Items) != 0 || ordered.BalanceCents != 9000 {
			t.Errorf("the order is %+v, want it sealed, without a seed or items, and paid", ordered)
		}
		if ordered.Commitment != shown.Commitment || ordered.Nonce != 0 || ordered.Next.Nonce != 1 {
			t.Errorf("the order used commitment %s with nonce %d, want %s with 0", ordered.Commitment, ordered.Nonce, shown.Commitment)
		}
		leaf, ok := leafIn(t, c, ordered.Receipt).(protocol.OrderLeaf)
		if !ok || leaf.ID != ordered.OpenID || leaf.ClientSeed != "mine" || int64(leaf.Round) != ordered.Order.Round {
			t.Errorf("the receipt has %+v, want the order's leaf", leaf)
		}
		again := order(t, c, pack, "second")
		if again.OpenID == ordered.OpenID || again.Nonce != 1 {
			t.Errorf("the second order has nonce %d, want another order with 1", again.Nonce)
		}

		opened := settled(t, c, ordered.OpenID)

		if opened.State != "open" || len(opened.Items) != 1 || opened.TotalValueCents != 500 || opened.Commitment != shown.Commitment {
			t.Errorf("the open is %+v, want one card worth 500 cents", opened)
		}
		open, ok := leafIn(t, c, opened.Receipt).(protocol.SealedOpenLeaf)
		if !ok || open.Order != leaf.Hash() || hex.EncodeToString(open.ServerSeed[:]) != opened.ServerSeedRevealed {
			t.Errorf("the receipt has %+v, want the open of the order", open)
		}
		settled(t, c, again.OpenID)
		var owned []struct{ ID string }
		c.Get(t, "/api/inventory/me").Want(t, http.StatusOK, &owned)
		if len(owned) != 2 || balance(t, c) != 8000 {
			t.Errorf("the user owns %d cards and has %d cents, want 2 and 8000", len(owned), balance(t, c))
		}
		if report := s.VerifyLog(t); report.Opens != 2 || report.Sealed.Pending != 0 {
			t.Errorf("the log has %d opens and %d pending orders, want 2 and none", report.Opens, report.Sealed.Pending)
		}
		s.Audit(t)
	})
}

// run lets a clock run at the speed of time until the test ends.
func run(t *testing.T, clock *dbtest.Clock) {
	t.Helper()
	stop, ended := make(chan struct{}), make(chan struct{})
	ticker := time.NewTicker(5 * time.Millisecond)
	go func() {
		defer close(ended)
		for last := time.Now(); ; {
			select {
			case now := <-ticker.C:
				clock.Advance(now.Sub(last))
				last = now
			case <-stop:
				return
			}
		}
	}()
	t.Cleanup(func() {
		ticker.Stop()
		close(stop)
		<-ended
	})
}

// limitToys limits the toys of pack 8 to one each, and lets the clock run once the pack's manifest is in
// force.
func limitToys(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
	t.Helper()
	reduceStockToOne(t, s, "8")
	clock.Advance(s.Config.ManifestDelay)
	run(t, clock)
}

// Twenty buyers order fourteen toys, one of each. All accepted orders are drawn in the order of their
// drawSeq, and no toy is drawn twice.
func TestOrdersOfLimitedPackCannotSellOut(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		limitToys(t, s, clock)
		buyers := make([]*apptest.Client, 20)
		for i := range buyers {
			buyers[i] = s.SignIn(t)
			buyers[i].Deposit(t, 450)
		}
		answers := make([]apptest.Answer, len(buyers))
		got := callConcurrently(t, len(buyers), func(i int) apptest.Answer {
			apptest.Until(t, "the node takes orders", func() bool {
				answers[i] = buyers[i].Post(t, "/api/packs/8/open", map[string]any{"clientSeed": fmt.Sprint(i), "sealed": true})
				return answers[i].Status != http.StatusServiceUnavailable
			})
			return answers[i]
		})
		if got[http.StatusOK] != 14 || got[http.StatusGone] != 6 {
			t.Fatalf("statuses are %v, want fourteen 200 and six 410", got)
		}
		drawn := map[string]bool{}
		for i, answer := range answers {
			if answer.Status != http.StatusOK {
				continue
			}
			var ordered sealedResult
			answer.Want(t, http.StatusOK, &ordered)
			drawn[settled(t, buyers[i], ordered.OpenID).Items[0].ID] = true
		}
		if left := queryInt(t, s, `SELECT SUM(remaining) FROM stock`); len(drawn) != 14 || left != 0 {
			t.Errorf("%d different toys were drawn and %d are left, want 14 and none", len(drawn), left)
		}
		s.VerifyLog(t)
		s.Audit(t)
	})
}

// A card sold back while orders are pending is paid at once, and can be drawn only after them.
func TestCardSoldBackReturnsAfterPendingOrders(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		limitToys(t, s, clock)
		first, second := s.SignIn(t), s.SignIn(t)
		first.Deposit(t, 450)
		second.Deposit(t, 450)
		opened := settled(t, first, order(t, first, "8", "first").OpenID)
		pending := order(t, second, "8", "second")
		first.Post(t, "/api/inventory/sell-back", apptest.Body{"inventoryIds": []string{opened.Items[0].InventoryID}}).Want(t, http.StatusOK, nil)
		if waiting := queryInt(t, s, `SELECT COUNT(*) FROM waiting_returns`); waiting != 1 {
			t.Errorf("%d returns wait for pending orders, want 1", waiting)
		}
		if got := settled(t, second, pending.OpenID); got.Items[0].ID == opened.Items[0].ID {
			t.Errorf("the card %s was drawn by an order from before its return", got.Items[0].ID)
		}
		waiting, left := queryInt(t, s, `SELECT COUNT(*) FROM waiting_returns`), queryInt(t, s, `SELECT SUM(remaining) FROM stock`)
		if waiting != 0 || left != 13 {
			t.Errorf("%d returns wait and %d cards are left, want none and 13", waiting, left)
		}
		s.VerifyLog(t)
		s.Audit(t)
	})
}

// While orders of a limited pack are pending, the pack can be taken off sale, which announces nothing. The
// orders are drawn all the same.
func TestLimitedPackCanBeStoppedWhileOrdersArePending(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		limitToys(t, s, clock)
		c, admin := s.SignIn(t), s.Admin(t)
		c.Deposit(t, 450)
		pending := order(t, c, "8", "x")
		steer(t, c, "silent")
		var off adminPack
		admin.Call(t, http.MethodPatch, "/api/admin/packs/8", map[string]any{"isActive": false}).Want(t, http.StatusOK, &off)
		if off.PublishingSince != "" || off.Announced != nil {
			t.Errorf("taking the pack off sale returned %+v, want nothing to announce", off)
		}
		s.Admin(t).Post(t, "/api/packs/8/open", map[string]any{"clientSeed": "x", "sealed": true}).Refused(t, http.StatusGone, "inactive")
		steer(t, c, "punctual")
		if opened := settled(t, c, pending.OpenID); opened.State != "open" || opened.PriceCents != 45000 {
			t.Errorf("the order is %s at a price of %d, want open at 45000", opened.State, opened.PriceCents)
		}
		s.VerifyLog(t)
		s.Audit(t)
	})
}

// If the beacon is silent for a day, all orders of the round are refunded, and they count in no limit.
func TestOrdersAreRefundedAfterOutage(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		pack := sealedPack(t, s.Admin(t), "sealed")
		run(t, clock)
		c := s.SignIn(t)
		c.Deposit(t, 100)
		ordered := order(t, c, pack, "x")
		steer(t, c, "silent")
		var kept sealedResult
		apptest.Until(t, "the round is late", func() bool {
			c.Get(t, "/api/opens/"+ordered.OpenID).Want(t, http.StatusOK, &kept)
			return kept.Order.RoundInMs == 0
		})
		if kept.State != "sealed" {
			t.Errorf("the order is %s without its round, want sealed", kept.State)
		}
		c.Post(t, "/api/packs/"+pack+"/open", map[string]any{"clientSeed": "x", "sealed": true, "commitment": ordered.Commitment}).Want(t, http.StatusOK, &kept)
		if kept.OpenID != ordered.OpenID || kept.State != "sealed" {
			t.Errorf("the repeated call returned order %s (%s), want %s", kept.OpenID, kept.State, ordered.OpenID)
		}
		clock.Advance(24 * time.Hour)
		c.SignIn(t)
		refunded := settled(t, c, ordered.OpenID)
		if refunded.State != "void" || refunded.Order.VoidReason != "no-beacon" || balance(t, c) != 10000 {
			t.Errorf("the order is %s (%s) and the balance %d, want void (no-beacon) and 10000", refunded.State, refunded.Order.VoidReason, balance(t, c))
		}
		var lines []struct {
			Kind        string
			AmountCents int64
		}
		c.Get(t, "/api/wallet/transactions").Want(t, http.StatusOK, &lines)
		if lines[0].Kind != "order-refund" || lines[0].AmountCents != 1000 {
			t.Errorf("the last transaction is %+v, want the refund", lines[0])
		}
		rows := s.Admin(t).Get(t, "/api/admin/opens?format=csv").CSV(t)
		if last := len(rows[0]) - 1; len(rows) != 2 || rows[0][last] != "state" || rows[1][last] != "void" || rows[1][1] != ordered.OpenID {
			t.Errorf("admins see %v, want the order as void", rows)
		}
		s.Audit(t)
		steer(t, c, "punctual")
		if report := s.VerifyLog(t); report.Voids != 1 {
			t.Errorf("the log has %d voids, want 1", report.Voids)
		}
	})
}

// steer changes how the sandbox's beacon behaves.
func steer(t *testing.T, c *apptest.Client, behavior string) {
	t.Helper()
	c.Post(t, "/sandbox/beacon/"+behavior, nil).Want(t, http.StatusNoContent, nil)
}

// A late, lying or forked beacon delays orders; they are drawn with their round as soon as a valid
// signature arrives.
func TestOrdersWaitForValidRound(t *testing.T) {
	for _, behavior := range []string{"late", "lying", "forked"} {
		t.Run(behavior, func(t *testing.T) {
			apptest.Each(t, func(t *testing.T, s *apptest.Server) {
				pack := sealedPack(t, s.Admin(t), "sealed")
				c := s.SignIn(t)
				c.Deposit(t, 100)
				ordered := order(t, c, pack, "x")
				steer(t, c, behavior)
				apptest.Until(t, "the round is late", func() bool {
					var now sealedResult
					c.Get(t, "/api/opens/"+ordered.OpenID).Want(t, http.StatusOK, &now)
					return now.Order.RoundInMs == 0
				})
				if behavior != "late" {
					steer(t, c, "punctual")
				}
				opened := settled(t, c, ordered.OpenID)
				if opened.State != "open" || opened.Order.Round != ordered.Order.Round {
					t.Errorf("the order of round %d is %s with round %d", ordered.Order.Round, opened.State, opened.Order.Round)
				}
				s.VerifyLog(t)
				s.Audit(t)
			})
		})
	}
}

// A pack that lets players choose takes instant opens and orders of one user in any sequence.
func TestPlayerChoosesSealedOrInstant(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		pack := sealedPack(t, s.Admin(t), "choice")
		c := s.SignIn(t)
		c.Deposit(t, 100)
		ordered := order(t, c, pack, "first")
		instant := open(t, c, pack, body("second"))
		if instant.Nonce != ordered.Nonce+1 || len(instant.Items) != 1 {
			t.Errorf("the instant open has nonce %d and %d items, want %d and 1", instant.Nonce, len(instant.Items), ordered.Nonce+1)
		}
		settled(t, c, ordered.OpenID)
		s.VerifyLog(t)
		s.Audit(t)
	})
}

// Three nodes (on SQLite, one) take orders of many users at once; each is drawn exactly once.
func TestThreeNodesSettleEachOrderOnce(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		nodes := []*apptest.Server{s}
		if s.DB.Engine() == "postgres" {
			nodes = append(nodes, apptest.Start(t, s.Config), apptest.Start(t, s.Config))
		}
		pack := sealedPack(t, s.Admin(t), "sealed")
		clients := make([]*apptest.Client, 30)
		for n := range clients {
			clients[n] = nodes[n%len(nodes)].SignIn(t)
			clients[n].Deposit(t, 100)
		}
		var all sync.WaitGroup
		for n, c := range clients {
			all.Go(func() {
				for i := range 3 {
					settled(t, c, order(t, c, pack, fmt.Sprint(n, i)).OpenID)
				}
			})
		}
		all.Wait()
		if opens := queryInt(t, s, `SELECT COUNT(*) FROM openings`); opens != 90 {
			t.Errorf("%d orders were drawn, want 90", opens)
		}
		s.VerifyLog(t)
		s.Audit(t)
	})
}

// waitForClock waits until the node's clock agrees with the beacon's, or until it doesn't.
func waitForClock(t *testing.T, admin *apptest.Client, ready bool) {
	t.Helper()
	apptest.Until(t, fmt.Sprintf("the node's clock check says %t", ready), func() bool {
		var state struct {
			Beacon struct{ Checked, ClockReady bool }
		}
		admin.Get(t, "/api/admin/sealed").Want(t, http.StatusOK, &state)
		return state.Beacon.Checked && state.Beacon.ClockReady == ready
	})
}

// If rounds arrive 5 s after their time, the node's clock is ahead. It takes no orders, and nobody is
// charged.
func TestNodeWhoseClockIsAheadTakesNoOrders(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin, c := s.Admin(t), s.SignIn(t)
		pack := sealedPack(t, admin, "sealed")
		c.Deposit(t, 100)
		waitForClock(t, admin, true)
		steer(t, c, "late")
		waitForClock(t, admin, false)
		c.Post(t, "/api/packs/"+pack+"/open", apptest.Body{"clientSeed": "x", "sealed": true}).Refused(t, http.StatusServiceUnavailable, "sealed_paused")
		if got := balance(t, c); got != 100_00 {
			t.Errorf("the balance is %d, want %d", got, 100_00)
		}
		steer(t, c, "punctual")
		settled(t, c, order(t, c, pack, "x").OpenID)
		s.VerifyLog(t)
		s.Audit(t)
	})
}

// A node whose clock is behind, and whose beacon agrees with it, would order with a round that others have
// published. It refuses, and nobody is charged.
func TestNodeWhoseClockIsBehindTakesNoOrders(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		run(t, clock)
		c := s.SignIn(t)
		c.Deposit(t, 1000)
		before := balance(t, c)
		clock.Advance(time.Minute)
		settled(t, c, order(t, c, "8", "x").OpenID)
		price := before - balance(t, c)
		s.Stop()

		behind := s.Config
		behind.Now = func() time.Time { return clock.Now().Add(-30 * time.Second) }
		node := apptest.Start(t, behind)
		c.Base = node.URL
		waitForClock(t, node.Admin(t), true)
		c.Post(t, "/api/packs/8/open", apptest.Body{"clientSeed": "x", "sealed": true}).Refused(t, http.StatusServiceUnavailable, "sealed_paused")
		if got := balance(t, c); got != before-price {
			t.Errorf("the balance is %d, want %d", got, before-price)
		}
		node.Stop()

		node = apptest.Start(t, s.Config)
		c.Base = node.URL
		settled(t, c, order(t, c, "8", "x").OpenID)
		node.VerifyLog(t)
		node.Audit(t)
	})
}

// A rotation of the seed key encrypts the seeds of pending orders again, so that they can be drawn without
// the old key.
func TestPendingOrdersSurviveKeyRotation(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.SignIn(t)
		c.Deposit(t, 100)
		pending := order(t, c, sealedPack(t, s.Admin(t), "sealed"), "x")
		steer(t, c, "silent")
		s.AddKey(t, keys.Seed)
		for _, retired := range s.RotateKeys(t, keys.Seed).Retired {
			if err := s.RemoveKey(t, retired); err != nil {
				t.Fatal(err)
			}
		}
		steer(t, c, "punctual")
		if opened := settled(t, c, pending.OpenID); opened.State != "open" {
			t.Errorf("the order is %s after the rotation, want open", opened.State)
		}
		s.VerifyLog(t)
		s.Audit(t)
	})
}

// Admins see orders that wait among all opens. Pages of the list have each open once.
func TestAdminsSeePendingOrders(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin := s.Admin(t)
		pack := sealedPack(t, admin, "choice")
		c, other := s.SignIn(t), s.SignIn(t)
		c.Deposit(t, 100)
		other.Deposit(t, 100)
		settled(t, c, order(t, c, pack, "drawn").OpenID)
		first := order(t, c, pack, "pending").OpenID
		steer(t, c, "silent")
		open(t, other, pack, body("x"))
		open(t, c, pack, body("x"))
		second := order(t, c, pack, "pending").OpenID
		open(t, other, pack, body("x"))
		all, mine := []string{"open", "sealed", "open", "open", "sealed", "open"}, []string{"open", "sealed", "open", "sealed"}

		list := func(query string) (states []string) {
			for cursor := ""; ; {
				answer := admin.Get(t, "/api/admin/opens?"+query+cursor)
				var rows []struct {
					OpenID, State string
					Items         []struct{ ItemID string }
				}
				answer.Want(t, http.StatusOK, &rows)
				for _, row := range rows {
					states = append(states, row.State)
					if (len(row.Items) > 0) != (row.State == "open") || (row.State == "sealed") != (row.OpenID == first || row.OpenID == second) {
						t.Errorf("%s: %+v", query, row)
					}
				}
				if answer.Header.Get("X-Next-Cursor") == "" {
					slices.Reverse(states)
					return states
				}
				cursor = "&cursor=" + answer.Header.Get("X-Next-Cursor")
			}
		}
		user := apptest.Get[struct{ ID string }](t, c, "/api/auth/user").ID
		for _, limit := range []string{"1", "2", "3", "4", "6", "100"} {
			if got := list("limit=" + limit); !slices.Equal(got, all) {
				t.Errorf("pages of %s have %v, want %v", limit, got, all)
			}
			if got := list("limit=" + limit + "&user=" + user); !slices.Equal(got, mine) {
				t.Errorf("pages of %s of the user have %v, want %v", limit, got, mine)
			}
		}
		if got := list("id=" + first); !slices.Equal(got, []string{"sealed"}) {
			t.Errorf("the order alone: %v", got)
		}
	})
}
