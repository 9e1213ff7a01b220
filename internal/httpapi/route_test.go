package httpapi_test

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/httpapi/httpapitest"
)

// An unknown method gets 405 with the allowed methods; an unknown path gets 404.
func TestUnknownMethodsAndAddresses(t *testing.T) {
	e := httpapitest.New(t, "https://kaibao.example")
	addRoutes(e)
	httpapi.JSON(e.API, httpapi.Post(httpapi.Session, "/api/read", "write", "Write"),
		func(context.Context, *struct{}) (string, error) { return "", nil })
	e.Pages(http.NotFoundHandler())
	for _, c := range []struct{ method, path, allow, code, message string }{
		{"DELETE", "/api/read", "GET, HEAD, POST", "method_not_allowed", "This address doesn't allow DELETE. It allows GET, HEAD, POST."},
		{"OPTIONS", "/api/echo", "POST", "method_not_allowed", "This address doesn't allow OPTIONS. It allows POST."},
		{"GET", "/api/echo", "POST", "method_not_allowed", "This address doesn't allow GET. It allows POST."},
		{"PUT", "/some/page", "GET, HEAD", "method_not_allowed", "This address doesn't allow PUT. It allows GET, HEAD."},
		{"GET", "/api/none", "", "not_found", "This address doesn't exist. The API is documented at /api/openapi.json."},
		{"BREW", "/api/none", "", "not_found", "This address doesn't exist. The API is documented at /api/openapi.json."},
	} {
		w := e.Call(c.method, c.path, "")
		status := http.StatusNotFound
		if c.allow != "" {
			status = http.StatusMethodNotAllowed
		}
		if r := httpapitest.Refused(t, w, status, c.code); r.Message != c.message || w.Header().Get("Allow") != c.allow {
			t.Errorf("%s %s: %q, Allow %q", c.method, c.path, r.Message, w.Header().Get("Allow"))
		}
	}
}

// Every handler gets its route's time limit, and responds 503 when it is exceeded.
func TestRouteTimeLimit(t *testing.T) {
	for name, c := range map[string]struct {
		declared, want time.Duration
	}{"declared": {time.Minute, time.Minute}, "not declared": {0, db.CallTime}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e := httpapitest.New(t, "https://kaibao.example")
				wait := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
				httpapi.JSON(e.API, httpapi.Get(httpapi.Public, "/api/call", "call", "Call").WithTimeLimit(c.declared),
					func(ctx context.Context, _ *struct{}) (string, error) { return "", wait(ctx) })
				e.Raw(httpapi.Get(httpapi.Public, "/raw", "", "").WithTimeLimit(c.declared), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					e.Fail(w, r, wait(r.Context()))
				}))
				for _, path := range []string{"/api/call", "/raw"} {
					begun := time.Now()
					httpapitest.Refused(t, e.Call("GET", path, ""), http.StatusServiceUnavailable, "unavailable")
					if took := time.Since(begun); took != c.want {
						t.Errorf("%s took %s, want %s", path, took, c.want)
					}
				}
			})
		})
	}
}
