package apptest

import (
	"net/http"
	"testing"

	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/packs"
	"kaibao/internal/rounds"
)

// Shop returns a service that publishes packs as the node does.
func (s *Server) Shop(t testing.TB) *packs.Service {
	t.Helper()
	var chain [32]byte
	if err := s.DB.Read(t.Context(), func(tx *db.Tx) error {
		beacon, err := rounds.SandboxBeacon(tx)
		if err == nil {
			chain = beacon.Hash()
		}
		return err
	}); err != nil {
		t.Fatalf("read the sandbox's beacon: %v", err)
	}
	return &packs.Service{DB: s.DB, Delay: s.Config.ManifestDelay, Beacon: func() [32]byte { return chain }}
}

// MakeInstant lets a pack that the demo data seals be opened at once, and moves the clock until that is
// in force.
func (s *Server) MakeInstant(t testing.TB, pack string, clock *dbtest.Clock) {
	t.Helper()
	s.Admin(t).Call(t, http.MethodPatch, "/api/admin/packs/"+pack, Body{"sealing": "instant"}).Want(t, http.StatusOK, nil)
	clock.Advance(s.Config.ManifestDelay)
}

// Order orders a sealed pack as soon as the node takes orders, and returns the order's id.
func (c *Client) Order(t testing.TB, pack, clientSeed string) (id string) {
	t.Helper()
	var answer Answer
	Until(t, "the node takes orders", func() bool {
		answer = c.Post(t, "/api/packs/"+pack+"/open", Body{"clientSeed": clientSeed, "sealed": true})
		return answer.Status != http.StatusServiceUnavailable
	})
	var order struct{ OpenID string }
	answer.Want(t, http.StatusOK, &order)
	return order.OpenID
}

// WaitForDraw waits until an order is drawn, and returns the response about its open.
func (c *Client) WaitForDraw(t testing.TB, order string) (answer Answer) {
	t.Helper()
	Until(t, "the order is drawn", func() bool {
		answer = c.Get(t, "/api/opens/"+order)
		var open struct{ State string }
		answer.Want(t, http.StatusOK, &open)
		return open.State == "open"
	})
	return answer
}

// OpenSealed orders a sealed pack, waits until it is drawn, and returns the response about its open.
func (c *Client) OpenSealed(t testing.TB, pack, clientSeed string) Answer {
	t.Helper()
	return c.WaitForDraw(t, c.Order(t, pack, clientSeed))
}
