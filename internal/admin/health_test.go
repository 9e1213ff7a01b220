package admin_test

import (
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"kaibao/internal/admin"
	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/httpapi"
	"kaibao/internal/jobs"
)

// A node is ready while its database is. The health checks answer at any host name with a bare
// status. The operator's listener shows the state of the jobs and the causes of failures, and answers
// loopback and configured hosts only.
func TestReadinessFollowsTheDatabase(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		public, err := httpapi.ParsePublicURL("http://kaibao.example")
		if err != nil {
			t.Fatal(err)
		}
		api := httpapi.New(httpapi.Options{DB: d, PublicURL: public, Version: "1.2.3", Log: slog.New(slog.DiscardHandler), NewRequestID: func() string { return "request" }, Clock: time.Now})
		noon := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
		stopping := false
		node := admin.Node{Ready: func() error {
			if stopping {
				return apperr.New(apperr.Unavailable, "This node is stopping.")
			}
			return nil
		}, Jobs: func() []jobs.State {
			return []jobs.State{{Name: "count", LastError: errors.New("connection refused"), FailedAt: noon, Behind: 3}, {Name: "sign", LastSuccess: noon}}
		}}
		node.Routes(api)
		ops := node.OpsHandler(d, []string{"ops.example"}, nil)
		want := func(handler http.Handler, path string, status int, says string) {
			t.Helper()
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
			var health map[string]any
			if err := json.Unmarshal(w.Body.Bytes(), &health); err != nil {
				t.Fatalf("%s: %s: %v", path, w.Body, err)
			}
			if got, _ := json.Marshal(health); w.Code != status || says != "" && string(got) != says {
				t.Errorf("%s: %d %s, want %d %s", path, w.Code, got, status, says)
			}
		}
		jobs := `[{"behind":3,"lastError":{"at":"2026-03-04T12:00:00.000Z","message":"connection refused"},"name":"count"},` +
			`{"behind":0,"lastSuccess":"2026-03-04T12:00:00.000Z","name":"sign"}]`
		want(api.Handler(), "http://kaibao.example/version", http.StatusOK, `{"version":"1.2.3"}`)
		for _, host := range []string{"kaibao.example", "10.0.0.7:8080", "elsewhere.example"} {
			want(api.Handler(), "http://"+host+"/healthz", http.StatusOK, `{"status":"ok"}`)
			want(api.Handler(), "http://"+host+"/readyz", http.StatusOK, `{"status":"ok"}`)
		}
		want(api.Handler(), "http://elsewhere.example/version", http.StatusMisdirectedRequest, "")
		for _, host := range []string{"127.0.0.1:8090", "localhost:8090", "[::1]:8090", "ops.example:8090", "OPS.example"} {
			want(ops, "http://"+host+"/readyz", http.StatusOK, `{"jobs":`+jobs+`,"status":"ok","wrongLeaves":0}`)
		}
		want(ops, "http://rebound.example:8090/readyz", http.StatusMisdirectedRequest, `{"error":"This listener answers loopback addresses and --ops-host only."}`)
		stopping = true
		want(api.Handler(), "http://kaibao.example/readyz", http.StatusServiceUnavailable, "")
		want(ops, "http://localhost/readyz", http.StatusServiceUnavailable, `{"jobs":`+jobs+`,"reason":"This node is stopping.","status":"unready","wrongLeaves":0}`)
		stopping = false
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		want(api.Handler(), "http://kaibao.example/readyz", http.StatusServiceUnavailable, "")
		cause := map[string]string{"sqlite": "the database is closed", "postgres": "reach the database: closed pool"}[d.Engine()]
		want(ops, "http://localhost/readyz", http.StatusServiceUnavailable, `{"jobs":`+jobs+`,"reason":"The database isn't responding: The server is busy. Please try again: `+cause+`","status":"unready","wrongLeaves":0}`)
		want(api.Handler(), "http://kaibao.example/healthz", http.StatusOK, `{"status":"ok"}`)
	})
}
