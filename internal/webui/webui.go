// Package webui serves the web app: its static files, and its page at every address that the app's
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
	"kaibao/internal/houserules"
	"kaibao/internal/httpkit"
	"kaibao/internal/packs"
	"kaibao/internal/policy"
	"kaibao/internal/rates"
)

// PageConfig is what the page is told about the installation before it starts.
type PageConfig struct {
	Sandbox   bool                    `json:"sandbox"`
	Version   string                  `json:"version"`
	Social    string                  `json:"social"` // address of the social account; empty = none
	Chat      string                  `json:"chat"`   // address of the chat community; empty = none
	Payment   string                  `json:"paymentOrigin" doc:"Origin of the page that the payment provider's widget runs in; empty = this one's address, in a sandbox."`
	Terms     policy.PageTerms        `json:"terms"`
	Rules     houserules.Rules        `json:"rules"`
	Rates     rates.CurrentRates      `json:"rates" doc:"The seller's fees when the page was sent."`
	Catalogue catalogue.PageCatalogue `json:"catalogue"`
	Covers    []packs.Cover           `json:"covers" nullable:"false" doc:"Of the packs in the store, in its order; none where they took too long to read."`
	Feed      string                  `json:"feed" doc:"Number of the last event of the market that the page can know of; empty where that is unknown."`
	// Session tells whether the browser brought a session's cookie, living or
	// not: without one there is nobody to ask for. Set for each request.
	Session bool `json:"session"`
}

const index = "index.html"

// publicURLMark stands in index.html where others need a whole address.
const publicURLMark = "https://public-url.invalid"

// Pages are the built web app, in the folder "dist", and what it is told.
type Pages struct {
	Dist   fs.FS
	Config PageConfig
	// Covers are looked up for each page that is sent.
	Covers func(context.Context) ([]packs.Cover, error)
	// Rates are looked up for each page that is sent, and known from before where that fails.
	Rates func(context.Context) rates.CurrentRates
	// Last is the number of the last event that was told, for each page that is sent.
	Last func() string
	// SecurityContact is the URI for reports of vulnerabilities; empty = no security.txt.
	SecurityContact string
}

// Routes registers the pages: the app's files under their own names, its pages, and the
// app with status 404 at addresses it has no page for. Addresses that look like a file's
// get 404 without the app.
func (p Pages) Routes(k *httpkit.Kit) {
	p.Config.Version = k.Version
	p.describe(k.API.OpenAPI().Components.Schemas)
	boot, _ := fs.ReadFile(p.Dist, "dist/boot.js") // without the web app there is none
	k.Pages(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(path.Clean("/"+r.PathValue("path")), "/")
		body, err := fs.ReadFile(p.Dist, "dist/"+name)
		switch {
		case strings.HasPrefix(name, assets):
			p.serveAsset(k, w, r, name)
		case err == nil && name != index && !strings.HasPrefix(name, first):
			serveFile(w, r, name, body)
		case name == securityTxt && p.SecurityContact != "":
			httpkit.Current(w, r, "text/plain; charset=utf-8", p.securityTxt(k))
		case !p.known(name) && strings.Contains(name, "."):
			k.Fail(w, r, apperr.Missing("File"))
		default:
			status := http.StatusOK
			if !p.known(name) {
				status = http.StatusNotFound
			}
			p := p.told(r.Context(), k)
			page := bytes.ReplaceAll(p.page(r, name), []byte(publicURLMark), []byte(k.PublicURL.String()))
			servePage(w, r, status, p.configured(page), boot)
		}
	}))
}

// describe puts what a page is told into the contract, of which the web app's type is
// made, and what of it is the house's and the same everywhere, with which the web app's
// build draws its first pages.
func (p Pages) describe(schemas huma.Registry) {
	ref := schemas.Schema(reflect.TypeFor[PageConfig](), true, "")
	schemas.SchemaFromRef(ref.Ref).Examples = []any{map[string]any{"terms": p.Config.Terms, "rules": p.Config.Rules, "rates": rates.First(), "catalogue": p.Config.Catalogue}}
}

// longestLook is how long a page waits for its covers: without them it is sent all the
// same, and shows them when the app has asked for its packs.
const longestLook = 100 * time.Millisecond

// told is the pages with what only the request tells, and the moment.
func (p Pages) told(ctx context.Context, k *httpkit.Kit) Pages {
	p.Config.Session = k.Cookie(ctx, httpkit.SessionCookie) != ""
	p.Config.Feed = p.Last() // before the page reads anything
	ctx, stop := context.WithTimeout(ctx, longestLook)
	defer stop()
	p.Config.Rates = p.Rates(ctx)
	p.Config.Covers, _ = p.Covers(ctx) // whoever has no database says so at what needs one
	if p.Config.Covers == nil {
		p.Config.Covers = []packs.Cover{}
	}
	return p
}

// configured is the page with its configuration in it.
func (p Pages) configured(page []byte) []byte {
	told, _ := json.Marshal(p.Config) // of texts and numbers, which cannot fail
	script := "<script type=\"application/json\" id=\"kaibao-config\">" + string(told) + "</script></head>"
	return bytes.Replace(page, []byte("</head>"), []byte(script), 1)
}

// servePage sends a page with the script in it that it waits for: one that it asked for
// would be a wait more. The policy names the script by its digest, and lets no other one
// stand in a page.
func servePage(w http.ResponseWriter, r *http.Request, status int, page, boot []byte) {
	page = bytes.Replace(page, []byte(`<script src="/boot.js">`), slices.Concat([]byte("<script>"), boot), 1)
	digest := sha256.Sum256(boot)
	h := w.Header()
	h.Set("Content-Security-Policy", fmt.Sprintf("%s; script-src 'self' 'sha256-%s'",
		h.Get("Content-Security-Policy"), base64.StdEncoding.EncodeToString(digest[:])))
	h.Add("Vary", "Cookie, Accept-Language, Sec-Fetch-Site")
	const contentType = "text/html; charset=utf-8"
	if status == http.StatusOK {
		httpkit.Current(w, r, contentType, page)
		return
	}
	h.Set("Content-Type", contentType)
	w.WriteHeader(status)
	_, _ = w.Write(page) // fails only if the client has gone
}

const (
	// securityTxt is the address that RFC 9116 sets.
	securityTxt = ".well-known/security.txt"
	// securityTxtLife is how long the contact is good for; RFC 9116 recommends less than a year.
	securityTxtLife = 180 * 24 * time.Hour
)

// securityTxt says where to report vulnerabilities. It expires at a full day, so that its
// ETag changes once a day.
func (p Pages) securityTxt(k *httpkit.Kit) []byte {
	expires := k.Clock().UTC().Truncate(24 * time.Hour).Add(securityTxtLife)
	return fmt.Appendf(nil, "Contact: %s\nExpires: %s\nPreferred-Languages: en, zh\nCanonical: %s/%s\n",
		p.SecurityContact, expires.Format(time.RFC3339), k.PublicURL, securityTxt)
}

const (
	// assets is where the build puts files that carry their hash in the name.
	assets = "assets/"
	// gz is the end of the names of files that the build left compressed, for most clients
	// take them so: code, styles and the first pages.
	gz = ".gz"
)

// serveAsset serves a file that never changes under its name.
func (p Pages) serveAsset(k *httpkit.Kit, w http.ResponseWriter, r *http.Request, name string) {
	contentType := mime.TypeByExtension(path.Ext(name))
	if packed, err := fs.ReadFile(p.Dist, "dist/"+name+gz); err == nil {
		k.Packed(w, r, contentType, packed)
		return
	}
	body, err := fs.ReadFile(p.Dist, "dist/"+name)
	if err != nil {
		k.Fail(w, r, apperr.Missing("File"))
		return
	}
	if path.Ext(name) == ".woff2" {
		w.Header().Set("Access-Control-Allow-Origin", "*") // for the payment frame
	}
	httpkit.Immutable(w, r, contentType, body)
}

// fileTypes are the types that not every system knows.
var fileTypes = map[string]string{
	".ico":         "image/x-icon",
	".webm":        "video/webm",
	".webmanifest": "application/manifest+json",
}

// serveFile serves a built file.
func serveFile(w http.ResponseWriter, r *http.Request, name string, body []byte) {
	contentType := cmp.Or(fileTypes[path.Ext(name)], mime.TypeByExtension(path.Ext(name)))
	h := w.Header()
	h.Set("Cache-Control", "public, max-age=3600")
	h.Set("ETag", httpkit.ETag(body))
	h.Set("Content-Type", contentType)
	// Players ask for a film in ranges.
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(body))
}
