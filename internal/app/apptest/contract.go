package apptest

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"kaibao/internal/app"
)

// refusals are the codes that each documented call may refuse with, by status.
type refusals struct {
	routes *http.ServeMux // that find the call of a request
	codes  map[string]map[string][]string
}

var documented = sync.OnceValues(func() (refusals, error) {
	var document struct {
		Paths map[string]map[string]struct {
			Responses map[string]struct {
				Ref string `json:"$ref"`
			}
		}
	}
	text, err := app.Contract()
	if err == nil {
		err = json.Unmarshal(text, &document)
	}
	r := refusals{http.NewServeMux(), map[string]map[string][]string{}}
	for path, calls := range document.Paths {
		for method, call := range calls {
			pattern := strings.ToUpper(method) + " " + strings.ReplaceAll(path, "{path}", "{path...}")
			r.routes.Handle(pattern, http.NotFoundHandler())
			r.codes[pattern] = map[string][]string{}
			for status, response := range call.Responses {
				_, name, _ := strings.Cut(response.Ref, "#/components/responses/"+status+".")
				r.codes[pattern][status] = strings.Split(name, ".")
			}
		}
	}
	return r, err
})

// asDocumented fails the test for a refusal that the document does not announce:
// whoever reads it must be able to answer every one.
func (a Answer) asDocumented(t testing.TB, method, path string) {
	t.Helper()
	if a.Status < http.StatusBadRequest || a.Status == http.StatusMethodNotAllowed {
		return
	}
	document, err := documented()
	if err != nil {
		t.Fatalf("read the contract: %v", err)
	}
	target, err := url.Parse(path)
	if err != nil {
		return // not an address at all
	}
	_, pattern := document.routes.Handler(&http.Request{Method: method, URL: target, Host: "kaibao.example"})
	if pattern == "" {
		return // nothing is served there
	}
	var refusal struct{ Code string }
	_ = a.Read(&refusal)
	if !slices.Contains(document.codes[pattern][strconv.Itoa(a.Status)], refusal.Code) {
		t.Errorf("%s %s was refused with %d %s, which the document does not say of %s", method, path, a.Status, refusal.Code, pattern)
	}
}
