package main

import (
	"net/http"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db/dbtest"
)

// The network to PostgreSQL drops all packets. Requests fail with Retry-After instead of hanging,
// the node isn't ready, recovers by itself, and can be stopped at any time.
func TestSilentDatabaseBlocksNothing(t *testing.T) {
	if !slices.Contains(dbtest.Engines(), "postgres") {
		t.Log("only PostgreSQL is reached over a network")
		return
	}
	config := apptest.Config(t, "postgres")
	wire, address := dbtest.Lay(t, config.DatabaseURL)
	n := newNode(t, nodeArgs(config.Data, address))
	c := (&apptest.Server{URL: *n.url.Load()}).SignIn(t)

	wire.Cut()
	for _, path := range []string{"/readyz", "/api/auth/user", "/api/packs", "/api/items"} {
		answer := c.Get(t, path)
		answer.Refused(t, http.StatusServiceUnavailable, "unavailable")
		if answer.Header.Get("Retry-After") == "" {
			t.Errorf("%s does not say when to come back", path)
		}
	}
	wire.Mend()
	for c.Get(t, "/readyz").Status != http.StatusOK {
		if t.Context().Err() != nil {
			t.Fatal("the node never recovers")
		}
	}
	c.Get(t, "/api/auth/user").Want(t, http.StatusOK, nil)

	wire.FallSilent()
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			answer, err := c.Try(t.Context(), http.MethodGet, "/api/auth/user", nil)
			if err == nil && answer.Status != http.StatusOK && answer.Status != http.StatusServiceUnavailable {
				t.Errorf("%d %s", answer.Status, answer.Body)
			}
		})
	}
	told := time.Now()
	if err := n.process.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = n.process.Wait()
	if took := time.Since(told); took > shutdownTimeout+5*time.Second {
		t.Errorf("ended %s after SIGTERM", took)
	}
	all.Wait()
}
