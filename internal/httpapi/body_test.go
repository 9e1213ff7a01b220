package httpapi_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/danielgtaylor/huma/v2"

	"kaibao/internal/httpapi"
	"kaibao/internal/httpapi/httpapitest"
)

// slow is a field whose decoding blocks until the test releases it.
type slow struct{}

var slowDecoding struct{ started, proceed chan struct{} }

func (slow) Schema(huma.Registry) *huma.Schema { return &huma.Schema{} }

func (*slow) UnmarshalJSON([]byte) error {
	slowDecoding.started <- struct{}{}
	<-slowDecoding.proceed
	return nil
}

type slowInput struct {
	Body struct {
		Field slow `json:"field,omitempty"`
	}
}

// Concurrent decoding is limited, and a caller that gets no slot in time gets Retry-After. A call
// whose body is decoded doesn't take up a slot.
func TestConcurrentDecodingIsLimited(t *testing.T) {
	slots := 4 * runtime.GOMAXPROCS(0)
	slowDecoding.started, slowDecoding.proceed = make(chan struct{}), make(chan struct{})
	handling, finish := make(chan struct{}), make(chan struct{})
	e := httpapitest.New(t, "https://kaibao.example")
	httpapi.JSON(e.API, httpapi.Post(httpapi.Public, "/api/slow", "slow", "Slow"),
		func(context.Context, *slowInput) (string, error) {
			handling <- struct{}{}
			<-finish
			return "done", nil
		})
	handler := e.Handler()
	call := func(ctx context.Context, body string) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/api/slow", strings.NewReader(body))
		r.Host = "kaibao.example"
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		return w
	}
	var all sync.WaitGroup
	for range slots {
		all.Go(func() {
			if w := call(t.Context(), `{"field":1}`); w.Code != http.StatusOK {
				t.Errorf("status %d: %s", w.Code, w.Body)
			}
		})
		<-slowDecoding.started
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	w := call(canceled, `{}`)
	httpapitest.Refused(t, w, http.StatusServiceUnavailable, "unavailable")
	if w.Header().Get("Retry-After") != "1" {
		t.Errorf("Retry-After is %q", w.Header().Get("Retry-After"))
	}
	for range slots {
		slowDecoding.proceed <- struct{}{}
		<-handling
	}
	all.Go(func() {
		if w := call(t.Context(), `{}`); w.Code != http.StatusOK {
			t.Errorf("while other calls run: %d %s", w.Code, w.Body)
		}
	})
	<-handling
	close(finish)
	all.Wait()
}

// A route can raise the body limit; the error states the limit.
func TestBodyLimitIsPerRoute(t *testing.T) {
	e := httpapitest.New(t, "https://kaibao.example")
	httpapi.JSON(e.API, httpapi.Post(httpapi.Public, "/api/long", "long", "Long").WithBodyLimit(20_000), func(context.Context, *echo) (string, error) { return "read", nil })
	body := func(size int) string { return `{"name":"a","text":"` + strings.Repeat("x", size-22) + `"}` }
	if w := e.Call("POST", "/api/long", body(20_000)); w.Code != 200 {
		t.Errorf("20000 bytes: %d %s", w.Code, w.Body)
	}
	if r := httpapitest.Refused(t, e.Call("POST", "/api/long", body(20_001)), 413, "too_large"); !strings.Contains(r.Message, "20000 bytes") {
		t.Errorf("20001 bytes: %s", r.Message)
	}
}
