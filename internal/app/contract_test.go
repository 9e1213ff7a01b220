package app_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"kaibao/internal/app/apptest"
)

// described is as much of a schema as says what a field may hold.
type described struct {
	Ref                  string `json:"$ref"`
	Type                 any    // a name, or several
	Properties           map[string]described
	Required             []string
	Minimum, Maximum     *float64
	MinLength, MaxLength *int
	MaxItems             *int
	Pattern              string
	Enum                 []any
	OneOf                []described
	Items                *described
}

// parameter is what a call reads beside its body.
type parameter struct {
	Name, In string
	Schema   described
}

// operation is a call as the OpenAPI document has it.
type operation struct {
	method, path string
	id           string
	access       string // "": everybody, "session" or "admin"
	parameters   []parameter
	body         *described
	schemas      map[string]described
}

// operations are all calls of the document, in the order of their paths.
func operations(t *testing.T, c *apptest.Client) (found []operation) {
	t.Helper()
	var document struct {
		Paths map[string]map[string]struct {
			OperationID string
			Security    []map[string][]string
			Parameters  []parameter
			RequestBody struct {
				Content map[string]struct{ Schema described }
			}
		}
		Components struct{ Schemas map[string]described }
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

func (o operation) resolve(d described) described {
	if name, ok := strings.CutPrefix(d.Ref, "#/components/schemas/"); ok {
		return o.schemas[name]
	}
	return d
}

// at is the operation's path with the value of each of its parameters.
func (o operation) at(value func(name string) string) string {
	path := o.path
	for _, p := range o.parameters {
		if p.In == "path" {
			path = strings.ReplaceAll(path, "{"+p.Name+"}", value(p.Name))
		}
	}
	return path
}
