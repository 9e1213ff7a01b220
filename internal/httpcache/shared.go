package httpcache

import (
	"context"
	"net/http"
	"reflect"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"kaibao/internal/httpapi"
)

// Shared registers a public read whose response, a value or an *httpapi.List, is the same for everyone. It
// carries an ETag, and clients that have it get 304.
func Shared[I, V any](api *httpapi.API, route httpapi.Route, read func(context.Context, *I) (V, error)) {
	shared[I, V](api, route, func(ctx context.Context, in *I) (*response, error) {
		value, err := read(ctx, in)
		if err != nil {
			return nil, err
		}
		return encode(value)
	})
}

// SharedCached is Shared for cached responses, keyed by the input.
func SharedCached[I comparable, V any](api *httpapi.API, route httpapi.Route, kept *Cache[I, V]) {
	shared[I, V](api, route, func(ctx context.Context, in *I) (*response, error) {
		m, err := kept.get(ctx, *in)
		if err != nil {
			return nil, err
		}
		return m.sent, nil
	})
}

// CachedFile registers cached texts, keyed by the request.
func CachedFile[K comparable](api *httpapi.API, route httpapi.Route, contentType string, key func(*http.Request) K, kept *Cache[K, Text]) {
	api.File(route, contentType, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m, err := kept.get(r.Context(), key(r))
		if err != nil {
			api.Fail(w, r, err)
			return
		}
		m.sent.send(w, r)
	}))
}

// sharedReply writes its own headers, because huma would set them one by one with reflection.
type sharedReply struct{ Body func(huma.Context) }

func shared[I, V any](api *httpapi.API, route httpapi.Route, read func(context.Context, *I) (*response, error)) {
	if route.Access != httpapi.Public {
		panic("route " + route.Pattern() + " has a shared response, so it must be public")
	}
	route.Responses = sharedResponses(api, route, reflect.TypeFor[V]())
	httpapi.Handle(api, route, func(ctx context.Context, in *I) (*sharedReply, error) {
		answer, err := read(ctx, in)
		if err != nil {
			return nil, err
		}
		return &sharedReply{func(call huma.Context) {
			r, w := humago.Unwrap(call)
			answer.send(w, r)
		}}, nil
	})
}

// sharedResponses describes the responses of a shared route for the document.
func sharedResponses(api *httpapi.API, route httpapi.Route, body reflect.Type) map[string]*huma.Response {
	headers := []string{"ETag", "Cache-Control"}
	if body.Implements(reflect.TypeFor[list]()) {
		field, _ := body.Elem().FieldByName("Body")
		body = field.Type
		headers = append(headers, nextCursor, totalCount)
	}
	responses := api.JSONResponse(route, body, "OK")
	described := map[string]*huma.Param{}
	for _, name := range headers {
		described[name] = &huma.Param{Schema: &huma.Schema{Type: huma.TypeString}}
	}
	responses[strconv.Itoa(http.StatusOK)].Headers = described
	responses[strconv.Itoa(http.StatusNotModified)] = &huma.Response{Description: "Unchanged since the ETag in If-None-Match"}
	return responses
}
