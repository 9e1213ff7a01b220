package market_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/catalogue"
	"kaibao/internal/catalogue/bulk"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/marketevents"
	"kaibao/internal/money"
	"kaibao/internal/stalls"
)

// scale is how a market of so many listings is measured.
type scale struct {
	listings, items int
	trades          int           // a second
	rounds          int           // requests of each filter, order and place
	crowd           time.Duration // of which 64 others read
}

// TestPagesOfManyListings shows on a small market that all that it measures works. On that
// of bench/RESULTS.md it is run alone, for each engine and size:
//
//	KAIBAO_TEST_ENGINES=sqlite KAIBAO_LISTINGS=1000000 go test ./internal/market -run PagesOfManyListings -v -timeout 30m
func TestPagesOfManyListings(t *testing.T) {
	at := scale{listings: 3000, items: 200, trades: 20, rounds: 1, crowd: 200 * time.Millisecond}
	if text := os.Getenv("KAIBAO_LISTINGS"); text != "" {
		many, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		at = scale{listings: many, items: max(500, many/50), trades: 200, rounds: 8, crowd: 5 * time.Second}
	}
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) { at.measure(t, apptest.Start(t, apptest.Config(t, engine))) })
	}
}

func (at scale) measure(t *testing.T, s *apptest.Server) {
	seller := s.SignIn(t)
	seller.Deposit(t, 100)
	seller.Post(t, "/api/packs/2/open", asked{"clientSeed": "x"}).Want(t, http.StatusOK, nil)
	s.Stop()
	at.seed(t, s)
	at.build(t, s)
	s = apptest.Start(t, s.Config)
	reader := s.SignIn(t)
	wantSoon(t, "the node has its model", func() bool {
		began := time.Now()
		reader.Get(t, "/api/marketplace/facets?search=a&minPrice=7").Want(t, http.StatusOK, nil)
		return time.Since(began) < 50*time.Millisecond
	})
	trading, end := context.WithCancel(t.Context())
	var ended sync.WaitGroup
	for n := range 4 {
		at.trade(trading, t, &ended, s, n)
	}
	pages, facets := at.read(t, reader)
	t.Logf("%d listings: pages %s, facets %s", at.listings, pages, facets)
	at.crowded(t, reader)
	end()
	ended.Wait()
}

// seed writes items and listings straight into the database.
func (at scale) seed(t *testing.T, s *apptest.Server) {
	t.Helper()
	random := rand.New(rand.NewPCG(1, uint64(at.listings)))
	one := func(of ...string) string { return of[random.IntN(len(of))] }
	var items []catalogue.Item
	const batch = 5000
	for from := 0; from < at.listings; from += batch {
		err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
			opening, err := db.One(tx, func(s db.Scanner) (v [2]string, err error) { return v, s.Scan(&v[0], &v[1]) }, `SELECT id, user_id FROM openings LIMIT 1`)
			if err != nil {
				return err
			}
			for len(items) < at.items {
				var more []catalogue.Item
				for range min(batch, at.items-len(items)) {
					more = append(more, catalogue.Item{
						ID: tx.NewID(), Rarity: one(catalogue.Rarities...), Grader: "PSA", CertNumber: "12345678", GradeTenths: int64(5 * (2 + random.IntN(19))),
						Name:   fmt.Sprintf("%d %s %s #%d PSA", 1995+random.IntN(30), one("Charizard", "Pikachu", "Luffy", "Jordan", "ピカチュウ", "火焰鸟闪卡", "Messi"), one("Holo", "Rookie", "First Edition", "Secret"), random.IntN(99999)),
						Series: one("Pokemon", "One Piece", "Basketball", "Football", "Soccer", "Baseball", "Labubu Collection"), BaseValue: 5000, Active: true,
					})
				}
				if err := bulk.Insert(tx, more); err != nil {
					return err
				}
				if err := bulk.ValueFirst(tx, more, catalogue.Valuation{Source: "catalogue", CarriedAt: tx.Now}); err != nil {
					return err
				}
				items = append(items, more...)
			}
			rows := db.Rows{Columns: []string{"id", "user_id", "item_id", "opening_id", "position", "pulled_value_cents", "sell_back_floor_cents",
				"sell_back_until", "state", "acquired_from", "acquired_at", "listing_id", "sale_price_cents", "version"}}
			for n := range min(batch, at.listings-from) {
				rows.Add(db.ID(tx.NewID()), db.ID(opening[1]), items[random.IntN(len(items))].ID, db.ID(opening[0]), 1000+from+n, 1, 1, int64(0), "listed", "pack",
					db.Micros(tx.Now), db.ID(tx.NewID()), money.Cents(100+random.ExpFloat64()*5000), 1)
			}
			return tx.InsertRows("inventory", rows)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	exec(t, s, "ANALYZE")
}

// build measures how long a model is made, and what it takes.
func (at scale) build(t *testing.T, s *apptest.Server) {
	t.Helper()
	model := stalls.New(s.DB)
	follower := marketevents.Follow(s.DB, model.Hear)
	model.Follow(follower)
	if _, err := follower.Job().Do(t.Context()); err != nil {
		t.Fatal(err)
	}
	before, began := heap(), time.Now()
	if _, err := model.Jobs()[0].Do(t.Context()); err != nil {
		t.Fatal(err)
	}
	took := time.Since(began)
	t.Logf("%d listings of %d items: built in %v, %d MB", at.listings, at.items, took.Round(time.Millisecond), (heap()-before)>>20)
	runtime.KeepAlive(model)
}

func heap() uint64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

// trade has two users sell each other a card to and fro.
func (at scale) trade(ctx context.Context, t *testing.T, ended *sync.WaitGroup, s *apptest.Server, n int) {
	t.Helper()
	pair := []*apptest.Client{s.SignIn(t), s.SignIn(t)}
	for _, c := range pair {
		c.Deposit(t, 10_000)
	}
	pair[0].Post(t, "/api/packs/2/open", asked{"clientSeed": strconv.Itoa(n)}).Want(t, http.StatusOK, nil)
	entry := get[[]entry](t, pair[0], "/api/inventory/me")[0].ID
	ended.Go(func() {
		turn := time.NewTicker(4 * time.Second / time.Duration(at.trades))
		defer turn.Stop()
		for act := 0; ctx.Err() == nil; act++ {
			<-turn.C
			path, body := "/api/marketplace/list", asked{"inventoryId": entry, "priceCents": 300, "confirmedCents": 300}
			if act%2 == 1 {
				path, body = "/api/marketplace/buy", asked{"inventoryId": entry}
			}
			answer, err := pair[(act+1)/2%2].Try(context.WithoutCancel(ctx), http.MethodPost, path, body)
			if err != nil || answer.Status != http.StatusOK {
				t.Errorf("%s: %v %s", path, err, answer.Body)
				return
			}
		}
	})
}

// times are how long calls took.
type times []time.Duration

func (t times) String() string {
	slices.Sort(t)
	return fmt.Sprintf("p50 %.1f ms, p99 %.1f ms, most %.1f ms of %d", t.at(50), t.at(99), t.at(100), len(t))
}

func (t times) at(percent int) float64 {
	return float64(t[min(len(t)*percent/100, len(t)-1)].Microseconds()) / 1000
}

func (t *times) get(test *testing.T, c *apptest.Client, path string) apptest.Answer {
	began := time.Now()
	answer, err := c.Try(test.Context(), http.MethodGet, path, nil)
	*t = append(*t, time.Since(began))
	if err != nil || answer.Status != http.StatusOK {
		test.Errorf("%s: %v %s", path, err, answer.Body)
	}
	return answer
}

// read asks for every filter's facets and, in every order, its first, 500th and last page.
func (at scale) read(t *testing.T, c *apptest.Client) (pages, facets times) {
	t.Helper()
	for _, filter := range []string{
		"", "series=pokemon", "certification=PSA", "grade=10", "grade=5&rarity=Grail", "minPrice=100&maxPrice=101", "maxPrice=60", "search=charizard", "search=nosuchword",
		"series=soccer&grade=10&minPrice=200", "search=20+psa", "search=1", "search=" + url.QueryEscape("鸟闪"), "search=" + url.QueryEscape("ピカ 2") + "&minPrice=20&rarity=Rare",
	} {
		var all times
		for range at.rounds {
			facets.get(t, c, "/api/marketplace/facets?"+filter)
		}
		for _, by := range []string{"", "price-low", "price-high", "name", "grade"} {
			path := "/api/marketplace?" + strings.TrimPrefix(filter+"&sortBy="+by, "&")
			total, err := strconv.Atoi(all.get(t, c, path).Header.Get("X-Total-Count"))
			if err != nil {
				t.Fatal(err)
			}
			for _, page := range []int{1, min(500, 1+total/60), 1 + total/60, 1 + total/120} {
				for range at.rounds {
					all.get(t, c, path+"&page="+strconv.Itoa(page))
				}
			}
		}
		t.Logf("%q: pages %s", filter, all)
		pages = append(pages, all...)
	}
	return pages, facets
}

// crowded measures 64 others, alone and beside somebody who searches for what costs most.
func (at scale) crowded(t *testing.T, c *apptest.Client) {
	t.Helper()
	var words []string
	for n := range 48 {
		words = append(words, strconv.Itoa(n)+"%_")
	}
	c.Get(t, "/api/marketplace?search="+url.QueryEscape(strings.Join(words, " "))[:100]).Refused(t, http.StatusUnprocessableEntity, "invalid")
	alone := at.crowd64(t, c)
	crafted, end := context.WithCancel(t.Context())
	ended := make(chan times)
	go func() {
		var took times
		for n := 0; crafted.Err() == nil; n++ {
			took.get(t, c, "/api/marketplace?minPrice=1&sortBy=name&page=2&search="+url.QueryEscape([]string{"1 2 p h f c s %", "カ チ ュ ウ", "% _ 鸟 火 p 1 2 #"}[n%3]))
		}
		ended <- took
	}()
	beside := at.crowd64(t, c)
	end()
	t.Logf("64 others alone: %s; beside crafted searches: %s; those: %s", alone, beside, <-ended)
}

// crowd64 has 64 people turn pages, each three times a second.
func (at scale) crowd64(t *testing.T, c *apptest.Client) (all times) {
	t.Helper()
	var mutex sync.Mutex
	var readers sync.WaitGroup
	until := time.Now().Add(at.crowd)
	for n := range 64 {
		readers.Go(func() {
			var took times
			<-time.NewTimer(time.Duration(n) * 5 * time.Millisecond).C // not all in the same instant
			turn := time.NewTicker(320 * time.Millisecond)
			defer turn.Stop()
			for page := 1; page == 1 || time.Now().Before(until); page++ {
				took.get(t, c, "/api/marketplace?sortBy=price-low&series=pokemon&page="+strconv.Itoa(n+page))
				<-turn.C
			}
			mutex.Lock()
			defer mutex.Unlock()
			all = append(all, took...)
		})
	}
	readers.Wait()
	return all
}
