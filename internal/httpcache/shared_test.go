package httpcache_test

import (
	"compress/gzip"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"kaibao/internal/httpapi"
	"kaibao/internal/httpapi/httpapitest"
	"kaibao/internal/httpcache"
)

// plain returns a response's decompressed body.
func plain(t *testing.T, w *httptest.ResponseRecorder) string {
	t.Helper()
	if w.Header().Get("Content-Encoding") != "gzip" {
		return w.Body.String()
	}
	unzipped, err := gzip.NewReader(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(unzipped)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Clients that already have a shared response get 304.
func TestETags(t *testing.T) {
	text := strings.Repeat("<the same for all> ", 1000)
	e := httpapitest.New(t, "https://kaibao.example")
	httpcache.Shared(e.API, httpapi.Get(httpapi.Public, "/api/one", "one", "One"), func(context.Context, *struct{}) (string, error) { return text, nil })
	httpcache.Shared(e.API, httpapi.Get(httpapi.Public, "/api/list", "list", "List"), func(context.Context, *struct{}) (*httpapi.List[string], error) {
		return &httpapi.List[string]{Body: []string{text}, Next: "more"}, nil
	})
	e.Raw(httpapi.Get(httpapi.Public, "/file", "", ""), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		httpcache.Immutable(w, r, "text/plain; charset=utf-8", []byte(text))
	}))
	for path, c := range map[string]struct{ body, cache string }{
		"/api/one":  {`"` + text + `"` + "\n", "no-cache"},
		"/api/list": {`["` + text + `"]` + "\n", "no-cache"},
		"/file":     {text, "public, max-age=31536000, immutable"},
	} {
		for _, encoding := range []string{"identity", "gzip"} {
			first := e.Call("GET", path, "", "Accept-Encoding", encoding)
			etag := first.Header().Get("ETag")
			if first.Code != 200 || etag == "" || first.Header().Get("Cache-Control") != c.cache || plain(t, first) != c.body {
				t.Errorf("%s, %s: %d %v", path, encoding, first.Code, first.Header())
			}
			if zipped := first.Header().Get("Content-Encoding") == "gzip"; zipped != (encoding == "gzip") {
				t.Errorf("%s, %s: Content-Encoding is %q", path, encoding, first.Header().Get("Content-Encoding"))
			}
			if vary := first.Header().Get("Vary"); encoding == "gzip" && !strings.Contains(vary, "Accept-Encoding") {
				t.Errorf("%s: varies by %q", path, vary)
			}
			for given, status := range map[string]int{
				etag: 304, "W/" + etag: 304, `"other", ` + etag: 304, "*": 304, `"other"`: 200, strings.Trim(etag, `"`): 200,
			} {
				again := e.Call("GET", path, "", "Accept-Encoding", encoding, "If-None-Match", given)
				if again.Code != status || status == 304 && (again.Body.Len() != 0 || again.Header().Get("ETag") != etag) {
					t.Errorf("%s, %s, If-None-Match %s: %d with %d bytes, want %d", path, encoding, given, again.Code, again.Body.Len(), status)
				}
			}
		}
	}
	if next := e.Call("GET", "/api/list", "").Header().Get("X-Next-Cursor"); next != "more" {
		t.Errorf("the next cursor is %q", next)
	}
}

func TestSharedResponsesNeedNoSession(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a shared response that needs a session was registered")
		}
	}()
	httpcache.Shared(httpapitest.New(t, "https://kaibao.example").API, httpapi.Get(httpapi.Session, "/api/call", "call", "Call"),
		func(context.Context, *struct{}) (string, error) { return "reached", nil })
}
