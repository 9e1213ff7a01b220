package alerts_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"kaibao/internal/alerts"
	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/money"
	"kaibao/internal/policy"
)

type alert struct {
	ID, Kind, At, ItemID, InventoryID, BidID string
	PriceCents                               int64
	Read                                     bool
}

type asked map[string]any

func alertsOf(t *testing.T, c *apptest.Client) []alert {
	t.Helper()
	return apptest.Get[[]alert](t, c, "/api/alerts")
}

func userOf(t *testing.T, c *apptest.Client) string {
	t.Helper()
	return apptest.Get[struct{ ID string }](t, c, "/api/auth/user").ID
}

func add(t *testing.T, s *apptest.Server, list ...alerts.Alert) {
	t.Helper()
	if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error { return alerts.Add(tx, list) }); err != nil {
		t.Fatal(err)
	}
}

// Users see only their own alerts, newest first. Read alerts stay read, even if an older mark is
// sent later.
func TestAlertsAreListedAndMarkedRead(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		ann, ben := s.SignIn(t), s.SignIn(t)
		me, bid := userOf(t, ann), dbtest.ID("bid")
		add(t, s, alerts.Alert{User: me, Kind: alerts.Outbid, Item: "pkm-001", Bid: bid, Price: 500})
		clock.Advance(time.Second)
		add(t, s, alerts.Alert{User: me, Kind: alerts.Ended, Bid: bid})
		found := alertsOf(t, ann)
		if len(found) != 2 || found[0].Kind != "ended" || found[0].ItemID != "" || found[0].PriceCents != 0 || found[0].At <= found[1].At {
			t.Fatalf("alerts %+v", found)
		}
		first := found[1]
		if want := (alert{ID: first.ID, Kind: "outbid", At: first.At, ItemID: "pkm-001", BidID: bid, PriceCents: 500}); first != want {
			t.Errorf("alert %+v, want %+v", first, want)
		}
		if others := alertsOf(t, ben); len(others) != 0 {
			t.Errorf("another user sees %+v", others)
		}
		for n, upTo := range []string{first.ID, found[0].ID, first.ID} {
			ann.Post(t, "/api/alerts/read", asked{"upTo": upTo}).Want(t, http.StatusNoContent, nil)
			if now := alertsOf(t, ann); !now[1].Read || now[0].Read != (n > 0) {
				t.Errorf("after %d read marks: %+v", n+1, now)
			}
		}
		ann.Post(t, "/api/alerts/read", asked{"upTo": "none"}).Refused(t, http.StatusUnprocessableEntity, "invalid")
	})
}

// A bid has at most one unread alert of a kind, the newest. Read alerts stay.
func TestBidHasOneUnreadAlertOfEachKind(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		ann := s.SignIn(t)
		me, bid, other := userOf(t, ann), dbtest.ID("bid"), dbtest.ID("other")
		counter := func(bid string, price money.Cents) alerts.Alert {
			return alerts.Alert{User: me, Kind: alerts.Counter, Item: "pkm-001", Bid: bid, Price: price}
		}
		add(t, s, counter(bid, 1), alerts.Alert{User: me, Kind: alerts.Outbid, Bid: bid}, counter(bid, 2))
		clock.Advance(time.Second)
		add(t, s, counter(other, 3))
		clock.Advance(time.Second)
		add(t, s, counter(bid, 4))
		wantPrices := func(want ...int64) []alert {
			t.Helper()
			found := alertsOf(t, ann)
			var prices []int64
			for _, a := range found {
				prices = append(prices, a.PriceCents)
			}
			if !slices.Equal(prices, want) {
				t.Fatalf("alert prices %v, want %v", prices, want)
			}
			return found
		}
		found := wantPrices(4, 3, 0)
		ann.Post(t, "/api/alerts/read", asked{"upTo": found[0].ID}).Want(t, http.StatusNoContent, nil)
		for price := money.Cents(5); price < 9; price++ {
			clock.Advance(time.Second)
			add(t, s, counter(bid, price))
			add(t, s, alerts.Alert{User: me, Kind: alerts.Filled, Item: "pkm-001", Price: 10})
		}
		clock.Advance(time.Second)
		add(t, s, alerts.Alert{User: me, Kind: alerts.Ended, Bid: other, Price: 9})
		clock.Advance(time.Second)
		add(t, s, counter(bid, 11))
		wantPrices(11, 9, 10, 10, 10, 10, 4, 3, 0)
	})
}

func TestAlertsArePaged(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann := s.SignIn(t)
		me := userOf(t, ann)
		for _, kind := range []alerts.Kind{alerts.Outbid, alerts.Filled, alerts.Counter} {
			add(t, s, alerts.Alert{User: me, Kind: kind})
		}
		all, path := alertsOf(t, ann), "/api/alerts?limit=1"
		for n, want := range all {
			var page []alert
			answer := ann.Get(t, path)
			answer.Want(t, http.StatusOK, &page)
			next := answer.Header.Get("X-Next-Cursor")
			if len(page) != 1 || page[0] != want || (next == "") != (n == len(all)-1) {
				t.Errorf("page %d is %+v, next cursor %q", n, page, next)
			}
			path = "/api/alerts?limit=1&cursor=" + next
		}
	})
}

func TestOldAlertsAreDeleted(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		ann := s.SignIn(t)
		me := userOf(t, ann)
		add(t, s, alerts.Alert{User: me, Kind: alerts.Outbid})
		clock.Advance(policy.AlertsKept)
		add(t, s, alerts.Alert{User: me, Kind: alerts.Ended})
		forget := func() []alert {
			for _, job := range alerts.Jobs(s.DB) {
				if _, err := job.Do(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			ann.SignIn(t) // the session has expired by then
			return alertsOf(t, ann)
		}
		if left := forget(); len(left) != 2 {
			t.Errorf("alerts kept at exactly the retention: %+v", left)
		}
		clock.Advance(time.Millisecond)
		if left := forget(); len(left) != 1 || left[0].Kind != "ended" {
			t.Errorf("alerts kept beyond the retention: %+v", left)
		}
	})
}
