package httpcache

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"kaibao/internal/httpapi"
)

// clock is a clock that the test moves.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

// readings returns a read function that counts its calls in n.
func readings(n *int) func(context.Context, string) (int, error) {
	return func(_ context.Context, key string) (int, error) {
		if key == "missing" {
			return 0, errors.New("there is none")
		}
		*n++
		return *n, nil
	}
}

func wantKept(t *testing.T, c *Cache[string, int], when string, want int) {
	t.Helper()
	if value, err := c.Get(t.Context(), "key"); value != want || err != nil {
		t.Errorf("%s: reading %d, %v, want %d", when, value, err, want)
	}
}

func TestCacheExpiry(t *testing.T) {
	n, time0 := 0, clock{time.Unix(0, 0)}
	c := New(time0.now, time.Second, readings(&n))
	wantKept(t, c, "first read", 1)
	time0.at = time0.at.Add(time.Second - 1)
	wantKept(t, c, "before expiry", 1)
	time0.at = time0.at.Add(1)
	wantKept(t, c, "after expiry", 2)
	c.Invalidate()
	wantKept(t, c, "after Invalidate", 3)
	if _, err := c.Get(t.Context(), "missing"); err == nil || len(c.values) != 1 || len(c.pending) != 0 {
		t.Errorf("the error (%v) was cached: %v %v", err, c.values, c.pending)
	}
	time0.at = time0.at.Add(time.Second)
	if _, err := c.Get(t.Context(), "other"); err != nil || len(c.values) != 1 {
		t.Errorf("the expired value was not dropped: %v", c.values)
	}
}

// A caller can stop waiting for a computation. After Invalidate no caller gets a value whose
// computation began before it.
func TestCacheWaitersCanLeaveAndInvalidateDropsPending(t *testing.T) {
	begun, release := make(chan struct{}), make(chan struct{})
	n := 0
	c := New(time.Now, time.Hour, func(context.Context, string) (int, error) {
		n++
		mine := n
		if mine == 1 {
			close(begun)
			<-release
		}
		return mine, nil
	})
	first := make(chan int)
	go func() {
		value, _ := c.Get(t.Context(), "key")
		first <- value
	}()
	<-begun
	gone, leave := context.WithCancel(t.Context())
	leave()
	if _, err := c.Get(gone, "key"); !errors.Is(err, context.Canceled) {
		t.Errorf("the canceled Get returned %v", err)
	}
	c.Invalidate()
	wantKept(t, c, "after Invalidate", 2)
	close(release)
	if value := <-first; value != 1 {
		t.Errorf("the waiting Get got reading %d", value)
	}
	wantKept(t, c, "afterwards", 2)
}

// A slow cache serves the expired value while it computes the next, and keeps slow values longer.
func TestSlowCacheServesExpiredValueWhileComputing(t *testing.T) {
	n, time0 := 0, clock{time.Unix(0, 0)}
	again := make(chan struct{})
	c := NewSlow(time0.now, time.Second, func(context.Context, string) (int, error) {
		n++
		if n > 1 {
			<-again
		} else {
			time0.at = time0.at.Add(10 * time.Second)
		}
		return n, nil
	})
	wantKept(t, c, "first read", 1)
	time0.at = time0.at.Add(189 * time.Second)
	wantKept(t, c, "within 20 times its computation time", 1)
	time0.at = time0.at.Add(time.Second)
	wantKept(t, c, "while the next is computed", 1)
	_, under := c.lookup(t.Context(), "key")
	close(again)
	<-under.done
	wantKept(t, c, "after the computation", 2)
}

// Cached responses are compressed only for clients that accept gzip.
func TestCachedResponsesAreCompressedForGzipClients(t *testing.T) {
	answer, err := encode(&httpapi.List[string]{Body: []string{strings.Repeat("the same ", 1000)}, Total: "1"})
	if err != nil {
		t.Fatal(err)
	}
	answer.cacheGzip()
	for accept, zipped := range map[string]bool{
		"": false, "gzip": true, "br, gzip;q=0.5": true, "gzip; q=0": false, "gzip;q=0.000": false, "gzip;q=1.0": true, "br": false, "identity, gzip": true,
	} {
		r, w := httptest.NewRequest(http.MethodGet, "/", nil), httptest.NewRecorder()
		r.Header.Set("Accept-Encoding", accept)
		answer.send(w, r)
		if (w.Header().Get("Content-Encoding") == "gzip") != zipped || (w.Body.Len() < 1000) != zipped || w.Header().Get("X-Total-Count") != "1" {
			t.Errorf("Accept-Encoding %q: %d bytes, %v", accept, w.Body.Len(), w.Header())
		}
	}
}
