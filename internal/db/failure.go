package db

import (
	"cmp"
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

// kind says what can be done about a failure of the database.
type kind int

const (
	another   kind = iota // none of these, or no failure
	rival                 // running the transaction again can cure it
	passing               // says nothing against what was asked for: the database is away, busy, full, or about to be another server
	duplicate             // a second row with the same unique value
	badText               // text with a NUL, or not UTF-8
	noTable               // a table that is named is not there
)

// ErrAgain asks InTx to run the closure once more: a rival's row, seen only
// after it committed, changes what is to be done.
var ErrAgain = errors.New("run the transaction again")

// kindOf knows the errors of both engines apart.
func kindOf(err error) kind {
	if errors.Is(err, ErrAgain) {
		return rival
	}
	return cmp.Or(sqliteKind(err), postgresKind(err))
}

// IsBadText tells whether err is the refusal of text with a NUL, or not UTF-8.
func IsBadText(err error) bool { return kindOf(err) == badText }

// IsDuplicate tells whether err is the refusal of a second row with the same
// unique value.
func IsDuplicate(err error) bool { return kindOf(err) == duplicate }

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
