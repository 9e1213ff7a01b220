package httpapi_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"kaibao/internal/apperr"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/httpapi"
	"kaibao/internal/httpapi/httpapitest"
)

func TestRoutesMustDeclareAccessAndRate(t *testing.T) {
	nothing := func(context.Context, *struct{}) (string, error) { return "reached", nil }
	for name, register := range map[string]func(*httpapi.API){
		"call": func(api *httpapi.API) {
			httpapi.JSON(api, httpapi.Get(httpapi.Nobody, "/api/call", "call", "Call"), nothing)
		},
		"call without a rate": func(api *httpapi.API) {
			httpapi.JSON(api, httpapi.Get(httpapi.Public, "/api/call", "call", "Call").WithRate(0), nothing)
		},
		"foreign route that needs a session": func(api *httpapi.API) {
			httpapi.JSON(api, httpapi.Get(httpapi.Session, "/api/call", "call", "Call").Foreign(), nothing)
		},
		"raw": func(api *httpapi.API) { api.Raw(httpapi.Get(httpapi.Nobody, "/raw", "", ""), http.NotFoundHandler()) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("the route was registered")
				}
			}()
			register(httpapitest.New(t, "https://kaibao.example").API)
		})
	}
	// A route registered directly with huma is still guarded.
	e := httpapitest.New(t, "https://kaibao.example")
	huma.Register(e.Huma, huma.Operation{Method: "GET", Path: "/api/call", OperationID: "call"},
		func(context.Context, *struct{}) (*struct{ Body string }, error) { return nil, nil })
	httpapitest.Refused(t, e.Call("GET", "/api/call", "", "Cookie", "__Host-kaibao_session=admin"), 403, "forbidden")
}

func TestAccessRules(t *testing.T) {
	e := httpapitest.New(t, "https://kaibao.example")
	for path, access := range map[string]httpapi.Access{"public": httpapi.Public, "session": httpapi.Session, "customer": httpapi.Customer, "admin": httpapi.Admin} {
		httpapi.JSON(e.API, httpapi.Get(access, "/api/"+path, path, "Call"),
			func(ctx context.Context, _ *struct{}) (string, error) { return httpapi.Caller(ctx).UserID, nil })
		e.Raw(httpapi.Get(access, "/raw/"+path, "", ""), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = w.Write([]byte(`"` + httpapi.Caller(r.Context()).UserID + `"`))
		}))
	}
	const session = "__Host-kaibao_session="
	for _, c := range []struct {
		route, cookie, wallet string
		status                int
		want                  string // body: the caller's id, or the error code
	}{
		{"public", "", "", 200, ""},
		{"public", session + "dead", "Wallet unknown", 200, ""},
		{"session", "", "", 401, "unauthenticated"},
		{"session", session + "dead", "", 401, "unauthenticated"},
		{"session", session, "", 401, "unauthenticated"},
		{"session", "kaibao_session=user", "", 401, "unauthenticated"}, // without its prefix: set over http
		{"session", "", "Wallet address of user", 401, "unauthenticated"},
		{"session", session + "user", "", 200, dbtest.ID("user")},
		{"session", session + "user", "Wallet address of user", 200, dbtest.ID("user")},
		{"session", session + "user", "Wallet address of admin", 401, "wallet_mismatch"},
		{"session", session + "user", "Wallet ", 401, "wallet_mismatch"},
		{"session", session + "user", "Bearer address of user", 401, "wallet_mismatch"},
		{"session", session + "user", "wallet address of user ", 401, "wallet_mismatch"},
		{"customer", "", "", 401, "unauthenticated"},
		{"customer", session + "user", "", 200, dbtest.ID("user")},
		{"customer", session + "admin", "", 403, "forbidden"},
		{"admin", "", "", 401, "unauthenticated"},
		{"admin", session + "user", "", 403, "forbidden"},
		{"admin", session + "admin", "Wallet address of user", 401, "wallet_mismatch"},
		{"admin", session + "admin", "", 200, dbtest.ID("admin")},
	} {
		for _, prefix := range []string{"/api/", "/raw/"} {
			var headers []string
			if c.cookie != "" {
				headers = append(headers, "Cookie", c.cookie)
			}
			if c.wallet != "" {
				headers = append(headers, "Authorization", c.wallet)
			}
			w := e.Call("GET", prefix+c.route, "", headers...)
			if c.status != 200 {
				httpapitest.Refused(t, w, c.status, c.want)
			} else if got := w.Body.String(); w.Code != 200 || got != `"`+c.want+`"` && got != `"`+c.want+"\"\n" {
				t.Errorf("%s with %q: %d %s", prefix+c.route, headers, w.Code, got)
			}
		}
	}
}

// Foreign routes run other parties' code: they have their own host, if one is set, and any origin
// may call them. Neither is true of the shop's own calls.
func TestForeignRoutesAreIsolated(t *testing.T) {
	const shop, pay = "kaibao.example", "pay.example"
	for name, c := range map[string]struct {
		origin, host, target string
		status               int
		allowsOrigins        bool // any origin may read the response
	}{
		"a frame on its own host":           {"https://" + pay, pay, "/frame", 200, true},
		"a frame on the shop's host":        {"https://" + pay, shop, "/frame", 404, false},
		"the shop on the frame's host":      {"https://" + pay, pay, "/api/read", 404, false},
		"an unknown page on that host":      {"https://" + pay, pay, "/none", 404, false},
		"the shop on its host":              {"https://" + pay, shop, "/api/read", 200, false},
		"a frame without a host of its own": {"", shop, "/frame", 200, true},
		"a host that is not configured":     {"", pay, "/frame", 421, false},
	} {
		t.Run(name, func(t *testing.T) {
			e := httpapitest.New(t, "https://"+shop, func(o *httpapi.Options) {
				if c.origin != "" {
					origin, err := httpapi.ParsePublicURL(c.origin)
					if err != nil {
						t.Fatal(err)
					}
					o.PaymentOrigin = origin
				}
			})
			addRoutes(e)
			for _, declare := range []func(httpapi.Access, string, string, string, ...apperr.Code) httpapi.Route{httpapi.Get, httpapi.Post} {
				e.Raw(declare(httpapi.Public, "/frame", "", "").Foreign(), http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("frame")) }))
			}
			for _, method := range []string{http.MethodGet, http.MethodPost} {
				if method == http.MethodPost && c.target != "/frame" {
					continue
				}
				w := e.Call(method, c.target, "", "Host", c.host, "Origin", "null", "Sec-Fetch-Site", "cross-site")
				if policy := w.Header().Get("Permissions-Policy"); strings.Contains(policy, "publickey-credentials-get=()") != (c.origin != "" && c.host == pay) {
					t.Errorf("permissions %q", policy)
				}
				allowed := w.Header().Get("Access-Control-Allow-Origin")
				if w.Code != c.status || (allowed == "*") != c.allowsOrigins || allowed != "" && allowed != "*" {
					t.Errorf("%s: status %d, Access-Control-Allow-Origin %q", method, w.Code, allowed)
				}
			}
		})
	}
}
