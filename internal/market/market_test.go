package market_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/money"
	"kaibao/internal/protocol"
)

type item struct {
	ID, Name, Series, Certification string
	BaseValueCents                  int64
}

// entry is an entry as its owner's inventory or the marketplace returns it.
type entry struct {
	ID, State, AcquiredFrom string
	ListingID               string
	SellBackUntil           *string
	ForSale, Vaulted, Own   bool
	SalePriceCents          *int64
	SellBackCents           int64
	Item                    item
	User                    struct{ FirstName, ProfileImageURL string }
}

type purchase struct {
	InventoryID                        string
	PriceCents, FeeCents, BalanceCents int64
}

func get[T any](t *testing.T, c *apptest.Client, path string) (v T) {
	t.Helper()
	c.Get(t, path).Want(t, http.StatusOK, &v)
	return v
}

func balance(t *testing.T, c *apptest.Client) int64 {
	t.Helper()
	return get[struct{ BalanceCents int64 }](t, c, "/api/wallet").BalanceCents
}

// newCollector creates a user with $75 and the five entries of a demo pack.
func newCollector(t *testing.T, s *apptest.Server, name string) (c *apptest.Client, owned []entry) {
	t.Helper()
	c = s.SignIn(t)
	c.Deposit(t, 100)
	c.Call(t, http.MethodPatch, "/api/auth/user", apptest.Body{"firstName": name}).Want(t, http.StatusOK, nil)
	c.Post(t, "/api/packs/demo-pack-1/open", apptest.Body{"clientSeed": "x"}).Want(t, http.StatusOK, nil)
	return c, get[[]entry](t, c, "/api/inventory/me")
}

func listEntry(t *testing.T, c *apptest.Client, id string, price int64) (e entry) {
	t.Helper()
	c.Post(t, "/api/marketplace/list", apptest.Body{"inventoryId": id, "priceCents": price, "confirmedCents": price}).Want(t, http.StatusOK, &e)
	return e
}

func TestListingIsSold(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		seller, owned := newCollector(t, s, "Ann")
		buyer, _ := newCollector(t, s, "Ben")
		sold := owned[1].ID
		seller.Post(t, "/api/inventory/vault", apptest.Body{"inventoryId": sold}).Want(t, http.StatusOK, nil)
		if e := listEntry(t, seller, sold, 1999); e.State != "listed" || !e.ForSale || *e.SalePriceCents != 1999 || !e.Vaulted {
			t.Errorf("listed: %+v", e)
		}
		for who, c := range map[string]*apptest.Client{"seller": seller, "buyer": buyer} {
			answer := c.Get(t, "/api/marketplace")
			found := get[[]entry](t, c, "/api/marketplace")
			if len(found) != 1 || found[0].ID != sold || *found[0].SalePriceCents != 1999 || found[0].User.FirstName != "Ann" ||
				found[0].Own != (who == "seller") || found[0].Item != owned[1].Item {
				t.Errorf("%s sees %+v", who, found)
			}
			if strings.Contains(string(answer.Body), seller.Address) {
				t.Errorf("the marketplace reveals the seller's wallet: %s", answer.Body)
			}
		}
		if mine := get[[]entry](t, seller, "/api/inventory/me?state=listed"); len(mine) != 1 || *mine[0].SalePriceCents != 1999 {
			t.Errorf("own listings: %+v", mine)
		}
		var bought purchase
		first := buyer.Post(t, "/api/marketplace/buy", apptest.Body{"inventoryId": sold, "expectedPriceCents": 1999}, "Idempotency-Key", "k")
		first.Want(t, http.StatusOK, &bought)
		if want := (purchase{sold, 1999, 100, 7500 - 1999}); bought != want {
			t.Errorf("bought %+v, want %+v", bought, want)
		}
		again := buyer.Post(t, "/api/marketplace/buy", apptest.Body{"inventoryId": sold, "expectedPriceCents": 1999}, "Idempotency-Key", "k")
		if again.Status != http.StatusOK || string(again.Body) != string(first.Body) {
			t.Errorf("the retry returned %d %s", again.Status, again.Body)
		}
		if a, b := balance(t, seller), balance(t, buyer); a != 7500+1999-100 || b != 7500-1999 {
			t.Errorf("balances: seller %d, buyer %d", a, b)
		}
		now := get[[]entry](t, buyer, "/api/vault")
		if len(now) != 1 || now[0].ID != sold || now[0].State != "held" || now[0].AcquiredFrom != "market" || now[0].SalePriceCents != nil {
			t.Errorf("the buyer has %+v", now)
		}
		if floor := money.Cents(now[0].Item.BaseValueCents).Share(90); now[0].SellBackCents != int64(floor) {
			t.Errorf("sells back at %d, want %d without the seller's floor", now[0].SellBackCents, floor)
		}
		if now[0].SellBackUntil != nil {
			t.Errorf("floor until %s, but it belonged to the seller", *now[0].SellBackUntil)
		}
		if left := get[[]entry](t, seller, "/api/inventory/me"); len(left) != 4 {
			t.Errorf("the seller keeps %d", len(left))
		}
		if found := get[[]entry](t, buyer, "/api/marketplace"); len(found) != 0 {
			t.Errorf("still for sale: %+v", found)
		}
		lines := get[[]struct{ Kind, InventoryID string }](t, seller, "/api/wallet/transactions")
		if lines[0].Kind != "sale-fee" || lines[1].Kind != "sale" || lines[0].InventoryID != sold || lines[1].InventoryID != sold {
			t.Errorf("the seller's lines: %v, want them to lead to %s", lines, sold)
		}
		seller.Post(t, "/api/marketplace/buy", apptest.Body{"inventoryId": sold}).Refused(t, http.StatusConflict, "already_sold")
		s.Audit(t)
	})
}

// A user who becomes an admin has all their listings and bids withdrawn.
func TestNewAdminsListingsAndBidsAreWithdrawn(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		seller, owned := newCollector(t, s, "Ann")
		other, others := newCollector(t, s, "Ben")
		listEntry(t, seller, owned[0].ID, 100)
		listEntry(t, seller, owned[1].ID, 200)
		listEntry(t, other, others[0].ID, 300)
		placeBid(t, seller, forEntry(others[1].ID, 500))
		s.Promote(t, seller)
		wantWallet(t, seller, 7500, 0)
		apptest.Until(t, "the marketplace shows only the other user's listing", func() bool {
			found := get[[]entry](t, other, "/api/marketplace")
			return len(found) == 1 && found[0].ID == others[0].ID
		})
		if kept := get[[]entry](t, seller, "/api/inventory/me?state=held"); len(kept) != len(owned) {
			t.Errorf("the admin holds %d of %d entries", len(kept), len(owned))
		}
		s.Audit(t)
	})
}

func TestRefusals(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann, owned := newCollector(t, s, "Ann")
		ben, his := newCollector(t, s, "Ben")
		held, listed, claimed := owned[0].ID, owned[1].ID, owned[2].ID
		listEntry(t, ann, listed, 9000)
		exec(t, s, `UPDATE inventory SET state = 'claimed' WHERE id = $1`, claimed)
		for _, c := range []struct {
			who    *apptest.Client
			act    string
			body   apptest.Body
			status int
			code   string
		}{
			{ann, "list", apptest.Body{"inventoryId": "nothing", "priceCents": 1}, 404, "not_found"},
			{ben, "list", apptest.Body{"inventoryId": held, "priceCents": 1}, 404, "not_found"},
			{ann, "list", apptest.Body{"inventoryId": listed, "priceCents": 1}, 409, "already_listed"},
			{ann, "list", apptest.Body{"inventoryId": claimed, "priceCents": 1}, 409, "conflict"},
			{ann, "list", apptest.Body{"inventoryId": held, "priceCents": 0}, 422, "invalid"},
			{ann, "list", apptest.Body{"inventoryId": held, "priceCents": -5}, 422, "invalid"},
			{ann, "list", apptest.Body{"inventoryId": held, "priceCents": 100_000_001}, 422, "invalid"},
			{ann, "list", apptest.Body{"inventoryId": held, "priceCents": 1.5}, 422, "invalid"},
			{ann, "list", apptest.Body{"inventoryId": held}, 422, "invalid"},
			{ann, "reprice", apptest.Body{"inventoryId": held, "priceCents": 1}, 409, "not_listed"},
			{ben, "reprice", apptest.Body{"inventoryId": listed, "priceCents": 1}, 404, "not_found"},
			{ann, "delist", apptest.Body{"inventoryId": held}, 409, "not_listed"},
			{ben, "delist", apptest.Body{"inventoryId": listed}, 404, "not_found"},
			{ann, "buy", apptest.Body{"inventoryId": listed}, 409, "own_listing"},
			{ben, "buy", apptest.Body{"inventoryId": "nothing"}, 404, "not_found"},
			{ben, "buy", apptest.Body{"inventoryId": held}, 404, "not_found"},
			{ben, "buy", apptest.Body{"inventoryId": claimed}, 404, "not_found"},
			{ben, "buy", apptest.Body{"inventoryId": listed, "expectedPriceCents": 8999}, 409, "price_changed"},
			{ben, "buy", apptest.Body{"inventoryId": listed, "priceCents": 9000}, 422, "invalid"},
			{ben, "buy", apptest.Body{"inventoryId": listed, "ExpectedPriceCents": 9000}, 422, "invalid"},
			{ben, "buy", apptest.Body{"inventoryId": listed, "expectedPriceCents": 9000}, 402, "insufficient_funds"},
			{ann, "buy", apptest.Body{"inventoryId": held}, 409, "not_listed"},
			{ben, "buy", apptest.Body{"inventoryId": listed}, 402, "insufficient_funds"},
			{s.NewClient(t), "buy", apptest.Body{"inventoryId": listed}, 401, "unauthenticated"},
		} {
			t.Run(fmt.Sprint(c.act, c.body), func(t *testing.T) {
				c.who.Post(t, "/api/marketplace/"+c.act, c.body).Refused(t, c.status, c.code)
			})
		}
		s.NewClient(t).Get(t, "/api/marketplace").Refused(t, http.StatusUnauthorized, "unauthenticated")
		if balance(t, ann) != 7500 || balance(t, ben) != 7500 || len(get[[]entry](t, ben, "/api/inventory/me")) != len(his) {
			t.Error("a refusal moved something")
		}
		exec(t, s, `UPDATE inventory SET state = 'held' WHERE id = $1`, claimed)
		s.Audit(t)
	})
}

// A refusal for a listing that is gone states how that listing ended, not what happened to the
// entry at other times.
func TestLateBuyerGetsReason(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann, owned := newCollector(t, s, "Ann")
		ben, _ := newCollector(t, s, "Ben")
		eve, _ := newCollector(t, s, "Eve")
		id := owned[0].ID
		tries := func(c *apptest.Client, listing string) apptest.Answer {
			body := apptest.Body{"inventoryId": id}
			if listing != "" {
				body["listingId"] = listing
			}
			return c.Post(t, "/api/marketplace/buy", body)
		}
		shown := func() string { return get[[]entry](t, eve, "/api/marketplace")[0].ListingID }

		tries(eve, "").Refused(t, http.StatusNotFound, "not_found")
		listEntry(t, ann, id, 100)
		tookBack := shown()
		ann.Post(t, "/api/marketplace/delist", apptest.Body{"inventoryId": id}).Want(t, http.StatusOK, nil)
		tries(eve, tookBack).Refused(t, http.StatusConflict, "not_listed")
		tries(eve, "").Refused(t, http.StatusConflict, "not_listed")

		listEntry(t, ann, id, 100)
		sold := shown()
		tries(ben, sold).Want(t, http.StatusOK, nil)
		for _, listing := range []string{sold, ""} {
			tries(eve, listing).Refused(t, http.StatusConflict, "already_sold")
		}
		tries(eve, tookBack).Refused(t, http.StatusConflict, "not_listed")
		tries(eve, "made-up").Refused(t, http.StatusConflict, "not_listed")
		tries(ben, sold).Refused(t, http.StatusConflict, "not_listed")

		// Ben bought it once, but taking it off the market now is not a sale.
		listEntry(t, ben, id, 200)
		bens := shown()
		ben.Post(t, "/api/marketplace/delist", apptest.Body{"inventoryId": id}).Want(t, http.StatusOK, nil)
		tries(eve, bens).Refused(t, http.StatusConflict, "not_listed")
		tries(eve, "").Refused(t, http.StatusConflict, "not_listed")
		tries(eve, sold).Refused(t, http.StatusConflict, "already_sold")
		s.Audit(t)
	})
}

// A buyer gets only the listing they saw, because its replacement may cost more.
func TestBuyerGetsOnlyTheListingTheySaw(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann, owned := newCollector(t, s, "Ann")
		ben, _ := newCollector(t, s, "Ben")
		eve, _ := newCollector(t, s, "Eve")
		id := owned[0].ID
		buys := func(body apptest.Body) apptest.Answer {
			body["inventoryId"] = id
			return eve.Post(t, "/api/marketplace/buy", body)
		}
		shown := func() string { return get[[]entry](t, eve, "/api/marketplace")[0].ListingID }
		changed := func(body apptest.Body, price int64) {
			t.Helper()
			refused := buys(body)
			refused.Refused(t, http.StatusConflict, "price_changed")
			if !strings.Contains(string(refused.Body), fmt.Sprintf(`"salePriceCents":%d}`, price)) {
				t.Errorf("%v: the price is now %d, the refusal says %s", body, price, refused.Body)
			}
		}

		listEntry(t, ann, id, 100)
		first := shown()
		ann.Post(t, "/api/marketplace/reprice", apptest.Body{"inventoryId": id, "priceCents": 900, "confirmedCents": 900}).Want(t, http.StatusOK, nil)
		changed(apptest.Body{"listingId": first}, 900)
		changed(apptest.Body{"listingId": "made-up"}, 900)
		changed(apptest.Body{"listingId": first, "expectedPriceCents": 900}, 900)
		changed(apptest.Body{"listingId": shown(), "expectedPriceCents": 899}, 900)
		ann.Post(t, "/api/marketplace/buy", apptest.Body{"inventoryId": id, "listingId": first}).Refused(t, http.StatusConflict, "own_listing")

		second := shown()
		ben.Post(t, "/api/marketplace/buy", apptest.Body{"inventoryId": id, "listingId": second}).Want(t, http.StatusOK, nil)
		listEntry(t, ben, id, 1200)
		buys(apptest.Body{"listingId": second}).Refused(t, http.StatusConflict, "already_sold")
		changed(apptest.Body{"listingId": first}, 1200)
		changed(apptest.Body{"expectedPriceCents": 900}, 1200)
		if had := balance(t, eve); had != 7500 {
			t.Errorf("balance after refusals %d", had)
		}
		buys(apptest.Body{"listingId": shown(), "expectedPriceCents": 1200}).Want(t, http.StatusOK, nil)
		s.Audit(t)
	})
}

// exec changes the database directly.
func exec(t testing.TB, s *apptest.Server, query string, args ...any) {
	t.Helper()
	if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
		_, err := tx.Exec(query, args...)
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

func TestReprice(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		ann, owned := newCollector(t, s, "Ann")
		ben, _ := newCollector(t, s, "Ben")
		id := owned[0].ID
		listEntry(t, ann, id, 100)
		clock.Advance(time.Millisecond)
		listEntry(t, ann, owned[1].ID, 100)
		clock.Advance(time.Millisecond)
		first := func() string { return get[[]entry](t, ben, "/api/marketplace")[0].ID }
		ann.Post(t, "/api/marketplace/reprice", apptest.Body{"inventoryId": id, "priceCents": 100, "confirmedCents": 100}).Want(t, http.StatusOK, nil)
		if first() == id {
			t.Error("repricing at the same price made a new listing")
		}
		ann.Post(t, "/api/marketplace/reprice", apptest.Body{"inventoryId": id, "priceCents": 300, "confirmedCents": 300}).Want(t, http.StatusOK, nil)
		if first() != id {
			t.Error("repricing at another price made no new listing")
		}
		answer := ben.Post(t, "/api/marketplace/buy", apptest.Body{"inventoryId": id, "expectedPriceCents": 100})
		answer.Refused(t, http.StatusConflict, "price_changed")
		if !strings.Contains(string(answer.Body), `"salePriceCents":300`) {
			t.Errorf("the refusal doesn't state the price: %s", answer.Body)
		}
		var e entry
		ann.Post(t, "/api/marketplace/delist", apptest.Body{"inventoryId": id}).Want(t, http.StatusOK, &e)
		if e.State != "held" || e.ForSale || e.SalePriceCents != nil {
			t.Errorf("delisted: %+v", e)
		}
		ben.Post(t, "/api/marketplace/buy", apptest.Body{"inventoryId": id, "expectedPriceCents": 300}).Refused(t, http.StatusConflict, "not_listed")
		s.Audit(t)
	})
}

// A sale of one cent has no fee.
func TestOneCentSaleHasNoFee(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann, owned := newCollector(t, s, "Ann")
		ben, _ := newCollector(t, s, "Ben")
		listEntry(t, ann, owned[0].ID, 1)
		var p purchase
		ben.Post(t, "/api/marketplace/buy", apptest.Body{"inventoryId": owned[0].ID}).Want(t, http.StatusOK, &p)
		if p.FeeCents != 0 || balance(t, ann) != 7501 {
			t.Errorf("%+v, the seller has %d", p, balance(t, ann))
		}
		s.Audit(t)
	})
}

func TestMarketFiltersBySalePrice(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		ann, first := newCollector(t, s, "Ann")
		ben, second := newCollector(t, s, "Ben")
		for n, e := range first {
			listEntry(t, ann, e.ID, int64(n)*1000+100)
		}
		for n, e := range second {
			clock.Advance(time.Millisecond)
			listEntry(t, ben, e.ID, int64(n)*1000+100)
		}
		for query, want := range map[string]int{
			"": 10, "minPrice=1": 10, "minPrice=2": 8, "maxPrice=21": 6, "minPrice=11&maxPrice=21": 4, "minPrice=42": 0,
		} {
			if found := get[[]entry](t, ann, "/api/marketplace?"+query); len(found) != want {
				t.Errorf("%s: %d found, want %d", query, len(found), want)
			}
		}
		for _, sortBy := range []string{"", "price-low", "price-high", "name", "grade"} {
			whole := get[[]entry](t, ann, "/api/marketplace?sortBy="+sortBy)
			var paged []entry
			for cursor := "start"; cursor != ""; {
				query := url.Values{"sortBy": {sortBy}, "limit": {"3"}}
				if cursor != "start" {
					query.Set("cursor", cursor)
				}
				answer := ann.Get(t, "/api/marketplace?"+query.Encode())
				var page []entry
				answer.Want(t, http.StatusOK, &page)
				paged, cursor = append(paged, page...), answer.Header.Get("X-Next-Cursor")
			}
			if !slices.EqualFunc(whole, paged, func(a, b entry) bool { return a.ID == b.ID }) || len(whole) != 10 {
				t.Errorf("sorted by %q the pages don't add up to the full list", sortBy)
			}
			if rising := slices.IsSortedFunc(whole, func(a, b entry) int { return int(*a.SalePriceCents - *b.SalePriceCents) }); sortBy == "price-low" && !rising {
				t.Errorf("sorted by price-low: %+v", whole)
			}
		}
		if newest := get[[]entry](t, ann, "/api/marketplace"); newest[0].ID != second[4].ID {
			t.Errorf("the newest listing is not first")
		}
	})
}

// Many users buy one listing at the same time: one gets it, the others keep their money.
func TestOneListingIsSoldOnce(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		seller, owned := newCollector(t, s, "Ann")
		listEntry(t, seller, owned[0].ID, 5000)
		buyers := make([]*apptest.Client, 12)
		for n := range buyers {
			buyers[n] = s.SignIn(t)
			buyers[n].Deposit(t, 50)
		}
		answers := concurrently(len(buyers), func(n int) apptest.Answer {
			return buyers[n].Post(t, "/api/marketplace/buy", apptest.Body{"inventoryId": owned[0].ID, "expectedPriceCents": 5000})
		})
		won := 0
		for n, a := range answers {
			switch a.Status {
			case http.StatusOK:
				won++
			default:
				a.Refused(t, http.StatusConflict, "already_sold")
				if balance(t, buyers[n]) != 5000 {
					t.Errorf("buyer %d paid without buying", n)
				}
			}
		}
		if won != 1 || balance(t, seller) != 7500+4750 {
			t.Errorf("%d buyers bought it, the seller's balance is %d", won, balance(t, seller))
		}
		s.Audit(t)
	})
}

// Two users who buy from each other at the same time lock the same two accounts.
func TestUsersBuyFromEachOther(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann, hers := newCollector(t, s, "Ann")
		ben, his := newCollector(t, s, "Ben")
		for n := range hers {
			listEntry(t, ann, hers[n].ID, 100)
			listEntry(t, ben, his[n].ID, 100)
		}
		for _, a := range concurrently(10, func(n int) apptest.Answer {
			if n%2 == 0 {
				return ben.Post(t, "/api/marketplace/buy", apptest.Body{"inventoryId": hers[n/2].ID})
			}
			return ann.Post(t, "/api/marketplace/buy", apptest.Body{"inventoryId": his[n/2].ID})
		}) {
			if a.Status != http.StatusOK {
				t.Errorf("%d %s", a.Status, a.Body)
			}
		}
		s.Audit(t)
	})
}

func concurrently(n int, act func(n int) apptest.Answer) []apptest.Answer {
	answers := make([]apptest.Answer, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { answers[i] = act(i) })
	}
	all.Wait()
	return answers
}

// modelEntry is an entry in the model.
type modelEntry struct {
	owner     int
	price     int64 // 0 unless listed
	wasListed bool  // at any time
}

// model is a simple reference implementation of the market.
type model struct {
	balances []int64
	entries  map[string]*modelEntry
}

func (m *model) list(who int, id string, price int64) int {
	switch e := m.entries[id]; {
	case e.owner != who:
		return http.StatusNotFound
	case e.price != 0:
		return http.StatusConflict
	default:
		e.price, e.wasListed = price, true
		return http.StatusOK
	}
}

func (m *model) reprice(who int, id string, price int64) int {
	switch e := m.entries[id]; {
	case e.owner != who:
		return http.StatusNotFound
	case e.price == 0:
		return http.StatusConflict
	default:
		e.price = price
		return http.StatusOK
	}
}

func (m *model) buy(who int, id string, seen int64) int {
	switch e := m.entries[id]; {
	case e.owner != who && !e.wasListed:
		return http.StatusNotFound
	case e.owner == who, e.price == 0, e.price != seen:
		return http.StatusConflict
	case m.balances[who] < e.price:
		return http.StatusPaymentRequired
	default:
		m.balances[who] -= e.price
		m.balances[e.owner] += e.price - int64(protocol.FirstRates.Fee(protocol.TradeListing, money.Cents(e.price)))
		e.owner, e.price = who, 0
		return http.StatusOK
	}
}

func TestMarketMatchesModel(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		m := model{entries: map[string]*modelEntry{}}
		var users []*apptest.Client
		var ids []string
		for n := range 3 {
			c, owned := newCollector(t, s, fmt.Sprint("Player ", n))
			users, m.balances = append(users, c), append(m.balances, 7500)
			for _, e := range owned {
				m.entries[e.ID] = &modelEntry{owner: n}
				ids = append(ids, e.ID)
			}
		}
		random := rand.New(rand.NewPCG(11, 12))
		outcomes := map[string]int{}
		for step := range 240 {
			who, id, price := random.IntN(3), ids[random.IntN(len(ids))], int64(1+random.IntN(4000))
			act := []string{"list", "list", "reprice", "delist", "buy", "buy", "buy"}[random.IntN(7)]
			body := apptest.Body{"inventoryId": id}
			if act != "buy" && act != "delist" {
				body["priceCents"], body["confirmedCents"] = price, price
			}
			var want int
			switch act {
			case "list":
				want = m.list(who, id, price)
			case "reprice":
				want = m.reprice(who, id, price)
			case "delist":
				want = m.reprice(who, id, 0)
			case "buy":
				if random.IntN(8) > 0 && m.entries[id].price > 0 {
					price = m.entries[id].price
				}
				body["expectedPriceCents"] = price
				want = m.buy(who, id, price)
			}
			answer := users[who].Post(t, "/api/marketplace/"+act, body)
			if answer.Status != want {
				t.Fatalf("step %d: user %d %ss %v: %d %s, want %d", step, who, act, body, answer.Status, answer.Body, want)
			}
			outcomes[fmt.Sprint(act, " ", want)]++
			if step%20 == 19 {
				m.check(t, s, users)
			}
		}
		if len(outcomes) < 10 {
			t.Errorf("too little happened: %v", outcomes)
		}
	})
}

func (m *model) check(t *testing.T, s *apptest.Server, users []*apptest.Client) {
	t.Helper()
	s.Audit(t)
	for n, c := range users {
		if got := balance(t, c); got != m.balances[n] {
			t.Fatalf("user %d: balance %d, want %d", n, got, m.balances[n])
		}
		for _, e := range get[[]entry](t, c, "/api/inventory/me") {
			known := m.entries[e.ID]
			if known.owner != n || (e.State == "listed") != (known.price > 0) || known.price > 0 && *e.SalePriceCents != known.price {
				t.Fatalf("user %d has %+v, want %+v", n, e, known)
			}
		}
	}
	for _, e := range get[[]entry](t, users[0], "/api/marketplace") {
		if known := m.entries[e.ID]; *e.SalePriceCents != known.price || e.Own != (known.owner == 0) {
			t.Fatalf("for sale is %+v, want %+v", e, known)
		}
	}
}
