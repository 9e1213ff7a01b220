package match

import (
	"fmt"
	"slices"

	"kaibao/internal/apperr"
)

// checkLines refuses too many lines, and several lines for the same entry.
func checkLines(entries []string, limit int64) error {
	if err := apperr.CheckRange("lines", int64(len(entries)), 1, limit); err != nil {
		return err
	}
	for i, id := range entries {
		if slices.Index(entries, id) < i {
			return apperr.InvalidField(fmt.Sprintf("lines[%d].inventoryId", i), "is listed twice")
		}
	}
	return nil
}

// lineField returns the name of a request field, with its line if the request has several.
func lineField(name string, line, lines int) string {
	if lines == 1 {
		return name
	}
	return fmt.Sprintf("lines[%d].%s", line, name)
}

// lineError adds the line number to a refusal if the request has several lines.
func lineError(err error, line, lines int) error {
	refusal := apperr.As(err)
	if lines == 1 || refusal.Code == apperr.Internal {
		return err
	}
	return refusal.WithFields(map[string]string{fmt.Sprintf("lines[%d]", line): refusal.Message})
}
