package httpkit

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// clock is moved by the test.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

// readings tells how often something was read.
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

func TestAnswersAreKeptForTheirLife(t *testing.T) {
	n, time0 := 0, clock{time.Unix(0, 0)}
	c := NewCache(time0.now, time.Second, readings(&n))
	wantKept(t, c, "at first", 1)
	time0.at = time0.at.Add(time.Second - 1)
	wantKept(t, c, "within its life", 1)
	time0.at = time0.at.Add(1)
	wantKept(t, c, "after it", 2)
	c.Invalidate()
	wantKept(t, c, "when it was forgotten", 3)
	if _, err := c.Get(t.Context(), "missing"); err == nil || len(c.values) != 1 || len(c.pending) != 0 {
		t.Errorf("of what failed (%v) something is kept: %v %v", err, c.values, c.pending)
	}
	time0.at = time0.at.Add(time.Second)
	if _, err := c.Get(t.Context(), "other"); err != nil || len(c.values) != 1 {
		t.Errorf("what nobody asks for is still kept: %v", c.values)
	}
}

// Who asks while an answer is read may leave, and gets none that was read before a
// change that they know of.
func TestNobodyIsHeldByAnothersReading(t *testing.T) {
	begun, release := make(chan struct{}), make(chan struct{})
	n := 0
	c := NewCache(time.Now, time.Hour, func(context.Context, string) (int, error) {
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
		t.Errorf("who left was answered %v", err)
	}
	c.Invalidate()
	wantKept(t, c, "after a change", 2)
	close(release)
	if value := <-first; value != 1 {
		t.Errorf("who waited got reading %d", value)
	}
	wantKept(t, c, "then", 2)
}

// What takes long to make is made behind the answer, and kept the longer for it.
func TestNobodyWaitsForASlowAnswerTwice(t *testing.T) {
	n, time0 := 0, clock{time.Unix(0, 0)}
	again := make(chan struct{})
	c := NewSlowCache(time0.now, time.Second, func(context.Context, string) (int, error) {
		n++
		if n > 1 {
			<-again
		} else {
			time0.at = time0.at.Add(10 * time.Second)
		}
		return n, nil
	})
	wantKept(t, c, "at first", 1)
	time0.at = time0.at.Add(189 * time.Second)
	wantKept(t, c, "within twenty times as long as it took", 1)
	time0.at = time0.at.Add(time.Second)
	wantKept(t, c, "while the next is made", 1)
	_, under := c.take(t.Context(), "key")
	close(again)
	<-under.done
	wantKept(t, c, "when it is there", 2)
}

// A kept answer is compressed for who reads that, and for nobody else.
func TestWhatIsKeptIsKeptCompressedToo(t *testing.T) {
	answer, err := encode(&List[string]{Body: []string{strings.Repeat("the same ", 1000)}, Total: "1"})
	if err != nil {
		t.Fatal(err)
	}
	answer.keep()
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
