package catalogue

import "github.com/danielgtaylor/huma/v2"

// SortBy is the name of a sort order.
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

// Order is a sort order of items; ties are ordered by the id of the row.
type Order struct {
	Name       SortBy   // empty for the default order
	By         *SortKey // nil = by id only
	Descending bool     // for the default order, each list decides
}

// Orders are the sort orders of every list with a Filter. The schema of SortBy, the SQL, the
// cursors and the order of the in-memory market index are derived from them.
var Orders = []Order{
	{Name: ""},
	{Name: "price-low", By: ByPrice},
	{Name: "price-high", By: ByPrice, Descending: true},
	{Name: "name", By: &SortKey{Column: "i.name", Text: func(i Item) string { return i.Name }}},
	{Name: "grade", By: ByGrade, Descending: true},
}

// SortKey is what an order compares: an item's Number or Text, or, with neither, the row's price.
type SortKey struct {
	Column string // column of table items (alias i) with the same value
	Number func(Item) int64
	Text   func(Item) string // compared bytewise
}

// Sort keys that lists handle specially.
var (
	ByPrice = &SortKey{}
	ByGrade = &SortKey{Column: "COALESCE(i.grade_tenths, 0)", Number: func(i Item) int64 { return i.GradeTenths }}
)
