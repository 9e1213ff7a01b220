package engine

import (
	"errors"
	"strings"
	"time"

	"kaibao/internal/apperr"
)

// ErrBusy asks the caller to retry: nothing was done.
var ErrBusy = apperr.New(apperr.Unavailable, "The server is busy. Please try again.").After(time.Second)

// The errors that package db exports under the same names.
var (
	ErrUnknownCommit = errors.New("commit outcome unknown")
	ErrNoRow         = errors.New("no such row")
	ErrAgain         = errors.New("run the transaction again")
)

// Kind classifies errors by how to handle them.
type Kind int

// The kinds of errors.
const (
	Other       Kind = iota // anything else, or no error
	Conflict                // with another transaction: running it again may help
	Unavailable             // the database is unreachable, busy, full or failing over: retry later
	Duplicate               // a second row with the same unique value
	BadText                 // text that contains NUL or is not UTF-8
	NoTable                 // the table doesn't exist
)

// statementError adds the failed statement to an error, so that one log line is enough to find it.
// Arguments are left out because they are personal data.
type statementError struct {
	statement string
	cause     error
}

// Error implements error.
func (e *statementError) Error() string {
	return quote(e.statement, maxQuoted) + ": " + e.cause.Error()
}

// Unwrap returns the engine's error, for errors.Is and errors.As.
func (e *statementError) Unwrap() error { return e.cause }

// NameStatement adds the statement to err, unless err names one already or is expected: ErrNoRow or
// ErrAgain.
func NameStatement(statement string, err error) error {
	if err == nil || errors.Is(err, ErrNoRow) || errors.Is(err, ErrAgain) {
		return err
	}
	if _, named := errors.AsType[*statementError](err); named {
		return err
	}
	return &statementError{statement, err}
}

// maxQuoted and maxLogged are how many bytes of a statement an error and the log of slow statements
// quote at most.
const (
	maxQuoted = 100
	maxLogged = 500
)

// quote returns the start of a statement on one line, without the Values before it.
func quote(statement string, limit int) string {
	if _, after, ok := strings.Cut(statement, ValuesSuffix); ok && strings.HasPrefix(statement, ValuesPrefix) {
		statement = after
	}
	words := strings.Join(strings.Fields(statement), " ")
	if len(words) <= limit {
		return words
	}
	return words[:strings.LastIndex(words[:limit], " ")+1] + "…"
}
