package match

import (
	"strings"
	"testing"
	"time"

	"kaibao/internal/bids"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/inventory"
	"kaibao/internal/ledger"
	"kaibao/internal/money"
	"kaibao/internal/protocol"
	"kaibao/internal/trades"
)

// A trade's leaf must match the locked entry and bid.
func TestTradeLeafMustMatchLockedRows(t *testing.T) {
	e := inventory.Entry{ID: "entry", Item: catalogue.Item{ID: "card"}, SalePrice: 500}
	m := &marketTx{
		rates:         func() (protocol.Rates, error) { return protocol.FirstRates, nil },
		lockedEntries: map[string]inventory.Entry{e.ID: e}, lockedBids: map[string]bids.Bid{"bid": {Price: bids.Price{Max: 400}}},
		trades: []trades.Trade{{ID: "listing", Kind: trades.Listing, Entry: e.ID}, {ID: "filled", Kind: trades.Bid, Entry: e.ID, Bid: "bid"}},
	}
	listing := protocol.TradeLeaf{ID: "listing", Kind: trades.Listing, Item: "card", Price: 500, Fee: 25, Rate: 500}
	filled := protocol.TradeLeaf{ID: "filled", Kind: trades.Bid, Item: "card", Price: 400, Fee: 8, Rate: 200}
	for n, right := range []protocol.TradeLeaf{listing, filled} {
		if err := m.verifyLeaf(n, right); err != nil {
			t.Errorf("the right leaf is refused: %v", err)
		}
		for name, change := range map[string]func(*protocol.TradeLeaf){
			"id":    func(l *protocol.TradeLeaf) { l.ID = "other" },
			"kind":  func(l *protocol.TradeLeaf) { l.Kind = trades.Counter },
			"item":  func(l *protocol.TradeLeaf) { l.Item = "other" },
			"price": func(l *protocol.TradeLeaf) { l.Price += 100 },
			"fee":   func(l *protocol.TradeLeaf) { l.Fee++ },
			"rate":  func(l *protocol.TradeLeaf) { l.Rate++ },
			"bid":   func(l *protocol.TradeLeaf) { l.BestBid = 1 },
		} {
			wrong := right
			change(&wrong)
			if m.verifyLeaf(n, wrong) == nil {
				t.Errorf("a wrong %s of the %s is accepted", name, right.Kind)
			}
		}
	}
}

// The leaf of a quick sell must state Kaibao's offer for the locked entry and the best locked bid.
// A reader of the log can't detect these wrong leaves.
func TestQuickSellLeafMustMatchLockedRows(t *testing.T) {
	now := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	open := func(id, user string, most money.Cents) bids.Bid {
		return bids.Bid{ID: id, User: user, Scope: bids.Scope{Item: "card"}, Price: bids.Price{Max: most}, State: bids.Open, ExpiresAt: now.Add(time.Hour)}
	}
	entry := inventory.Entry{ID: "entry", Owner: "ann", Item: catalogue.Item{ID: "card"}, QuoteValue: 1000}
	dearer := entry
	dearer.ID, dearer.QuoteValue = "dearer", 2000
	m := &marketTx{
		tx: &db.Tx{Now: now}, accounts: &ledger.Batch{},
		rates:         func() (protocol.Rates, error) { return protocol.FirstRates, nil },
		lockedEntries: map[string]inventory.Entry{entry.ID: entry, dearer.ID: dearer},
		lockedBids:    map[string]bids.Bid{"best": open("best", "bob", 950), "left": open("left", "cy", 800)},
		// The best bid is filled by now, and the owner's own bid doesn't count.
		bids: map[string]bids.Bid{"left": open("left", "cy", 800), "own": open("own", "ann", 1500)},
		trades: []trades.Trade{
			{ID: "filled", Kind: trades.Bid, Entry: entry.ID, Bid: "best"},
			{ID: dearer.ID, Kind: trades.SellBack, Entry: dearer.ID},
		},
	}
	m.checkQuickSell = new(Service).quickSellCheck(m)
	leaves := []protocol.TradeLeaf{
		{ID: "filled", Kind: trades.Bid, Item: "card", Price: 950, Fee: 19, Rate: 200, Route: trades.Quick, HouseQuote: 900, BestBid: 950},
		{ID: dearer.ID, Kind: trades.SellBack, Item: "card", Price: 1800, Route: trades.Quick, HouseQuote: 1800, BestBid: 800},
	}
	for n, right := range leaves {
		if err := m.verifyLeaf(n, right); err != nil {
			t.Errorf("the right leaf is refused: %v", err)
		}
	}
	for name, c := range map[string]struct {
		n      int
		change func(*protocol.TradeLeaf)
		why    string
	}{
		"a lower quote beside a bid":      {0, func(l *protocol.TradeLeaf) { l.HouseQuote = 899 }, "quote is 8.99"},
		"a best bid above what was paid":  {0, func(l *protocol.TradeLeaf) { l.BestBid = 951 }, "best bid is 9.51"},
		"no best bid beside a filled one": {0, func(l *protocol.TradeLeaf) { l.BestBid = 0 }, "best bid is 0.00"},
		"a lower quote that was paid":     {1, func(l *protocol.TradeLeaf) { l.HouseQuote, l.Price = 1799, 1799 }, "quote is 17.99"},
		"a lower best bid":                {1, func(l *protocol.TradeLeaf) { l.BestBid = 799 }, "best bid is 7.99"},
		"no best bid":                     {1, func(l *protocol.TradeLeaf) { l.BestBid = 0 }, "best bid is 0.00"},
		"the best bid that is filled":     {1, func(l *protocol.TradeLeaf) { l.BestBid = 950 }, "best bid is 9.50"},
	} {
		wrong := leaves[c.n]
		c.change(&wrong)
		if err := wrong.Verify(protocol.FirstRates); err != nil {
			t.Errorf("%s: a reader of the log would already detect it: %v", name, err)
		}
		if err := m.verifyLeaf(c.n, wrong); err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s: %v, want %q", name, err, c.why)
		}
	}
}
