package market_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"testing"

	"kaibao/internal/app/apptest"
	"kaibao/internal/catalogue"
	"kaibao/internal/collection"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/market"
	"kaibao/internal/money"
)

// BenchmarkListings asks for pages of a market of 10^4 listings and of as many as
// KAIBAO_LISTINGS says (10^5 without it), under every order and some filters.
func BenchmarkListings(b *testing.B) {
	many := 100_000
	if text := os.Getenv("KAIBAO_LISTINGS"); text != "" {
		var err error
		many, err = strconv.Atoi(text)
		if err != nil {
			b.Fatal(err)
		}
	}
	for _, engine := range dbtest.Engines() {
		s := apptest.Start(b, apptest.Config(b, engine))
		seller, buyer := s.SignIn(b), s.SignIn(b)
		seller.Deposit(b, 100)
		seller.Post(b, "/api/packs/2/open", asked{"clientSeed": "x"}).Want(b, http.StatusOK, nil)
		listed := 1
		for _, size := range []int{10_000, many} {
			fill(b, s, listed, size)
			listed = size
			for _, filter := range []string{
				"", "series=pokemon", "certification=CGC", "grade=10", "minPrice=100&maxPrice=101", "search=charizard", "search=nosuchword",
				"series=soccer&certification=CGC&grade=10&minPrice=900", "search=2023+psa",
			} {
				for _, order := range []string{"", "price-low", "price-high", "name", "grade"} {
					pages(b, buyer, fmt.Sprintf("%s/%d/%s/%s", engine, size, filter, order), filter+"&sortBy="+order)
				}
			}
		}
	}
}

// BenchmarkBuying buys many listings in one transaction, commit included; an operation is
// one of them. Everybody buys from everybody.
func BenchmarkBuying(b *testing.B) {
	for _, engine := range dbtest.Engines() {
		for _, size := range []int{1, 32, 256} {
			b.Run(fmt.Sprintf("%s/%d", engine, size), func(b *testing.B) {
				s := apptest.Start(b, apptest.Config(b, engine))
				traders := newTraders(b, s, size)
				b.ReportAllocs()
				for n := 0; b.Loop(); n++ {
					if n%size != 0 {
						continue
					}
					b.StopTimer()
					orders := traders.offer(b, s)
					b.StartTimer()
					if err := s.DB.InTx(b.Context(), func(tx *db.Tx) error {
						outcomes, err := (&market.Service{Sandbox: true}).Buy(tx, orders)
						for _, o := range outcomes {
							err = errors.Join(err, o.Err)
						}
						return err
					}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// traders are users in a ring, and what they trade, at most an entry each.
type traders struct {
	users, entries []string
	next           map[string]string
}

func newTraders(b *testing.B, s *apptest.Server, entries int) *traders {
	b.Helper()
	t := &traders{next: map[string]string{}}
	for range max(2, entries) {
		c := s.SignIn(b)
		c.Deposit(b, 10_000)
		c.Post(b, "/api/packs/2/open", asked{"clientSeed": "x"}).Want(b, http.StatusOK, nil)
		t.users = append(t.users, apptest.Get[struct{ ID string }](b, c, "/api/auth/user").ID)
		t.entries = append(t.entries, apptest.Get[[]struct{ ID string }](b, c, "/api/inventory/me")[0].ID)
	}
	for n, user := range t.users {
		t.next[user] = t.users[(n+1)%len(t.users)]
	}
	t.entries = t.entries[:entries]
	return t
}

// offer lists the entries, each of which its owner's neighbour then asks for.
func (t *traders) offer(b *testing.B, s *apptest.Server) (orders []market.Order) {
	b.Helper()
	if err := s.DB.InTx(b.Context(), func(tx *db.Tx) error {
		orders = nil
		found, err := collection.LockAll(tx, t.entries)
		if err != nil {
			return err
		}
		acts := collection.Begin(tx, found)
		for _, id := range t.entries {
			owner := found[id].Owner
			e, err := acts.Do(id, collection.Event{Act: collection.Listing, By: owner, Price: 100, Ref: tx.NewID()})
			if err != nil {
				return err
			}
			orders = append(orders, market.Order{Buyer: t.next[owner], Entry: e.ID, Price: e.SalePrice})
		}
		return acts.Settle()
	}); err != nil {
		b.Fatal(err)
	}
	return orders
}

// fill lists more entries, of all items at all prices.
func fill(b *testing.B, s *apptest.Server, from, to int) {
	b.Helper()
	random := rand.New(rand.NewPCG(1, uint64(to)))
	const batch = 5000
	for ; from < to; from += batch {
		if err := s.DB.InTx(b.Context(), func(tx *db.Tx) error {
			items, err := db.All(tx, db.Column[string], `SELECT id FROM items WHERE series NOT IN ('Starter')`)
			if err != nil {
				return err
			}
			opening, err := db.One(tx, func(s db.Scanner) (v [2]string, err error) { return v, s.Scan(&v[0], &v[1]) },
				`SELECT id, user_id FROM openings`)
			if err != nil {
				return err
			}
			var entries []collection.Entry
			prices := db.Rows{Columns: []string{"id", "listing", "price"}}
			for n := from; n < min(from+batch, to); n++ {
				e := collection.NewEntry(tx, opening[1], opening[0], n, catalogue.Item{ID: items[random.IntN(len(items))]}, 0)
				entries = append(entries, e)
				prices.Add(db.ID(e.ID), db.ID(tx.NewID()), money.Cents(100+random.ExpFloat64()*5000))
			}
			if err := collection.Add(tx, entries); err != nil {
				return err
			}
			return tx.WriteRows(prices, `UPDATE inventory SET state = 'listed', listing_id = v.listing, sale_price_cents = v.price
				FROM v WHERE inventory.id = v.id`, db.ErrNoRow)
		}); err != nil {
			b.Fatal(err)
		}
	}
	exec(b, s, "ANALYZE")
}

// pages measures the first page and one far down, found by its cursor.
func pages(b *testing.B, c *apptest.Client, name, query string) {
	b.Helper()
	cursor, depth := "", 0
	for depth < 60 {
		answer := c.Get(b, "/api/marketplace?limit=200&"+query+"&cursor="+url.QueryEscape(cursor))
		next := answer.Header.Get("X-Next-Cursor")
		if next == "" {
			break
		}
		cursor, depth = next, depth+1
	}
	for place, at := range map[string]string{"first": "", "far": cursor} {
		if place == "far" && depth < 5 {
			continue
		}
		b.Run(name+"/"+place, func(b *testing.B) {
			for b.Loop() {
				c.Get(b, "/api/marketplace?"+query+"&cursor="+url.QueryEscape(at)).Want(b, http.StatusOK, nil)
			}
		})
	}
}
