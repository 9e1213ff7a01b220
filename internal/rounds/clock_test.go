package rounds

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kaibao/internal/apperr"
)

// The node takes orders only if a new round has arrived in time by its clock.
func TestClockCheck(t *testing.T) {
	for name, c := range map[string]struct {
		offset time.Duration // of the node's clock
		relays []func(*testNet) http.HandlerFunc
		ready  bool
		why    string // the cause if it isn't ready
	}{
		"in time":             {0, []func(*testNet) http.HandlerFunc{honest}, true, ""},
		"several relays":      {0, []func(*testNet) http.HandlerFunc{silent, honest, serve(time.Second, valid)}, true, ""},
		"2 s fast":            {1800 * time.Millisecond, []func(*testNet) http.HandlerFunc{honest}, true, ""},
		"3 s fast":            {3 * time.Second, []func(*testNet) http.HandlerFunc{honest}, false, "s after its time"},
		"3 s slow":            {-3 * time.Second, []func(*testNet) http.HandlerFunc{honest}, false, "s before its time"},
		"1 s slow":            {-time.Second, []func(*testNet) http.HandlerFunc{honest}, false, "s before its time"},
		"an hour fast":        {time.Hour, []func(*testNet) http.HandlerFunc{honest}, false, "s after its time"},
		"an hour slow":        {-time.Hour, []func(*testNet) http.HandlerFunc{honest}, false, "s before its time"},
		"a late beacon":       {0, []func(*testNet) http.HandlerFunc{serve(2500*time.Millisecond, valid)}, false, "s after its time"},
		"a silent beacon":     {0, []func(*testNet) http.HandlerFunc{silent}, false, "no new round"},
		"a beacon that stops": {0, []func(*testNet) http.HandlerFunc{stopped}, false, "no new round"},
		"a forged beacon":     {0, []func(*testNet) http.HandlerFunc{serve(0, func(n *testNet, round uint64) string { return valid(n, round+1) })}, false, "no new round"},
		// Their first round isn't new, though it is newer than what the other relay says.
		"an old copy and 3 s slow": {-3 * time.Second, []func(*testNet) http.HandlerFunc{stopped, honest}, false, "s before its time"},
		"no relay":                 {0, nil, false, "no new round"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, n := newTestNet(t, c.offset, c.relays...)
				s.wantReady(t, false, "no new round")
				err := s.checkClock(t.Context())
				if (err == nil) != (c.why != "no new round") {
					t.Errorf("the check: %v", err)
				}
				s.wantReady(t, c.ready, c.why)
				if took := time.Since(n.begin); took > 14*time.Second {
					t.Errorf("the check took %s", took)
				}
				if lateness := s.State().Lateness; c.ready && (lateness == nil || *lateness < publishDelay+c.offset || *lateness > publishDelay+c.offset+4*shortPause) {
					t.Errorf("late by %v", lateness)
				}
			})
		})
	}
}

// stopped is a relay whose newest round never changes.
func stopped(n *testNet) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, latestRound) {
			http.NotFound(w, r)
			return
		}
		send(w, round-2, valid(n, round-2))
	}
}

func (s *Service) wantReady(t *testing.T, ready bool, why string) {
	t.Helper()
	err := s.ClockReady()
	if (err == nil) != ready || err != nil && (!apperr.IsCode(err, apperr.SealedPaused) || !strings.Contains(err.Error(), why)) {
		t.Errorf("ready: %v, want %t (%s)", err, ready, why)
	}
	if state := s.State(); state.ClockReady != ready || (state.Problem == "") != ready || !ready && !strings.Contains(state.Problem, why) || state.Beacon != s.Beacon() {
		t.Errorf("the state says %t, want %t", !ready, ready)
	}
}

// A check is good for 4 periods, and for no time before it.
func TestChecksExpire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := newTestNet(t, 0, honest)
		if err := s.checkClock(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			after time.Duration
			ready bool
		}{{0, true}, {12 * time.Second, true}, {12*time.Second + 1, false}, {-1, false}} {
			now := s.last.at.Add(c.after)
			s.Now = func() time.Time { return now }
			s.wantReady(t, c.ready, "ago")
		}
	})
}

// The bounds of a round's arrival.
func TestArrivalInTime(t *testing.T) {
	for lateness, want := range map[time.Duration]bool{
		-201 * time.Millisecond: false, -200 * time.Millisecond: true, 0: true, 2500 * time.Millisecond: true, 2501 * time.Millisecond: false,
	} {
		if (sighting{round: 1, lateness: lateness}).inTime() != want {
			t.Errorf("%s: in time is %t", lateness, !want)
		}
	}
	if (sighting{}).inTime() {
		t.Error("no round is in time")
	}
}

// With checks as the job makes them, the node stays ready, and few requests reach the relays.
func TestChecksFollowEachOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, n := newTestNet(t, 0, slices.Repeat([]func(*testNet) http.HandlerFunc{honest}, 2)...)
		if err := s.checkClock(t.Context()); err != nil {
			t.Fatal(err)
		}
		for time.Since(n.begin) < 5*time.Minute {
			s.wantReady(t, true, "")
			if s.isCheckDue() {
				if err := s.checkClock(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if err := wait(t.Context(), checkInterval); err != nil {
				t.Fatal(err)
			}
		}
		if asked := len(n.requests()); asked > 2*5*60 {
			t.Errorf("%d requests in 5 minutes", asked)
		}
		if checks := s.State().Checks; checks < 5*60/12 {
			t.Errorf("%d checks in 5 minutes", checks)
		}
	})
}
