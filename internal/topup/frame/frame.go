// Package frame serves the page that a provider's embed script runs in. It has a content
// policy of its own, so that the shop's stays strict: what the provider needs is open
// here and nowhere else.
package frame

import (
	"cmp"
	_ "embed"
	"html"
	"io/fs"
	"net/http"
	"net/url"
	"strings"

	"kaibao/internal/httpkit"
)

const (
	path       = "/payment-frame"
	scriptPath = path + "/frame.js"
)

//go:embed frame.html
var page string

//go:embed frame.js
var script []byte

// Options are what the page lets in.
type Options struct {
	Embed   string   // address of the provider's embed script; one that begins with / is our own
	Network string   // of the provider: "main" (also when empty) or "test"
	Connect []string // sources that the embed script talks to and has pictures from, as a content policy names them
	Dist    fs.FS    // the built web app, in the folder "dist", whose typeface the page has; nil = the system's
}

// Page is the frame, in both languages and themes.
type Page struct {
	pages  map[[2]string][]byte // by language and theme
	policy string
}

// titles are the languages that the page is told in, by their name in the query.
var titles = map[string]struct{ tag, title string }{
	"en": {"en", "Payment"},
	"zh": {"zh-CN", "支付"},
}

// New makes the page.
func New(o Options) Page {
	p := Page{pages: map[[2]string][]byte{}, policy: policy(o)}
	for lang, words := range titles {
		for _, theme := range []string{"dark", "light"} {
			p.pages[[2]string{lang, theme}] = []byte(strings.NewReplacer(
				"{lang}", words.tag, "{title}", words.title, "{theme}", theme, "{face}", face(o.Dist), "{script}", scriptPath,
				"{embed}", html.EscapeString(o.Embed), "{network}", html.EscapeString(cmp.Or(o.Network, "main")),
			).Replace(page))
		}
	}
	return p
}

// policy opens what the embed script needs and closes everything else.
func policy(o Options) string {
	embed, outside := "'self'", ""
	if u, err := url.Parse(o.Embed); err == nil && u.Host != "" {
		embed = u.Scheme + "://" + u.Host
		outside = " " + embed
	}
	from := strings.Join(append([]string{embed}, o.Connect...), " ")
	return "default-src 'none'; script-src 'self'" + outside + "; style-src 'unsafe-inline' " + embed +
		"; font-src 'self' data:" + outside + "; img-src data: " + from + "; connect-src " + from +
		"; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
}

// face is the web app's typeface, where it was built in.
func face(dist fs.FS) string {
	if dist == nil {
		return ""
	}
	found, _ := fs.Glob(dist, "dist/assets/inter-latin-wght-normal-*.woff2") // the pattern is well formed
	if len(found) == 0 {
		return ""
	}
	return "@font-face { font-family: 'Inter Variable'; font-display: swap; font-weight: 100 900; src: url('" +
		strings.TrimPrefix(found[0], "dist") + "') format('woff2-variations'); }"
}

// Routes registers the page and its script.
func (p Page) Routes(k *httpkit.Kit) {
	k.File(httpkit.Get(httpkit.Public, path, "get-payment-frame", "The page in which the payment provider's widget runs; lang and theme in the query, the charge's token behind #"),
		"text/html", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			q := r.URL.Query()
			body, ok := p.pages[[2]string{q.Get("lang"), q.Get("theme")}]
			if !ok {
				body = p.pages[[2]string{"en", "dark"}]
			}
			w.Header().Set("Content-Security-Policy", p.policy)
			httpkit.Current(w, r, "text/html; charset=utf-8", body)
		}))
	k.File(httpkit.Get(httpkit.Public, scriptPath, "get-payment-frame-script", "What runs in the payment frame"),
		"text/javascript", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			httpkit.Current(w, r, "text/javascript; charset=utf-8", script)
		}))
}
