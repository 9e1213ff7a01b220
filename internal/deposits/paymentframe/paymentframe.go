// Package paymentframe serves the page that runs a payment provider's embed script. The script is
// third-party code, so the page never runs in the shop's origin: it has an origin of its own or a
// sandboxed one. Its content security policy allows what the provider needs.
package paymentframe

import (
	"cmp"
	_ "embed"
	"html"
	"io/fs"
	"net/http"
	"net/url"
	"strings"

	"kaibao/internal/httpapi"
	"kaibao/internal/httpcache"
)

const (
	path       = "/payment-frame"
	scriptPath = path + "/frame.js"
)

//go:embed frame.html
var page string

//go:embed frame.js
var script []byte

// Options configure the page.
type Options struct {
	Embed   string   // URL of the provider's embed script; a path is on our own origin
	Network string   // the provider's: "main" (default) or "test"
	Connect []string // CSP sources that the embed script connects to and loads images from
	Dist    fs.FS    // the built web app in folder "dist", for its font; nil = system font
	Shop    string   // origin of the shop; only it may frame the page and gets its messages
	Origin  string   // origin of the page; empty = that of the shop, sandboxed
}

// Page is the frame's page in all languages and themes.
type Page struct {
	pages  map[[2]string][]byte // by language and theme
	policy string
}

// titles are the page's languages by the lang query parameter.
var titles = map[string]struct{ tag, title string }{
	"en": {"en", "Payment"},
	"zh": {"zh-CN", "支付"},
}

// New renders the page.
func New(o Options) Page {
	p := Page{pages: map[[2]string][]byte{}, policy: policy(o)}
	for lang, words := range titles {
		for _, theme := range []string{"dark", "light"} {
			p.pages[[2]string{lang, theme}] = []byte(strings.NewReplacer(
				"{lang}", words.tag, "{title}", words.title, "{theme}", theme, "{face}", fontFaceRule(o), "{script}", scriptPath, "{shop}", html.EscapeString(o.Shop),
				"{embed}", html.EscapeString(o.Embed), "{network}", html.EscapeString(cmp.Or(o.Network, "main")),
			).Replace(page))
		}
	}
	return p
}

// policy returns the content security policy, which allows only what the embed script needs.
func policy(o Options) string {
	own := cmp.Or(o.Origin, o.Shop)
	embed, outside := own, ""
	if u, err := url.Parse(o.Embed); err == nil && u.Host != "" {
		embed = u.Scheme + "://" + u.Host
		outside = " " + embed
	}
	from := strings.Join(append([]string{embed}, o.Connect...), " ")
	sandbox := "sandbox allow-scripts; " // also for visitors who open the page directly
	if o.Origin != "" {
		sandbox = ""
	}
	return sandbox + "default-src 'none'; script-src " + own + outside + "; style-src 'unsafe-inline' " + embed +
		"; font-src " + o.Shop + " data:" + outside + "; img-src data: " + from + "; connect-src " + from +
		"; base-uri 'none'; form-action 'none'; frame-ancestors " + o.Shop
}

// fontFaceRule returns the @font-face rule of the web app's font if it was built in.
func fontFaceRule(o Options) string {
	if o.Dist == nil {
		return ""
	}
	found, _ := fs.Glob(o.Dist, "dist/assets/inter-latin-wght-normal-*.woff2") // valid pattern
	if len(found) == 0 {
		return ""
	}
	return "@font-face { font-family: 'Inter Variable'; font-display: swap; font-weight: 100 900; src: url('" +
		o.Shop + strings.TrimPrefix(found[0], "dist") + "') format('woff2-variations'); }"
}

// Routes registers the page and its script.
func (p Page) Routes(api *httpapi.API) {
	api.File(httpapi.Get(httpapi.Public, path, "get-payment-frame", "The page for the payment provider's widget; query: lang and theme, fragment: the charge's token").Foreign(),
		"text/html", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			q := r.URL.Query()
			body, ok := p.pages[[2]string{q.Get("lang"), q.Get("theme")}]
			if !ok {
				body = p.pages[[2]string{"en", "dark"}]
			}
			w.Header().Set("Content-Security-Policy", p.policy)
			httpapi.ForbidPasskeys(w.Header())
			httpcache.Current(w, r, "text/html; charset=utf-8", body)
		}))
	api.File(httpapi.Get(httpapi.Public, scriptPath, "get-payment-frame-script", "The script of the payment frame").Foreign(),
		"text/javascript", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			httpcache.Current(w, r, "text/javascript; charset=utf-8", script)
		}))
}
