package loadgen

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Report is the result of a run. Times are in milliseconds.
type Report struct {
	Pack        string      `json:"pack"`
	Nodes       int         `json:"nodes"`
	Users       int         `json:"users"`
	Concurrency int         `json:"concurrency"`
	Seconds     float64     `json:"seconds"`
	Opens       int         `json:"opens"`
	Trades      int         `json:"trades"`    // listings bought
	PerSecond   float64     `json:"perSecond"` // opens or trades
	P50         float64     `json:"p50Ms"`
	P99         float64     `json:"p99Ms"`
	P999        float64     `json:"p999Ms"`
	Max         float64     `json:"maxMs"`
	Statuses    map[int]int `json:"statuses"`
	Verified    int         `json:"verified"` // opens, or trades, that were checked afterwards
}

// tally contains one worker's measurements.
type tally struct {
	times    []time.Duration // latencies, including waiting for a busy server
	statuses map[int]int
	busy     int // busy responses
}

func (t *tally) record(d time.Duration, status int) {
	if t.statuses == nil {
		t.statuses = map[int]int{}
	}
	t.times = append(t.times, d)
	t.statuses[status]++
}

// report summarizes a round.
func (r *round) report(took time.Duration) *Report {
	elapsed := took.Seconds()
	var times []time.Duration
	statuses := map[int]int{}
	for _, t := range r.tallies {
		times = append(times, t.times...)
		for status, n := range t.statuses {
			statuses[status] += n
		}
		if t.busy > 0 {
			statuses[http.StatusServiceUnavailable] += t.busy
		}
	}
	slices.Sort(times)
	at := func(share float64) float64 {
		if len(times) == 0 {
			return 0
		}
		return float64(times[min(len(times)-1, int(share*float64(len(times))))].Microseconds()) / 1000
	}
	return &Report{
		Pack: r.Pack, Nodes: len(r.Nodes), Users: len(r.players), Concurrency: r.Concurrency,
		Seconds: elapsed, PerSecond: float64(statuses[http.StatusOK]) / elapsed,
		P50: at(0.5), P99: at(0.99), P999: at(0.999), Max: at(1), Statuses: statuses,
	}
}

// String returns the report as one readable line.
func (r *Report) String() string {
	done, what := r.Opens, "opens"
	if r.Trades > 0 {
		done, what = r.Trades, "trades"
	}
	verified := fmt.Sprintf("%d verified", r.Verified)
	if done > 0 && r.Verified == 0 {
		verified = "none verified, because the run failed before"
	}
	return fmt.Sprintf("pack %s, %d users, %d connections, %d nodes: %d %s in %.1f s = %.0f/s, p50 %.2f ms, p99 %.2f ms, p99.9 %.2f ms, answers: %s; %s",
		r.Pack, r.Users, r.Concurrency, r.Nodes, done, what, r.Seconds, r.PerSecond, r.P50, r.P99, r.P999, statusText(r.Statuses), verified)
}

// statusText lists how many responses had each status, such as "2706 × 200, 3 × 503".
func statusText(statuses map[int]int) string {
	var parts []string
	for _, status := range slices.Sorted(maps.Keys(statuses)) {
		parts = append(parts, fmt.Sprintf("%d × %d", statuses[status], status))
	}
	return cmp.Or(strings.Join(parts, ", "), "none")
}
