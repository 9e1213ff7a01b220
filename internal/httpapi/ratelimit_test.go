package httpapi_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"kaibao/internal/httpapi"
	"kaibao/internal/httpapi/httpapitest"
)

func TestRateLimits(t *testing.T) {
	for _, c := range []struct {
		method, path string
		allowed      int
	}{{"POST", "/api/prove", 30}, {"POST", "/api/echo", 600}, {"GET", "/api/read", 6000}} {
		t.Run(c.path, func(t *testing.T) {
			e := httpapitest.New(t, "https://kaibao.example", func(o *httpapi.Options) { o.RateLimits = true })
			addRoutes(e)
			handler := e.Handler()
			calls := 0
			call := func(from string) *httptest.ResponseRecorder {
				r := httptest.NewRequestWithContext(t.Context(), c.method, c.path, nil)
				r.Host, r.RemoteAddr = "kaibao.example", from
				calls++
				r.Header.Set("X-Forwarded-For", fmt.Sprintf("198.51.100.%d", calls%250)) // must not reset the limit
				w := httptest.NewRecorder()
				handler.ServeHTTP(w, r)
				return w
			}
			for n := range c.allowed {
				if w := call("192.0.2.1:1234"); w.Code == http.StatusTooManyRequests || w.Header().Get("X-Ratelimit-Limit") == "" {
					t.Fatalf("request %d: %d, %v", n+1, w.Code, w.Header())
				}
			}
			w := call("192.0.2.1:4321")
			httpapitest.Refused(t, w, 429, "rate_limited")
			for name, want := range map[string]string{"Retry-After": "60", "X-Ratelimit-Limit": fmt.Sprint(c.allowed), "X-Ratelimit-Remaining": "0"} {
				if got := w.Header().Get(name); got != want {
					t.Errorf("%s is %q, want %q", name, got, want)
				}
			}
			if w := call("192.0.2.2:1234"); w.Code == http.StatusTooManyRequests {
				t.Error("another client is refused too")
			}
		})
	}
}

// Behind a trusted proxy each client has a separate limit. Forged X-Forwarded-For entries don't
// raise it.
func TestRateLimitsBehindAProxy(t *testing.T) {
	e := httpapitest.New(t, "https://kaibao.example", func(o *httpapi.Options) {
		o.RateLimits = true
		o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	})
	addRoutes(e)
	handler := e.Handler()
	call := func(forwarded string) int {
		r := httptest.NewRequestWithContext(t.Context(), "POST", "/api/prove", nil)
		r.Host, r.RemoteAddr = "kaibao.example", "10.1.2.3:4567"
		r.Header.Set("X-Forwarded-For", forwarded)
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		return w.Code
	}
	for n := range 30 {
		if code := call(fmt.Sprintf("203.0.113.%d, 192.0.2.1, 10.9.9.9", n)); code == http.StatusTooManyRequests {
			t.Fatalf("request %d is refused", n+1)
		}
	}
	if code := call("203.0.113.77, 192.0.2.1, 10.9.9.9"); code != http.StatusTooManyRequests {
		t.Errorf("a forged hop raised the limit: %d", code)
	}
	if code := call("192.0.2.2"); code == http.StatusTooManyRequests {
		t.Error("another client is refused too")
	}
	if log := e.NonRequestLog(); log != "" {
		t.Errorf("logged %s", log)
	}
}

// Ports and empty hops in X-Forwarded-For don't give a client several limits.
func TestRateLimitsWithUnusualForwardedHeaders(t *testing.T) {
	for _, forwarded := range []string{"192.0.2.1:%d", "[2001:db8::1]:%d", "2001:db8::%d, unknown, 10.0.0.7", "198.51.100.%d, 192.0.2.9, ,", "198.51.100.%d,192.0.2.9,,10.0.0.7,"} {
		e := httpapitest.New(t, "https://kaibao.example", func(o *httpapi.Options) {
			o.RateLimits = true
			o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
		})
		addRoutes(e)
		handler := e.Handler()
		for n := range 31 {
			r := httptest.NewRequestWithContext(t.Context(), "POST", "/api/prove", nil)
			r.Host, r.RemoteAddr = "kaibao.example", "10.1.2.3:4567"
			r.Header.Set("X-Forwarded-For", fmt.Sprintf(forwarded, 1024+n))
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, r)
			if refused := w.Code == http.StatusTooManyRequests; refused != (n == 30) {
				t.Errorf("%s: request %d is refused: %t", forwarded, n+1, refused)
			}
		}
		r := httptest.NewRequestWithContext(t.Context(), "POST", "/api/prove", nil)
		r.Host, r.RemoteAddr = "kaibao.example", "10.1.2.3:4567"
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code == http.StatusTooManyRequests {
			t.Errorf("%s: the proxy itself is refused along with its client", forwarded)
		}
	}
}

// With an unconfigured proxy all clients share one limit. The server warns about it once.
func TestUnknownProxyIsLoggedOnce(t *testing.T) {
	e := httpapitest.New(t, "https://kaibao.example", func(o *httpapi.Options) { o.RateLimits = true })
	addRoutes(e)
	e.Call("GET", "/api/read", "")
	if log := e.NonRequestLog(); log != "" {
		t.Errorf("logged without a proxy: %s", log)
	}
	e.Call("GET", "/api/read", "", "X-Forwarded-For", "203.0.113.1")
	e.Call("GET", "/api/read", "", "X-Forwarded-For", "203.0.113.2")
	if log := e.Logged.String(); strings.Count(log, "level=WARN") != 1 || !strings.Contains(log, "--trusted-proxies") || !strings.Contains(log, "192.0.2.1") {
		t.Errorf("logged %s", log)
	}
}
