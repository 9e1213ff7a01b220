package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/validation"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
)

// apiError is the body of every error response.
type apiError struct {
	Message   string            `json:"message" doc:"English text for people."`
	Code      errorCode         `json:"code"`
	RequestID string            `json:"requestId"`
	Fields    map[string]string `json:"fields,omitempty" doc:"For 422: why each field was refused."`
	Details   any               `json:"details,omitempty" doc:"State needed to continue, such as the current commitment."`
	status    int
}

// errorCode is an error code; the document lists all of them as an enum.
type errorCode string

// Schema implements huma.SchemaProvider.
func (errorCode) Schema(huma.Registry) *huma.Schema { return codeSchema(apperr.Codes()) }

func codeSchema(codes []apperr.Code) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString, Description: "Stable code for programs."}
	for _, code := range codes {
		s.Enum = append(s.Enum, code.String())
	}
	return s
}

// Error implements error.
func (e *apiError) Error() string { return e.Message }

// GetStatus implements huma.StatusError.
func (e *apiError) GetStatus() int { return e.status }

// statuses is the only mapping of error kinds to HTTP statuses.
var statuses = map[apperr.Kind]int{
	apperr.KindInternal:          http.StatusInternalServerError,
	apperr.KindMalformed:         http.StatusBadRequest,
	apperr.KindTooSlow:           http.StatusRequestTimeout,
	apperr.KindTooLarge:          http.StatusRequestEntityTooLarge,
	apperr.KindMediaType:         http.StatusUnsupportedMediaType,
	apperr.KindInvalid:           http.StatusUnprocessableEntity,
	apperr.KindMethod:            http.StatusMethodNotAllowed,
	apperr.KindUnauthenticated:   http.StatusUnauthorized,
	apperr.KindInsufficientFunds: http.StatusPaymentRequired,
	apperr.KindForbidden:         http.StatusForbidden,
	apperr.KindNotFound:          http.StatusNotFound,
	apperr.KindMisdirected:       http.StatusMisdirectedRequest,
	apperr.KindConflict:          http.StatusConflict,
	apperr.KindGone:              http.StatusGone,
	apperr.KindRateLimited:       http.StatusTooManyRequests,
	apperr.KindUnavailable:       http.StatusServiceUnavailable,
	apperr.KindDisabled:          http.StatusNotImplemented,
}

// translate converts a use case's error to a response. The cause is logged and never sent.
func (a *API) translate(ctx context.Context, err error) error {
	response, headers := a.errorResponse(ctx, err)
	if headers == nil {
		return response
	}
	return huma.ErrorWithHeaders(response, headers)
}

func (a *API) errorResponse(ctx context.Context, err error) (*apiError, http.Header) {
	if errors.Is(err, db.ErrUnknownCommit) {
		err = apperr.New(apperr.Unavailable,
			"We couldn't confirm whether this went through. Repeat the request with the same Idempotency-Key: it won't be done twice.").
			After(time.Second).Because(err)
	}
	if db.IsBadText(err) {
		err = apperr.New(apperr.Malformed, "The request contains a NUL character, or text that isn't UTF-8. Nothing was changed. Remove it and try again.")
	}
	f := apperr.As(err)
	if f.Code == apperr.Internal && errors.Is(err, context.DeadlineExceeded) {
		f = apperr.New(apperr.Unavailable, "This took too long. Please try again.").After(time.Second).Because(err)
	}
	response := newAPIError(RequestID(ctx), f)
	if cause := f.Unwrap(); cause != nil && !errors.Is(cause, context.Canceled) {
		a.Log.Log(ctx, logLevel(f.Code), "request failed", "requestId", response.RequestID,
			"route", requestLogOf(ctx).route, "code", f.Code, "error", cause)
	}
	if f.RetryAfter == 0 {
		return response, nil
	}
	seconds := strconv.Itoa(int(math.Ceil(f.RetryAfter.Seconds())))
	return response, http.Header{"Retry-After": {seconds}}
}

// logLevel returns the level at which a refusal with a cause is logged.
func logLevel(code apperr.Code) slog.Level {
	switch {
	case code == apperr.SealedPaused:
		return slog.LevelWarn // expected while the beacon or the witnesses are late, which has alerts of its own
	case statuses[code.Kind()] >= http.StatusInternalServerError:
		return slog.LevelError
	}
	return slog.LevelInfo // caused by the caller
}

// Fail responds with err to a request that huma doesn't handle.
func (a *API) Fail(w http.ResponseWriter, r *http.Request, err error) {
	response, headers := a.errorResponse(r.Context(), err)
	maps.Copy(w.Header(), headers)
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(response.status)
	_ = json.NewEncoder(w).Encode(response)
}

// huma's error constructors are global variables, shared by every API. They are set before any API
// serves.
func init() {
	huma.NewError = func(status int, _ string, errs ...error) huma.StatusError {
		return newAPIError("", rewordError(status, errs))
	}
	huma.NewErrorWithContext = func(ctx huma.Context, status int, _ string, errs ...error) huma.StatusError {
		return newAPIError(RequestID(ctx.Context()), rewordError(status, errs))
	}
}

// rewordError rewords huma's own errors, which only occur after the body has been read.
func rewordError(status int, errs []error) *apperr.Error {
	switch status {
	case http.StatusBadRequest:
		return apperr.New(apperr.Malformed, "This request needs a JSON body.")
	case http.StatusUnsupportedMediaType:
		return apperr.New(apperr.UnsupportedMediaType, "The body must have the content type application/json.")
	case http.StatusUnprocessableEntity:
		return invalidError(errs)
	default:
		return apperr.As(errors.Join(errs...))
	}
}

// invalidError lists every refused field, and describes one of them in the message.
func invalidError(errs []error) *apperr.Error {
	fields := map[string]string{}
	for _, err := range errs {
		d := errorDetail(err)
		fields[detailField(d)] = d.Message
	}
	message := "The request is not valid."
	for name, why := range fields {
		message = name + ": " + why
	}
	return apperr.New(apperr.Invalid, message).WithFields(fields)
}

func errorDetail(err error) *huma.ErrorDetail {
	if detailer, ok := err.(huma.ErrorDetailer); ok {
		return detailer.ErrorDetail()
	}
	return &huma.ErrorDetail{Message: err.Error()}
}

func newAPIError(requestID string, f *apperr.Error) *apiError {
	return &apiError{
		Message: f.Message, Code: errorCode(f.Code.String()), RequestID: requestID,
		Fields: f.Fields, Details: f.Details, status: statuses[f.Code.Kind()],
	}
}

// detailField returns the field that a detail is about. For a missing field, huma reports its
// parent object and names the field only in the message.
func detailField(d *huma.ErrorDetail) string {
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
