package art

import (
	"regexp"
	"strings"
)

// title is an item's name split into the parts of the label.
type title struct {
	year, set, number string
	subject, variant  string
	verdict           string // grade in words, such as GEM MINT
}

var cardName = regexp.MustCompile(`^(\d{4}) (.+?) #(\S+) (.+?) (?:PSA|CGC|BGS|SGC) [\d.]+(?: (.+))?$`)

// variants are name suffixes for print variants. Longer ones come before those that they end with.
var variants = []string{
	"Special Illustration", "Illustration Rare", "Classic Collection", "Galarian Gallery", "Reverse Holo", "Alternate Art",
	"Rainbow Rare", "Silver Prizm", "Rated Rookie", "Supplemental", "Manga Art", "Red Cheeks", "Full Art", "Refractor",
	"Concourse", "Terrace", "Leader", "Rookie", "Update", "Shiny", "Holo", "Foil", "Gold",
}

// titleOf parses a name. A name of another form becomes the subject.
func titleOf(name string) title {
	m := cardName.FindStringSubmatch(name)
	if m == nil {
		return title{subject: name}
	}
	t := title{year: m[1], set: m[2], number: m[3], subject: m[4], verdict: m[5]}
	for _, v := range variants {
		if rest, ends := strings.CutSuffix(t.subject, " "+v); ends {
			t.subject, t.variant = rest, v
			break
		}
	}
	return t
}
