package alerts_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"kaibao/internal/alerts"
	"kaibao/internal/app/apptest"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/policy"
)

type entry struct {
	ID   string
	Item struct{ ID, Name, Series string }
}

type watch struct {
	ID, ItemID              string
	BelowCents, LowestCents *int64
	Item                    struct{ Name string }
}

type search struct {
	ID, Name, Query string
	Alert           bool
}

// collector creates a user with the five entries of a demo pack.
func collector(t *testing.T, s *apptest.Server) (*apptest.Client, []entry) {
	t.Helper()
	c := s.SignIn(t)
	c.Deposit(t, 100)
	c.Post(t, "/api/packs/demo-pack-1/open", asked{"clientSeed": "x"}).Want(t, http.StatusOK, nil)
	return c, apptest.Get[[]entry](t, c, "/api/inventory/me")
}

func offer(t *testing.T, c *apptest.Client, act, id string, price int64) {
	t.Helper()
	c.Post(t, "/api/marketplace/"+act, asked{"inventoryId": id, "priceCents": price, "confirmedCents": price}).Want(t, http.StatusOK, nil)
}

func post[T any](t *testing.T, c *apptest.Client, path string, body asked) (v T) {
	t.Helper()
	c.Post(t, path, body).Want(t, http.StatusOK, &v)
	return v
}

// A watcher is alerted of the cheapest listing of other users while it is cheap enough, even if it
// was listed before the watch began.
func TestWatchAlertsAtPrice(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		seller, owned := collector(t, s)
		ann, of := s.SignIn(t), owned[0]
		wait := func(below int64) watch {
			return post[watch](t, ann, "/api/watchlist", asked{"itemId": of.Item.ID, "belowCents": below})
		}
		offer(t, seller, "list", of.ID, 1000)
		clock.Advance(time.Second)
		if w := wait(999); w.ItemID != of.Item.ID || *w.BelowCents != 999 || *w.LowestCents != 1000 || w.Item.Name != of.Item.Name {
			t.Errorf("watch %+v", w)
		}
		if found := alertsOf(t, ann); len(found) != 0 {
			t.Errorf("alerted although the price is too high: %+v", found)
		}
		wait(1000)
		first := alertsOf(t, ann)
		if len(first) != 1 || first[0].Kind != "price" || first[0].InventoryID != of.ID || first[0].ItemID != of.Item.ID || first[0].PriceCents != 1000 || first[0].Read {
			t.Fatalf("alerts %+v", first)
		}
		ann.Post(t, "/api/alerts/read", asked{"upTo": first[0].ID}).Want(t, http.StatusNoContent, nil)
		if again := alertsOf(t, ann); len(again) != 1 || again[0].ID != first[0].ID || !again[0].Read {
			t.Errorf("after reading %+v", again)
		}
		clock.Advance(time.Second)
		offer(t, seller, "reprice", of.ID, 900)
		if lower := alertsOf(t, ann); len(lower) != 1 || lower[0].PriceCents != 900 || lower[0].Read || lower[0].At <= first[0].At {
			t.Errorf("after the lower price %+v", lower)
		}
		post[watch](t, seller, "/api/watchlist", asked{"itemId": of.Item.ID, "belowCents": 5000})
		if own := alertsOf(t, seller); len(own) != 0 {
			t.Errorf("the seller is alerted of their own listing: %+v", own)
		}
		seller.Post(t, "/api/marketplace/delist", asked{"inventoryId": of.ID}).Want(t, http.StatusOK, nil)
		if gone := alertsOf(t, ann); len(gone) != 0 {
			t.Errorf("alerted of a delisted entry: %+v", gone)
		}
	})
}

func TestWatchlist(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann, ben := s.SignIn(t), s.SignIn(t)
		one := post[watch](t, ann, "/api/watchlist", asked{"itemId": "pkm-001", "belowCents": 500})
		two := post[watch](t, ann, "/api/watchlist", asked{"itemId": "pkm-002"})
		if one.LowestCents != nil || two.BelowCents != nil {
			t.Errorf("watches %+v %+v", one, two)
		}
		changed := post[watch](t, ann, "/api/watchlist", asked{"itemId": "pkm-001"})
		all := apptest.Get[[]watch](t, ann, "/api/watchlist")
		if len(all) != 2 || !slices.ContainsFunc(all, func(w watch) bool { return w.ID == changed.ID && w.BelowCents == nil }) {
			t.Errorf("watchlist %+v", all)
		}
		if of := apptest.Get[[]watch](t, ann, "/api/watchlist?itemId=pkm-002"); len(of) != 1 || of[0].ID != two.ID {
			t.Errorf("watchlist of the second item %+v", of)
		}
		ben.Call(t, http.MethodDelete, "/api/watchlist/"+two.ID, nil).Refused(t, http.StatusNotFound, "not_found")
		ann.Call(t, http.MethodDelete, "/api/watchlist/"+two.ID, nil).Want(t, http.StatusNoContent, nil)
		ann.Call(t, http.MethodDelete, "/api/watchlist/"+two.ID, nil).Refused(t, http.StatusNotFound, "not_found")
		ann.Post(t, "/api/watchlist", asked{"itemId": "none"}).Refused(t, http.StatusNotFound, "not_found")
		if left := apptest.Get[[]watch](t, ann, "/api/watchlist"); len(left) != 1 {
			t.Errorf("watchlist after the removal %+v", left)
		}
	})
}

// A saved search finds other users' listings that are newer than it. A listing that several
// searches find appears once.
func TestSavedSearchFindsNewListings(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		seller, owned := collector(t, s)
		ann := s.SignIn(t)
		offer(t, seller, "list", owned[0].ID, 1000)
		clock.Advance(time.Second)
		keep := func(c *apptest.Client, name, query string, alert bool) {
			t.Helper()
			post[search](t, c, "/api/saved-searches", asked{"name": name, "query": query, "alert": alert})
		}
		series := "series=" + owned[0].Item.Series
		for _, c := range []*apptest.Client{ann, seller} {
			keep(c, "All", series, true)
			keep(c, "Cheap", series+"&maxPrice=15&sortBy=price-low", true)
			keep(c, "Quiet", "", false)
			keep(c, "Other", "search=nothingbearsthis", true)
		}
		if found := alertsOf(t, ann); len(found) != 0 {
			t.Errorf("alerted of listings older than the search: %+v", found)
		}
		clock.Advance(time.Second)
		for n, e := range owned[1:] {
			clock.Advance(time.Second)
			offer(t, seller, "list", e.ID, int64(1000+1000*n))
		}
		found := alertsOf(t, ann)
		if len(found) != 4 || found[3].InventoryID != owned[1].ID || found[0].InventoryID != owned[4].ID || found[0].Kind != "listing" ||
			found[0].PriceCents != 4000 || found[0].At <= found[1].At {
			t.Fatalf("alerts %+v", found)
		}
		if own := alertsOf(t, seller); len(own) != 0 {
			t.Errorf("the seller is alerted of their own listings: %+v", own)
		}
		add(t, s, alerts.Alert{User: userOf(t, ann), Kind: alerts.Ended})
		post[watch](t, ann, "/api/watchlist", asked{"itemId": owned[4].Item.ID, "belowCents": 100000})
		all, path := alertsOf(t, ann), "/api/alerts?limit=2"
		var paged []alert
		for path != "" {
			answer := ann.Get(t, path)
			var page []alert
			answer.Want(t, http.StatusOK, &page)
			paged, path = append(paged, page...), ""
			if next := answer.Header.Get("X-Next-Cursor"); next != "" {
				path = "/api/alerts?limit=2&cursor=" + next
			}
		}
		if len(all) != 6 || !slices.Equal(paged, all) {
			t.Errorf("in pages\n%+v\nin one request\n%+v", paged, all)
		}
		keep(ann, "All", "search=nothingbearsthis", true)
		keep(ann, "Cheap", series+"&maxPrice=15", false)
		if left := alertsOf(t, ann); len(left) != 2 {
			t.Errorf("alerts after the searches changed: %+v", left)
		}
	})
}

// A search is refused if the marketplace refuses its query.
func TestSavedSearchAcceptsMarketplaceQueries(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann, ben := s.SignIn(t), s.SignIn(t)
		for n, query := range []string{
			"", "series=pokemon&certification=PSA&grade=9&minPrice=0&maxPrice=10&search=a+b&sortBy=price-low",
			"grade=0", "grade=x", "sortBy=luck", "certification=BGS", "minPrice=-1", "search=a+b+c+d+e+f+g+h+i", "grade=9&grade=10", "a=%zz", ";",
		} {
			name := fmt.Sprint(n)
			saved := ann.Post(t, "/api/saved-searches", asked{"name": name, "query": query})
			if market := ann.Get(t, "/api/marketplace?"+query); market.Status != saved.Status && query != "a=%zz" && query != ";" {
				t.Errorf("%q: the marketplace returns %d, saving it %d: %s", query, market.Status, saved.Status, saved.Body)
			}
		}
		// The web page may have parameters of its own, which the API refuses.
		ann.Post(t, "/api/saved-searches", asked{"name": "page", "query": "unknown=1"}).Want(t, http.StatusOK, nil)
		ann.Get(t, "/api/marketplace?unknown=1").Refused(t, http.StatusUnprocessableEntity, "invalid")
		for _, noText := range []string{"series=%00", "search=%FF", "series=a&series=%C3%28"} {
			ann.Post(t, "/api/saved-searches", asked{"name": "odd", "query": noText}).Refused(t, http.StatusUnprocessableEntity, "invalid")
		}
		ann.Post(t, "/api/saved-searches", asked{"name": " ", "query": ""}).Refused(t, http.StatusUnprocessableEntity, "invalid")
		kept := apptest.Get[[]search](t, ann, "/api/saved-searches")
		ben.Call(t, http.MethodDelete, "/api/saved-searches/"+kept[0].ID, nil).Refused(t, http.StatusNotFound, "not_found")
		ann.Call(t, http.MethodDelete, "/api/saved-searches/"+kept[0].ID, nil).Want(t, http.StatusNoContent, nil)
		if left := apptest.Get[[]search](t, ann, "/api/saved-searches"); !slices.Equal(left, kept[1:]) {
			t.Errorf("searches after the removal %+v, before %+v", left, kept)
		}
	})
}

func TestListLimits(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann := s.SignIn(t)
		last := ""
		for n := range policy.MaxSavedSearches {
			last = fmt.Sprint(n)
			post[search](t, ann, "/api/saved-searches", asked{"name": last, "query": ""})
		}
		post[search](t, ann, "/api/saved-searches", asked{"name": last, "query": "grade=9"})
		ann.Post(t, "/api/saved-searches", asked{"name": "more", "query": ""}).Refused(t, http.StatusForbidden, "limit_reached")
		items := apptest.Get[[]struct{ ID string }](t, ann, "/api/items?limit=200")
		for _, item := range items[:policy.MaxWatched] {
			post[watch](t, ann, "/api/watchlist", asked{"itemId": item.ID})
		}
		post[watch](t, ann, "/api/watchlist", asked{"itemId": items[0].ID, "belowCents": 5})
		other := "demo"
		for _, item := range apptest.Get[[]struct{ ID string }](t, ann, "/api/items?limit=200&sortBy=price-high") {
			if !slices.Contains(items, item) {
				other = item.ID
			}
		}
		ann.Post(t, "/api/watchlist", asked{"itemId": other}).Refused(t, http.StatusForbidden, "limit_reached")
	})
}
