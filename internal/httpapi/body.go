package httpapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"kaibao/internal/apperr"
)

const decodePatience = 2 * time.Second

type (
	bodyKey     struct{}
	decodingKey struct{}
)

// RawBody returns a call's body as it was sent.
func RawBody(ctx context.Context) []byte {
	body, _ := ctx.Value(bodyKey{}).([]byte)
	return body
}

// decoding limits how many bodies are decoded concurrently, because a short body can expand to a
// lot of memory.
type decoding chan struct{}

func newDecoding() decoding { return make(decoding, 4*runtime.GOMAXPROCS(0)) }

// enter waits for a free slot. It is safe to call leave, which releases the slot, more than once.
func (d decoding) enter(ctx context.Context) (leave func(), err error) {
	ctx, end := context.WithTimeout(ctx, decodePatience)
	defer end()
	select {
	case d <- struct{}{}:
		return sync.OnceFunc(func() { <-d }), nil
	case <-ctx.Done():
		return nil, apperr.New(apperr.Unavailable, "Too many requests at once. Please try again in a moment.").
			After(time.Second).Because(ctx.Err())
	}
}

// decoded releases the slot once the body has been decoded into the call's input.
func decoded(ctx context.Context) {
	if leave, ok := ctx.Value(decodingKey{}).(func()); ok {
		leave()
	}
}

// readBody reads the call's body and keeps only the known fields, with exact names and without
// duplicates. Both validation and input use the result.
func (a *API) readBody(ctx huma.Context, next func(huma.Context)) {
	op := ctx.Operation()
	if op.RequestBody == nil {
		next(ctx)
		return
	}
	r, w := humago.Unwrap(ctx)
	body, err := io.ReadAll(r.Body)
	if err != nil {
		a.failRead(ctx, err)
		return
	}
	leave, err := a.decoding.enter(r.Context())
	if err != nil {
		a.Fail(w, r, err)
		return
	}
	defer leave()
	known, err := a.known(ctx, body)
	if err != nil {
		a.Fail(w, r, err)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(known))
	next(huma.WithValue(huma.WithValue(ctx, bodyKey{}, body), decodingKey{}, leave))
}

// known returns the known fields of a JSON body. huma refuses other types.
func (a *API) known(ctx huma.Context, body []byte) ([]byte, error) {
	if len(body) == 0 || !a.isJSON(ctx.Header("Content-Type")) {
		return body, nil
	}
	return a.sift(ctx.Operation(), body)
}

func (a *API) failRead(ctx huma.Context, err error) {
	r, w := humago.Unwrap(ctx)
	if tooLarge, ok := errors.AsType[*http.MaxBytesError](err); ok {
		a.Fail(w, r, apperr.New(apperr.TooLarge,
			fmt.Sprintf("The request body is too large: the limit is %d bytes.", tooLarge.Limit)))
		return
	}
	if slow, ok := errors.AsType[net.Error](err); ok && slow.Timeout() {
		a.Fail(w, r, apperr.New(apperr.TooSlow, "The request body did not arrive in time. Please send it again."))
		return
	}
	a.Fail(w, r, apperr.New(apperr.Malformed, "The request body is incomplete. Please send it again."))
}

// isJSON reports whether huma decodes bodies of this type.
func (a *API) isJSON(contentType string) bool {
	return a.Huma.Unmarshal(contentType, []byte("null"), new(any)) == nil
}
