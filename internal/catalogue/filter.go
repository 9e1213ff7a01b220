package catalogue

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"

	"kaibao/internal/db"
	"kaibao/internal/fault"
	"kaibao/internal/httpkit"
)

// Filter is embedded in the input of a call that lists items; its fields are
// those of the specification's filter bar.
type Filter struct {
	Series        string `query:"series" maxLength:"64" doc:"A series, or a category such as onepiece."`
	SortBy        string `query:"sortBy" enum:"price-low,price-high,name,grade"`
	Certification string `query:"certification" enum:"PSA,CGC"`
	Grade         int64  `query:"grade" minimum:"1" maximum:"10" doc:"The lowest grade wanted."`
	MinPrice      int64  `query:"minPrice" minimum:"-1" maximum:"100000000" default:"-1" doc:"Whole dollars, included; -1 = any."`
	MaxPrice      int64  `query:"maxPrice" minimum:"-1" maximum:"100000000" default:"-1" doc:"Whole dollars, included; -1 = any."`
	Search        string `query:"search" maxLength:"100" doc:"Word beginnings, in any order."`
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

type listInput struct {
	Filter
	httpkit.Page
}

func (c *Catalogue) listItems(ctx context.Context, in *listInput) (*httpkit.List[ItemView], error) {
	o := orders[in.SortBy]
	where := in.conditions()
	if in.Cursor != "" {
		last, err := parseCursor(in.Cursor)
		if err != nil {
			return nil, err
		}
		if _, isText := last.Key.(string); isText != (o.key == "id" || o.key == "name") {
			return nil, fault.InvalidField("cursor", "belongs to another order")
		}
		where.after(o, last)
	}
	var found []Item
	err := c.DB.Read(ctx, func(tx *db.Tx) (err error) {
		found, err = selectItems(tx, where, o, in.Limit+1)
		return err
	})
	if err != nil {
		return nil, err
	}
	cut := httpkit.Cut(found, in.Limit, func(i Item) string { return cursor{Key: i.key(in.SortBy), ID: i.ID}.String() })
	list := &httpkit.List[ItemView]{Next: cut.Next, Body: make([]ItemView, len(cut.Body))}
	for n, i := range cut.Body {
		list.Body[n] = i.View()
	}
	return list, nil
}

// key is the value of the column that a list is ordered by.
func (i Item) key(sortBy string) any {
	switch sortBy {
	case "price-low", "price-high":
		return i.BaseValue
	case "name":
		return i.Name
	case "grade":
		return i.GradeTenths
	default:
		return i.ID
	}
}
