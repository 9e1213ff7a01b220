package httpapi

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/policy"
)

// Route declares a call: its path, access rule, rate limit, and limits on body size and time.
type Route struct {
	Method, Path string // an empty method matches all
	ID, Summary  string // for the OpenAPI document
	Access       Access
	Rate         RateClass
	BodyLimit    int64         // bytes
	TimeLimit    time.Duration // for the handler, from when the body has been read
	Status       int           // of a successful response
	Refusals     []apperr.Code // beyond those implied by access and input
	Description  string        // in the OpenAPI document, where the summary isn't enough

	Responses map[string]*huma.Response // for the document, if huma can't derive them from types

	Strict          bool // refuses unknown fields in the body
	Stream          bool // the response is long-lived: uncompressed and without TimeLimit
	VerifiesSession bool // the handler checks the session in its transaction, so admission may use Options.CachedPrincipal
	AllowFrozen     bool // also served to users whose account is frozen; all GET routes are
	HealthCheck     bool // for load balancers: served at any host name, and logged only if it fails or at level debug
	foreign         bool // see Foreign
}

// Get declares a read. Refusals are its error codes beyond those implied by its access rule and
// input.
func Get(access Access, path, id, summary string, refusals ...apperr.Code) Route {
	return Route{Method: http.MethodGet, Path: path, ID: id, Summary: summary, Access: access, Rate: Reads, Refusals: refusals}
}

// Post declares a write; see Get for refusals.
func Post(access Access, path, id, summary string, refusals ...apperr.Code) Route {
	return Route{Method: http.MethodPost, Path: path, ID: id, Summary: summary, Access: access, Rate: Writes, Refusals: refusals}
}

// Patch declares a partial update; see Get for refusals.
func Patch(access Access, path, id, summary string, refusals ...apperr.Code) Route {
	return Route{Method: http.MethodPatch, Path: path, ID: id, Summary: summary, Access: access, Rate: Writes, Refusals: refusals}
}

// Put declares a replacement; see Get for refusals.
func Put(access Access, path, id, summary string, refusals ...apperr.Code) Route {
	return Route{Method: http.MethodPut, Path: path, ID: id, Summary: summary, Access: access, Rate: Writes, Refusals: refusals}
}

// Delete declares a call that responds 204 with no body; see Get for refusals.
func Delete(access Access, path, id, summary string, refusals ...apperr.Code) Route {
	return Route{Method: http.MethodDelete, Path: path, ID: id, Summary: summary, Access: access, Rate: Writes, Status: http.StatusNoContent, Refusals: refusals}
}

// WithRate returns the route with another rate limit.
func (r Route) WithRate(rate RateClass) Route {
	r.Rate = rate
	return r
}

// WithBodyLimit returns the route with another body limit in bytes.
func (r Route) WithBodyLimit(bytes int64) Route {
	r.BodyLimit = bytes
	return r
}

// WithTimeLimit returns the route with another time limit.
func (r Route) WithTimeLimit(limit time.Duration) Route {
	r.TimeLimit = limit
	return r
}

// WithStatus returns the route with another success status than 200.
func (r Route) WithStatus(status int) Route {
	r.Status = status
	return r
}

// Foreign returns the route for pages of other parties. It is served only on Options.PaymentOrigin,
// if that is set. Any origin may call it and read its response, so the response must not depend on
// the caller.
func (r Route) Foreign() Route {
	r.foreign = true
	return r
}

// Pattern returns the route's http.ServeMux pattern.
func (r Route) Pattern() string { return strings.TrimPrefix(r.Method+" "+r.Path, " ") }

const routeKey = "route" // key in an operation's metadata

// routeOf returns the route that an operation was made from.
func routeOf(op *huma.Operation) Route {
	route, _ := op.Metadata[routeKey].(Route)
	return route
}

func (r Route) operation() huma.Operation {
	return huma.Operation{
		Method: r.Method, Path: r.Path, OperationID: r.ID, Summary: r.Summary, Description: r.Description, DefaultStatus: r.Status, Responses: r.Responses,
		MaxBodyBytes: r.BodyLimit + 1, // huma refuses bodies of exactly this size
		// The body has been read before huma sees it. A read deadline of huma's would cut off
		// longer calls.
		BodyReadTimeout: -1,
		Metadata:        map[string]any{routeKey: r},
	}
}

// LimitContext returns ctx with the route's time limit.
func (r Route) LimitContext(ctx context.Context) (context.Context, context.CancelFunc) {
	if r.Stream {
		return ctx, func() {} // a stream limits its own time
	}
	return context.WithTimeout(ctx, cmp.Or(r.TimeLimit, db.CallTime))
}

// Routes returns all registered routes by pattern.
func (a *API) Routes() map[string]Route { return maps.Clone(a.routes) }

// declare stores a route, after filling in the default limits.
func (a *API) declare(r Route) Route {
	if r.Access == Nobody || callsPerMinute[r.Rate] == 0 {
		panic("route " + r.Pattern() + " needs an access rule and a rate limit")
	}
	if r.foreign && r.Access != Public {
		panic("route " + r.Pattern() + " allows other origins, so it must be public")
	}
	r.BodyLimit = cmp.Or(r.BodyLimit, policy.MaxBody)
	r.TimeLimit = cmp.Or(r.TimeLimit, db.CallTime)
	r.Status = cmp.Or(r.Status, http.StatusOK)
	a.routes[r.Pattern()] = r
	return r
}

// guardedMux applies the guard to everything that huma serves, even routes that were not declared
// with the API.
type guardedMux struct{ *API }

// HandleFunc implements humago.Mux.
func (m guardedMux) HandleFunc(pattern string, handle func(http.ResponseWriter, *http.Request)) {
	m.mux.Handle(pattern, m.guard(m.routes[pattern], http.HandlerFunc(handle)))
}

// ServeHTTP implements humago.Mux.
func (m guardedMux) ServeHTTP(w http.ResponseWriter, r *http.Request) { m.mux.ServeHTTP(w, r) }

// Reply is a response with only a body.
type Reply[B any] struct{ Body B }

// Handle registers a call whose response can set headers.
func Handle[I, O any](api *API, route Route, handle func(context.Context, *I) (*O, error)) {
	route = api.declare(route)
	huma.Register(api.Huma, route.operation(), func(ctx context.Context, in *I) (*O, error) {
		releaseDecodeSlot(ctx)
		ctx, end := route.LimitContext(ctx)
		defer end()
		out, err := handle(ctx, in)
		if err != nil {
			return nil, api.translate(ctx, err)
		}
		return out, nil
	})
}

// JSON registers a call that responds with a JSON body.
func JSON[I, B any](api *API, route Route, handle func(context.Context, *I) (B, error)) {
	Handle(api, route, func(ctx context.Context, in *I) (*Reply[B], error) {
		body, err := handle(ctx, in)
		return &Reply[B]{Body: body}, err
	})
}

// JSONType is the content type of JSON.
const JSONType = "application/json"

// EncodeJSON encodes a response body as huma does: without escaping HTML, and with a newline at the
// end.
func EncodeJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return b.Bytes(), err
}

// Raw registers a handler that isn't a JSON call.
func (a *API) Raw(route Route, handler http.Handler) {
	route = a.declare(route)
	a.mux.Handle(route.Pattern(), a.guard(route, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, end := route.LimitContext(r.Context())
		defer end()
		handler.ServeHTTP(w, r.WithContext(ctx))
	})))
}

const catchAllPath = "/{path...}"

// Pages registers the handler of all other paths, except those whose first segment belongs to an
// API route: a program with a mistyped path must get an error, not a page.
func (a *API) Pages(page http.Handler) {
	a.Raw(Route{Path: catchAllPath, Access: Public, Rate: Reads}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if a.isPage(r) {
			page.ServeHTTP(w, r)
		} else {
			a.refuseUnknownPath(w, r)
		}
	}))
}

func (a *API) isPage(r *http.Request) bool {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	first := firstSegment(path.Clean(r.URL.Path))
	for _, route := range a.routes {
		if route.Path != catchAllPath && firstSegment(route.Path) == first {
			return false
		}
	}
	return true
}

func firstSegment(urlPath string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(urlPath, "/"), "/")
	return first
}

// refuseUnknownPath responds 405 with the allowed methods, or 404 if the path has none.
func (a *API) refuseUnknownPath(w http.ResponseWriter, r *http.Request) {
	allowed := a.allowed(r)
	if len(allowed) == 0 {
		a.Fail(w, r, apperr.New(apperr.NotFound, "This address doesn't exist. The API is documented at "+DocumentPath+"."))
		return
	}
	methods := strings.Join(allowed, ", ")
	w.Header().Set("Allow", methods)
	a.Fail(w, r, apperr.New(apperr.MethodNotAllowed, "This address doesn't allow "+r.Method+". It allows "+methods+"."))
}

// allowed lists the methods that are served at the request's path.
func (a *API) allowed(r *http.Request) []string {
	methods := []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}
	return slices.DeleteFunc(methods, func(method string) bool {
		probe := r.Clone(r.Context())
		probe.Method = method
		_, pattern := a.mux.Handler(probe)
		return pattern == catchAllPath && !a.isPage(probe)
	})
}
