package protocol_test

import (
	"testing"
	"time"

	"kaibao/internal/protocol"
)

// The constants of kaibao/v1 apply to every existing log and must never change.
func TestProtocolConstantsAreFrozen(t *testing.T) {
	if protocol.LeastNotice != 60*time.Second || protocol.LongestGrace != 600*time.Second || protocol.LoggedWithin != 60*time.Second {
		t.Errorf("notice %s, grace %s, logged within %s", protocol.LeastNotice, protocol.LongestGrace, protocol.LoggedWithin)
	}
	if protocol.LeastPeg != 50 || protocol.MostPeg != 120 {
		t.Errorf("bids are pegged to %d to %d %%", protocol.LeastPeg, protocol.MostPeg)
	}
	if want := (protocol.Rates{Listing: 500, Bid: 200, Counter: 500}); protocol.FirstRates != want {
		t.Errorf("the first rates are %v, want %v", protocol.FirstRates, want)
	}
}
