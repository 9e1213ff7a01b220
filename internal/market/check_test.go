package market

import (
	"testing"

	"kaibao/internal/bids"
	"kaibao/internal/catalogue"
	"kaibao/internal/collection"
	"kaibao/internal/fair"
	"kaibao/internal/trades"
)

// A trade's leaf must say what the round has locked.
func TestATradesLeafIsComparedWithItsRound(t *testing.T) {
	e := collection.Entry{ID: "entry", Item: catalogue.Item{ID: "card"}, SalePrice: 500}
	r := &round{
		rates:  func() (fair.Rates, error) { return fair.FirstRates, nil },
		locked: map[string]collection.Entry{e.ID: e}, offered: map[string]bids.Bid{"bid": {Price: bids.Price{Most: 400}}},
		trades: []trades.Trade{{ID: "listing", Kind: trades.Listing, Entry: e.ID}, {ID: "filled", Kind: trades.Bid, Entry: e.ID, Bid: "bid"}},
	}
	listing := fair.TradeLeaf{ID: "listing", Kind: trades.Listing, Item: "card", Price: 500, Fee: 25, Rate: 500}
	filled := fair.TradeLeaf{ID: "filled", Kind: trades.Bid, Item: "card", Price: 400, Fee: 8, Rate: 200}
	for n, right := range []fair.TradeLeaf{listing, filled} {
		if err := r.matches(n, right); err != nil {
			t.Errorf("the right one: %v", err)
		}
		for name, change := range map[string]func(*fair.TradeLeaf){
			"id":    func(l *fair.TradeLeaf) { l.ID = "other" },
			"kind":  func(l *fair.TradeLeaf) { l.Kind = trades.Counter },
			"item":  func(l *fair.TradeLeaf) { l.Item = "other" },
			"price": func(l *fair.TradeLeaf) { l.Price += 100 },
			"fee":   func(l *fair.TradeLeaf) { l.Fee++ },
			"rate":  func(l *fair.TradeLeaf) { l.Rate++ },
			"bid":   func(l *fair.TradeLeaf) { l.BestBid = 1 },
		} {
			wrong := right
			change(&wrong)
			if r.matches(n, wrong) == nil {
				t.Errorf("another %s of the %s is let through", name, right.Kind)
			}
		}
	}
}
