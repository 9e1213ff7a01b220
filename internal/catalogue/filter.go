package catalogue

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/danielgtaylor/huma/v2"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/httpkit"
	"kaibao/internal/searchtext"
)

// Filter is embedded in the input of a call that lists items; its fields are
// those of the specification's filter bar.
type Filter struct {
	Series string `query:"series" maxLength:"64" doc:"A series, or a category such as onepiece."`
	SortBy SortBy `query:"sortBy"`
	Grader string `query:"certification" enum:"PSA,CGC"`
	Rarity string `query:"rarity" enum:"Common,Rare,Epic,Legendary,Mythic,Grail"`
	Grade  int64  `query:"grade" minimum:"1" maximum:"10" doc:"The lowest grade wanted."`
	Search string `query:"search" maxLength:"100" doc:"Up to 8 different word beginnings, in any order."`

	MinPrice httpkit.Optional[int64] `query:"minPrice" minimum:"0" maximum:"100000000" doc:"Whole dollars, included."`
	MaxPrice httpkit.Optional[int64] `query:"maxPrice" minimum:"0" maximum:"100000000" doc:"Whole dollars, included."`
}

// SortBy is the name of an order that a list can be asked for.
type SortBy string

// Schema implements huma.SchemaProvider.
func (SortBy) Schema(huma.Registry) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString}
	for _, order := range Orders {
		if order.Name != "" {
			s.Enum = append(s.Enum, string(order.Name))
		}
	}
	s.PrecomputeMessages()
	return s
}

// Order is a way to sort items, and then by the id of the row.
type Order struct {
	Name       SortBy   // empty where no order is asked for
	By         *SortKey // nil = the id only, in the direction of the list
	Descending bool
}

// SortKey is what an order compares: Number or Text of the item, or with neither the price of
// the row in its list.
type SortKey struct {
	Column string // of the table items, under the name i, with the same value
	Number func(Item) int64
	Text   func(Item) string // compared by its bytes
}

// Shelf says where a list of R has what a Filter asks for. Its query knows the table
// items as i.
type Shelf[R any] struct {
	Item        func(R) Item
	ID          db.Key[R] // of a row; it settles the order of rows with equal keys
	Price       db.Key[R] // what the prices of the filter and both orders by price mean, in cents
	NewestFirst bool      // from the highest id where no order is asked for
}

// maxWords bounds what looking at one row can cost, and how many texts of
// statements there are.
const maxWords = 8

// Word is what an item's name must hold, folded: a word that begins so or, where it is Inside,
// one that has it anywhere. No name holds an empty one.
type Word struct {
	Text   string
	Inside bool
}

// Words are the different words that are searched for; too many are refused.
func (f Filter) Words() ([]Word, error) {
	texts := searchtext.Words(f.Search)
	slices.Sort(texts)
	texts = slices.Compact(texts)
	if len(texts) > maxWords {
		return nil, apperr.InvalidField("search", fmt.Sprintf("has more than %d different words", maxWords))
	}
	if len(texts) == 0 && strings.TrimSpace(f.Search) != "" {
		return []Word{{}}, nil // nothing that a name could hold was searched for
	}
	words := make([]Word, len(texts))
	for n, text := range texts {
		words[n] = Word{text, Unspaced(text)}
	}
	return words, nil
}

// Unspaced tells whether a word is in a script that has no spaces, at least in part: it is
// searched for anywhere.
func Unspaced(word string) bool {
	return strings.ContainsFunc(word, func(r rune) bool {
		return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
	})
}

// Filtered selects pages of a shelf, for httpkit.Paged. A search of too many words
// is refused.
func (s Shelf[R]) Filtered(f Filter) func(limit int, cursor string) (*db.Selection[R], error) {
	return func(limit int, cursor string) (*db.Selection[R], error) {
		words, err := f.Words()
		if err != nil {
			return nil, err
		}
		order := slices.IndexFunc(Orders, func(o Order) bool { return o.Name == f.SortBy })
		if order < 0 {
			return nil, apperr.InvalidField("sortBy", "is no order")
		}
		selection, err := s.order(Orders[order]).Select(limit, cursor)
		if err == nil {
			s.narrow(selection, f, words)
		}
		return selection, err
	}
}
