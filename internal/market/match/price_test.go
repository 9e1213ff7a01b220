package match

import (
	"testing"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/bids"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

// Every way to submit a price checks its bounds before the database is used.
func TestPricesOutOfBoundsAreRefused(t *testing.T) {
	for _, price := range []money.Cents{0, -1, policy.MaxPrice + 1, 1<<63 - 1, -1 << 63} {
		for _, act := range []askAct{listAct, repriceAct} {
			if _, err := (&Service{}).ask(nil, "owner", act, []Ask{{Entry: "id", Price: price}}); !apperr.IsCode(err, apperr.Invalid) {
				t.Errorf("%s at %d: %v", act.act, price, err)
			}
		}
		b := bids.Bid{Price: bids.Price{Max: price}, Quantity: 1}
		if err := checkTerms(b, time.Time{}); !apperr.IsCode(err, apperr.Invalid) {
			t.Errorf("bid of %d: %v", price, err)
		}
	}
}

// A bid has a fixed price, or a percentage and a cap. A cap alone is not taken as a fixed price.
func TestBidNeedsFixedPriceOrPercentageWithCap(t *testing.T) {
	for _, c := range []struct {
		order BidOrder
		field string // the refused field, or empty
	}{
		{BidOrder{Price: 500}, ""},
		{BidOrder{Peg: 90, Cap: 500}, ""},
		{BidOrder{}, "priceCents"},
		{BidOrder{Price: 500, Peg: 90}, "priceCents"},
		{BidOrder{Price: 500, Cap: 500}, "priceCents"},
		{BidOrder{Price: 500, Peg: 90, Cap: 500}, "priceCents"},
		{BidOrder{Cap: 500}, "pegPercent"},
	} {
		price, err := c.order.price()
		if c.field == "" && (err != nil || price != bids.Price{Peg: c.order.Peg, Max: max(c.order.Price, c.order.Cap)}) {
			t.Errorf("%+v: price %+v, error %v; want it accepted", c.order, price, err)
		}
		if c.field != "" && (err == nil || apperr.As(err).Fields[c.field] == "") {
			t.Errorf("%+v: error %v, want %s refused", c.order, err, c.field)
		}
	}
}
