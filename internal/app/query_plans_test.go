package app

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/houserules"
	"kaibao/internal/httpapi"
	"kaibao/internal/idempotency"
	"kaibao/internal/identity"
	"kaibao/internal/jobs"
)

// Expired rows are deleted in batches, each in a separate transaction. Other rows stay.
func TestPruningUsesSmallTransactions(t *testing.T) {
	const old = 2*jobs.BatchSize + 10
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) {
			clock, commits := dbtest.NewClock(), 0
			o := dbtest.Options(t, engine)
			o.Now, o.CallTime = clock.Now, time.Hour // thousands of rows in one call
			o.Commit = func(commit func() error) error { commits++; return commit() }
			d := dbtest.Open(t, o)
			insertRows(t, d, "old", old)
			clock.Advance(idempotency.KeyLifetime + time.Second)
			insertRows(t, d, "new", 10)
			before := commits
			for _, job := range slices.Concat(idempotency.Jobs(d), identity.New(identity.Options{DB: d}).Jobs()) {
				if _, err := job.Do(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if n := commits - before; n != 7 {
				t.Errorf("%d transactions, want 3 for each table, and 1 for reserved handles, of which there are none", n)
			}
			for _, table := range []string{"idempotency", "sessions"} {
				left, err := queryInt(t, d, `SELECT COUNT(*) FROM `+table)
				if err != nil || left != 10 {
					t.Errorf("%s has %d rows left (%v), want 10", table, left, err)
				}
			}
		})
	}
}

// Pruning queries use indexes, without full scans or sorting.
func TestPruningQueriesUseIndexes(t *testing.T) {
	d := dbtest.Open(t, db.Options{Dir: t.TempDir()})
	for _, query := range []string{
		`DELETE FROM idempotency WHERE place IN (SELECT place FROM idempotency WHERE created_at < 1 ORDER BY created_at LIMIT 1)`,
		`DELETE FROM alerts WHERE id IN (SELECT id FROM alerts WHERE id < '1' ORDER BY id LIMIT 1)`,
		`DELETE FROM sessions WHERE token_hash IN (SELECT token_hash FROM sessions WHERE last_used_at < 1 ORDER BY last_used_at LIMIT 1)`,
	} {
		var steps []string
		for _, step := range plan(t, d, query) {
			steps = append(steps, step.detail)
		}
		if all := strings.Join(steps, "\n"); !strings.Contains(all, "SEARCH") || strings.Contains(all, "SCAN") || strings.Contains(all, "TEMP B-TREE") {
			t.Errorf("%s:\n%s", query, all)
		}
	}
}

// The audit's work is linear in the size of the database. In SQLite's query plans no table is
// scanned inside another loop.
func TestAuditQueriesHaveNoNestedScans(t *testing.T) {
	o := dbtest.Options(t, "sqlite")
	queries := map[string]bool{}
	o.Watch = func() func(string) { return func(query string) { queries[query] = true } }
	d := dbtest.Open(t, o)
	for _, full := range []bool{true, false} {
		err := d.InTx(t.Context(), func(tx *db.Tx) error {
			_, err := Audit(tx, full, nil)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(queries) < 50 {
		t.Fatalf("the audit made %d queries", len(queries))
	}
	for query := range maps.Clone(queries) { // reading a plan is a query, too
		var steps strings.Builder
		loops, nested := map[int]int{}, false // loops by parent step
		for _, s := range plan(t, d, query) {
			fmt.Fprintln(&steps, s.number, s.parent, s.detail)
			scan := strings.HasPrefix(s.detail, "SCAN ") && s.detail != "SCAN shifts" // shifts has only the few levels of the ranks' counts
			nested = nested || scan && loops[s.parent] > 0
			if scan || strings.HasPrefix(s.detail, "SEARCH ") {
				loops[s.parent]++
			}
			if strings.HasPrefix(s.detail, "CORRELATED ") {
				loops[s.number]++
			}
		}
		if nested {
			t.Errorf("%s\n%s", query, steps.String())
		}
	}
}

// The admins' search, and their lists of a user or a period, use indexes. In SQLite's query plans no
// table is scanned.
func TestAdminFiltersUseIndexes(t *testing.T) {
	o := dbtest.Options(t, "sqlite")
	queries := map[string]bool{}
	o.Watch = func() func(string) { return func(query string) { queries[query] = true } }
	d := dbtest.Open(t, o)
	public, err := httpapi.ParsePublicURL("http://127.0.0.1:8080")
	if err != nil {
		t.Fatal(err)
	}
	api := newServices(Config{}, d, public, nil, secrets{}, houserules.Default()).api(httpapi.Options{DB: d, Log: slog.New(slog.DiscardHandler), PublicURL: public, NewRequestID: func() string { return "request" }, Clock: time.Now})
	api.Authenticate = func(context.Context, string) (httpapi.Principal, error) {
		return httpapi.Principal{UserID: dbtest.ID("admin"), Role: "admin"}, nil
	}
	handler := api.Handler()
	user, period := "user="+dbtest.ID("user"), "from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z"
	paths := []string{"search?q=" + dbtest.ID("user"), "search?q=Ann", "search?q=" + dbtest.ID("user")[:8], "search?q=" + dbtest.ID("user")[:8] + "...123456", "search?q=DPrnt6...koV6", "users?" + period, "users/" + dbtest.ID("user") + "/sessions", "users/" + dbtest.ID("user") + "/notes", "users/" + dbtest.ID("user") + "/limit-changes"}
	for _, list := range []string{"opens", "entries", "deposits", "bids", "sales", "sell-backs", "redemptions", "transfers", "audit"} {
		paths = append(paths, list+"?"+user, list+"?"+period, list+"?"+user+"&"+period)
	}
	// Plans also say SCAN for the rows that a part of the query found, such as some_users, and for lists of ids.
	parts := []string{"f", "moved", "by_name", "json_each"}
	for _, path := range paths {
		clear(queries)
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/admin/"+path, nil)
		r.Host = "127.0.0.1:8080"
		r.AddCookie(&http.Cookie{Name: httpapi.SessionCookie, Value: "of an admin"})
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code != http.StatusOK {
			t.Fatalf("%s: %d %s", path, w.Code, w.Body)
		}
		for query := range maps.Clone(queries) { // reading a plan is a query, too
			var steps strings.Builder
			scans := false
			for _, s := range plan(t, d, query) {
				fmt.Fprintln(&steps, s.detail)
				words := strings.Fields(s.detail)
				scans = scans || words[0] == "SCAN" && !slices.Contains(parts, words[1]) && !strings.HasPrefix(words[1], "some_")
			}
			if scans {
				t.Errorf("%s: %s\n%s", path, query, steps.String())
			}
		}
	}
}

// A profile and its picture use indexes: their time doesn't grow with the tables. In SQLite's query plans no
// table is scanned.
func TestProfilesUseIndexes(t *testing.T) {
	o := dbtest.Options(t, "sqlite")
	queries := map[string]bool{}
	o.Watch = func() func(string) { return func(query string) { queries[query] = true } }
	d := dbtest.Open(t, o)
	err := d.InTx(t.Context(), func(tx *db.Tx) error {
		if err := tx.ExecOne(`INSERT INTO users (id, wallet_address, tag, tag_salt, created_at, handle, handle_folded, is_public, public_language)
			VALUES ($1, 'w', 't', $2, 0, 'mei', 'mei', TRUE, 'en')`, dbtest.ID("user"), []byte{}); err != nil {
			return err
		}
		return tx.ExecOne(`INSERT INTO accounts (user_id, nonce, commitment, sealed_seed) VALUES ($1, 0, $2, $2)`, dbtest.ID("user"), []byte{})
	})
	if err != nil {
		t.Fatal(err)
	}
	public, err := httpapi.ParsePublicURL("http://127.0.0.1:8080")
	if err != nil {
		t.Fatal(err)
	}
	handler := newServices(Config{PlainPreviews: true}, d, public, nil, secrets{}, houserules.Default()).api(httpapi.Options{DB: d, Log: slog.New(slog.DiscardHandler), PublicURL: public, NewRequestID: func() string { return "request" }, Clock: time.Now}).Handler()
	clear(queries)
	for _, path := range []string{"/api/profiles/mei", "/media/previews/u/mei.png"} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
		r.Host = "127.0.0.1:8080"
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		if w.Code != http.StatusOK {
			t.Fatalf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	if len(queries) < 8 {
		t.Errorf("a profile makes %d queries: %v", len(queries), slices.Collect(maps.Keys(queries)))
	}
	parts := []string{"o", "b", "l", "best", "latest", "json_each"} // of queries: what they have found by an index
	for query := range maps.Clone(queries) {
		if strings.Contains(query, "FROM items WHERE is_active GROUP BY") {
			continue // the list of all sets, which is cached
		}
		for _, s := range plan(t, d, query) {
			words := strings.Fields(s.detail)
			if words[0] == "SCAN" && !slices.Contains(parts, words[1]) && !strings.HasPrefix(words[1], "some_") && words[1] != "(subquery-1)" {
				t.Errorf("%s: %s", s.detail, query)
			}
		}
	}
}

// planStep is a step of an SQLite query plan.
type planStep struct {
	number, parent int
	detail         string
}

func plan(t *testing.T, d *db.DB, query string) (steps []planStep) {
	t.Helper()
	highest := 0
	for _, placeholder := range regexp.MustCompile(`\$\d+`).FindAllString(query, -1) {
		n, err := strconv.Atoi(placeholder[1:])
		if err != nil {
			t.Fatal(err)
		}
		highest = max(highest, n)
	}
	err := d.Read(t.Context(), func(tx *db.Tx) (err error) {
		steps, err = db.All(tx, func(s db.Scanner) (p planStep, err error) {
			var unused int
			return p, s.Scan(&p.number, &p.parent, &unused, &p.detail)
		}, `EXPLAIN QUERY PLAN `+query, make([]any, highest)...)
		return err
	})
	if err != nil {
		t.Errorf("%s: %v", query, err)
	}
	return steps
}

// insertRows stores responses and sessions of a new user.
func insertRows(t *testing.T, d *db.DB, user string, rows int) {
	t.Helper()
	answers := db.Rows{Columns: []string{"place", "fingerprint", "answer", "created_at"}}
	sessions := db.Rows{Columns: []string{"token_hash", "user_id", "created_at", "last_used_at"}}
	err := d.InTx(t.Context(), func(tx *db.Tx) error {
		now := db.Micros(tx.Now)
		for n := range rows {
			name := fmt.Sprint(user, n)
			answers.Add([]byte(name), []byte{}, []byte{}, now)
			sessions.Add([]byte(name), db.ID(dbtest.ID(user)), now, now)
		}
		if _, err := tx.Exec(`INSERT INTO users (id, wallet_address, tag, tag_salt, created_at) VALUES ($1, $2, $2, $3, 0)`,
			dbtest.ID(user), user, []byte{}); err != nil {
			return err
		}
		if err := tx.InsertRows("idempotency", answers); err != nil {
			return err
		}
		return tx.InsertRows("sessions", sessions)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func queryInt(t *testing.T, d *db.DB, query string) (n int64, err error) {
	t.Helper()
	err = d.Read(t.Context(), func(tx *db.Tx) (err error) {
		n, err = db.One(tx, db.Column[int64], query)
		return err
	})
	return n, err
}
