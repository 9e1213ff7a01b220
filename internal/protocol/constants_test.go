package protocol_test

import (
	"testing"
	"time"

	"kaibao/internal/protocol"
)

// The constants of kaibao/v1 apply to every existing log and must never change.
func TestProtocolConstantsAreFrozen(t *testing.T) {
	if protocol.MinNotice != 60*time.Second || protocol.MaxGrace != 600*time.Second || protocol.MaxLogDelay != 60*time.Second {
		t.Errorf("notice %s, grace %s, logged within %s", protocol.MinNotice, protocol.MaxGrace, protocol.MaxLogDelay)
	}
	if protocol.MinPeg != 50 || protocol.MaxPeg != 120 {
		t.Errorf("bids are pegged to %d to %d %%", protocol.MinPeg, protocol.MaxPeg)
	}
	if want := (protocol.Rates{Listing: 500, Bid: 200, Counter: 500}); protocol.FirstRates != want {
		t.Errorf("the first rates are %v, want %v", protocol.FirstRates, want)
	}
}
