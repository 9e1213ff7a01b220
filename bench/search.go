package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"kaibao/internal/loadgen"
)

// search measures pages of a market with many listings, while some of them are traded.
type search struct {
	*bench
	markets []*market
}

// market is a database with a number of listings.
type market struct {
	storage
	engine   string
	listings int
	seller   string   // session of the owner of all listings
	traders  []string // sessions of the traders
}

const (
	traderPairs       = 4   // pairs of traders, each selling one card back and forth
	tradesPerSecond   = 200 // by all traders together
	concurrentReaders = 64
)

// filters are the measured filters. Each is combined with every order.
var (
	filters = []string{
		"", "series=pokemon", "certification=PSA", "grade=10", "grade=5&rarity=Grail", "minPrice=100&maxPrice=101", "maxPrice=60", "search=charizard",
		"search=nosuchword", "series=soccer&grade=10&minPrice=200", "search=20+psa", "search=1", "search=" + url.QueryEscape("鸟闪"),
		"search=" + url.QueryEscape("ピカ 2") + "&minPrice=20&rarity=Rare",
	}
	orders = []string{"", "price-low", "price-high", "name", "grade"}
	// expensiveSearches have the maximum number of words, each with many matches.
	expensiveSearches = []string{
		"&minPrice=1&sortBy=name&search=" + url.QueryEscape("1 2 p h f c s %"), "&minPrice=1&sortBy=name&search=" + url.QueryEscape("カ チ ュ ウ"),
		"&minPrice=1&sortBy=name&search=" + url.QueryEscape("% _ 鸟 火 p 1 2 #"),
	}
)

func (s *search) prepare(ctx context.Context) error {
	for _, engine := range engines {
		for _, listings := range s.listings {
			at, err := s.newStorage(ctx, engine, "listings_"+strconv.Itoa(listings))
			if err != nil {
				return err
			}
			s.markets = append(s.markets, &market{storage: at, engine: engine, listings: listings})
		}
	}
	return parallel(ctx, len(engines), len(engines), func(ctx context.Context, n int) error {
		for _, m := range s.markets[n*len(s.listings) : (n+1)*len(s.listings)] {
			if err := s.prepareMarket(ctx, m); err != nil {
				return fmt.Errorf("fill %s: %w", m.name, err)
			}
			s.logf("filled %s with %d listings", m.engine, m.listings)
		}
		return nil
	})
}

// prepareMarket signs in all users, then inserts the listings.
func (s *search) prepareMarket(ctx context.Context, m *market) error {
	running, err := s.serve(ctx, m.storage)
	if err != nil {
		return err
	}
	players, err := loadgen.NewPlayers(ctx, 1+2*traderPairs, running.load(1))
	if err != nil {
		return err
	}
	sessions := players.Sessions()
	m.seller, m.traders = sessions[0], sessions[1:]
	if err := errors.Join(running.as(m.seller).open(ctx), running.stop()); err != nil {
		return err
	}
	return s.insertListings(ctx, m)
}

func (s *search) round(ctx context.Context) error {
	for _, m := range s.markets {
		if err := s.measureIndexBuild(ctx, m); err != nil {
			return fmt.Errorf("build the market index of %s: %w", m.name, err)
		}
		running, err := s.serve(ctx, m.storage)
		if err != nil {
			return err
		}
		if err := running.awaitIndex(ctx); err != nil {
			return err
		}
		if err := s.whileTrading(ctx, m, running, func() error { return s.measurePages(ctx, m, running.as(m.seller)) }); err != nil {
			return fmt.Errorf("read %s: %w", m.name, err)
		}
		name := m.label()
		s.logf("%s: pages p50 %.1f ms, p99 %.1f ms, facets p99 %.1f ms; %.0f trades/s; built in %.1f s, %.0f MB", name, s.latest(name+" p50"),
			s.latest(name+" p99"), s.latest(name+" facets"), s.latest(name+" trades"), s.latest(name+" built"), s.latest(name+" memory"))
		if err := running.stop(); err != nil {
			return err
		}
	}
	return nil
}

// awaitIndex waits until the node has built its market index.
func (s *server) awaitIndex(ctx context.Context) error {
	return s.waitUntilZero(ctx, func() (int64, error) {
		jobs, err := s.jobs(ctx)
		for _, job := range jobs {
			if job.Name == "market index" && job.LastSuccess != "" {
				return 0, err
			}
		}
		return 1, err
	})
}

// measurePages requests every filter's facets and, in every order, its first, 500th, middle and
// last page.
func (s *search) measurePages(ctx context.Context, m *market, reader sessionClient) error {
	var pages, facets latencies
	for range s.searchRepeats {
		for _, filter := range filters {
			if _, err := facets.get(ctx, reader, "/api/marketplace/facets?"+filter); err != nil {
				return err
			}
			for _, by := range orders {
				path := "/api/marketplace?" + strings.TrimPrefix(filter+"&sortBy="+by, "&")
				total, err := pages.get(ctx, reader, path)
				if err != nil {
					return err
				}
				const size = 60
				for _, page := range []int{1, min(500, 1+total/size), 1 + total/size, 1 + total/size/2} {
					if _, err := pages.get(ctx, reader, path+"&page="+strconv.Itoa(page)); err != nil {
						return err
					}
				}
			}
		}
	}
	name := m.label()
	s.record(name+" p50", pages.percentile(50))
	s.record(name+" p99", pages.percentile(99))
	s.record(name+" facets", facets.percentile(99))
	s.record(name+" growth", pages.percentile(99)/s.latest(m.smallest(s.listings)+" p99"))
	if m.listings < slices.Max(s.listings) {
		return nil
	}
	return s.measureInterference(ctx, m, reader)
}

// measureInterference measures the latency of many readers while another client sends requests
// without pause: first ordinary pages, then the most expensive ones.
func (s *search) measureInterference(ctx context.Context, m *market, reader sessionClient) error {
	name := m.label()
	for _, load := range []struct {
		name  string
		pages []string
	}{{" ordinary", []string{"&sortBy=price-high", "&sortBy=grade"}}, {" expensive", expensiveSearches}} {
		loading, end := context.WithCancel(ctx)
		ended := make(chan error)
		go func() {
			var times latencies
			for n := 0; loading.Err() == nil; n++ {
				if _, err := times.get(ctx, reader, "/api/marketplace?page=2"+load.pages[n%len(load.pages)]); err != nil {
					ended <- err
					return
				}
			}
			ended <- nil
		}()
		times, err := s.readConcurrently(ctx, reader)
		end()
		if err := errors.Join(err, <-ended); err != nil {
			return err
		}
		s.record(name+load.name, times.percentile(99))
	}
	s.record(name+" slowdown", s.latest(name+" expensive")/s.latest(name+" ordinary"))
	return nil
}

// readConcurrently runs readers who each request three pages per second.
func (s *search) readConcurrently(ctx context.Context, reader sessionClient) (all latencies, err error) {
	var mutex sync.Mutex
	until := time.Now().Add(s.duration)
	err = parallel(ctx, concurrentReaders, concurrentReaders, func(ctx context.Context, n int) error {
		var times latencies
		ticker := time.NewTicker(320 * time.Millisecond)
		defer ticker.Stop()
		for page := 1; page == 1 || time.Now().Before(until); page++ {
			// Spread the first requests over time.
			if err := sleep(ctx, time.Duration(n)*5*time.Millisecond); page == 1 && err != nil {
				return err
			}
			if _, err := times.get(ctx, reader, "/api/marketplace?sortBy=price-low&series=pokemon&page="+strconv.Itoa(n+page)); err != nil {
				return err
			}
			<-ticker.C
		}
		mutex.Lock()
		defer mutex.Unlock()
		all = append(all, times...)
		return nil
	})
	return all, err
}

// whileTrading calls do while the traders trade.
func (s *search) whileTrading(ctx context.Context, m *market, running *server, do func() error) error {
	trading, end := context.WithCancel(ctx)
	begun := time.Now()
	var trades [traderPairs]int
	ended := make(chan error, 1)
	go func() {
		ended <- parallel(trading, traderPairs, traderPairs, func(trading context.Context, n int) (err error) {
			trades[n], err = s.trade(trading, running, m.traders[2*n:2*n+2])
			return err
		})
	}()
	err := do()
	end()
	err = errors.Join(err, <-ended)
	sum := 0
	for _, n := range trades {
		sum += n
	}
	s.record(m.label()+" trades", float64(sum)/time.Since(begun).Seconds())
	return err
}

// trade makes two users sell each other a card back and forth, and returns the number of trades.
func (s *search) trade(ctx context.Context, running *server, pair []string) (done int, err error) {
	from, to := running.as(pair[0]), running.as(pair[1])
	entry, err := from.card(ctx)
	if err == nil && entry == "" { // where the last round ended
		from, to = to, from
		entry, err = from.card(ctx)
	}
	if err == nil && entry == "" {
		err = from.open(ctx)
	}
	if err == nil && entry == "" {
		entry, err = from.card(ctx)
	}
	if err != nil {
		return 0, err
	}
	ticker := time.NewTicker(time.Second * traderPairs / tradesPerSecond)
	defer ticker.Stop()
	uncanceled := context.WithoutCancel(ctx)
	for {
		if err := from.request(uncanceled, "/api/marketplace/list", map[string]any{"inventoryId": entry, "priceCents": 300, "confirmedCents": 300}, nil); err != nil {
			return done, err
		}
		<-ticker.C
		if err := to.request(uncanceled, "/api/marketplace/buy", map[string]any{"inventoryId": entry}, nil); err != nil {
			return done, err
		}
		<-ticker.C
		done += 2
		if ctx.Err() != nil {
			return done, nil
		}
		from, to = to, from
	}
}

// sessionClient is a client with a session.
type sessionClient struct {
	*server
	cookie string
}

func (s *server) as(session string) sessionClient { return sessionClient{s, session} }

// card returns the id of an entry that the user owns, or "".
func (v sessionClient) card(ctx context.Context) (string, error) {
	var held []struct{ ID string }
	err := v.request(ctx, "/api/inventory/me?limit=1", nil, &held)
	if len(held) == 0 {
		return "", err
	}
	return held[0].ID, err
}

func (v sessionClient) open(ctx context.Context) error {
	return v.request(ctx, "/api/packs/"+ordinaryPack+"/open", map[string]any{"clientSeed": "bench"}, nil)
}

// request sends a GET, or a POST if there is a body.
func (v sessionClient) request(ctx context.Context, path string, body, into any) error {
	method, text := http.MethodGet, []byte(nil)
	if body != nil {
		var err error
		method = http.MethodPost
		text, err = json.Marshal(body)
		if err != nil {
			return err
		}
	}
	answer, _, err := v.send(ctx, method, path, text)
	if err != nil || into == nil {
		return err
	}
	return json.Unmarshal(answer, into)
}

func (v sessionClient) send(ctx context.Context, method, path string, body []byte) (answer []byte, header http.Header, err error) {
	request, err := http.NewRequestWithContext(ctx, method, v.url.String()+path, bytes.NewReader(body))
	if err != nil {
		return nil, nil, err
	}
	request.Header.Set("Cookie", v.cookie)
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := httpClient.Do(request)
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = response.Body.Close() }()
	answer, err = io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s %s: %s: %s", method, path, response.Status, answer)
	}
	return answer, response.Header, err
}

// httpClient keeps the connections of all readers alive.
var httpClient = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 2 * concurrentReaders}}

// latencies are in milliseconds.
type latencies []float64

// get requests a page of the market and returns the total number of listings.
func (t *latencies) get(ctx context.Context, v sessionClient, path string) (total int, err error) {
	begun := time.Now()
	_, header, err := v.send(ctx, http.MethodGet, path, nil)
	*t = append(*t, float64(time.Since(begun).Microseconds())/1000)
	total, _ = strconv.Atoi(header.Get("X-Total-Count")) // facets have none
	return total, err
}

func (t latencies) percentile(percent int) float64 {
	slices.Sort(t)
	return t[min(len(t)*percent/100, len(t)-1)]
}

func (m *market) label() string { return fmt.Sprintf("%s, %d listings", m.engine, m.listings) }

func (m *market) smallest(listings []int) string {
	return fmt.Sprintf("%s, %d listings", m.engine, listings[0])
}

func (s *search) finish(context.Context) error { return nil }

func (b *bench) searchRows() table {
	t := table{title: "The marketplace, one node, 200 trades a second"}
	for _, engine := range engines {
		for n, listings := range b.listings {
			name := (&market{engine: engine, listings: listings}).label()
			title := fmt.Sprintf("%s, %s listings", engine, power(listings))
			t.rows = append(t.rows, b.row(title+", p99 of any page", name+" p99", "%.1f ms", "≤ 15 ms", atMost(15),
				b.detail("p50 %.1f ms, facets p99 %.1f ms, %.0f trades/s", name+" p50", name+" facets", name+" trades")))
			if n > 0 {
				t.rows = append(t.rows, b.row("… against the smallest market", name+" growth", "%.2f ×", "≤ 1.5 ×", atMost(1.5), ""))
			}
		}
		name := (&market{engine: engine, listings: b.listings[len(b.listings)-1]}).label()
		largest := power(b.listings[len(b.listings)-1])
		t.rows = append(t.rows,
			b.row(fmt.Sprintf("%s, %s listings, p99 of 64 readers during expensive searches, against during ordinary ones", engine, largest), name+" slowdown",
				"%.2f ×", "≤ 1.5 ×", atMost(1.5), b.detail("%.1f and %.1f ms", name+" expensive", name+" ordinary")),
			b.row(fmt.Sprintf("%s, building the market index of %s listings", engine, largest), name+" built", "%.1f s", "≤ 5 s", atMost(5), ""),
			b.row("… and its memory", name+" memory", "%.0f MB", "≤ 200 MB", atMost(200), "heap"))
	}
	return t
}
