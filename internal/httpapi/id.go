package httpapi

import (
	"encoding/json"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"kaibao/internal/apperr"
	"kaibao/internal/db"
)

const maxID = 1 << 53 // JSON readers round larger numbers

// ID is an id in a body. Clients of the beta send some ids as whole numbers, which are read as
// their digits.
type ID string

// UnmarshalJSON implements json.Unmarshaler.
func (id *ID) UnmarshalJSON(data []byte) error {
	if data[0] == '"' || string(data) == "null" {
		return json.Unmarshal(data, (*string)(id))
	}
	*id = ID(data) // the schema only lets whole numbers through
	return nil
}

// Schema implements huma.SchemaProvider.
func (ID) Schema(huma.Registry) *huma.Schema {
	minimum, maximum := 0.0, float64(maxID)
	number := &huma.Schema{Type: huma.TypeInteger, Minimum: &minimum, Maximum: &maximum}
	number.PrecomputeMessages()
	return &huma.Schema{OneOf: []*huma.Schema{idSchema(), number}}
}

// IDStrings converts ids to strings.
func IDStrings(ids []ID) []string {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = string(id)
	}
	return texts
}

// PathID is an id in a path. A malformed one gets 404.
type PathID string

// Schema implements huma.SchemaProvider.
func (PathID) Schema(huma.Registry) *huma.Schema { return idSchema() }

func idSchema() *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString, Pattern: db.IDPattern, PatternDescription: "an id"}
	s.PrecomputeMessages()
	return s
}

var errNoSuchID = apperr.New(apperr.NotFound, "Nothing has this id.")

// checkPath responds 404 to malformed ids before any database lookup.
func (a *API) checkPath(ctx huma.Context, next func(huma.Context)) {
	for _, p := range ctx.Operation().Parameters {
		if p.In == "path" && !db.IsID(ctx.Param(p.Name)) {
			r, w := humago.Unwrap(ctx)
			a.Fail(w, r, errNoSuchID)
			return
		}
	}
	next(ctx)
}
