package app

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"kaibao/internal/httpapi"
	"kaibao/internal/protocol"
)

// Every route declares and enforces access rule, rate limit, body limit and time limit.
func TestRouteLimits(t *testing.T) {
	perMinute := map[httpapi.RateClass]string{httpapi.Reads: "6000", httpapi.Writes: "600", httpapi.SignIns: "30", httpapi.Secrets: "30"}
	a, err := Open(t.Context(), Config{
		Addr: "127.0.0.1:0", Payments: "sandbox", RateLimits: "on", LogLevel: "error", ManifestDelay: protocol.MinNotice, Storage: Storage{Data: t.TempDir()},
	}, "test")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = a.Close() }()
	api := a.api
	api.Authenticate = func(context.Context, string) (httpapi.Principal, error) {
		return httpapi.Principal{UserID: "nobody", Role: "admin"}, nil
	}
	documented := documentedCalls(api)
	for pattern, route := range api.Routes() {
		if route.Access == httpapi.Nobody || route.BodyLimit <= 0 || route.TimeLimit <= 0 || route.TimeLimit > writeTime {
			t.Errorf("%s is for %d, takes %d bytes and %s", pattern, route.Access, route.BodyLimit, route.TimeLimit)
		}
		if writes := !slices.Contains([]string{http.MethodGet, http.MethodHead, ""}, route.Method); writes == (route.Rate == httpapi.Reads) {
			t.Errorf("%s is counted among calls of rate %d", pattern, route.Rate)
		}
		w := call(t, api, route, 1)
		if got := w.Header().Get("X-Ratelimit-Limit"); got == "" || got != perMinute[route.Rate] {
			t.Errorf("%s may be called %q times a minute, want %q", pattern, got, perMinute[route.Rate])
		}
		if op := documented[pattern]; op == nil || op.RequestBody == nil {
			continue
		}
		for size, refused := range map[int64]bool{route.BodyLimit: false, route.BodyLimit + 1: true} {
			if w := call(t, api, route, size); (w.Code == http.StatusRequestEntityTooLarge) != refused {
				t.Errorf("%s with %d bytes: %d %s", pattern, size, w.Code, w.Body)
			}
		}
	}
}

// call requests a route as an admin with a body of size bytes that isn't valid JSON.
func call(t *testing.T, api *httpapi.API, route httpapi.Route, size int64) *httptest.ResponseRecorder {
	t.Helper()
	method := route.Method
	if method == "" {
		method = http.MethodOptions
	}
	r := httptest.NewRequestWithContext(t.Context(), method, wildcard.ReplaceAllString(route.Path, "x"), strings.NewReader(strings.Repeat("x", int(size))))
	r.Host = api.PublicURL.Host()
	r.Header.Set("Content-Type", "application/json")
	r.AddCookie(&http.Cookie{Name: httpapi.SessionCookie, Value: "session"})
	w := httptest.NewRecorder()
	api.Handler().ServeHTTP(w, r)
	return w
}
