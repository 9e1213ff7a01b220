package sellback_test

import (
	"net/http"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
)

type asked = apptest.Body

type entry struct {
	ID, State, AcquiredFrom string
	Vaulted                 bool
	SellBackCents           int64
	SellBackUntil           *string
	Item                    struct {
		ID             string
		BaseValueCents int64
	}
}

type sold struct {
	PayoutCents, BalanceCents int64
	Sold                      []struct {
		InventoryID string
		PayoutCents int64
		Quote       string
	}
}

type offers struct {
	TotalCents int64
	Lines      []struct {
		InventoryID             string
		HouseCents, PayoutCents int64
		FloorUntil              *string
		Best                    string
	}
}

type pulled struct {
	OpenID       string
	BalanceCents int64
	Items        []struct {
		InventoryID, ID               string
		BaseValueCents, SellBackCents int64
		SellBackUntil                 *string
	}
}

func balance(t *testing.T, c *apptest.Client) int64 {
	t.Helper()
	return apptest.Get[struct{ BalanceCents int64 }](t, c, "/api/wallet").BalanceCents
}

// open opens a pack. The user must be able to pay for it.
func open(t *testing.T, c *apptest.Client, pack string) (p pulled) {
	t.Helper()
	c.Post(t, "/api/packs/"+pack+"/open", asked{"clientSeed": "x"}).Want(t, http.StatusOK, &p)
	return p
}

func (p pulled) ids() (ids []string) {
	for _, i := range p.Items {
		ids = append(ids, i.InventoryID)
	}
	return ids
}

func collector(t *testing.T, s *apptest.Server) (*apptest.Client, pulled) {
	t.Helper()
	c := s.SignIn(t)
	c.Deposit(t, 100)
	return c, open(t, c, "demo-pack-1")
}

func sell(t *testing.T, c *apptest.Client, ids ...string) (got sold) {
	t.Helper()
	c.Post(t, "/api/inventory/sell-back", asked{"inventoryIds": ids}).Want(t, http.StatusOK, &got)
	return got
}

func quote(t *testing.T, c *apptest.Client, ids ...string) (got offers) {
	t.Helper()
	c.Post(t, "/api/inventory/quotes", asked{"inventoryIds": ids}).Want(t, http.StatusOK, &got)
	return got
}

func number(t *testing.T, s *apptest.Server, query string, args ...any) (n int64) {
	t.Helper()
	if err := s.DB.Read(t.Context(), func(tx *db.Tx) (err error) {
		n, err = db.One(tx, db.Column[int64], query, args...)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return n
}

func soldBack(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
	c, p := collector(t, s)
	ids := p.ids()[:2]
	want := p.Items[0].BaseValueCents*90/100 + p.Items[1].BaseValueCents*90/100
	until := clock.Now().Add(24 * time.Hour).UTC().Format("2006-01-02T15:04:05.000Z")
	quoted := quote(t, c, ids...)
	if quoted.TotalCents != want || quoted.Lines[0].Best != "house" || quoted.Lines[0].FloorUntil == nil || *quoted.Lines[0].FloorUntil != until {
		t.Errorf("quoted %+v, want %d until %s", quoted, want, until)
	}
	first := c.Post(t, "/api/inventory/sell-back", asked{"inventoryIds": ids, "minPayoutCents": want}, "Idempotency-Key", "k")
	var got sold
	first.Want(t, http.StatusOK, &got)
	again := c.Post(t, "/api/inventory/sell-back", asked{"inventoryIds": ids, "minPayoutCents": want}, "Idempotency-Key", "k")
	if again.Status != http.StatusOK || string(again.Body) != string(first.Body) {
		t.Errorf("the retry returned %d %s", again.Status, again.Body)
	}
	if got.PayoutCents != want || got.BalanceCents != 7500+want || balance(t, c) != 7500+want || got.Sold[1].InventoryID != ids[1] ||
		got.Sold[1].PayoutCents != p.Items[1].BaseValueCents*90/100 || got.Sold[0].Quote != "value" {
		t.Errorf("sold %+v, want %d", got, want)
	}
	if left := apptest.Get[[]entry](t, c, "/api/inventory/me"); len(left) != 3 {
		t.Errorf("%d entries left, want 3", len(left))
	}
	c.Post(t, "/api/inventory/sell-back", asked{"inventoryIds": p.ids()}).Refused(t, http.StatusConflict, "already_sold")
	c.Post(t, "/api/inventory/quotes", asked{"inventoryIds": ids}).Refused(t, http.StatusConflict, "already_sold")
	s.Audit(t)
}
