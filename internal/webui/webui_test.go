package webui_test

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"kaibao/internal/catalogue"
	"kaibao/internal/httpkit"
	"kaibao/internal/packs"
	"kaibao/internal/rates"
	"kaibao/internal/rules"
	"kaibao/internal/terms"
	"kaibao/internal/webui"
)

// serve gives a way to ask for pages, beside which stand a call to read and a file.
func serve(t *testing.T, dist fs.FS, config webui.PageConfig) func(method, target string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	return served(t, webui.Pages{Dist: dist, Config: config, Rates: func(context.Context) rates.CurrentRates { return rates.First() }, Last: func() string { return "17" }, Covers: func(context.Context) ([]packs.Cover, error) {
		return []packs.Cover{{Pack: "1", Address: "/one.svg", Sources: "/one.webp 1w"}, {Pack: "2", Address: "/two.svg?a&b"}}, nil
	}})
}

func served(t *testing.T, pages webui.Pages) func(method, target string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	public, err := httpkit.ParsePublicURL("https://kaibao.example")
	if err != nil {
		t.Fatal(err)
	}
	k := httpkit.New(httpkit.Options{
		PublicURL: public, Version: "</script>", Log: slog.New(slog.DiscardHandler), NewRequestID: func() string { return "request" }, Clock: time.Now,
	})
	httpkit.JSON(k, httpkit.Get(httpkit.Public, "/api/read", "read", "Read"),
		func(context.Context, *struct{}) (string, error) { return "read", nil })
	k.File(httpkit.Get(httpkit.Public, "/media/{file}", "get-file", "A file"), "text/plain", http.NotFoundHandler())
	pages.Routes(k)
	return func(method, target string, headers ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(t.Context(), method, "https://kaibao.example"+target, nil)
		for n := 0; n < len(headers); n += 2 {
			r.Header.Set(headers[n], headers[n+1])
		}
		w := httptest.NewRecorder()
		k.Handler().ServeHTTP(w, r)
		return w
	}
}

func TestPages(t *testing.T) {
	dist := fstest.MapFS{
		"dist/index.html":        {Data: []byte("<html><head></head><body>app https://public-url.invalid/og.jpg</body></html>")},
		"dist/assets/app-123.js": {Data: []byte("script")},
		"dist/robots.txt":        {Data: []byte("robots")},
		"secret.txt":             {Data: []byte("outside")},
	}
	call := serve(t, dist, webui.PageConfig{Sandbox: true, Social: "https://social.example", Terms: terms.PageTerms{HighestRate: 7}, Rules: rules.Open(), Catalogue: catalogue.ForPage()})
	told, err := json.Marshal(terms.PageTerms{HighestRate: 7})
	house, failed := json.Marshal(rules.Open())
	shelves, wrong := json.Marshal(catalogue.ForPage())
	if err := cmp.Or(err, failed, wrong); err != nil {
		t.Fatal(err)
	}
	page := `id="kaibao-config">{"sandbox":true,"version":"\u003c/script\u003e","social":"https://social.example","chat":"","paymentOrigin":"","terms":` + string(told) +
		`,"rules":` + string(house) + `,"catalogue":` + string(shelves) + `,"covers":[{"pack":"1","address":"/one.svg","sources":"/one.webp 1w"},{"pack":"2","address":"/two.svg?a\u0026b","sources":""}],"feed":"17","session":false}</script></head><body>app https://kaibao.example/og.jpg`
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
		{"GET", "/api", 404, "not_found", "no-store"},
		{"GET", "/media/none/deeper.svg", 404, "not_found", "no-store"},
		{"GET", "/apiary", 200, page, "no-cache"},
		{"POST", "/", 405, "method_not_allowed", "no-store"},
		{"POST", "/some/page", 405, "method_not_allowed", "no-store"},
		{"DELETE", "/api/read", 405, "method_not_allowed", "no-store"},
		{"POST", "/api/none", 404, "not_found", "no-store"},
	} {
		w := call(c.method, c.path)
		if w.Code != c.status || !strings.Contains(w.Body.String(), c.body) || w.Header().Get("Cache-Control") != c.cache {
			t.Errorf("%s %s: %d %v %s", c.method, c.path, w.Code, w.Header(), w.Body)
		}
		if etag := w.Header().Get("ETag"); c.status == 200 {
			if again := call(c.method, c.path, "If-None-Match", etag); again.Code != 304 || again.Body.Len() != 0 {
				t.Errorf("%s with its ETag: %d %s", c.path, again.Code, again.Body)
			}
		}
	}
}

func TestPagesServeFilmsInRanges(t *testing.T) {
	dist := fstest.MapFS{"dist/index.html": {Data: []byte("<html></html>")}, "dist/loop.webm": {Data: []byte("a film")}}
	call := serve(t, dist, webui.PageConfig{})
	w := call("GET", "/loop.webm", "Range", "bytes=2-3")
	if w.Code != 206 || w.Body.String() != "fi" || w.Header().Get("Content-Type") != "video/webm" {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
}

func TestPagesKnowOfASessionByItsCookie(t *testing.T) {
	dist := fstest.MapFS{"dist/index.html": {Data: []byte("<html><head></head></html>")}}
	call := serve(t, dist, webui.PageConfig{})
	visitor := call("GET", "/")
	member := call("GET", "/", "Cookie", "__Host-"+httpkit.SessionCookie+"=token", "If-None-Match", visitor.Header().Get("ETag"))
	if member.Code != 200 || !strings.Contains(member.Body.String(), `"session":true`) || strings.Join(member.Header().Values("Vary"), ", ") != "Accept-Encoding, Cookie, Accept-Language, Sec-Fetch-Site" {
		t.Errorf("with a session's cookie: %d %v %s", member.Code, member.Header(), member.Body)
	}
}

func TestWhatTheBuildCompressedIsSentSoOrUnpacked(t *testing.T) {
	const script = "script"
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	_, _ = zip.Write([]byte(script))
	if err := zip.Close(); err != nil {
		t.Fatal(err)
	}
	dist := fstest.MapFS{
		"dist/index.html":              {Data: []byte("<html></html>")},
		"dist/assets/app-123.js.gz":    {Data: packed.Bytes()},
		"dist/assets/broken-123.js.gz": {Data: packed.Bytes()[:12]},
	}
	call := serve(t, dist, webui.PageConfig{})
	for accepted, want := range map[string]struct{ body, encoding string }{
		"gzip, br": {packed.String(), "gzip"}, "br": {script, ""}, "": {script, ""}, "gzip;q=0": {script, ""},
	} {
		w := call("GET", "/assets/app-123.js", "Accept-Encoding", accepted)
		h := w.Header()
		if w.Code != 200 || w.Body.String() != want.body || h.Get("Content-Encoding") != want.encoding || h.Get("Vary") != "Accept-Encoding" ||
			h.Get("Content-Type") != "text/javascript; charset=utf-8" || h.Get("Cache-Control") != "public, max-age=31536000, immutable" {
			t.Errorf("to who takes %q: %d %v %q", accepted, w.Code, h, w.Body)
		}
		if again := call("GET", "/assets/app-123.js", "Accept-Encoding", accepted, "If-None-Match", h.Get("ETag")); again.Code != 304 {
			t.Errorf("to who takes %q and has it: %d", accepted, again.Code)
		}
	}
	if w := call("GET", "/assets/broken-123.js"); w.Code != 500 || !strings.Contains(w.Body.String(), "internal") {
		t.Errorf("a broken file: %d %s", w.Code, w.Body)
	}
}

// A page waits for its first script, so that stands in it; no other one may.
func TestAPageHasItsFirstScriptInItAndNoOther(t *testing.T) {
	const script = "if (1 < 2) go()\n"
	dist := fstest.MapFS{
		"dist/index.html": {Data: []byte(`<html><head><script src="/boot.js"></script></head></html>`)},
		"dist/boot.js":    {Data: []byte(script)},
	}
	w := serve(t, dist, webui.PageConfig{})("GET", "/")
	_, rest, _ := strings.Cut(w.Body.String(), "<script>")
	if found, _, _ := strings.Cut(rest, "</script>"); found != script {
		t.Errorf("the page's script is %q", found)
	}
	digest := sha256.Sum256([]byte(script))
	want := "; script-src 'self' 'sha256-" + base64.StdEncoding.EncodeToString(digest[:]) + "'"
	if policy := w.Header().Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'self'; ") || !strings.HasSuffix(policy, want) {
		t.Errorf("the policy is %q, want %q at its end", policy, want)
	}
}
