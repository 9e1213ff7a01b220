package app_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"kaibao/internal/app/apptest"
)

// fieldSchema is the part of a schema that limits a field's values.
type fieldSchema struct {
	Ref                  string `json:"$ref"`
	Type                 any    // a name or a list of names
	Properties           map[string]fieldSchema
	Required             []string
	Minimum, Maximum     *float64
	MinLength, MaxLength *int
	MaxItems             *int
	Pattern              string
	Enum                 []any
	OneOf                []fieldSchema
	Items                *fieldSchema
}

// parameter is a parameter of a call.
type parameter struct {
	Name, In string
	Schema   fieldSchema
}

// operation is a call in the OpenAPI document.
type operation struct {
	method, path string
	id           string
	access       string // "" for public calls, "session" or "admin"
	parameters   []parameter
	body         *fieldSchema
	schemas      map[string]fieldSchema
}

// operations returns all calls of the document, sorted by path.
func operations(t *testing.T, c *apptest.Client) (found []operation) {
	t.Helper()
	var document struct {
		Paths map[string]map[string]struct {
			OperationID string
			Security    []map[string][]string
			Parameters  []parameter
			RequestBody struct {
				Content map[string]struct{ Schema fieldSchema }
			}
		}
		Components struct{ Schemas map[string]fieldSchema }
	}
	c.Get(t, "/api/openapi.json").Want(t, http.StatusOK, &document)
	for path, methods := range document.Paths {
		for method, call := range methods {
			o := operation{
				method: strings.ToUpper(method), path: path, id: call.OperationID,
				parameters: call.Parameters, schemas: document.Components.Schemas,
			}
			for _, scheme := range call.Security {
				o.access = slices.Collect(maps.Keys(scheme))[0]
			}
			if content, ok := call.RequestBody.Content["application/json"]; ok {
				o.body = &content.Schema
			}
			found = append(found, o)
		}
	}
	slices.SortFunc(found, func(a, b operation) int { return strings.Compare(a.path+a.method, b.path+b.method) })
	return found
}

func (o operation) resolve(d fieldSchema) fieldSchema {
	if name, ok := strings.CutPrefix(d.Ref, "#/components/schemas/"); ok {
		return o.schemas[name]
	}
	return d
}

// fillPath returns the operation's path with its parameters filled in.
func (o operation) fillPath(value func(name string) string) string {
	path := o.path
	for _, p := range o.parameters {
		if p.In == "path" {
			path = strings.ReplaceAll(path, "{"+p.Name+"}", value(p.Name))
		}
	}
	return path
}
