package market_test

import (
	"context"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/market/match"
	"kaibao/internal/marketevents"
	"kaibao/internal/money"
)

// A raised value can cross a bid for one entry even if a hundred other listings are cheaper.
func TestEntryBidCrossesDespiteCheaperListings(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		ann, owned := newCollector(t, s, "Ann")
		ben, _ := newCollector(t, s, "Ben")
		admin, of := s.Admin(t), owned[0]
		price := roundToStep(of.Item.BaseValueCents)
		b := placeBid(t, ben, apptest.Body{"scope": apptest.Body{"inventoryId": of.ID}, "pegPercent": 90, "capCents": price, "confirmedCents": price})
		listEntry(t, ann, of.ID, price)
		s.WaitForLog(t)
		listCopies(t, s, of.ID, userID(t, ann), money.Cents(price-1), 100)
		s.SetValue(t, admin, of.Item.ID, 2*price)
		clock.Advance(25 * time.Minute)
		ann.SignIn(t)
		ben.SignIn(t)
		apptest.Until(t, "the bid is filled", func() bool {
			own := get[[]bidView](t, ben, "/api/bids")
			return own[0].ID == b.ID && own[0].State == "filled"
		})
		wantSold(t, ann, price)
	})
}

// A raised value can cross a bid for an item even if the bidder has a hundred cheaper listings,
// which the bid can't buy.
func TestItemBidCrossesDespiteOwnListings(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		ann, owned := newCollector(t, s, "Ann")
		ben, _ := newCollector(t, s, "Ben")
		admin, of := s.Admin(t), owned[0]
		price := roundToStep(of.Item.BaseValueCents)
		b := placeBid(t, ben, apptest.Body{"scope": apptest.Body{"itemId": of.Item.ID}, "pegPercent": 90, "capCents": price, "confirmedCents": price})
		listEntry(t, ann, of.ID, price)
		s.WaitForLog(t)
		listCopies(t, s, of.ID, userID(t, ben), money.Cents(price-1), 100)
		s.SetValue(t, admin, of.Item.ID, 2*price)
		clock.Advance(25 * time.Minute)
		ann.SignIn(t)
		ben.SignIn(t)
		apptest.Until(t, "the bid is filled", func() bool {
			own := get[[]bidView](t, ben, "/api/bids")
			return own[0].ID == b.ID && own[0].State == "filled"
		})
		wantSold(t, ann, price)
	})
}

// Crossed listings that can't be sold, because the bid was placed first and pays too much for the
// value, are each tried once.
func TestUnsellableListingsAreTriedOnce(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann, owned := newCollector(t, s, "Ann")
		ben, _ := newCollector(t, s, "Ben")
		of := owned[0]
		placeBid(t, ben, forItem(of.Item.ID, roundToStep(of.Item.BaseValueCents), 1))
		s.WaitForLog(t)
		seller := userID(t, ann)
		s.Stop()
		listCopies(t, s, of.ID, seller, 1, 250)
		if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
			return catalogue.Revalue(tx, of.Item.ID, catalogue.Valuation{Value: 1, Source: "sale", Reason: "a sale elsewhere", CarriedAt: tx.Now})
		}); err != nil {
			t.Fatal(err)
		}
		if _, err := marketevents.Jobs(s.DB)[0].Do(t.Context()); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		if _, err := new(match.Service).Jobs(s.DB)[0].Do(ctx); err != nil { // a Service with real payments
			t.Errorf("crossing didn't end: %v", err)
		}
		if err := s.DB.Read(t.Context(), func(tx *db.Tx) error {
			head, err := marketevents.Head(tx)
			if err != nil {
				return err
			}
			position, err := marketevents.Position(tx, "crossing")
			if position != head {
				t.Errorf("crossing handled events up to %d, want %d", position, head)
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
	})
}

func userID(t *testing.T, c *apptest.Client) string {
	t.Helper()
	return get[struct{ ID string }](t, c, "/api/auth/user").ID
}

// listCopies inserts listed copies of an entry, owned by the given user, directly into the
// database.
func listCopies(t *testing.T, s *apptest.Server, entry, owner string, price money.Cents, number int) {
	t.Helper()
	if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
		for n := range number {
			if err := tx.ExecOne(`INSERT INTO inventory (id, user_id, item_id, opening_id, position, pulled_value_cents, sell_back_floor_cents,
				sell_back_until, state, acquired_from, acquired_at, listing_id, sale_price_cents)
				SELECT $2, $3, item_id, opening_id, $4, pulled_value_cents, sell_back_floor_cents, sell_back_until, 'listed', acquired_from,
				acquired_at, $5, $6 FROM inventory WHERE id = $1`, entry, tx.NewID(), owner, 1000+n, tx.NewID(), price); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}
