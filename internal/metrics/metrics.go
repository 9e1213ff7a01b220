// Package metrics exports the state of a node to Prometheus. Requests, opens, trades and batches are
// counted as they end. Everything else is read when Prometheus scrapes the node.
//
// No label has an id or a text that callers choose, because each value of a label is a time series.
package metrics

import (
	"net/http"
	"slices"
	"strconv"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"kaibao/internal/db"
	"kaibao/internal/db/batch"
	"kaibao/internal/httpapi"
	"kaibao/internal/opening"
	"kaibao/internal/trades"
)

// Metrics are the metrics of one node.
type Metrics struct {
	registry  *prometheus.Registry
	requests  *prometheus.CounterVec
	durations *prometheus.HistogramVec
	opens     prometheus.Counter
	trades    *prometheus.CounterVec
	batches   prometheus.Histogram
}

// durationBuckets are upper limits in seconds. Calls have 5 s unless their route says otherwise.
var durationBuckets = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}

// New returns the metrics of a node, which count the commits of d from now on. Call it before the
// node serves requests.
func New(d *db.DB) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "kaibao_http_requests_total", Help: "Requests that have ended, by route pattern.",
		}, []string{"method", "route", "status"}),
		durations: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "kaibao_http_request_duration_seconds", Help: "Time from a request's headers to the end of its response, without event streams.", Buckets: durationBuckets,
		}, []string{"method", "route"}),
		opens: prometheus.NewCounter(prometheus.CounterOpts{Name: "kaibao_opens_total", Help: "Packs opened on this node."}),
		trades: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "kaibao_trades_total", Help: "Trades made on this node, by what the trade took: a listing, a bid, a counter-offer or Kaibao's offer (sell-back).",
		}, []string{"kind"}),
		batches: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "kaibao_batch_size", Help: "Acts that shared a committed transaction.", Buckets: prometheus.ExponentialBuckets(1, 2, 9),
		}),
	}
	for _, kind := range []trades.Kind{trades.Listing, trades.Bid, trades.Counter, trades.SellBack} {
		m.trades.WithLabelValues(string(kind))
	}
	m.registry.MustRegister(m.requests, m.durations, m.opens, m.trades, m.batches,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	d.Subscribe(m.countCommit)
	return m
}

// countCommit counts what a committed transaction did.
func (m *Metrics) countCommit(message any) {
	switch message := message.(type) {
	case batch.Committed:
		m.batches.Observe(float64(message.Commands))
	case opening.PacksOpened:
		m.opens.Add(float64(message.Opens))
	case trades.Recorded:
		for _, t := range message.Trades {
			m.trades.WithLabelValues(string(t.Kind)).Inc()
		}
	}
}

// methods are the values of the label method. All other methods are "other".
var methods = []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions}

// noRoute is the label of requests that were refused before a route was found. Unknown paths have
// the route of the pages.
const noRoute = "none"

// ObserveRequest counts a request. It is for httpapi.Options.
func (m *Metrics) ObserveRequest(r httpapi.EndedRequest) {
	method, route := r.Method, r.Route
	if !slices.Contains(methods, method) {
		method = "other"
	}
	if route == "" {
		route = noRoute
	}
	m.requests.WithLabelValues(method, route, strconv.Itoa(r.Status)).Inc()
	if !r.Stream {
		m.durations.WithLabelValues(method, route).Observe(r.Duration.Seconds())
	}
}

// Handler serves the metrics. If some can't be read, it serves the others.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError})
}
