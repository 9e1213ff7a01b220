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

// Shared registers a public reading call whose answer, a thing or a *List, is the same for
// all: it carries an ETag, and who has it already gets 304.
func Shared[I, V any](k *Kit, route Route, read func(context.Context, *I) (V, error)) {
	shared[I, V](k, route, func(ctx context.Context, in *I) (*encoded, error) {
		value, err := read(ctx, in)
		if err != nil {
			return nil, err
		}
		return encode(value)
	})
}

// SharedCached is Shared for answers that are kept, by what was asked for.
func SharedCached[I comparable, V any](k *Kit, route Route, kept *Cache[I, V]) {
	shared[I, V](k, route, func(ctx context.Context, in *I) (*encoded, error) {
		m, err := kept.get(ctx, *in)
		if err != nil {
			return nil, err
		}
		return m.sent, nil
	})
}

// CachedFile registers texts that are kept, by what a request asks for.
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

// sharedReply is written by itself: huma would set its headers one by one, by reflection.
type sharedReply struct{ Body func(huma.Context) }

func shared[I, V any](k *Kit, route Route, read func(context.Context, *I) (*encoded, error)) {
	if route.Access != Public {
		panic("route " + route.pattern() + " is not for everybody: its answer is no one's own")
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

// answers describes a body that is marshalled here and not by huma.
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

// ETag names a body by its content.
func ETag(body []byte) string {
	sum := sha256.Sum256(body)
	return `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`
}

// Matches tells whether the client has the body of this ETag already. The
// comparison is weak, as compression on the way makes an ETag weak (RFC 9110, 13.1.2).
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
	current = "no-cache" // may be others at the next call
	forGood = "public, max-age=31536000, immutable"
)

// Current answers with bytes that may be others at the next call, and says so briefly
// to who has them already.
func Current(w http.ResponseWriter, r *http.Request, contentType string, body []byte) {
	(&encoded{contentType: contentType, cacheControl: current, etag: ETag(body), body: body}).send(w, r)
}

// Immutable answers with bytes that never change under this address.
func Immutable(w http.ResponseWriter, r *http.Request, contentType string, body []byte) {
	(&encoded{contentType: contentType, cacheControl: forGood, etag: ETag(body), body: body}).send(w, r)
}
