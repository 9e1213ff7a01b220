package httpapi_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"kaibao/internal/httpapi"
	"kaibao/internal/httpapi/httpapitest"
)

// Each request is logged in one line: client, path and user, but no query, header or host.
func TestRequestIsLoggedInOneLine(t *testing.T) {
	signedIn := func(o *httpapi.Options) {
		o.Authenticate = func(context.Context, string) (httpapi.Principal, error) {
			return httpapi.Principal{UserID: "0190-a", Address: "private", Tag: "private"}, nil
		}
	}
	e := httpapitest.New(t, "https://kaibao.example", signedIn)
	httpapi.JSON(e.API, httpapi.Post(httpapi.Public, "/api/signin", "signin", "Sign in"), func(ctx context.Context, _ *struct{}) (string, error) {
		httpapi.LogUser(ctx, "0190-a")
		return "in", nil
	})
	httpapi.JSON(e.API, httpapi.Get(httpapi.Session, "/api/things/{id}", "thing", "A thing"),
		func(context.Context, *struct {
			ID string `path:"id"`
		}) (string, error) {
			return "four", nil
		})
	e.Raw(httpapi.Get(httpapi.Public, "/gone", "", ""), http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	session := "__Host-" + httpapi.SessionCookie + "=private"
	for name, c := range map[string]struct{ method, target, host, want string }{
		"a response":    {"GET", "/api/things/7", "kaibao.example", "method=GET path=/api/things/7 route=/api/things/{id} status=200 bytes=7 "},
		"a sign-in":     {"POST", "/api/signin", "kaibao.example", "path=/api/signin route=/api/signin status=200 "},
		"no such path":  {"GET", "/nowhere?q=private", "kaibao.example", `method=GET path=/nowhere route="" status=404 `},
		"another host":  {"GET", "/api/things/1", "private.example", `method=GET path=/api/things/1 route="" status=421 `},
		"a long method": {strings.Repeat("A", 999), "/api/things/1", "kaibao.example", "method=AAAAAAAAAAAAAAAA path="},
		"a long path":   {"GET", "/" + strings.Repeat("a", 999), "kaibao.example", " path=/" + strings.Repeat("a", 255) + " route="},
		"controls":      {"GET", "/a%0Amsg=forged%00%1b%E2%80%AE%ff", "kaibao.example", ` path="/amsg=forged" route=`},
		"an abort":      {"GET", "/gone", "kaibao.example", "method=GET path=/gone route=/gone status="},
	} {
		t.Run(name, func(t *testing.T) {
			e.Logged.Reset()
			func() {
				defer func() { _ = recover() }()
				e.Call(c.method, c.target, "", "Cookie", session, "Host", c.host)
			}()
			log := e.Logged.String()
			if strings.Count(log, " msg=request requestId=request-1 client=192.0.2.1 ") != 1 || !strings.Contains(log, c.want) || !strings.Contains(log, " durationMs=") {
				t.Errorf("logged %s, want %s", log, c.want)
			}
			if strings.Contains(log, "private") {
				t.Errorf("logged private data: %s", log)
			}
			if strings.Contains(log, "user=0190-a") != (name == "a response" || name == "a sign-in") {
				t.Errorf("wrong user in %s", log)
			}
		})
	}
}

// sendFrom sends a request from an address, with headers, and returns the response.
func sendFrom(t *testing.T, e *httpapitest.Server, address string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/read", nil)
	r.Host, r.RemoteAddr = "kaibao.example", address
	for n := 0; n < len(headers); n += 2 {
		r.Header.Set(headers[n], headers[n+1])
	}
	w := httptest.NewRecorder()
	e.Handler().ServeHTTP(w, r)
	return w
}

var behindProxy = func(o *httpapi.Options) {
	o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
}

// The logged address is the client's, which trusted proxies forward. It can be shortened or left out.
func TestClientAddressIsLogged(t *testing.T) {
	for name, c := range map[string]struct {
		keep            httpapi.AddressLogging
		from, forwarded string
		want            string
	}{
		"direct":              {httpapi.FullAddresses, "192.0.2.77:1", "", "client=192.0.2.77 "},
		"by default":          {"", "192.0.2.77:1", "", "client=192.0.2.77 "},
		"through a proxy":     {httpapi.FullAddresses, "10.0.0.1:1", "203.0.113.9, 198.51.100.7", "client=198.51.100.7 "},
		"forged":              {httpapi.FullAddresses, "192.0.2.77:1", "203.0.113.9", "client=192.0.2.77 "},
		"IPv6":                {httpapi.FullAddresses, "[2001:db8:1:2::3]:1", "", "client=2001:db8:1:2::3 "},
		"IPv6 with a zone":    {httpapi.FullAddresses, "10.0.0.1:1", "fe80::1%forged", "client=fe80::1 "},
		"IPv4 in IPv6":        {httpapi.ShortAddresses, "[::ffff:192.0.2.77]:1", "", "client=192.0.2.0/24 "},
		"short":               {httpapi.ShortAddresses, "10.0.0.1:1", "198.51.100.7", "client=198.51.100.0/24 "},
		"short IPv6":          {httpapi.ShortAddresses, "[2001:db8:1:2::3%eth0]:1", "", "client=2001:db8:1::/48 "},
		"none":                {httpapi.NoAddresses, "192.0.2.77:1", "", `client="" `},
		"none, but forwarded": {httpapi.NoAddresses, "192.0.2.77:1", "203.0.113.9", `client="" `},
		"not an address":      {httpapi.FullAddresses, "@", "", `client="" `},
	} {
		t.Run(name, func(t *testing.T) {
			e := httpapitest.New(t, "https://kaibao.example", behindProxy, func(o *httpapi.Options) { o.LogAddresses = c.keep })
			addRoutes(e)
			sendFrom(t, e, c.from, "X-Forwarded-For", c.forwarded)
			log := e.Logged.String()
			if !strings.Contains(log, c.want) {
				t.Errorf("logged %s, want %s", log, c.want)
			}
			if c.keep == httpapi.NoAddresses && strings.Contains(log, "192.0.2.77") {
				t.Errorf("logged an address: %s", log)
			}
		})
	}
}

// A request keeps the id that a trusted proxy has given it, if the id is short and harmless.
func TestRequestIDComesFromTrustedProxiesOnly(t *testing.T) {
	for name, c := range map[string]struct{ from, id, want string }{
		"of a proxy":  {"10.0.0.1:1", "4bf92f35-77b3:4d_a6.A", "4bf92f35-77b3:4d_a6.A"},
		"of a client": {"192.0.2.1:1", "4bf92f35", "request-1"},
		"none":        {"10.0.0.1:1", "", "request-1"},
		"the longest": {"10.0.0.1:1", strings.Repeat("a", 64), strings.Repeat("a", 64)},
		"too long":    {"10.0.0.1:1", strings.Repeat("a", 65), "request-1"},
		"forged line": {"10.0.0.1:1", "a user=b", "request-1"},
		"markup":      {"10.0.0.1:1", "<b>", "request-1"},
	} {
		t.Run(name, func(t *testing.T) {
			e := httpapitest.New(t, "https://kaibao.example", behindProxy)
			addRoutes(e)
			w := sendFrom(t, e, c.from, "X-Request-Id", c.id)
			if got := w.Header().Get("X-Request-Id"); got != c.want {
				t.Errorf("the response has the id %q, want %q", got, c.want)
			}
			if log := e.Logged.String(); !strings.Contains(log, "requestId="+c.want+" ") {
				t.Errorf("logged %s, want the id %s", log, c.want)
			}
		})
	}
}

// Slow requests are logged again as a warning. Streams are slow by design.
func TestSlowRequestsAreWarnings(t *testing.T) {
	clock := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	e := httpapitest.New(t, "https://kaibao.example", func(o *httpapi.Options) {
		o.Clock = func() time.Time { return clock }
		o.SlowRequest = time.Second
	})
	for path, took := range map[string]time.Duration{"/fast": time.Second, "/slow": 1500250 * time.Microsecond, "/stream": time.Hour} {
		route := httpapi.Get(httpapi.Public, path, "", "")
		route.Stream = path == "/stream"
		e.Raw(route, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { clock = clock.Add(took) }))
	}
	for path, want := range map[string]string{"/fast": "", "/slow": "durationMs=1500.25 ", "/stream": ""} {
		e.Logged.Reset()
		e.Call("GET", path, "")
		log := e.NonRequestLog()
		if slow := strings.Contains(log, `level=WARN msg="slow request" requestId=request-1 `); slow != (want != "") || !strings.Contains(log, want) {
			t.Errorf("%s: logged %s, want %q", path, log, want)
		}
		if strings.Count(e.Logged.String(), " msg=request ") != 1 {
			t.Errorf("%s: not one request line: %s", path, &e.Logged)
		}
	}
}

// A balancer checks each node every second, so a health check is logged only if it fails.
func TestSuccessfulHealthChecksAreNotLogged(t *testing.T) {
	e := httpapitest.New(t, "https://kaibao.example")
	status := http.StatusOK
	check := httpapi.Get(httpapi.Public, "/readyz", "", "")
	check.HealthCheck = true
	e.Raw(check, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
	e.Call("GET", "/readyz", "")
	if log := e.Logged.String(); strings.Contains(log, "msg=request") {
		t.Errorf("logged %s", log)
	}
	status = http.StatusServiceUnavailable
	e.Call("GET", "/readyz", "")
	if log := e.Logged.String(); !strings.Contains(log, "path=/readyz route=/readyz status=503 ") {
		t.Errorf("logged %s", log)
	}
}
