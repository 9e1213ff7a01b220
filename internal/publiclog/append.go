package publiclog

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"kaibao/internal/db"
	"kaibao/internal/protocol"
)

// maxLeaf is the maximum leaf size in an entry bundle, in bytes (C2SP tlog-tiles).
const maxLeaf = 1<<16 - 1

// InvalidLeafError is returned for a leaf that readers of the log would reject. The transaction
// that produced it must not commit. It is an internal error: the client gets a 500 and the log the
// cause.
type InvalidLeafError struct {
	Kind string // the leaf's first line
	Err  error
}

// Error implements error.
func (e InvalidLeafError) Error() string {
	return fmt.Sprintf("rejected an invalid leaf for the public log (%s), and rolled back: %v", e.Kind, e.Err)
}

// Unwrap implements the convention of package errors.
func (e InvalidLeafError) Unwrap() error { return e.Err }

// invalidLeaves counts the rejected leaves since the process started.
var invalidLeaves atomic.Int64

// InvalidLeaves returns the number of invalid leaves rejected since the process started.
func InvalidLeaves() int64 { return invalidLeaves.Load() }

// Append validates leaves as a reader of the log would, then queues them in the given order. An
// invalid leaf returns an InvalidLeafError before anything is written. The caller must hold locks
// on the rows that the leaves describe: the log keeps the order of these calls. The tables of those
// facts prevent duplicate leaves.
func Append(tx *db.Tx, leaves ...string) error {
	return AppendIf(tx, func(int, protocol.Leaf) error { return nil }, leaves...)
}

// AppendIf is like Append, and also has matches compare each parsed leaf with the rows that the
// caller has locked.
func AppendIf(tx *db.Tx, matches func(n int, leaf protocol.Leaf) error, leaves ...string) error {
	for n, text := range leaves {
		if err := validateLeaf(text, func(leaf protocol.Leaf) error { return matches(n, leaf) }); err != nil {
			if !tx.RetrySeparately {
				invalidLeaves.Add(1)
			}
			return err
		}
	}
	return enqueue(tx, leaves)
}

func validateLeaf(text string, matches func(protocol.Leaf) error) error {
	leaf, err := protocol.ParseLeaf([]byte(text))
	switch {
	case len(text) > maxLeaf:
		err = fmt.Errorf("has %d bytes", len(text))
	case err == nil:
		err = errors.Join(protocol.CheckLeaf(leaf), matches(leaf))
	}
	if err == nil {
		return nil
	}
	kind, _, _ := strings.Cut(text, "\n")
	return InvalidLeafError{Kind: kind, Err: err}
}
