package httpkit

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

// Shared registers a public read whose response, a value or a *List, is the same for everyone. It
// carries an ETag, and clients that have it get 304.
func Shared[I, V any](k *Kit, route Route, read func(context.Context, *I) (V, error)) {
	shared[I, V](k, route, func(ctx context.Context, in *I) (*encoded, error) {
		value, err := read(ctx, in)
		if err != nil {
			return nil, err
		}
		return encode(value)
	})
}

// SharedCached is Shared for cached responses, keyed by the input.
func SharedCached[I comparable, V any](k *Kit, route Route, kept *Cache[I, V]) {
	shared[I, V](k, route, func(ctx context.Context, in *I) (*encoded, error) {
		m, err := kept.get(ctx, *in)
		if err != nil {
			return nil, err
		}
		return m.sent, nil
	})
}

// CachedFile registers cached texts, keyed by the request.
func CachedFile[K comparable](k *Kit, route Route, contentType string, key func(*http.Request) K, kept *Cache[K, Text]) {
	k.File(route, contentType, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m, err := kept.get(r.Context(), key(r))
		if err != nil {
			k.Fail(w, r, err)
			return
		}
		m.sent.send(w, r)
	}))
}

// sharedReply writes its own headers, because huma would set them one by one with reflection.
type sharedReply struct{ Body func(huma.Context) }

func shared[I, V any](k *Kit, route Route, read func(context.Context, *I) (*encoded, error)) {
	if route.Access != Public {
		panic("route " + route.pattern() + " has a shared response, so it must be public")
	}
	route.answers = k.sharedAnswers(route, reflect.TypeFor[V]())
	Handle(k, route, func(ctx context.Context, in *I) (*sharedReply, error) {
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

func (k *Kit) sharedAnswers(route Route, body reflect.Type) map[string]*huma.Response {
	headers := []string{"ETag", "Cache-Control"}
	if list, ok := reflect.Zero(body).Interface().(listed); ok {
		body = list.of()
		headers = append(headers, nextCursor, totalCount)
	}
	answers := k.answers(route, body, "OK")
	described := map[string]*huma.Param{}
	for _, name := range headers {
		described[name] = &huma.Param{Schema: &huma.Schema{Type: huma.TypeString}}
	}
	answers[strconv.Itoa(http.StatusOK)].Headers = described
	answers[strconv.Itoa(http.StatusNotModified)] = &huma.Response{Description: "Unchanged since the ETag in If-None-Match"}
	return answers
}

// answers describes a body that is marshaled here rather than by huma.
func (k *Kit) answers(route Route, body reflect.Type, description string) map[string]*huma.Response {
	schema := k.API.OpenAPI().Components.Schemas.Schema(body, true, route.ID+"Answer")
	return map[string]*huma.Response{strconv.Itoa(http.StatusOK): {
		Description: description,
		Content:     map[string]*huma.MediaType{"application/json": {Schema: schema}},
	}}
}

const jsonType = "application/json"

func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return b.Bytes(), err
}

// ETag returns a strong ETag computed from the body.
func ETag(body []byte) string {
	sum := sha256.Sum256(body)
	return `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`
}

// Matches reports whether the client already has the body with this ETag. The comparison is weak
// because compression in transit weakens ETags (RFC 9110, 13.1.2).
func Matches(r *http.Request, etag string) bool {
	for candidate := range strings.SplitSeq(r.Header.Get("If-None-Match"), ",") {
		candidate = strings.TrimPrefix(strings.TrimSpace(candidate), "W/")
		if candidate == etag || candidate == "*" {
			return true
		}
	}
	return false
}

const (
	current = "no-cache" // revalidate each time
	forGood = "public, max-age=31536000, immutable"
)

// Current responds with bytes that may change, or 304 if the client has them already.
func Current(w http.ResponseWriter, r *http.Request, contentType string, body []byte) {
	(&encoded{contentType: contentType, cacheControl: current, etag: ETag(body), body: body}).send(w, r)
}

// Immutable responds with bytes that never change at this address.
func Immutable(w http.ResponseWriter, r *http.Request, contentType string, body []byte) {
	(&encoded{contentType: contentType, cacheControl: forGood, etag: ETag(body), body: body}).send(w, r)
}
