package httpapi

import (
	"encoding/json"
	"reflect"

	"github.com/danielgtaylor/huma/v2"
)

// Optional is a parameter that may be absent, for types whose zero value is a valid value.
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

// NullableUpdate is a nullable field of an update: if absent, the value is kept; null removes it.
type NullableUpdate[T any] struct {
	Value *T // nil removes the value
	Given bool
}

// UnmarshalJSON implements json.Unmarshaler.
func (r *NullableUpdate[T]) UnmarshalJSON(data []byte) error {
	r.Given = true
	return json.Unmarshal(data, &r.Value)
}

// Schema implements huma.SchemaProvider.
func (r NullableUpdate[T]) Schema(registry huma.Registry) *huma.Schema {
	schema := huma.SchemaFromType(registry, reflect.TypeFor[T]())
	schema.Nullable = true
	return schema
}
