package integrationtest_test

import (
	"net/http"
	"sync"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/httpapi"
	"kaibao/internal/identity"
)

const openPath = "/api/packs/demo-pack-1/open"

var openBody = apptest.Body{"clientSeed": "x"}

// player returns a client that has opened a pack, so that the node has cached the session.
func player(t *testing.T, s *apptest.Server) (c *apptest.Client, userID string) {
	t.Helper()
	c = s.SignIn(t)
	c.Deposit(t, 1000)
	c.Post(t, openPath, openBody).Want(t, http.StatusOK, nil)
	return c, apptest.Get[struct{ ID string }](t, c, "/api/auth/user").ID
}

// endSessions ends a user's sessions in the database, as another node would.
func endSessions(t *testing.T, s *apptest.Server, userID string) {
	t.Helper()
	if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error { return identity.EndSessions(tx, userID) }); err != nil {
		t.Fatal(err)
	}
}

func TestEndedSessionsCannotOpenPacks(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, _ *dbtest.Clock) {
		for name, end := range map[string]func(c *apptest.Client, userID string){
			"on another node": func(_ *apptest.Client, userID string) { endSessions(t, s, userID) },
			"on this one": func(c *apptest.Client, _ string) {
				c.Post(t, "/api/auth/logout", nil).Want(t, http.StatusNoContent, nil)
			},
		} {
			c, user := player(t, s)
			cookie := httpapi.SessionCookie + "=" + sessionCookie(t, c)
			end(c, user)
			before := count(t, s, "openings")
			s.NewClient(t).Post(t, openPath, openBody, "Cookie", cookie).Refused(t, http.StatusUnauthorized, "unauthenticated")
			if count(t, s, "openings") != before {
				t.Errorf("ended %s: a pack was opened", name)
			}
			c.SignIn(t)
			c.Post(t, openPath, openBody).Want(t, http.StatusOK, nil)
		}
	})
}

// An ended session in a batch doesn't affect the other calls.
func TestEndedSessionDoesNotAffectItsBatch(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, _ *dbtest.Clock) {
		var wg sync.WaitGroup
		before := 0
		for i := range 9 {
			c, user := player(t, s)
			before++
			want := http.StatusOK
			if i%3 == 0 {
				endSessions(t, s, user)
				want = http.StatusUnauthorized
			}
			wg.Go(func() {
				for range 3 {
					if a, err := c.Try(t.Context(), "POST", openPath, openBody); err != nil || a.Status != want {
						t.Errorf("%d: %d instead of %d, %v", i, a.Status, want, err)
					}
				}
			})
		}
		wg.Wait()
		if opened := count(t, s, "openings"); opened != before+6*3 {
			t.Errorf("%d packs were opened, want %d", opened, before+6*3)
		}
	})
}

// Opens keep a session alive, although sessions are only looked up every ten minutes.
func TestOpensKeepSessionsAlive(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		c, _ := player(t, s)
		for range 5 {
			clock.Advance(23 * time.Hour)
			c.Post(t, openPath, openBody).Want(t, http.StatusOK, nil)
		}
		clock.Advance(24 * time.Hour)
		c.Post(t, openPath, openBody).Refused(t, http.StatusUnauthorized, "unauthenticated")
	})
}
