package metrics_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"kaibao/internal/app/apptest"
	"kaibao/internal/backup"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/jobs"
	"kaibao/internal/metrics"
	"kaibao/internal/publicbooks"
	"kaibao/internal/publiclog"
	"kaibao/internal/rounds"
)

// series are the values of a scrape by name and labels, as in `kaibao_trades_total{kind="bid"}`.
type series map[string]float64

// scrape reads the metrics of a node.
func scrape(t *testing.T, s *apptest.Server) series {
	t.Helper()
	return parse(t, ops(t, s, "/metrics", ""))
}

// ops requests a path of the operator's listener, at its own host unless host is set.
func ops(t *testing.T, s *apptest.Server, path, host string) apptest.Answer {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.OpsURL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Host = host
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	body, err := apptest.Read(response)
	if err != nil {
		t.Fatal(err)
	}
	return apptest.Answer{Status: response.StatusCode, Header: response.Header, Body: body}
}

func parse(t *testing.T, answer apptest.Answer) series {
	t.Helper()
	if answer.Status != http.StatusOK {
		t.Fatalf("the scrape failed: %d %s", answer.Status, answer.Body)
	}
	found := series{}
	for line := range strings.Lines(string(answer.Body)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		at := strings.LastIndex(line, " ")
		value, err := strconv.ParseFloat(strings.TrimSpace(line[at+1:]), 64)
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		found[line[:at]] = value
	}
	return found
}

type entry struct{ ID string }

// collector returns a signed-in browser with five items, and their ids.
func collector(t *testing.T, s *apptest.Server) (*apptest.Client, []entry) {
	t.Helper()
	c := s.SignIn(t)
	c.Deposit(t, 1000)
	c.Post(t, "/api/packs/demo-pack-1/open", apptest.Body{"clientSeed": "x"}).Want(t, http.StatusOK, nil)
	return c, apptest.Get[[]entry](t, c, "/api/inventory/me")
}

// Each act changes the counters by what it did. No label carries an id.
func TestMetricsCountActs(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		seller, owned := collector(t, s)
		buyer, _ := collector(t, s)
		seller.Vault(t, owned[0].ID)
		before := scrape(t, s)
		seller.Post(t, "/api/packs/2/open", apptest.Body{"clientSeed": "x"}).Want(t, http.StatusOK, nil)
		seller.Post(t, "/api/packs/2/open", apptest.Body{"clientSeed": ""}).Want(t, http.StatusUnprocessableEntity, nil)
		seller.Post(t, "/api/marketplace/list", apptest.Body{"inventoryId": owned[0].ID, "priceCents": 500, "confirmedCents": 500}).Want(t, http.StatusOK, nil)
		buyer.Post(t, "/api/marketplace/buy", apptest.Body{"inventoryId": owned[0].ID}).Want(t, http.StatusOK, nil)
		seller.Post(t, "/api/inventory/sell-back", apptest.Body{"inventoryIds": []string{owned[1].ID, owned[2].ID}}).Want(t, http.StatusOK, nil)
		after := scrape(t, s)
		for name, change := range map[string]float64{
			`kaibao_opens_total`:                    1,
			`kaibao_trades_total{kind="listing"}`:   1,
			`kaibao_trades_total{kind="sell-back"}`: 2,
			`kaibao_trades_total{kind="bid"}`:       0,
			`kaibao_http_requests_total{method="POST",route="/api/packs/{id}/open",status="200"}`:                   1,
			`kaibao_http_requests_total{method="POST",route="/api/packs/{id}/open",status="422"}`:                   1,
			`kaibao_http_request_duration_seconds_count{method="POST",route="/api/packs/{id}/open"}`:                2,
			`kaibao_http_request_duration_seconds_bucket{method="POST",route="/api/inventory/sell-back",le="+Inf"}`: 1,
			`kaibao_log_leaves_rejected_total`: 0,
			`kaibao_event_streams`:             0,
			fmt.Sprintf(`kaibao_build_info{engine=%q,schema="%d",version="test"}`, s.DB.Engine(), s.DB.Schema()): 0,
			`kaibao_queue_length{queue="open-pack"}`:      0,
			`kaibao_db_pool_connections{pool="searches"}`: 0,
		} {
			_, found := after[name]
			if got := after[name] - before[name]; got != change || !found {
				t.Errorf("%s changed by %g, want %g (found: %t)", name, got, change, found)
			}
		}
		if batches, acts := after["kaibao_batch_size_count"]-before["kaibao_batch_size_count"], after["kaibao_batch_size_sum"]-before["kaibao_batch_size_sum"]; batches < 1 || acts < batches {
			t.Errorf("%g batches had %g acts", batches, acts)
		}
		for name := range after {
			for _, secret := range []string{owned[0].ID, seller.Address, buyer.Address, "demo-pack"} {
				if strings.Contains(name, secret) {
					t.Errorf("a label has an id: %s", name)
				}
			}
		}
		following, stop := context.WithCancel(t.Context())
		defer stop()
		if _, err := buyer.Follow(following, ""); err != nil {
			t.Fatal(err)
		}
		apptest.Until(t, "the stream is counted", func() bool { return scrape(t, s)["kaibao_event_streams"] == 1 })
		stop()
		apptest.Until(t, "the end of the stream is counted", func() bool { return scrape(t, s)["kaibao_event_streams"] == 0 })
		for name := range scrape(t, s) {
			if strings.HasPrefix(name, "kaibao_http_request_duration_seconds") && strings.Contains(name, `"/api/feed"`) {
				t.Errorf("an event stream counts as a slow request: %s", name)
			}
		}
	})
}

var route = regexp.MustCompile(`method="([^"]*)",route="([^"]*)"`)

// Callers can't create time series by unknown paths, methods, hosts or queries.
func TestCallersCannotCreateSeries(t *testing.T) {
	s := apptest.Start(t, apptest.Config(t, dbtest.Engines()[0]))
	c := s.NewClient(t)
	attack := func(n int) {
		for _, request := range []struct{ method, path string }{
			{http.MethodGet, fmt.Sprintf("/attack-%d", n)}, {http.MethodGet, fmt.Sprintf("/api/attack-%d", n)}, {http.MethodGet, fmt.Sprintf("/api/packs/attack-%d", n)},
			{http.MethodPost, fmt.Sprintf("/api/packs/2/attack-%d", n)}, {fmt.Sprintf("ATTACK%d", n), "/api/packs"}, {fmt.Sprintf("ATTACK%d", n), "/"},
			{http.MethodGet, fmt.Sprintf("/api/packs?attack=%d", n)}, {http.MethodGet, fmt.Sprintf("//attack-%d/../x", n)}, {http.MethodOptions, "*"},
		} {
			_, _ = c.Try(t.Context(), request.method, request.path, nil, "X-Attack", "attack")
		}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+"/api/packs", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = fmt.Sprintf("attack-%d.example", n)
		response, err := http.DefaultClient.Do(r)
		if err == nil {
			err = response.Body.Close()
		}
		if err != nil || response.StatusCode != http.StatusMisdirectedRequest {
			t.Errorf("a request to another host: %v, %v", response, err)
		}
	}
	httpSeries := func() (names []string) {
		for name := range scrape(t, s) {
			if strings.HasPrefix(name, "kaibao_http_") {
				names = append(names, name)
			}
		}
		return names
	}
	attack(0)
	before := len(httpSeries())
	for n := range 50 {
		attack(1 + n)
	}
	after := httpSeries()
	if len(after) != before || before == 0 {
		t.Errorf("%d time series became %d", before, len(after))
	}
	for _, name := range after {
		if strings.Contains(strings.ToLower(name), "attack") {
			t.Errorf("a caller chose a label: %s", name)
		}
		if labels := route.FindStringSubmatch(name); len(labels) != 3 || labels[2] != "none" && !strings.HasPrefix(labels[2], "/") {
			t.Errorf("%s has no method and route", name)
		}
	}
}

// The metrics follow Prometheus's conventions.
func TestNamesFollowConventions(t *testing.T) {
	s := apptest.Start(t, apptest.Config(t, dbtest.Engines()[0]))
	collector(t, s)
	problems, err := promlint.New(strings.NewReader(string(ops(t, s, "/metrics", "").Body))).Lint()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
}

// Metrics and profiles are served at the operator's hosts only, and profiles only if they are
// turned on. The command line, which can have secrets, never is.
func TestOpsListenerProtectsMetricsAndProfiles(t *testing.T) {
	for _, on := range []bool{false, true} {
		config := apptest.Config(t, dbtest.Engines()[0])
		config.Pprof, config.OpsHost = on, []string{"ops.example"}
		s := apptest.Start(t, config)
		if answer, err := s.NewClient(t).Try(t.Context(), http.MethodGet, "/metrics", nil); err != nil || answer.Status != http.StatusNotFound {
			t.Errorf("the public address answers /metrics with %d (%v)", answer.Status, err)
		}
		for path, status := range map[string]int{"/metrics": 200, "/debug/pprof/": 200, "/debug/pprof/heap": 200, "/debug/pprof/profile?seconds=1": 200, "/debug/pprof/cmdline": 404} {
			if strings.HasPrefix(path, "/debug/") && !on {
				status = http.StatusNotFound
			}
			if got := ops(t, s, path, "ops.example").Status; got != status {
				t.Errorf("%s with profiles %t: %d, want %d", path, on, got, status)
			}
			if got := ops(t, s, path, "rebound.example").Status; got != http.StatusMisdirectedRequest {
				t.Errorf("%s at another host: %d, want 421", path, got)
			}
		}
	}
}

// What the database stores is read at most every 10 s, and a database that is down doesn't fail the
// scrape.
func TestStoredStateIsCachedAndMayBeMissing(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		c, _ := collector(t, s)
		d, err := db.Open(t.Context(), db.Options{Dir: s.Config.Data, URL: s.Config.DatabaseURL})
		if err != nil {
			t.Fatal(err)
		}
		noon := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
		now, pausedPacks := noon, 3
		beacon := rounds.State{Draws: 6, Checks: 5, Invalid: map[string]int64{"relay.example": 2}}
		m := metrics.New(d)
		m.Watch(metrics.Node{
			DB: d, Version: "1.2.3", Clock: func() time.Time { return now }, Ready: func(context.Context) error { return nil }, Log: slog.New(slog.DiscardHandler),
			Jobs: func() []jobs.State {
				return []jobs.State{
					{Name: "sign", Every: time.Second, Limit: time.Minute, LastSuccess: noon, LastError: errors.New("a past failure"), Failures: 2},
					{Name: "count", LastError: errors.New("secret"), Failing: true, Failures: 5, Behind: 7},
				}
			},
			Queues: func() map[string]int { return map[string]int{"open-pack": 9} }, Streams: func() int { return 4 },
			Paused: func(*db.Tx) (int, error) { return pausedPacks, nil },
			Beacon: func() rounds.State { return beacon },
			Submissions: func() []publiclog.SubmissionCount {
				return []publiclog.SubmissionCount{{Witness: "w", Result: publiclog.Cosigned, Count: 6}}
			},
		})
		read := func() series {
			w := httptest.NewRecorder()
			m.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
			return parse(t, apptest.Answer{Status: w.Code, Body: w.Body.Bytes()})
		}
		wants := func(got series, want series) {
			t.Helper()
			for name, value := range want {
				actual, found := got[name]
				if found == (value == absent) || found && actual != value {
					t.Errorf("%s is %g (found: %t), want %g", name, actual, found, value)
				}
			}
		}
		first := series{
			"kaibao_ready": 1, "kaibao_database_metrics_success": 1, "kaibao_packs_paused": 3, "kaibao_orders_pending": 0, "kaibao_orders_oldest_pending_timestamp_seconds": 0, `kaibao_deposits{state="quoted"}`: 0, `kaibao_redemptions{state="requested"}`: 0,
			`kaibao_queue_length{queue="open-pack"}`: 9, "kaibao_event_streams": 4, "kaibao_audit_last_success_timestamp_seconds": 0,
			"kaibao_backup_last_success_timestamp_seconds": 0, "kaibao_backup_failing": 0, "kaibao_backup_drill_last_success_timestamp_seconds": 0, "kaibao_backup_drill_failing": 0,
			`kaibao_job_failures_total{name="sign"}`: 2, `kaibao_job_failing{name="sign"}`: 0, `kaibao_job_last_success_timestamp_seconds{name="sign"}`: float64(noon.Unix()),
			`kaibao_beacon_rounds_fetched_total{use="draw"}`: 6, `kaibao_beacon_rounds_fetched_total{use="clock"}`: 5, `kaibao_beacon_invalid_signatures_total{relay="relay.example"}`: 2,
			"kaibao_beacon_lateness_seconds": absent, "kaibao_beacon_clock_checked": 0, "kaibao_beacon_clock_ready": 0,
			`kaibao_log_submissions_total{result="cosigned",witness="w"}`: 6, "kaibao_log_last_quorum_timestamp_seconds": absent, "kaibao_log_uncosigned_leaves": absent, "kaibao_log_quorum_wanted_timestamp_seconds": absent,
			`kaibao_job_max_age_seconds{name="sign"}`: 61, `kaibao_job_failing{name="count"}`: 1, `kaibao_job_behind_leaves{name="count"}`: 7,
		}
		wants(read(), first)
		c.Post(t, "/api/wallet/deposits", apptest.Body{"amountCents": 2500}).Want(t, http.StatusOK, nil)
		pausedPacks = 1
		if err := s.DB.InTx(t.Context(), func(tx *db.Tx) error {
			wrong := errors.New("damaged")
			return errors.Join(publicbooks.NoteAudit(tx), backup.NoteMade(tx), backup.NoteFailure(tx, wrong),
				backup.NoteDrill(tx, "first", time.Time{}, nil), backup.NoteDrill(tx, "second", time.Time{}, wrong))
		}); err != nil {
			t.Fatal(err)
		}
		w := s.Witness(t)
		w.URL = "http://127.0.0.1:1" // nobody answers
		s.SetWitnesses(t, 1, w)
		s.WaitForLog(t)
		now = noon.Add(9 * time.Second)
		wants(read(), first)
		now = noon.Add(10 * time.Second)
		lateness := -250 * time.Millisecond
		beacon.Active, beacon.ClockReady, beacon.Lateness = true, true, &lateness
		changed := read()
		wants(changed, series{"kaibao_beacon_lateness_seconds": -.25, "kaibao_beacon_clock_checked": 1, "kaibao_beacon_clock_ready": 1})
		if changed["kaibao_log_uncosigned_leaves"] < 1 {
			t.Errorf("%g leaves aren't cosigned", changed["kaibao_log_uncosigned_leaves"])
		}
		wants(changed, series{"kaibao_log_last_quorum_timestamp_seconds": 0, "kaibao_log_quorum_wanted_timestamp_seconds": 0, "kaibao_packs_paused": 1, `kaibao_deposits{state="quoted"}`: 1, `kaibao_deposits{state="review"}`: 0, "kaibao_backup_failing": 1, "kaibao_backup_drill_failing": 1})
		for _, name := range []string{"kaibao_audit_last_success_timestamp_seconds", "kaibao_backup_last_success_timestamp_seconds", "kaibao_backup_drill_last_success_timestamp_seconds", `kaibao_deposits_oldest_timestamp_seconds{state="quoted"}`} {
			if changed[name] < float64(noon.Unix()) {
				t.Errorf("%s is %g, want the present", name, changed[name])
			}
		}
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		now = noon.Add(20 * time.Second)
		wants(read(), series{"kaibao_database_metrics_success": 0, "kaibao_event_streams": 4, "kaibao_packs_paused": absent, `kaibao_deposits{state="quoted"}`: absent})
	})
}

// absent marks a series that must not exist.
const absent = -1
