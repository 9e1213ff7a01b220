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

// category is the kind of subject that an item or a pack shows.
type category int

const (
	anyCategory category = iota
	basketballCards
	baseballCards
	footballCards
	soccerCards
	pokemonCards
	onePieceCards
	labubuToys
)

// categoryWords are searched for in the series, then in the name, because in a mixed pool only
// names tell the category.
var categoryWords = []struct {
	category category
	words    []string
}{
	{labubuToys, []string{"Labubu"}},
	{pokemonCards, []string{"Pokemon"}},
	{onePieceCards, []string{"One Piece"}},
	{basketballCards, []string{"Basketball", "NBA"}},
	{footballCards, []string{"Football", "NFL"}},
	{soccerCards, []string{"Soccer", "UEFA", "MLS", "FIFA", "Premier League"}},
	{baseballCards, []string{"Baseball", "MLB"}},
}

func categoryOf(series, name string) category {
	for _, text := range []string{series, name} {
		for _, c := range categoryWords {
			for _, w := range c.words {
				if strings.Contains(text, w) {
					return c.category
				}
			}
		}
	}
	return anyCategory
}
