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
	for _, price := range []money.Cents{0, -1, policy.HighestPrice + 1, 1<<63 - 1, -1 << 63} {
		for _, act := range []askAct{listAct, repriceAct} {
			if _, err := (&Service{}).ask(nil, "owner", act, []Ask{{Entry: "id", Price: price}}); !apperr.IsCode(err, apperr.Invalid) {
				t.Errorf("%s at %d: %v", act.act, price, err)
			}
		}
		b := bids.Bid{Price: bids.Price{Most: price}, Quantity: 1}
		if err := checkTerms(b, time.Time{}); !apperr.IsCode(err, apperr.Invalid) {
			t.Errorf("bid of %d: %v", price, err)
		}
	}
}
