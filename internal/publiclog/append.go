package publiclog

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"kaibao/internal/db"
	"kaibao/internal/protocol"
)

// maxLeaf is the longest leaf that an entry bundle can hold (C2SP tlog-tiles).
const maxLeaf = 1<<16 - 1

// WrongLeafError is of a leaf that a reader of the log would reject. The act that made it
// must not commit. It is no refusal: the caller gets a 500, and the log its cause.
type WrongLeafError struct {
	Kind string // its first line
	Err  error
}

// Error implements error.
func (e WrongLeafError) Error() string {
	return fmt.Sprintf("a leaf of the public log is wrong (%s), so nothing was done: %v", e.Kind, e.Err)
}

// Unwrap implements the convention of package errors.
func (e WrongLeafError) Unwrap() error { return e.Err }

// wrong counts them since the process began.
var wrong atomic.Int64

// Wrong is how many wrong leaves were stopped since the process began.
func Wrong() int64 { return wrong.Load() }

// Append checks leaves as a reader of the log would and writes them, in their order. A wrong
// one fails with a WrongLeafError before anything is written. Call it with the rows locked
// that decide what the leaves say: their order in the log is that of these calls. The
// tables of their facts keep each leaf from being there twice.
func Append(tx *db.Tx, leaves ...string) error {
	return AppendIf(tx, func(int, protocol.Leaf) error { return nil }, leaves...)
}

// AppendIf is Append for an act that also compares each leaf, as a reader will parse it, with
// the rows that it has locked.
func AppendIf(tx *db.Tx, matches func(n int, leaf protocol.Leaf) error, leaves ...string) error {
	for n, text := range leaves {
		if err := check(text, func(leaf protocol.Leaf) error { return matches(n, leaf) }); err != nil {
			if !tx.RetrySeparately {
				wrong.Add(1)
			}
			return err
		}
	}
	return insert(tx, leaves)
}

func check(text string, matches func(protocol.Leaf) error) error {
	leaf, err := protocol.ParseLeaf([]byte(text))
	switch {
	case len(text) > maxLeaf:
		err = fmt.Errorf("it has %d bytes", len(text))
	case err == nil:
		err = errors.Join(protocol.CheckLeaf(leaf), matches(leaf))
	}
	if err == nil {
		return nil
	}
	kind, _, _ := strings.Cut(text, "\n")
	return WrongLeafError{Kind: kind, Err: err}
}
