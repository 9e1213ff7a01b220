package db

import (
	"errors"
	"strings"

	"github.com/jackc/pgx/v5"
)

// failure says which statement failed, so that a line of the log is enough to find
// it. Its values stay out: they are people's.
type failure struct {
	statement string
	cause     error
}

// Error implements error.
func (f *failure) Error() string { return beginning(f.statement) + ": " + f.cause.Error() }

// Unwrap gives the engine's error, for errors.Is and errors.As.
func (f *failure) Unwrap() error { return f.cause }

// failed adds the statement to an error, unless there is none, it names one
// already, or it is no failure: a row is not there, or a rival was faster.
func failed(statement string, err error) error {
	if err == nil || errors.Is(err, ErrNoRow) || errors.Is(err, ErrAgain) {
		return err
	}
	if _, named := errors.AsType[*failure](err); named {
		return err
	}
	// PostgreSQL's driver looks at all statements of a round trip before the first runs.
	if early, ok := errors.AsType[pgx.ErrPreprocessingBatch](err); ok {
		statement = early.SQL()
	}
	return &failure{statement, err}
}

// repeated is how much of a statement an error repeats.
const repeated = 100

// beginning is a statement's first words on one line, without the values that
// WriteRows and AllWith put before it.
func beginning(statement string) string {
	if _, after, ok := strings.Cut(statement, endOfValues); ok && strings.HasPrefix(statement, beginOfValues) {
		statement = after
	}
	words := strings.Join(strings.Fields(statement), " ")
	if len(words) <= repeated {
		return words
	}
	return words[:strings.LastIndex(words[:repeated], " ")+1] + "…"
}
