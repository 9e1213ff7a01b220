package art

import (
	"regexp"
	"strings"
)

// Title is an item's name split into the parts of the label.
type Title struct {
	Year, Set, Number string
	Subject, Variant  string
	Verdict           string // grade in words, such as GEM MINT
}

var cardName = regexp.MustCompile(`^(\d{4}) (.+?) #(\S+) (.+?) (?:PSA|CGC|BGS|SGC) [\d.]+(?: (.+))?$`)

// variants are name suffixes for print variants. Longer ones come before those that they end with.
var variants = []string{
	"Special Illustration", "Illustration Rare", "Classic Collection", "Galarian Gallery", "Reverse Holo", "Alternate Art",
	"Rainbow Rare", "Silver Prizm", "Rated Rookie", "Supplemental", "Manga Art", "Red Cheeks", "Full Art", "Refractor",
	"Concourse", "Terrace", "Leader", "Rookie", "Update", "Shiny", "Holo", "Foil", "Gold",
}

// TitleOf parses a name. A name of another form becomes the subject.
func TitleOf(name string) Title {
	m := cardName.FindStringSubmatch(name)
	if m == nil {
		return Title{Subject: name}
	}
	t := Title{Year: m[1], Set: m[2], Number: m[3], Subject: m[4], Verdict: m[5]}
	for _, v := range variants {
		if rest, ends := strings.CutSuffix(t.Subject, " "+v); ends {
			t.Subject, t.Variant = rest, v
			break
		}
	}
	return t
}
