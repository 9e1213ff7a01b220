package app_test

import (
	"net/http"
	"slices"
	"strconv"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/marketevents"
)

type listing struct {
	ID             string
	SalePriceCents int64
}

const marketplacePath = "/api/marketplace?limit=200"

// A change to a listing is visible to its user immediately, on any node, and to everyone within
// half a second.
func TestTradesReachEveryNode(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			first, second := nodes(t, engine)
			seller, buyer := first.SignIn(t), first.SignIn(t)
			buyer.Deposit(t, 500)
			seller.Deposit(t, 500)
			seller.Post(t, "/api/packs/2/open", payload{"clientSeed": "x"}).Want(t, http.StatusOK, nil)
			entry := apptest.Get[[]struct{ ID string }](t, seller, "/api/inventory/me")[0].ID
			sellerElsewhere, buyerElsewhere := *seller, *buyer
			sellerElsewhere.Base, buyerElsewhere.Base = second.URL, second.URL
			price := func(c *apptest.Client, headers ...string) (cents int64) {
				var listings []listing
				c.Get(t, marketplacePath, headers...).Want(t, http.StatusOK, &listings)
				n := slices.IndexFunc(listings, func(l listing) bool { return l.ID == entry })
				if n < 0 {
					return 0
				}
				return listings[n].SalePriceCents
			}
			for n, step := range []struct {
				by   *apptest.Client
				path string
				body payload
				want int64
			}{
				{seller, "list", payload{"inventoryId": entry, "priceCents": 5000, "confirmedCents": 5000}, 5000},
				{seller, "reprice", payload{"inventoryId": entry, "priceCents": 6000, "confirmedCents": 6000}, 6000},
				{seller, "delist", payload{"inventoryId": entry}, 0},
				{seller, "list", payload{"inventoryId": entry, "priceCents": 7000, "confirmedCents": 7000}, 7000},
				{buyer, "buy", payload{"inventoryId": entry}, 0},
			} {
				answer := step.by.Post(t, "/api/marketplace/"+step.path, step.body)
				answer.Want(t, http.StatusOK, nil)
				position := answer.Header.Get("X-Market-Position")
				if position == "" {
					t.Fatalf("%s returns no position", step.path)
				}
				if got := price(step.by); got != step.want {
					t.Errorf("step %d: %d immediately on the same node, want %d", n, got, step.want)
				}
				if got := price(&sellerElsewhere, "X-Market-Position", position); got != step.want {
					t.Errorf("step %d: %d immediately on the other node, want %d", n, got, step.want)
				}
			}
			// Without a position, the other node shows it within the maximum lag.
			seller.Deposit(t, 100)
			buyer.Post(t, "/api/marketplace/list", payload{"inventoryId": entry, "priceCents": 8000, "confirmedCents": 8000}).Want(t, http.StatusOK, nil)
			apptest.Until(t, "the other node shows the listing", func() bool { return price(&buyerElsewhere) == 8000 })
			seller.Post(t, "/api/marketplace/buy", payload{"inventoryId": entry}).Want(t, http.StatusOK, nil)
			sold := time.Now()
			apptest.Until(t, "the other node no longer shows the listing", func() bool {
				late := time.Since(sold) > marketevents.MaxLag
				shown := price(&buyerElsewhere) != 0
				if late && shown {
					t.Fatal("a listing sold half a second ago is still shown")
				}
				return !shown
			})
		})
	}
}

// Malformed positions and positions of unknown nodes are ignored.
func TestInvalidPositionsAreIgnored(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c := s.SignIn(t)
		for _, position := range []string{"x", "..", "a.b.c", "0198c0de-0000-7000-8000-000000000000.1.1", "nobody.9223372036854775807.1"} {
			c.Get(t, marketplacePath, "X-Market-Position", position).Want(t, http.StatusOK, nil)
			c.Get(t, "/api/marketplace/facets", "X-Market-Position", position).Want(t, http.StatusOK, nil)
		}
	})
}

// A page number selects the same page as following cursors. Page and cursor together are refused.
func TestPageNumbers(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		seller := s.SignIn(t)
		for range 3 {
			seller.Deposit(t, 500)
			seller.Post(t, "/api/packs/2/open", payload{"clientSeed": "x"}).Want(t, http.StatusOK, nil)
		}
		owned := apptest.Get[[]struct{ ID string }](t, seller, "/api/inventory/me")
		for n, e := range owned {
			cents := 2000 + 100*n
			seller.Post(t, "/api/marketplace/list", payload{"inventoryId": e.ID, "priceCents": cents, "confirmedCents": cents}).Want(t, http.StatusOK, nil)
		}
		cursor := ""
		for page := 1; page <= len(owned)+1; page++ {
			path := "/api/marketplace?limit=1&sortBy=price-low"
			byNumber := seller.Get(t, path+"&page="+strconv.Itoa(page))
			if page > len(owned) {
				if string(byNumber.Body) != "[]\n" && string(byNumber.Body) != "[]" {
					t.Errorf("after the last page: %s", byNumber.Body)
				}
				break
			}
			byCursor := seller.Get(t, path+"&cursor="+cursor)
			if string(byNumber.Body) != string(byCursor.Body) || byNumber.Header.Get("X-Next-Cursor") != byCursor.Header.Get("X-Next-Cursor") || byNumber.Header.Get("X-Total-Count") != strconv.Itoa(len(owned)) {
				t.Errorf("page %d is %s of %s, by the cursor %s", page, byNumber.Body, byNumber.Header.Get("X-Total-Count"), byCursor.Body)
			}
			cursor = byCursor.Header.Get("X-Next-Cursor")
			if cursor != "" {
				seller.Get(t, path+"&page=2&cursor="+cursor).Refused(t, http.StatusUnprocessableEntity, "invalid")
			}
		}
	})
}
