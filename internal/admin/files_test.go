package admin_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db/dbtest"
)

type pull struct {
	InventoryID, ItemName, PackName, WalletAddress, FirstName string
	ValueCents                                                int64
	Ended                                                     bool
}

// fileOf downloads a list as CSV and returns its rows by column name.
func fileOf(t *testing.T, c *apptest.Client, name string) (rows []map[string]string) {
	t.Helper()
	answer := c.Get(t, "/api/admin/"+name+"?format=csv")
	answer.Want(t, http.StatusOK, nil)
	found := answer.CSV(t)
	for _, cells := range found[1:] {
		row := map[string]string{}
		for n, cell := range cells {
			row[found[0][n]] = cell
		}
		rows = append(rows, row)
	}
	return rows
}

func wantRow(t *testing.T, name string, rows []map[string]string, want map[string]string) {
	t.Helper()
	has := func(row map[string]string) bool {
		for column, cell := range want {
			if row[column] != cell {
				return false
			}
		}
		return true
	}
	if !slices.ContainsFunc(rows, has) {
		t.Errorf("%s has no row with %v: %v", name, want, rows)
	}
}

// treasure creates a $250 pack whose only card is worth $200 and has a name that spreadsheets would
// run.
func treasure(t *testing.T, admin *apptest.Client) (pack string) {
	t.Helper()
	admin.Post(t, "/api/admin/items", apptest.Body{"name": "=Treasure", "series": "Treasure", "rarity": "Common", "baseValueCents": 20000}).Want(t, http.StatusOK, nil)
	var made struct{ ID string }
	admin.Post(t, "/api/admin/packs", apptest.Body{"name": "Treasure", "priceCents": 25000, "series": []string{"Treasure"},
		"lootTableJson": apptest.Body{"itemsPerPack": 1, "rarities": apptest.Body{"Common": 1}}}).Want(t, http.StatusOK, &made)
	return made.ID
}

func openPack(t *testing.T, c *apptest.Client, pack string) (open, entry string) {
	t.Helper()
	var opened struct {
		OpenID string
		Items  []struct{ InventoryID string }
	}
	c.Post(t, "/api/packs/"+pack+"/open", apptest.Body{"clientSeed": "x"}).Want(t, http.StatusOK, &opened)
	return opened.OpenID, opened.Items[0].InventoryID
}

// Admins, and only they, can download packs, opens, sales, sell-backs and transfers as CSV. Cells
// are escaped for spreadsheets.
func TestAdminsDownloadFiles(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		admin, ann, ben := s.Admin(t), s.SignIn(t), s.SignIn(t)
		ann.Deposit(t, 500)
		ben.Deposit(t, 500)
		pack := treasure(t, admin)
		clock.Advance(time.Minute)
		open, sold := openPack(t, ann, pack)
		ann.Post(t, "/api/marketplace/list", apptest.Body{"inventoryId": sold, "priceCents": 1000, "confirmedCents": 1000}).Want(t, http.StatusOK, nil)
		ben.Post(t, "/api/marketplace/buy", apptest.Body{"inventoryId": sold}).Want(t, http.StatusOK, nil)
		ben.Post(t, "/api/inventory/sell-back", apptest.Body{"inventoryIds": []string{sold}}).Want(t, http.StatusOK, nil)

		card := apptest.Get[[]struct{ ID string }](t, admin, "/api/admin/items?series=Treasure")[0].ID
		drawn := `[{"itemId":"` + card + `","name":"=Treasure","valueCents":20000}]`
		for name, want := range map[string]map[string]string{
			"packs":      {"id": pack, "name": "Treasure", "series": "Treasure", "price": "250.00", "onSale": "true"},
			"opens":      {"id": open, "wallet": ann.Address, "packId": pack, "price": "250.00", "value": "200.00", "items": drawn},
			"sales":      {"kind": "listing", "entry": sold, "item": "'=Treasure", "seller": ann.Address, "buyer": ben.Address, "price": "10.00", "fee": "0.50", "value": "200.00"},
			"sell-backs": {"entry": sold, "item": "'=Treasure", "wallet": ben.Address, "value": "200.00", "quote": "value", "payout": "180.00"},
			"transfers":  {"kind": "sale", "from": ben.Address, "to": ann.Address, "amount": "10.00", "fromBalance": "490.00", "toBalance": "260.00"},
		} {
			rows := fileOf(t, admin, name)
			wantRow(t, name, rows, want)
			if listed := apptest.Get[[]any](t, admin, "/api/admin/"+name); len(listed) != len(rows) {
				t.Errorf("%s: the file has %d rows, the list %d", name, len(rows), len(listed))
			}
			ann.Get(t, "/api/admin/"+name+"?format=csv").Refused(t, http.StatusForbidden, "forbidden")
		}
		if one := admin.Get(t, "/api/admin/transfers?limit=1"); one.Header.Get("X-Next-Cursor") == "" {
			t.Error("the first page has no next cursor")
		} else if next := apptest.Get[[]any](t, admin, "/api/admin/transfers?cursor="+one.Header.Get("X-Next-Cursor")); len(next) != len(fileOf(t, admin, "transfers"))-1 {
			t.Errorf("%d follow the first page", len(next))
		}
	})
}

// Top pulls are those of the last days, most valuable first, with the users who pulled them, even
// if they no longer own them.
func TestTopPulls(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		admin, ann := s.Admin(t), s.SignIn(t)
		ann.Deposit(t, 1000)
		pack := treasure(t, admin)
		clock.Advance(time.Minute)
		_, early := openPack(t, ann, pack)
		clock.Advance(8 * 24 * time.Hour)
		ann.SignIn(t)
		s.Promote(t, admin)
		admin.SignIn(t)
		_, late := openPack(t, ann, pack)
		ann.Post(t, "/api/inventory/sell-back", apptest.Body{"inventoryIds": []string{late}}).Want(t, http.StatusOK, nil)

		top := func(days string) []pull { return apptest.Get[[]pull](t, admin, "/api/admin/top-pulls?days="+days) }
		want := pull{late, "=Treasure", "Treasure", ann.Address, "", 20000, true}
		if got := top("7"); len(got) != 1 || got[0] != want {
			t.Errorf("in a week: %+v, want %+v", got, want)
		}
		if got := top("30"); !slices.ContainsFunc(got, func(p pull) bool { return p.InventoryID == early && !p.Ended }) {
			t.Errorf("in a month: %+v, want %s among them", got, early)
		}
		admin.Get(t, "/api/admin/top-pulls?days=91").Refused(t, http.StatusUnprocessableEntity, "invalid")
	})
}
