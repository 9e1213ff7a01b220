package protocol

import (
	"strings"
	"testing"
)

// A trade's leaf must satisfy the published terms.
func TestVerifyTrade(t *testing.T) {
	sellBack := TradeLeaf{V1: true, Kind: TradeSellBack, Price: 90_00, HouseQuote: 90_00, Route: RouteDirect}
	quick := TradeLeaf{V1: true, Kind: TradeBid, Price: 100_00, Fee: 2_00, Route: RouteQuick, HouseQuote: 90_00, BestBid: 100_00}
	for name, c := range map[string]struct {
		leaf TradeLeaf
		why  string // empty = valid
	}{
		"a listing":                       {TradeLeaf{V1: true, Kind: TradeListing, Price: 9_90, Fee: 50}, ""},
		"a listing's fee":                 {TradeLeaf{V1: true, Kind: TradeListing, Price: 9_90, Fee: 49}, "the fee is 0.49"},
		"a listing by a route":            {TradeLeaf{V1: true, Kind: TradeListing, Price: 9_90, Fee: 50, Route: RouteQuick}, "have the route quick"},
		"a counter-offer":                 {TradeLeaf{V1: true, Kind: TradeCounter, Price: 100_00, Fee: 5_00}, ""},
		"a counter-offer for a bid's fee": {TradeLeaf{V1: true, Kind: TradeCounter, Price: 100_00, Fee: 2_00}, "the fee is 2.00"},
		"a bid that somebody crossed":     {TradeLeaf{V1: true, Kind: TradeBid, Price: 100_00, Fee: 2_00}, ""},
		"a quote without a route":         {TradeLeaf{V1: true, Kind: TradeBid, Price: 100_00, Fee: 2_00, HouseQuote: 1}, "without a route"},
		"a quick bid":                     {quick, ""},
		"a quick bid below the house":     {with(quick, func(l *TradeLeaf) { l.HouseQuote = 98_01 }), "Kaibao's offer was 98.01"},
		"a direct bid below the house":    {with(quick, func(l *TradeLeaf) { l.Route, l.HouseQuote = RouteDirect, 98_01 }), ""},
		"a sell-back":                     {sellBack, ""},
		"a sell-back on no route":         {TradeLeaf{V1: true, Kind: TradeSellBack, Price: 90_00}, "needs a route"},
		"a sell-back with a fee":          {with(sellBack, func(l *TradeLeaf) { l.Fee = 1 }), "the fee is 0.01"},
		"a sell-back below the quote":     {with(sellBack, func(l *TradeLeaf) { l.HouseQuote = 90_01 }), "its quote was 90.01"},
		"a quick one, the best bid equal": {with(sellBack, func(l *TradeLeaf) { l.Route, l.BestBid = RouteQuick, 91_84 }), ""},
		"a quick one below the best bid":  {with(sellBack, func(l *TradeLeaf) { l.Route, l.BestBid = RouteQuick, 91_85 }), "was the higher offer"},
		"a direct one below the best bid": {with(sellBack, func(l *TradeLeaf) { l.BestBid = 91_85 }), ""},
	} {
		err := c.leaf.Verify(FirstRates)
		same := c.leaf
		same.V1, same.Rate = false, FirstRates.Of(same.Kind)
		if again := same.Verify(FirstRates); (again == nil) != (err == nil) {
			t.Errorf("%s: %v, with its rate %v", name, err, again)
		}
		if (err == nil) != (c.why == "") || err != nil && !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s: %v, want %q", name, err, c.why)
		}
	}
}

// A trade must use and state the announced rate in force at its time.
func TestVerifyTradeAtItsRate(t *testing.T) {
	inForce := Rates{Listing: 400, Bid: 150, Counter: 300}
	for name, c := range map[string]struct {
		leaf TradeLeaf
		why  string // empty = valid
	}{
		"a listing":                       {TradeLeaf{Kind: TradeListing, Price: 9_90, Fee: 40, Rate: 400}, ""},
		"a listing's fee, half a cent up": {TradeLeaf{Kind: TradeBid, Price: 1_00, Fee: 2, Rate: 150}, ""},
		"a counter-offer":                 {TradeLeaf{Kind: TradeCounter, Price: 10_00, Fee: 30, Rate: 300}, ""},
		"the rate before":                 {TradeLeaf{Kind: TradeListing, Price: 10_00, Fee: 50, Rate: 500}, "is 5 %, but the announced rate in force was 4 %"},
		"the rate of another kind":        {TradeLeaf{Kind: TradeListing, Price: 10_00, Fee: 15, Rate: 150}, "is 1.5 %"},
		"another fee than the rate's":     {TradeLeaf{Kind: TradeListing, Price: 10_00, Fee: 41, Rate: 400}, "the fee is 0.41"},
		"without a rate":                  {TradeLeaf{V1: true, Kind: TradeListing, Price: 10_00, Fee: 50}, "is 5 %, but the announced rate in force was 4 %"},
		"a sell-back at a rate":           {TradeLeaf{Kind: TradeSellBack, Price: 90_00, HouseQuote: 90_00, Route: RouteDirect, Rate: 1}, "is 0.01 %"},
		"a quick one, the best bid equal": {TradeLeaf{Kind: TradeSellBack, Price: 98_50, HouseQuote: 98_50, Route: RouteQuick, BestBid: 100_00}, ""},
		"a quick one below the best bid":  {TradeLeaf{Kind: TradeSellBack, Price: 98_49, HouseQuote: 98_49, Route: RouteQuick, BestBid: 100_00}, "was the higher offer"},
	} {
		err := c.leaf.Verify(inForce)
		if (err == nil) != (c.why == "") || err != nil && !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s: %v, want %q", name, err, c.why)
		}
	}
}

func with(l TradeLeaf, change func(*TradeLeaf)) TradeLeaf {
	change(&l)
	return l
}
