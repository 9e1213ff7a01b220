package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"kaibao/internal/apperr"
)

// maxParameterName limits how many bytes of an unknown parameter's name an error repeats.
const maxParameterName = 64

// checkQuery refuses unknown query parameters, except on public calls. A filter with a typo would
// otherwise select everything. Public URLs are shared, and other sites append parameters of
// their own.
func (a *API) checkQuery(ctx huma.Context, next func(huma.Context)) {
	if routeOf(ctx.Operation()).Access == Public {
		next(ctx)
		return
	}
	r, w := humago.Unwrap(ctx)
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		a.Fail(w, r, apperr.InvalidField("query", "is not a valid query string"))
		return
	}
	for name := range query {
		known := func(p *huma.Param) bool { return p.In == "query" && p.Name == name }
		if !slices.ContainsFunc(ctx.Operation().Parameters, known) {
			a.Fail(w, r, apperr.InvalidField(name[:min(len(name), maxParameterName)], "is not a known parameter"))
			return
		}
	}
	next(ctx)
}

// ReadQuery returns a parser of query strings into F. It applies the same rules as a call with
// input F and refuses the same queries.
func ReadQuery[F any]() func(query string) (F, error) {
	config := huma.DefaultConfig("", "")
	config.CreateHooks, config.OpenAPIPath, config.DocsPath, config.SchemasPath = nil, "", "", ""
	mux := http.NewServeMux()
	op := huma.Operation{Method: http.MethodGet, Path: "/"}
	huma.Register(humago.New(mux, config), op, func(ctx context.Context, in *F) (*struct{}, error) {
		*ctx.Value(queryKey{}).(*F) = *in
		return nil, nil
	})
	return func(query string) (read F, err error) {
		if _, err := url.ParseQuery(query); err != nil {
			return read, apperr.InvalidField("query", "is not a valid query string")
		}
		ctx := context.WithValue(context.Background(), queryKey{}, &read)
		var response bufferedResponse
		mux.ServeHTTP(&response, (&http.Request{Method: op.Method, URL: &url.URL{Path: op.Path, RawQuery: query}}).WithContext(ctx))
		return read, response.refusal()
	}
}

type queryKey struct{}

// bufferedResponse captures a response in memory.
type bufferedResponse struct {
	bytes.Buffer
	header http.Header
	status int
}

// Header implements http.ResponseWriter.
func (u *bufferedResponse) Header() http.Header {
	if u.header == nil {
		u.header = http.Header{}
	}
	return u.header
}

// WriteHeader implements http.ResponseWriter.
func (u *bufferedResponse) WriteHeader(status int) { u.status = status }

// refusal returns why the parameters were refused, or nil.
func (u *bufferedResponse) refusal() error {
	if u.status < http.StatusBadRequest {
		return nil
	}
	var refused apiError
	if err := json.Unmarshal(u.Bytes(), &refused); err != nil {
		return err
	}
	return apperr.InvalidField("query", "is invalid: "+refused.Message)
}
