package httpapi_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"

	"kaibao/internal/apperr"
	"kaibao/internal/httpapi"
	"kaibao/internal/httpapi/httpapitest"
)

// The document states every call's security requirement and error codes.
func TestDocumentListsSecurityAndErrors(t *testing.T) {
	e := httpapitest.New(t, "https://kaibao.example")
	nothing := func(context.Context, *struct{}) (string, error) { return "", nil }
	httpapi.JSON(e.API, httpapi.Get(httpapi.Public, "/api/public", "public", "Call", apperr.SoldOut), nothing)
	httpapi.JSON(e.API, httpapi.Get(httpapi.Session, "/api/session", "session", "Call"), nothing)
	httpapi.JSON(e.API, httpapi.Post(httpapi.Admin, "/api/admin", "admin", "Call", apperr.Margin, apperr.Conflict),
		func(context.Context, *echo) (string, error) { return "", nil })
	e.File(httpapi.Get(httpapi.Public, "/log/tile/{path...}", "tile", "Tile"), "application/octet-stream", http.NotFoundHandler())
	const always = " 421.misdirected 429.rate_limited 500.internal 503.unavailable"
	for path, want := range map[string]struct{ security, refusals string }{
		"/api/public":  {"", "410.sold_out" + always},
		"/api/session": {"session", "401.unauthenticated.wallet_mismatch 421.misdirected 422.invalid 429.rate_limited 500.internal 503.unavailable"},
		"/api/admin": {"admin", "400.malformed 401.unauthenticated.wallet_mismatch 403.forbidden 408.too_slow 409.conflict.margin " +
			"413.too_large 415.unsupported_media_type 421.misdirected 422.invalid 429.rate_limited 500.internal 503.unavailable"},
		"/log/tile/{path}": {"", "400.malformed 404.not_found 421.misdirected 422.invalid 429.rate_limited 500.internal 503.unavailable"},
	} {
		for _, call := range e.Operations(t)[path] {
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
				t.Errorf("%s has the security requirements %v, want %q", path, call.Security, want.security)
			}
			if strings.HasSuffix(path, "{path}") && (len(call.Parameters) != 1 || call.Responses["200"].Content["application/octet-stream"] == nil) {
				t.Errorf("%s is described as %+v", path, call)
			}
		}
	}
}
