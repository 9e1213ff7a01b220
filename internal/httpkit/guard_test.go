package httpkit_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/httpkit"
)

func TestARouteThatDeclaresNothingIsRefused(t *testing.T) {
	nothing := func(context.Context, *struct{}) (string, error) { return "reached", nil }
	for name, register := range map[string]func(*httpkit.Kit){
		"call": func(k *httpkit.Kit) {
			httpkit.JSON(k, httpkit.Get(httpkit.Nobody, "/api/call", "call", "Call"), nothing)
		},
		"call without a rate": func(k *httpkit.Kit) {
			httpkit.JSON(k, httpkit.Get(httpkit.Public, "/api/call", "call", "Call").At(0), nothing)
		},
		"act of nobody": func(k *httpkit.Kit) {
			httpkit.Act(k, httpkit.Post(httpkit.Public, "/api/act", "act", "Act"),
				func(*db.Tx, httpkit.Principal, *actInput) (string, error) { return "reached", nil })
		},
		"list that is not the same for all": func(k *httpkit.Kit) {
			httpkit.Shared(k, httpkit.Get(httpkit.Session, "/api/call", "call", "Call"), nothing)
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
	// Past the kit, the guard still stands.
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
		answer                string // the caller's id, or the code of the refusal
	}{
		{"public", "", "", 200, ""},
		{"public", session + "dead", "Wallet whoever", 200, ""},
		{"session", "", "", 401, "unauthenticated"},
		{"session", session + "dead", "", 401, "unauthenticated"},
		{"session", session, "", 401, "unauthenticated"},
		{"session", "kaibao_session=user", "", 401, "unauthenticated"}, // lost its prefix: set over http
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
