package integrationtest_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/limits"
)

// wantBreaches fails the test unless the audit reports exactly these rules.
func wantBreaches(t *testing.T, s *apptest.Server, rules ...string) {
	t.Helper()
	err := s.DB.Inspect(t.Context(), func(tx *db.Tx) error {
		found, err := limits.Audit(tx)
		var broken []string
		for _, b := range found {
			broken = append(broken, b.Rule)
		}
		if !slices.Equal(slices.Compact(broken), rules) {
			t.Errorf("%q are broken, want %q: %v", broken, rules, found)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func sell(t *testing.T, c *apptest.Client, entry string) {
	t.Helper()
	c.Post(t, "/api/inventory/sell-back", body{"inventoryIds": []string{entry}}).Want(t, http.StatusOK, nil)
}

func list(t *testing.T, c *apptest.Client, entry string, cents int64) {
	t.Helper()
	c.Post(t, "/api/marketplace/list", body{"inventoryId": entry, "priceCents": cents, "confirmedCents": cents}).Want(t, http.StatusOK, nil)
}

// Trading with another wallet of one's own offsets at most Kaibao's quote, and proceeds above twice
// the value count as a deposit.
func TestTradesBetweenOwnWalletsDoNotOffsetLosses(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann, twin := s.SignIn(t), s.SignIn(t)
		ann.Deposit(t, 100)
		set(t, ann, "deposit-day", 100_00)
		p := open(t, ann).Items[0]
		lost := func() int64 { return shownLimits(t, ann)["loss-day"].UsedCents }
		if lost() != price {
			t.Fatalf("lost %d by an open", lost())
		}
		far := 10 * p.BaseValueCents
		const most = 10_000 // dollars per deposit; the pull may be expensive
		for paid := int64(0); paid <= far; paid += most * 100 {
			twin.Deposit(t, most)
		}
		list(t, ann, p.InventoryID, far)
		twin.Post(t, "/api/marketplace/buy", body{"inventoryId": p.InventoryID}).Want(t, http.StatusOK, nil)
		if lost() != price-p.SellBackCents {
			t.Errorf("lost %d after a sale for %d, Kaibao's quote was %d", lost(), far, p.SellBackCents)
		}
		net := far - (far*5+50)/100
		if l := shownLimits(t, ann)["deposit-day"]; l.UsedCents != 100_00+net-2*p.BaseValueCents {
			t.Errorf("%d counts as deposited, of a sale that brought %d for a value of %d", l.UsedCents, net, p.BaseValueCents)
		}
		reached(t, ann.Post(t, "/api/packs/2/open", body{"clientSeed": "x"}), "deposit_limit")
		reached(t, ann.Post(t, "/api/wallet/deposit/manual", body{"amount": 1}), "deposit_limit")

		before := lost()
		list(t, twin, p.InventoryID, p.BaseValueCents) // sold back to the first wallet, then to Kaibao
		ann.Post(t, "/api/marketplace/buy", body{"inventoryId": p.InventoryID}).Want(t, http.StatusOK, nil)
		sell(t, ann, p.InventoryID)
		if lost() != before {
			t.Errorf("lost %d after the same pull was sold again, %d before", lost(), before)
		}
		s.Audit(t)
	})
}

// Of two sales in quick succession the second may have begun earlier. The entry's events, not the
// times, decide which one sold the pull.
func TestFirstSaleOfAPullIsDecidedByEvents(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		ann, ben, cat := s.SignIn(t), s.SignIn(t), s.SignIn(t)
		for _, c := range []*apptest.Client{ann, ben, cat} {
			c.Deposit(t, 500)
		}
		clock.Advance(time.Second) // not earlier than the items' first values
		p := open(t, ann).Items[0]
		for _, sale := range []struct{ seller, buyer *apptest.Client }{{ann, ben}, {ben, cat}} {
			list(t, sale.seller, p.InventoryID, p.BaseValueCents)
			sale.buyer.Post(t, "/api/marketplace/buy", body{"inventoryId": p.InventoryID}).Want(t, http.StatusOK, nil)
			clock.Advance(-time.Millisecond)
		}
		wantBreaches(t, s)
	})
}

// A stopped user can't open, buy, bid or top up on any device, and their bids end. They can still
// sell, list, delist and claim what they own.
func TestStoppingTakesEffectImmediately(t *testing.T) {
	for path, stop := range map[string]struct {
		asked body
		code  string
	}{
		"/api/limits/exclusion": {body{"forGood": true}, "excluded"},
		"/api/limits/time-out":  {body{"days": 42}, "timed_out"},
	} {
		t.Run(stop.code, func(t *testing.T) {
			apptest.Each(t, func(t *testing.T, s *apptest.Server) { stopped(t, s, path, stop.asked, stop.code) })
		})
	}
}

func stopped(t *testing.T, s *apptest.Server, path string, asked body, code string) {
	ann, ben := s.SignIn(t), s.SignIn(t)
	ann.Deposit(t, 500)
	ben.Deposit(t, 500)
	mine, others := open(t, ann).Items[0], open(t, ben).Items[0]
	second := open(t, ann).Items[0]
	list(t, ben, others.InventoryID, others.BaseValueCents)
	ann.Post(t, "/api/watchlist", body{"itemId": others.ID, "belowCents": 100_000_00}).Want(t, http.StatusOK, nil)
	alerts := func() int { return len(apptest.Get[[]struct{ Kind string }](t, ann, "/api/alerts")) }
	if alerts() != 1 {
		t.Fatalf("%d alerts for watched items", alerts())
	}
	ann.Post(t, "/api/bids", body{"scope": body{"itemId": mine.ID}, "priceCents": 5_00, "quantity": 3}).Want(t, http.StatusOK, nil)
	var begun struct{ DepositID, ChargeToken string }
	ann.Post(t, "/api/wallet/deposits", body{"amountCents": 1000}).Want(t, http.StatusOK, &begun)
	elsewhere := s.NewClient(t)
	elsewhere.Address, elsewhere.Key = ann.Address, ann.Key
	elsewhere.SignIn(t)
	before := balance(t, ann)

	ann.Post(t, path, asked).Want(t, http.StatusOK, nil)

	if held := apptest.Get[struct{ BalanceCents, HeldCents int64 }](t, ann, "/api/wallet"); held.HeldCents != 0 || held.BalanceCents != before+15_00 {
		t.Errorf("bids hold %d, balance %d after %d", held.HeldCents, held.BalanceCents, before)
	}
	for _, c := range []*apptest.Client{ann, elsewhere} {
		c.Post(t, "/api/packs/2/open", body{"clientSeed": "x"}).Refused(t, http.StatusForbidden, code)
		c.Post(t, "/api/marketplace/buy", body{"inventoryId": others.InventoryID}).Refused(t, http.StatusForbidden, code)
		c.Post(t, "/api/marketplace/cart", body{"lines": []body{{"inventoryId": others.InventoryID, "expectedPriceCents": others.BaseValueCents}}}).
			Refused(t, http.StatusForbidden, code)
		c.Post(t, "/api/bids", body{"scope": body{"itemId": mine.ID}, "priceCents": 5_00}).Refused(t, http.StatusForbidden, code)
		c.Post(t, "/api/wallet/deposits", body{"amountCents": 1000}).Refused(t, http.StatusForbidden, code)
		c.Post(t, "/api/wallet/deposit/manual", body{"amount": 5}).Refused(t, http.StatusForbidden, code)
	}
	if n := alerts(); n != 1 || apptest.Get[[]struct{ Kind string }](t, ann, "/api/alerts")[0].Kind != "ended" {
		t.Errorf("%d alerts, want only that of the bid's end", n)
	}

	ann.Post(t, "/sandbox/charges/"+begun.ChargeToken+"/pay", nil).Want(t, http.StatusOK, nil)
	apptest.Until(t, "what was on its way is credited", func() bool { return balance(t, ann) == before+25_00 })
	list(t, ann, mine.InventoryID, mine.BaseValueCents)
	ann.Post(t, "/api/marketplace/delist", body{"inventoryId": mine.InventoryID}).Want(t, http.StatusOK, nil)
	sell(t, ann, mine.InventoryID)
	list(t, ann, second.InventoryID, second.BaseValueCents)
	ben.Post(t, "/api/marketplace/buy", body{"inventoryId": second.InventoryID}).Want(t, http.StatusOK, nil)
	s.WaitForLog(t)
	s.Audit(t)
}

// A time-out ends by itself and can't be shortened, and an exclusion outlasts it.
func TestTimeOutsAndExclusionsEnd(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		ann := s.SignIn(t)
		ann.Deposit(t, 100)
		stop := func(path string, asked body) { ann.Post(t, path, asked).Want(t, http.StatusOK, nil) }
		stop("/api/limits/time-out", body{"days": 2})
		stop("/api/limits/time-out", body{"days": 1})
		clock.Advance(48*time.Hour - time.Microsecond)
		ann.SignIn(t)
		ann.Post(t, "/api/packs/2/open", body{"clientSeed": "x"}).Refused(t, http.StatusForbidden, "timed_out")
		clock.Advance(time.Microsecond)
		open(t, ann)
		stop("/api/limits/exclusion", body{"forGood": false})
		clock.Advance(183 * 24 * time.Hour) // March to September has 184
		ann.SignIn(t)
		ann.Post(t, "/api/packs/2/open", body{"clientSeed": "x"}).Refused(t, http.StatusForbidden, "excluded")
		clock.Advance(24 * time.Hour)
		ann.SignIn(t)
		open(t, ann)
		s.Audit(t)
	})
}

// Excluded users are hidden from others.
func TestExcludedPlayersAreHiddenFromBoards(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann, ben := s.SignIn(t), s.SignIn(t)
		for name, c := range map[string]*apptest.Client{"Ann": ann, "Ben": ben} {
			c.Deposit(t, 100)
			c.Call(t, http.MethodPatch, "/api/auth/user", body{"firstName": name}).Want(t, http.StatusOK, nil)
			open(t, c)
		}
		open(t, ann)
		s.WaitForLog(t)
		ann.Post(t, "/api/limits/exclusion", body{"forGood": false}).Want(t, http.StatusOK, nil)
		apptest.Until(t, "only Ben is shown", func() bool {
			recent := apptest.Get[[]struct{ User struct{ FirstName string } }](t, ben, "/api/activity/recent")
			leaders := apptest.Get[[]struct {
				Username string
				Rank     int
			}](t, ben, "/api/leaderboard")
			return len(recent) == 1 && recent[0].User.FirstName == "Ben" && len(leaders) == 1 && leaders[0].Username == "Ben" && leaders[0].Rank == 2
		})
		mine := apptest.Get[struct{ Rank, Position int64 }](t, ben, "/api/leaderboard/me")
		if mine.Rank != 2 || mine.Position != 0 {
			t.Errorf("Ben's standing is %+v", mine)
		}
	})
}
