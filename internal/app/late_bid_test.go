package app_test

import (
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"kaibao/internal/app"
	"kaibao/internal/app/apptest"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/policy"
	"kaibao/internal/protocol"
)

// A bid that would commit more than 5 s after its receipt's time is rolled back. A quick sell more
// than 10 s later thus sees every bid that has a receipt.
func TestLateBidIsRolledBack(t *testing.T) {
	if 2*policy.BidWithin > protocol.EvidenceAfter {
		t.Errorf("a bid may commit %s after its time, its receipt is evidence after %s", policy.BidWithin, protocol.EvidenceAfter)
	}
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			clock := dbtest.NewClock()
			var step atomic.Int64 // added to the clock at each reading
			s := apptest.Start(t, apptest.Config(t, engine, func(c *app.Config) {
				c.Now = func() time.Time {
					clock.Advance(time.Duration(step.Load()))
					return clock.Now()
				}
			}))
			runSlowly := func(act func() apptest.Answer) apptest.Answer {
				step.Store(int64(policy.BidWithin + time.Microsecond))
				defer step.Store(0)
				return act()
			}
			bidder, entry := s.SignIn(t), ownedAfterOpening(t, s.SignIn(t), 1)[0]
			bidder.Deposit(t, 10)
			wantHeld := func(want int) {
				t.Helper()
				if w := apptest.Get[struct{ BalanceCents, HeldCents int }](t, bidder, "/api/wallet"); w.HeldCents != want || w.BalanceCents != 1000-want {
					t.Errorf("the wallet is %+v, want %d held", w, want)
				}
			}
			order := payload{"scope": payload{"inventoryId": entry}, "priceCents": 500, "confirmedCents": 500}
			late := runSlowly(func() apptest.Answer { return bidder.Post(t, "/api/bids", order) })
			late.Refused(t, http.StatusServiceUnavailable, "unavailable")
			if late.Header.Get("Retry-After") == "" {
				t.Error("there is no Retry-After header")
			}
			wantHeld(0)
			var bid struct{ ID string }
			bidder.Post(t, "/api/bids", order).Want(t, http.StatusOK, &bid)
			runSlowly(func() apptest.Answer {
				return bidder.Call(t, http.MethodPut, "/api/bids/"+bid.ID, payload{"priceCents": 600, "confirmedCents": 600})
			}).Refused(t, http.StatusServiceUnavailable, "unavailable")
			wantHeld(500)
		})
	}
}
