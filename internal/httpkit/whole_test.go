package httpkit_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"kaibao/internal/httpkit"
)

// writes counts how an answer is given to the connection.
type writes struct {
	*httptest.ResponseRecorder
	count int
}

func (w *writes) Write(p []byte) (int, error) {
	w.count++
	return w.ResponseRecorder.Write(p)
}

// A compressed answer goes out when it is whole, so that whoever is slow to take
// it holds it alone and not what made it.
func TestCompressedAnswersAreSentWhole(t *testing.T) {
	text := strings.Repeat("all of it ", 100_000)
	e := newEdge(t, "https://kaibao.example")
	e.Raw(httpkit.Get(httpkit.Public, "/long", "", ""), http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		for part := range strings.SplitAfterSeq(text, " ") {
			_, _ = io.WriteString(w, part)
		}
	}))
	r := httptest.NewRequestWithContext(t.Context(), "GET", "https://kaibao.example/long", nil)
	r.Header.Set("Accept-Encoding", "gzip")
	w := &writes{ResponseRecorder: httptest.NewRecorder()}
	e.Handler().ServeHTTP(w, r)
	if length := strconv.Itoa(w.Body.Len()); w.count != 1 || w.Header().Get("Content-Length") != length {
		t.Errorf("sent in %d parts with Content-Length %q, want 1 and %s", w.count, w.Header().Get("Content-Length"), length)
	}
	unpacked, err := gzip.NewReader(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(unpacked); err != nil || string(got) != text {
		t.Errorf("unpacked to %d bytes (%v), want %d", len(got), err, len(text))
	}
}
