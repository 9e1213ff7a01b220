package apptest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"kaibao/internal/app"
	"kaibao/internal/csvfile"
)

// answers are the documented responses of each call.
type answers struct {
	routes   *http.ServeMux
	ofCall   map[string]map[string]answer // by pattern and status
	compiler *jsonschema.Compiler
	mutex    sync.Mutex
	schemas  map[string]*jsonschema.Schema // compiled, by JSON pointer
}

// answer is a documented response.
type answer struct {
	place   string // JSON pointer into the document
	Ref     string `json:"$ref"`
	Content map[string]json.RawMessage
}

const contractFile = "contract.json"

var declared = sync.OnceValues(func() (*answers, error) {
	text, err := app.Contract()
	if err != nil {
		return nil, err
	}
	var document struct {
		Paths      map[string]map[string]struct{ Responses map[string]answer }
		Components struct{ Responses map[string]answer }
	}
	if err := json.Unmarshal(text, &document); err != nil {
		return nil, err
	}
	whole, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	d := &answers{http.NewServeMux(), map[string]map[string]answer{}, jsonschema.NewCompiler(), sync.Mutex{}, map[string]*jsonschema.Schema{}}
	if err := d.compiler.AddResource(contractFile, whole); err != nil {
		return nil, err
	}
	for at, calls := range document.Paths {
		for method, call := range calls {
			pattern := strings.ToUpper(method) + " " + strings.ReplaceAll(at, "{path}", "{path...}")
			d.routes.Handle(pattern, http.NotFoundHandler())
			d.ofCall[pattern] = map[string]answer{}
			for status, a := range call.Responses {
				a.place = pointer("paths", at, method, "responses", status)
				if name, ok := strings.CutPrefix(a.Ref, "#/components/responses/"); ok {
					a = document.Components.Responses[name]
					a.place = pointer("components", "responses", name)
				}
				d.ofCall[pattern][status] = a
			}
		}
	}
	return d, nil
})

// pointer returns a JSON pointer as a URL fragment.
func pointer(parts ...string) string {
	for i, part := range parts {
		parts[i] = url.PathEscape(strings.NewReplacer("~", "~0", "/", "~1").Replace(part))
	}
	return "#/" + strings.Join(parts, "/")
}

// schema returns the compiled schema at a JSON pointer. Compiled schemas are cached.
func (d *answers) schema(place string) (*jsonschema.Schema, error) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	if d.schemas[place] == nil {
		compiled, err := d.compiler.Compile(contractFile + place)
		if err != nil {
			return nil, err
		}
		d.schemas[place] = compiled
	}
	return d.schemas[place], nil
}

// Mismatch describes how a response differs from the document: an undeclared status or content
// type, or a body that violates its schema. It is empty if nothing differs, and for undocumented
// paths.
func (a Answer) Mismatch(method, target string) string {
	d, err := declared()
	if err != nil {
		return "the contract cannot be read: " + err.Error()
	}
	at, err := url.Parse(target)
	if err != nil || method == http.MethodHead || a.Status == http.StatusMethodNotAllowed {
		return ""
	}
	_, pattern := d.routes.Handler(&http.Request{Method: method, URL: at, Host: "kaibao.example"})
	if pattern == "" {
		return ""
	}
	described, ok := d.ofCall[pattern][strconv.Itoa(a.Status)]
	if !ok {
		return fmt.Sprintf("answered %d, which the document does not declare for %s", a.Status, pattern)
	}
	if why := a.differs(d, described); why != "" {
		return fmt.Sprintf("%s: %d, %s: %.2000s", pattern, a.Status, why, a.Body)
	}
	return ""
}

func (a Answer) differs(d *answers, described answer) string {
	if len(described.Content) == 0 {
		if len(a.Body) > 0 {
			return "a body where the document has none"
		}
		return ""
	}
	sent, _, err := mime.ParseMediaType(a.Header.Get("Content-Type"))
	if err != nil {
		return fmt.Sprintf("the content type %q", a.Header.Get("Content-Type"))
	}
	kinds := make([]string, 0, len(described.Content))
	for kind := range described.Content {
		kinds = append(kinds, kind)
	}
	n := slices.IndexFunc(kinds, func(kind string) bool {
		matches, _ := path.Match(kind, sent)
		return matches
	})
	switch {
	case n < 0:
		return fmt.Sprintf("the content type %s, not %v", sent, kinds)
	case sent == "text/csv" && a.Status == http.StatusOK && !bytes.HasPrefix(a.Body, []byte(csvfile.ByteOrderMark)):
		return "a CSV file without a byte order mark, which Excel needs"
	case sent != "application/json":
		return ""
	}
	schema, err := d.schema(described.place + strings.TrimPrefix(pointer("content", kinds[n], "schema"), "#"))
	if err != nil {
		return err.Error()
	}
	body, err := jsonschema.UnmarshalJSON(bytes.NewReader(a.Body))
	if err == nil {
		err = schema.Validate(body)
	}
	if err != nil {
		return err.Error()
	}
	return ""
}
