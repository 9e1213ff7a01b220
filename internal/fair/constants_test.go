package fair_test

import (
	"testing"
	"time"

	"kaibao/internal/fair"
)

// What kaibao/v1 fixed holds for every log that was ever written: it never changes.
func TestTheProtocolsConstantsAreFrozen(t *testing.T) {
	if fair.LeastNotice != 60*time.Second || fair.LongestGrace != 600*time.Second || fair.LoggedWithin != 60*time.Second {
		t.Errorf("notice %s, grace %s, logged within %s", fair.LeastNotice, fair.LongestGrace, fair.LoggedWithin)
	}
	if fair.LeastPeg != 50 || fair.MostPeg != 120 {
		t.Errorf("bids are pegged to %d to %d %%", fair.LeastPeg, fair.MostPeg)
	}
	if want := (fair.Rates{Listing: 500, Bid: 200, Counter: 500}); fair.FirstRates != want {
		t.Errorf("the first rates are %v, want %v", fair.FirstRates, want)
	}
}
