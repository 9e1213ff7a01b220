package catalogue

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"kaibao/internal/fault"
	"kaibao/internal/httpkit"
	"kaibao/internal/money"
)

// Filter is embedded in the input of a call that lists items; its fields are
// those of the specification's filter bar.
type Filter struct {
	Series        string `query:"series" maxLength:"64" doc:"A series, or a category such as onepiece."`
	SortBy        string `query:"sortBy" enum:"price-low,price-high,name,grade"`
	Certification string `query:"certification" enum:"PSA,CGC"`
	Grade         int64  `query:"grade" minimum:"1" maximum:"10" doc:"The lowest grade wanted."`
	Search        string `query:"search" maxLength:"100" doc:"Up to 8 different word beginnings, in any order."`

	MinPrice httpkit.Optional[int64] `query:"minPrice" minimum:"0" maximum:"100000000" doc:"Whole dollars, included."`
	MaxPrice httpkit.Optional[int64] `query:"maxPrice" minimum:"0" maximum:"100000000" doc:"Whole dollars, included."`
}

// Categories names the category ids of the pack store and the series they hold.
var Categories = map[string][]string{
	"pokemon": {"Pokemon"}, "onepiece": {"One Piece"}, "basketball": {"Basketball"}, "football": {"Football"},
	"soccer": {"Soccer"}, "baseball": {"Baseball"}, "labubu": {"Labubu Collection", "Labubu Deluxe Collection"},
}

// cursor is the place of the last row shown: its sort key and its id.
type cursor struct {
	Key any    `json:"k"`
	ID  string `json:"i"`
}

func (c cursor) String() string {
	text, _ := json.Marshal(c) // of a number or a text, which cannot fail
	return base64.RawURLEncoding.EncodeToString(text)
}

func parseCursor(text string) (c cursor, err error) {
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err == nil {
		err = json.Unmarshal(raw, &c)
	}
	switch key := c.Key.(type) {
	case string:
	case float64:
		c.Key = int64(key)
	default:
		err = errors.New("a key of another kind")
	}
	if err != nil || c.ID == "" {
		return cursor{}, fault.InvalidField("cursor", "is not one of ours")
	}
	return c, nil
}

// Shelf says where a list of items has what a Filter asks for, in names of columns.
type Shelf struct {
	Items       string // alias of the table items, with its dot
	ID          string // of a row; it settles the order of rows with equal keys
	Price       string // what the prices of the filter and both orders by price mean, in cents
	NewestFirst bool   // from the highest id where no order is asked for
}

// Selection is one page of the rows on a Shelf that pass a Filter, in its order.
type Selection struct {
	shelf      Shelf
	sortBy     string
	limit      int
	conditions conditions
	last       *cursor // of the page before
}

// maxWords bounds what looking at one row can cost, and how many texts of
// statements there are.
const maxWords = 8

// words are the different words that are searched for.
func (f Filter) words() ([]string, error) {
	words := strings.Fields(Fold(f.Search))
	slices.Sort(words)
	words = slices.Compact(words)
	if len(words) > maxWords {
		return nil, fault.InvalidField("search", fmt.Sprintf("has more than %d different words", maxWords))
	}
	return words, nil
}

// Select makes the page of a shelf that a call asks for. It refuses a search of
// too many words, and a cursor that is none, or of another order.
func (f Filter) Select(shelf Shelf, page httpkit.Page) (*Selection, error) {
	words, err := f.words()
	if err != nil {
		return nil, err
	}
	s := &Selection{shelf: shelf, sortBy: f.SortBy, limit: page.Limit, conditions: f.conditions(shelf, words)}
	if page.Cursor == "" {
		return s, nil
	}
	last, err := parseCursor(page.Cursor)
	if err != nil {
		return nil, err
	}
	if _, isText := last.Key.(string); isText != (f.SortBy == "" || f.SortBy == "name") {
		return nil, fault.InvalidField("cursor", "belongs to another order")
	}
	s.last = &last
	return s, nil
}

// Cursor is the place of a row in the selection's order.
func (s *Selection) Cursor(id string, price money.Cents, i Item) string {
	place := cursor{Key: id, ID: id}
	switch s.sortBy {
	case "price-low", "price-high":
		place.Key = price
	case "name":
		place.Key = i.Name
	case "grade":
		place.Key = i.GradeTenths
	}
	return place.String()
}
