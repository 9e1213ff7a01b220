// Package webui serves the web app: its files, and its page at every address that
// the app has a route for in the browser.
package webui

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"reflect"
	"strings"
	"time"

	"kaibao/internal/catalogue"
	"kaibao/internal/fault"
	"kaibao/internal/httpkit"
	"kaibao/internal/terms"
)

// PageConfig is what the page is told about the installation before it starts.
type PageConfig struct {
	Sandbox   bool                    `json:"sandbox"`
	Version   string                  `json:"version"`
	Social    string                  `json:"social"` // address of the social account; empty = none
	Chat      string                  `json:"chat"`   // address of the chat community; empty = none
	Terms     terms.PageTerms         `json:"terms"`
	Catalogue catalogue.PageCatalogue `json:"catalogue"`
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
}

// Routes registers the pages: the app's files under their own names, and index.html
// at every other address.
func (p Pages) Routes(k *httpkit.Kit) {
	k.API.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[PageConfig](), true, "") // the web app's type of it is made of the contract
	p.Config.Version = k.Version
	page, err := fs.ReadFile(p.Dist, "dist/"+index)
	if err != nil {
		page = []byte("<!doctype html><title>Kaibao</title><p>This program was built without its web app: run <code>make build</code>.")
	}
	page = bytes.ReplaceAll(page, []byte(publicURLMark), []byte(k.PublicURL.String()))
	visitors, members := p.configured(page, false), p.configured(page, true)
	k.Pages(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := path.Clean(r.PathValue("path"))
		body, err := fs.ReadFile(p.Dist, "dist/"+name)
		switch {
		case err != nil && strings.HasPrefix(name, assets):
			k.Fail(w, r, fault.Missing("File"))
		case err == nil && name != index:
			serveFile(w, r, name, body)
		case k.Cookie(r.Context(), httpkit.SessionCookie) == "":
			servePage(w, r, visitors)
		default:
			servePage(w, r, members)
		}
	}))
}

// configured is the page with its configuration in it.
func (p Pages) configured(page []byte, session bool) []byte {
	p.Config.Session = session
	told, _ := json.Marshal(p.Config) // of texts and numbers, which cannot fail
	script := "<script type=\"application/json\" id=\"kaibao-config\">" + string(told) + "</script></head>"
	return bytes.Replace(page, []byte("</head>"), []byte(script), 1)
}

func servePage(w http.ResponseWriter, r *http.Request, page []byte) {
	etag := httpkit.ETag(page)
	h := w.Header()
	h.Set("Cache-Control", "no-cache")
	h.Set("Vary", "Cookie")
	h.Set("ETag", etag)
	if httpkit.Matches(r, etag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(page)
}

// assets is where the build puts files that carry their hash in the name.
const assets = "assets/"

// serveFile serves a built file.
func serveFile(w http.ResponseWriter, r *http.Request, name string, body []byte) {
	contentType := mime.TypeByExtension(path.Ext(name))
	if path.Ext(name) == ".webm" {
		contentType = "video/webm" // not known on every system
	}
	if strings.HasPrefix(name, assets) {
		httpkit.Immutable(w, r, contentType, body)
		return
	}
	h := w.Header()
	h.Set("Cache-Control", "public, max-age=3600")
	h.Set("ETag", httpkit.ETag(body))
	h.Set("Content-Type", contentType)
	// Players ask for a film in ranges.
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(body))
}
