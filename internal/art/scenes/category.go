package scenes

import "strings"

// Category is the kind of subject in the picture of an item or a pack.
type Category int

// AnyCategory is that of an unknown item, and of a pack of all series.
const (
	AnyCategory Category = iota
	BasketballCards
	BaseballCards
	FootballCards
	SoccerCards
	PokemonCards
	OnePieceCards
	LabubuToys
)

// categoryWords are searched for in the series, then in the name, because in a mixed pool only
// names tell the category.
var categoryWords = []struct {
	category Category
	words    []string
}{
	{LabubuToys, []string{"Labubu"}},
	{PokemonCards, []string{"Pokemon"}},
	{OnePieceCards, []string{"One Piece"}},
	{BasketballCards, []string{"Basketball", "NBA"}},
	{FootballCards, []string{"Football", "NFL"}},
	{SoccerCards, []string{"Soccer", "UEFA", "MLS", "FIFA", "Premier League"}},
	{BaseballCards, []string{"Baseball", "MLB"}},
}

// CategoryOf returns the category of an item or a pack by the names of its series and its own.
func CategoryOf(series, name string) Category {
	for _, text := range []string{series, name} {
		for _, c := range categoryWords {
			for _, w := range c.words {
				if strings.Contains(text, w) {
					return c.category
				}
			}
		}
	}
	return AnyCategory
}
