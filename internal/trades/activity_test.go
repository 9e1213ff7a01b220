package trades_test

import (
	"net/http"
	"strings"
	"testing"

	"kaibao/internal/app/apptest"
)

type activity struct {
	ID, Kind, At, ItemID, ItemName, InventoryID, Side string
	PriceCents                                        int64
}

// Public activity can be filtered by item, series and kind, paged, and exported. A user's own
// activity is private.
func TestActivity(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		m := newMarket(t, s)
		anybody := s.NewClient(t)
		read := func(c *apptest.Client, path string) (said string) {
			for _, a := range apptest.Get[[]activity](t, c, path) {
				said += a.Kind + " " + a.InventoryID + " " + a.Side + "; "
			}
			return strings.NewReplacer(m.first, "first", m.second, "second", " ;", ";").Replace(said)
		}
		for path, want := range map[string]string{
			"/api/activity":                  "sell-back second; listing second; listing first; ",
			"/api/activity?kind=sell-back":   "sell-back second; ",
			"/api/activity?kind=bid":         "",
			"/api/activity?itemId=" + m.item: "listing first; ",
			"/api/activity?itemId=nothing":   "",
			"/api/activity?series=pokemon":   "sell-back second; listing second; listing first; ",
			"/api/activity?series=One+Piece": "",
		} {
			if got := read(anybody, path); got != want {
				t.Errorf("%s returns %q, want %q", path, got, want)
			}
		}
		if got, want := read(m.ann, "/api/activity/me"), "listing second sold; listing first sold; "; got != want {
			t.Errorf("ann's activity %q, want %q", got, want)
		}
		if got, want := read(m.ben, "/api/activity/me?kind=listing"), "listing second bought; listing first bought; "; got != want {
			t.Errorf("ben's activity %q, want %q", got, want)
		}
		anybody.Get(t, "/api/activity/me").Refused(t, http.StatusUnauthorized, "unauthenticated")
		if page := anybody.Get(t, "/api/activity?limit=2"); page.Header.Get("X-Next-Cursor") == "" {
			t.Error("no cursor after the first of two pages")
		} else if rest := read(anybody, "/api/activity?cursor="+page.Header.Get("X-Next-Cursor")); rest != "listing first; " {
			t.Errorf("second page %q", rest)
		}
		file := string(anybody.Get(t, "/api/activity?format=csv").Body)
		if lines := strings.Split(strings.TrimSpace(file), "\n"); len(lines) != 4 || !strings.HasPrefix(lines[0], "\ufefftime,kind,itemId") {
			t.Errorf("CSV file %q", file)
		}
	})
}

// An item's page shows which sales count, and admins see which pairs of users moved value, with
// their deposit times.
func TestOddSalesDoNotCount(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		m := newMarket(t, s)
		type itemSales struct {
			LastSaleCents int64
			Spans         []struct{ Days, Count, MedianCents, LowCents, HighCents int64 }
			Sales         []struct {
				Kind       string
				PriceCents int64
				Counted    bool
			}
		}
		anybody := s.NewClient(t)
		sales := apptest.Get[itemSales](t, anybody, "/api/items/"+m.item+"/sales")
		if sales.LastSaleCents != m.value || len(sales.Sales) != 1 || !sales.Sales[0].Counted || len(sales.Spans) != 4 || sales.Spans[0].MedianCents != m.value || sales.Spans[3].Count != 1 {
			t.Errorf("sold for its value: %+v", sales)
		}
		type book struct{ LastSaleCents, Median7Cents int64 }
		if b := apptest.Get[book](t, anybody, "/api/items/"+m.item+"/book"); b != (book{m.value, m.value}) {
			t.Errorf("the book shows %+v after a sale for %d", b, m.value)
		}
		if b := apptest.Get[book](t, anybody, "/api/items/"+m.otherItem+"/book"); b != (book{}) {
			t.Errorf("the book shows %+v after a sale that doesn't count", b)
		}
		odd := apptest.Get[itemSales](t, anybody, "/api/items/"+m.otherItem+"/sales")
		if odd.LastSaleCents != 0 || len(odd.Sales) != 1 || odd.Sales[0].Counted || odd.Spans[3].Count != 0 {
			t.Errorf("sold for four times its value: %+v", odd)
		}
		anybody.Get(t, "/api/items/nothing/sales").Refused(t, http.StatusNotFound, "not_found")

		type side struct{ WalletAddress, FirstDepositAt, LastDepositAt string }
		pairs := apptest.Get[[]struct {
			Gainer, Payer      side
			Trades, MovedCents int64
		}](t, s.Admin(t), "/api/admin/trade-pairs")
		if len(pairs) != 1 || pairs[0].Gainer.WalletAddress != m.ann.Address || pairs[0].Payer.WalletAddress != m.ben.Address ||
			pairs[0].Trades != 2 || pairs[0].MovedCents != 3*m.otherValue || pairs[0].Payer.FirstDepositAt == "" || pairs[0].Payer.FirstDepositAt > pairs[0].Payer.LastDepositAt {
			t.Errorf("ann sold for four times the value of %d: %+v", m.otherValue, pairs)
		}
		m.ann.Get(t, "/api/admin/trade-pairs").Refused(t, http.StatusForbidden, "forbidden")
	})
}

// market has two sales: one at the item's value, and one at four times the value that the buyer
// then sold back.
type market struct {
	ann, ben          *apptest.Client
	first, second     string
	item, otherItem   string
	value, otherValue int64
}

func newMarket(t *testing.T, s *apptest.Server) (m market) {
	t.Helper()
	m.ann, m.ben = s.SignIn(t), s.SignIn(t)
	m.ann.Deposit(t, 1000)
	m.ben.Deposit(t, 10000)
	m.first, m.item, m.value = pull(t, m.ann)
	for m.second == "" || m.otherItem == m.item {
		m.second, m.otherItem, m.otherValue = pull(t, m.ann)
	}
	sell := func(entry string, price int64) {
		m.ann.Post(t, "/api/marketplace/list", apptest.Body{"inventoryId": entry, "priceCents": price}).Want(t, http.StatusOK, nil)
		m.ben.Post(t, "/api/marketplace/buy", apptest.Body{"inventoryId": entry}).Want(t, http.StatusOK, nil)
	}
	sell(m.first, m.value)
	sell(m.second, 4*m.otherValue)
	m.ben.Post(t, "/api/inventory/sell-back", apptest.Body{"inventoryIds": []string{m.second}}).Want(t, http.StatusOK, nil)
	return m
}

func pull(t *testing.T, c *apptest.Client) (entry, item string, value int64) {
	t.Helper()
	var opened struct {
		Items []struct{ InventoryID, ID string }
	}
	c.Post(t, "/api/packs/2/open", apptest.Body{"clientSeed": "x"}).Want(t, http.StatusOK, &opened)
	entry, item = opened.Items[0].InventoryID, opened.Items[0].ID
	return entry, item, apptest.Get[struct{ BaseValueCents int64 }](t, c, "/api/items/"+item).BaseValueCents
}
