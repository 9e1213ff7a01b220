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
	t.Parallel()
	if !slices.Contains(dbtest.Engines(), "postgres") {
		t.Log("only PostgreSQL is reached over a network")
		return
	}
	config := apptest.Config(t, "postgres")
	wire, address := dbtest.StartProxy(t, config.DatabaseURL)
	n := newNode(t, nodeArgs(config.Data, address))
	c := (&apptest.Server{URL: *n.url.Load()}).SignIn(t)

	wire.Disconnect()
	paths := []string{"/readyz", "/api/auth/user", "/api/packs", "/api/items"}
	answers, errs := make([]apptest.Answer, len(paths)), make([]error, len(paths))
	var all sync.WaitGroup
	for i, path := range paths {
		all.Go(func() { answers[i], errs[i] = c.Try(t.Context(), http.MethodGet, path, nil) })
	}
	all.Wait()
	for i, path := range paths {
		if errs[i] != nil {
			t.Fatalf("%s: %v", path, errs[i])
		}
		answers[i].Refused(t, http.StatusServiceUnavailable, "unavailable")
		if fault := answers[i].Fault(http.MethodGet, path); fault != "" {
			t.Errorf("%s: %s", path, fault)
		}
		if answers[i].Header.Get("Retry-After") == "" {
			t.Errorf("%s has no Retry-After header", path)
		}
	}
	wire.Reconnect()
	for c.Get(t, "/readyz").Status != http.StatusOK {
		if t.Context().Err() != nil {
			t.Fatal("the node never recovers")
		}
	}
	c.Get(t, "/api/auth/user").Want(t, http.StatusOK, nil)

	wire.DropData()
	for range 20 {
		all.Go(func() {
			answer, err := c.Try(t.Context(), http.MethodGet, "/api/auth/user", nil)
			if err == nil && answer.Status != http.StatusOK && answer.Status != http.StatusServiceUnavailable {
				t.Errorf("%d %s", answer.Status, answer.Body)
			}
		})
	}
	signaled := time.Now()
	if err := n.process.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = n.process.Wait()
	if took := time.Since(signaled); took > shutdownTimeout+5*time.Second {
		t.Errorf("ended %s after SIGTERM", took)
	}
	all.Wait()
}
