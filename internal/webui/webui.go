// Package webui serves the web app: its static files, and its page at every path that the app's
// router knows.
package webui

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"kaibao/internal/apperr"
	"kaibao/internal/catalogue"
	"kaibao/internal/fees"
	"kaibao/internal/houserules"
	"kaibao/internal/httpapi"
	"kaibao/internal/httpcache"
	"kaibao/internal/packs"
	"kaibao/internal/policy"
)

// PageConfig is the configuration that the server embeds in each page.
type PageConfig struct {
	Sandbox   bool                    `json:"sandbox"`
	Version   string                  `json:"version"`
	Social    string                  `json:"social"` // URL of the social account; empty = none
	Chat      string                  `json:"chat"`   // URL of the chat community; empty = none
	Payment   string                  `json:"paymentOrigin" doc:"Origin of the page for the payment provider's widget; empty = this origin (sandbox)."`
	Passkeys  string                  `json:"passkeyHost" doc:"Host that passkeys belong to (WebAuthn's relying party id); empty = passkey wallets aren't offered."`
	Terms     policy.PageTerms        `json:"terms"`
	Rules     houserules.Rules        `json:"rules"`
	Rates     fees.CurrentRates       `json:"rates" doc:"Seller's fees when the page was sent."`
	Catalogue catalogue.PageCatalogue `json:"catalogue"`
	Covers    []packs.Cover           `json:"covers" nullable:"false" doc:"Covers of the packs in the store, in order; none if reading them took too long."`
	Feed      string                  `json:"feed" doc:"Id of the last market event included in the page; empty if unknown."`
	// Session reports whether the browser sent a session cookie, valid or not. Without one the app
	// needn't request the user. Set per request.
	Session bool `json:"session"`
}

const index = "index.html"

// publicURLMark is the placeholder for the public URL in index.html, where absolute URLs are
// needed.
const publicURLMark = "https://public-url.invalid"

// Pages serve the built web app, in the folder "dist", with its configuration.
type Pages struct {
	Dist   fs.FS
	Config PageConfig
	// Covers is called for each page.
	Covers func(context.Context) ([]packs.Cover, error)
	// Rates is called for each page. It falls back to the last known rates.
	Rates func(context.Context) fees.CurrentRates
	// LastFeedEvent returns the number of the last feed event. It is called for each page.
	LastFeedEvent func() string
	// Heads returns the head of the page at a path (without the leading slash), for crawlers: nil for pages
	// with the app's general head, and a not_found error for pages that can't be seen. It is called for each
	// page; nil = all pages have the general head.
	Heads func(ctx context.Context, path string) (*httpapi.PageHead, error)
	// SecurityContact is the URI for reporting vulnerabilities; empty = no security.txt.
	SecurityContact string
}

// Routes registers the app's files, its pages, and the app with status 404 at paths that it has no
// page for. Unknown paths that look like a file's get a 404 error instead.
func (p Pages) Routes(api *httpapi.API) {
	p.Config.Version = api.Version
	p.describe(api.Huma.OpenAPI().Components.Schemas)
	boot, _ := fs.ReadFile(p.Dist, "dist/boot.js") // missing if built without the web app
	api.Pages(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(path.Clean("/"+r.PathValue("path")), "/")
		body, err := fs.ReadFile(p.Dist, "dist/"+name)
		switch {
		case strings.HasPrefix(name, assets):
			p.serveAsset(api, w, r, name)
		case err == nil && name != index && !strings.HasPrefix(name, prerenderedDir):
			serveFile(w, r, name, body)
		case name == securityTxt && p.SecurityContact != "":
			httpcache.Current(w, r, "text/plain; charset=utf-8", p.securityTxt(api))
		case name == strings.TrimPrefix(httpapi.WebAuthnPath, "/") && api.EarlierHost != "":
			httpcache.Current(w, r, "application/json", relatedOrigins(api))
		case !p.known(name) && strings.Contains(name, "."):
			api.Fail(w, r, apperr.Missing("File"))
		default:
			head, status := p.ownHead(r.Context(), api, name)
			p := p.forRequest(r.Context(), api)
			page := bytes.ReplaceAll(p.page(r, name), []byte(publicURLMark), []byte(api.PublicURL.String()))
			if head != nil {
				page = replaceHead(page, head)
			}
			servePage(w, r, status, p.configured(page), boot)
		}
	}))
}

// describe adds the page configuration to the contract, from which the web app's type is generated.
// Its example has the parts that are the same in every installation; the web app's build prerenders
// pages with them.
func (p Pages) describe(schemas huma.Registry) {
	ref := schemas.Schema(reflect.TypeFor[PageConfig](), true, "")
	schemas.SchemaFromRef(ref.Ref).Examples = []any{map[string]any{"terms": p.Config.Terms, "rules": p.Config.Rules, "rates": fees.First(), "catalogue": p.Config.Catalogue}}
}

// dataTimeout is how long a page waits for rates and covers. After that it is sent with the last
// known rates and without covers, which the app then loads with its packs.
const dataTimeout = 100 * time.Millisecond

// headTimeout is how long a page waits for what describes it to other sites.
const headTimeout = 3 * time.Second

// forRequest returns the pages with the configuration that depends on the request and the moment.
func (p Pages) forRequest(ctx context.Context, api *httpapi.API) Pages {
	p.Config.Session = api.Cookie(ctx, httpapi.SessionCookie) != ""
	p.Config.Feed = p.LastFeedEvent() // before anything else is read
	ctx, stop := context.WithTimeout(ctx, dataTimeout)
	defer stop()
	p.Config.Rates = p.Rates(ctx)
	p.Config.Covers, _ = p.Covers(ctx) // without a database, the calls that need it report the error
	if p.Config.Covers == nil {
		p.Config.Covers = []packs.Cover{}
	}
	return p
}

// configured returns the page with its configuration embedded.
func (p Pages) configured(page []byte) []byte {
	config, _ := json.Marshal(p.Config) // can't fail, as it has only texts and numbers
	script := "<script type=\"application/json\" id=\"kaibao-config\">" + string(config) + "</script></head>"
	return bytes.Replace(page, []byte("</head>"), []byte(script), 1)
}

// servePage sends a page with its blocking script inlined, which saves a round trip. The content
// security policy allows that script by its digest and no other inline script.
func servePage(w http.ResponseWriter, r *http.Request, status int, page, boot []byte) {
	page = bytes.Replace(page, []byte(`<script src="/boot.js">`), slices.Concat([]byte("<script>"), boot), 1)
	digest := sha256.Sum256(boot)
	h := w.Header()
	h.Set("Content-Security-Policy", fmt.Sprintf("%s; script-src 'self' 'sha256-%s'",
		h.Get("Content-Security-Policy"), base64.StdEncoding.EncodeToString(digest[:])))
	h.Add("Vary", "Cookie, Accept-Language, Sec-Fetch-Site")
	const contentType = "text/html; charset=utf-8"
	if status == http.StatusOK {
		httpcache.Current(w, r, contentType, page)
		return
	}
	h.Set("Content-Type", contentType)
	w.WriteHeader(status)
	_, _ = w.Write(page) // fails only if the client has disconnected
}

// relatedOrigins returns the origins that may use the passkeys of the shop's earlier host.
func relatedOrigins(api *httpapi.API) []byte {
	body, _ := json.Marshal(map[string][]string{"origins": {api.PublicURL.String()}}) // can't fail
	return body
}

const (
	// securityTxt is the path that RFC 9116 defines.
	securityTxt = ".well-known/security.txt"
	// securityTxtLife is the validity of the file; RFC 9116 recommends less than a year.
	securityTxtLife = 180 * 24 * time.Hour
)

// securityTxt returns the file. It expires at a full day, so that its ETag changes only once a day.
func (p Pages) securityTxt(api *httpapi.API) []byte {
	expires := api.Clock().UTC().Truncate(24 * time.Hour).Add(securityTxtLife)
	return fmt.Appendf(nil, "Contact: %s\nExpires: %s\nPreferred-Languages: en, zh\nCanonical: %s/%s\n",
		p.SecurityContact, expires.Format(time.RFC3339), api.PublicURL, securityTxt)
}

const (
	// assets is the folder of files with a hash in their names.
	assets = "assets/"
	// gz is the suffix of files that the build compressed: code, styles and prerendered pages.
	gz = ".gz"
)

// serveAsset serves a file whose name has its hash, so it can be cached forever.
func (p Pages) serveAsset(api *httpapi.API, w http.ResponseWriter, r *http.Request, name string) {
	contentType := mime.TypeByExtension(path.Ext(name))
	if packed, err := fs.ReadFile(p.Dist, "dist/"+name+gz); err == nil {
		httpcache.ImmutableGzip(api, w, r, contentType, packed)
		return
	}
	body, err := fs.ReadFile(p.Dist, "dist/"+name)
	if err != nil {
		api.Fail(w, r, apperr.Missing("File"))
		return
	}
	if path.Ext(name) == ".woff2" {
		w.Header().Set("Access-Control-Allow-Origin", "*") // for the payment frame
	}
	httpcache.Immutable(w, r, contentType, body)
}

// fileTypes are the types that some systems don't know.
var fileTypes = map[string]string{
	".ico":         "image/x-icon",
	".webm":        "video/webm",
	".webmanifest": "application/manifest+json",
}

// serveFile serves a file whose name has no hash.
func serveFile(w http.ResponseWriter, r *http.Request, name string, body []byte) {
	contentType := cmp.Or(fileTypes[path.Ext(name)], mime.TypeByExtension(path.Ext(name)))
	h := w.Header()
	h.Set("Cache-Control", "public, max-age=3600")
	h.Set("ETag", httpcache.ETag(body))
	h.Set("Content-Type", contentType)
	// Browsers request videos in ranges.
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(body))
}
