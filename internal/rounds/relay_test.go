package rounds

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"kaibao/internal/beacon"
	"kaibao/internal/protocol"
)

// testNet is a beacon with relays, in the time of a synctest bubble.
type testNet struct {
	t      *testing.T
	signer *beacon.Signer
	begin  time.Time
	mutex  sync.Mutex
	asked  []request
	relays map[string]http.HandlerFunc // by host
}

// request is a request that a relay got.
type request struct {
	host, name string // name is a round's number or latest
	after      time.Duration
}

// publishDelay is how long after its time a round is published.
const publishDelay = 350 * time.Millisecond

// newTestNet returns a service that knows a beacon with a period of 3 s, whose round 1001 is due now. The
// node's clock is fast by an offset. Each relay behaves as its handler does.
func newTestNet(t *testing.T, offset time.Duration, handlers ...func(*testNet) http.HandlerFunc) (*Service, *testNet) {
	t.Helper()
	signer, err := beacon.NewSigner([32]byte{1})
	if err != nil {
		t.Fatal(err)
	}
	n := &testNet{t: t, signer: signer, begin: time.Now(), relays: map[string]http.HandlerFunc{}}
	b, err := beacon.New(beacon.Chain{Schedule: protocol.Schedule{Genesis: n.begin.Unix() - 3000, Period: 3}, Key: signer.PublicKey(), ID: "test"})
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Transport: n, Now: func() time.Time { return time.Now().Add(offset) }}
	for i, handler := range handlers {
		host := fmt.Sprintf("relay%d.example", i)
		o.Relays = append(o.Relays, "https://"+host)
		n.relays[host] = handler(n)
	}
	s := New(o)
	s.quicknet = newChain(b, s.quicknet.relays)
	return s, n
}

// RoundTrip implements http.RoundTripper.
func (n *testNet) RoundTrip(r *http.Request) (*http.Response, error) {
	n.mutex.Lock()
	_, name, _ := strings.Cut(r.URL.Path, "/public/")
	n.asked = append(n.asked, request{r.URL.Host, name, time.Since(n.begin)})
	n.mutex.Unlock()
	handler := n.relays[r.URL.Host]
	if handler == nil {
		return nil, errors.New("no such host")
	}
	w := httptest.NewRecorder()
	handler(w, r)
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	response := w.Result()
	if w.Header().Get("X-Slow") != "" {
		response.Body = slowBody{r.Context(), response.Body}
	}
	response.Request = r
	return response, nil
}

// requests returns what the relays were asked so far.
func (n *testNet) requests() []request {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	return slices.Clone(n.asked)
}

// slowBody is a body whose bytes arrive one per second.
type slowBody struct {
	ctx context.Context
	io.ReadCloser
}

// Read implements io.Reader.
func (b slowBody) Read(into []byte) (int, error) {
	if err := wait(b.ctx, time.Second); err != nil {
		return 0, err
	}
	return b.ReadCloser.Read(into[:1])
}

// newest returns the newest round that was published some time ago.
func (n *testNet) newest(ago time.Duration) uint64 {
	return uint64((time.Since(n.begin)+3000*time.Second-publishDelay-ago)/(3*time.Second)) + 1
}

// send responds to a request with a signature.
func send(w http.ResponseWriter, round uint64, signature string) {
	_, _ = fmt.Fprintf(w, `{"round":%d,"randomness":"not the hash","signature":"%s"}`, round, signature)
}

// serve returns a relay that publishes rounds some time after the beacon, with signatures made by sign.
func serve(delay time.Duration, sign func(n *testNet, round uint64) string) func(*testNet) http.HandlerFunc {
	return func(n *testNet) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			round, newest := uint64(0), n.newest(delay)
			if _, err := fmt.Sscanf(r.URL.Path[strings.LastIndex(r.URL.Path, "/"):], "/%d", &round); err != nil {
				round = newest
			}
			if round > newest {
				http.NotFound(w, r)
				return
			}
			send(w, round, sign(n, round))
		}
	}
}

func valid(n *testNet, round uint64) string { return fmt.Sprintf("%x", n.signer.Sign(round)) }

var honest = serve(0, valid)

// answering returns a relay that does something before it answers like an honest one.
func answering(first func(w http.ResponseWriter, r *http.Request) (answered bool)) func(*testNet) http.HandlerFunc {
	return func(n *testNet) http.HandlerFunc {
		then := honest(n)
		return func(w http.ResponseWriter, r *http.Request) {
			if !first(w, r) {
				then(w, r)
			}
		}
	}
}

var silent = answering(func(w http.ResponseWriter, r *http.Request) bool {
	http.NotFound(w, r)
	return true
})

const round = 1001 // due when the test begins

// One honest relay suffices, whatever the other one does. Without it nothing is accepted.
func TestRelays(t *testing.T) {
	forger, err := beacon.NewSigner([32]byte{2})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		relay   func(*testNet) http.HandlerFunc
		invalid bool // its signatures count as invalid
		good    bool // it alone suffices
	}{
		"silent":              {relay: silent},
		"hanging":             {relay: answering(func(_ http.ResponseWriter, r *http.Request) bool { <-r.Context().Done(); return true })},
		"failing":             {relay: answering(func(w http.ResponseWriter, _ *http.Request) bool { w.WriteHeader(http.StatusBadGateway); return true })},
		"late":                {relay: serve(5*time.Second, valid), good: true},
		"slow":                {relay: answering(func(_ http.ResponseWriter, r *http.Request) bool { return wait(r.Context(), 2*time.Second) != nil }), good: true},
		"of the round before": {relay: serve(0, func(n *testNet, round uint64) string { return valid(n, round-1) }), invalid: true},
		"of another key":      {relay: serve(0, func(_ *testNet, round uint64) string { return fmt.Sprintf("%x", forger.Sign(round)) }), invalid: true},
		"96 bytes":            {relay: serve(0, func(n *testNet, round uint64) string { return valid(n, round) + valid(n, round) }), invalid: true},
		"upper case":          {relay: serve(0, func(n *testNet, round uint64) string { return strings.ToUpper(valid(n, round)) }), invalid: true},
		"without signature":   {relay: serve(0, func(*testNet, uint64) string { return "" }), invalid: true},
		"no JSON":             {relay: answering(func(w http.ResponseWriter, _ *http.Request) bool { _, _ = w.Write([]byte("<html>")); return true })},
		"huge": {relay: answering(func(w http.ResponseWriter, _ *http.Request) bool {
			_, _ = w.Write(bytes.Repeat([]byte(" "), maxAnswer))
			return false
		})},
		"slow body": {relay: answering(func(w http.ResponseWriter, _ *http.Request) bool { w.Header().Set("X-Slow", "yes"); return false })},
		"redirecting": {relay: answering(func(w http.ResponseWriter, r *http.Request) bool {
			http.Redirect(w, r, "https://elsewhere.example"+r.URL.Path, http.StatusFound)
			return true
		})},
		"redirecting to http": {relay: answering(func(w http.ResponseWriter, r *http.Request) bool {
			http.Redirect(w, r, "http://"+r.URL.Host+r.URL.Path, http.StatusFound)
			return true
		})},
		"redirecting within the host": {relay: answering(func(w http.ResponseWriter, r *http.Request) bool {
			if strings.HasPrefix(r.URL.Path, "/v2") {
				return false
			}
			http.Redirect(w, r, "/v2"+r.URL.Path, http.StatusFound)
			return true
		}), good: true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, n := newTestNet(t, 0, c.relay, honest)
				n.relays["elsewhere.example"] = honest(n)
				want := n.signer.Sign(round)
				if got, err := s.Fetch(t.Context(), s.quicknet.hash, round); err != nil || got != want {
					t.Errorf("with an honest relay: %x, %v", got, err)
				}
				if took := time.Since(n.begin); took > time.Second {
					t.Errorf("it took %s", took)
				}
				if found := s.State().Invalid["relay0.example"] > 0; found != c.invalid {
					t.Errorf("invalid signatures: %v", s.State().Invalid)
				}
			})
			synctest.Test(t, func(t *testing.T) {
				s, n := newTestNet(t, 0, c.relay)
				n.relays["elsewhere.example"] = honest(n)
				ctx, end := context.WithTimeout(t.Context(), time.Minute)
				defer end()
				got, err := s.Fetch(ctx, s.quicknet.hash, round)
				if (err == nil) != c.good || c.good && got != n.signer.Sign(round) || err != nil && !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("alone: %x, %v", got, err)
				}
				if slices.ContainsFunc(n.requests(), func(r request) bool { return r.host == "elsewhere.example" }) {
					t.Error("a redirect led to another host")
				}
			})
		})
	}
}

// A round isn't published if a relay says so. Relays that can't be asked say nothing.
func TestRoundIsNotPublished(t *testing.T) {
	failing := answering(func(w http.ResponseWriter, _ *http.Request) bool { w.WriteHeader(http.StatusBadGateway); return true })
	hanging := answering(func(_ http.ResponseWriter, r *http.Request) bool { <-r.Context().Done(); return true })
	late := serve(20*time.Minute, valid)
	overloaded := func(n *testNet) http.HandlerFunc {
		latest := late(n)
		return func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, latestRound) {
				latest(w, r)
				return
			}
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}
	for name, c := range map[string]struct {
		relays []func(*testNet) http.HandlerFunc
		want   bool
	}{
		"no relay":                         {nil, false},
		"none can be asked":                {[]func(*testNet) http.HandlerFunc{failing, hanging}, false},
		"one doesn't have it":              {[]func(*testNet) http.HandlerFunc{failing, silent, hanging}, true},
		"one has older rounds":             {[]func(*testNet) http.HandlerFunc{failing, late}, true},
		"one answers only with its latest": {[]func(*testNet) http.HandlerFunc{overloaded}, false},
		"one has a wrong one":              {[]func(*testNet) http.HandlerFunc{serve(0, func(*testNet, uint64) string { return "" }), failing}, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, _ := newTestNet(t, 0, c.relays...)
				ctx, end := context.WithTimeout(t.Context(), time.Minute)
				defer end()
				if _, err := s.Fetch(ctx, s.quicknet.hash, round); err == nil || errors.Is(err, ErrNotPublished) != c.want {
					t.Errorf("%v", err)
				}
			})
		})
	}
}

// A relay may have cached that a round doesn't exist. Its latest round is asked for, too.
func TestCachedAbsence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, n := newTestNet(t, 0, answering(func(w http.ResponseWriter, r *http.Request) bool {
			if strings.HasSuffix(r.URL.Path, latestRound) {
				return false
			}
			http.NotFound(w, r)
			return true
		}))
		if got, err := s.Fetch(t.Context(), s.quicknet.hash, round); err != nil || got != n.signer.Sign(round) {
			t.Errorf("%x, %v", got, err)
		}
		if took := time.Since(n.begin); took != firstRequest {
			t.Errorf("it took %s", took)
		}
	})
}

// A round is requested 400 ms after its time, then every 300 ms from the next relay for 10 s, then after
// doubling pauses up to 5 s.
func TestScheduleOfRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, n := newTestNet(t, 0, slices.Repeat([]func(*testNet) http.HandlerFunc{silent}, 3)...)
		ctx, end := context.WithTimeout(t.Context(), time.Minute)
		defer end()
		if _, err := s.Fetch(ctx, s.quicknet.hash, round+2); !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "404") {
			t.Errorf("%v", err)
		}
		var want []time.Duration
		at := 6*time.Second + firstRequest
		for ; at <= 16*time.Second+firstRequest; at += 300 * time.Millisecond {
			want = append(want, at)
		}
		at -= 300 * time.Millisecond
		for pause := 600 * time.Millisecond; at+pause < time.Minute; pause = min(2*pause, 5*time.Second) {
			at += pause
			want = append(want, at)
		}
		var got []time.Duration
		for _, r := range n.requests() {
			if r.name == latestRound {
				continue
			}
			if host := fmt.Sprintf("relay%d.example", len(got)%3); r.host != host || r.name != fmt.Sprint(round+2) {
				t.Errorf("request %d is %+v, want one to %s", len(got), r, host)
			}
			got = append(got, r.after)
		}
		if !slices.Equal(got, want) {
			t.Errorf("requests after %v, want %v", got, want)
		}
	})
}

// Real rounds of quicknet are accepted, others of it aren't.
func TestQuicknet(t *testing.T) {
	const signature = "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b"
	synctest.Test(t, func(t *testing.T) {
		relay := func(w http.ResponseWriter, r *http.Request) {
			hash, name, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/public/")
			if hash != "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971" || name != "657413" && name != "657414" {
				http.NotFound(w, r)
				return
			}
			_, _ = fmt.Fprintf(w, `{"round":%s,"signature":"%s"}`, name, signature)
		}
		_, n := newTestNet(t, 0)
		n.relays["drand.example"] = relay
		s := New(Options{Relays: []string{"https://drand.example"}, Transport: n, Now: func() time.Time { return beacon.Quicknet().Time(657420) }})
		got, err := s.Fetch(t.Context(), beacon.Quicknet().Hash(), 657413)
		if err != nil || fmt.Sprintf("%x", got) != signature {
			t.Errorf("%x, %v", got, err)
		}
		ctx, end := context.WithTimeout(t.Context(), time.Minute)
		defer end()
		if _, err := s.Fetch(ctx, beacon.Quicknet().Hash(), 657414); !errors.Is(err, beacon.ErrSignature) {
			t.Errorf("another round with its signature: %v", err)
		}
		if state := s.State(); state.Draws != 1 || state.Invalid["drand.example"] < 10 {
			t.Errorf("%+v", state)
		}
	})
}

// Over real connections, a relay that closes them doesn't keep the node from another one.
func TestRelaysOverTheNetwork(t *testing.T) {
	const signature = "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b"
	broken := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	t.Cleanup(broken.Close)
	good := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("User-Agent") != "kaibao" || r.Method != http.MethodGet {
			t.Errorf("%s by %q", r.Method, r.Header.Get("User-Agent"))
		}
		send(w, 657413, signature)
	}))
	t.Cleanup(good.Close)
	s := New(Options{Relays: []string{broken.URL, good.URL}, Now: func() time.Time { return beacon.Quicknet().Time(657420) }})
	if got, err := s.Fetch(t.Context(), beacon.Quicknet().Hash(), 657413); err != nil || fmt.Sprintf("%x", got) != signature {
		t.Errorf("%x, %v", got, err)
	}
}

func TestUnknownChain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, n := newTestNet(t, 0, honest)
		for _, c := range []struct {
			hash  [32]byte
			round uint64
		}{{[32]byte{1}, round}, {s.quicknet.hash, 0}} {
			if _, err := s.Fetch(t.Context(), c.hash, c.round); !errors.Is(err, ErrUnknownChain) {
				t.Errorf("%v", err)
			}
		}
		if s.Known([32]byte{1}) != nil || s.Known(s.quicknet.hash) != s.quicknet.Beacon || s.Beacon() != s.quicknet.Beacon || len(n.requests()) > 0 {
			t.Errorf("%+v", n.requests())
		}
	})
	if _, err := New(Options{Now: time.Now}).Fetch(t.Context(), beacon.Quicknet().Hash(), 1); !errors.Is(err, errNoRelays) {
		t.Errorf("without relays: %v", err)
	}
}
