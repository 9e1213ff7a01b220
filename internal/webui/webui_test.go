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
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"kaibao/internal/catalogue"
	"kaibao/internal/fees"
	"kaibao/internal/houserules"
	"kaibao/internal/httpapi"
	"kaibao/internal/packs"
	"kaibao/internal/policy"
	"kaibao/internal/webui"
)

// serve returns a function that requests pages from a server that also has a call and a file.
func serve(t *testing.T, dist fs.FS, config webui.PageConfig) func(method, target string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	return served(t, webui.Pages{Dist: dist, Config: config, Rates: func(context.Context) fees.CurrentRates { return fees.First() }, LastFeedEvent: func() string { return "17" }, Covers: func(context.Context) ([]packs.Cover, error) {
		return []packs.Cover{{Pack: "1", Address: "/one.svg", Sources: "/one.webp 1w"}, {Pack: "2", Address: "/two.svg?a&b"}}, nil
	}})
}

func served(t *testing.T, pages webui.Pages, changes ...func(*httpapi.Options)) func(method, target string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	public, err := httpapi.ParsePublicURL("https://kaibao.example")
	if err != nil {
		t.Fatal(err)
	}
	o := httpapi.Options{
		PublicURL: public, Version: "</script>", Log: slog.New(slog.DiscardHandler), NewRequestID: func() string { return "request" }, Clock: time.Now,
	}
	for _, change := range changes {
		change(&o)
	}
	api := httpapi.New(o)
	httpapi.JSON(api, httpapi.Get(httpapi.Public, "/api/read", "read", "Read"),
		func(context.Context, *struct{}) (string, error) { return "read", nil })
	api.File(httpapi.Get(httpapi.Public, "/media/{file}", "get-file", "A file"), "text/plain", http.NotFoundHandler())
	pages.Routes(api)
	return func(method, target string, headers ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(t.Context(), method, "https://kaibao.example"+target, nil)
		for n := 0; n < len(headers); n += 2 {
			r.Header.Set(headers[n], headers[n+1])
		}
		w := httptest.NewRecorder()
		api.Handler().ServeHTTP(w, r)
		return w
	}
}

func gzipped(t *testing.T, text string) []byte {
	t.Helper()
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	_, _ = zip.Write([]byte(text))
	if err := zip.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}

func TestPages(t *testing.T) {
	dist := fstest.MapFS{
		"dist/index.html":        {Data: []byte("<html><head></head><body>app https://public-url.invalid/og.jpg</body></html>")},
		"dist/assets/app-123.js": {Data: []byte("script")},
		"dist/robots.txt":        {Data: []byte("robots")},
		"secret.txt":             {Data: []byte("outside")},
	}
	// The build prerenders every page of the app's routes.
	for _, known := range []string{"index", "app", "open-packs", "item/_"} {
		dist["dist/first/en/visitor/"+known+".html.gz"] = &fstest.MapFile{Data: gzipped(t, string(dist["dist/index.html"].Data))}
	}
	call := serve(t, dist, webui.PageConfig{Sandbox: true, Social: "https://social.example", Terms: policy.PageTerms{MaxRate: 7}, Rules: houserules.Default(), Catalogue: catalogue.ForPage()})
	terms, err := json.Marshal(policy.PageTerms{MaxRate: 7})
	house, failed := json.Marshal(houserules.Default())
	shelves, wrong := json.Marshal(catalogue.ForPage())
	fees, broken := json.Marshal(fees.First())
	if err := cmp.Or(err, failed, wrong, broken); err != nil {
		t.Fatal(err)
	}
	page := `id="kaibao-config">{"sandbox":true,"version":"\u003c/script\u003e","social":"https://social.example","chat":"","paymentOrigin":"","passkeyHost":"","terms":` + string(terms) +
		`,"rules":` + string(house) + `,"rates":` + string(fees) + `,"catalogue":` + string(shelves) + `,"covers":[{"pack":"1","address":"/one.svg","sources":"/one.webp 1w"},{"pack":"2","address":"/two.svg?a\u0026b","sources":""}],"feed":"17","session":false}</script></head><body>app https://kaibao.example/og.jpg`
	for _, c := range []struct {
		method, path string
		status       int
		body, cache  string
	}{
		{"GET", "/", 200, page, "no-cache"},
		{"GET", "/app/", 200, page, "no-cache"},
		{"GET", "/Open-Packs", 200, page, "no-cache"}, // the app's router ignores case
		{"GET", "/item/2", 200, page, "no-cache"},
		{"GET", "/item/a.b", 200, page, "no-cache"}, // the app checks whether the item exists
		{"GET", "/item", 404, page, "no-store"},
		{"GET", "/item/2/3", 404, page, "no-store"},
		{"GET", "/none", 404, page, "no-store"},
		{"GET", "/_", 404, page, "no-store"},
		{"GET", "/index", 404, page, "no-store"},
		{"GET", "/index.html", 404, "not_found", "no-store"},
		{"GET", "/first/en/visitor/app.html.gz", 404, "not_found", "no-store"},
		{"GET", "/none.png", 404, "not_found", "no-store"},
		{"GET", "/none/wp-login.php", 404, "not_found", "no-store"},
		{"GET", "/.git/config", 404, "not_found", "no-store"},
		{"GET", "/.well-known/security.txt", 404, "not_found", "no-store"}, // no contact configured
		{"GET", "/assets/app-123.js", 200, "script", "public, max-age=31536000, immutable"},
		{"GET", "/robots.txt", 200, "robots", "public, max-age=3600"},
		{"GET", "/assets/%2e%2e/%2e%2e/secret.txt", 404, "not_found", "no-store"},
		{"GET", "/api/none", 404, "not_found", "no-store"},
		{"GET", "/assets/old-456.js", 404, "not_found", "no-store"}, // a script of an earlier build
		{"GET", "/api", 404, "not_found", "no-store"},
		{"GET", "/media/none/deeper.svg", 404, "not_found", "no-store"},
		{"GET", "/apiary", 404, page, "no-store"},
		{"POST", "/", 405, "method_not_allowed", "no-store"},
		{"POST", "/some/page", 405, "method_not_allowed", "no-store"},
		{"DELETE", "/api/read", 405, "method_not_allowed", "no-store"},
		{"POST", "/api/none", 404, "not_found", "no-store"},
	} {
		w := call(c.method, c.path)
		if app := strings.Contains(w.Body.String(), "kaibao-config"); app && c.body != page {
			t.Errorf("%s %s returned the app", c.method, c.path)
		}
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

func TestVideosAreServedInRanges(t *testing.T) {
	dist := fstest.MapFS{"dist/index.html": {Data: []byte("<html></html>")}, "dist/loop.webm": {Data: []byte("a film")}}
	call := serve(t, dist, webui.PageConfig{})
	w := call("GET", "/loop.webm", "Range", "bytes=2-3")
	if w.Code != 206 || w.Body.String() != "fi" || w.Header().Get("Content-Type") != "video/webm" {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
}

func TestFileContentTypes(t *testing.T) {
	dist := fstest.MapFS{}
	types := map[string]string{
		"robots.txt": "text/plain; charset=utf-8", "favicon.ico": "image/x-icon", "favicon.svg": "image/svg+xml",
		"manifest.webmanifest": "application/manifest+json", "icon-192.png": "image/png",
	}
	for name := range types {
		dist["dist/"+name] = &fstest.MapFile{Data: []byte("a file")}
	}
	call := serve(t, dist, webui.PageConfig{})
	for name, want := range types {
		if w := call("GET", "/"+name); w.Code != 200 || w.Header().Get("Content-Type") != want {
			t.Errorf("%s: %d %v, want %s", name, w.Code, w.Header(), want)
		}
	}
}

func TestSecurityTxtNamesTheContact(t *testing.T) {
	call := served(t, webui.Pages{Dist: fstest.MapFS{}, SecurityContact: "mailto:security@kaibao.example"})
	w := call("GET", "/.well-known/security.txt")
	if w.Code != 200 || w.Header().Get("Content-Type") != "text/plain; charset=utf-8" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
	fields := map[string]string{}
	for line := range strings.Lines(w.Body.String()) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		fields[name] = value
	}
	// RFC 9116 recommends less than a year.
	expires, err := time.Parse(time.RFC3339, fields["Expires"])
	if left := time.Until(expires); err != nil || left < 90*24*time.Hour || left > 365*24*time.Hour {
		t.Errorf("expires %q: %v", fields["Expires"], err)
	}
	delete(fields, "Expires")
	want := map[string]string{
		"Contact": "mailto:security@kaibao.example", "Preferred-Languages": "en, zh",
		"Canonical": "https://kaibao.example/.well-known/security.txt",
	}
	if !maps.Equal(fields, want) {
		t.Errorf("%v, want %v", fields, want)
	}
}

// Browsers let this shop use the passkeys of its earlier host if that host names it.
func TestRelatedOrigins(t *testing.T) {
	const file = "/.well-known/webauthn"
	if w := served(t, webui.Pages{Dist: fstest.MapFS{}})("GET", file); w.Code != 404 {
		t.Errorf("without an earlier host: %d %s", w.Code, w.Body)
	}
	w := served(t, webui.Pages{Dist: fstest.MapFS{}}, func(o *httpapi.Options) { o.EarlierHost = "old.example" })("GET", file)
	if w.Code != 200 || w.Header().Get("Content-Type") != "application/json" || w.Body.String() != `{"origins":["https://kaibao.example"]}` {
		t.Errorf("%d %v %s", w.Code, w.Header(), w.Body)
	}
}

func TestPageConfigReportsSessionCookie(t *testing.T) {
	call := serve(t, first(), webui.PageConfig{})
	visitor := call("GET", "/")
	member := call("GET", "/", "Cookie", "__Host-"+httpapi.SessionCookie+"=token", "If-None-Match", visitor.Header().Get("ETag"))
	if member.Code != 200 || !strings.Contains(member.Body.String(), `"session":true`) || strings.Join(member.Header().Values("Vary"), ", ") != "Accept-Encoding, Cookie, Accept-Language, Sec-Fetch-Site" {
		t.Errorf("with a session's cookie: %d %v %s", member.Code, member.Header(), member.Body)
	}
}

func TestPrecompressedAssets(t *testing.T) {
	const script = "script"
	packed := gzipped(t, script)
	dist := fstest.MapFS{
		"dist/index.html":              {Data: []byte("<html></html>")},
		"dist/assets/app-123.js.gz":    {Data: packed},
		"dist/assets/broken-123.js.gz": {Data: packed[:12]},
	}
	call := serve(t, dist, webui.PageConfig{})
	for accepted, want := range map[string]struct{ body, encoding string }{
		"gzip, br": {string(packed), "gzip"}, "br": {script, ""}, "": {script, ""}, "gzip;q=0": {script, ""},
	} {
		w := call("GET", "/assets/app-123.js", "Accept-Encoding", accepted)
		h := w.Header()
		if w.Code != 200 || w.Body.String() != want.body || h.Get("Content-Encoding") != want.encoding || h.Get("Vary") != "Accept-Encoding" ||
			h.Get("Content-Type") != "text/javascript; charset=utf-8" || h.Get("Cache-Control") != "public, max-age=31536000, immutable" {
			t.Errorf("Accept-Encoding %q: %d %v %q", accepted, w.Code, h, w.Body)
		}
		if again := call("GET", "/assets/app-123.js", "Accept-Encoding", accepted, "If-None-Match", h.Get("ETag")); again.Code != 304 {
			t.Errorf("Accept-Encoding %q with ETag: %d", accepted, again.Code)
		}
	}
	if w := call("GET", "/assets/broken-123.js"); w.Code != 500 || !strings.Contains(w.Body.String(), "internal") {
		t.Errorf("a broken file: %d %s", w.Code, w.Body)
	}
}

// A page's blocking script is inlined; no other inline script is allowed.
func TestBootScriptIsInlined(t *testing.T) {
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
