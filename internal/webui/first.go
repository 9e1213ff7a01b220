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
	"kaibao/internal/httpkit"
	"kaibao/internal/packs"
)

// first is where the build puts each page as it is before any data has come.
const first = "first/"

// nameMark stands in a first page for what its address names; the others for what
// the installation has.
const (
	nameMark    = "first-name"
	versionMark = "first-version"
	socialMark  = "https://social.invalid"
	chatMark    = "https://chat.invalid"
)

// page is what is served at an address: the page as it is drawn before any data has
// come, in the language its visitor wants, or where there is none the empty one.
func (p Pages) page(r *http.Request, name string) []byte {
	who := "visitor"
	if p.Config.Session {
		who = "member"
	}
	for _, file := range firstFiles(name) {
		page, err := p.unpacked(path.Join("dist", first, language(r), who, file+".html"))
		if err == nil {
			return marked(p.filled(page, path.Base(name)), r, sentAs(r))
		}
	}
	page, err := fs.ReadFile(p.Dist, "dist/"+index)
	if err != nil {
		return []byte("<!doctype html><title>Kaibao</title><p>This program was built without its web app: run <code>make build</code>.")
	}
	return marked(page, r)
}

// firstFiles returns the files that may hold the first page of an address, in the order
// to try them. The app's router ignores case.
func firstFiles(name string) []string {
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

// known reports whether the app has a page at an address. The build writes a first page
// for every page of the app's table.
func (p Pages) known(name string) bool {
	return slices.ContainsFunc(firstFiles(name), func(file string) bool {
		_, err := fs.Stat(p.Dist, path.Join("dist", first, "en/visitor", file+".html"+gz))
		return err == nil
	})
}

// unpacked is a file that the build left compressed.
func (p Pages) unpacked(name string) ([]byte, error) {
	packed, err := p.Dist.Open(name + gz)
	if err != nil {
		return nil, err
	}
	defer func() { _ = packed.Close() }()
	return httpkit.Unpacked(packed)
}

var english = regexp.MustCompile(`(?i)^en\b`)

// choice is what the web app's cookie of this name tells of, where that is one of what
// there is to choose from; else empty. Scripts set these cookies: web/src/lib/choice.ts.
func choice(r *http.Request, name string, among ...string) string {
	cookie, err := r.Cookie(name)
	if err != nil || !slices.Contains(among, cookie.Value) {
		return ""
	}
	return cookie.Value
}

func chosenLanguage(r *http.Request) string { return choice(r, "language", "en", "zh") }

// sentAs is how the styles show a first page: less than all of it in its first frames, or
// nothing, where nobody said in which language.
func sentAs(r *http.Request) string {
	if chosenLanguage(r) == "" && r.Header.Get("Accept-Language") == "" {
		return "undrawn"
	}
	return "unseen soon-unseen below-unseen"
}

// marked is a page with these classes, and in the theme that its visitor has chosen before
// anything of it is seen.
func marked(page []byte, r *http.Request, classes ...string) []byte {
	if choice(r, "theme", "light") != "" {
		classes = append(classes, "light")
	}
	if len(classes) == 0 {
		return page
	}
	return bytes.Replace(page, []byte("<html"), []byte(`<html class="`+strings.Join(classes, " ")+`"`), 1)
}

// language is chosen as the web app does: what the visitor wants, or else Chinese for any
// browser but an English one.
func language(r *http.Request) string {
	if language := chosenLanguage(r); language != "" {
		return language
	}
	if english.MatchString(r.Header.Get("Accept-Language")) {
		return "en"
	}
	return "zh"
}

// filled is a first page with what the installation has and what the address names.
func (p Pages) filled(page []byte, name string) []byte {
	page = without(page, "sandbox", p.Config.Sandbox)
	page = without(page, "social", p.Config.Social != "")
	page = without(page, "chat", p.Config.Chat != "")
	page = without(page, "market", p.Config.Rules.Market)
	page = without(page, "rules", reflect.DeepEqual(p.Config.Rules, houserules.Open())) // by which it was drawn
	page = p.covered(page, name)
	return []byte(strings.NewReplacer(
		nameMark, strings.ReplaceAll(url.QueryEscape(name), "+", "%20"), // as encodeURIComponent, in attributes and in JSON
		versionMark, html.EscapeString(p.Config.Version),
		socialMark, html.EscapeString(p.Config.Social),
		chatMark, html.EscapeString(p.Config.Chat),
	).Replace(string(page)))
}

// inSight is how many packs of the store a first page shows with their covers.
const inSight = 4

// covered is a first page with the covers of the store's first packs, or of the one
// that the address names, as far as there are any.
func (p Pages) covered(page []byte, name string) []byte {
	covers := map[string]packs.Cover{"named": {}, "0": {}, "1": {}, "2": {}, "3": {}}
	for n, c := range p.Config.Covers {
		if c.Pack == name {
			covers["named"] = c
		}
		if n < inSight {
			covers[strconv.Itoa(n)] = c
		}
	}
	for mark, c := range covers {
		page = without(page, "cover-"+mark, c.Address != "")
		page = bytes.ReplaceAll(page, []byte("first-cover-"+mark), []byte(html.EscapeString(c.Address)))
		page = bytes.ReplaceAll(page, []byte("first-sources-"+mark), []byte(html.EscapeString(c.Sources)))
	}
	return page
}

// without takes a part out unless it is kept.
func without(page []byte, part string, kept bool) []byte {
	before, rest, found := bytes.Cut(page, []byte("<!--"+part+"-->"))
	_, after, ended := bytes.Cut(rest, []byte("<!--/"+part+"-->"))
	if kept || !found || !ended {
		return page
	}
	return slices.Concat(before, after)
}
