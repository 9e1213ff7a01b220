package app_test

import (
	"bytes"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/tracing"
)

// traceCollector receives spans over OTLP/HTTP.
type traceCollector struct {
	*httptest.Server
	mutex  sync.Mutex
	bodies [][]byte
	spans  []*tracepb.Span
}

func newTraceCollector(t *testing.T) *traceCollector {
	t.Helper()
	c := new(traceCollector)
	c.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		var data tracepb.TracesData
		if err == nil {
			err = proto.Unmarshal(body, &data)
		}
		if err != nil || r.URL.Path != "/v1/traces" || r.Header.Get("Content-Type") != "application/x-protobuf" {
			t.Errorf("the collector got %s with %v: %v", r.URL, r.Header, err)
		}
		c.mutex.Lock()
		defer c.mutex.Unlock()
		c.bodies = append(c.bodies, body)
		for _, resource := range data.ResourceSpans {
			for _, scope := range resource.ScopeSpans {
				c.spans = append(c.spans, scope.Spans...)
			}
		}
	}))
	t.Cleanup(c.Close)
	return c
}

// find returns the spans with a name.
func (c *traceCollector) find(name string) (found []*tracepb.Span) {
	for _, span := range c.spans {
		if span.Name == name {
			found = append(found, span)
		}
	}
	return found
}

// spanAttributes returns a span's attributes as text.
func spanAttributes(span *tracepb.Span) map[string]string {
	all := map[string]string{}
	for _, a := range span.Attributes {
		all[a.Key] = a.Value.GetStringValue()
		if a.Value.GetStringValue() == "" {
			all[a.Key] = a.Value.String()
		}
	}
	return all
}

const openPackSpan = "POST /api/packs/{id}/open"

// A traced request has a span with its route and, on PostgreSQL, spans with the statements of its
// batch. Nothing that a caller sent or is known by leaves the node.
func TestRequestsAndStatementsAreTraced(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			collected := newTraceCollector(t)
			config := apptest.Config(t, engine)
			config.TraceEndpoint, config.TraceRatio = collected.URL, 1
			s := apptest.Start(t, config)
			c := s.SignIn(t)
			c.Deposit(t, 100)
			c.Post(t, "/api/packs/2/open", apptest.Body{"clientSeed": "secret seed"}, "User-Agent", "secret agent").Want(t, http.StatusOK, nil)
			c.Post(t, "/api/packs/2/open", apptest.Body{"clientSeed": ""}).Want(t, http.StatusUnprocessableEntity, nil)
			c.Get(t, "/api/marketplace?search=secret").Want(t, http.StatusOK, nil)
			var owned []struct{ ID string }
			c.Get(t, "/api/inventory/me").Want(t, http.StatusOK, &owned)
			c.Get(t, "/api/inventory/"+owned[0].ID+"/history")
			s.Stop() // exports the last spans
			opens := collected.find(openPackSpan)
			if len(opens) != 2 {
				t.Fatalf("%d spans of opens, want 2", len(opens))
			}
			opened := spanAttributes(opens[0])
			if opened["http.route"] != "/api/packs/{id}/open" || opened["http.request.method"] != "POST" || opened["http.response.status_code"] != "int_value:200" {
				t.Errorf("the span of an open has %v", opened)
			}
			traced := slices.ContainsFunc(collected.spans, func(span *tracepb.Span) bool {
				statement := spanAttributes(span)["db.query.text"]
				return strings.Contains(statement, "INSERT INTO openings") && strings.Contains(statement, "$1") && bytes.Equal(span.TraceId, opens[0].TraceId)
			})
			if traced != (engine == "postgres") {
				t.Errorf("the statement of the open is in its trace: %t", traced)
			}
			for _, body := range collected.bodies {
				for _, secret := range []string{"secret", c.Address, owned[0].ID, "127.0.0.1", "localhost", config.DatabaseURL} {
					if secret != "" && bytes.Contains(body, []byte(secret)) {
						t.Errorf("%q left the node", secret)
					}
				}
			}
		})
	}
}

// A caller can't choose the trace of its request, or that it is traced. A trusted proxy can.
func TestOnlyTrustedProxiesContinueTraces(t *testing.T) {
	const id = "0af7651916cd43dd8448eb211c80319c"
	for name, test := range map[string]struct {
		trusted []netip.Prefix
		ratio   float64
		traces  int
		same    bool
	}{
		"a caller":                          {nil, 1, 1, false},
		"a caller, untraced":                {nil, 0, 0, false},
		"another network's proxy, untraced": {[]netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}, 0, 0, false},
		"a trusted proxy":                   {[]netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, 0, 1, true},
	} {
		t.Run(name, func(t *testing.T) {
			collected := newTraceCollector(t)
			config := apptest.Config(t, dbtest.Engines()[0])
			config.TraceEndpoint, config.TraceRatio, config.TrustedProxies = collected.URL+"/", test.ratio, test.trusted
			s := apptest.Start(t, config)
			s.NewClient(t).Get(t, "/api/packs/2", "Traceparent", "00-"+id+"-b7ad6b7169203331-01", "Tracestate", "vendor=secret").Want(t, http.StatusOK, nil)
			s.Stop()
			spans := collected.find("GET /api/packs/{id}")
			if len(spans) != test.traces {
				t.Fatalf("%d spans, want %d", len(spans), test.traces)
			}
			for _, span := range spans {
				if same := hex.EncodeToString(span.TraceId) == id; same != test.same || (len(span.ParentSpanId) > 0) != test.same || len(span.Links) > 0 {
					t.Errorf("the trace is %x, its parent %x, with %d links", span.TraceId, span.ParentSpanId, len(span.Links))
				}
			}
		})
	}
}

// A collector that is down or refuses spans delays neither requests nor the end of the node.
func TestBrokenCollectorIsHarmless(t *testing.T) {
	broken := httptest.NewServer(http.NotFoundHandler())
	for _, down := range []bool{false, true} {
		if down {
			broken.Close()
		}
		config := apptest.Config(t, dbtest.Engines()[0])
		config.TraceEndpoint, config.TraceRatio = broken.URL, 1
		s := apptest.Start(t, config)
		s.NewClient(t).Get(t, "/api/packs").Want(t, http.StatusOK, nil)
		s.Stop()
	}
}

func TestTraceSettingsAreChecked(t *testing.T) {
	for _, o := range []tracing.Options{
		{Endpoint: "127.0.0.1:4318"}, {Endpoint: "file:///tmp/x"}, {Endpoint: "http://"}, {Endpoint: "http://collector", Ratio: 1.1}, {Endpoint: "http://collector", Ratio: -1},
	} {
		if o.Check() == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
	if err := (tracing.Options{Endpoint: "https://collector.example/otlp", Ratio: 0.5}).Check(); err != nil {
		t.Error(err)
	}
}
