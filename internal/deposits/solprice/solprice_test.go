package solprice_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"kaibao/internal/apperr"
	"kaibao/internal/deposits/jsonclient/jsonclienttest"
	"kaibao/internal/deposits/solprice"
	"kaibao/internal/money"
)

const key = "JupiterKey0123456789"

var updated = time.Unix(1_795_342_361, 0)

func readTestdata(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// clock is set by the test.
type clock struct{ now time.Time }

func (c *clock) Now() time.Time { return c.now }

// broken returns the URL of a source that fails.
func broken(t *testing.T) string { return jsonclienttest.Serve(t, http.StatusServiceUnavailable, "") }

func TestRequests(t *testing.T) {
	var asked []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.String()+" "+r.Header.Get("X-Api-Key"))
		_, _ = w.Write([]byte("{}"))
	}))
	defer s.Close()
	p := &solprice.Cache{CoinGecko: s.URL + "/api/v3", Jupiter: s.URL, JupiterKey: key, Now: (&clock{updated}).Now}
	if err := p.Refresh(t.Context()); !apperr.IsCode(err, apperr.Unavailable) || !strings.Contains(err.Error(), "CoinGecko") || !strings.Contains(err.Error(), "Jupiter") {
		t.Errorf("two sources without a price: %v", err)
	}
	if got, want := strings.Join(asked, "\n"), "/api/v3/simple/price?ids=solana&vs_currencies=usd&include_last_updated_at=true \n"+
		"/price/v3?ids=So11111111111111111111111111111111111111112 "+key; got != want {
		t.Errorf("requested\n%s\nwant\n%s", got, want)
	}
}

func TestSourceOrder(t *testing.T) {
	good, other := readTestdata(t, "coingecko.json"), readTestdata(t, "jupiter.json")
	for name, c := range map[string]struct {
		coinGecko, jupiter, key string
		want                    money.Cents // 0 = none
	}{
		"both":                 {jsonclienttest.Serve(t, 200, good), jsonclienttest.Serve(t, 200, other), key, 240_51},
		"the first only":       {jsonclienttest.Serve(t, 200, good), broken(t), key, 240_51},
		"the second":           {broken(t), jsonclienttest.Serve(t, 200, other), key, 147_48},
		"no key of the second": {broken(t), jsonclienttest.Serve(t, 200, other), "", 0},
		"none":                 {broken(t), broken(t), key, 0},
	} {
		p := &solprice.Cache{CoinGecko: c.coinGecko, Jupiter: c.jupiter, JupiterKey: c.key, Now: (&clock{updated.Add(time.Minute)}).Now}
		err := p.Refresh(t.Context())
		want := solprice.Quote{USD: c.want, AsOf: updated.Add(time.Minute)}
		if c.want == 0 {
			want.USD, want.Fallback = 240_00, true
		}
		if got := p.Quote(); got != want || (c.want == 0) != apperr.IsCode(err, apperr.Unavailable) || c.want != 0 && err != nil {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

func TestLastGoodPriceIsCached(t *testing.T) {
	c := &clock{updated}
	answer := readTestdata(t, "coingecko.json")
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(answer)) }))
	defer s.Close()
	p := &solprice.Cache{CoinGecko: s.URL, Now: c.Now}
	if got := p.Quote(); got != (solprice.Quote{USD: 240_00, AsOf: updated, Fallback: true}) {
		t.Errorf("before the first refresh: %+v", got)
	}
	if err := p.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	answer = "null"
	for after, fallback := range map[time.Duration]bool{0: false, time.Minute: false, 10 * time.Minute: false, 10*time.Minute + 1: true} {
		c.now = updated.Add(after)
		if err := p.Refresh(t.Context()); err == nil {
			t.Error("a null response was used as a price")
		}
		if got := p.Quote(); got.Fallback != fallback || !fallback && (got.USD != 240_51 || got.AsOf != updated) {
			t.Errorf("after %v: %+v", after, got)
		}
	}
	c.now = updated.Add(10*time.Minute + time.Second)
	answer = readTestdata(t, "coingecko.json")
	if err := p.Refresh(t.Context()); err == nil {
		t.Error("a price from ten minutes ago counts as new")
	}
}

func TestPrices(t *testing.T) {
	for text, want := range map[string]money.Cents{
		"240": 240_00, "240.5": 240_50, "240.504999": 240_50, "240.505": 240_51, "240.9951": 241_00, "0.005": 1, `"240.5"`: 240_50, "1000000": 1_000_000_00,
		"0": 0, "0.004": 0, "-240": 0, "-0.005": 0, "1000000.01": 0, "99999999999999999999": 0, "2.4e2": 0, "1E5": 0, "null": 0, "true": 0, `"NaN"`: 0, `""`: 0, "[]": 0, "240.50x": 0,
		"1e309": 0, "0.1e9": 0,
	} {
		coinGecko := fmt.Sprintf(`{"solana":{"usd":%s,"last_updated_at":%d}}`, text, updated.Unix())
		jupiter := fmt.Sprintf(`{"So11111111111111111111111111111111111111112":{"usdPrice":%s}}`, text)
		for _, p := range []*solprice.Cache{
			{CoinGecko: jsonclienttest.Serve(t, 200, coinGecko)},
			{CoinGecko: broken(t), Jupiter: jsonclienttest.Serve(t, 200, jupiter), JupiterKey: key},
		} {
			p.Now = (&clock{updated}).Now
			err := p.Refresh(t.Context())
			if got := p.Quote(); want == 0 && (!got.Fallback || !apperr.IsCode(err, apperr.Unavailable)) || want != 0 && (got.USD != want || got.Fallback || err != nil) {
				t.Errorf("%s: %+v, %v", text, got, err)
			}
		}
	}
}

func TestEstimate(t *testing.T) {
	for _, c := range []struct {
		usd, amount money.Cents
		want        string
	}{
		{240_00, 240_00, "1.000000"}, {240_00, 5_00, "0.020833"}, {240_00, 25_00, "0.104167"}, {240_00, 1_00, "0.004167"},
		{240_00, 0, "0.000000"}, {200_00, 1, "0.000050"}, {1_000_000_00, 1, "0.000000"}, {1_000_000_00, 50, "0.000001"},
		{3, 1, "0.333333"}, {3, 2, "0.666667"}, {1, 1_000_000_000_000, "1000000000000.000000"}, {240_50, 10_000_00, "41.580042"},
	} {
		if got := (solprice.Quote{USD: c.usd}).Estimate(c.amount); got != c.want {
			t.Errorf("%v at %v is %s, want %s", c.amount, c.usd, got, c.want)
		}
	}
}

// An estimate is off by at most half of its last decimal.
func TestEstimateRounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		usd, amount := rapid.Int64Range(1, 100_000_000).Draw(t, "usd"), rapid.Int64Range(0, 1_000_000_000_000).Draw(t, "amount")
		text := solprice.Quote{USD: money.Cents(usd)}.Estimate(money.Cents(amount))
		var millionths int64
		if _, err := fmt.Sscanf(strings.Replace(text, ".", "", 1), "%d", &millionths); err != nil || len(text)-strings.Index(text, ".") != 7 {
			t.Fatalf("%q is not an amount with 6 decimals", text)
		}
		if off := millionths*usd - amount*1_000_000; 2*off > usd || 2*off <= -usd {
			t.Fatalf("%d cents at %d are %s", amount, usd, text)
		}
	})
}

func TestConcurrentUse(t *testing.T) {
	p := &solprice.Cache{CoinGecko: jsonclienttest.Serve(t, 200, readTestdata(t, "coingecko.json")), Now: (&clock{updated}).Now}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if err := p.Refresh(t.Context()); err != nil {
				t.Error(err)
			}
		})
		all.Go(func() {
			if text, err := json.Marshal(p.Quote()); err != nil {
				t.Error(string(text), err)
			}
		})
	}
	all.Wait()
}

func TestOutages(t *testing.T) {
	now := (&clock{updated}).Now
	jsonclienttest.CheckOutages(t, "The price source CoinGecko", func(ctx context.Context, url string) error {
		return (&solprice.Cache{CoinGecko: url, Now: now}).Refresh(ctx)
	})
	down := broken(t)
	jsonclienttest.CheckOutages(t, "The price source CoinGecko", func(ctx context.Context, url string) error {
		return (&solprice.Cache{CoinGecko: down, Jupiter: url, JupiterKey: key, Now: now}).Refresh(ctx)
	}, key)
}
