package loadgen

import (
	"errors"
	"strings"
	"testing"
)

// Connections that fail in the same way are reported once, with their number.
func TestSameErrorsAreCounted(t *testing.T) {
	refused := errors.New("connection refused")
	err := joinSame([]error{refused, nil, errors.New("wrong balance"), errors.New("connection refused")})
	if want := "connection refused (on 2 connections)\nwrong balance"; err == nil || err.Error() != want || !errors.Is(err, refused) {
		t.Errorf("got %v, want %s", err, want)
	}
	if err := joinSame(make([]error, 3)); err != nil {
		t.Errorf("without failures: %v", err)
	}
}

// The report lists responses by status, and says so if nothing was verified.
func TestReportText(t *testing.T) {
	r := &Report{Opens: 12, Statuses: map[int]int{503: 2, 200: 12}}
	if text := r.String(); !strings.HasSuffix(text, "answers: 12 × 200, 2 × 503; none verified, because the run failed before") {
		t.Error(text)
	}
	r.Verified = 12
	if text := r.String(); !strings.HasSuffix(text, "2 × 503; 12 verified") {
		t.Error(text)
	}
}
