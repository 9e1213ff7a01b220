package httpkit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
	"time"

	"kaibao/internal/fault"
	"kaibao/internal/terms"
)

// PageConfig is what the page is told about the installation before it starts.
type PageConfig struct {
	Sandbox bool            `json:"sandbox"`
	Version string          `json:"version"`
	Social  string          `json:"social"` // address of the social account; empty = none
	Chat    string          `json:"chat"`   // address of the chat community; empty = none
	Terms   terms.PageTerms `json:"terms"`
	// Session tells whether the browser brought a session's cookie, living or
	// not: without one there is nobody to ask for. Set for each request.
	Session bool `json:"session"`
}

const (
	index    = "index.html"
	allPages = "/{path...}"
)

// publicURLMark stands in index.html where others need a whole address.
const publicURLMark = "https://public-url.invalid"

// Pages serves the web app: its files under their own names, and index.html for
// every other address, as the app has its routes in the browser.
func (k *Kit) Pages(dist fs.FS, config PageConfig) error {
	page, err := fs.ReadFile(dist, "dist/"+index)
	if err != nil {
		page = []byte("<!doctype html><title>Kaibao</title><p>This program was built without its web app: run <code>make build</code>.")
	}
	page = bytes.ReplaceAll(page, []byte(publicURLMark), []byte(k.PublicURL.String()))
	visitors, err := configured(page, config, false)
	if err != nil {
		return err
	}
	members, err := configured(page, config, true)
	if err != nil {
		return err
	}
	pageFor := func(r *http.Request) []byte {
		if _, err := r.Cookie(k.PublicURL.Cookie(SessionCookie)); err != nil {
			return visitors
		}
		return members
	}
	k.Raw(allPages, Public, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := path.Clean(r.PathValue("path"))
		if notAPage(r, name) {
			k.refuseAddress(w, r, name)
			return
		}
		body, err := fs.ReadFile(dist, "dist/"+name)
		if err != nil && strings.HasPrefix(name, "assets/") {
			k.Fail(w, r, fault.Missing("File"))
			return
		}
		if err != nil || name == index || name == "." {
			servePage(w, r, pageFor(r))
			return
		}
		serveFile(w, r, name, body)
	}))
	return nil
}

// configured is the page with its configuration in it.
func configured(page []byte, config PageConfig, session bool) ([]byte, error) {
	config.Session = session
	told, err := json.Marshal(config)
	if err != nil {
		return nil, fmt.Errorf("page configuration: %w", err)
	}
	script := fmt.Appendf(nil, `<script type="application/json" id="kaibao-config">%s</script></head>`, told)
	return bytes.Replace(page, []byte("</head>"), script, 1), nil
}

// refuseAddress says what can be asked of an address, or that it is none.
func (k *Kit) refuseAddress(w http.ResponseWriter, r *http.Request, name string) {
	allowed := k.allowed(r, name)
	if len(allowed) == 0 {
		k.Fail(w, r, fault.New(fault.NotFound, "There is nothing at this address; all calls are listed at "+apiPath+"."))
		return
	}
	methods := strings.Join(allowed, ", ")
	w.Header().Set("Allow", methods)
	k.Fail(w, r, fault.New(fault.MethodNotAllowed, "This address does not take "+r.Method+"; it takes "+methods+"."))
}

// allowed lists the methods that are served at the address of a request.
func (k *Kit) allowed(r *http.Request, name string) (methods []string) {
	for _, method := range []string{
		http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
	} {
		probe := r.Clone(r.Context())
		probe.Method = method
		if _, pattern := k.mux.Handler(probe); pattern != allPages || !notAPage(probe, name) {
			methods = append(methods, method)
		}
	}
	return methods
}

// notAPage tells what no route of the app in the browser can be: a program that
// asks for it must not be answered with the page.
func notAPage(r *http.Request, name string) bool {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return true
	}
	first, _, _ := strings.Cut(name, "/")
	switch first {
	case "api", "media", "log", "metrics":
		return true
	default:
		return false
	}
}

func servePage(w http.ResponseWriter, r *http.Request, page []byte) {
	etag := ETag(page)
	h := w.Header()
	h.Set("Cache-Control", "no-cache")
	h.Set("Vary", "Cookie")
	h.Set("ETag", etag)
	if Matches(r, etag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(page)
}

// serveFile serves a built file. Those in assets/ carry their hash in the name.
func serveFile(w http.ResponseWriter, r *http.Request, name string, body []byte) {
	contentType := mime.TypeByExtension(path.Ext(name))
	if path.Ext(name) == ".webm" {
		contentType = "video/webm" // not known on every system
	}
	if strings.HasPrefix(name, "assets/") {
		Immutable(w, r, contentType, body)
		return
	}
	h := w.Header()
	h.Set("Cache-Control", "public, max-age=3600")
	h.Set("ETag", ETag(body))
	h.Set("Content-Type", contentType)
	// Players ask for a film in ranges.
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(body))
}
