package index_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/catalogue"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/httpapi"
	"kaibao/internal/inventory"
	"kaibao/internal/market/index"
	"kaibao/internal/marketevents"
	"kaibao/internal/money"
)

// market is a database without running jobs and two index services: model serves from memory,
// database from the database.
type market struct {
	db, otherNode   *db.DB // the node with the model, and another node
	model, database *index.Service
	dispatcher      *marketevents.Dispatcher
	handlerErr      error // returned by the other event handler
	users           []string
	items           []catalogue.Item
	entries         []string
	random          *rand.Rand
}

var (
	names    = []string{"Charizard", "charm", "Pikachu", "PSA", "Holo", "1st", "Edition", "007", "ピカチュウ", "火焰鸟闪卡", "リザードン", "龙", "Ärger", "ＦＵＬＬ", "피카츄", "x日本y", "a.b-c", "Flabébé", "Farfetch’d", "Ho-Oh", "PSA 9", "寶可夢", "ぴか", "Straße", "สวัสดี"}
	searches = []string{"", "", "cha", "PIKA", "psa holo", "1", "カ", "ピカ", "鸟闪", "闪卡 p", "日", "x日", "日本y", "är", "full", "b", "%", "_", "nosuch", "a b c 1 p", "카", "flabebe", "farfetchd", "farfetch d", "hooh", "ho-oh", "psa9", "宝可", "可夢", "ピか", "strasse", "ﾋﾟ", "สวัส"}
)

// Orders that the product doesn't offer yet. One line adds each to both the database and the index.
func init() {
	catalogue.Orders = append(catalogue.Orders,
		catalogue.Order{Name: "certificate", By: &catalogue.SortKey{Column: "i.cert_number", Text: func(i catalogue.Item) string { return i.CertNumber }}},
		catalogue.Order{Name: "oldest"}, catalogue.Order{Name: "newest", Descending: true},
		catalogue.Order{Name: "value", Descending: true, By: &catalogue.SortKey{Column: "i.base_value_cents", Number: func(i catalogue.Item) int64 { return int64(i.BaseValue) }}})
}

func newMarket(t *testing.T, s *apptest.Server, items, entries int) *market {
	t.Helper()
	m := &market{db: s.DB, random: rand.New(rand.NewPCG(20, uint64(entries)))}
	for range 3 {
		c := s.SignIn(t)
		c.Deposit(t, 100)
		c.Post(t, "/api/packs/2/open", apptest.Body{"clientSeed": "x"}).Want(t, http.StatusOK, nil)
		m.users = append(m.users, apptest.Get[struct{ ID string }](t, c, "/api/auth/user").ID)
	}
	s.Stop()
	m.otherNode = dbtest.Open(t, db.Options{Dir: s.Config.Data, URL: s.Config.DatabaseURL, Now: s.Config.Now})
	m.inTx(t, m.db, func(tx *db.Tx) error {
		m.items, m.entries = nil, nil
		opening, err := db.One(tx, db.Column[string], `SELECT id FROM openings LIMIT 1`)
		if err != nil {
			return err
		}
		for range items {
			m.items = append(m.items, m.randomItem(tx.NewID()))
			if err := catalogue.Add(tx, m.items[len(m.items)-1], ""); err != nil {
				return err
			}
		}
		var added []inventory.Entry
		for n := range entries {
			added = append(added, inventory.NewEntry(tx, m.pick(m.users), opening, 100+n, m.items[m.random.IntN(len(m.items))], 100))
			m.entries = append(m.entries, added[n].ID)
		}
		if err := inventory.Add(tx, added); err != nil {
			return err
		}
		found, err := inventory.LockAll(tx, m.entries[:entries/3])
		acts := inventory.NewActBatch(tx, found)
		for id, e := range found {
			_, unfit := acts.Do(id, inventory.Event{Act: inventory.Vaulting, By: e.Owner})
			err = errors.Join(err, unfit)
		}
		return errors.Join(err, acts.Save())
	})
	m.random.Shuffle(len(m.entries), func(i, j int) { m.entries[i], m.entries[j] = m.entries[j], m.entries[i] })
	return m
}

func (m *market) pick(of []string) string { return of[m.random.IntN(len(of))] }

func (m *market) randomItem(id string) catalogue.Item {
	words := make([]string, 1+m.random.IntN(3))
	for n := range words {
		words[n] = m.pick(names)
	}
	i := catalogue.Item{
		ID: id, Name: strings.Join(words, " "), Series: m.pick([]string{"Pokemon", "One Piece", "Labubu Collection", "Labubu Deluxe Collection", "Häuser"}),
		Rarity: m.pick(catalogue.Rarities), BaseValue: 100, Active: true,
	}
	if m.random.IntN(3) > 0 {
		i.GradeTenths, i.Grader, i.CertNumber = int64(5*(2+m.random.IntN(19))), m.pick([]string{"PSA", "CGC"}), fmt.Sprint(10_000_000+m.random.IntN(1000))
	}
	return i
}

func (m *market) inTx(t *testing.T, d *db.DB, fn func(*db.Tx) error) {
	t.Helper()
	if err := d.InTx(t.Context(), fn); err != nil {
		t.Fatal(err)
	}
}

// trade performs a random valid act on each entry.
func (m *market) trade(t *testing.T, d *db.DB, ids []string) {
	t.Helper()
	m.inTx(t, d, func(tx *db.Tx) error {
		found, err := inventory.LockAll(tx, ids)
		if err != nil {
			return err
		}
		acts := inventory.NewActBatch(tx, found)
		for _, id := range ids {
			e, _ := acts.Entry(id)
			ev := inventory.Event{Act: inventory.Listing, By: e.Owner, Price: money.Cents(100 * (1 + m.random.IntN(30))), Ref: tx.NewID()}
			if e.State == inventory.Listed {
				switch m.random.IntN(4) {
				case 0:
					ev.Act, ev.Ref, ev.Price = inventory.Delisting, e.ListingID, 0
				case 1:
					ev.Act, ev.Ref, ev.Price = inventory.Buying, e.ListingID, e.SalePrice
					ev.By = m.users[(slices.Index(m.users, e.Owner)+1)%len(m.users)]
				default:
					ev.Act = inventory.Repricing
				}
			}
			if _, err := acts.Do(id, ev); err != nil {
				return err
			}
		}
		return acts.Save()
	})
}

func (m *market) randomEntries(most int) (ids []string) {
	for range 1 + m.random.IntN(most) {
		ids = append(ids, m.pick(m.entries))
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// start creates both services and builds the model.
func (m *market) start(t *testing.T) {
	t.Helper()
	m.model, m.database = index.New(m.db).PatientForTest(), index.New(m.db)
	m.dispatcher = marketevents.NewDispatcher(m.db, m.model.Handle, func(context.Context, []marketevents.Event) error { return m.handlerErr })
	m.model.SetDispatcher(m.dispatcher)
	m.follow(t)
	if _, err := m.model.Jobs()[0].Do(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// follow numbers all waiting events and delivers them to the model.
func (m *market) follow(t *testing.T) {
	t.Helper()
	if _, err := marketevents.Jobs(m.db)[0].Do(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := m.dispatcher.Job().Do(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func (m *market) randomFilter() catalogue.Filter {
	f := catalogue.Filter{SortBy: catalogue.Orders[m.random.IntN(len(catalogue.Orders))].Name}
	if m.random.IntN(3) == 0 {
		f.Search = m.pick(searches)
	}
	if m.random.IntN(4) == 0 {
		f.Series = m.pick([]string{"pokemon", "labubu", "Häuser", "none"})
	}
	if m.random.IntN(5) == 0 {
		f.Grader = m.pick([]string{"PSA", "CGC"})
	}
	if m.random.IntN(5) == 0 {
		f.Rarity = m.pick(catalogue.Rarities)
	}
	if m.random.IntN(5) == 0 {
		f.Grade = int64(1 + m.random.IntN(10))
	}
	if m.random.IntN(4) == 0 {
		f.MinPrice = httpapi.Optional[int64]{Value: int64(m.random.IntN(32)), Given: true}
	}
	if m.random.IntN(4) == 0 {
		f.MaxPrice = httpapi.Optional[int64]{Value: int64(m.random.IntN(32)), Given: true}
	}
	return f
}

type listPage struct {
	index.PageInfo
	listings []string
}

func list(t *testing.T, s *index.Service, q index.Query) (page listPage) {
	t.Helper()
	var err error
	page.PageInfo, err = s.List(t.Context(), q, func(_ *db.Tx, found []inventory.Entry) error {
		page.listings = []string{}
		for _, e := range found {
			e.Item.Active = true // lists don't show this field
			page.listings = append(page.listings, fmt.Sprint(e.ID, e.ListingID, e.SalePrice, e.Item, e.Owner, e.Vaulted))
		}
		return nil
	})
	if err != nil {
		t.Fatalf("%+v: %v", q, err)
	}
	return page
}

// allListings returns all listings of a service.
func allListings(t *testing.T, s *index.Service) (listings []string) {
	t.Helper()
	for q := (index.Query{Limit: 200}); ; {
		page := list(t, s, q)
		listings = append(listings, page.listings...)
		if page.Next == "" {
			return listings
		}
		q.Cursor = page.Next
	}
}

// comparePage requires both services to return the same page, and returns it.
func (m *market) comparePage(t *testing.T, q index.Query) listPage {
	t.Helper()
	got, want := list(t, m.model, q), list(t, m.database, q)
	if got.PageInfo != want.PageInfo || !slices.Equal(got.listings, want.listings) {
		t.Fatalf("%+v\n has %d of %d, next %q\nwant %d of %d, next %q", q, len(got.listings), got.Total, got.Next, len(want.listings), want.Total, want.Next)
	}
	return got
}

// compare requires both services to agree on a filter's facets, all pages by cursor and some pages
// by number.
func (m *market) compare(t *testing.T, f catalogue.Filter) {
	t.Helper()
	facets := func(s *index.Service) string {
		counted, err := s.Facets(t.Context(), f, "")
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(counted)
	}
	if got, want := facets(m.model), facets(m.database); got != want {
		t.Fatalf("facets of %+v\n got %s\nwant %s", f, got, want)
	}
	q := index.Query{Filter: f, Limit: 50 + m.random.IntN(150)}
	seen := int64(0)
	for {
		page := m.comparePage(t, q)
		seen += int64(len(page.listings))
		if page.Next == "" {
			if seen != page.Total {
				t.Fatalf("%+v: %d listings of %d", f, seen, page.Total)
			}
			break
		}
		q.Cursor = page.Next
	}
	for range 3 {
		m.comparePage(t, index.Query{Filter: f, Limit: 1 + m.random.IntN(60), Page: 1 + m.random.IntN(2+int(seen)/30)})
	}
}

// After any trading, the index returns what the database does: pages of every filter and order,
// totals, facets and cursors.
func TestIndexMatchesDatabase(t *testing.T) {
	indexMatchesDatabase(t, 60)
}

// Items with very many listings are counted and updated by other code paths.
func TestIndexMatchesDatabaseWithFewItems(t *testing.T) {
	indexMatchesDatabase(t, 9)
}

func indexMatchesDatabase(t *testing.T, items int) {
	t.Helper()
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		m := newMarket(t, s, items, 2600)
		m.trade(t, m.otherNode, m.entries[:1500])
		m.start(t)
		for step := range 12 {
			clock.Advance(time.Second)
			m.handlerErr = nil
			m.follow(t)
			switch step % 6 {
			case 0: // own acts are visible immediately
				m.trade(t, m.db, m.randomEntries(200))
			case 1: // acts of another node are visible once their events arrive
				before := list(t, m.database, index.Query{Limit: 1}).Total
				m.trade(t, m.otherNode, m.randomEntries(200))
				if got := list(t, m.model, index.Query{Limit: 1}).Total; got != before {
					t.Fatalf("total before the events arrive %d, want %d", got, before)
				}
				m.follow(t)
			case 2:
				if step%12 == 2 {
					m.edit(t, m.db)
					break
				}
				m.edit(t, m.otherNode)
				m.follow(t)
			case 3: // after MaxLag without news, the service catches up by itself
				m.trade(t, m.otherNode, m.randomEntries(200))
				if _, err := marketevents.Jobs(m.db)[0].Do(t.Context()); err != nil {
					t.Fatal(err)
				}
				clock.Advance(501 * time.Millisecond)
			case 4: // if events can't be delivered or aren't numbered, it queries the database
				if step%12 == 4 {
					m.handlerErr = errors.New("handler fails")
				}
				m.trade(t, m.otherNode, m.randomEntries(200))
				clock.Advance(501 * time.Millisecond)
			default: // conflicting acts on both nodes, whose events arrive afterwards
				m.trade(t, m.db, m.entries[:40])
				m.trade(t, m.otherNode, m.entries[:40])
				m.follow(t)
			}
			for range 4 {
				m.compare(t, m.randomFilter())
			}
		}
	})
}

// While the model lags, one request at a time queries the database. Others get the model's page
// without listings that have ended.
func TestLaggingIndexQueriesDatabaseOneAtATime(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		m := newMarket(t, s, 60, 600)
		m.trade(t, m.otherNode, m.entries[:400])
		m.start(t)
		before := list(t, m.model, index.Query{Limit: 1}).Total
		m.trade(t, m.otherNode, m.entries) // these events stay unnumbered
		clock.Advance(501 * time.Millisecond)
		now := list(t, m.database, index.Query{Limit: 1}).Total
		if now == before {
			t.Fatalf("trading left the total unchanged at %d", now)
		}
		asks, ends, first := make(chan struct{}), make(chan struct{}), make(chan index.PageInfo)
		go func() {
			page, err := m.model.List(t.Context(), index.Query{Limit: 1}, func(*db.Tx, []inventory.Entry) error {
				close(asks)
				<-ends
				return nil
			})
			if err != nil {
				t.Error(err)
			}
			first <- page
		}()
		<-asks
		standing := allListings(t, m.database)
		for _, l := range allListings(t, m.model) {
			if !slices.Contains(standing, l) {
				t.Errorf("ended listing shown: %s", l)
			}
		}
		if got := list(t, m.model, index.Query{Limit: 1}).Total; got != before {
			t.Errorf("total while another request queries the database %d, want the model's %d", got, before)
		}
		if _, err := m.model.Facets(t.Context(), catalogue.Filter{}, ""); err != nil {
			t.Error(err)
		}
		close(ends)
		if got := (<-first).Total; got != now {
			t.Errorf("total from the database %d, want %d", got, now)
		}
		if got := list(t, m.model, index.Query{Limit: 1}).Total; got != now {
			t.Errorf("total for the next request %d, want %d", got, now)
		}
	})
}

// If the database is too slow while the model lags, the request is served from the model.
func TestLaggingIndexServesWhenDatabaseIsSlow(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, clock *dbtest.Clock) {
		m := newMarket(t, s, 60, 600)
		m.trade(t, m.otherNode, m.entries[:400])
		m.start(t)
		before := list(t, m.model, index.Query{Limit: 1}).Total
		m.trade(t, m.otherNode, m.entries) // these events stay unnumbered
		clock.Advance(501 * time.Millisecond)
		shown := 0
		page, err := m.model.List(t.Context(), index.Query{Limit: 1}, func(*db.Tx, []inventory.Entry) error {
			shown++
			if shown == 1 {
				return context.DeadlineExceeded
			}
			return nil
		})
		if err != nil || shown != 2 || page.Total != before {
			t.Errorf("total %d, show called %d times: %v; want the model's %d", page.Total, shown, err, before)
		}
	})
}

// edit changes the attributes and value of some items.
func (m *market) edit(t *testing.T, d *db.DB) {
	t.Helper()
	for range 1 + m.random.IntN(5) {
		n := m.random.IntN(len(m.items))
		i := m.randomItem(m.items[n].ID)
		m.items[n] = i
		m.inTx(t, d, func(tx *db.Tx) error {
			value := catalogue.Valuation{Value: money.Cents(1 + m.random.IntN(1000)), Source: "sale", Reason: "a sale elsewhere", CarriedAt: tx.Now}
			return errors.Join(catalogue.Save(tx, i), catalogue.Revalue(tx, i.ID, value))
		})
	}
}

// Paging during trading shows each listing at most once, and each unchanged listing exactly once,
// in every order.
func TestPagingIsStableDuringTrading(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, _ *dbtest.Clock) {
		m := newMarket(t, s, 60, 1900)
		m.trade(t, m.db, m.entries[:1500])
		m.start(t)
		moving := m.entries[1100:] // the other entries don't change
		ended := make(chan struct{})
		trading, end := context.WithCancel(t.Context())
		go func() {
			defer close(ended)
			for trading.Err() == nil {
				from := m.random.IntN(len(moving) - 20)
				m.trade(t, m.db, moving[from:from+20])
			}
		}()
		defer func() { end(); <-ended }()
		for n, o := range catalogue.Orders {
			by := o.Name
			q := index.Query{Filter: catalogue.Filter{SortBy: by}, Limit: 60 + 40*n}
			seen := map[string]int{}
			for {
				page := list(t, m.model, q)
				for _, l := range page.listings {
					seen[l[:72]]++
					seen[l[:36]]++
					if seen[l[:72]] > 1 {
						t.Fatalf("%q shows %s twice", by, l)
					}
				}
				if page.Next == "" {
					break
				}
				q.Cursor = page.Next
			}
			for _, entry := range m.entries[:1100] {
				if seen[entry] != 1 {
					t.Fatalf("%q shows %s %d times", by, entry, seen[entry])
				}
			}
		}
	})
}
