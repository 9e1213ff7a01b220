package integrationtest_test

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db/dbtest"
)

type pull struct {
	Item       struct{ ID, Name string }
	ValueCents int64
	Pack       struct{ ID, Name, NameZH string }
	CreatedAt  string
}

type opened struct {
	OpenID     string
	PriceCents int64
	CreatedAt  time.Time
	PackName   string
	PackNameZH string
	Items      []struct {
		ID, Name       string
		BaseValueCents int64
	}
}

// world is a server, and the pulls that players have made so far.
type world struct {
	*apptest.Server
	clock  *dbtest.Clock
	player *apptest.Client
	pulls  []expected
	number int
}

type expected struct {
	pull
	at    time.Time
	price int64
}

// moveTo sets the clock and signs in a new player, as earlier sessions may have expired.
func (w *world) moveTo(t *testing.T, at time.Time) {
	t.Helper()
	w.clock.Advance(at.Sub(w.clock.Now()))
	w.player = w.SignIn(t)
	w.player.Deposit(t, 10_000)
}

func (w *world) open(t *testing.T, pack string) {
	t.Helper()
	w.clock.Advance(time.Millisecond)
	w.number++
	var o opened
	w.player.Post(t, "/api/packs/"+pack+"/open", map[string]any{"clientSeed": fmt.Sprint(w.number)}).Want(t, http.StatusOK, &o)
	for _, item := range o.Items {
		e := expected{at: o.CreatedAt, price: o.PriceCents}
		e.Item.ID, e.Item.Name = item.ID, item.Name
		e.ValueCents, e.CreatedAt = item.BaseValueCents, o.CreatedAt.Truncate(time.Minute).Format("2006-01-02T15:04:05.000Z")
		e.Pack.ID, e.Pack.Name, e.Pack.NameZH = pack, o.PackName, o.PackNameZH
		w.pulls = append(w.pulls, e)
	}
}

// check compares every list with the pulls so far. Of equal values, the earlier pull comes first.
func (w *world) check(t *testing.T) {
	t.Helper()
	w.WaitForLog(t)
	w.clock.Advance(time.Second)
	now := w.clock.Now()
	since := map[string]time.Time{"today": now.Truncate(24 * time.Hour), "week": now.Truncate(7 * 24 * time.Hour), "all": {}}
	for period, begins := range since {
		for _, pack := range []string{"", "2", "demo-pack-1", "7", "none"} {
			want := []pull{}
			for _, p := range w.pulls {
				if (pack == "" || p.Pack.ID == pack) && !p.at.Before(begins) {
					want = append(want, p.pull)
				}
			}
			slices.SortStableFunc(want, func(a, b pull) int { return cmp.Compare(b.ValueCents, a.ValueCents) })
			want = want[:min(len(want), 20)]
			got := apptest.Get[[]pull](t, w.player, "/api/pulls/top?period="+period+"&packId="+pack)
			if !slices.Equal(got, want) {
				t.Errorf("top pulls of pack %q, %s: %v, want %v", pack, period, got, want)
			}
		}
	}
	w.checkLastBig(t)
	w.Audit(t)
}

// checkLastBig checks the last pull of each pack that was worth at least five times its price.
func (w *world) checkLastBig(t *testing.T) {
	t.Helper()
	want := map[string]expected{}
	for _, p := range w.pulls {
		if last := want[p.Pack.ID]; p.ValueCents >= 5*p.price && (p.at.After(last.at) || p.ValueCents > last.ValueCents) {
			want[p.Pack.ID] = p
		}
	}
	type pack struct {
		ID          string
		LastBigPull *pull
	}
	for _, p := range apptest.Get[[]pack](t, w.player, "/api/packs") {
		detail := apptest.Get[pack](t, w.player, "/api/packs/"+p.ID)
		last, ok := want[p.ID]
		for _, got := range []*pull{p.LastBigPull, detail.LastBigPull} {
			if ok != (got != nil) || ok && (got.Item != last.Item || got.ValueCents != last.ValueCents || got.CreatedAt != last.CreatedAt) {
				t.Errorf("the last big pull of pack %s is %+v, want %+v", p.ID, got, last)
			}
		}
	}
}

// Days and weeks begin at 00:00 UTC, weeks on Monday. A day or week without pulls has an empty list.
func TestTopPulls(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		w := &world{Server: s, clock: clock}
		monday := clock.Now().Truncate(7 * 24 * time.Hour).Add(7 * 24 * time.Hour)
		if found := apptest.Get[[]pull](t, s.NewClient(t), "/api/pulls/top"); len(found) != 0 {
			t.Errorf("top pulls before the first open: %v", found)
		}
		w.moveTo(t, monday.Add(-time.Minute))
		for range 60 {
			w.open(t, "2")
			w.open(t, "7") // 3 in 100 of its pulls are worth 15 times the price
			w.open(t, "demo-pack-1")
		}
		w.check(t)
		w.moveTo(t, monday.Add(time.Hour))
		w.check(t) // nothing yet this week
		for range 5 {
			w.open(t, "2")
		}
		w.moveTo(t, monday.Add(25*time.Hour))
		for range 5 {
			w.open(t, "7")
			w.open(t, "demo-pack-1")
		}
		w.check(t)
	})
}

// The response names neither players nor opens, and clients that have it get 304.
func TestTopPullsAreAnonymous(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.SignIn(t)
		c.Deposit(t, 100)
		var o opened
		c.Post(t, "/api/packs/2/open", map[string]any{"clientSeed": "x"}).Want(t, http.StatusOK, &o)
		s.WaitForLog(t)
		visitor := s.NewClient(t)
		apptest.Until(t, "the pull is listed", func() bool { return len(apptest.Get[[]pull](t, visitor, "/api/pulls/top")) == 1 })
		answer := visitor.Get(t, "/api/pulls/top?period=week")
		var listed []pull
		answer.Want(t, http.StatusOK, &listed)
		if len(listed) != 1 || listed[0].Item.ID != o.Items[0].ID {
			t.Errorf("the top pulls of the week are %v, want %s", listed, o.Items[0].ID)
		}
		user := apptest.Get[struct{ ID, UserTag string }](t, c, "/api/auth/user")
		for _, secret := range []string{o.OpenID, user.ID, user.UserTag, c.Address} {
			if strings.Contains(string(answer.Body), secret) {
				t.Errorf("the response contains %s", secret)
			}
		}
		if again := visitor.Get(t, "/api/pulls/top?period=week", "If-None-Match", answer.Header.Get("ETag")); again.Status != http.StatusNotModified {
			t.Errorf("status %d for a known ETag", again.Status)
		}
		visitor.Get(t, "/api/pulls/top?period=year").Refused(t, http.StatusUnprocessableEntity, "invalid")
	})
}
