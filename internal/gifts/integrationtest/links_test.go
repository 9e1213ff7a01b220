package integrationtest

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"kaibao/internal/app/apptest"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
)

// linkView is a gift as anyone with its link sees it.
type linkView struct {
	State string
	Own   bool
	From  struct{ FirstName string }
	Items []struct{ ID, Name string }
}

// view opens a link, without a session if c is nil.
func view(t testing.TB, c *apptest.Client, id, secret string) apptest.Answer {
	t.Helper()
	return c.Post(t, "/api/gifts/"+id+"/view", payload{"secret": secret})
}

// Anyone with the link can see the gift, and one of them can accept it once, but not the giver. All wrong
// guesses get the same answer.
func TestLinkIsOpenedOnce(t *testing.T) {
	apptest.Each(t, func(t *testing.T, s *apptest.Server) {
		ann, ben, cy, visitor := s.SignIn(t), s.SignIn(t), s.SignIn(t), s.NewClient(t)
		cards := pull(t, ann)
		id := ann.Give(t, apptest.ToLink(secret), cards[0], cards[1])
		unknown := strings.Repeat("0", 8) + id[8:]
		for _, guess := range []struct{ id, secret string }{{id, otherSecret}, {unknown, secret}, {"nothing", secret}} {
			if a, b := view(t, visitor, guess.id, guess.secret), view(t, visitor, unknown, otherSecret); a.Status != http.StatusNotFound || refusalOf(a) != refusalOf(b) {
				t.Errorf("a guess is answered %s, want exactly %s", a.Body, b.Body)
			}
			respond(t, ben, guess.id, "accept", payload{"secret": guess.secret}).Refused(t, http.StatusNotFound, "not_found")
		}
		respond(t, ben, id, "accept", nil).Refused(t, http.StatusNotFound, "not_found")
		respond(t, ben, id, "refuse", nil).Refused(t, http.StatusNotFound, "not_found")
		if got := giftsOf(t, ben, ""); len(got) != 0 {
			t.Errorf("a stranger is shown %+v", got)
		}

		var shown linkView
		view(t, visitor, id, secret).Want(t, http.StatusOK, &shown)
		if shown.State != "waiting" || shown.Own || len(shown.Items) != 2 || strings.Contains(fmt.Sprint(shown), cards[0]) {
			t.Errorf("a visitor sees %+v, want two items without the ids of their entries", shown)
		}
		view(t, ann, id, secret).Want(t, http.StatusOK, &shown)
		if !shown.Own {
			t.Error("the giver isn't told that the gift is their own")
		}
		respond(t, ann, id, "accept", payload{"secret": secret}).Refused(t, http.StatusConflict, "own_gift")
		s.Audit(t)

		body := payload{"secret": secret}
		ben.Post(t, "/api/gifts/"+id+"/accept", body, "Idempotency-Key", "link").Want(t, http.StatusOK, nil)
		if again := ben.Post(t, "/api/gifts/"+id+"/accept", body, "Idempotency-Key", "link"); again.Status != http.StatusOK || again.Header.Get("Idempotency-Replayed") != "true" {
			t.Errorf("a repeated request is answered %d %s", again.Status, again.Body)
		}
		cy.Post(t, "/api/gifts/"+id+"/accept", body, "Idempotency-Key", "link").Refused(t, http.StatusConflict, "gift_ended")
		respond(t, ben, id, "accept", body).Refused(t, http.StatusConflict, "gift_ended")
		view(t, visitor, id, secret).Want(t, http.StatusOK, &shown)
		if shown.State != "accepted" {
			t.Errorf("the link shows %s, want accepted", shown.State)
		}
		wantEntry(t, ben, cards[0], "held", "gift")
		wantState(t, ben, id, "accepted")
		s.Audit(t)
	})
}

// refusalOf returns an error without its request id.
func refusalOf(a apptest.Answer) string {
	var r struct{ Message, Code string }
	_ = a.Read(&r)
	return r.Code + " " + r.Message
}

// The views of links are limited to 30 a minute, so that secrets can't be guessed. Other calls aren't.
func TestViewsOfLinksAreLimited(t *testing.T) {
	apptest.EachWithClock(t, func(t *testing.T, s *apptest.Server, _ *dbtest.Clock) {
		visitor := s.NewClient(t)
		for range 30 {
			view(t, visitor, "nothing", otherSecret).Refused(t, http.StatusNotFound, "not_found")
		}
		view(t, visitor, "nothing", otherSecret).Refused(t, http.StatusTooManyRequests, "rate_limited")
		visitor.Get(t, "/api/packs").Want(t, http.StatusOK, nil)
	}, apptest.LimitRates)
}

// captureLog redirects what servers that start from now on log, and returns a function that reads it.
func captureLog(t *testing.T) func() []byte {
	t.Helper()
	file, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	stderr := os.Stderr
	os.Stderr = file
	t.Cleanup(func() {
		os.Stderr = stderr
		_ = file.Close()
	})
	return func() []byte {
		text, err := os.ReadFile(file.Name())
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
}

// collectTraces receives the traces of a server, and returns a function that reads them.
func collectTraces(t *testing.T) (endpoint string, read func() []byte) {
	t.Helper()
	var mutex sync.Mutex
	var all []byte
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Errorf("the collector can't read a request: %v", err)
		}
		mutex.Lock()
		defer mutex.Unlock()
		all = append(all, body...)
	}))
	t.Cleanup(collector.Close)
	return collector.URL, func() []byte {
		mutex.Lock()
		defer mutex.Unlock()
		return slices.Clone(all)
	}
}

// No database row, log line, trace or answer contains a secret, whether or not the request with it
// succeeded.
func TestSecretsAreNowhere(t *testing.T) {
	for _, engine := range dbtest.Engines() {
		t.Run(engine, func(t *testing.T) { wantNoSecrets(t, engine) })
	}
}

func wantNoSecrets(t *testing.T, engine string) {
	logged := captureLog(t)
	endpoint, traced := collectTraces(t)
	s := apptest.Start(t, apptest.Config(t, engine, apptest.LogEverything(endpoint)))
	ann, ben, visitor := s.SignIn(t), s.SignIn(t), s.NewClient(t)
	cards := pull(t, ann)
	id := ann.Give(t, apptest.ToLink(secret), cards[0])
	malformed := strings.ToUpper(secret)
	answers := []apptest.Answer{
		view(t, visitor, id, secret), view(t, visitor, id, malformed), view(t, visitor, "nothing", secret),
		respond(t, ben, id, "accept", payload{"secret": malformed}), respond(t, ann, id, "accept", payload{"secret": secret}),
		respond(t, ben, id, "accept", payload{"secret": secret, "unknown": secret}), respond(t, ben, id, "accept", payload{"secret": []string{secret}}),
		ben.Post(t, "/api/gifts/"+id+"/accept", payload{"secret": secret}, "Idempotency-Key", "kept"),
		ben.Post(t, "/api/gifts/"+id+"/accept", payload{"secret": secret}, "Idempotency-Key", "kept"),
		ann.Get(t, "/api/gifts"), ben.Get(t, "/api/gifts"), ben.Get(t, "/api/alerts"), ben.Get(t, "/api/inventory/"+cards[0]),
	}
	if answers[7].Status != http.StatusOK {
		t.Fatalf("not accepted: %s", answers[7].Body)
	}
	for i, a := range answers {
		if strings.Contains(strings.ToLower(string(a.Body)), secret) {
			t.Errorf("answer %d contains the secret: %s", i, a.Body)
		}
	}
	raw, packed := []byte(secret), []byte{0x00, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77}
	for table, rows := range everyRow(t, s) {
		if bytes.Contains(rows, raw) || bytes.Contains(rows, packed) {
			t.Errorf("table %s contains the secret", table)
		}
	}
	s.Stop()
	if text := logged(); bytes.Contains(bytes.ToLower(text), raw) || !bytes.Contains(text, []byte("/api/gifts/"+id+"/view")) {
		t.Errorf("the log contains the secret, or not the request: %d bytes", len(text))
	}
	if spans := traced(); bytes.Contains(bytes.ToLower(spans), raw) || !bytes.Contains(spans, []byte("/api/gifts/{id}/view")) {
		t.Errorf("the traces contain the secret, or not the request: %d bytes", len(spans))
	}
}

// everyRow returns the contents of every table as bytes.
func everyRow(t testing.TB, s *apptest.Server) map[string][]byte {
	t.Helper()
	found := map[string][]byte{}
	tables := `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`
	columns := `SELECT name FROM pragma_table_info('%s')`
	if s.DB.Engine() == "postgres" {
		tables = `SELECT CAST(table_name AS TEXT) FROM information_schema.tables WHERE table_schema = current_schema()`
		columns = `SELECT CAST(column_name AS TEXT) FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = '%s'`
	}
	err := s.DB.Read(t.Context(), func(tx *db.Tx) error {
		names, err := db.All(tx, db.Column[string], tables)
		if err != nil {
			return err
		}
		for _, table := range names {
			fields, err := db.All(tx, db.Column[string], fmt.Sprintf(columns, table))
			if err != nil {
				return err
			}
			for _, field := range fields {
				values, err := db.All(tx, scanAny, `SELECT "`+field+`" FROM "`+table+`"`)
				if err != nil {
					return err
				}
				found[table] = slices.Concat(found[table], slices.Concat(values...))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// scanAny reads a column of any type as bytes.
func scanAny(s db.Scanner) ([]byte, error) {
	var value any
	err := s.Scan(&value)
	switch v := value.(type) {
	case []byte:
		return append(v, '\n'), err
	case string:
		return []byte(v + "\n"), err
	}
	return fmt.Appendln(nil, value), err
}
