package action_test

import (
	"context"
	"testing"

	"kaibao/internal/action"
	"kaibao/internal/db"
	"kaibao/internal/db/batch"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/httpapi"
	"kaibao/internal/httpapi/httpapitest"
)

// A batched act trusts a remembered session unless its transaction finds that the session changed;
// then the session is looked up again.
func TestRememberedSessionsAreVerifiedInTheAct(t *testing.T) {
	principal := func(role string) httpapi.Principal {
		return httpapi.Principal{UserID: dbtest.ID("user"), Address: "a wallet", Role: role}
	}
	user, promoted := principal("user"), principal("admin")
	for name, c := range map[string]struct {
		remembered bool
		now        httpapi.Principal // zero: the session has ended
		status     int
		lookups    int
	}{
		"remembered and unchanged":         {true, user, 200, 0},
		"not remembered":                   {false, user, 200, 1},
		"ended since remembered":           {true, httpapi.Principal{}, 401, 1},
		"has become an admin since":        {true, promoted, 403, 1},
		"had ended before, not remembered": {false, httpapi.Principal{}, 401, 1},
	} {
		t.Run(name, func(t *testing.T) {
			lookups, acts := 0, 0
			d := dbtest.Open(t, dbtest.Options(t, dbtest.Engines()[0]))
			server := httpapitest.New(t, "https://kaibao.example", func(o *httpapi.Options) {
				o.DB = d
				o.CachedPrincipal = func(string) (httpapi.Principal, bool) { return user, c.remembered }
				o.CheckSessions = func(_ *db.Tx, callers []httpapi.Principal) db.Queued[map[httpapi.Principal]bool] {
					return func() (map[httpapi.Principal]bool, error) {
						return map[httpapi.Principal]bool{callers[0]: callers[0] == c.now}, nil
					}
				}
				o.Authenticate = func(context.Context, string) (httpapi.Principal, error) {
					lookups++
					if c.now.UserID == "" {
						return c.now, httpapi.ErrUnauthenticated
					}
					return c.now, nil
				}
			})
			t.Cleanup(server.Close)
			action.HandleBatch(server.API, httpapi.Post(httpapi.Customer, "/api/act", "act", "Act"), func(_ *db.Tx, calls []action.Call[actInput]) ([]batch.Outcome[string], error) {
				acts += len(calls)
				return make([]batch.Outcome[string], len(calls)), nil
			})
			answer := server.Call("POST", "/api/act", `{"name":"n"}`, "Cookie", "__Host-kaibao_session=user")
			wantActs := 0
			if c.status == 200 {
				wantActs = 1
			}
			if answer.Code != c.status || lookups != c.lookups || acts != wantActs {
				t.Errorf("responded %d %s, want %d; %d lookups, want %d; executed %d times, want %d", answer.Code, answer.Body, c.status, lookups, c.lookups, acts, wantActs)
			}
		})
	}
}
