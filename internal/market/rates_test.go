package market_test

import (
	"net/http"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db/dbtest"
)

type shownRates struct {
	Listing, Bid, Counter int64
	EffectiveAt           *time.Time
	Announced             []shownRates
}

// sellEachWay sells an entry in each way and returns the fees: by a listing, an accepted bid, a
// counter-offer and a quick sell to a bid.
func sellEachWay(t *testing.T, seller, buyer *apptest.Client, ids []string) (fees [4]int64) {
	t.Helper()
	seen := balance(t, seller)
	earned := func(price int64) int64 {
		now := balance(t, seller)
		fee := price - (now - seen)
		seen = now
		return fee
	}
	listEntry(t, seller, ids[0], 1000)
	bought := post[purchase](t, buyer, "/api/marketplace/buy", apptest.Body{"inventoryId": ids[0], "expectedPriceCents": 1000})
	fees[0] = earned(1000)
	if bought.FeeCents != fees[0] {
		t.Errorf("the response states a fee of %d, but %d was charged", bought.FeeCents, fees[0])
	}
	b := placeBid(t, buyer, forEntry(ids[1], 1000))
	seller.Post(t, "/api/bids/"+b.ID+"/accept", apptest.Body{"inventoryId": ids[1], "expectedPriceCents": 1000, "confirmedCents": 1000}).Want(t, http.StatusOK, nil)
	fees[1] = earned(1000)
	b = placeBid(t, buyer, forEntry(ids[2], 500))
	seller.Post(t, "/api/bids/"+b.ID+"/counter", apptest.Body{"inventoryId": ids[2], "priceCents": 1000, "confirmedCents": 1000}).Want(t, http.StatusOK, nil)
	buyer.Post(t, "/api/bids/"+b.ID+"/accept-counter", apptest.Body{"expectedPriceCents": 1000}).Want(t, http.StatusOK, nil)
	fees[2] = earned(1000)
	placeBid(t, buyer, forEntry(ids[3], 2000))
	quoted := post[struct{ TotalCents int64 }](t, seller, "/api/inventory/quotes", apptest.Body{"inventoryIds": ids[3:4]})
	seller.Post(t, "/api/inventory/quick-sell", apptest.Body{"inventoryIds": ids[3:4], "minPayoutCents": quoted.TotalCents}).Want(t, http.StatusOK, nil)
	fees[3] = earned(2000)
	if quoted.TotalCents != 2000-fees[3] {
		t.Errorf("quoted %d, the fee was %d", quoted.TotalCents, fees[3])
	}
	return fees
}

// A fee change needs a second admin and is announced a day ahead. Until then the old rates apply.
// Replay, mirror and audit pass before and after.
func TestFeeChange(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		ann, _ := newCollector(t, s, "Ann")
		ben, _ := newCollector(t, s, "Ben")
		ann.Deposit(t, 500)
		ben.Deposit(t, 500)
		for range 3 {
			ann.Post(t, "/api/packs/demo-pack-1/open", apptest.Body{"clientSeed": "x"}).Want(t, http.StatusOK, nil)
		}
		var ids []string
		for _, e := range get[[]entry](t, ann, "/api/inventory/me") {
			if e.SellBackCents < 1500 {
				ids = append(ids, e.ID)
			}
		}
		admin, second := s.Admin(t), s.Admin(t)
		later := func(d time.Duration) {
			clock.Advance(d)
			for _, c := range []*apptest.Client{ann, ben, admin, second} {
				c.SignIn(t)
			}
		}
		mirror := t.TempDir()
		inOrder := func() {
			t.Helper()
			s.VerifyLog(t)
			s.Mirror(t, mirror)
			s.Audit(t)
		}
		if fees := sellEachWay(t, ann, ben, ids); fees != [4]int64{50, 20, 50, 40} {
			t.Errorf("fees before the change: %v", fees)
		}
		inOrder()

		change := apptest.Body{"listing": 450, "bid": 100, "counter": 0, "reason": "We can afford it."}
		waiting := post[struct{ ID, Kind string }](t, admin, "/api/admin/rates", change)
		admin.Post(t, "/api/admin/rates", change).Refused(t, http.StatusConflict, "request_waiting")
		approve := apptest.Body{"decision": "approve", "reason": "Fine."}
		admin.Post(t, "/api/admin/approvals/"+waiting.ID, approve).Refused(t, http.StatusForbidden, "forbidden")
		if now := get[shownRates](t, ann, "/api/rates"); waiting.Kind != "change-rates" || len(now.Announced) != 0 || now.Listing != 500 {
			t.Errorf("before approval: %+v, %+v", waiting, now)
		}
		second.Post(t, "/api/admin/approvals/"+waiting.ID, approve).Want(t, http.StatusOK, nil)
		clock.Advance(time.Second) // the response is cached for one second
		now := get[shownRates](t, ann, "/api/rates")
		if len(now.Announced) != 1 || now.EffectiveAt != nil || now.Listing != 500 || now.Announced[0].Listing != 450 {
			t.Fatalf("announced: %+v", now)
		}
		notice := now.Announced[0].EffectiveAt.Sub(clock.Now())
		if notice < 24*time.Hour || notice > 25*time.Hour {
			t.Errorf("announced %s ahead, want 24 to 25 hours", notice)
		}
		admin.Post(t, "/api/admin/rates", change).Refused(t, http.StatusConflict, "conflict")
		later(notice - time.Millisecond)
		if fees := sellEachWay(t, ann, ben, ids[4:]); fees != [4]int64{50, 20, 50, 40} {
			t.Errorf("fees before the change takes effect: %v", fees)
		}
		inOrder()
		later(time.Second)
		if fees := sellEachWay(t, ann, ben, ids[8:]); fees != [4]int64{45, 10, 0, 20} {
			t.Errorf("fees afterwards: %v", fees)
		}
		if now := get[shownRates](t, ann, "/api/rates"); len(now.Announced) != 0 || now.EffectiveAt == nil || now.Listing != 450 || now.Bid != 100 || now.Counter != 0 {
			t.Errorf("in force: %+v", now)
		}
		inOrder()
	})
}

// Invalid rates are refused.
func TestInvalidRatesAreRefused(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		admin := s.Admin(t)
		change := apptest.Body{"listing": 450, "bid": 100, "counter": 0, "reason": "So."}
		for field, values := range map[string][]any{
			"listing": {-1, 2001, 1.5, "500"}, "bid": {2001}, "counter": {-1}, "reason": {"", " "},
			"effectiveAt": {"tomorrow", clock.Now().Add(366 * 24 * time.Hour).Format(time.RFC3339)},
		} {
			for _, value := range values {
				admin.Post(t, "/api/admin/rates", change.With(field, value)).Refused(t, http.StatusUnprocessableEntity, "invalid")
			}
		}
		admin.Post(t, "/api/admin/rates", apptest.Body{"listing": 500, "bid": 200, "counter": 500, "reason": "So."}).Refused(t, http.StatusConflict, "conflict")
		s.SignIn(t).Post(t, "/api/admin/rates", change).Refused(t, http.StatusForbidden, "forbidden")
	})
}
