package httpkit

import (
	"encoding/json"
	"reflect"

	"github.com/danielgtaylor/huma/v2"
)

// Optional is a parameter that may be left out where no value of it can say so.
type Optional[T any] struct {
	Value T
	Given bool
}

// Schema implements huma.SchemaProvider.
func (o Optional[T]) Schema(r huma.Registry) *huma.Schema {
	return huma.SchemaFromType(r, reflect.TypeFor[T]())
}

// Receiver implements huma.ParamWrapper.
func (o *Optional[T]) Receiver() reflect.Value { return reflect.ValueOf(o).Elem().Field(0) }

// OnParamSet implements huma.ParamReactor.
func (o *Optional[T]) OnParamSet(given bool, _ any) { o.Given = given }

// Replaced is a field of a change, of what can also be there not at all: left out it stays
// as it is, null takes it away.
type Replaced[T any] struct {
	Value *T // nil = none
	Given bool
}

// UnmarshalJSON implements json.Unmarshaler.
func (r *Replaced[T]) UnmarshalJSON(data []byte) error {
	r.Given = true
	return json.Unmarshal(data, &r.Value)
}

// Schema implements huma.SchemaProvider.
func (r Replaced[T]) Schema(registry huma.Registry) *huma.Schema {
	schema := huma.SchemaFromType(registry, reflect.TypeFor[T]())
	schema.Nullable = true
	return schema
}
