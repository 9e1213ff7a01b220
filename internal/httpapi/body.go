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

const decodeTimeout = 2 * time.Second

type (
	bodyKey       struct{}
	decodeSlotKey struct{}
)

// RawBody returns a call's body as it was sent.
func RawBody(ctx context.Context) []byte {
	body, _ := ctx.Value(bodyKey{}).([]byte)
	return body
}

// decodeSlots limits how many bodies are decoded concurrently, because a short body can expand to a
// lot of memory.
type decodeSlots chan struct{}

func newDecodeSlots() decodeSlots { return make(decodeSlots, 4*runtime.GOMAXPROCS(0)) }

// acquire waits for a free slot for up to decodeTimeout. release may be called more than once.
func (d decodeSlots) acquire(ctx context.Context) (release func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, decodeTimeout)
	defer cancel()
	select {
	case d <- struct{}{}:
		return sync.OnceFunc(func() { <-d }), nil
	case <-ctx.Done():
		return nil, apperr.New(apperr.Unavailable, "Too many requests at once. Please try again in a moment.").
			After(time.Second).Because(ctx.Err())
	}
}

// releaseDecodeSlot releases the call's slot after its body has been decoded.
func releaseDecodeSlot(ctx context.Context) {
	if release, ok := ctx.Value(decodeSlotKey{}).(func()); ok {
		release()
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
	release, err := a.decodeSlots.acquire(r.Context())
	if err != nil {
		a.Fail(w, r, err)
		return
	}
	defer release()
	known, err := a.filterBody(ctx, body)
	if err != nil {
		a.Fail(w, r, err)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(known))
	next(huma.WithValue(huma.WithValue(ctx, bodyKey{}, body), decodeSlotKey{}, release))
}

// filterBody reduces a JSON body to its known fields. Other bodies are returned as they are; huma
// refuses them.
func (a *API) filterBody(ctx huma.Context, body []byte) ([]byte, error) {
	if len(body) == 0 || !a.isJSON(ctx.Header("Content-Type")) {
		return body, nil
	}
	return a.filterFields(ctx.Operation(), body)
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
