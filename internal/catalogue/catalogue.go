// Package catalogue stores items and their value history, and defines the filter that every list of
// items accepts.
package catalogue

import "kaibao/internal/money"

// Item is a catalogue entry: a graded card or a toy.
type Item struct {
	ID          string
	Series      string
	Name        string
	Rarity      string
	GradeTenths int64 // 95 is grade 9.5; 0 = not graded
	Grader      string
	CertNumber  string
	Set         string // such as "1999 Pokemon Base Set"; empty = none
	SetNumber   string // in the set, as printed on the card; empty = none
	ImageURL    string // empty = drawn by us
	BaseValue   money.Cents
	Active      bool
}

// Rarities lists the rarities from lowest to highest. Grail ranks equal to Mythic and is for toys.
var Rarities = []string{"Common", "Rare", "Epic", "Legendary", "Mythic", "Grail"}
