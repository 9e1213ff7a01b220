// Package apperr defines the error type that features return: the kind of failure, a code for
// programs and a sentence for people. Package httpapi maps kinds to HTTP status codes.
package apperr

import (
	"errors"
	"maps"
	"strings"
	"time"
)

// Error is a failure with what a caller needs to react to it.
type Error struct {
	Code       Code
	Message    string            // one English sentence for people
	Fields     map[string]string // for Invalid: field name → reason
	Details    any               // what the caller needs to continue, e.g. the current commitment
	RetryAfter time.Duration     // for RateLimited and Unavailable; 0 = unknown
	cause      error
}

// New returns an error with a code and a message.
func New(code Code, message string) *Error {
	return &Error{Code: code, Message: message}
}

// InvalidField returns an error that names one invalid field of a request and why.
func InvalidField(field, why string) *Error {
	return &Error{
		Code: Invalid, Message: field + ": " + why,
		Fields: map[string]string{field: why},
	}
}

// Missing says that something doesn't exist or isn't the caller's.
func Missing(what string) *Error {
	return New(NotFound, what+" not found")
}

// ErrAdmin is returned when an admin attempts something that only customers may do.
var ErrAdmin = New(Forbidden, "Admin accounts can't open packs or trade. Use another wallet.")

// ErrFrozen is returned for every act except reading while the account is frozen.
var ErrFrozen = New(AccountFrozen, "Your account is frozen. Nothing was changed, and you were not charged.")

// Error implements error.
func (e *Error) Error() string {
	if e.cause != nil {
		return strings.TrimSuffix(e.Message, ".") + ": " + e.cause.Error()
	}
	return e.Message
}

// Unwrap returns the cause, for errors.Is and errors.As.
func (e *Error) Unwrap() error { return e.cause }

// Because returns a copy with a cause, which is only for the log.
func (e *Error) Because(cause error) *Error {
	c := *e
	c.cause = cause
	return &c
}

// WithDetails returns a copy with state that the caller needs to continue.
func (e *Error) WithDetails(details any) *Error {
	c := *e
	c.Details = details
	return &c
}

// After returns a copy that says how long to wait before a retry.
func (e *Error) After(wait time.Duration) *Error {
	c := *e
	c.RetryAfter = wait
	return &c
}

// WithFields returns a copy with other refused fields.
func (e *Error) WithFields(fields map[string]string) *Error {
	c := *e
	c.Fields = maps.Clone(fields)
	return &c
}

// As returns the *Error inside err, or else an Internal one that hides err's text.
func As(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return New(Internal, "Something went wrong on our side.").Because(err)
}

// IsCode reports whether err is an *Error with this code.
func IsCode(err error, code Code) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Code == code
}
