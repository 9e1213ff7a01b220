package app_test

import (
	"cmp"
	"encoding/json"
	"net/http"
	"os"
	"slices"
	"testing"

	"kaibao/internal/app/apptest"
	"kaibao/internal/catalogue"
)

// listRow is the common part of the rows of item lists: the row is the item or contains it.
type listRow struct {
	ID, Name       string
	Grade          *float64
	BaseValueCents int64
	SalePriceCents int64
	ListingID      string
	Item           *listRow
}

// price returns a listing's price, or else the item's base value.
func (r listRow) price() int64 {
	if r.ListingID != "" {
		return r.SalePriceCents
	}
	return r.item().BaseValueCents
}

func (r listRow) item() listRow {
	if r.Item == nil {
		return r
	}
	return *r.Item
}

func (r listRow) grade() float64 {
	if grade := r.item().Grade; grade != nil {
		return *grade
	}
	return 0
}

// referenceSorts compare two rows by each sort order, ignoring the tie-break by id.
var referenceSorts = map[catalogue.SortBy]func(a, b listRow) int{
	"price-low":  func(a, b listRow) int { return cmp.Compare(a.price(), b.price()) },
	"price-high": func(a, b listRow) int { return cmp.Compare(b.price(), a.price()) },
	"name":       func(a, b listRow) int { return cmp.Compare(a.item().Name, b.item().Name) },
	"grade":      func(a, b listRow) int { return cmp.Compare(b.grade(), a.grade()) },
}

// sortedLists returns the paths of lists with a sortBy parameter.
func sortedLists(t *testing.T) (paths []string) {
	t.Helper()
	text, err := os.ReadFile("../../api/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	type schema struct{ Items json.RawMessage }
	var contract struct {
		Paths map[string]map[string]struct {
			Parameters []struct{ Name string }
			Responses  map[string]struct {
				Content map[string]struct{ Schema schema }
			}
		}
	}
	if err := json.Unmarshal(text, &contract); err != nil {
		t.Fatal(err)
	}
	for path, calls := range contract.Paths {
		call := calls["get"]
		asks := slices.ContainsFunc(call.Parameters, func(p struct{ Name string }) bool { return p.Name == "sortBy" })
		if asks && call.Responses["200"].Content["application/json"].Schema.Items != nil {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

func TestListsSupportEverySortOrder(t *testing.T) {
	lists := sortedLists(t)
	if !slices.Contains(lists, "/api/items") || !slices.Contains(lists, "/api/marketplace") || !slices.Contains(lists, "/api/vault") {
		t.Fatalf("the lists with an order are %v", lists)
	}
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		user := s.SignIn(t)
		for range 12 {
			user.Deposit(t, 50)
			user.Post(t, "/api/packs/2/open", payload{"clientSeed": "x"}).Want(t, http.StatusOK, nil)
		}
		owned := apptest.Get[[]struct{ ID string }](t, user, "/api/inventory/me?limit=200")
		for n, e := range owned {
			if n%2 == 0 {
				user.Vault(t, e.ID)
				continue
			}
			cents := 2000 + 100*(n*7%5)
			user.Post(t, "/api/marketplace/list", payload{"inventoryId": e.ID, "priceCents": cents, "confirmedCents": cents}).Want(t, http.StatusOK, nil)
		}
		admin := s.Admin(t)
		for _, path := range lists {
			c := user
			if path == "/api/admin/items" {
				c = admin
			}
			plain := allPages(t, c, path+"?limit=200")
			if len(plain) < 6 {
				t.Fatalf("%s has %d rows", path, len(plain))
			}
			for _, order := range catalogue.Orders {
				if order.Name == "" {
					continue
				}
				compare := referenceSorts[order.Name]
				if compare == nil {
					t.Fatalf("referenceSorts lacks the order %q", order.Name)
				}
				byID := func(a, b listRow) int { return cmp.Compare(cmp.Or(a.ListingID, a.ID), cmp.Or(b.ListingID, b.ID)) }
				if order.Descending {
					ascending := byID
					byID = func(a, b listRow) int { return ascending(b, a) }
				}
				want := slices.SortedFunc(slices.Values(plain), func(a, b listRow) int { return cmp.Or(compare(a, b), byID(a, b)) })
				got := allPages(t, c, path+"?limit=200&sortBy="+string(order.Name))
				if !slices.EqualFunc(got, want, func(a, b listRow) bool { return a.ID == b.ID }) {
					t.Errorf("%s by %q is not sorted; it has %d rows", path, order.Name, len(plain))
				}
			}
		}
	})
}

// allPages reads all pages of a list.
func allPages(t *testing.T, c *apptest.Client, path string) (all []listRow) {
	t.Helper()
	for cursor := ""; ; {
		answer := c.Get(t, path+"&cursor="+cursor)
		var page []listRow
		answer.Want(t, http.StatusOK, &page)
		all = append(all, page...)
		cursor = answer.Header.Get("X-Next-Cursor")
		if cursor == "" {
			return all
		}
	}
}
