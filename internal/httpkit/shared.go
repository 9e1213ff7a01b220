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
)

type sharedReply struct {
	Status       int
	ETag         string `header:"ETag"`
	CacheControl string `header:"Cache-Control"`
	Next         string `header:"X-Next-Cursor"`
	Total        string `header:"X-Total-Count"`
	ContentType  string `header:"Content-Type" hidden:"true"`
	Body         []byte
}

// Shared registers a public reading call whose answer is the same for all: it
// carries an ETag, and who has it already gets 304.
func Shared[I, T any](k *Kit, route Route, read func(context.Context, *I) (*List[T], error)) {
	shared(k, route, reflect.TypeFor[[]T](), func(ctx context.Context, in *I) (value any, next, total string, err error) {
		list, err := read(ctx, in)
		if err != nil {
			return nil, "", "", err
		}
		return list.Body, list.Next, list.Total, nil
	})
}

// SharedOne is Shared for a call that answers one thing.
func SharedOne[I, B any](k *Kit, route Route, read func(context.Context, *I) (B, error)) {
	shared(k, route, reflect.TypeFor[B](), func(ctx context.Context, in *I) (value any, next, total string, err error) {
		value, err = read(ctx, in)
		return value, "", "", err
	})
}

func shared[I any](k *Kit, route Route, body reflect.Type, read func(context.Context, *I) (value any, next, total string, err error)) {
	if route.Access != Public {
		panic("route " + route.pattern() + " is not for everybody: its answer is no one's own")
	}
	route.answers = k.answers(route, body, "OK")
	route.answers[strconv.Itoa(http.StatusNotModified)] = &huma.Response{Description: "Unchanged since the ETag in If-None-Match"}
	Handle(k, route, func(ctx context.Context, in *I) (*sharedReply, error) {
		value, next, total, err := read(ctx, in)
		if err != nil {
			return nil, err
		}
		text, err := marshal(value)
		if err != nil {
			return nil, err
		}
		reply := &sharedReply{
			Status: http.StatusOK, ETag: ETag(text), CacheControl: "no-cache",
			Next: next, Total: total, ContentType: jsonType, Body: text,
		}
		if Matches(callOf(ctx).request, reply.ETag) {
			reply.Status, reply.Body = http.StatusNotModified, nil
		}
		return reply, nil
	})
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

// Current answers with bytes that may be others at the next call, and says so briefly
// to who has them already.
func Current(w http.ResponseWriter, r *http.Request, contentType string, body []byte) {
	etag := ETag(body)
	h := w.Header()
	h.Set("Cache-Control", "no-cache")
	h.Set("ETag", etag)
	if Matches(r, etag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", contentType)
	_, _ = w.Write(body)
}

// Immutable answers with bytes that never change under this address.
func Immutable(w http.ResponseWriter, r *http.Request, contentType string, body []byte) {
	etag := ETag(body)
	h := w.Header()
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("ETag", etag)
	if Matches(r, etag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", contentType)
	_, _ = w.Write(body)
}
