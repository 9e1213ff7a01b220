package main

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
)

// haproxyConfig is what docs/operations.md recommends. The arguments are the addresses of the proxy
// and of both nodes.
const haproxyConfig = `
defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
frontend shop
  bind %s
  http-request set-header X-Request-Id %%[uuid()]
  default_backend nodes
backend nodes
  option httpchk GET /readyz
  http-response set-header X-Node %%s
  default-server check inter 500ms fall 1 rise 1
  server first %s
  server second %s
`

// Both nodes of a shop behind HAProxy are restarted, one after the other, while clients send POSTs:
// every one of them succeeds, and none is executed twice.
func TestRollingRestartLosesNoRequest(t *testing.T) {
	if !slices.Contains(dbtest.Engines(), "postgres") {
		t.Log("only PostgreSQL can have several nodes")
		return
	}
	const clients, opens = 4, 250 // opens of each client
	config := apptest.Config(t, "postgres")
	nodes := newNodes(t, config, 2)
	proxy := "http://" + startHAProxy(t, nodes)
	s := &apptest.Server{URL: proxy, DB: dbtest.Open(t, db.Options{URL: config.DatabaseURL})}

	ctx, stop := context.WithCancel(t.Context())
	var posts atomic.Int64
	var all sync.WaitGroup
	for range clients {
		c := s.SignIn(t)
		c.Deposit(t, 10_000)
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
			return s.NewClient(t).Get(t, "/healthz").Header.Get("X-Node") == name
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

// startHAProxy moves the nodes to fixed addresses, restarts them with --drain, and starts HAProxy in
// front of them. It returns HAProxy's address.
func startHAProxy(t *testing.T, nodes []*node) string {
	t.Helper()
	program, err := exec.LookPath("haproxy")
	if err != nil {
		program = "/usr/sbin/haproxy" // Debian's
	}
	proxy, addresses := freeAddress(t), []string{}
	for _, n := range nodes {
		n.kill()
		address := freeAddress(t)
		addresses = append(addresses, address)
		n.args = append(n.args, "--addr", address, "--public-url", "http://"+proxy, "--drain", "2s")
		n.start(t)
	}
	file := filepath.Join(t.TempDir(), "haproxy.cfg")
	if err := os.WriteFile(file, fmt.Appendf(nil, haproxyConfig, proxy, addresses[0], addresses[1]), 0o600); err != nil {
		t.Fatal(err)
	}
	haproxy := exec.CommandContext(context.WithoutCancel(t.Context()), program, "-db", "-q", "-f", file)
	haproxy.Stderr = os.Stderr
	if err := haproxy.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmp.Or(haproxy.Process.Kill(), haproxy.Wait()) })
	apptest.Until(t, "the proxy answers", func() bool {
		response, err := http.Get("http://" + proxy + "/healthz")
		return err == nil && response.Body.Close() == nil && response.StatusCode == http.StatusOK
	})
	return proxy
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
