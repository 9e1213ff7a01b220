package webui_test

import (
	"context"
	"errors"
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"kaibao/internal/apperr"
	"kaibao/internal/fees"
	"kaibao/internal/httpapi"
	"kaibao/internal/packs"
	"kaibao/internal/webui"
)

const generalPage = `<html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta
  name="description"
  content="The shop."
/><meta property="og:title" content="Open a pack." /><meta name="twitter:card" content="summary"><title>Kaibao</title><link rel="icon" href="/favicon.ico"></head><body>app</body></html>`

// serveHeads serves pages with the given head at pull/…; an error instead of a head fails the request for it.
func serveHeads(t *testing.T, head *httpapi.PageHead, err error) func(method, target string, headers ...string) (status int, body string, header http.Header) {
	t.Helper()
	call := served(t, webui.Pages{
		Dist: fstest.MapFS{"dist/index.html": {Data: []byte(generalPage)}, "dist/first/en/visitor/pull/_.html.gz": {Data: gzipped(t, generalPage)}},
		Heads: func(_ context.Context, path string) (*httpapi.PageHead, error) {
			if strings.HasPrefix(path, "pull/") {
				return head, err
			}
			return nil, nil
		},
		Rates: func(context.Context) fees.CurrentRates { return fees.First() }, LastFeedEvent: func() string { return "" },
		Covers: func(context.Context) ([]packs.Cover, error) { return nil, nil },
	})
	return func(method, target string, headers ...string) (int, string, http.Header) {
		w := call(method, target, headers...)
		return w.Code, w.Body.String(), w.Header()
	}
}

var metaElement = regexp.MustCompile(`<meta (?:name|property)="([^"]*)" content="([^"]*)">`)

// Texts of users and of the catalogue can't break out of the elements that describe a page.
func TestHeadsAreEscaped(t *testing.T) {
	for _, text := range []string{
		"Luka Dončić 2018 Prizm PSA 10 · $1,240", `"><script>alert(1)</script>`, `</title></head><body onload='x'>`, "a\" content=\"b", "'`=<>&amp;{{.Title}}",
		"\u2068محمد صلاح\u2069 · $5", "🐉👨‍👩‍👧 開包", "http://evil.example/", "javascript:alert(1)", "</HEAD>", "</title",
	} {
		call := serveHeads(t, &httpapi.PageHead{Title: text, Description: text, ImageAlt: text, Path: "/pull/1", Type: "website", Image: "/media/previews/pull/1.png", Language: "zh"}, nil)
		status, body, header := call("GET", "/pull/1")
		if status != http.StatusOK || header.Get("Cache-Control") != "no-cache" || header.Get("ETag") == "" {
			t.Errorf("%q: status %d, %v", text, status, header)
		}
		head, rest, _ := strings.Cut(body, "</head>")
		title, _, _ := strings.Cut(strings.SplitN(head, "<title>", 2)[1], "</title>")
		if html.UnescapeString(title) != text || !strings.HasPrefix(rest, "<body>app") {
			t.Errorf("%q: the title is %q, after the head comes %.40q", text, title, rest)
		}
		got := map[string]string{}
		for _, m := range metaElement.FindAllStringSubmatch(head, -1) {
			if _, twice := got[m[1]]; twice {
				t.Errorf("%q: the page has %s twice", text, m[1])
			}
			got[m[1]] = html.UnescapeString(m[2])
		}
		for name, want := range map[string]string{
			"description": text, "og:title": text, "og:description": text, "og:image:alt": text, "og:type": "website", "og:locale": "zh_CN", "og:site_name": "Kaibao 开包",
			"og:url": "https://kaibao.example/pull/1", "og:image": "https://kaibao.example/media/previews/pull/1.png", "og:image:width": "1200", "og:image:height": "630",
			"og:image:type": "image/png", "twitter:card": "summary_large_image", "viewport": "width=device-width",
		} {
			if got[name] != want {
				t.Errorf("%q: %s is %q, want %q", text, name, got[name], want)
			}
		}
		if n := strings.Count(head, "<"); n != strings.Count(serveable(t), "<") {
			t.Errorf("%q: the head has %d elements: %s", text, n, head)
		}
		if !strings.Contains(head, `<link rel="canonical" href="https://kaibao.example/pull/1">`) {
			t.Errorf("%q: no canonical address in %s", text, head)
		}
	}
}

// serveable returns the head of a page with harmless texts.
func serveable(t *testing.T) string {
	t.Helper()
	_, body, _ := serveHeads(t, &httpapi.PageHead{Title: "a", Description: "a", ImageAlt: "a"}, nil)("GET", "/pull/1")
	head, _, _ := strings.Cut(body, "</head>")
	return head
}

// Pages that aren't to be seen have the status 404 and the app's general head; so do pages while the
// database is down, with status 503.
func TestPagesWithoutHead(t *testing.T) {
	for _, c := range []struct {
		path   string
		err    error
		status int
	}{
		{"/pull/1", apperr.Missing("Pull"), 404},
		{"/pull/1", errors.New("no database"), 503},
		{"/pull/1", nil, 200}, // known to the app
		{"/", nil, 404},       // not prerendered in this test
	} {
		status, body, header := serveHeads(t, nil, c.err)("GET", c.path)
		if status != c.status || !strings.Contains(body, `<title>Kaibao</title>`) || !strings.Contains(body, `content="The shop."`) || strings.Contains(body, "canonical") {
			t.Errorf("%s with %v: status %d, want %d: %s", c.path, c.err, status, c.status, body)
		}
		if status != http.StatusOK && header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s with %v: %v", c.path, c.err, header)
		}
	}
}
