package market_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"testing"

	"kaibao/internal/app/apptest"
	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/market/match"
	"kaibao/internal/money"
	"kaibao/internal/protocol"
)

// user is a signed-in user and the entries they own.
type user struct {
	*apptest.Client
	id    string
	owned []entry
}

// newUsers creates users with the given dollars and the five entries of a demo pack each.
func newUsers(t *testing.T, s *apptest.Server, dollars ...int) (made []user) {
	t.Helper()
	for _, left := range dollars {
		c := s.SignIn(t)
		c.Deposit(t, 25+left)
		c.Post(t, "/api/packs/demo-pack-1/open", apptest.Body{"clientSeed": "x"}).Want(t, http.StatusOK, nil)
		made = append(made, user{c, get[struct{ ID string }](t, c, "/api/auth/user").ID, get[[]entry](t, c, "/api/inventory/me")})
	}
	return made
}

// sold is the zero code: the order was not refused.
var sold apperr.Code

// buyBatch runs the orders in one transaction and returns their codes, sold or the refusal, and
// sales.
func buyBatch(t *testing.T, s *apptest.Server, c *apptest.Client, orders ...match.Order) (codes []apperr.Code, sales []match.FilledOrder) {
	t.Helper()
	gone := map[string]bool{}
	if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
		outcomes, err := (&match.Service{Sandbox: true}).Buy(tx, orders)
		codes, sales = nil, nil
		clear(gone)
		for n, o := range outcomes {
			code := sold
			if o.Err != nil {
				code = apperr.As(o.Err).Code
			}
			codes, sales = append(codes, code), append(sales, o.Value)
			gone[orders[n].Entry] = gone[orders[n].Entry] || code == sold
		}
		return err
	}); err != nil {
		t.Fatalf("the batch failed: %v", err)
	}
	apptest.Until(t, "the market index reflects the sales", func() bool {
		return !slices.ContainsFunc(get[[]entry](t, c, "/api/marketplace?limit=200"), func(e entry) bool { return gone[e.ID] })
	})
	return codes, sales
}

// Money earned by an earlier order in a batch can be spent by a later one, but not the reverse.
func TestMoneyEarnedInBatchCanBeSpentInIt(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		p := newUsers(t, s, 10, 0, 0, 0)
		rich, a, b, c := p[0], p[1], p[2], p[3]
		listEntry(t, a.Client, a.owned[0].ID, 1000)
		listEntry(t, b.Client, b.owned[0].ID, 950)
		listEntry(t, c.Client, c.owned[0].ID, 900)
		listEntry(t, c.Client, c.owned[1].ID, 4)
		codes, sales := buyBatch(
			t, s, rich.Client,
			match.Order{Buyer: b.id, Entry: c.owned[0].ID}, // b has no money yet
			match.Order{Buyer: rich.id, Entry: a.owned[0].ID},
			match.Order{Buyer: a.id, Entry: b.owned[0].ID}, // with all the money a got from rich
			match.Order{Buyer: b.id, Entry: c.owned[0].ID}, // with all but 3 cents of what b got from a
			match.Order{Buyer: b.id, Entry: c.owned[1].ID},
		)
		want := []apperr.Code{apperr.InsufficientFunds, sold, sold, sold, apperr.InsufficientFunds}
		if !slices.Equal(codes, want) {
			t.Fatalf("codes %v, want %v", codes, want)
		}
		for n, left := range map[int]money.Cents{1: 0, 2: 0, 3: 950 - 48 - 900} {
			if sales[n].Balance != left {
				t.Errorf("balance after order %d is %s, want %s", n, sales[n].Balance, left)
			}
		}
		for who, left := range map[*apptest.Client]int64{rich.Client: 0, a.Client: 0, b.Client: 2, c.Client: 900 - 45} {
			if has := balance(t, who); has != left {
				t.Errorf("balance %d, want %d", has, left)
			}
		}
		s.Audit(t)
	})
}

// Each order of a batch has its own outcome: the second buyer of a listing is told that it sold,
// and invalid orders don't affect others.
func TestEachOrderOfBatchHasItsOwnOutcome(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		p := newUsers(t, s, 50, 50, 0)
		ann, ben, poor := p[0], p[1], p[2]
		for n := range 3 {
			listEntry(t, ann.Client, ann.owned[n].ID, 1000)
		}
		seen := get[[]entry](t, ben.Client, "/api/marketplace?sortBy=price-low")
		listing := func(id string) string {
			return seen[slices.IndexFunc(seen, func(e entry) bool { return e.ID == id })].ListingID
		}
		first, second, third := ann.owned[0].ID, ann.owned[1].ID, ann.owned[2].ID
		cases := []struct {
			match.Order
			code apperr.Code
		}{
			{match.Order{Buyer: poor.id, Entry: first}, apperr.InsufficientFunds},
			{match.Order{Buyer: ben.id, Entry: first, Listing: listing(first), Price: 1000}, sold},
			{match.Order{Buyer: poor.id, Entry: first, Listing: listing(first), Price: 1000}, apperr.AlreadySold},
			{match.Order{Buyer: poor.id, Entry: first}, apperr.AlreadySold},
			{match.Order{Buyer: ann.id, Entry: first}, apperr.AlreadySold},
			{match.Order{Buyer: ben.id, Entry: first}, apperr.NotListed},
			{match.Order{Buyer: poor.id, Entry: first, Listing: listing(second)}, apperr.NotListed},
			{match.Order{Buyer: poor.id, Entry: second, Listing: listing(first)}, apperr.PriceChanged},
			{match.Order{Buyer: ben.id, Entry: second}, sold}, // a second sale in the same batch
			{match.Order{Buyer: ben.id, Entry: third, Price: 999}, apperr.PriceChanged},
			{match.Order{Buyer: ann.id, Entry: third}, apperr.OwnListing},
			{match.Order{Buyer: ben.id, Entry: ann.owned[3].ID}, apperr.NotFound},
			{match.Order{Buyer: ben.id, Entry: "nothing"}, apperr.NotFound},
			{match.Order{Buyer: ben.id, Entry: "\x00"}, apperr.NotFound},
			{match.Order{Buyer: ben.id, Entry: "\xff' OR 1=1"}, apperr.NotFound},
			{match.Order{Buyer: ben.id, Entry: third, Listing: "\x00"}, apperr.NotFound},
			{match.Order{Buyer: ben.id, Entry: third, Listing: listing(third)}, sold},
		}
		orders := make([]match.Order, len(cases))
		for n, c := range cases {
			orders[n] = c.Order
		}
		codes, _ := buyBatch(t, s, ben.Client, orders...)
		for n, c := range cases {
			if codes[n] != c.code {
				t.Errorf("%+v: %v, want %v", c.Order, codes[n], c.code)
			}
		}
		if a, b, c := balance(t, ann.Client), balance(t, ben.Client), balance(t, poor.Client); a != 5000+3*950 || b != 5000-3000 || c != 0 {
			t.Errorf("balances %d, %d and %d", a, b, c)
		}
		s.Audit(t)
	})
}

// A random batch has the same outcome as its orders one by one.
func TestBatchEqualsOrdersOneByOne(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		m := model{entries: map[string]*modelEntry{}}
		p := newUsers(t, s, 1, 2, 3, 0)
		var users []*apptest.Client
		var ids []string
		for n, someone := range p {
			users, m.balances = append(users, someone.Client), append(m.balances, []int64{100, 200, 300, 0}[n])
			for _, e := range someone.owned {
				m.entries[e.ID] = &modelEntry{owner: n}
				ids = append(ids, e.ID)
			}
		}
		random := rand.New(rand.NewPCG(7, 70))
		done := map[int]int{}
		for round := range 15 {
			for _, id := range ids {
				if e := m.entries[id]; e.price == 0 && random.IntN(2) == 0 {
					e.price, e.wasListed = int64(1+random.IntN(150)), true
					listEntry(t, users[e.owner], id, e.price)
				}
			}
			orders, want := make([]match.Order, 25), make([]int, 25)
			for n := range orders {
				who, id := random.IntN(len(p)), ids[random.IntN(len(ids))]
				price := max(1, m.entries[id].price)
				if random.IntN(8) == 0 {
					price++
				}
				orders[n], want[n] = match.Order{Buyer: p[who].id, Entry: id, Price: money.Cents(price)}, m.buy(who, id, price)
				done[want[n]]++
			}
			codes, _ := buyBatch(t, s, users[0], orders...)
			for n, code := range codes {
				if got := statuses[code]; got != want[n] {
					t.Fatalf("round %d, order %d: %v, want %d", round, n, code, want[n])
				}
			}
			m.check(t, s, users)
		}
		if done[http.StatusOK] < 20 || done[http.StatusPaymentRequired] < 5 || done[http.StatusConflict] < 20 {
			t.Errorf("too little happened: %v", done)
		}
	})
}

var statuses = map[apperr.Code]int{
	sold: http.StatusOK, apperr.NotFound: http.StatusNotFound, apperr.InsufficientFunds: http.StatusPaymentRequired, apperr.AlreadySold: http.StatusConflict,
	apperr.NotListed: http.StatusConflict, apperr.OwnListing: http.StatusConflict, apperr.PriceChanged: http.StatusConflict,
}

// Concurrent requests with the same idempotency key buy once and all get the same response.
func TestConcurrentRetriesBuyOnce(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann, owned := newCollector(t, s, "Ann")
		ben, _ := newCollector(t, s, "Ben")
		listEntry(t, ann, owned[0].ID, 1000)
		answers := concurrently(20, func(int) apptest.Answer {
			return ben.Post(t, "/api/marketplace/buy", apptest.Body{"inventoryId": owned[0].ID}, "Idempotency-Key", "twins")
		})
		want := fmt.Sprintf(`{"inventoryId":%q,"priceCents":1000,"feeCents":%d,"balanceCents":6500}`+"\n", owned[0].ID, protocol.FirstRates.Fee(protocol.TradeListing, 1000))
		for _, a := range answers {
			if a.Status != http.StatusOK || string(a.Body) != want {
				t.Errorf("response %d %s, want %s", a.Status, a.Body, want)
			}
		}
		if had := balance(t, ben); had != 6500 {
			t.Errorf("balance %d", had)
		}
		s.Audit(t)
	})
}
