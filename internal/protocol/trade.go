package protocol

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"kaibao/internal/money"
)

const (
	tradeV1Header = "kaibao-trade/v1"
	tradeHeader   = "kaibao-trade/v2"
)

// TradeKind is the kind of order that a trade filled.
type TradeKind string

// The kinds of trades.
const (
	TradeListing  TradeKind = "listing"
	TradeBid      TradeKind = "bid"
	TradeCounter  TradeKind = "counter"   // an owner's counter-offer to a bid
	TradeSellBack TradeKind = "sell-back" // Kaibao's quote
)

// TradeRoute is how the seller chose the buyer.
type TradeRoute string

// The routes; empty if the buyer came to the seller.
const (
	RouteQuick  TradeRoute = "quick"  // the highest offer
	RouteDirect TradeRoute = "direct" // a buyer chosen by the seller
)

// TradeLeaf records the sale of an entry and the best alternatives that Kaibao claims were
// available. It identifies no user. A kaibao-trade/v1 leaf (V1) has no rate: its fees follow
// FirstRates.
type TradeLeaf struct {
	V1         bool
	ID         string
	Kind       TradeKind
	Item       string
	Price      money.Cents // at least 1
	Fee        money.Cents
	Rate       money.BasisPoints // rate of the fee; 0 for a sell-back or a V1 leaf
	Route      TradeRoute
	HouseQuote money.Cents // what Kaibao offered or paid; 0 = not applicable
	BestBid    money.Cents // 0 = no bid, or not applicable
	Time       time.Time
}

// Format implements Leaf.
func (l TradeLeaf) Format() []byte {
	header, rate := tradeHeader, fmt.Sprintf("rate %d\n", l.Rate)
	if l.V1 {
		header, rate = tradeV1Header, ""
	}
	return fmt.Appendf(nil, "%s\nid %s\nkind %s\nitem %s\nprice %d\nfee %d\n%sroute %s\nhouseQuote %s\nbestBid %s\ntime %s\n",
		header, l.ID, l.Kind, l.Item, l.Price, l.Fee, rate, orNone(string(l.Route)), orNone(amountText(l.HouseQuote)),
		orNone(amountText(l.BestBid)), formatTime(l.Time))
}

// At implements Leaf.
func (l TradeLeaf) At() time.Time { return l.Time }

// none is written for fields that don't apply.
const none = "-"

func orNone(text string) string {
	if text == "" {
		return none
	}
	return text
}

func amountText(amount money.Cents) string {
	if amount == 0 {
		return ""
	}
	return strconv.FormatInt(int64(amount), 10)
}

func readTradeV1(r *reader) Leaf { return readTradeOf(r, true) }

func readTrade(r *reader) Leaf { return readTradeOf(r, false) }

func readTradeOf(r *reader, v1 bool) Leaf {
	l := TradeLeaf{V1: v1}
	l.ID = r.id(r.field("id"))
	l.Kind = TradeKind(r.oneOf(r.field("kind"), string(TradeListing), string(TradeBid), string(TradeCounter), string(TradeSellBack)))
	l.Item = r.id(r.field("item"))
	l.Price = r.paid(r.field("price"))
	l.Fee = r.amount(r.field("fee"))
	if !v1 {
		l.Rate = r.rate(r.field("rate"))
	}
	if route := r.field("route"); route != none {
		l.Route = TradeRoute(r.oneOf(route, string(RouteQuick), string(RouteDirect)))
	}
	l.HouseQuote = r.optionalAmount(r.field("houseQuote"))
	l.BestBid = r.optionalAmount(r.field("bestBid"))
	l.Time = r.time(r.field("time"))
	return l
}

// paid reads an amount of at least 1.
func (r *reader) paid(text string) money.Cents {
	amount := r.amount(text)
	r.check(amount > 0, "must be at least 1")
	return amount
}

func (r *reader) optionalAmount(text string) money.Cents {
	if text == none {
		return 0
	}
	return r.paid(text)
}

func (r *reader) oneOf(text string, known ...string) string {
	if slices.Contains(known, text) {
		return text
	}
	r.refuse("expected one of %q: %s", known, quote(text))
	return ""
}

// Verify returns why a trade breaks the rules, given the announced rates in force at its time, or
// nil: the rate and fee must be those of its kind, and a quick sell must have gone to the better of
// quote and bid. Only the holder of a better bid can tell whether BestBid was really the best.
func (l TradeLeaf) Verify(inForce Rates) error {
	rate := l.Rate
	if l.V1 {
		rate = FirstRates.Of(l.Kind)
	}
	if want := inForce.Of(l.Kind); rate != want {
		return fmt.Errorf("the fee rate of the %s is %s, but the announced rate in force was %s", l.Kind, rate, want)
	}
	if fee := inForce.Fee(l.Kind, l.Price); l.Fee != fee {
		return fmt.Errorf("the fee is %s, but for a %s of %s it must be %s", l.Fee, l.Kind, l.Price, fee)
	}
	soldBack := l.Kind == TradeSellBack
	switch {
	case soldBack && l.Route == "":
		return fmt.Errorf("a sell-back needs a route")
	case !soldBack && l.Kind != TradeBid && l.Route != "":
		return fmt.Errorf("a %s can't have the route %s", l.Kind, l.Route)
	case l.Route == "" && (l.HouseQuote > 0 || l.BestBid > 0):
		return fmt.Errorf("a trade without a route can't have a quote or best bid")
	case soldBack && l.Price != l.HouseQuote:
		return fmt.Errorf("Kaibao paid %s, but its quote was %s", l.Price, l.HouseQuote)
	case soldBack && l.Route == RouteQuick && l.Price < l.BestBid-inForce.Fee(TradeBid, l.BestBid):
		return fmt.Errorf("Kaibao paid %s, but the best bid of %s was the higher offer after its fee", l.Price, l.BestBid)
	case l.Kind == TradeBid && l.Route == RouteQuick && l.Price-l.Fee < l.HouseQuote:
		return fmt.Errorf("the bid paid %s after its fee, but Kaibao's offer was %s", l.Price-l.Fee, l.HouseQuote)
	}
	return nil
}
