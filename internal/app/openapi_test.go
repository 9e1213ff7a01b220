package app

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"kaibao/internal/httpapi"
)

// The document is generated once and revalidated by ETag.
func TestDocumentIsCached(t *testing.T) {
	api := newTestAPI(t)
	get := func(etag string) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, httpapi.DocumentPath, nil)
		r.Host = api.PublicURL.Host()
		r.Header.Set("If-None-Match", etag)
		w := httptest.NewRecorder()
		api.Handler().ServeHTTP(w, r)
		return w
	}
	etag := get("").Header().Get("ETag")
	if again := get(etag); etag == "" || again.Code != http.StatusNotModified || again.Body.Len() != 0 {
		t.Errorf("with If-None-Match %s: %d, %d bytes", etag, again.Code, again.Body.Len())
	}
	served := testing.AllocsPerRun(5, func() { get("") })
	made := testing.AllocsPerRun(5, func() { _, _ = api.OpenAPI() })
	if served > made/2 {
		t.Errorf("serving allocates %.0f times, generating %.0f", served, made)
	}
}
