package tools

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestStatesAreNamed: what an entry can be, and where from, is written as a word in
// collection alone; everybody else has its constants.
func TestStatesAreNamed(t *testing.T) {
	entry := parse(t, "../internal/collection/entry.go", []byte(read(t, "../internal/collection/entry.go")))
	states := constants(entry, "State", "Source")
	if !slices.Contains(states, "held") || !slices.Contains(states, "pack") {
		t.Fatalf("collection/entry.go has the states and sources %q", states)
	}
	eachSource(t, func(path string, text []byte) {
		if path == "../internal/collection/entry.go" || strings.HasSuffix(path, "_test.go") {
			return
		}
		for _, found := range bareStates(parse(t, path, text), states) {
			t.Errorf("%s: %s, which is one of collection's constants", path, found)
		}
	})
}

// constants are the texts of a file's constants of some types.
func constants(file *ast.File, types ...string) (values []string) {
	ast.Inspect(file, func(node ast.Node) bool {
		if spec, ok := node.(*ast.ValueSpec); ok {
			if of, ok := spec.Type.(*ast.Ident); ok && slices.Contains(types, of.Name) {
				for _, value := range spec.Values {
					values = append(values, text(value))
				}
			}
		}
		return true
	})
	return values
}

// quoted is a word as SQL quotes it.
var quoted = regexp.MustCompile(`'([a-z-]+)'`)

// bareStates finds states in any SQL, and in the Go code of who knows entries.
func bareStates(file *ast.File, states []string) (found []string) {
	known := file.Name.Name == "collection" || slices.ContainsFunc(file.Imports, func(spec *ast.ImportSpec) bool {
		return spec.Path.Value == `"kaibao/internal/collection"`
	})
	ast.Inspect(file, func(node ast.Node) bool {
		literal, ok := node.(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			return true
		}
		if known && slices.Contains(states, text(literal)) {
			found = append(found, text(literal))
		}
		for _, word := range quoted.FindAllStringSubmatch(text(literal), -1) {
			if slices.Contains(states, word[1]) {
				found = append(found, word[0])
			}
		}
		return true
	})
	return found
}

func TestBareStatesAreRecognised(t *testing.T) {
	const knows = `import "kaibao/internal/collection"; `
	for source, want := range map[string]int{
		"const a = `SELECT a FROM b WHERE state = 'held'`":   1,
		`const a = "acquired_from IN ('pack', 'market')"`:    2,
		knows + `var a = e.State == "held"`:                  1,
		knows + `var a = Entry{State: "held", From: "pack"}`: 2,
		knows + `var a = collection.State("held")`:           1,
		knows + `var a = e.State == collection.Held`:         0,
		knows + "type a struct { b int `json:\"held\"` }":    0,
		`var a = Pack{Kind: "pack"}`:                         0,
		`var a = "it's held, 'other' too"`:                   0,
	} {
		found := bareStates(parse(t, "a.go", []byte("package a\n"+source+"\n")), []string{"held", "pack", "market"})
		if len(found) != want {
			t.Errorf("%s: %q, want %d", source, found, want)
		}
	}
}
