package apperr

import (
	"maps"
	"slices"
	"strings"
)

// Fields collects the fields of a request that are refused, each with why.
type Fields map[string]string

// Err is the refusal of all of them, or nil.
func (f Fields) Err() error {
	if len(f) == 0 {
		return nil
	}
	lines := make([]string, 0, len(f))
	for _, field := range slices.Sorted(maps.Keys(f)) {
		lines = append(lines, field+": "+f[field])
	}
	return New(Invalid, strings.Join(lines, "; ")).WithFields(f)
}

// Add takes in the fields of another refusal; a reason that is there already stays.
func (f Fields) Add(more map[string]string) {
	for field, why := range more {
		if f[field] == "" {
			f[field] = why
		}
	}
}
