package engine

import (
	"errors"
	"fmt"
	"strings"
)

// Integrity is the result of checking the engine's own files.
type Integrity struct {
	Faults    []string
	Unchecked string // why the files could not be checked (PostgreSQL only); empty if they were
}

// ErrDamaged says that the database's files are corrupt.
var ErrDamaged = errors.New("the database is damaged")

// Err returns ErrDamaged with the first faults, or nil.
func (i Integrity) Err() error {
	if len(i.Faults) == 0 {
		return nil
	}
	const shown = 5
	more := ""
	if len(i.Faults) > shown {
		more = fmt.Sprintf(", and %d more", len(i.Faults)-shown)
	}
	return fmt.Errorf("%w: %s%s", ErrDamaged, strings.Join(i.Faults[:min(len(i.Faults), shown)], "; "), more)
}
