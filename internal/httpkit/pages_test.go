package httpkit_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"

	"kaibao/internal/db"
	"kaibao/internal/db/dbtest"
	"kaibao/internal/httpkit"
	"kaibao/internal/terms"
)

func TestPages(t *testing.T) {
	e := newEdge(t, "https://kaibao.example").routes()
	dist := fstest.MapFS{
		"dist/index.html":        {Data: []byte("<html><head></head><body>app https://public-url.invalid/og.png</body></html>")},
		"dist/assets/app-123.js": {Data: []byte("script")},
		"dist/robots.txt":        {Data: []byte("robots")},
		"secret.txt":             {Data: []byte("outside")},
	}
	if err := e.Pages(dist, httpkit.PageConfig{Sandbox: true, Version: "</script>", Social: "https://social.example", Terms: terms.PageTerms{FeePercent: 7}}); err != nil {
		t.Fatal(err)
	}
	told, err := json.Marshal(terms.PageTerms{FeePercent: 7})
	if err != nil {
		t.Fatal(err)
	}
	page := `id="kaibao-config">{"sandbox":true,"version":"\u003c/script\u003e","social":"https://social.example","chat":"","terms":` + string(told) +
		`,"session":false}</script></head><body>app https://kaibao.example/og.png`
	for _, c := range []struct {
		method, path string
		status       int
		body, cache  string
	}{
		{"GET", "/", 200, page, "no-cache"},
		{"GET", "/index.html", 200, page, "no-cache"},
		{"GET", "/packs/2", 200, page, "no-cache"}, // the app's own route
		{"GET", "/assets/app-123.js", 200, "script", "public, max-age=31536000, immutable"},
		{"GET", "/robots.txt", 200, "robots", "public, max-age=3600"},
		{"GET", "/assets/%2e%2e/%2e%2e/secret.txt", 200, page, "no-cache"},
		{"GET", "/api/none", 404, "not_found", "no-store"},
		{"GET", "/assets/old-456.js", 404, "not_found", "no-store"}, // a script of an earlier build
		{"GET", "/log/checkpoint", 404, "not_found", "no-store"},
		{"GET", "/media/none.svg", 404, "not_found", "no-store"},
		{"POST", "/", 405, "method_not_allowed", "no-store"},
		{"POST", "/some/page", 405, "method_not_allowed", "no-store"},
		{"DELETE", "/api/read", 405, "method_not_allowed", "no-store"},
		{"POST", "/api/none", 404, "not_found", "no-store"},
	} {
		w := e.call(c.method, c.path, "")
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.body) || w.Header().Get("Cache-Control") != c.cache {
			t.Errorf("%s %s: %d %v %s", c.method, c.path, w.Code, w.Header(), w.Body)
		}
		if etag := w.Header().Get("ETag"); c.status == 200 {
			if again := e.call(c.method, c.path, "", "If-None-Match", etag); again.Code != 304 || again.Body.Len() != 0 {
				t.Errorf("%s with its ETag: %d %s", c.path, again.Code, again.Body)
			}
		}
	}
}

func TestPagesServeFilmsInRanges(t *testing.T) {
	e := newEdge(t, "https://kaibao.example").routes()
	dist := fstest.MapFS{"dist/index.html": {Data: []byte("<html></html>")}, "dist/loop.webm": {Data: []byte("a film")}}
	if err := e.Pages(dist, httpkit.PageConfig{}); err != nil {
		t.Fatal(err)
	}
	w := e.call("GET", "/loop.webm", "", "Range", "bytes=2-3")
	if w.Code != 206 || w.Body.String() != "fi" || w.Header().Get("Content-Type") != "video/webm" {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
}

func TestPagesKnowOfASessionByItsCookie(t *testing.T) {
	e := newEdge(t, "https://kaibao.example").routes()
	dist := fstest.MapFS{"dist/index.html": {Data: []byte("<html><head></head></html>")}}
	if err := e.Pages(dist, httpkit.PageConfig{}); err != nil {
		t.Fatal(err)
	}
	visitor := e.call("GET", "/", "")
	member := e.call("GET", "/", "", "Cookie", "__Host-"+httpkit.SessionCookie+"=token", "If-None-Match", visitor.Header().Get("ETag"))
	if member.Code != 200 || !strings.Contains(member.Body.String(), `"session":true`) || member.Header().Get("Vary") != "Cookie" {
		t.Errorf("with a session's cookie: %d %v %s", member.Code, member.Header(), member.Body)
	}
}

func TestReadinessIsTheDatabases(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, d *db.DB) {
		e := newEdge(t, "https://kaibao.example", func(o *httpkit.Options) { o.DB, o.Version = d, "1.2.3" })
		e.Health(func() error { return nil }, func() []httpkit.JobHealth { return []httpkit.JobHealth{} })
		for _, path := range []string{"/healthz", "/readyz", "/version"} {
			if w := e.call("GET", path, ""); w.Code != 200 {
				t.Errorf("%s: %d %s", path, w.Code, w.Body)
			}
		}
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		refused(t, e.call("GET", "/readyz", ""), 503, "unavailable")
		if w := e.call("GET", "/healthz", ""); w.Code != 200 {
			t.Errorf("alive without its database: %d", w.Code)
		}
	})
}

// An address that is there says what it takes; one that is not says so in a sentence.
func TestAddressesSayWhatTheyTake(t *testing.T) {
	e := newEdge(t, "https://kaibao.example").routes()
	httpkit.JSON(e.Kit, httpkit.Session, httpkit.Post("/api/read", "write", "Write"),
		func(context.Context, *struct{}) (string, error) { return "", nil })
	if err := e.Pages(fstest.MapFS{}, httpkit.PageConfig{}); err != nil {
		t.Fatal(err)
	}
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
