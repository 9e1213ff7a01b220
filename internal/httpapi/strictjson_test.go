package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"kaibao/internal/httpapi"
	"kaibao/internal/httpapi/httpapitest"
)

// order is a body with a field of each kind.
type order struct {
	Body struct {
		Name   string             `json:"name"`
		Count  int64              `json:"count,omitempty" minimum:"1" maximum:"9"`
		Thing  httpapi.ID         `json:"thing,omitempty"`
		Share  float64            `json:"share,omitempty"`
		Shares map[string]float64 `json:"shares,omitempty"`
		Lines  []struct {
			Price *int64 `json:"price,omitempty"`
		} `json:"lines,omitempty"`
	}
}

type strictOrder struct {
	Body struct {
		Name  string          `json:"name"`
		Extra httpapi.Ignored `json:"extra,omitempty"`
		Inner struct {
			Name string `json:"name,omitempty"`
		} `json:"inner,omitempty"`
	}
}

// newOrderServer registers a call that echoes the fields it read, and a strict one.
func newOrderServer(t testing.TB) *httpapitest.Server {
	e := httpapitest.New(t, "https://kaibao.example")
	httpapi.JSON(e.API, httpapi.Post(httpapi.Public, "/api/order", "order", "Order"),
		func(_ context.Context, in *order) (any, error) { return in.Body, nil })
	strict := httpapi.Post(httpapi.Session, "/api/strict", "strict", "Strict")
	strict.Strict = true
	httpapi.JSON(e.API, strict, func(context.Context, *strictOrder) (string, error) { panic("a refused call was executed") })
	return e
}

func TestStrictJSONRefusesInexactAndDuplicateNames(t *testing.T) {
	e := newOrderServer(t)
	deep := func(n int) string { return strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n) }
	for name, c := range map[string]struct {
		body   string
		status int
		field  string
	}{
		"a name twice":                      {`{"name":"a","name":"a"}`, 422, "name"},
		"an unknown name twice":             {`{"name":"a","new":1,"new":2}`, 422, "new"},
		"twice within an unknown field":     {`{"name":"a","new":[{"b":1,"b":2}]}`, 422, "new[0].b"},
		"twice within a map":                {`{"name":"a","shares":{"x":1,"x":2}}`, 422, "shares.x"},
		"twice within a list":               {`{"name":"a","lines":[{},{"price":1,"price":2}]}`, 422, "lines[1].price"},
		"twice, once as an escape":          {`{"name":"a","n\u0061me":"b"}`, 422, "name"},
		"capitals":                          {`{"NAME":"a"}`, 422, "NAME"},
		"capitals beside the name":          {`{"name":"a","Name":"b"}`, 422, "Name"},
		"capitals before the name":          {`{"Name":"b","name":"a"}`, 422, "Name"},
		"capitals within a list":            {`{"name":"a","lines":[{"Price":1}]}`, 422, "lines[0].Price"},
		"a letter that folds to an s":       {`{"name":"a","ſhare":1}`, 422, "ſhare"},
		"capitals as an escape":             {`{"\u004eame":"a"}`, 422, "Name"},
		"half a surrogate pair":             {`{"name":"\ud800"}`, 422, "name"},
		"half a pair in an unknown field":   {`{"name":"a","new":"\udc00x"}`, 422, "new"},
		"half a surrogate pair as a name":   {`{"name":"a","\ud800":1}`, 422, ""},
		"a number that overflows":           {`{"name":"a","count":1e400}`, 422, "count"},
		"an overflow within a list":         {`{"name":"a","lines":[{"price":-1e999}]}`, 422, "lines[0].price"},
		"an object for a number":            {`{"name":"a","count":{"a":1}}`, 422, "count"},
		"a list for a number":               {`{"name":"a","count":[1]}`, 422, "count"},
		"an object for a list":              {`{"name":"a","lines":{"price":1}}`, 422, "lines"},
		"a list for an object":              {`{"name":"a","lines":[[1]]}`, 422, "lines[0]"},
		"an id of other characters":         {`{"name":"a","thing":"a b"}`, 422, "thing"},
		"an empty id":                       {`{"name":"a","thing":""}`, 422, "thing"},
		"an id with NUL":                    {`{"name":"a","thing":"\u0000"}`, 422, "thing"},
		"an id that is too long":            {`{"name":"a","thing":"` + strings.Repeat("a", 65) + `"}`, 422, "thing"},
		"a negative id":                     {`{"name":"a","thing":-1}`, 422, "thing"},
		"an id with a fraction":             {`{"name":"a","thing":1.5}`, 422, "thing"},
		"an id that overflows":              {`{"name":"a","thing":1e300}`, 422, "thing"},
		"an unknown field that is deep":     {`{"name":"a","new":` + deep(31) + `}`, 200, ""},
		"an unknown field that is too deep": {`{"name":"a","new":` + deep(32) + `}`, 400, ""},
		"a list that is too deep":           {strings.Repeat("[", 5000), 400, ""},
		"two bodies":                        {`{"name":"a"}{"name":"b"}`, 400, ""},
		"an end that is missing":            {`{"name":"a"`, 400, ""},
		"a number as a name":                {`{1:2}`, 400, ""},
		"invalid UTF-8":                     {"{\"name\":\"\xff\"}", 400, ""},
		"nothing but space":                 {"  ", 400, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := e.Call("POST", "/api/order", c.body)
			if c.status == 200 {
				if w.Code != 200 {
					t.Errorf("status %d: %s", w.Code, w.Body)
				}
				return
			}
			r := httpapitest.Refused(t, w, c.status, map[int]string{400: "malformed", 422: "invalid"}[c.status])
			if c.field != "" && (len(r.Fields) != 1 || r.Fields[c.field] == "") {
				t.Errorf("refused for %v, want %q", r.Fields, c.field)
			}
		})
	}
}

func TestStrictJSONKeepsKnownFields(t *testing.T) {
	e := newOrderServer(t)
	for body, want := range map[string]string{
		`{ "name" : "a\n\"b\u00e9\ud83d\ude00" , "x":[1,{"name":2}], "shares":{"A":1,"a":2.5}, "lines":[{"price":7,"x":0},{}] }`: `{"name":"a\n\"bé😀","shares":{"A":1,"a":2.5},"lines":[{"price":7},{}]}`,
		`{"name":"","count":9.0}`:         `{"name":"","count":9}`,
		`{"name":"","count":0.9e1}`:       `{"name":"","count":9}`,
		`{"name":"","share":1e2}`:         `{"name":"","share":100}`,
		`{"name":"","thing":7}`:           `{"name":"","thing":"7"}`,
		`{"name":"","thing":1e2}`:         `{"name":"","thing":"100"}`,
		`{"name":"","thing":"pkm-001"}`:   `{"name":"","thing":"pkm-001"}`,
		`{"n\u0061me":"escaped"}`:         `{"name":"escaped"}`,
		`{"name":"","lines":[],"new":[]}`: `{"name":""}`,
	} {
		w := e.Call("POST", "/api/order", body)
		if got := strings.TrimSpace(w.Body.String()); w.Code != 200 || got != want {
			t.Errorf("%s: status %d, parsed as %s, want %s", body, w.Code, got, want)
		}
	}
}

// A strict route refuses unknown fields, except those that clients of the beta send, which it declares.
func TestStrictRoutesRefuseUnknownFields(t *testing.T) {
	e := newOrderServer(t)
	session := []string{"Cookie", "__Host-kaibao_session=user"}
	for body, field := range map[string]string{
		`{"name":"a","new":1}`:               "new",
		`{"name":"a","inner":{"new":null}}`:  "inner.new",
		`{"name":"a","Extra":1}`:             "Extra",
		`{"name":"a","extra":{"b":1,"b":1}}`: "extra.b",
		`{"extra":[1,{"name":"a"}]}`:         "name", // extra is allowed, but name is missing
	} {
		r := httpapitest.Refused(t, e.Call("POST", "/api/strict", body, session...), 422, "invalid")
		if len(r.Fields) != 1 || r.Fields[field] == "" {
			t.Errorf("%s: refused for %v, want %q", body, r.Fields, field)
		}
	}
	document, err := e.OpenAPI()
	if err != nil {
		t.Fatal(err)
	}
	var contract struct {
		Components struct {
			Schemas map[string]struct{ AdditionalProperties bool }
		}
	}
	if err := json.Unmarshal(document, &contract); err != nil {
		t.Fatal(err)
	}
	if s := contract.Components.Schemas; s["StrictOrderBody"].AdditionalProperties || !s["OrderBody"].AdditionalProperties {
		t.Errorf("the document's schemas are %v", s)
	}
}

func TestMalformedPathIDsAreNotFound(t *testing.T) {
	e := httpapitest.New(t, "https://kaibao.example")
	httpapi.JSON(e.API, httpapi.Get(httpapi.Public, "/api/things/{id}", "thing", "Thing"),
		func(_ context.Context, in *struct {
			ID httpapi.PathID `path:"id"`
		}) (string, error) {
			return string(in.ID), nil
		})
	for _, id := range []string{"1", "demo-pack-1", "01234567-89ab-7def-8123-456789abcdef", strings.Repeat("a", 64)} {
		if w := e.Call("GET", "/api/things/"+id, ""); w.Code != 200 || strings.TrimSpace(w.Body.String()) != `"`+id+`"` {
			t.Errorf("%s: %d %s", id, w.Code, w.Body)
		}
	}
	for _, id := range []string{"%00", "%ff", "%20", "A", "a.b", "a%2fb", "a%0a", "%ed%a0%80", "1_000", strings.Repeat("a", 65), fmt.Sprint(-1.5)} {
		httpapitest.Refused(t, e.Call("GET", "/api/things/"+id, ""), 404, "not_found")
	}
}

// Every body is either refused or read as encoding/json reads it.
func FuzzBodies(f *testing.F) {
	for _, seed := range []string{
		`{"name":"a","count":1,"lines":[{"price":1}],"new":{"a":[1,2,{}]}}`, `{"name":"a","Name":"b"}`, `{"name":"\ud800"}`, `[[[`, `{"name":"a"}}`,
		`{"thing":1e2,"name":"","shares":{"":0}}`, `{"name":null}`, "\xef\xbb\xbf{}", `{"a":{"b":{"b":1,"b":1}}}`, ``,
	} {
		f.Add(seed)
	}
	e := newOrderServer(f)
	f.Fuzz(func(t *testing.T, body string) {
		w := e.Call("POST", "/api/order", body)
		if w.Code == 400 || w.Code == 413 || w.Code == 422 {
			return
		}
		var sent, parsed map[string]any
		if err := json.Unmarshal([]byte(body), &sent); err != nil || w.Code != 200 {
			t.Fatalf("%q: %d %s, %v", body, w.Code, w.Body, err)
		}
		if err := json.Unmarshal(w.Body.Bytes(), &parsed); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"name", "count", "share"} {
			if was, is := sent[name], parsed[name]; was != is && !(is == nil && was == 0.0) {
				t.Errorf("%q: %s is %v, parsed as %v", body, name, was, is)
			}
		}
	})
}
