package httpkit_test

import (
	"context"
	"net/http"
	"testing"

	"kaibao/internal/httpkit"
)

// An address that is there says what it takes; one that is not says so in a sentence.
func TestAddressesSayWhatTheyTake(t *testing.T) {
	e := newEdge(t, "https://kaibao.example").routes()
	httpkit.JSON(e.Kit, httpkit.Post(httpkit.Session, "/api/read", "write", "Write"),
		func(context.Context, *struct{}) (string, error) { return "", nil })
	e.Pages(http.NotFoundHandler())
	for _, c := range []struct{ method, path, allow, code, says string }{
		{"DELETE", "/api/read", "GET, HEAD, POST", "method_not_allowed", "This address does not take DELETE; it takes GET, HEAD, POST."},
		{"OPTIONS", "/api/echo", "POST", "method_not_allowed", "This address does not take OPTIONS; it takes POST."},
		{"GET", "/api/echo", "POST", "method_not_allowed", "This address does not take GET; it takes POST."},
		{"PUT", "/some/page", "GET, HEAD", "method_not_allowed", "This address does not take PUT; it takes GET, HEAD."},
		{"GET", "/api/none", "", "not_found", "There is nothing at this address; all calls are listed at /api/openapi.json."},
		{"BREW", "/api/none", "", "not_found", "There is nothing at this address; all calls are listed at /api/openapi.json."},
	} {
		w := e.call(c.method, c.path, "")
		status := http.StatusNotFound
		if c.allow != "" {
			status = http.StatusMethodNotAllowed
		}
		if r := refused(t, w, status, c.code); r.Message != c.says || w.Header().Get("Allow") != c.allow {
			t.Errorf("%s %s: %q, Allow %q", c.method, c.path, r.Message, w.Header().Get("Allow"))
		}
	}
}
