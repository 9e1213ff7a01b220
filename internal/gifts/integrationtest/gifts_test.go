package integrationtest

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db/dbtest"
)

type payload = map[string]any

// gift is a gift as the API returns it.
type gift struct {
	ID, Side, State, WalletAddress, CreatedAt, ExpiresAt, EndedAt string

	Link       bool
	From       *struct{ FirstName string }
	ValueCents int64
	Items      []struct {
		InventoryID string
		Item        struct {
			Name           string
			BaseValueCents int64
		}
	}
}

// entry is an entry with its history.
type entry struct {
	ID, State, AcquiredFrom string

	Own           bool
	SellBackUntil *string
	Events        []struct {
		Kind string
		Ref  *string
	}
}

const (
	secret      = "00112233445566778899aabbccddeeff"
	otherSecret = "ffeeddccbbaa99887766554433221100"
)

// pull has a client open a starter pack and returns its five entries.
func pull(t testing.TB, c *apptest.Client) []string {
	t.Helper()
	c.Deposit(t, 25)
	var opened struct {
		Items []struct{ InventoryID string }
	}
	c.Post(t, "/api/packs/demo-pack-1/open", payload{"clientSeed": "gifts"}).Want(t, http.StatusOK, &opened)
	ids := make([]string, len(opened.Items))
	for i, item := range opened.Items {
		ids[i] = item.InventoryID
	}
	return ids
}

// respond accepts, refuses or cancels a gift.
func respond(t testing.TB, c *apptest.Client, id, act string, body payload) apptest.Answer {
	t.Helper()
	path := "/api/gifts/" + id + "/" + act
	if act == "cancel" {
		return c.Post(t, path, nil)
	}
	if body == nil {
		body = payload{}
	}
	return c.Post(t, path, body)
}

func giftsOf(t testing.TB, c *apptest.Client, query string) []gift {
	t.Helper()
	return apptest.Get[[]gift](t, c, "/api/gifts?"+query)
}

// wantState checks the state of a client's gift, as the client sees it; empty if they don't see the gift.
func wantState(t testing.TB, c *apptest.Client, id, want string) {
	t.Helper()
	for _, g := range giftsOf(t, c, "") {
		if g.ID == id {
			if g.State != want {
				t.Errorf("gift %s is %s, want %s", id, g.State, want)
			}
			return
		}
	}
	if want != "" {
		t.Errorf("gift %s is missing, want it %s", id, want)
	}
}

func wantEntry(t testing.TB, c *apptest.Client, id, state, source string) entry {
	t.Helper()
	e := apptest.Get[entry](t, c, "/api/inventory/"+id)
	if e.State != state || e.AcquiredFrom != source || !e.Own {
		t.Errorf("entry is %s from %s, own %t; want %s from %s, own", e.State, e.AcquiredFrom, e.Own, state, source)
	}
	return e
}

// alertsOf returns the events of a client's gift alerts, newest first.
func alertsOf(t testing.TB, c *apptest.Client) (events []string) {
	t.Helper()
	for _, a := range apptest.Get[[]struct{ Kind, GiftEvent, GiftID string }](t, c, "/api/alerts") {
		if a.Kind == "gift" {
			events = append(events, a.GiftEvent)
		}
	}
	return events
}

func wantAlerts(t testing.TB, c *apptest.Client, want ...string) {
	t.Helper()
	if got := alertsOf(t, c); strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("the gift alerts are %q, want %q", got, want)
	}
}

// A gift waits, then belongs to its receiver. Its history, source and alerts say so.
func TestGiftIsAccepted(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann, ben := s.SignIn(t), s.SignIn(t)
		cards := pull(t, ann)
		id := ann.Give(t, apptest.ToWallet(ben), cards[0], cards[1])
		e := wantEntry(t, ann, cards[0], "giving", "pack")
		if e.SellBackUntil == nil {
			t.Error("the floor ends while the gift waits, want it to keep running")
		}
		wantState(t, ann, id, "waiting")
		wantState(t, ben, id, "waiting")
		wantAlerts(t, ben, "offered")
		given, received := giftsOf(t, ann, "side=given&state=waiting")[0], giftsOf(t, ben, "side=received")[0]
		if given.WalletAddress != ben.Address || given.From != nil || received.WalletAddress != "" || received.From == nil || len(received.Items) != 2 {
			t.Errorf("the giver sees %+v, the receiver %+v", given, received)
		}
		s.Audit(t)

		var accepted gift
		respond(t, ben, id, "accept", nil).Want(t, http.StatusOK, &accepted)
		if accepted.State != "accepted" || accepted.Side != "received" {
			t.Errorf("the answer is %+v", accepted)
		}
		e = wantEntry(t, ben, cards[0], "held", "gift")
		if e.SellBackUntil != nil {
			t.Error("the receiver has the puller's floor")
		}
		kinds := make([]string, len(e.Events))
		for i, ev := range e.Events {
			kinds[i] = ev.Kind
		}
		if got := strings.Join(kinds, " "); got != "pulled gift-offered gift-accepted" {
			t.Errorf("the history is %s", got)
		}
		stranger := apptest.Get[entry](t, s.SignIn(t), "/api/inventory/"+cards[0])
		for i, ev := range stranger.Events {
			if ev.Ref != nil {
				t.Errorf("a stranger sees the ref of event %d", i)
			}
		}
		wantAlerts(t, ann, "accepted")
		wantState(t, ann, id, "accepted")
		respond(t, ben, id, "accept", nil).Refused(t, http.StatusConflict, "gift_ended")
		s.Audit(t)
	})
}

// A gift that is canceled, refused or expired returns to its giver, whose floor has kept running.
func TestGiftReturns(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		ann, ben := s.SignIn(t), s.SignIn(t)
		cards := pull(t, ann)
		canceled := ann.Give(t, apptest.ToWallet(ben), cards[0])
		refused := ann.Give(t, apptest.ToWallet(ben), cards[1])
		expired := ann.Give(t, apptest.ToWallet(ben), cards[2])
		respond(t, ben, canceled, "cancel", nil).Refused(t, http.StatusNotFound, "not_found")
		respond(t, ann, canceled, "cancel", nil).Want(t, http.StatusOK, nil)
		respond(t, ann, refused, "refuse", nil).Refused(t, http.StatusNotFound, "not_found")
		respond(t, ben, refused, "refuse", nil).Want(t, http.StatusOK, nil)
		for _, id := range cards[:2] {
			if e := wantEntry(t, ann, id, "held", "pack"); e.SellBackUntil == nil {
				t.Error("the floor is gone")
			}
		}
		wantState(t, ben, canceled, "canceled")
		wantState(t, ann, refused, "refused")
		wantAlerts(t, ann, "refused")
		s.Audit(t)

		clock.Advance(7*24*time.Hour - time.Minute)
		ann.SignIn(t)
		ben.SignIn(t)
		wantState(t, ben, expired, "waiting")
		clock.Advance(time.Minute)
		respond(t, ben, expired, "accept", nil).Refused(t, http.StatusConflict, "gift_ended")
		apptest.Until(t, "the expired gift returns", func() bool { return len(alertsOf(t, ann)) == 2 })
		wantEntry(t, ann, cards[2], "held", "pack")
		wantState(t, ann, expired, "expired")
		wantAlerts(t, ann, "expired", "refused")
		s.Audit(t)
	})
}

// The audit tolerates that the clock of the node that changed an item's value is ahead of that of the
// node where the item is given.
func TestAuditToleratesClocksThatDiffer(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		ann, ben, admin := s.SignIn(t), s.SignIn(t), s.Admin(t)
		card := pull(t, ann)[0]
		item := apptest.Get[struct {
			Item struct {
				ID             string
				BaseValueCents int64
			}
		}](t, ann, "/api/inventory/"+card).Item
		clock.Advance(time.Second)
		s.SetValue(t, admin, item.ID, item.BaseValueCents-1)
		clock.Advance(-time.Second)
		gift := ann.Give(t, apptest.ToWallet(ben), card)
		respond(t, ben, gift, "accept", nil).Want(t, http.StatusOK, nil)
		s.Audit(t)
	})
}
