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
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/httpapi"
	"kaibao/internal/jobs"
)

// A node is ready while its database is. It reports the state of its jobs but not the causes of
// failures.
func TestReadinessFollowsTheDatabase(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		public, err := httpapi.ParsePublicURL("http://kaibao.example")
		if err != nil {
			t.Fatal(err)
		}
		api := httpapi.New(httpapi.Options{DB: d, PublicURL: public, Version: "1.2.3", Log: slog.New(slog.DiscardHandler), NewRequestID: func() string { return "request" }, Clock: time.Now})
		noon := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
		admin.Node{Ready: func() error { return nil }, Jobs: func() []jobs.State {
			return []jobs.State{{Name: "count", LastError: errors.New("secret"), FailedAt: noon, Behind: 3}, {Name: "sign", LastSuccess: noon}}
		}}.Routes(api)
		wants := func(path string, status int, says string) {
			t.Helper()
			w := httptest.NewRecorder()
			api.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, public.String()+path, nil))
			var health map[string]any
			if err := json.Unmarshal(w.Body.Bytes(), &health); err != nil {
				t.Fatalf("%s: %s: %v", path, w.Body, err)
			}
			if got, _ := json.Marshal(health); w.Code != status || status == http.StatusOK && string(got) != says {
				t.Errorf("%s: %d %s, want %d %s", path, w.Code, got, status, says)
			}
		}
		wants("/healthz", http.StatusOK, `{"status":"ok"}`)
		wants("/version", http.StatusOK, `{"version":"1.2.3"}`)
		wants("/readyz", http.StatusOK, `{"jobs":[`+
			`{"behind":3,"lastError":{"at":"2026-03-04T12:00:00.000Z","message":"Something went wrong on our side."},"name":"count"},`+
			`{"behind":0,"lastSuccess":"2026-03-04T12:00:00.000Z","name":"sign"}],"status":"ok","wrongLeaves":0}`)
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		wants("/readyz", http.StatusServiceUnavailable, "")
		wants("/healthz", http.StatusOK, `{"status":"ok"}`)
	})
}
