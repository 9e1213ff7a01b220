package httpkit_test

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"kaibao/internal/apperr"
	"kaibao/internal/httpkit"
)

// described is a call's entry in the OpenAPI document.
type described struct {
	Security  []map[string][]string
	Responses map[string]struct {
		Ref     string `json:"$ref"`
		Content map[string]any
	}
	Parameters []struct{ Name, In string }
}

func describe(t *testing.T, e *edge) map[string]map[string]described {
	t.Helper()
	var document struct {
		Paths map[string]map[string]described
	}
	if err := json.Unmarshal(e.call("GET", "/api/openapi.json", "").Body.Bytes(), &document); err != nil {
		t.Fatal(err)
	}
	return document.Paths
}

// The document states every call's security requirement and error codes.
func TestDocumentListsSecurityAndErrors(t *testing.T) {
	e := newEdge(t, "https://kaibao.example")
	nothing := func(context.Context, *struct{}) (string, error) { return "", nil }
	httpkit.JSON(e.Kit, httpkit.Get(httpkit.Public, "/api/public", "public", "Call", apperr.SoldOut), nothing)
	httpkit.JSON(e.Kit, httpkit.Get(httpkit.Session, "/api/session", "session", "Call"), nothing)
	httpkit.JSON(e.Kit, httpkit.Post(httpkit.Admin, "/api/admin", "admin", "Call", apperr.Margin, apperr.Conflict),
		func(context.Context, *echo) (string, error) { return "", nil })
	e.File(httpkit.Get(httpkit.Public, "/log/tile/{path...}", "tile", "Tile"), "application/octet-stream", http.NotFoundHandler())
	const always = " 421.misdirected 429.rate_limited 500.internal 503.unavailable"
	for path, want := range map[string]struct{ security, refusals string }{
		"/api/public":  {"", "410.sold_out" + always},
		"/api/session": {"session", "401.unauthenticated.wallet_mismatch 421.misdirected 422.invalid 429.rate_limited 500.internal 503.unavailable"},
		"/api/admin": {"admin", "400.malformed 401.unauthenticated.wallet_mismatch 403.forbidden 408.too_slow 409.conflict.margin " +
			"413.too_large 415.unsupported_media_type 421.misdirected 422.invalid 429.rate_limited 500.internal 503.unavailable"},
		"/log/tile/{path}": {"", "400.malformed 404.not_found 421.misdirected 422.invalid 429.rate_limited 500.internal 503.unavailable"},
	} {
		for _, call := range describe(t, e)[path] {
			var refusals []string
			for status, response := range call.Responses {
				if status != "200" && status != "304" {
					refusals = append(refusals, strings.TrimPrefix(response.Ref, "#/components/responses/"))
				}
			}
			slices.Sort(refusals)
			if got := strings.Join(refusals, " "); got != want.refusals {
				t.Errorf("%s documents the errors %s, want %s", path, got, want.refusals)
			}
			named := call.Security != nil && len(call.Security) == 0
			if len(call.Security) == 1 {
				_, named = call.Security[0][want.security]
			}
			if !named {
				t.Errorf("%s is secured by %v, want %q", path, call.Security, want.security)
			}
			if strings.HasSuffix(path, "{path}") && (len(call.Parameters) != 1 || call.Responses["200"].Content["application/octet-stream"] == nil) {
				t.Errorf("%s is described as %+v", path, call)
			}
		}
	}
}

// The document is generated once and revalidated by ETag.
func TestDocumentIsCached(t *testing.T) {
	e := newEdge(t, "https://kaibao.example").routes()
	first := e.call("GET", "/api/openapi.json", "")
	etag := first.Header().Get("ETag")
	if again := e.call("GET", "/api/openapi.json", "", "If-None-Match", etag); etag == "" || again.Code != http.StatusNotModified || again.Body.Len() != 0 {
		t.Errorf("with If-None-Match %s: %d, %d bytes", etag, again.Code, again.Body.Len())
	}
	served := testing.AllocsPerRun(5, func() { e.call("GET", "/api/openapi.json", "") })
	made := testing.AllocsPerRun(5, func() { _, _ = e.OpenAPI() })
	if served > made/2 {
		t.Errorf("serving allocates %.0f times, generating %.0f", served, made)
	}
}
