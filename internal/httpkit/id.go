package httpkit

import (
	"encoding/json"

	"github.com/danielgtaylor/huma/v2"
)

// ID names something in a body. Clients of the beta send some ids as whole
// numbers; they are read as their digits.
type ID string

const maxID = 64

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
	length := maxID
	text := &huma.Schema{Type: huma.TypeString, MaxLength: &length}
	number := &huma.Schema{Type: huma.TypeInteger}
	text.PrecomputeMessages()
	number.PrecomputeMessages()
	return &huma.Schema{OneOf: []*huma.Schema{text, number}}
}
