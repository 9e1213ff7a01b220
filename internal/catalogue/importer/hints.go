package importer

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
)

// maxMisspelling is the maximum edit distance between an unknown column and a known one it may
// stand for.
const maxMisspelling = 2

var notLetters = regexp.MustCompile(`[^\pL\pN]+`)

// nearest returns the known column that a name resembles, as in base_value or Grades, or an empty
// string.
func nearest(name string) string {
	name = strings.ToLower(notLetters.ReplaceAllString(name, ""))
	distance := func(known string) int { return levenshtein.ComputeDistance(name, strings.ToLower(known)) }
	closest := slices.MinFunc(columnNames[:], func(a, b string) int { return distance(a) - distance(b) })
	if distance(closest) > min(maxMisspelling, len(closest)/2) {
		return ""
	}
	return closest
}

func unknownColumns(names []string) []UnknownColumn {
	columns := make([]UnknownColumn, len(names))
	for n, name := range names {
		columns[n] = UnknownColumn{Name: name, Nearest: nearest(name)}
	}
	return columns
}

// misspellingHint returns a hint if an unknown column resembles the missing one.
func misspellingHint(missing column, unknown []UnknownColumn) string {
	for _, c := range unknown {
		if c.Nearest == columnNames[missing] {
			return fmt.Sprintf(" (is %q misspelled?)", c.Name)
		}
	}
	return ""
}
