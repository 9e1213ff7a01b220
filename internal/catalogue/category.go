package catalogue

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"
)

// CategoryID identifies a category in paths and filters.
type CategoryID string

// Category is a section of the pack store. It has the items of its series, and the Starter items
// whose names contain one of its words. A Starter item belongs to the first category that matches.
type Category struct {
	ID     CategoryID `json:"id"`
	Series []string   `json:"series" nullable:"false"`
	Words  []string   `json:"words" nullable:"false"`
	Toys   bool       `json:"toys"` // in boxes; all others are graded cards
}

// Categories lists the categories in store order.
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

// CategoryOf returns an item's category, or an empty id if its series has none.
func CategoryOf(series, name string) CategoryID {
	for _, c := range Categories {
		if slices.Contains(c.Series, series) || series == Starter && slices.ContainsFunc(c.Words, func(w string) bool { return strings.Contains(name, w) }) {
			return c.ID
		}
	}
	return ""
}

// StarterCategory is an SQL expression for the category of a Starter item in table i; it is empty
// for items of other series. It uses REPLACE because LIKE and the engines' string functions differ
// in name or case-sensitivity.
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

// morePacks lists the categories in the order of the row below a pack.
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

// categoryNamed returns the category with the given id, in any case, unless the name is exactly
// that of a series: "pokemon" is the category, "Pokemon" the series.
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

// SeriesOf returns the series of a category, or the named series itself.
func SeriesOf(name string) []string {
	if category, ok := categoryNamed(name); ok {
		return category.Series
	}
	return []string{name}
}

// PageCatalogue is the catalogue data that the web page needs.
type PageCatalogue struct {
	Categories []Category   `json:"categories" nullable:"false"` // in store order
	MorePacks  []CategoryID `json:"morePacks" nullable:"false"`  // in the order of the row below a pack
	Starter    string       `json:"starter"`                     // series whose item names determine the category
	Series     []string     `json:"series" nullable:"false"`     // of the built-in catalogue; items may have others
}

// ForPage returns the catalogue data for the web page.
func ForPage() PageCatalogue {
	page := PageCatalogue{Categories: Categories, MorePacks: morePacks, Starter: Starter}
	for _, id := range morePacks {
		n := slices.IndexFunc(Categories, func(c Category) bool { return c.ID == id })
		page.Series = append(page.Series, Categories[n].Series...)
	}
	page.Series = append(page.Series, Starter)
	return page
}
