package db

import (
	"cmp"
	"errors"
	"strings"

	"github.com/jackc/pgx/v5"
)

// failure adds the failed statement to an error, so that one log line is enough to find it.
// Arguments are left out because they are personal data.
type failure struct {
	statement string
	cause     error
}

// Error implements error.
func (f *failure) Error() string { return beginning(f.statement) + ": " + f.cause.Error() }

// Unwrap returns the engine's error, for errors.Is and errors.As.
func (f *failure) Unwrap() error { return f.cause }

// failed adds the statement to err, unless err names one already or is expected: ErrNoRow or
// ErrAgain.
func failed(statement string, err error) error {
	if err == nil || errors.Is(err, ErrNoRow) || errors.Is(err, ErrAgain) {
		return err
	}
	if _, named := errors.AsType[*failure](err); named {
		return err
	}
	// pgx prepares all statements of a round trip before the first one runs.
	if early, ok := errors.AsType[pgx.ErrPreprocessingBatch](err); ok {
		statement = early.SQL()
	}
	return &failure{statement, err}
}

// kind classifies errors by what can be done about them.
type kind int

const (
	another   kind = iota // anything else, or no error
	rival                 // a conflict with another transaction: running it again may help
	passing               // the database is unreachable, busy, full or failing over: retry later
	duplicate             // a second row with the same unique value
	badText               // text that contains NUL or is not UTF-8
	noTable               // the table doesn't exist
)

// ErrAgain asks InTx to run the closure again, because a concurrent transaction's row, visible only
// after it committed, changes what to do.
var ErrAgain = errors.New("run the transaction again")

// kindOf classifies an error of either engine.
func kindOf(err error) kind {
	if errors.Is(err, ErrAgain) {
		return rival
	}
	return cmp.Or(sqliteKind(err), postgresKind(err))
}

// IsBadText reports whether the database refused text that contains NUL or is not UTF-8.
func IsBadText(err error) bool { return kindOf(err) == badText }

// IsDuplicate reports whether the database refused a second row with the same unique value.
func IsDuplicate(err error) bool { return kindOf(err) == duplicate }

// repeated is how many bytes of a statement an error quotes at most.
const repeated = 100

// beginning returns the start of a statement on one line, without the values that WriteRows and
// AllWith put before it.
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
