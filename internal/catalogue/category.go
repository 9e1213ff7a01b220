package catalogue

import (
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// CategoryID is a category's name in paths and filters.
type CategoryID string

// Category is a shelf of the pack store, with the series that stand on it.
type Category struct {
	ID     CategoryID `json:"id"`
	Series []string   `json:"series" nullable:"false"`
	Toys   bool       `json:"toys"` // in boxes; all others are graded cards
}

// Categories are the shelves in the store's order.
var Categories = []Category{
	{ID: "pokemon", Series: []string{"Pokemon"}},
	{ID: "onepiece", Series: []string{"One Piece"}},
	{ID: "basketball", Series: []string{"Basketball"}},
	{ID: "football", Series: []string{"Football"}},
	{ID: "soccer", Series: []string{"Soccer"}},
	{ID: "baseball", Series: []string{"Baseball"}},
	{ID: "labubu", Series: []string{"Labubu Collection", "Labubu Deluxe Collection"}, Toys: true},
}

// Starter is the series of the starter pool, which stands on no shelf.
const Starter = "Starter"

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

// seriesOf are the series that a filter means by a category's id, or else by a
// series' own name.
func seriesOf(name string) []string {
	for _, category := range Categories {
		if strings.EqualFold(string(category.ID), name) {
			return category.Series
		}
	}
	return []string{name}
}

// PageCatalogue is what the page is told of the catalogue.
type PageCatalogue struct {
	Categories []Category   `json:"categories" nullable:"false"` // in the store's order
	MorePacks  []CategoryID `json:"morePacks" nullable:"false"`  // the same in the order of the row below a pack
	Series     []string     `json:"series" nullable:"false"`     // of the shipped catalogue; an item may name another
}

// ForPage gives the catalogue for the page.
func ForPage() PageCatalogue {
	told := PageCatalogue{Categories: Categories, MorePacks: morePacks}
	for _, id := range morePacks {
		n := slices.IndexFunc(Categories, func(c Category) bool { return c.ID == id })
		told.Series = append(told.Series, Categories[n].Series...)
	}
	told.Series = append(told.Series, Starter)
	return told
}
