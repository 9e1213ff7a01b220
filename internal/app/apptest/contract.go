package apptest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"kaibao/internal/app"
)

// refusals are the documented error codes of each call, by status.
type refusals struct {
	routes *http.ServeMux // finds the call of a request
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

// asDocumented fails the test for an undocumented error: clients must be able to handle every one.
func (a Answer) asDocumented(t testing.TB, method, path string) {
	t.Helper()
	if fault := a.Fault(method, path); fault != "" {
		t.Errorf("%s %s: %s", method, path, fault)
	}
}

// Fault describes what is wrong with an error response, or returns an empty string.
func (a Answer) Fault(method, path string) string {
	if a.Status < http.StatusBadRequest || method == http.MethodHead {
		return ""
	}
	var refusal struct{ Message, Code, RequestID string }
	if err := a.Read(&refusal); err != nil || refusal.Message == "" || refusal.Code == "" || refusal.RequestID == "" {
		return fmt.Sprintf("refused with %d %s, without a message, a code or a request id", a.Status, a.Body)
	}
	document, err := documented()
	if err != nil {
		return "the contract cannot be read: " + err.Error()
	}
	target, err := url.Parse(path)
	if err != nil || a.Status == http.StatusMethodNotAllowed {
		return "" // not a path, or not a documented call
	}
	_, pattern := document.routes.Handler(&http.Request{Method: method, URL: target, Host: "kaibao.example"})
	if pattern == "" || slices.Contains(document.codes[pattern][strconv.Itoa(a.Status)], refusal.Code) {
		return ""
	}
	return fmt.Sprintf("refused with %d %s, which the document does not say of %s", a.Status, a.Body, pattern)
}
