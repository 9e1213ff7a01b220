// Package catalogue holds what exists: items, and the filter that every list of
// them takes.
package catalogue

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"kaibao/internal/money"
)

// Item is a catalogue entry: a graded card or a toy.
type Item struct {
	ID          string
	Series      string
	Name        string
	Rarity      string
	GradeTenths int64 // 95 is grade 9.5; 0 = not graded
	Grader      string
	CertNumber  string
	ImageURL    string // empty = the drawn art
	BaseValue   money.Cents
	Active      bool
}

// Rarities from the lowest to the highest; Grail stands beside Mythic and is for toys.
var Rarities = []string{"Common", "Rare", "Epic", "Legendary", "Mythic", "Grail"}

// Fold makes text comparable for searching: case and width folded, each word
// preceded by a space.
func Fold(text string) string {
	words := strings.FieldsFunc(strings.ToLower(norm.NFKC.String(text)), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r)
	})
	return " " + strings.Join(words, " ")
}
