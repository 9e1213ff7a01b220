package sellback_test

import (
	"net/http"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
)

type payload = apptest.Body

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

type sellBackResponse struct {
	PayoutCents, BalanceCents int64
	Sold                      []struct {
		InventoryID string
		PayoutCents int64
		Quote       string
	}
}

type quotesResponse struct {
	TotalCents int64
	Lines      []struct {
		InventoryID             string
		HouseCents, PayoutCents int64
		FloorUntil              *string
		Best                    string
	}
}

type openResponse struct {
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

// open opens a pack, for which the user must have enough points.
func open(t *testing.T, c *apptest.Client, pack string) (p openResponse) {
	t.Helper()
	c.Post(t, "/api/packs/"+pack+"/open", payload{"clientSeed": "x"}).Want(t, http.StatusOK, &p)
	return p
}

func (p openResponse) ids() (ids []string) {
	for _, i := range p.Items {
		ids = append(ids, i.InventoryID)
	}
	return ids
}

func newCollector(t *testing.T, s *apptest.Server) (*apptest.Client, openResponse) {
	t.Helper()
	c := s.SignIn(t)
	c.Deposit(t, 100)
	return c, open(t, c, "demo-pack-1")
}

func sell(t *testing.T, c *apptest.Client, ids ...string) (got sellBackResponse) {
	t.Helper()
	c.Post(t, "/api/inventory/sell-back", payload{"inventoryIds": ids}).Want(t, http.StatusOK, &got)
	return got
}

func quote(t *testing.T, c *apptest.Client, ids ...string) (got quotesResponse) {
	t.Helper()
	c.Post(t, "/api/inventory/quotes", payload{"inventoryIds": ids}).Want(t, http.StatusOK, &got)
	return got
}

func queryInt(t *testing.T, s *apptest.Server, query string, args ...any) (n int64) {
	t.Helper()
	if err := s.DB.Read(t.Context(), func(tx *db.Tx) (err error) {
		n, err = db.One(tx, db.Column[int64], query, args...)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return n
}

func testSellBack(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
	c, p := newCollector(t, s)
	ids := p.ids()[:2]
	want := p.Items[0].BaseValueCents*90/100 + p.Items[1].BaseValueCents*90/100
	until := clock.Now().Add(24 * time.Hour).UTC().Format("2006-01-02T15:04:05.000Z")
	quoted := quote(t, c, ids...)
	if quoted.TotalCents != want || quoted.Lines[0].Best != "house" || quoted.Lines[0].FloorUntil == nil || *quoted.Lines[0].FloorUntil != until {
		t.Errorf("quoted %+v, want %d until %s", quoted, want, until)
	}
	first := c.Post(t, "/api/inventory/sell-back", payload{"inventoryIds": ids, "minPayoutCents": want}, "Idempotency-Key", "k")
	var got sellBackResponse
	first.Want(t, http.StatusOK, &got)
	again := c.Post(t, "/api/inventory/sell-back", payload{"inventoryIds": ids, "minPayoutCents": want}, "Idempotency-Key", "k")
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
	c.Post(t, "/api/inventory/sell-back", payload{"inventoryIds": p.ids()}).Refused(t, http.StatusConflict, "already_sold")
	c.Post(t, "/api/inventory/quotes", payload{"inventoryIds": ids}).Refused(t, http.StatusConflict, "already_sold")
	s.Audit(t)
}
