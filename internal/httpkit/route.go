package httpkit

import (
	"cmp"
	"context"
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

// Route is a call as its feature declares it: where it is, who may call it and how
// often, and what a call may take.
type Route struct {
	Method, Path string // no method: every one
	ID, Summary  string // as the document has them
	Access       Access
	Rate         Rate
	BodyLimit    int64         // bytes
	TimeLimit    time.Duration // for the work, when the body has come
	Status       int           // of the answer
	Refusals     []apperr.Code // beside those that follow from access and input
	Description  string        // in the document, where the summary does not say all

	strict  bool                      // refuses fields that it does not know
	foreign bool                      // see Foreign
	stream  bool                      // does not end by itself
	proves  bool                      // asks in its transaction whether a session still proves its caller
	answers map[string]*huma.Response // where huma cannot know them
}

// Get declares a reading call, with the codes that it refuses with beside those that
// follow from its access rule and its input.
func Get(access Access, path, id, summary string, refusals ...apperr.Code) Route {
	return Route{Method: http.MethodGet, Path: path, ID: id, Summary: summary, Access: access, Rate: Reads, Refusals: refusals}
}

// Post declares a writing call, as Get does.
func Post(access Access, path, id, summary string, refusals ...apperr.Code) Route {
	return Route{Method: http.MethodPost, Path: path, ID: id, Summary: summary, Access: access, Rate: Writes, Refusals: refusals}
}

// Patch declares a changing call, as Get does.
func Patch(access Access, path, id, summary string, refusals ...apperr.Code) Route {
	return Route{Method: http.MethodPatch, Path: path, ID: id, Summary: summary, Access: access, Rate: Writes, Refusals: refusals}
}

// Put declares a call that replaces something, as Get does.
func Put(access Access, path, id, summary string, refusals ...apperr.Code) Route {
	return Route{Method: http.MethodPut, Path: path, ID: id, Summary: summary, Access: access, Rate: Writes, Refusals: refusals}
}

// Delete declares a call that ends something and answers nothing, as Get does.
func Delete(access Access, path, id, summary string, refusals ...apperr.Code) Route {
	return Route{Method: http.MethodDelete, Path: path, ID: id, Summary: summary, Access: access, Rate: Writes, Status: http.StatusNoContent, Refusals: refusals}
}

// At is the route with another rate.
func (r Route) At(rate Rate) Route {
	r.Rate = rate
	return r
}

// Taking is the route for bodies of up to so many bytes.
func (r Route) Taking(bytes int64) Route {
	r.BodyLimit = bytes
	return r
}

// Within is the route for work of up to so long.
func (r Route) Within(limit time.Duration) Route {
	r.TimeLimit = limit
	return r
}

// Answering is the route for answers of another status than 200.
func (r Route) Answering(status int) Route {
	r.Status = status
	return r
}

// Foreign is a route that code of other parties runs on or calls. It is served at
// Options.PaymentOrigin only, where one is set. Any origin may call it and read its
// answer, so it must not depend on who calls.
func (r Route) Foreign() Route {
	r.foreign = true
	return r
}

// pattern is the route as a http.ServeMux knows it.
func (r Route) pattern() string { return strings.TrimPrefix(r.Method+" "+r.Path, " ") }

const routeKey = "route" // of an operation's metadata

// routeOf is the route that an operation was made of.
func routeOf(op *huma.Operation) Route {
	route, _ := op.Metadata[routeKey].(Route)
	return route
}

func (r Route) operation() huma.Operation {
	return huma.Operation{
		Method: r.Method, Path: r.Path, OperationID: r.ID, Summary: r.Summary, Description: r.Description, DefaultStatus: r.Status, Responses: r.answers,
		MaxBodyBytes: r.BodyLimit + 1, // huma refuses what reaches it
		// The body is here when huma reads it; a deadline of its own would end calls that take longer.
		BodyReadTimeout: -1,
		Metadata:        map[string]any{routeKey: r},
	}
}

// timed is ctx for the route's work.
func (r Route) timed(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, r.TimeLimit)
}

// Routes lists all that was registered, by their patterns.
func (k *Kit) Routes() map[string]Route { return maps.Clone(k.routes) }

// declare notes a route, with the limits of most where it names none.
func (k *Kit) declare(r Route) Route {
	if r.Access == Nobody || rates[r.Rate] == 0 {
		panic("route " + r.pattern() + " declares no access rule or no rate")
	}
	if r.foreign && r.Access != Public {
		panic("route " + r.pattern() + " answers other origins: it must be public")
	}
	r.BodyLimit = cmp.Or(r.BodyLimit, policy.MaxBody)
	r.TimeLimit = cmp.Or(r.TimeLimit, db.CallTime)
	r.Status = cmp.Or(r.Status, http.StatusOK)
	k.routes[r.pattern()] = r
	return r
}

// guardedMux registers what huma serves: past the kit, too, nobody is let in.
type guardedMux struct{ *Kit }

// HandleFunc implements humago.Mux.
func (m guardedMux) HandleFunc(pattern string, handle func(http.ResponseWriter, *http.Request)) {
	m.mux.Handle(pattern, m.guard(m.routes[pattern], http.HandlerFunc(handle)))
}

// ServeHTTP implements humago.Mux.
func (m guardedMux) ServeHTTP(w http.ResponseWriter, r *http.Request) { m.mux.ServeHTTP(w, r) }

// Reply is an answer that is only a body.
type Reply[B any] struct{ Body B }

// Handle registers a call that answers with headers of its own.
func Handle[I, O any](k *Kit, route Route, handle func(context.Context, *I) (*O, error)) {
	route = k.declare(route)
	huma.Register(k.API, route.operation(), func(ctx context.Context, in *I) (*O, error) {
		decoded(ctx)
		ctx, end := route.timed(ctx)
		defer end()
		out, err := handle(ctx, in)
		if err != nil {
			return nil, k.translate(ctx, err)
		}
		return out, nil
	})
}

// JSON registers a call that answers with a body.
func JSON[I, B any](k *Kit, route Route, handle func(context.Context, *I) (B, error)) {
	Handle(k, route, func(ctx context.Context, in *I) (*Reply[B], error) {
		body, err := handle(ctx, in)
		return &Reply[B]{Body: body}, err
	})
}

// Raw registers a handler that is no JSON call.
func (k *Kit) Raw(route Route, handler http.Handler) {
	route = k.declare(route)
	k.mux.Handle(route.pattern(), k.guard(route, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, end := route.timed(r.Context())
		defer end()
		handler.ServeHTTP(w, r.WithContext(ctx))
	})))
}

const everyPath = "/{path...}"

// Pages registers what is shown at every address that is no call's, nor begins like
// one: a program that mistakes an address must not be answered with a page.
func (k *Kit) Pages(page http.Handler) {
	k.Raw(Route{Path: everyPath, Access: Public, Rate: Reads}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if k.isPage(r) {
			page.ServeHTTP(w, r)
		} else {
			k.refuseAddress(w, r)
		}
	}))
}

func (k *Kit) isPage(r *http.Request) bool {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	first := firstPart(path.Clean(r.URL.Path))
	for _, route := range k.routes {
		if route.Path != everyPath && firstPart(route.Path) == first {
			return false
		}
	}
	return true
}

func firstPart(of string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(of, "/"), "/")
	return first
}

// refuseAddress says what can be asked of an address, or that it is none.
func (k *Kit) refuseAddress(w http.ResponseWriter, r *http.Request) {
	allowed := k.allowed(r)
	if len(allowed) == 0 {
		k.Fail(w, r, apperr.New(apperr.NotFound, "There is nothing at this address; all calls are listed at "+apiPath+"."))
		return
	}
	methods := strings.Join(allowed, ", ")
	w.Header().Set("Allow", methods)
	k.Fail(w, r, apperr.New(apperr.MethodNotAllowed, "This address does not take "+r.Method+"; it takes "+methods+"."))
}

// allowed lists the methods that are served at the address of a request.
func (k *Kit) allowed(r *http.Request) []string {
	methods := []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}
	return slices.DeleteFunc(methods, func(method string) bool {
		probe := r.Clone(r.Context())
		probe.Method = method
		_, pattern := k.mux.Handler(probe)
		return pattern == everyPath && !k.isPage(probe)
	})
}
