// Package apperr defines the error type that features return: the kind of failure, a code for
// programs and a sentence for people. Package httpkit maps kinds to HTTP status codes.
package apperr

import (
	"errors"
	"maps"
	"time"
)

// Error is a failure with what a caller needs to react to it.
type Error struct {
	Code       Code
	Message    string            // one English sentence for people
	Fields     map[string]string // for Invalid: field name → why
	Details    any               // state the caller needs to go on, such as the current commitment
	RetryAfter time.Duration     // for RateLimited and Unavailable; 0 = unknown
	cause      error
}

// New makes an error.
func New(code Code, message string) *Error {
	return &Error{Code: code, Message: message}
}

// InvalidField is the refusal of one field of a request.
func InvalidField(field, why string) *Error {
	return &Error{
		Code: Invalid, Message: field + ": " + why,
		Fields: map[string]string{field: why},
	}
}

// Missing says that what was asked for does not exist or is not the caller's.
func Missing(what string) *Error {
	return New(NotFound, what+" not found")
}

// Error implements error.
func (e *Error) Error() string {
	if e.cause != nil {
		return e.Message + ": " + e.cause.Error()
	}
	return e.Message
}

// Unwrap gives the cause, for errors.Is and errors.As.
func (e *Error) Unwrap() error { return e.cause }

// Because returns a copy that carries its cause; the cause is for the log only.
func (e *Error) Because(cause error) *Error {
	c := *e
	c.cause = cause
	return &c
}

// WithDetails returns a copy that carries state the caller needs to go on.
func (e *Error) WithDetails(details any) *Error {
	c := *e
	c.Details = details
	return &c
}

// After returns a copy that says when to come back.
func (e *Error) After(wait time.Duration) *Error {
	c := *e
	c.RetryAfter = wait
	return &c
}

// WithFields returns a copy that names more refused fields.
func (e *Error) WithFields(fields map[string]string) *Error {
	c := *e
	c.Fields = maps.Clone(fields)
	return &c
}

// As gives the *Error inside err, or an Internal one that hides err's text.
func As(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return New(Internal, "Something went wrong on our side.").Because(err)
}

// IsCode tells whether err is a fault with this code.
func IsCode(err error, code Code) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Code == code
}
