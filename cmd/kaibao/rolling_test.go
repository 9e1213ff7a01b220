package main

import (
	"context"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
)

// Both nodes of a shop behind HAProxy, with its file of deploy/, are restarted, one after the other, while clients send POSTs:
// every one of them succeeds, and none is executed twice.
func TestRollingRestartLosesNoRequest(t *testing.T) {
	if !slices.Contains(dbtest.Engines(), "postgres") {
		t.Log("only PostgreSQL can have several nodes")
		return
	}
	const clients, opens = 4, 250 // opens of each client
	config := apptest.Config(t, "postgres")
	nodes := newNodes(t, config, 2)
	addresses := []string{freeAddress(t), freeAddress(t)}
	for i, n := range nodes {
		n.kill()
		n.args = append(n.args, "--addr", addresses[i], "--public-url", shopURL, "--sandbox-public", "--drain", "2s")
		n.start(t)
	}
	p := startProxy(t, "haproxy", addresses[0], addresses[1])
	s := &apptest.Server{URL: shopURL, DB: inspect(t, config)}

	ctx, stop := context.WithCancel(t.Context())
	var posts atomic.Int64
	var all sync.WaitGroup
	for range clients {
		c := p.signIn(t, s)
		all.Go(func() {
			for i := 0; i < opens || ctx.Err() == nil; i++ {
				path, body := "/api/packs/2/open", any(map[string]string{"clientSeed": "x"})
				if i >= opens {
					path, body = "/api/auth/challenge", map[string]string{"address": c.Address}
				}
				answer, err := c.Try(context.WithoutCancel(ctx), http.MethodPost, path, body)
				if err != nil || answer.Status != http.StatusOK {
					t.Errorf("POST %s: %d %s %v", path, answer.Status, answer.Body, err)
					return
				}
				posts.Add(1)
			}
		})
	}
	for i, name := range []string{"first", "second"} {
		if err := nodes[i].process.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if err := nodes[i].process.Wait(); err != nil {
			t.Errorf("the %s node: %v", name, err)
		}
		nodes[i].start(t)
		apptest.Until(t, "the proxy uses the "+name+" node again", func() bool {
			return p.isUp(t, name)
		})
	}
	stop()
	all.Wait()
	if n := posts.Load(); n < clients*opens {
		t.Errorf("%d POSTs succeeded, want at least %d", n, clients*opens)
	}
	drawn := 0
	err := s.DB.Read(t.Context(), func(tx *db.Tx) (err error) {
		drawn, err = db.One(tx, db.Column[int], `SELECT COUNT(*) FROM openings WHERE pack_id = '2'`)
		return err
	})
	if err != nil || drawn != clients*opens {
		t.Errorf("%d packs were opened, want %d: %v", drawn, clients*opens, err)
	}
	s.WaitForLog(t)
	s.Audit(t)
}

// freeAddress returns a loopback address that nothing listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = listener.Close() }()
	return listener.Addr().String()
}
