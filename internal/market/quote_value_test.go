package market_test

import (
	"net/http"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/marketevents"
)

// waitForCrossing waits until the crossing job has handled every event.
func waitForCrossing(t *testing.T, s *apptest.Server) {
	t.Helper()
	apptest.Until(t, "the crossing job has handled all events", func() bool {
		var head, at int64
		var waiting bool
		err := s.DB.Read(t.Context(), func(tx *db.Tx) (err error) {
			head, err = marketevents.Head(tx)
			if err == nil {
				at, err = marketevents.Position(tx, "crossing")
			}
			if err == nil {
				waiting, err = db.One(tx, db.Column[bool], `SELECT EXISTS (SELECT 1 FROM events_waiting)`)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return head == at && !waiting
	})
}

// A pegged bid pays by the quote value, which is the old value while the old manifest can still be
// drawn, and the new one afterwards.
func TestRaisedValueCountsLaterForPeggedBids(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		ann, owned := newCollector(t, s, "Ann")
		ben, _ := newCollector(t, s, "Ben")
		cat, _ := newCollector(t, s, "Cat")
		admin, of := s.Admin(t), owned[0]
		value := of.Item.BaseValueCents
		most := roundToStep(2 * value)
		placeBid(t, ben, apptest.Body{"scope": apptest.Body{"itemId": of.Item.ID}, "pegPercent": 100, "capCents": most, "confirmedCents": most})
		placeBid(t, cat, apptest.Body{"scope": apptest.Body{"series": of.Item.Series}, "pegPercent": 99, "capCents": most, "confirmedCents": most})
		s.SetValue(t, admin, of.Item.ID, value*3/2)
		book := func() (b struct {
			ValueCents int64
			Bids       []struct{ PriceCents int64 }
		}) {
			t.Helper()
			ann.Get(t, "/api/inventory/"+of.ID+"/book").Want(t, http.StatusOK, &b)
			if b.ValueCents != b.Bids[0].PriceCents {
				t.Errorf("quote value %d, but bids %+v", b.ValueCents, b.Bids)
			}
			return b
		}
		if b := book(); b.ValueCents != value {
			t.Errorf("quote value right after the rise %d, want %d", b.ValueCents, value)
		}
		price := value * 5 / 4
		listEntry(t, ann, of.ID, price)
		waitForCrossing(t, s)
		if own := get[[]bidView](t, ben, "/api/bids"); own[0].State != "open" || own[0].Counter != nil {
			t.Errorf("a bid worth %d was filled at %d: %+v", value, price, own)
		}
		ben.Post(t, "/api/bids", apptest.Body{"scope": apptest.Body{"inventoryId": of.ID}, "priceCents": roundToStep(value*3 + 100)}).Refused(t, http.StatusConflict, "confirm_price")
		clock.Advance(25 * time.Minute)
		for _, c := range []*apptest.Client{ann, ben, cat, admin} {
			c.SignIn(t)
		}
		// No event marks the moment the value starts to count. The listing was first, so it sets
		// the price.
		apptest.Until(t, "the bid is filled", func() bool { return len(get[[]bidView](t, ben, "/api/bids?state=open")) == 0 })
		wantSold(t, ann, price)
		s.WaitForLog(t)
		s.Audit(t)
	})
}

// A wrong value that is corrected a second later fills no pegged bid of any scope.
func TestCorrectedValueFillsNoBid(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		ann, owned := newCollector(t, s, "Ann")
		ben, _ := newCollector(t, s, "Ben")
		admin, of := s.Admin(t), owned[0]
		value := of.Item.BaseValueCents
		ben.Deposit(t, 9000)
		for _, scope := range []apptest.Body{{"itemId": of.Item.ID}, {"inventoryId": of.ID}, {"series": of.Item.Series}} {
			placeBid(t, ben, apptest.Body{"scope": scope, "pegPercent": 100, "capCents": 200_000, "confirmedCents": 200_000})
		}
		s.SetValue(t, admin, of.Item.ID, 100_000_000)
		clock.Advance(time.Second)
		var quote struct {
			Lines []struct {
				Buyer       string
				PriceCents  int64
				PayoutCents int64
			}
		}
		ann.Post(t, "/api/inventory/quotes", apptest.Body{"inventoryIds": []string{of.ID}}).Want(t, http.StatusOK, &quote)
		if quote.Lines[0].PayoutCents > value {
			t.Errorf("a card worth %d is quoted at %d", value, quote.Lines[0].PayoutCents)
		}
		listEntry(t, ann, of.ID, 199_000)
		waitForCrossing(t, s)
		s.SetValue(t, admin, of.Item.ID, value)
		clock.Advance(time.Hour)
		for _, c := range []*apptest.Client{ann, ben, admin} {
			c.SignIn(t)
		}
		waitForCrossing(t, s)
		if open := get[[]bidView](t, ben, "/api/bids?state=open"); len(open) != 3 {
			t.Errorf("open bids %+v, want 3", open)
		}
		s.Audit(t)
	})
}
