package httpkit_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/db/batch"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/httpkit"
)

func TestRoutesMustDeclareAccessAndRate(t *testing.T) {
	nothing := func(context.Context, *struct{}) (string, error) { return "reached", nil }
	for name, register := range map[string]func(*httpkit.Kit){
		"call": func(k *httpkit.Kit) {
			httpkit.JSON(k, httpkit.Get(httpkit.Nobody, "/api/call", "call", "Call"), nothing)
		},
		"call without a rate": func(k *httpkit.Kit) {
			httpkit.JSON(k, httpkit.Get(httpkit.Public, "/api/call", "call", "Call").At(0), nothing)
		},
		"public act": func(k *httpkit.Kit) {
			httpkit.Act(k, httpkit.Post(httpkit.Public, "/api/act", "act", "Act"),
				func(*db.Tx, httpkit.Principal, *actInput) (string, error) { return "reached", nil })
		},
		"shared response that needs a session": func(k *httpkit.Kit) {
			httpkit.Shared(k, httpkit.Get(httpkit.Session, "/api/call", "call", "Call"), nothing)
		},
		"foreign route that needs a session": func(k *httpkit.Kit) {
			httpkit.JSON(k, httpkit.Get(httpkit.Session, "/api/call", "call", "Call").Foreign(), nothing)
		},
		"raw": func(k *httpkit.Kit) { k.Raw(httpkit.Get(httpkit.Nobody, "/raw", "", ""), http.NotFoundHandler()) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("was registered")
				}
			}()
			register(newEdge(t, "https://kaibao.example").Kit)
		})
	}
	// A route registered directly with huma is still guarded.
	e := newEdge(t, "https://kaibao.example")
	huma.Register(e.API, huma.Operation{Method: "GET", Path: "/api/call", OperationID: "call"},
		func(context.Context, *struct{}) (*struct{ Body string }, error) { return nil, nil })
	refused(t, e.call("GET", "/api/call", "", "Cookie", "__Host-kaibao_session=admin"), 403, "forbidden")
}

func TestAccessRules(t *testing.T) {
	e := newEdge(t, "https://kaibao.example")
	for path, access := range map[string]httpkit.Access{"public": httpkit.Public, "session": httpkit.Session, "customer": httpkit.Customer, "admin": httpkit.Admin} {
		httpkit.JSON(e.Kit, httpkit.Get(access, "/api/"+path, path, "Call"),
			func(ctx context.Context, _ *struct{}) (string, error) { return httpkit.Caller(ctx).UserID, nil })
		e.Raw(httpkit.Get(access, "/raw/"+path, "", ""), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			_, _ = w.Write([]byte(`"` + httpkit.Caller(r.Context()).UserID + `"`))
		}))
	}
	const session = "__Host-kaibao_session="
	for _, c := range []struct {
		route, cookie, wallet string
		status                int
		answer                string // the caller's id, or the error code
	}{
		{"public", "", "", 200, ""},
		{"public", session + "dead", "Wallet whoever", 200, ""},
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
			w := e.call("GET", prefix+c.route, "", headers...)
			if c.status != 200 {
				refused(t, w, c.status, c.answer)
			} else if got := w.Body.String(); w.Code != 200 || got != `"`+c.answer+`"` && got != `"`+c.answer+"\"\n" {
				t.Errorf("%s with %q: %d %s", prefix+c.route, headers, w.Code, got)
			}
		}
	}
}

// A batched act trusts a remembered session unless its transaction finds that the session changed;
// then the session is looked up again.
func TestRememberedSessionsAreVerifiedInTheAct(t *testing.T) {
	as := func(role string) httpkit.Principal {
		return httpkit.Principal{UserID: dbtest.ID("user"), Address: "a wallet", Role: role}
	}
	user, promoted := as("user"), as("admin")
	for name, c := range map[string]struct {
		remembered bool
		now        httpkit.Principal // zero: the session has ended
		status     int
		looks      int
	}{
		"remembered and unchanged":         {true, user, 200, 0},
		"not remembered":                   {false, user, 200, 1},
		"ended since remembered":           {true, httpkit.Principal{}, 401, 1},
		"has become an admin since":        {true, promoted, 403, 1},
		"had ended before, not remembered": {false, httpkit.Principal{}, 401, 1},
	} {
		t.Run(name, func(t *testing.T) {
			looks, acts := 0, 0
			d := dbtest.Open(t, dbtest.Options(t, dbtest.Engines()[0]))
			e := newEdge(t, "https://kaibao.example", func(o *httpkit.Options) {
				o.DB = d
				o.Remembered = func(string) (httpkit.Principal, bool) { return user, c.remembered }
				o.Proven = func(_ *db.Tx, callers []httpkit.Principal) func() (map[httpkit.Principal]bool, error) {
					return func() (map[httpkit.Principal]bool, error) {
						return map[httpkit.Principal]bool{callers[0]: callers[0] == c.now}, nil
					}
				}
				o.Authenticate = func(context.Context, string) (httpkit.Principal, error) {
					looks++
					if c.now.UserID == "" {
						return c.now, httpkit.ErrUnauthenticated
					}
					return c.now, nil
				}
			})
			t.Cleanup(e.Close)
			httpkit.ActBatch(e.Kit, httpkit.Post(httpkit.Customer, "/api/act", "act", "Act"), httpkit.Batch[actInput, string]{
				Begin: httpkit.WithoutPrefetch(func(_ *db.Tx, calls []httpkit.Call[actInput]) ([]batch.Outcome[string], error) {
					acts += len(calls)
					return make([]batch.Outcome[string], len(calls)), nil
				}),
			})
			answer := e.call("POST", "/api/act", `{"name":"n"}`, "Cookie", "__Host-kaibao_session=user")
			done := 0
			if c.status == 200 {
				done = 1
			}
			if answer.Code != c.status || looks != c.looks || acts != done {
				t.Errorf("%d %s, looked up %d times, done %d times", answer.Code, answer.Body, looks, acts)
			}
		})
	}
}

// Foreign routes run other parties' code: they have their own host, if one is set, and answer any
// origin. The shop's own calls do neither.
func TestForeignRoutesAreIsolated(t *testing.T) {
	const shop, pay = "kaibao.example", "pay.example"
	for name, c := range map[string]struct {
		origin, host, target string
		status               int
		open                 bool // to other origins
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
			e := newEdge(t, "https://"+shop, func(o *httpkit.Options) {
				if c.origin != "" {
					origin, err := httpkit.ParsePublicURL(c.origin)
					if err != nil {
						t.Fatal(err)
					}
					o.PaymentOrigin = origin
				}
			}).routes()
			for _, declare := range []func(httpkit.Access, string, string, string, ...apperr.Code) httpkit.Route{httpkit.Get, httpkit.Post} {
				e.Raw(declare(httpkit.Public, "/frame", "", "").Foreign(), http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("frame")) }))
			}
			for _, method := range []string{http.MethodGet, http.MethodPost} {
				if method == http.MethodPost && c.target != "/frame" {
					continue
				}
				w := e.call(method, c.target, "", "Host", c.host, "Origin", "null", "Sec-Fetch-Site", "cross-site")
				allowed := w.Header().Get("Access-Control-Allow-Origin")
				if w.Code != c.status || (allowed == "*") != c.open || allowed != "" && allowed != "*" {
					t.Errorf("%s: %d, open to %q", method, w.Code, allowed)
				}
			}
		})
	}
}
