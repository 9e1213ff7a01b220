package db

import (
	"cmp"

	"kaibao/internal/db/engine"
	"kaibao/internal/db/postgres"
	"kaibao/internal/db/sqlite"
)

// ErrUnknownCommit marks a transaction whose COMMIT failed in a way that leaves open whether it
// took effect. Look up its idempotency key before retrying.
var ErrUnknownCommit = engine.ErrUnknownCommit

// ErrBusy asks the caller to retry: the database can't be used, and nothing was done.
var ErrBusy = engine.ErrBusy

// ErrNoRow says that a requested row doesn't exist.
var ErrNoRow = engine.ErrNoRow

// ErrAgain makes InTx run the closure again, because a concurrent transaction committed a row that the
// closure couldn't see yet.
var ErrAgain = engine.ErrAgain

// kindOf classifies an error of either engine.
func kindOf(err error) engine.Kind { return cmp.Or(sqlite.KindOf(err), postgres.KindOf(err)) }

// IsBadText reports whether the database refused text that contains NUL or is not UTF-8.
func IsBadText(err error) bool { return kindOf(err) == engine.BadText }

// IsDuplicate reports whether the database refused a second row with the same unique value.
func IsDuplicate(err error) bool { return kindOf(err) == engine.Duplicate }
