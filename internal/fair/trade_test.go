package fair

import (
	"strings"
	"testing"
)

// What a trade's leaf says must be what the terms allow.
func TestVerifyTrade(t *testing.T) {
	sellBack := TradeLeaf{Kind: TradeSellBack, Price: 90_00, HouseQuote: 90_00, Route: RouteDirect}
	quick := TradeLeaf{Kind: TradeBid, Price: 100_00, Fee: 2_00, Route: RouteQuick, HouseQuote: 90_00, BestBid: 100_00}
	for name, c := range map[string]struct {
		leaf TradeLeaf
		why  string // empty = it holds
	}{
		"a listing":                       {TradeLeaf{Kind: TradeListing, Price: 9_90, Fee: 50}, ""},
		"a listing's fee":                 {TradeLeaf{Kind: TradeListing, Price: 9_90, Fee: 49}, "the fee is 0.49"},
		"a listing by a route":            {TradeLeaf{Kind: TradeListing, Price: 9_90, Fee: 50, Route: RouteQuick}, "came on the route quick"},
		"a counter-offer":                 {TradeLeaf{Kind: TradeCounter, Price: 100_00, Fee: 5_00}, ""},
		"a counter-offer for a bid's fee": {TradeLeaf{Kind: TradeCounter, Price: 100_00, Fee: 2_00}, "the fee is 2.00"},
		"a bid that somebody crossed":     {TradeLeaf{Kind: TradeBid, Price: 100_00, Fee: 2_00}, ""},
		"a quote without a route":         {TradeLeaf{Kind: TradeBid, Price: 100_00, Fee: 2_00, HouseQuote: 1}, "without a route"},
		"a quick bid":                     {quick, ""},
		"a quick bid below the house":     {with(quick, func(l *TradeLeaf) { l.HouseQuote = 98_01 }), "the house would have paid 98.01"},
		"a direct bid below the house":    {with(quick, func(l *TradeLeaf) { l.Route, l.HouseQuote = RouteDirect, 98_01 }), ""},
		"a sell-back":                     {sellBack, ""},
		"a sell-back on no route":         {TradeLeaf{Kind: TradeSellBack, Price: 90_00}, "no route"},
		"a sell-back with a fee":          {with(sellBack, func(l *TradeLeaf) { l.Fee = 1 }), "the fee is 0.01"},
		"a sell-back below the quote":     {with(sellBack, func(l *TradeLeaf) { l.HouseQuote = 90_01 }), "its quote was 90.01"},
		"a quick one, the best bid equal": {with(sellBack, func(l *TradeLeaf) { l.Route, l.BestBid = RouteQuick, 91_84 }), ""},
		"a quick one below the best bid":  {with(sellBack, func(l *TradeLeaf) { l.Route, l.BestBid = RouteQuick, 91_85 }), "would have brought more"},
		"a direct one below the best bid": {with(sellBack, func(l *TradeLeaf) { l.BestBid = 91_85 }), ""},
	} {
		err := c.leaf.Verify()
		if (err == nil) != (c.why == "") || err != nil && !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s: %v, want %q", name, err, c.why)
		}
	}
}

func with(l TradeLeaf, change func(*TradeLeaf)) TradeLeaf {
	change(&l)
	return l
}
