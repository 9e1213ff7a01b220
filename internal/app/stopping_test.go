package app_test

import (
	"net/http"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db/dbtest"
)

// A stopping node serves on for the drain time, but isn't ready, so that load balancers send
// requests to other nodes.
func TestStoppingNodeServesWhileDraining(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			config := apptest.Config(t, engine)
			config.Drain = 2 * time.Second
			s := apptest.Start(t, config)
			c := s.SignIn(t)
			c.Get(t, "/readyz").Want(t, http.StatusOK, nil)
			stopped := make(chan struct{})
			go func() { s.Stop(); close(stopped) }()
			apptest.Until(t, "the node isn't ready", func() bool { return c.Get(t, "/readyz").Status == http.StatusServiceUnavailable })
			if status := s.Status(t); status.Reason != "This node is stopping." {
				t.Errorf("the operator's listener shows %+v", status)
			}
			c.Deposit(t, 25)
			c.Post(t, "/api/packs/2/open", map[string]string{"clientSeed": "x"}).Want(t, http.StatusOK, nil)
			<-stopped
			if _, err := c.Try(t.Context(), http.MethodGet, "/healthz", nil); err == nil {
				t.Error("the stopped node still answers")
			}
		})
	}
}
