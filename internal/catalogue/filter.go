package catalogue

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
	"kaibao/internal/httpapi"
	"kaibao/internal/searchtext"
)

// Filter is embedded in the input of calls that list items. It has the fields of the filter bar in
// the specification.
type Filter struct {
	Series string `query:"series" maxLength:"64" doc:"A series, or a category such as onepiece."`
	SortBy SortBy `query:"sortBy"`
	Grader string `query:"certification" enum:"PSA,CGC"`
	Rarity string `query:"rarity" enum:"Common,Rare,Epic,Legendary,Mythic,Grail"`
	Grade  int64  `query:"grade" minimum:"1" maximum:"10" doc:"Minimum grade."`
	Search string `query:"search" maxLength:"100" doc:"Up to 8 different words, or the starts of words, in any order."`

	MinPrice httpapi.Optional[int64] `query:"minPrice" minimum:"0" maximum:"100000000" doc:"In whole dollars, inclusive."`
	MaxPrice httpapi.Optional[int64] `query:"maxPrice" minimum:"0" maximum:"100000000" doc:"In whole dollars, inclusive."`
}

// ItemList describes a list whose rows R contain items, so that a Filter can search and sort it.
// The list's query must name the table items i.
type ItemList[R any] struct {
	Item        func(R) Item
	ID          db.Key[R] // of the row; breaks ties between equal keys
	Price       db.Key[R] // in cents, for price filters and orders by price
	NewestFirst bool      // the default order is by descending id
}

// maxSearchWords limits the cost of matching a row, and the number of distinct SQL statements.
const maxSearchWords = 8

// Word is a normalized search word. It matches names with a word that begins with it, or, if Inside
// is set, names that contain it anywhere. An empty Word matches no name.
type Word struct {
	Text   string
	Inside bool
}

// Words returns the distinct words of the search, or an error if there are too many.
func (f Filter) Words() ([]Word, error) {
	texts := searchtext.Words(f.Search)
	slices.Sort(texts)
	texts = slices.Compact(texts)
	if len(texts) > maxSearchWords {
		return nil, apperr.InvalidField("search", fmt.Sprintf("must have at most %d different words", maxSearchWords))
	}
	if len(texts) == 0 && strings.TrimSpace(f.Search) != "" {
		return []Word{{}}, nil // no name can match this search
	}
	words := make([]Word, len(texts))
	for n, text := range texts {
		words[n] = Word{text, Unspaced(text)}
	}
	return words, nil
}

// Unspaced reports whether a word has letters of a script without spaces. Such words are matched
// anywhere in a name.
func Unspaced(word string) bool {
	return strings.ContainsFunc(word, func(r rune) bool {
		return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
	})
}

// Filtered returns a function for httpapi.Paged that selects pages of the list. It fails if the
// search has too many words.
func (s ItemList[R]) Filtered(f Filter) func(limit int, cursor string) (*db.Selection[R], error) {
	return func(limit int, cursor string) (*db.Selection[R], error) {
		words, err := f.Words()
		if err != nil {
			return nil, err
		}
		order := slices.IndexFunc(Orders, func(o Order) bool { return o.Name == f.SortBy })
		if order < 0 {
			return nil, apperr.InvalidField("sortBy", "is not a known sort order")
		}
		selection, err := s.order(Orders[order]).Select(limit, cursor)
		if err == nil {
			s.applyFilter(selection, f, words)
		}
		return selection, err
	}
}
