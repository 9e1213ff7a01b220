package httpapi_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"kaibao/internal/httpapi"
	"kaibao/internal/httpapi/httpapitest"
)

// Each request is logged in one line without any data that the caller sent.
func TestRequestIsLoggedInOneLine(t *testing.T) {
	tagged := func(o *httpapi.Options) {
		o.Authenticate = func(context.Context, string) (httpapi.Principal, error) {
			return httpapi.Principal{UserID: "id", Address: "address", Tag: "0123456789abcdef"}, nil
		}
	}
	e := httpapitest.New(t, "https://kaibao.example", tagged)
	httpapi.JSON(e.API, httpapi.Get(httpapi.Session, "/api/things/{id}", "thing", "A thing"),
		func(context.Context, *struct {
			ID string `path:"id"`
		}) (string, error) {
			return "four", nil
		})
	e.Raw(httpapi.Get(httpapi.Public, "/gone", "", ""), http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	session := "__Host-" + httpapi.SessionCookie + "=private"
	for name, c := range map[string]struct{ method, target, host, want string }{
		"a response":    {"GET", "/api/things/private", "kaibao.example", "method=GET route=/api/things/{id} status=200 bytes=7 "},
		"no such path":  {"GET", "/private?q=private", "kaibao.example", `method=GET route="" status=404 `},
		"another host":  {"GET", "/api/things/1", "private.example", `method=GET route="" status=421 `},
		"a long method": {strings.Repeat("A", 999), "/api/things/1", "kaibao.example", "method=AAAAAAAAAAAAAAAA route="},
		"an abort":      {"GET", "/gone", "kaibao.example", "method=GET route=/gone status="},
	} {
		t.Run(name, func(t *testing.T) {
			e.Logged.Reset()
			func() {
				defer func() { _ = recover() }()
				e.Call(c.method, c.target, "", "Cookie", session, "Host", c.host)
			}()
			log := e.Logged.String()
			if strings.Count(log, " msg=request requestId=request-1 ") != 1 || !strings.Contains(log, c.want) || !strings.Contains(log, " duration=") {
				t.Errorf("logged %s, want %s", log, c.want)
			}
			if strings.Contains(log, "private") || strings.Contains(log, "192.0.2.1") {
				t.Errorf("logged private data: %s", log)
			}
			if strings.Contains(log, "user=0123456789abcdef") != (name == "a response") {
				t.Errorf("wrong user in %s", log)
			}
		})
	}
}
