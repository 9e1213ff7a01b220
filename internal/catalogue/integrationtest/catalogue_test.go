package integrationtest_test

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"kaibao/internal/app/apptest"
)

type item struct {
	ID, Name, Series, Rarity, ImageURL, CertType string
	BaseValueCents                               int64
	Grade                                        float64
}

func TestItemsAreFilteredSortedAndPaged(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.NewClient(t)
		for query, check := range map[string]func(i item) bool{
			"series=onepiece": func(i item) bool {
				return i.Series == "One Piece" || i.Series == "Starter" && strings.Contains(i.Name, "One Piece")
			},
			"series=One+Piece":          func(i item) bool { return i.Series == "One Piece" },
			"series=labubu":             func(i item) bool { return strings.HasPrefix(i.Series, "Labubu") },
			"certification=CGC":         func(i item) bool { return i.CertType == "CGC" },
			"grade=9":                   func(i item) bool { return i.Grade >= 9 },
			"minPrice=100&maxPrice=200": func(i item) bool { return i.BaseValueCents >= 10000 && i.BaseValueCents <= 20000 },
			"search=psa+CHAR":           func(i item) bool { return strings.Contains(i.Name, "Char") && strings.Contains(i.Name, "PSA") },
			"search=" + url.QueryEscape("ｃｈａｒ"): func(i item) bool { return strings.Contains(i.Name, "Char") },
		} {
			found := apptest.Get[[]item](t, c, "/api/items?limit=200&"+query)
			if len(found) == 0 {
				t.Errorf("%s: no items", query)
			}
			for _, i := range found {
				if !check(i) {
					t.Errorf("%s: found %+v", query, i)
				}
			}
		}
		for _, query := range []string{"harizard", "!!!", "%25"} {
			if found := apptest.Get[[]item](t, c, "/api/items?search="+query); len(found) != 0 {
				t.Errorf("%s: found %+v", query, found)
			}
		}
		for _, invalid := range []string{"sortBy=colour", "certification=ABC", "grade=ten", "minPrice=cheap", "minPrice=-1", "maxPrice=-3", "limit=0", "limit=201", "cursor=x",
			"sortBy=price-low&cursor=W1sxXSwieCJd", "sortBy=price-low&cursor=W3RydWUsIngiXQ"} {
			c.Get(t, "/api/items?"+invalid).Refused(t, http.StatusUnprocessableEntity, "invalid")
		}
	})
}

// Each word is matched against every name, so all lists refuse more than eight distinct words.
func TestSearchAllowsEightWords(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.SignIn(t)
		for _, list := range []string{"/api/items", "/api/marketplace", "/api/vault", "/api/inventory/me"} {
			eight := "a+b+c+d+e+f+g+h"
			c.Get(t, list+"?search="+eight+"+A+b+"+eight).Want(t, http.StatusOK, nil)
			c.Get(t, list+"?search="+eight+"+i").Refused(t, http.StatusUnprocessableEntity, "invalid")
		}
	})
}

// In every sort order, every item is listed once for any page size.
func TestPagingListsEachItemOnce(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.NewClient(t)
		ordered := map[string]func(a, b item) bool{
			"":           func(a, b item) bool { return a.ID < b.ID },
			"price-low":  func(a, b item) bool { return a.BaseValueCents <= b.BaseValueCents },
			"price-high": func(a, b item) bool { return a.BaseValueCents >= b.BaseValueCents },
			"name":       func(a, b item) bool { return a.Name <= b.Name },
			"grade":      func(a, b item) bool { return a.Grade >= b.Grade },
		}
		for sortBy, inOrder := range ordered {
			seen, cursor := map[string]bool{}, ""
			var last *item
			for {
				query := url.Values{"series": {"Pokemon"}, "limit": {"17"}}
				for name, value := range map[string]string{"sortBy": sortBy, "cursor": cursor} {
					if value != "" {
						query.Set(name, value)
					}
				}
				answer := c.Get(t, "/api/items?"+query.Encode())
				var page []item
				answer.Want(t, http.StatusOK, &page)
				for _, i := range page {
					if seen[i.ID] || (last != nil && !inOrder(*last, i)) {
						t.Fatalf("%q: %+v after %+v", sortBy, i, last)
					}
					seen[i.ID], last = true, &i
				}
				cursor = answer.Header.Get("X-Next-Cursor")
				if cursor == "" {
					break
				}
			}
			if len(seen) != 179 {
				t.Errorf("%q: %d items, want 179", sortBy, len(seen))
			}
		}
	})
}

func TestUnfilteredListHasTotal(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.NewClient(t)
		counted, cursor := 0, ""
		for first := true; first || cursor != ""; first = false {
			answer := c.Get(t, "/api/items?limit=200&cursor="+cursor)
			var page []item
			answer.Want(t, http.StatusOK, &page)
			counted += len(page)
			if total := answer.Header.Get("X-Total-Count"); (total != "") != first {
				t.Errorf("total %q on page %q", total, cursor)
			}
			cursor = answer.Header.Get("X-Next-Cursor")
		}
		if total := c.Get(t, "/api/items?limit=1").Header.Get("X-Total-Count"); total != strconv.Itoa(counted) {
			t.Errorf("total %s of %d items", total, counted)
		}
		if total := c.Get(t, "/api/items?series=Pokemon").Header.Get("X-Total-Count"); total != "" {
			t.Errorf("a filtered list has a total of %s", total)
		}
	})
}
