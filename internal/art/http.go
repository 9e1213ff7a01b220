package art

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"

	"kaibao/internal/apperr"
	"kaibao/internal/httpapi"
	"kaibao/internal/httpcache"
)

const (
	svgType  = "image/svg+xml"
	webpType = "image/webp"
)

// Version must be increased with every change to the drawings, so that nobody uses an outdated cached
// picture.
const Version = "3"

// Path returns the URL of a drawing of some kind, such as items. It changes with the facts that the
// drawing depends on.
func Path(kind, id string, facts ...string) string {
	return drawingPath(kind, id, versionOf(id, facts...))
}

func drawingPath(kind, id, version string) string {
	return "/media/" + kind + "/" + id + ".svg?v=" + version
}

// versionOf returns 8 letters that change with the facts that a drawing depends on.
func versionOf(id string, facts ...string) string {
	sum := sha256.Sum256([]byte(Version + " [" + id + " " + strings.Join(facts, " ") + "]"))
	return hex.EncodeToString(sum[:4])
}

// Serve registers the drawings of a kind at their Path. draw returns the drawing with an id, which
// never changes at its URL.
func Serve(api *httpapi.API, kind, operation, summary string, draw func(ctx context.Context, id string) ([]byte, error)) {
	api.File(httpapi.Get(httpapi.Public, "/media/"+kind+"/{file}", operation, summary), svgType, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		drawing, err := draw(r.Context(), strings.TrimSuffix(r.PathValue("file"), ".svg"))
		if err != nil {
			api.Fail(w, r, err)
			return
		}
		httpcache.Immutable(w, r, svgType, drawing)
	}))
}

// Routes registers the drawings that belong to no item or pack.
func Routes(api *httpapi.API) {
	Serve(api, "avatars", "get-avatar", "A picture generated from a name",
		func(_ context.Context, name string) ([]byte, error) { return DrawAvatar(name), nil })
	Serve(api, "hero", "get-hero-picture", "The hero picture of the home page: 1 or 2", heroPicture)
	api.File(httpapi.Get(httpapi.Public, "/media/covers/{file}", "get-cover", "A pack's cover as pixels"), webpType, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		pixels, err := coverPixels.ReadFile("cover_pixels/" + r.PathValue("file"))
		if err != nil {
			api.Fail(w, r, apperr.Missing("Picture"))
			return
		}
		httpcache.Immutable(w, r, webpType, pixels)
	}))
}

func heroPicture(_ context.Context, number string) ([]byte, error) {
	switch number {
	case "1":
		return DrawHero(1), nil
	case "2":
		return DrawHero(2), nil
	default:
		return nil, apperr.Missing("Picture")
	}
}
