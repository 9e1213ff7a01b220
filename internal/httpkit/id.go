package httpkit

import (
	"encoding/json"
	"fmt"
	"regexp"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"kaibao/internal/apperr"
	"kaibao/internal/policy"
)

const mostID = 1 << 53 // of a number: beyond it JSON's readers round

var idPattern = fmt.Sprintf("^[a-z0-9-]{1,%d}$", policy.LongestID)

var idForm = regexp.MustCompile(idPattern)

// IsID tells whether a text can be the id of something: 1 to 64 small letters,
// digits and hyphens.
func IsID(text string) bool { return idForm.MatchString(text) }

// ID names something in a body. Clients of the beta send some ids as whole
// numbers; they are read as their digits.
type ID string

// UnmarshalJSON implements json.Unmarshaler.
func (id *ID) UnmarshalJSON(data []byte) error {
	if data[0] == '"' || string(data) == "null" {
		return json.Unmarshal(data, (*string)(id))
	}
	*id = ID(data) // the schema lets no other than a whole number through
	return nil
}

// Schema implements huma.SchemaProvider.
func (ID) Schema(huma.Registry) *huma.Schema {
	least, most := 0.0, float64(mostID)
	number := &huma.Schema{Type: huma.TypeInteger, Minimum: &least, Maximum: &most}
	number.PrecomputeMessages()
	return &huma.Schema{OneOf: []*huma.Schema{idSchema(), number}}
}

// PathID names in a path what a call is about. What cannot be an id names nothing.
type PathID string

// Schema implements huma.SchemaProvider.
func (PathID) Schema(huma.Registry) *huma.Schema { return idSchema() }

func idSchema() *huma.Schema {
	s := &huma.Schema{Type: huma.TypeString, Pattern: idPattern, PatternDescription: "an id"}
	s.PrecomputeMessages()
	return s
}

var errNoSuchID = apperr.New(apperr.NotFound, "There is nothing with this id.")

// checkPath refuses a path whose parameters are no ids before anybody looks for them.
func (k *Kit) checkPath(ctx huma.Context, next func(huma.Context)) {
	for _, p := range ctx.Operation().Parameters {
		if p.In == "path" && !IsID(ctx.Param(p.Name)) {
			r, w := humago.Unwrap(ctx)
			k.Fail(w, r, errNoSuchID)
			return
		}
	}
	next(ctx)
}
