package jsonclient_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"kaibao/internal/apperr"
	"kaibao/internal/deposits/jsonclient"
)

// roundTripper is a function that implements http.RoundTripper.
type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestCallTimesOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		client := &http.Client{Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		})}
		var answer map[string]any
		err := jsonclient.Call{Service: "Nobody", Method: http.MethodGet, URL: "http://nobody"}.Do(t.Context(), client, &answer)
		if elapsed := time.Since(begun); elapsed != jsonclient.Timeout || !apperr.IsCode(err, apperr.Unavailable) || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("after %v: %v", elapsed, err)
		}
	})
}

func TestRetryAfter(t *testing.T) {
	for header, want := range map[string]time.Duration{
		"": 5 * time.Second, "7": 7 * time.Second, "0": 5 * time.Second, "-1": 5 * time.Second, "86400": time.Minute,
		"99999999999999999999": 5 * time.Second, "Wed, 21 Oct 2015 07:28:00 GMT": 5 * time.Second,
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", header)
			w.WriteHeader(http.StatusTooManyRequests)
		}))
		var answer struct{}
		err := jsonclient.Call{Service: "The server", Purpose: "a test", Method: http.MethodGet, URL: s.URL}.Do(t.Context(), nil, &answer)
		s.Close()
		if status := jsonclient.StatusError(0); !errors.As(err, &status) || status != 429 || apperr.As(err).RetryAfter != want {
			t.Errorf("Retry-After %q: %v, in %v", header, err, apperr.As(err).RetryAfter)
		}
		if want := "The server isn't responding: a test: responded with status 429"; err.Error() != want {
			t.Errorf("%q, want %q", err, want)
		}
	}
}

func TestRequestHeaders(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := r.Header
		if r.Method != http.MethodPost || h.Get("Content-Type") != "application/json" || h.Get("Accept") != "application/json" || h.Get("X-Key") != "k" {
			t.Errorf("%s with %v", r.Method, h)
		}
		_, _ = w.Write([]byte(`{"ok": true}`))
	}))
	defer s.Close()
	var answer struct {
		OK bool `json:"ok"`
	}
	call := jsonclient.Call{Method: http.MethodPost, URL: s.URL, Header: http.Header{"X-Key": {"k"}}, Body: map[string]int{"a": 1}}
	if err := call.Do(t.Context(), nil, &answer); err != nil || !answer.OK {
		t.Error(answer, err)
	}
}
