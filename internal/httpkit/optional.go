package httpkit

import (
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
