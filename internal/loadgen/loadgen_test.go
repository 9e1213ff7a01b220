package loadgen_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"kaibao/internal/app/apptest"
	"kaibao/internal/loadgen"
)

// options returns options for a few players of a pack.
func options(t *testing.T, server, pack string) loadgen.Options {
	t.Helper()
	node, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	return loadgen.Options{Nodes: []*url.URL{node}, Concurrency: 4, Duration: 100 * time.Millisecond, Pack: pack}
}

func TestPlayersOpenAndVerify(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		for _, pack := range []string{"2", "7"} {
			report, err := loadgen.Run(t.Context(), 6, options(t, s.URL, pack))
			if err != nil {
				t.Fatalf("pack %s: %v", pack, err)
			}
			if report.Opens == 0 || report.Verified != report.Opens || report.Statuses[http.StatusOK] != report.Opens {
				t.Errorf("pack %s: %s", pack, report)
			}
		}
		s.Audit(t)
	})
}

// All players buy and sell concurrently, and some want the same listing.
func TestPlayersTrade(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		report, err := loadgen.RunTrade(t.Context(), 6, options(t, s.URL, "demo-pack-1"))
		if err != nil {
			t.Fatal(err)
		}
		if report.Trades == 0 || report.Verified != report.Trades || report.Statuses[http.StatusOK] != report.Trades || report.Statuses[http.StatusConflict] == 0 || report.Opens != 0 {
			t.Errorf("%s", report)
		}
		s.Audit(t)
	})
}

// Players can continue after a server restart.
func TestPlayersSurviveRestart(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		o := options(t, s.URL, "2")
		players, err := loadgen.NewPlayers(t.Context(), 5, o)
		if err != nil {
			t.Fatal(err)
		}
		s.Stop()
		again := apptest.Start(t, s.Config)
		o = options(t, again.URL, "2")
		for range 2 {
			report, err := players.Play(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			verified, err := players.Verify(t.Context(), o)
			if err != nil || verified != report.Opens {
				t.Errorf("%d verified (%v) of %s", verified, err, report)
			}
		}
	})
}

// between starts a proxy that may change the server's responses.
func between(t *testing.T, s *apptest.Server, change func(path string, body []byte) []byte) string {
	t.Helper()
	target, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(target)
	proxy.ModifyResponse = func(r *http.Response) error {
		body, err := io.ReadAll(r.Body)
		body = change(r.Request.URL.Path, body)
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		r.Header.Set("Content-Length", strconv.Itoa(len(body)))
		return err
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Del("Accept-Encoding") // compressed bodies can't be changed
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// Every wrong response is detected.
func TestWrongResponsesAreDetected(t *testing.T) {
	s := apptest.Start(t, apptest.Config(t, "sqlite"))
	for name, c := range map[string]struct{ path, from, to, want string }{
		"balance":     {"/open", `"balanceCents":`, `"balanceCents":1`, "balance"},
		"total":       {"/open", `"totalValueCents":`, `"totalValueCents":1`, "items worth"},
		"nonce":       {"/open", `"nonce":`, `"nonce":1`, "nonce"},
		"card":        {"/open", `"id":"`, `"id":"x`, "the receipt differs"},
		"client seed": {"/open", `"clientSeed":"`, `"clientSeed":"x`, "the receipt differs"},
		"receipt":     {"/open", `\nnonce `, `\nnonce 1`, "not signed"},
		"deposit":     {"/deposit/manual", `"balanceCents":`, `"balanceCents":1`, "after a deposit"},
		"account":     {"/api/wallet", `"balanceCents":`, `"balanceCents":1`, "balance"},
		"key":         {"/log/key", "+", "x+", "log key"},
		"manifest":    {"/api/fairness/manifests/", "name", "nam", "doesn't match the hash"},
		"price":       {"/api/packs/2", `"priceCents":`, `"priceCents":1`, "price"},
		"none":        {"/api/auth/verify", "", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			server := between(t, s, func(path string, body []byte) []byte {
				if strings.HasSuffix(path, c.path) || strings.HasSuffix(c.path, "/") && strings.HasPrefix(path, c.path) {
					return bytes.ReplaceAll(body, []byte(c.from), []byte(c.to))
				}
				return body
			})
			_, err := loadgen.Run(t.Context(), 4, options(t, server, "2"))
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("ended with %v, want %q", err, c.want)
			}
		})
	}
}

// Every wrong response about a trade is detected.
func TestWrongTradeResponsesAreDetected(t *testing.T) {
	s := apptest.Start(t, apptest.Config(t, "sqlite"))
	for name, c := range map[string]struct{ path, from, to, want string }{
		"price":   {"/marketplace/buy", `"priceCents":`, `"priceCents":1`, "bought"},
		"fee":     {"/marketplace/buy", `"feeCents":`, `"feeCents":1`, "bought"},
		"entry":   {"/marketplace/buy", `"inventoryId":"`, `"inventoryId":"x`, "bought"},
		"balance": {"/marketplace/buy", `"balanceCents":`, `"balanceCents":1`, "line"},
		"refusal": {"/marketplace/buy", `already_sold`, `not_listed`, "bought"},
		"listing": {"/marketplace/list", `"salePriceCents":`, `"salePriceCents":1`, "listed"},
		"line":    {"/api/wallet/transactions", `"balanceCents":`, `"balanceCents":1`, "line"},
		"owner":   {"/api/inventory/", `"own":true`, `"own":false`, "entry"},
		"events":  {"/api/inventory/", `bought`, `sold`, "entry"},
		"none":    {"/api/auth/verify", "", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			server := between(t, s, func(path string, body []byte) []byte {
				if strings.HasSuffix(path, c.path) || strings.HasSuffix(c.path, "/") && strings.HasPrefix(path, c.path) {
					return bytes.ReplaceAll(body, []byte(c.from), []byte(c.to))
				}
				return body
			})
			_, err := loadgen.RunTrade(t.Context(), 4, options(t, server, "demo-pack-1"))
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("ended with %v, want %q", err, c.want)
			}
		})
	}
}

// A request to a busy server is retried unchanged.
func TestBusyServerIsRetried(t *testing.T) {
	s := apptest.Start(t, apptest.Config(t, "sqlite"))
	target, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	var mutex sync.Mutex
	sent, proxy := map[string]string{}, httputil.NewSingleHostReverseProxy(target)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		key := r.Header.Get("Idempotency-Key")
		mutex.Lock()
		before, again := sent[key]
		sent[key] = string(body)
		mutex.Unlock()
		if key != "" && !again {
			w.Header().Set("Retry-After", "0")
			http.Error(w, "busy", http.StatusServiceUnavailable)
			return
		}
		if again && before != string(body) {
			t.Errorf("sent %s, then %s", before, body)
		}
		proxy.ServeHTTP(w, r)
	}))
	defer server.Close()
	report, err := loadgen.Run(t.Context(), 4, options(t, server.URL, "2"))
	if err != nil || report.Opens == 0 || report.Verified != report.Opens || report.Statuses[http.StatusServiceUnavailable] != report.Opens {
		t.Errorf("%s (%v)", report, err)
	}
}
