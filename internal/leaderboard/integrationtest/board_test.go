package integrationtest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db/dbtest"
)

type activity struct {
	ID   string
	User struct{ FirstName string }
	Pack struct{ ID, Name string }
	Best struct {
		ID, Name, ImageURL, Rarity string
		ValueCents                 int64
	}
	CreatedAt string
}

type pulled struct {
	OpenID, CreatedAt string
	Items             []struct {
		ID, Name, ImageURL string
		BaseValueCents     int64
	}
}

func recent(t *testing.T, c *apptest.Client) (found []activity) {
	t.Helper()
	c.Get(t, "/api/activity/recent").Want(t, http.StatusOK, &found)
	return found
}

func open(t *testing.T, c *apptest.Client, pack, seed string) (p pulled) {
	t.Helper()
	c.Post(t, "/api/packs/"+pack+"/open", map[string]any{"clientSeed": seed}).Want(t, http.StatusOK, &p)
	return p
}

func TestRecentActivity(t *testing.T) {
	apptest.EachWithClock(t, check)
}

// A new or removed name or picture is shown immediately.
func TestNewNameIsShownImmediately(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			s := apptest.Start(t, apptest.Config(t, engine, apptest.At(dbtest.NewClock()))) // no cache expires
			visitor, ann := s.NewClient(t), s.SignIn(t)
			ann.Deposit(t, 100)
			open(t, ann, "2", "one")
			s.WaitForLog(t)
			type leader struct{ Username, ProfileImageURL string }
			for n, name := range []any{nil, "Ann", "Annie", nil} {
				ann.Call(t, http.MethodPatch, "/api/auth/user", map[string]any{"firstName": name}).Want(t, http.StatusOK, nil)
				var leaders []leader
				visitor.Get(t, "/api/leaderboard").Want(t, http.StatusOK, &leaders)
				want, _ := name.(string)
				if found := recent(t, visitor); len(found) != 1 || len(leaders) != 1 || found[0].User.FirstName != want || leaders[0].Username != want {
					t.Errorf("change %d: %+v, %+v", n, found, leaders)
				}
			}
			ann.Call(t, http.MethodPatch, "/api/auth/user", map[string]any{"profileImageUrl": "https://a.example/b.png"}).Want(t, http.StatusOK, nil)
			var leaders []leader
			visitor.Get(t, "/api/leaderboard").Want(t, http.StatusOK, &leaders)
			if !strings.HasPrefix(leaders[0].ProfileImageURL, "/media/pictures/") {
				t.Errorf("the picture comes from %q", leaders[0].ProfileImageURL)
			}
		})
	}
}

func toTheMinute(t *testing.T, text string) string {
	t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		t.Fatal(err)
	}
	return at.Truncate(time.Minute).Format("2006-01-02T15:04:05.000Z")
}

func check(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
	visitor, ann, ben := s.NewClient(t), s.SignIn(t), s.SignIn(t)
	ann.Call(t, http.MethodPatch, "/api/auth/user", map[string]any{"firstName": "Ann"}).Want(t, http.StatusOK, nil)
	ann.Deposit(t, 1000)
	ben.Deposit(t, 1000)
	if found := recent(t, visitor); len(found) != 0 {
		t.Fatalf("before any open: %v", found)
	}
	clock.Advance(7123 * time.Millisecond) // not a whole minute
	if found := recent(t, visitor); len(found) != 0 {
		t.Fatalf("before any open: %v", found)
	}
	first := open(t, ann, "demo-pack-1", "one")
	clock.Advance(10 * time.Millisecond)
	second := open(t, ben, "2", "two")
	if found := recent(t, visitor); len(found) != 0 {
		t.Errorf("the cache expired within a second: %v", found)
	}
	clock.Advance(time.Second)
	answer := visitor.Get(t, "/api/activity/recent")
	found := recent(t, visitor)
	if len(found) != 2 || found[0].Pack.ID != "2" || found[0].ID == found[1].ID {
		t.Fatalf("want the opens, newest first: %s", answer.Body)
	}
	if again := recent(t, visitor); again[1].ID != found[1].ID {
		t.Errorf("the record's id changed from %s to %s", found[1].ID, again[1].ID)
	}
	best := first.Items[0]
	for _, item := range first.Items {
		if item.BaseValueCents > best.BaseValueCents {
			best = item
		}
	}
	if a := found[1]; a.User.FirstName != "Ann" || a.Pack.ID != "demo-pack-1" || a.Best.ID != best.ID || a.Best.Name != best.Name || a.Best.ImageURL != best.ImageURL || a.Best.ValueCents != best.BaseValueCents || a.CreatedAt != toTheMinute(t, first.CreatedAt) {
		t.Errorf("%+v is not %+v", a, first)
	}
	for _, key := range []string{"walletAddress", first.OpenID, second.OpenID, first.CreatedAt, second.CreatedAt} {
		if found[0].User.FirstName != "" || strings.Contains(string(answer.Body), key) {
			t.Errorf("%q links a name to the log: %s", key, answer.Body)
		}
	}
	for n := range 20 {
		clock.Advance(10 * time.Millisecond)
		open(t, ben, "2", fmt.Sprint("more ", n))
	}
	clock.Advance(time.Second)
	if found := recent(t, visitor); len(found) != 20 || found[19].ID == found[0].ID {
		t.Errorf("%d activities, last %+v", len(found), found[len(found)-1])
	}
}
