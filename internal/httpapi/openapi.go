package httpapi

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"kaibao/internal/apperr"
)

const (
	// DocumentPath is the path at which clients find the OpenAPI document.
	DocumentPath = "/api/openapi.json"

	apiVersion = "1"

	idempotencyKey = "Idempotency-Key"
)

// contract returns the parts of the OpenAPI document that don't depend on routes.
func contract() huma.Config {
	c := huma.DefaultConfig("Kaibao", apiVersion)
	c.Info.Description = "Packs of graded cards, drawn in a way that anyone can verify, and a market for the cards."
	c.Info.License = &huma.License{Name: "Apache License 2.0", Identifier: "Apache-2.0"}
	c.Servers = []*huma.Server{{URL: "/", Description: "The server that served this document"}}
	c.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"session": cookieScheme("A signed-in user. Signing in sets the cookie. On https its name starts with __Host-."),
		"admin":   cookieScheme("The session of an admin."),
	}
	c.Components.Responses = map[string]*huma.Response{}
	c.OnAddOperation = append(c.OnAddOperation, describe)
	return c
}

func cookieScheme(description string) *huma.SecurityScheme {
	return &huma.SecurityScheme{Type: "apiKey", In: "cookie", Name: SessionCookie, Description: description}
}

// describe adds an operation's security requirements and error responses.
func describe(document *huma.OpenAPI, op *huma.Operation) {
	access := routeOf(op).Access
	op.Security = []map[string][]string{}
	switch access {
	case Session, Customer:
		op.Security = append(op.Security, map[string][]string{"session": {}})
	case Admin:
		op.Security = append(op.Security, map[string][]string{"admin": {}})
	}
	delete(op.Responses, "default")
	if empty := op.Responses[strconv.Itoa(http.StatusNoContent)]; empty != nil {
		empty.Content = nil
	}
	byStatus := map[int][]apperr.Code{}
	for _, code := range refusals(op) {
		status := statuses[code.Kind()]
		byStatus[status] = append(byStatus[status], code)
	}
	for status, codes := range byStatus {
		op.Responses[strconv.Itoa(status)] = &huma.Response{Ref: "#/components/responses/" + refusalResponse(document, status, codes)}
	}
}

// refusals returns the error codes an operation can respond with: its own, and those implied by its
// access rule and input.
func refusals(op *huma.Operation) []apperr.Code {
	access := routeOf(op).Access
	codes := append(slices.Clone(routeOf(op).Refusals), apperr.Misdirected, apperr.RateLimited, apperr.Unavailable, apperr.Internal)
	if access == Session || access == Customer || access == Admin {
		codes = append(codes, apperr.Unauthenticated, apperr.WalletMismatch, apperr.Invalid) // for unknown parameters
	}
	if op.Method != http.MethodGet || access == Admin {
		codes = append(codes, apperr.Forbidden)
	}
	if op.Method != http.MethodGet && (access == Session || access == Customer) && !routeOf(op).AllowFrozen {
		codes = append(codes, apperr.AccountFrozen)
	}
	if len(op.Parameters) > 0 || op.RequestBody != nil {
		codes = append(codes, apperr.Malformed, apperr.Invalid)
	}
	if op.RequestBody != nil {
		codes = append(codes, apperr.TooSlow, apperr.TooLarge, apperr.UnsupportedMediaType)
	}
	if slices.ContainsFunc(op.Parameters, func(p *huma.Param) bool { return p.Name == idempotencyKey }) {
		codes = append(codes, apperr.IdempotencyMismatch, apperr.LogForked)
	}
	if strings.Contains(op.Path, "{") {
		codes = append(codes, apperr.NotFound)
	}
	slices.SortFunc(codes, func(a, b apperr.Code) int { return cmp.Compare(a.String(), b.String()) })
	return slices.Compact(codes)
}

// refusalResponse returns the name of the response with these codes and adds it to the document.
func refusalResponse(document *huma.OpenAPI, status int, codes []apperr.Code) string {
	name := strconv.Itoa(status)
	for _, code := range codes {
		name += "." + code.String()
	}
	narrowed := &huma.Schema{Type: huma.TypeObject, Properties: map[string]*huma.Schema{"code": codeSchema(codes)}}
	response := &huma.Response{
		Description: http.StatusText(status),
		Content: map[string]*huma.MediaType{JSONType: {Schema: &huma.Schema{
			AllOf: []*huma.Schema{{Ref: "#/components/schemas/ApiError"}, narrowed},
		}}},
	}
	if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
		response.Headers = map[string]*huma.Param{"Retry-After": {
			Description: "Seconds to wait, if known.", Schema: &huma.Schema{Type: huma.TypeInteger},
		}}
	}
	document.Components.Responses[name] = response
	return name
}

// File registers a call whose body or response isn't JSON of ours: the log, manifests, media,
// webhooks. The last wildcard may match the rest of the path ({path...}).
// Parameters are documented besides those in the path.
func (a *API) File(route Route, contentType string, handler http.Handler, parameters ...*huma.Param) {
	a.Raw(route, handler)
	a.describeRaw(route, contentType, parameters)
}

// describeRaw adds a call that huma doesn't serve to the document.
func (a *API) describeRaw(route Route, contentType string, parameters []*huma.Param) {
	op := route.operation()
	op.Path, op.Parameters = strings.ReplaceAll(route.Path, "...}", "}"), parameters
	for _, name := range wildcard.FindAllStringSubmatch(op.Path, -1) {
		op.Parameters = append(op.Parameters, &huma.Param{Name: name[1], In: "path", Required: true, Schema: &huma.Schema{Type: huma.TypeString}})
	}
	kind, _, _ := strings.Cut(contentType, ";")
	schema := &huma.Schema{Type: huma.TypeString}
	if kind == JSONType {
		schema = &huma.Schema{Type: huma.TypeObject}
	}
	op.Responses = map[string]*huma.Response{strconv.Itoa(http.StatusOK): {
		Description: "OK", Content: map[string]*huma.MediaType{kind: {Schema: schema}},
	}}
	if route.Method == http.MethodGet && !route.Stream {
		op.Responses[strconv.Itoa(http.StatusNotModified)] = &huma.Response{Description: "Unchanged since the ETag in If-None-Match"}
	}
	a.Huma.OpenAPI().AddOperation(&op)
}

var wildcard = regexp.MustCompile(`\{(\w+)\}`)

// OpenAPI returns the document as indented JSON. The output is deterministic.
func (a *API) OpenAPI() ([]byte, error) {
	text, err := json.MarshalIndent(a.Huma.OpenAPI(), "", "  ")
	// huma writes this name unprefixed, but OpenAPI only allows it as an extension.
	return bytes.ReplaceAll(text, []byte(`"patternDescription":`), []byte(`"x-pattern-description":`)), err
}

// JSONResponse describes the response of a route whose body is encoded by EncodeJSON rather than by
// huma.
func (a *API) JSONResponse(route Route, body reflect.Type, description string) map[string]*huma.Response {
	schema := a.Huma.OpenAPI().Components.Schemas.Schema(body, true, route.ID+"Answer")
	return map[string]*huma.Response{strconv.Itoa(http.StatusOK): {
		Description: description,
		Content:     map[string]*huma.MediaType{JSONType: {Schema: schema}},
	}}
}
