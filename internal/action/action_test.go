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

// commits makes each COMMIT end as planned; after the plan they succeed.
type commits struct{ plan []string }

func (c *commits) commit(commit func() error) error {
	if len(c.plan) == 0 {
		return commit()
	}
	next := c.plan[0]
	c.plan = c.plan[1:]
	switch next {
	case "lost": // the connection broke before the commit
		return errors.New("broken before")
	case "kept": // … or after it
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

// newActs returns a server on a database with one call, which inserts one row each time it executes.
func newActs(t testing.TB, o db.Options) (*httpapitest.Server, *db.DB) {
	t.Helper()
	d := dbtest.Open(t, o)
	e := httpapitest.New(t, "https://kaibao.example", func(o *httpapi.Options) { o.DB = d })
	err := d.InTx(t.Context(), func(tx *db.Tx) error {
		_, err := tx.Exec(`INSERT INTO users (id, wallet_address, tag, tag_salt, created_at) VALUES ($1, 'w', 't', $2, 0)`, dbtest.ID("user"), []byte{1})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	action.Handle(e.API, httpapi.Post(httpapi.Session, "/api/act", "act", "Act"),
		func(tx *db.Tx, _ httpapi.Principal, in *actInput) (string, error) {
			id := tx.NewID()
			_, err := tx.Exec(`INSERT INTO settings (name, value) VALUES ($1, $2)`, id, in.Body.Name)
			return id, err
		})
	return e, d
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
		{[]string{"kept"}, 200, 1},
		{[]string{"lost", "kept"}, 503, 1},
		{[]string{"kept", "kept"}, 503, 1},
		{[]string{"kept", "lost"}, 503, 1},
		{[]string{"lost", "lost"}, 503, 0},
	} {
		for _, engine := range dbtest.Engines() {
			for _, key := range []string{"", "a-key"} {
				t.Run(fmt.Sprintf("%s, %s, key %q", engine, strings.Join(c.plan, " then "), key), func(t *testing.T) {
					o, broken := dbtest.Options(t, engine), &commits{}
					o.Commit = broken.commit
					e, d := newActs(t, o)
					call := func() *httptest.ResponseRecorder {
						return e.Call("POST", "/api/act", `{"name":"n"}`, "Cookie", "__Host-kaibao_session=user", "Idempotency-Key", key)
					}
					broken.plan = c.plan
					first := call()
					if len(broken.plan) != 0 {
						t.Errorf("commits left: %v", broken.plan)
					}
					if first.Code != c.status {
						t.Errorf("answered %d %s, want %d", first.Code, first.Body, c.status)
					}
					if c.status == http.StatusServiceUnavailable {
						httpapitest.Refused(t, first, 503, "unavailable")
						if first.Header().Get("Retry-After") != "1" {
							t.Errorf("Retry-After is %q", first.Header().Get("Retry-After"))
						}
					}
					if n := count(t, d, "settings"); n != c.acts {
						t.Errorf("acted %d times, want %d", n, c.acts)
					}
					if key == "" {
						return
					}
					again := call()
					if again.Code != 200 || first.Code == 200 && again.Body.String() != first.Body.String() {
						t.Errorf("again: %d %s, first %s", again.Code, again.Body, first.Body)
					}
					if n := count(t, d, "settings"); n != 1 {
						t.Errorf("acted %d times in the end", n)
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
