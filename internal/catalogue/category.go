package catalogue

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
)

// CategoryID is a category's name in paths and filters.
type CategoryID string

// Category is a shelf of the pack store: items of its series, and those of Starter whose names
// hold one of its words. An item of Starter is in the first such category.
type Category struct {
	ID     CategoryID `json:"id"`
	Series []string   `json:"series" nullable:"false"`
	Words  []string   `json:"words" nullable:"false"`
	Toys   bool       `json:"toys"` // in boxes; all others are graded cards
}

// Categories are the shelves in the store's order.
var Categories = []Category{
	{ID: "pokemon", Series: []string{"Pokemon"}, Words: []string{"Pokemon"}},
	{ID: "onepiece", Series: []string{"One Piece"}, Words: []string{"One Piece"}},
	{ID: "basketball", Series: []string{"Basketball"}, Words: []string{"Basketball", "NBA"}},
	{ID: "football", Series: []string{"Football"}, Words: []string{"Football", "NFL"}},
	{ID: "soccer", Series: []string{"Soccer"}, Words: []string{"Soccer", "UEFA", "MLS", "FIFA", "Premier League"}},
	{ID: "baseball", Series: []string{"Baseball"}, Words: []string{"Baseball", "MLB"}},
	{ID: "labubu", Series: []string{"Labubu Collection", "Labubu Deluxe Collection"}, Words: []string{"Labubu"}, Toys: true},
}

// Starter is the series of the starter pool, which has cards of several categories.
const Starter = "Starter"

// CategoryOf is the category of an item, empty for one of a series without a shelf.
func CategoryOf(series, name string) CategoryID {
	for _, c := range Categories {
		if slices.Contains(c.Series, series) || series == Starter && slices.ContainsFunc(c.Words, func(w string) bool { return strings.Contains(name, w) }) {
			return c.ID
		}
	}
	return ""
}

// StarterCategory is the SQL for the category of an item i of Starter; it is empty for any
// other. LIKE and the engines' functions differ in case or name, REPLACE does not.
var StarterCategory = sync.OnceValue(func() string {
	var b strings.Builder
	b.WriteString("CASE WHEN i.series <> '" + Starter + "' THEN ''")
	for _, c := range Categories {
		for _, w := range c.Words {
			fmt.Fprintf(&b, " WHEN REPLACE(i.name, '%s', '') <> i.name THEN '%s'", w, c.ID)
		}
	}
	b.WriteString(" ELSE '' END")
	return b.String()
})

// morePacks are the categories in the order of the row below a pack.
var morePacks = []CategoryID{"basketball", "pokemon", "football", "soccer", "baseball", "onepiece", "labubu"}

// Schema implements huma.SchemaProvider.
func (CategoryID) Schema(huma.Registry) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString}
	for _, category := range Categories {
		s.Enum = append(s.Enum, string(category.ID))
	}
	s.PrecomputeMessages()
	return s
}

// categoryNamed is the category that a filter means by its id in any case, unless it means a
// series by its own name: "pokemon" is the category, "Pokemon" the series.
func categoryNamed(name string) (Category, bool) {
	for _, c := range Categories {
		if slices.Contains(c.Series, name) {
			return Category{}, false
		}
	}
	n := slices.IndexFunc(Categories, func(c Category) bool { return strings.EqualFold(string(c.ID), name) })
	if n < 0 {
		return Category{}, false
	}
	return Categories[n], true
}

// PageCatalogue is what the page is told of the catalogue.
type PageCatalogue struct {
	Categories []Category   `json:"categories" nullable:"false"` // in the store's order
	MorePacks  []CategoryID `json:"morePacks" nullable:"false"`  // the same in the order of the row below a pack
	Starter    string       `json:"starter"`                     // the series whose items' names tell their category
	Series     []string     `json:"series" nullable:"false"`     // of the shipped catalogue; an item may name another
}

// ForPage gives the catalogue for the page.
func ForPage() PageCatalogue {
	told := PageCatalogue{Categories: Categories, MorePacks: morePacks, Starter: Starter}
	for _, id := range morePacks {
		n := slices.IndexFunc(Categories, func(c Category) bool { return c.ID == id })
		told.Series = append(told.Series, Categories[n].Series...)
	}
	told.Series = append(told.Series, Starter)
	return told
}
