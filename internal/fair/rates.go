package fair

import "kaibao/internal/money"

// Rates are the house's parts of a trade's price, which the seller pays, by what rested until
// somebody came.
type Rates struct {
	Listing money.BasisPoints
	Bid     money.BasisPoints
	Counter money.BasisPoints // an owner's answer to a bid
}

// FirstRates are those of every kaibao-trade/v1, for ever, and of every later trade until a
// log announces others.
var FirstRates = Rates{Listing: 500, Bid: 200, Counter: 500}

// Of is the rate of a kind of trade; a sell-back costs nothing.
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

// Fee is the house's part of a price, rounded half up to the cent. The price must not be
// negative.
func (r Rates) Fee(kind TradeKind, price money.Cents) money.Cents {
	return price.RoundedPart(r.Of(kind))
}
