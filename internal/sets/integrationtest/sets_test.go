package integrationtest_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"testing"

	"kaibao/internal/app/apptest"
)

type body = apptest.Body

type setView struct {
	ID, Series, Name           string
	CardCount                  int64
	OwnedCount, DuplicateCount *int64
	ImageURLs                  []string
}

type item struct {
	ID, Name, Series, Set, SetNumber string
	BaseValueCents                   int64
}

type ask struct {
	InventoryID, ListingID string
	PriceCents             int64
}

type card struct {
	Item       item
	OwnedCount int64
	OwnedIDs   []string
	Ask        *ask
}

type line struct {
	ask
	Item item
}

type setPage struct {
	setView
	Cards  []card
	Finish *struct {
		MissingCount, MoreCount, NotForSaleCount, TotalCents int64
		Lines                                                []line
		NotForSale                                           []item
	}
	Duplicates *struct {
		Count, PayoutCents int64
		InventoryIDs       []string
	}
}

type entry struct {
	ID, State     string
	Vaulted       bool
	SellBackCents int64
	Item          item
}

// collector returns a user who opened some five-card packs, with their entries.
func collector(t *testing.T, s *apptest.Server, opens int) (*apptest.Client, []entry) {
	t.Helper()
	c := s.SignIn(t)
	c.Deposit(t, 25*opens+500)
	for n := range opens {
		c.Post(t, "/api/packs/demo-pack-1/open", body{"clientSeed": fmt.Sprint(n)}).Want(t, http.StatusOK, nil)
	}
	return c, apptest.Get[[]entry](t, c, "/api/inventory/me?limit=200")
}

// all returns the sets that a query lists, from all pages.
func all(t *testing.T, c *apptest.Client, query string) (found []setView) {
	t.Helper()
	for cursor := ""; ; {
		answer := c.Get(t, "/api/sets?"+query+"&cursor="+cursor)
		var page []setView
		answer.Want(t, http.StatusOK, &page)
		found = append(found, page...)
		cursor = answer.Header.Get("X-Next-Cursor")
		if cursor == "" {
			return found
		}
	}
}

func setNamed(t *testing.T, c *apptest.Client, series, name string) setView {
	t.Helper()
	for _, s := range all(t, c, "limit=200") {
		if s.Series == series && s.Name == name {
			return s
		}
	}
	t.Fatalf("there is no set %q of %s", name, series)
	return setView{}
}

// list lists an entry for sale.
func list(t *testing.T, c *apptest.Client, id string, cents int64) {
	t.Helper()
	c.Post(t, "/api/marketplace/list", body{"inventoryId": id, "priceCents": cents, "confirmedCents": cents}).Want(t, http.StatusOK, nil)
}

// The list has every series and set of the catalogue once, with its number of cards, on pages of any
// size, also without a session.
func TestEverySetIsListed(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		visitor := s.NewClient(t)
		want := map[[2]string]int64{}
		for cursor := ""; ; {
			answer := visitor.Get(t, "/api/items?limit=200&cursor="+cursor)
			var page []item
			answer.Want(t, http.StatusOK, &page)
			for _, i := range page {
				want[[2]string{i.Series, ""}]++
				want[[2]string{i.Series, i.Set}]++
			}
			cursor = answer.Header.Get("X-Next-Cursor")
			if cursor == "" {
				break
			}
		}
		first := all(t, visitor, "limit=200")
		if len(first) != len(want) || len(first) < 200 {
			t.Fatalf("%d sets are listed, want %d", len(first), len(want))
		}
		if answer := visitor.Get(t, "/api/sets?limit=1"); answer.Header.Get("X-Total-Count") != fmt.Sprint(len(want)) {
			t.Errorf("the total is %s, want %d", answer.Header.Get("X-Total-Count"), len(want))
		}
		for _, v := range first {
			if v.CardCount != want[[2]string{v.Series, v.Name}] || v.OwnedCount != nil || len(v.ImageURLs) != int(min(v.CardCount, 3)) {
				t.Errorf("set %+v, want %d cards, their pictures, and nothing about a user", v, want[[2]string{v.Series, v.Name}])
			}
		}
		if small := all(t, visitor, "limit=7"); !slices.EqualFunc(small, first, func(a, b setView) bool { return a.ID == b.ID }) {
			t.Error("pages of 7 list other sets than pages of 200")
		}
		if toys := all(t, visitor, "series=labubu"); len(toys) != 8 || toys[0].Series != "Labubu Collection" || toys[0].Name != "" || toys[1].Name != "Big into Energy" {
			t.Errorf("the category labubu has %+v, want two series with three sets each", toys)
		}
		if one := all(t, visitor, "series=One%20Piece"); len(one) != 12 {
			t.Errorf("One Piece has %d sets, want 12 with the series", len(one))
		}
		if none := all(t, visitor, "series=Nothing"); len(none) != 0 {
			t.Errorf("an unknown series has %+v", none)
		}
		visitor.Get(t, "/api/sets/none").Refused(t, http.StatusNotFound, "not_found")
		visitor.Get(t, "/api/sets?cursor=x").Refused(t, http.StatusUnprocessableEntity, "invalid")
		visitor.Get(t, "/api/sets/"+first[0].ID+"?cursor=x").Refused(t, http.StatusUnprocessableEntity, "invalid")
	})
}

// The cards of a set are sorted by number, on pages of any size. A retired card isn't one of them.
func TestCardsOfASet(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		admin, visitor := s.Admin(t), s.NewClient(t)
		ids := map[string]string{}
		for _, number := range []string{"10", "2", "TG-2", "", "TG-10", "1"} {
			var made item
			admin.Post(t, "/api/admin/items", body{"name": "Card " + number, "series": "Cards", "rarity": "Rare", "baseValueCents": 500, "set": "Base"}.With("setNumber", number)).Want(t, http.StatusOK, &made)
			ids[number] = made.ID
		}
		apptest.Until(t, "the set is listed", func() bool {
			return len(all(t, visitor, "series=Cards")) == 2 && all(t, visitor, "series=Cards")[1].CardCount == 6
		})
		base := setNamed(t, visitor, "Cards", "Base")
		read := func(limit int) (numbers []string) {
			for cursor := ""; ; {
				answer := visitor.Get(t, fmt.Sprintf("/api/sets/%s?limit=%d&cursor=%s", base.ID, limit, cursor))
				var page setPage
				answer.Want(t, http.StatusOK, &page)
				if page.Finish != nil || page.Duplicates != nil || page.OwnedCount != nil || page.Name != "Base" {
					t.Errorf("a visitor sees %+v", page)
				}
				for _, c := range page.Cards {
					numbers = append(numbers, c.Item.SetNumber)
				}
				cursor = answer.Header.Get("X-Next-Cursor")
				if cursor == "" {
					return numbers
				}
			}
		}
		want := []string{"", "1", "2", "10", "TG-2", "TG-10"}
		for _, limit := range []int{1, 2, 6, 60} {
			if got := read(limit); !slices.Equal(got, want) {
				t.Errorf("on pages of %d the numbers are %q, want %q", limit, got, want)
			}
		}
		admin.Call(t, http.MethodPatch, "/api/admin/items/"+ids["2"], body{"isActive": false}).Want(t, http.StatusOK, nil)
		admin.Call(t, http.MethodPatch, "/api/admin/items/"+ids["10"], body{"set": "Other", "setNumber": "1"}).Want(t, http.StatusOK, nil)
		if got := read(60); !slices.Equal(got, []string{"", "1", "TG-2", "TG-10"}) {
			t.Errorf("without the retired and the moved card the numbers are %q", got)
		}
	})
}

// What two users own, miss and could buy equals a recount from their entries, while random acts change
// it.
func TestSetsEqualARecount(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		r := rand.New(rand.NewPCG(56, 2))
		ann, _ := collector(t, s, 8)
		ben, _ := collector(t, s, 8)
		for round := range 6 {
			for range 5 {
				actAtRandom(t, r, ann, ben)
				actAtRandom(t, r, ben, ann)
			}
			for _, u := range []struct{ own, other *apptest.Client }{{ann, ben}, {ben, ann}} {
				recount(t, u.own, u.other, round)
			}
		}
		s.Audit(t)
	})
}

func actAtRandom(t *testing.T, r *rand.Rand, seller, buyer *apptest.Client) {
	t.Helper()
	owned := apptest.Get[[]entry](t, seller, "/api/inventory/me?limit=200")
	e := owned[r.IntN(len(owned))]
	if e.State != "held" {
		if e.State == "listed" && r.IntN(2) == 0 {
			buyer.Post(t, "/api/marketplace/buy", body{"inventoryId": e.ID}).Want(t, http.StatusOK, nil)
		}
		return
	}
	switch r.IntN(8) {
	case 0:
		seller.Post(t, "/api/inventory/sell-back", body{"inventoryIds": []string{e.ID}}).Want(t, http.StatusOK, nil)
	case 1:
		seller.Post(t, "/api/inventory/vault", body{"inventoryId": e.ID})
	case 2:
		seller.Vault(t, e.ID)
		seller.Claim(t, e.ID)
	default:
		list(t, seller, e.ID, e.Item.BaseValueCents+int64(r.IntN(40)))
	}
}

// recount compares what a user sees of the sets of the series Starter with the user's entries and the
// only other user's listings.
func recount(t *testing.T, own, other *apptest.Client, round int) {
	t.Helper()
	copies, cheapest := map[string][]entry{}, map[string]int64{}
	for _, e := range apptest.Get[[]entry](t, own, "/api/inventory/me?limit=200") {
		copies[e.Item.ID] = append(copies[e.Item.ID], e)
	}
	for _, l := range apptest.Get[[]struct {
		SalePriceCents int64
		Item           item
	}](t, other, "/api/inventory/me?limit=200&state=listed") {
		if price, ok := cheapest[l.Item.ID]; !ok || l.SalePriceCents < price {
			cheapest[l.Item.ID] = l.SalePriceCents
		}
	}
	for _, view := range all(t, own, "series=Starter&limit=200") {
		page := apptest.Get[setPage](t, own, "/api/sets/"+view.ID+"?limit=200")
		var ownedCount, duplicates, missing, sold, total int64
		for _, c := range page.Cards {
			mine, price := copies[c.Item.ID], cheapest[c.Item.ID]
			if c.OwnedCount != int64(len(mine)) || len(c.OwnedIDs) != len(mine) || c.Item.Series != view.Series || view.Name != "" && c.Item.Set != view.Name {
				t.Errorf("round %d: card %+v, want %d copies", round, c, len(mine))
			}
			if (c.Ask != nil) != (price > 0) || c.Ask != nil && c.Ask.PriceCents != price {
				t.Errorf("round %d: card %s has ask %+v, want %d", round, c.Item.ID, c.Ask, price)
			}
			switch {
			case len(mine) > 0:
				ownedCount++
				duplicates += int64(len(mine) - 1)
			case price > 0:
				missing++
				sold++
				total += price
			default:
				missing++
			}
		}
		f, d := page.Finish, page.Duplicates
		if int64(len(page.Cards)) != view.CardCount || *view.OwnedCount != ownedCount || *view.DuplicateCount != duplicates || *page.OwnedCount != ownedCount || *page.DuplicateCount != duplicates {
			t.Errorf("round %d: %+v, want %d of %d cards and %d duplicates", round, view, ownedCount, len(page.Cards), duplicates)
		}
		if f.MissingCount != missing || int64(len(f.Lines)) != sold || f.TotalCents != total || f.MoreCount != 0 || f.NotForSaleCount != missing-sold || int64(len(f.NotForSale)) != missing-sold {
			t.Errorf("round %d: finishing %q takes %+v, want %d for sale for %d and %d not for sale", round, view.Name, *f, sold, total, missing-sold)
		}
		if !slices.IsSortedFunc(f.Lines, func(a, b line) int { return int(a.PriceCents - b.PriceCents) }) {
			t.Errorf("round %d: the lines aren't sorted by price: %+v", round, f.Lines)
		}
		if d.Count != duplicates {
			t.Errorf("round %d: %d duplicates are offered, want %d", round, d.Count, duplicates)
		}
		wantDuplicates(t, own, copies, page, round)
	}
}

// wantDuplicates checks that selling the duplicates keeps one copy of each card, and brings what the
// quotes say.
func wantDuplicates(t *testing.T, own *apptest.Client, copies map[string][]entry, page setPage, round int) {
	t.Helper()
	sold, want := page.Duplicates.InventoryIDs, 0
	for _, c := range page.Cards {
		var sellable, selling []entry
		for _, e := range copies[c.Item.ID] {
			if e.State == "held" {
				sellable = append(sellable, e)
			}
			if slices.Contains(sold, e.ID) {
				selling = append(selling, e)
			}
		}
		n := len(sellable)
		if n > 0 && n == len(copies[c.Item.ID]) {
			n-- // one of them stays
		}
		want += n
		if len(selling) != n {
			t.Errorf("round %d: %d copies of %s are to be sold, want %d of %+v", round, len(selling), c.Item.ID, n, copies[c.Item.ID])
		}
		for _, e := range selling {
			if e.State != "held" || e.Vaulted && slices.ContainsFunc(copies[c.Item.ID], func(o entry) bool { return !slices.Contains(sold, o.ID) && !o.Vaulted && o.State == "held" }) {
				t.Errorf("round %d: %+v is to be sold of %+v", round, e, copies[c.Item.ID])
			}
		}
	}
	if len(sold) != want {
		t.Errorf("round %d: %d duplicates are to be sold, want %d", round, len(sold), want)
	}
	if len(sold) == 0 {
		return
	}
	var quotes struct{ TotalCents int64 }
	own.Post(t, "/api/inventory/quotes", body{"inventoryIds": sold}).Want(t, http.StatusOK, &quotes)
	if page.Duplicates.PayoutCents != quotes.TotalCents {
		t.Errorf("round %d: the duplicates bring %d, want %d as quoted", round, page.Duplicates.PayoutCents, quotes.TotalCents)
	}
}

// One cart buys the lines for exactly the total. The user's own listings and those of frozen accounts
// aren't asks.
func TestFinishASet(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		seller, owned := collector(t, s, 12)
		buyer := s.SignIn(t)
		buyer.Deposit(t, 1000)
		for _, e := range owned {
			list(t, seller, e.ID, e.Item.BaseValueCents)
		}
		path := "/api/sets/" + setNamed(t, buyer, "Starter", "").ID
		page := apptest.Get[setPage](t, buyer, path)
		var lines []body
		for _, l := range page.Finish.Lines {
			lines = append(lines, body{"inventoryId": l.InventoryID, "expectedPriceCents": l.PriceCents})
		}
		var bought struct{ TotalCents int64 }
		buyer.Post(t, "/api/marketplace/cart", body{"lines": lines, "partial": false}).Want(t, http.StatusOK, &bought)
		if bought.TotalCents != page.Finish.TotalCents {
			t.Errorf("the cart cost %d, want %d", bought.TotalCents, page.Finish.TotalCents)
		}
		after := apptest.Get[setPage](t, buyer, path)
		if *after.OwnedCount != int64(len(lines)) || len(after.Finish.Lines) != 0 || after.Finish.NotForSaleCount != page.Finish.NotForSaleCount {
			t.Errorf("after buying %d cards: %d owned, %+v", len(lines), *after.OwnedCount, *after.Finish)
		}
		own := apptest.Get[setPage](t, seller, path)
		if len(own.Finish.Lines) != 0 || slices.ContainsFunc(own.Cards, func(c card) bool { return c.Ask != nil }) {
			t.Errorf("the seller's own listings are offered to the seller: %+v", own)
		}
		admin, visitor := s.Admin(t), s.NewClient(t)
		var sellerID struct{ ID string }
		seller.Get(t, "/api/auth/user").Want(t, http.StatusOK, &sellerID)
		asks := func() (n int) {
			for _, c := range apptest.Get[setPage](t, visitor, path).Cards {
				if c.Ask != nil {
					n++
				}
			}
			return n
		}
		if asks() == 0 {
			t.Error("a visitor sees no listing")
		}
		admin.Post(t, "/api/admin/users/"+sellerID.ID+"/freeze", body{"reason": "stolen cards"}).Want(t, http.StatusOK, nil)
		if n := asks(); n != 0 {
			t.Errorf("%d listings of a frozen account are offered", n)
		}
	})
}

// Where there is no market, sets have no asks, and duplicates are quoted at Kaibao's offers.
func TestSetsWithoutAMarket(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		seller, owned := collector(t, s, 10)
		list(t, seller, owned[0].ID, owned[0].Item.BaseValueCents)
		closed := restartWithoutMarket(t, s)
		user, _ := collector(t, closed, 10)
		page := apptest.Get[setPage](t, user, "/api/sets/"+setNamed(t, user, "Starter", "").ID)
		for _, c := range page.Cards {
			if c.Ask != nil {
				t.Errorf("card %s has an ask: %+v", c.Item.ID, *c.Ask)
			}
		}
		if len(page.Finish.Lines) != 0 || page.Finish.NotForSaleCount != page.Finish.MissingCount || page.Duplicates.PayoutCents == 0 {
			t.Errorf("without a market: %+v, %+v", *page.Finish, *page.Duplicates)
		}
	})
}

// restartWithoutMarket restarts the node with house rules that have no market.
func restartWithoutMarket(t *testing.T, s *apptest.Server) *apptest.Server {
	t.Helper()
	s.Stop()
	c := s.Config
	apptest.Rules(t, body{"market": false})(&c)
	return apptest.Start(t, c)
}
