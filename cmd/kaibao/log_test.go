package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db/dbtest"
)

// logLine is a line of a server's log in JSON.
type logLine struct {
	Level, Msg, RequestID, Client, Method, Path, Route, User, Statement string
	Status                                                              int
	DurationMs                                                          *float64
}

// An operator finds a user's request and its slow queries in the log, but no query string and no
// arguments of statements.
func TestLogShowsRequestsAndSlowQueries(t *testing.T) {
	t.Parallel()
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			config := apptest.Config(t, engine)
			args := append(nodeArgs(config.Data, config.DatabaseURL), "--log-format", "json", "--slow-request", "1ns", "--slow-query", "1ns",
				"--trusted-proxies", "127.0.0.0/8", "--log-addresses", "short")
			n := &node{args: args}
			var log bytes.Buffer
			n.stderr = &log
			n.start(t)
			t.Cleanup(n.kill)
			c := (&apptest.Server{URL: *n.url.Load()}).SignIn(t)
			user := apptest.Get[struct{ ID string }](t, c, "/api/auth/user").ID
			c.Get(t, "/api/items/nothing?5ecre7=5ecre7", "X-Forwarded-For", "203.0.113.9", "X-Request-Id", "from-the-proxy").Refused(t, http.StatusNotFound, "not_found")
			if err := n.process.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			if err := n.process.Wait(); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(log.String(), "5ecre7") || strings.Contains(log.String(), c.Address) {
				t.Errorf("the log contains a query string or an argument of a statement: %s", &log)
			}
			found := map[string]bool{}
			for line := range strings.Lines(log.String()) {
				var l logLine
				if err := json.Unmarshal([]byte(line), &l); err != nil {
					continue // not a log line
				}
				ours := l.RequestID == "from-the-proxy" && l.DurationMs != nil && *l.DurationMs > 0
				ofRequest := l.Client == "203.0.113.0/24" && l.Method == http.MethodGet && l.Path == "/api/items/nothing" && l.Route == "/api/items/{id}" && l.Status == http.StatusNotFound
				found["request"] = found["request"] || ours && ofRequest && l.Level == "INFO" && l.Msg == "request"
				found["slow request"] = found["slow request"] || l.Level == "WARN" && l.Msg == "slow request" && l.DurationMs != nil
				found["slow query"] = found["slow query"] || l.Level == "WARN" && l.Msg == "slow query" && strings.HasPrefix(l.Statement, "SELECT ") && l.DurationMs != nil
				found["user"] = found["user"] || l.Msg == "request" && l.User == user && l.Path == "/api/auth/user"
			}
			for _, what := range []string{"request", "slow request", "slow query", "user"} {
				if !found[what] {
					t.Errorf("the log has no line for %q: %s", what, &log)
				}
			}
		})
	}
}
