package opening_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/batch"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/opening"
)

// BenchmarkLimits opens packs for 64 players per transaction, alternating between players without
// limits and players with all six. One operation is a transaction of each.
func BenchmarkLimits(b *testing.B) {
	const players = 64
	for _, engine := range dbtest.Engines() {
		b.Run(engine, func(b *testing.B) {
			config := apptest.Config(b, engine, apptest.Seeds(strings.Repeat("5a", 32)))
			s := apptest.Start(b, config)
			opens := newService(b, s)
			groups := [2][]opening.UserRequest{newRequests(b, s, players, nil), newRequests(b, s, players, []string{"loss-day", "loss-week", "loss-month", "deposit-day", "deposit-week", "deposit-month"})}
			var elapsed [2]time.Duration
			opened := 0
			for n := 0; b.Loop(); n++ {
				for m := range groups {
					group := (n + m) % 2
					began := time.Now()
					if err := s.DB.InTx(b.Context(), func(tx *db.Tx) error { return firstError(opens.OpenAll(tx, groups[group])) }); err != nil {
						b.Fatal(err)
					}
					elapsed[group] += time.Since(began)
				}
				opened += players
			}
			for group, name := range []string{"without-µs/open", "limited-µs/open"} {
				b.ReportMetric(float64(elapsed[group].Microseconds())/float64(opened), name)
			}
		})
	}
}

// newRequests returns one request for each of a number of well-funded players with the given limits.
func newRequests(b *testing.B, s *apptest.Server, players int, limits []string) (requests []opening.UserRequest) {
	b.Helper()
	for range players {
		c := s.SignIn(b)
		for _, limit := range limits {
			c.Call(b, http.MethodPut, "/api/limits", map[string]any{"limits": []map[string]any{{"limit": limit, "cents": 100_000_000}}}).Want(b, http.StatusOK, nil)
		}
		for range 100 {
			c.Deposit(b, 10_000)
		}
		user := apptest.Get[struct{ ID, UserTag string }](b, c, "/api/auth/user")
		requests = append(requests, opening.UserRequest{UserID: user.ID, UserTag: user.UserTag, Request: opening.Request{PackID: "2", ClientSeed: fmt.Sprint(len(requests))}})
	}
	return requests
}

// firstError returns the first error of a batch or its outcomes.
func firstError(outcomes []batch.Outcome[opening.OpenResult], err error) error {
	for _, o := range outcomes {
		if err == nil {
			err = o.Err
		}
	}
	return err
}
