package apperr

import (
	"maps"
	"slices"
	"strings"
)

// Fields collects the invalid fields of a request, each with the reason.
type Fields map[string]string

// Err returns an error for all fields, or nil if there are none.
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

// Add adds the fields of another error, without replacing reasons.
func (f Fields) Add(more map[string]string) {
	for field, why := range more {
		if f[field] == "" {
			f[field] = why
		}
	}
}
