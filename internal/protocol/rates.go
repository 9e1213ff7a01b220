package protocol

import (
	"fmt"
	"slices"
	"time"

	"kaibao/internal/money"
)

const ratesHeader = "kaibao-rates/v1"

// RatesNotice is the minimum time between announcing changed rates and their effect.
const RatesNotice = 24 * time.Hour

// Rates are Kaibao's fee rates, which the seller pays, for each kind of trade.
type Rates struct {
	Listing money.BasisPoints
	Bid     money.BasisPoints
	Counter money.BasisPoints // counter-offer to a bid
}

// FirstRates apply to every kaibao-trade/v1 leaf, and to later trades until the log announces other
// rates.
var FirstRates = Rates{Listing: 500, Bid: 200, Counter: 500}

// Of returns the rate for a kind of trade. Sell-backs are free.
func (r Rates) Of(kind TradeKind) money.BasisPoints {
	switch kind {
	case TradeListing:
		return r.Listing
	case TradeBid:
		return r.Bid
	case TradeCounter:
		return r.Counter
	}
	return 0
}

// Fee returns the fee on a price, rounded half up to the cent. The price must not be negative.
func (r Rates) Fee(kind TradeKind, price money.Cents) money.Cents {
	return price.RoundedPart(r.Of(kind))
}

// RatesLeaf announces the rates of all trades from Effective on.
type RatesLeaf struct {
	Rates
	Effective time.Time
	Time      time.Time
}

// Format implements Leaf.
func (l RatesLeaf) Format() []byte {
	return fmt.Appendf(nil, "%s\nlisting %d\nbid %d\ncounter %d\neffective %s\ntime %s\n",
		ratesHeader, l.Listing, l.Bid, l.Counter, formatTime(l.Effective), formatTime(l.Time))
}

// At implements Leaf.
func (l RatesLeaf) At() time.Time { return l.Time }

// Verify returns an error if the notice is shorter than RatesNotice.
func (l RatesLeaf) Verify() error {
	if notice := l.Effective.Sub(l.Time); notice < RatesNotice {
		return fmt.Errorf("the rates take effect %s after their announcement, but the notice must be at least %s", notice, RatesNotice)
	}
	return nil
}

// RatesAt returns the rates in force at a time. announced is in log order.
func RatesAt(announced []RatesLeaf, at time.Time) Rates {
	for _, a := range slices.Backward(announced) {
		if !at.Before(a.Effective) {
			return a.Rates
		}
	}
	return FirstRates
}

func readRates(r *reader) Leaf {
	var l RatesLeaf
	l.Listing = r.rate(r.field("listing"))
	l.Bid = r.rate(r.field("bid"))
	l.Counter = r.rate(r.field("counter"))
	l.Effective = r.time(r.field("effective"))
	l.Time = r.time(r.field("time"))
	return l
}

// rate reads a rate in basis points.
func (r *reader) rate(text string) money.BasisPoints {
	return money.BasisPoints(r.count(text, uint64(money.Whole)))
}
