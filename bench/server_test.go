package main

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

func TestWaitFailsOnStuckLog(t *testing.T) {
	forked := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "the log is forked", http.StatusServiceUnavailable)
	}))
	defer forked.Close()
	address, err := url.Parse(forked.URL)
	if err != nil {
		t.Fatal(err)
	}
	s := &server{ops: address, stallTimeout: time.Millisecond}
	err = s.waitUntilZero(t.Context(), func() (int64, error) { return 7, nil })
	if err == nil || !strings.Contains(err.Error(), "7 leaves") || !strings.Contains(err.Error(), "the log is forked") {
		t.Errorf("the wait ended with %v", err)
	}
}

func TestWaitEnds(t *testing.T) {
	left := int64(5)
	s := &server{stallTimeout: time.Hour}
	if err := s.waitUntilZero(t.Context(), func() (int64, error) { left--; return left, nil }); err != nil || left != 0 {
		t.Errorf("the wait ended at %d with %v", left, err)
	}
}

func TestParseWrk(t *testing.T) {
	const rest = "Running 1s test\n\nbench "
	for line, want := range map[string]measurement{
		"8000 2000000 12500 31250 0 0": {requests: 8000, perSecond: 4000, p50: 12.5, p99: 31.25},
		"8000 2000000 12500 31250 1 0": {},
		"8000 2000000 12500 31250 0 1": {},
		"0 2000000 0 0 0 0":            {},
		"nothing":                      {},
	} {
		got, err := parseWrk(rest + line + "\n")
		if got != want || (err == nil) != (want != measurement{}) {
			t.Errorf("%s: %+v, %v, want %+v", line, got, err, want)
		}
	}
}
