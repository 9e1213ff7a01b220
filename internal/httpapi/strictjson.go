package httpapi

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json/jsontext"

	"kaibao/internal/apperr"
)

const (
	maxDepth   = 32 // nesting of objects and arrays
	ignoredKey = "x-ignored"
)

// Ignored is a field that clients of the beta send and the server ignores. Calls that refuse
// unknown fields declare it to let such a field pass.
type Ignored struct{}

// Schema implements huma.SchemaProvider.
func (Ignored) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Description: "Sent by old clients; ignored.", Extensions: map[string]any{ignoredKey: true}}
}

// documentStrict documents that an operation refuses unknown fields.
func documentStrict(document *huma.OpenAPI, op *huma.Operation) {
	if routeOf(op).Strict && op.RequestBody != nil {
		body := op.RequestBody.Content[JSONType].Schema
		document.Components.Schemas.SchemaFromRef(body.Ref).AdditionalProperties = false
	}
}

// filterFields copies the fields of a body that the operation knows. It skips unknown fields, or
// refuses them if the operation moves money or items.
func (a *API) filterFields(op *huma.Operation, body []byte) ([]byte, error) {
	if !utf8.Valid(body) {
		return nil, malformed("it is not UTF-8")
	}
	s := strictJSON{
		in: jsontext.NewDecoder(bytes.NewBuffer(body)), out: make([]byte, 0, len(body)),
		schemas: a.Huma.OpenAPI().Components.Schemas, knownOnly: routeOf(op).Strict,
	}
	err := s.value(op.RequestBody.Content[JSONType].Schema)
	if err == nil {
		_, err = s.in.ReadToken()
		if errors.Is(err, io.EOF) {
			return s.out, nil
		}
	}
	return nil, bodyRefusal(err, body)
}

// bodyRefusal explains why a body could not be parsed to its end, without exposing parser errors.
func bodyRefusal(err error, body []byte) error {
	if err == nil {
		return malformed("there is text after its end")
	}
	if refused, ok := errors.AsType[*apperr.Error](err); ok {
		return refused
	}
	syntax, ok := errors.AsType[*jsontext.SyntacticError](err)
	switch {
	case !ok:
		return malformed("it is empty")
	case errors.Is(err, jsontext.ErrDuplicateName):
		return apperr.InvalidField(formatPath(syntax.JSONPointer), "is given more than once")
	case jsontext.Value(body).IsValid(jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true)):
		// It is valid except for an escape such as \ud800.
		return apperr.InvalidField(formatPath(syntax.JSONPointer), "contains half of a surrogate pair")
	}
	return malformed(fmt.Sprintf("see byte %d", syntax.ByteOffset+1))
}

func malformed(why string) error {
	return apperr.New(apperr.Malformed, "The request body is not valid JSON: "+why+". Nothing was changed.")
}

// strictJSON copies known fields from in to out.
type strictJSON struct {
	in        *jsontext.Decoder
	out       []byte
	schemas   huma.Registry
	knownOnly bool
}

// token reads the next token and refuses excessive nesting.
func (s *strictJSON) token() (jsontext.Token, error) {
	token, err := s.in.ReadToken()
	if err == nil && s.in.StackDepth() > maxDepth {
		err = malformed(fmt.Sprintf("it is nested deeper than %d levels", maxDepth))
	}
	return token, err
}

// value copies the parts of the next value that a schema describes. A value of another type is left
// empty, so that validation refuses it.
func (s *strictJSON) value(schema *huma.Schema) error {
	if schema.Ref != "" {
		schema = s.schemas.SchemaFromRef(schema.Ref)
	}
	switch s.in.PeekKind() {
	case '{':
		return s.container("{}", func(n int) error { return s.member(schema, n) })
	case '[':
		return s.container("[]", func(n int) error { return s.element(schema, n) })
	}
	raw, err := s.in.ReadValue()
	if err == nil && raw.Kind() == '0' {
		raw, err = s.number(raw, schema)
	}
	s.out = append(s.out, raw...)
	return err
}

// container copies an object or array. It calls next for each member or element with the length of
// out before the first one.
func (s *strictJSON) container(brackets string, next func(start int) error) error {
	if _, err := s.token(); err != nil {
		return err
	}
	s.out = append(s.out, brackets[0])
	start := len(s.out)
	for s.in.PeekKind() != jsontext.Kind(brackets[1]) {
		if err := next(start); err != nil {
			return err
		}
	}
	_, err := s.token()
	s.out = append(s.out, brackets[1])
	return err
}

func (s *strictJSON) member(schema *huma.Schema, start int) error {
	token, err := s.token()
	if err != nil {
		return err
	}
	name := token.String()
	known, err := s.memberSchema(schema, name)
	if err != nil {
		return err
	}
	if known == nil || known.Extensions[ignoredKey] == true {
		return s.skip()
	}
	s.appendComma(start)
	s.out, _ = jsontext.AppendQuote(s.out, name) // a name that was parsed can be quoted
	s.out = append(s.out, ':')
	return s.value(known)
}

func (s *strictJSON) element(schema *huma.Schema, start int) error {
	if schema.Items == nil {
		return s.skip()
	}
	s.appendComma(start)
	return s.value(schema.Items)
}

func (s *strictJSON) appendComma(start int) {
	if len(s.out) > start {
		s.out = append(s.out, ',')
	}
}

// memberSchema returns the schema of an object's member, or nil if the member is to be skipped.
func (s *strictJSON) memberSchema(schema *huma.Schema, name string) (*huma.Schema, error) {
	if known := schema.Properties[name]; known != nil {
		return known, nil
	}
	if additional, ok := schema.AdditionalProperties.(*huma.Schema); ok {
		return additional, nil
	}
	for known := range schema.Properties {
		if strings.EqualFold(known, name) {
			return nil, apperr.InvalidField(s.currentField(), "must be spelled "+known)
		}
	}
	if s.knownOnly {
		return nil, apperr.InvalidField(s.currentField(), "is not a known field")
	}
	return nil, nil
}

// skip skips a value; duplicate names in it are refused as everywhere.
func (s *strictJSON) skip() error {
	for depth := s.in.StackDepth(); ; {
		if _, err := s.token(); err != nil || s.in.StackDepth() == depth {
			return err
		}
	}
}

// number refuses numbers that no field can hold. For fields that parse digits it rewrites whole
// numbers such as 1e2.
func (s *strictJSON) number(raw jsontext.Value, schema *huma.Schema) (jsontext.Value, error) {
	value, err := strconv.ParseFloat(string(raw), 64)
	if err != nil {
		return nil, apperr.InvalidField(s.currentField(), "is too large")
	}
	digits := schema.Type == huma.TypeInteger || schema.OneOf != nil
	if digits && bytes.ContainsAny(raw, ".eE") && value == math.Trunc(value) && math.Abs(value) < 1<<53 {
		return strconv.AppendInt(nil, int64(value), 10), nil
	}
	return raw, nil
}

// currentField returns the path of the last field read.
func (s *strictJSON) currentField() string { return formatPath(s.in.StackPointer()) }

// formatPath formats a path as validation does: lootTableJson.rarities, series[0].
func formatPath(pointer jsontext.Pointer) string {
	var path strings.Builder
	for name := range pointer.Tokens() {
		if _, err := strconv.Atoi(name); err == nil {
			path.WriteString("[" + name + "]")
			continue
		}
		if path.Len() > 0 {
			path.WriteByte('.')
		}
		path.WriteString(name)
	}
	return path.String()
}
