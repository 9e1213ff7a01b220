package market_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"testing"

	"kaibao/internal/app/apptest"
	"kaibao/internal/bids"
	"kaibao/internal/db"
	"kaibao/internal/inventory"
	"kaibao/internal/money"
	"kaibao/internal/policy"
	"kaibao/internal/protocol"
)

// book is the state of the market, read without any index.
type book struct {
	bids    []bids.Bid
	entries []inventory.Entry
}

// waitForBook returns the book once no event is left to handle.
func waitForBook(t *testing.T, s *apptest.Server) (b book) {
	t.Helper()
	const quiet = `SELECT NOT EXISTS (SELECT 1 FROM events_waiting) AND (SELECT COUNT(DISTINCT position) FROM market_readers) = 1`
	apptest.Until(t, "all events are handled", func() (still bool) {
		if err := s.DB.Read(t.Context(), func(tx *db.Tx) (err error) {
			still, err = db.One(tx, db.Column[bool], quiet)
			if err != nil || !still {
				return err
			}
			b, err = readBook(tx)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		return still
	})
	return b
}

func readBook(tx *db.Tx) (b book, err error) {
	ids, err := db.All(tx, db.Column[string], `SELECT id FROM bids WHERE state = 'open' ORDER BY id`)
	if err != nil {
		return b, err
	}
	b.bids, err = bids.ByIDs(tx, ids)
	if err != nil {
		return b, err
	}
	ids, err = db.All(tx, db.Column[string], `SELECT id FROM inventory ORDER BY id`)
	if err != nil {
		return b, err
	}
	found, err := inventory.ByIDs(tx, ids)
	for _, id := range ids {
		if !found[id].Ended() {
			b.entries = append(b.entries, found[id])
		}
	}
	return b, err
}

// best returns the best bid for the entry, by comparing every bid.
func (b book) best(e inventory.Entry) (best bids.Bid, price money.Cents) {
	for _, other := range b.bids {
		if other.User == e.Owner || !other.Scope.Covers(e.ID, e.Item) {
			continue
		}
		if best.ID == "" || bids.Compare(other, best, e.Item.BaseValue) < 0 {
			best = other
		}
	}
	if best.ID == "" {
		return best, 0
	}
	return best, best.Price.For(e.Item.BaseValue)
}

// wantNothingCrossed fails if an entry is listed at or below another user's bid.
func (b book) wantNothingCrossed(t *testing.T) {
	t.Helper()
	for _, e := range b.entries {
		if best, price := b.best(e); e.State == inventory.Listed && price >= e.SalePrice {
			t.Errorf("%s is listed at %s although bid %s pays %s", e.ID, e.SalePrice, best.ID, price)
		}
	}
}

// trader is a user who acts at random.
type trader struct {
	*apptest.Client
	id string
}

// After any sequence of acts the best bid is filled at the price of the earlier order, nothing
// stays crossed, and the audit finds that bids hold exactly what open bids need.
func TestOrderBookMatchesModel(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		var traders []trader
		for _, name := range []string{"Ann", "Ben", "Cy"} {
			c, _ := newCollector(t, s, name)
			c.Deposit(t, 9000)
			traders = append(traders, trader{c, get[struct{ ID string }](t, c, "/api/auth/user").ID})
		}
		random := rand.New(rand.NewPCG(uint64(len(s.DB.Engine())), 7))
		done := map[string]int{}
		for step := range 45 {
			b := waitForBook(t, s)
			b.wantNothingCrossed(t)
			who := traders[random.IntN(len(traders))]
			done[who.act(t, b, random)]++
			if t.Failed() {
				t.Fatalf("failed in step %d", step)
			}
			if step%5 == 0 {
				s.Audit(t)
			}
		}
		t.Log(done)
		s.WaitForLog(t)
		s.Audit(t)
	})
}

// act performs one random act and compares the result with the book.
func (w trader) act(t *testing.T, b book, random *rand.Rand) string {
	t.Helper()
	e := b.entries[random.IntN(len(b.entries))]
	price := max(50, e.Item.BaseValue*money.Cents(60+10*random.IntN(6))/100)
	price -= price % policy.BidStep(price)
	switch {
	case e.Owner == w.id && random.IntN(4) == 0 && e.State == inventory.Held:
		return w.quickSell(t, b, e)
	case e.Owner == w.id:
		return w.listOrReprice(t, b, e, price)
	case e.State == inventory.Listed && random.IntN(4) == 0:
		w.Post(t, "/api/marketplace/buy", apptest.Body{"inventoryId": e.ID}).Want(t, http.StatusOK, nil)
		return "buy"
	}
	for _, own := range b.bids {
		if own.User == w.id && random.IntN(6) == 0 {
			w.Call(t, http.MethodDelete, "/api/bids/"+own.ID, nil).Want(t, http.StatusNoContent, nil)
			return "withdraw"
		}
	}
	return w.placeBid(t, b, e, price, random)
}

// listOrReprice lists or reprices an entry, which must be sold if a bid pays as much.
func (w trader) listOrReprice(t *testing.T, b book, e inventory.Entry, price money.Cents) string {
	t.Helper()
	act := "list"
	if e.State == inventory.Listed {
		act = "reprice"
	}
	var offered struct {
		Sold *struct{ PriceCents money.Cents }
	}
	w.Post(t, "/api/marketplace/"+act, apptest.Body{"inventoryId": e.ID, "priceCents": price, "confirmedCents": price}).Want(t, http.StatusOK, &offered)
	switch best, most := b.best(e); {
	case most >= price && (offered.Sold == nil || offered.Sold.PriceCents != most):
		t.Errorf("offered at %s: sale %+v, but bid %s pays %s", price, offered.Sold, best.ID, most)
	case most < price && offered.Sold != nil:
		t.Errorf("offered at %s: sale %+v, but the best bid pays only %s", price, offered.Sold, most)
	case offered.Sold != nil:
		return act + " that crossed"
	}
	return act
}

// quickSell sells an entry and checks that the payout beats every bid.
func (w trader) quickSell(t *testing.T, b book, e inventory.Entry) string {
	t.Helper()
	_, most := b.best(e)
	want := max(most-protocol.FirstRates.Fee(protocol.TradeBid, most), policy.SellBack(e.PulledValue), 1)
	var sold struct {
		PayoutCents money.Cents
		Sold        []struct{ To string }
	}
	w.Post(t, "/api/inventory/quick-sell", apptest.Body{"inventoryIds": []string{e.ID}}).Want(t, http.StatusOK, &sold)
	if sold.PayoutCents < most-protocol.FirstRates.Fee(protocol.TradeBid, most) || sold.PayoutCents > want && e.SellBackUntil.IsZero() && sold.Sold[0].To == "bid" {
		t.Errorf("payout %s, the best bid pays %s", sold.PayoutCents, most)
	}
	return "quick sell to the " + sold.Sold[0].To
}

// placeBid bids for an entry, its item or its series. The first two must buy the cheapest crossing
// listing immediately.
func (w trader) placeBid(t *testing.T, b book, e inventory.Entry, price money.Cents, random *rand.Rand) string {
	t.Helper()
	scope, order := bids.Scope{Entry: e.ID}, apptest.Body{"scope": apptest.Body{"inventoryId": e.ID}, "priceCents": price, "confirmedCents": price}
	switch random.IntN(3) {
	case 1:
		scope, order["scope"] = bids.Scope{Item: e.Item.ID}, apptest.Body{"itemId": e.Item.ID}
	case 2:
		scope = bids.Scope{Criterion: bids.Criterion{Series: e.Item.Series}}
		order = apptest.Body{"scope": apptest.Body{"series": e.Item.Series}, "pegPercent": 60 + 10*random.IntN(6), "capCents": price, "confirmedCents": price}
	}
	if slices.ContainsFunc(b.bids, func(own bids.Bid) bool { return own.User == w.id && own.Scope == scope }) {
		w.Post(t, "/api/bids", order).Refused(t, http.StatusConflict, "already_bid")
		return "bid twice"
	}
	cheapest := money.Cents(-1)
	for _, other := range b.entries {
		if other.State == inventory.Listed && other.Owner != w.id && scope.Covers(other.ID, other.Item) && (cheapest < 0 || other.SalePrice < cheapest) {
			cheapest = other.SalePrice
		}
	}
	var p struct {
		State  string
		Filled []struct{ PriceCents money.Cents }
	}
	w.Post(t, "/api/bids", order).Want(t, http.StatusOK, &p)
	crosses := scope.Criterion == (bids.Criterion{}) && cheapest >= 0 && cheapest <= price
	if crosses != (p.State == "filled") || crosses && p.Filled[0].PriceCents != cheapest {
		t.Errorf("bid of %s for %s: %+v, the cheapest listing costs %s", price, scope.Key(), p, cheapest)
	}
	return fmt.Sprintf("bid %t", crosses)
}
