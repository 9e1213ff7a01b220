package httpkit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/validation"

	"kaibao/internal/db"
	"kaibao/internal/fault"
)

// apiError is the shape of every refusal.
type apiError struct {
	Message   string            `json:"message" doc:"For people, in English."`
	Code      string            `json:"code" doc:"For programs, snake_case."`
	RequestID string            `json:"requestId"`
	Fields    map[string]string `json:"fields,omitempty" doc:"For 422: field and why it is refused."`
	Details   any               `json:"details,omitempty" doc:"State needed to go on, such as the current commitment."`
	status    int
}

// Error implements error.
func (e *apiError) Error() string { return e.Message }

// GetStatus implements huma.StatusError.
func (e *apiError) GetStatus() int { return e.status }

// status maps a kind of failure to HTTP. It is the only place that does.
func status(kind fault.Kind) int {
	switch kind {
	case fault.Malformed:
		return http.StatusBadRequest
	case fault.Invalid:
		return http.StatusUnprocessableEntity
	case fault.Unauthenticated:
		return http.StatusUnauthorized
	case fault.InsufficientFunds:
		return http.StatusPaymentRequired
	case fault.Forbidden:
		return http.StatusForbidden
	case fault.NotFound:
		return http.StatusNotFound
	case fault.Misdirected:
		return http.StatusMisdirectedRequest
	case fault.Conflict:
		return http.StatusConflict
	case fault.Gone:
		return http.StatusGone
	case fault.TooLarge:
		return http.StatusRequestEntityTooLarge
	case fault.RateLimited:
		return http.StatusTooManyRequests
	case fault.Unavailable:
		return http.StatusServiceUnavailable
	case fault.Disabled:
		return http.StatusNotImplemented
	default:
		return http.StatusInternalServerError
	}
}

// translate turns what a use case returned into an answer. A cause is for the
// log; its text stays here.
func (k *Kit) translate(ctx context.Context, err error) error {
	answer, headers := k.answer(ctx, err)
	if headers == nil {
		return answer
	}
	return huma.ErrorWithHeaders(answer, headers)
}

func (k *Kit) answer(ctx context.Context, err error) (*apiError, http.Header) {
	if errors.Is(err, db.ErrUnknownCommit) {
		err = fault.New(fault.Unavailable, "unavailable",
			"We could not tell whether this was done. Repeat it with the same Idempotency-Key.").
			After(time.Second).Because(err)
	}
	if db.IsBadText(err) {
		err = fault.New(fault.Malformed, "malformed", "The request contains characters that text cannot have.")
	}
	f := fault.As(err)
	answer := &apiError{
		Message: f.Message, Code: f.Code, RequestID: RequestID(ctx),
		Fields: f.Fields, Details: f.Details, status: status(f.Kind),
	}
	if cause := f.Unwrap(); cause != nil && !errors.Is(cause, context.Canceled) {
		level := slog.LevelInfo // the caller's doing
		if answer.status >= http.StatusInternalServerError {
			level = slog.LevelError
		}
		k.Log.Log(ctx, level, "request failed", "requestId", answer.RequestID, "code", f.Code, "error", cause)
	}
	if f.RetryAfter == 0 {
		return answer, nil
	}
	seconds := strconv.Itoa(int(math.Ceil(f.RetryAfter.Seconds())))
	return answer, http.Header{"Retry-After": {seconds}}
}

// Fail answers a request that is no huma call with err.
func (k *Kit) Fail(w http.ResponseWriter, r *http.Request, err error) {
	answer, headers := k.answer(r.Context(), err)
	for name, values := range headers {
		w.Header()[name] = values
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(answer.status)
	_ = json.NewEncoder(w).Encode(answer)
}

// huma keeps how it words its refusals in variables of its own, the same for
// every kit; they are set before any of them serves.
func init() {
	huma.NewError = func(status int, message string, errs ...error) huma.StatusError {
		return newAPIError("", status, message, errs)
	}
	huma.NewErrorWithContext = func(ctx huma.Context, status int, message string, errs ...error) huma.StatusError {
		return newAPIError(RequestID(ctx.Context()), status, message, errs)
	}
}

// newAPIError gives huma's own refusals (validation, body too large …) our shape.
func newAPIError(requestID string, status int, message string, errs []error) *apiError {
	e := &apiError{Message: message, Code: codeOf(status), RequestID: requestID, status: status}
	for _, err := range errs {
		detailer, ok := err.(huma.ErrorDetailer)
		if !ok {
			continue
		}
		detail := detailer.ErrorDetail()
		if e.Fields == nil {
			e.Fields = map[string]string{}
		}
		e.Fields[field(detail)] = detail.Message
	}
	if status != http.StatusUnprocessableEntity {
		e.Fields = nil
	}
	for name, why := range e.Fields {
		e.Message = name + ": " + why // one of them is enough for people
	}
	return e
}

// field names what a detail is about. Of a field that is missing, huma names
// the object it is missing in, and the field in its message only.
func field(d *huma.ErrorDetail) string {
	path := d.Location
	var missing string
	if _, err := fmt.Sscanf(d.Message, validation.MsgExpectedRequiredProperty, &missing); err == nil {
		path += "." + missing
	}
	if _, name, ok := strings.Cut(path, "."); ok {
		return name
	}
	return path
}

func codeOf(status int) string {
	switch status {
	case http.StatusUnprocessableEntity:
		return "invalid"
	case http.StatusRequestEntityTooLarge:
		return "too_large"
	case http.StatusInternalServerError:
		return "internal"
	case http.StatusNotFound:
		return "not_found"
	default:
		return "malformed"
	}
}
