package action_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"kaibao/internal/action"
	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/httpapi"
	"kaibao/internal/httpapi/httpapitest"
)

// count returns the number of rows in a table.
func count(t testing.TB, d *db.DB, table string) (n int) {
	t.Helper()
	err := d.Read(t.Context(), func(tx *db.Tx) (err error) {
		n, err = db.One(tx, db.Column[int], "SELECT COUNT(*) FROM "+table)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// commitPlan sets the outcomes of the next COMMITs; later ones succeed.
type commitPlan struct{ outcomes []string }

func (c *commitPlan) commit(commit func() error) error {
	if len(c.outcomes) == 0 {
		return commit()
	}
	next := c.outcomes[0]
	c.outcomes = c.outcomes[1:]
	switch next {
	case "lost": // the connection broke before the commit
		return errors.New("broken before")
	case "committed": // the connection broke after it
		return errors.Join(commit(), errors.New("broken after"))
	default:
		return commit()
	}
}

type actInput struct {
	action.Idempotent
	Body struct {
		Name string `json:"name"`
	}
}

// newActServer returns a server on a database with one call, which inserts one row each time it executes.
func newActServer(t testing.TB, o db.Options) (*httpapitest.Server, *db.DB) {
	t.Helper()
	d := dbtest.Open(t, o)
	server := httpapitest.New(t, "https://kaibao.example", func(o *httpapi.Options) { o.DB = d })
	err := d.InTx(t.Context(), func(tx *db.Tx) error {
		_, err := tx.Exec(`INSERT INTO users (id, wallet_address, tag, tag_salt, created_at) VALUES ($1, 'w', 't', $2, 0)`, dbtest.ID("user"), []byte{1})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	action.Handle(server.API, httpapi.Post(httpapi.Session, "/api/act", "act", "Act"),
		func(tx *db.Tx, _ httpapi.Principal, in *actInput) (string, error) {
			id := tx.NewID()
			_, err := tx.Exec(`INSERT INTO settings (name, value) VALUES ($1, $2)`, id, in.Body.Name)
			return id, err
		})
	return server, d
}

// After an unknown commit outcome the server looks for the stored response before it executes
// again. The call returns that response or 503, and a retry with the same key neither loses nor
// repeats the act.
func TestUnknownCommitsAreLookedUp(t *testing.T) {
	for _, c := range []struct {
		plan   []string
		status int
		acts   int // rows after the call
	}{
		{[]string{"lost"}, 200, 1},
		{[]string{"committed"}, 200, 1},
		{[]string{"lost", "committed"}, 503, 1},
		{[]string{"committed", "committed"}, 503, 1},
		{[]string{"committed", "lost"}, 503, 1},
		{[]string{"lost", "lost"}, 503, 0},
	} {
		for _, engine := range dbtest.Engines() {
			for _, key := range []string{"", "a-key"} {
				t.Run(fmt.Sprintf("%s, %s, key %q", engine, strings.Join(c.plan, " then "), key), func(t *testing.T) {
					o, plan := dbtest.Options(t, engine), &commitPlan{}
					o.Commit = plan.commit
					server, d := newActServer(t, o)
					call := func() *httptest.ResponseRecorder {
						return server.Call("POST", "/api/act", `{"name":"n"}`, "Cookie", "__Host-kaibao_session=user", "Idempotency-Key", key)
					}
					plan.outcomes = c.plan
					first := call()
					if len(plan.outcomes) != 0 {
						t.Errorf("unused outcomes: %v", plan.outcomes)
					}
					if first.Code != c.status {
						t.Errorf("responded %d %s, want %d", first.Code, first.Body, c.status)
					}
					if c.status == http.StatusServiceUnavailable {
						httpapitest.Refused(t, first, 503, "unavailable")
						if first.Header().Get("Retry-After") != "1" {
							t.Errorf("Retry-After is %q", first.Header().Get("Retry-After"))
						}
					}
					if n := count(t, d, "settings"); n != c.acts {
						t.Errorf("executed %d times, want %d", n, c.acts)
					}
					if key == "" {
						return
					}
					again := call()
					if again.Code != 200 || first.Code == 200 && again.Body.String() != first.Body.String() {
						t.Errorf("the retry responded %d %s, the first call %s", again.Code, again.Body, first.Body)
					}
					if n := count(t, d, "settings"); n != 1 {
						t.Errorf("executed %d times after the retry, want once", n)
					}
				})
			}
		}
	}
}

func TestActsNeedASession(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a public act was registered")
		}
	}()
	action.Handle(httpapitest.New(t, "https://kaibao.example").API, httpapi.Post(httpapi.Public, "/api/act", "act", "Act"),
		func(*db.Tx, httpapi.Principal, *actInput) (string, error) { return "reached", nil })
}

func TestActsRefuseUnknownFields(t *testing.T) {
	s := httpapitest.New(t, "https://kaibao.example")
	action.Handle(s.API, httpapi.Post(httpapi.Session, "/api/act", "act", "Act"),
		func(*db.Tx, httpapi.Principal, *actInput) (string, error) { panic("a refused act was executed") })
	r := httpapitest.Refused(t, s.Call("POST", "/api/act", `{"name":"a","new":1}`, "Cookie", "__Host-kaibao_session=user"), 422, "invalid")
	if len(r.Fields) != 1 || r.Fields["new"] == "" {
		t.Errorf("refused for %v, want new", r.Fields)
	}
}
