package app

import (
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/houserules"
	"kaibao/internal/httpapi"
)

// publicRoutes lists all calls that need no session.
var publicRoutes = []string{
	"GET /healthz", "GET /readyz", "GET /version", "GET /api/openapi.json", "/{path...}",
	"POST /api/auth/challenge", "POST /api/auth/verify", "POST /api/auth/logout",
	"GET /api/packs", "GET /api/packs/{id}", "GET /api/items", "GET /api/items/{id}", "GET /api/items/{id}/book", "GET /api/inventory/{id}/book",
	"GET /api/items/{id}/sales", "GET /api/activity", "GET /api/activity/recent", "GET /api/leaderboard", "GET /api/feed",
	"GET /media/items/{file}", "GET /media/packs/{file}", "GET /media/avatars/{file}", "GET /media/hero/{file}", "GET /media/covers/{file}", "GET /media/pictures/{id}",
	"GET /api/fairness/manifests/{hash}", "GET /api/fairness/opens/{id}", "GET /api/fairness/draws", "GET /api/fairness/replaced-keys", "GET /api/fairness/beacons/{chain}", "GET /api/books", "GET /api/rates",
	"GET /payment-frame", "GET /payment-frame/frame.js", "GET /api/wallet/sol-price", "POST /api/webhooks/helio",
	"GET /api/packs/{id}/cards", "GET /api/packs/{id}/demo", "GET /api/pulls/top", "POST /api/gifts/{id}/view", "GET /api/sets", "GET /api/sets/{id}",
	"GET /log/key", "GET /log/checkpoint", "GET /log/witnesses", "GET /log/tile/{path...}", "GET /log/ended/{log}/tile/{path...}", "GET /log/ended/{log}/key", "GET /log/ended/{log}/checkpoint",
	"GET /api/pulls/{openId}", "GET /api/profiles/{handle}", "GET /media/previews/pull/{file}", "GET /media/previews/u/{file}",
}

// newTestAPI returns the complete API without a database, for tests of its access checks. Every
// session belongs to a plain user.
func newTestAPI(t *testing.T) *httpapi.API {
	t.Helper()
	public, err := httpapi.ParsePublicURL("http://127.0.0.1:8080")
	if err != nil {
		t.Fatal(err)
	}
	api := newServices(Config{}, &db.DB{}, public, nil, secrets{}, houserules.Default()).api(httpapi.Options{DB: &db.DB{}, Log: slog.New(slog.DiscardHandler), PublicURL: public, NewRequestID: func() string { return "request" }, Clock: time.Now})
	api.Authenticate = func(context.Context, string) (httpapi.Principal, error) {
		return httpapi.Principal{UserID: "user", Role: "user"}, nil
	}
	return api
}

// customerRoutes lists the calls that admins must not make where points are worth money.
var customerRoutes = []string{
	"POST /api/packs/{id}/open", "POST /api/inventory/sell-back", "POST /api/marketplace/list", "POST /api/marketplace/reprice", "POST /api/marketplace/buy",
	"POST /api/redemptions/challenge", "POST /api/redemptions", "POST /api/inventory/quick-sell", "PATCH /api/inventory/{id}",
	"POST /api/marketplace/list-many", "POST /api/marketplace/reprice-many", "POST /api/marketplace/cart",
	"POST /api/bids", "PUT /api/bids/{id}", "POST /api/bids/{id}/accept", "POST /api/bids/{id}/counter", "POST /api/bids/{id}/accept-counter",
	"POST /api/gifts/challenge", "POST /api/gifts", "POST /api/gifts/{id}/accept",
}

// Every route, documented or raw, declares and enforces an access rule.
func TestEveryRouteIsGuarded(t *testing.T) {
	api := newTestAPI(t)
	routes, handler := api.Routes(), api.Handler()
	documented := documentedCalls(api)
	for pattern, route := range routes {
		op, ok := documented[strings.ReplaceAll(pattern, "...}", "}")]
		if pattern != "/{path...}" && (!ok || securityScheme(op) != securitySchemes[route.Access]) {
			t.Errorf("%s is not in the document with access rule %q", pattern, securitySchemes[route.Access])
		}
	}
	if len(documented) != len(routes)-1 {
		t.Errorf("%d calls are documented, %d are served besides the pages", len(documented), len(routes)-1)
	}
	for _, pattern := range publicRoutes {
		if _, ok := routes[pattern]; !ok {
			t.Errorf("%s does not exist", pattern)
		}
	}
	for pattern, route := range routes {
		switch public := slices.Contains(publicRoutes, pattern); {
		case (route.Access == httpapi.Public) != public:
			t.Errorf("%s is public: %t, want %t", pattern, route.Access == httpapi.Public, public)
		case strings.Contains(pattern, "/api/admin/") != (route.Access == httpapi.Admin):
			t.Errorf("%s is for admins: %t", pattern, route.Access == httpapi.Admin)
		case route.Access == httpapi.Session, route.Access == httpapi.Customer, route.Access == httpapi.Admin:
			wantRefusal(t, handler, pattern, "", http.StatusUnauthorized, "unauthenticated")
		}
		if customers := slices.Contains(customerRoutes, pattern); customers != (route.Access == httpapi.Customer) {
			t.Errorf("%s is for customers only: %t, want %t", pattern, route.Access == httpapi.Customer, customers)
		}
		if route.Access == httpapi.Admin {
			wantRefusal(t, handler, pattern, "of a user", http.StatusForbidden, "forbidden")
		}
	}
}

// The payment stand-in's routes exist only in a sandbox, are public, and are not documented.
func TestStandInExistsOnlyInSandbox(t *testing.T) {
	d := dbtest.Open(t, db.Options{Dir: t.TempDir()})
	routes := func(payments string) map[string]httpapi.Route {
		return newServices(Config{Payments: payments}, d, httpapi.PublicURL{}, nil, secrets{}, houserules.Default()).api(httpapi.Options{DB: d}).Routes()
	}
	sandboxOnly := routes("sandbox")
	for pattern := range routes("helio") {
		delete(sandboxOnly, pattern)
	}
	want := []string{"GET /sandbox/assets/index-v1.js", "GET /sandbox/beacon/{chain}/public/{round}", "GET /sandbox/charges/{token}", "POST /sandbox/beacon/{behavior}", "POST /sandbox/charges/{token}/{act}"}
	if got := slices.Sorted(maps.Keys(sandboxOnly)); !slices.Equal(got, want) {
		t.Errorf("the sandbox-only routes are %q, want %q", got, want)
	}
	for pattern, route := range sandboxOnly {
		if route.Access != httpapi.Public {
			t.Errorf("%s is not public", pattern)
		}
	}
}

// securitySchemes are the document's names for the access rules.
var securitySchemes = map[httpapi.Access]string{httpapi.Session: "session", httpapi.Customer: "session", httpapi.Admin: "admin"}

func securityScheme(op *huma.Operation) string {
	for _, requirement := range op.Security {
		for name := range requirement {
			return name
		}
	}
	return ""
}

// documentedCalls returns every call of the OpenAPI document by method and path.
func documentedCalls(api *httpapi.API) map[string]*huma.Operation {
	operations := map[string]*huma.Operation{}
	for path, item := range api.Huma.OpenAPI().Paths {
		for _, op := range []*huma.Operation{item.Get, item.Put, item.Post, item.Delete, item.Patch, item.Head, item.Options, item.Trace} {
			if op != nil {
				operations[op.Method+" "+path] = op
			}
		}
	}
	return operations
}

var wildcard = regexp.MustCompile(`\{[^}]*\}`)

func wantRefusal(t *testing.T, handler http.Handler, pattern, session string, status int, code string) {
	t.Helper()
	method, path, _ := strings.Cut(pattern, " ")
	r := httptest.NewRequestWithContext(t.Context(), method, wildcard.ReplaceAllString(path, "x"), strings.NewReader("{}"))
	r.Host = "127.0.0.1:8080"
	r.Header.Set("Authorization", "Wallet x")
	if session != "" {
		r.Header.Del("Authorization")
		r.AddCookie(&http.Cookie{Name: httpapi.SessionCookie, Value: session})
	}
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	var refusal struct{ Code string }
	if err := json.Unmarshal(w.Body.Bytes(), &refusal); err != nil || w.Code != status || refusal.Code != code {
		t.Errorf("%s with session %q: %d %s, want %d %s", pattern, session, w.Code, w.Body, status, code)
	}
}
