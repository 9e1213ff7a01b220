package webui

import (
	"bytes"
	"html"
	"io/fs"
	"net/http"
	"net/url"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"kaibao/internal/houserules"
	"kaibao/internal/httpcache"
	"kaibao/internal/packs"
)

// prerenderedDir is the folder of prerendered pages, as they look before any data has loaded.
const prerenderedDir = "first/"

// Placeholders in prerendered pages: nameMark for the last part of the path, the others for the
// installation's values.
const (
	nameMark    = "first-name"
	versionMark = "first-version"
	socialMark  = "https://social.invalid"
	chatMark    = "https://chat.invalid"
)

// page returns the page of a path: the prerendered one in the visitor's language, or the empty
// page if there is none.
func (p Pages) page(r *http.Request, name string) []byte {
	who := "visitor"
	if p.Config.Session {
		who = "member"
	}
	for _, file := range prerenderedFiles(name) {
		page, err := p.readGzip(path.Join("dist", prerenderedDir, language(r), who, file+".html"))
		if err == nil {
			return withTheme(p.fillPlaceholders(page, path.Base(name)), r)
		}
	}
	page, err := fs.ReadFile(p.Dist, "dist/"+index)
	if err != nil {
		return []byte("<!doctype html><head><title>Kaibao</title></head><p>This program was built without its web app: run <code>make build</code>.")
	}
	return withTheme(page, r)
}

// prerenderedFiles returns the files that may have the prerendered page of a path, in the order to
// try them. The app's router ignores case.
func prerenderedFiles(name string) []string {
	switch name {
	case "":
		return []string{"index"}
	case "index":
		return nil
	}
	name = strings.ToLower(name)
	folder, _ := path.Split(name)
	return []string{name, folder + "_"}
}

// known reports whether the app has a page at a path. The build prerenders every page of the
// app's routes.
func (p Pages) known(name string) bool {
	return slices.ContainsFunc(prerenderedFiles(name), func(file string) bool {
		_, err := fs.Stat(p.Dist, path.Join("dist", prerenderedDir, "en/visitor", file+".html"+gz))
		return err == nil
	})
}

// readGzip returns the content of a file that the build compressed.
func (p Pages) readGzip(name string) ([]byte, error) {
	packed, err := p.Dist.Open(name + gz)
	if err != nil {
		return nil, err
	}
	defer func() { _ = packed.Close() }()
	return httpcache.Gunzip(packed)
}

var english = regexp.MustCompile(`(?i)^en\b`)

// cookieChoice returns the value of the web app's cookie of this name if it is one of among, else
// an empty string. Scripts set these cookies: web/src/lib/preference.ts.
func cookieChoice(r *http.Request, name string, among ...string) string {
	cookie, err := r.Cookie(name)
	if err != nil || !slices.Contains(among, cookie.Value) {
		return ""
	}
	return cookie.Value
}

// withTheme returns a page with the visitor's theme, so that the first frame already has it.
func withTheme(page []byte, r *http.Request) []byte {
	if cookieChoice(r, "theme", "light") == "" {
		return page
	}
	return bytes.Replace(page, []byte("<html"), []byte(`<html class="light"`), 1)
}

// language returns the visitor's language by the web app's rule: the chosen one, or else English
// for English browsers and Chinese for all others.
func language(r *http.Request) string {
	if language := cookieChoice(r, "language", "en", "zh"); language != "" {
		return language
	}
	if english.MatchString(r.Header.Get("Accept-Language")) {
		return "en"
	}
	return "zh"
}

// fillPlaceholders returns a prerendered page with its placeholders replaced, and without the parts
// that this installation doesn't have.
func (p Pages) fillPlaceholders(page []byte, name string) []byte {
	page, _ = removeUnless(page, "sandbox", p.Config.Sandbox)
	page, _ = removeUnless(page, "market", p.Config.Rules.Market)
	sameRules := reflect.DeepEqual(p.Config.Rules, houserules.Default()) // the rules used for prerendering
	page, differs := p.fillCovers(page, name)
	// The app doesn't only leave these parts out, but renders something else in or around their place.
	for part, kept := range map[string]bool{
		"rules": sameRules, "social": p.Config.Social != "", "chat": p.Config.Chat != "", "test-points": p.Config.Sandbox,
	} {
		var removed bool
		page, removed = removeUnless(page, part, kept)
		differs = differs || removed
	}
	if differs || !sameRules {
		// The app must replace this page instead of hydrating it.
		page = bytes.Replace(page, []byte(`data-prerendered="same"`), []byte(`data-prerendered="differs"`), 1)
	}
	return []byte(strings.NewReplacer(
		nameMark, strings.ReplaceAll(url.QueryEscape(name), "+", "%20"), // like encodeURIComponent; in attributes and JSON
		versionMark, html.EscapeString(p.Config.Version),
		socialMark, html.EscapeString(p.Config.Social),
		chatMark, html.EscapeString(p.Config.Chat),
	).Replace(string(page)))
}

// prerenderedCovers is the number of packs in the store whose covers are prerendered.
const prerenderedCovers = 4

// fillCovers fills in the covers of the store's first packs and of the pack in the path. It
// reports whether it removed places of packs without a cover.
func (p Pages) fillCovers(page []byte, name string) (filled []byte, removed bool) {
	covers := map[string]packs.Cover{"named": {}, "0": {}, "1": {}, "2": {}, "3": {}}
	for n, c := range p.Config.Covers {
		if c.Pack == name {
			covers["named"] = c
		}
		if n < prerenderedCovers {
			covers[strconv.Itoa(n)] = c
		}
	}
	for mark, c := range covers {
		var missing bool
		page, missing = removeUnless(page, "cover-"+mark, c.Address != "")
		removed = removed || missing
		page = bytes.ReplaceAll(page, []byte("first-cover-"+mark), []byte(html.EscapeString(c.Address)))
		page = bytes.ReplaceAll(page, []byte("first-sources-"+mark), []byte(html.EscapeString(c.Sources)))
	}
	return page, removed
}

// removeUnless removes an optional part of a page unless it is kept. It reports whether it did.
func removeUnless(page []byte, part string, kept bool) (rest []byte, removed bool) {
	before, marked, found := bytes.Cut(page, []byte("<!--"+part+"-->"))
	_, after, ended := bytes.Cut(marked, []byte("<!--/"+part+"-->"))
	if kept || !found || !ended {
		return page, false
	}
	return slices.Concat(before, after), true
}
