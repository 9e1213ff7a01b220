package tools

import (
	"go/ast"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestStatesAreNamed checks that the states and sources of entries are string literals only in
// package inventory. Other packages must use its constants.
func TestStatesAreNamed(t *testing.T) {
	entry := parse(t, "../internal/inventory/entry.go", []byte(read(t, "../internal/inventory/entry.go")))
	states, sources := constants(entry, "State"), constants(entry, "Source")
	if !slices.Contains(states, "held") || !slices.Contains(sources, "pack") {
		t.Fatalf("inventory/entry.go has the states %q and the sources %q", states, sources)
	}
	eachSource(t, func(path string, text []byte) {
		if path == "../internal/inventory/entry.go" || strings.HasSuffix(path, "_test.go") {
			return
		}
		for _, found := range bareStates(parse(t, path, text), states, sources) {
			t.Errorf("%s: %s, use the constant of package inventory", path, found)
		}
	})
}

// constants returns the values of a file's constants of a type.
func constants(file *ast.File, name string) (values []string) {
	ast.Inspect(file, func(node ast.Node) bool {
		if spec, ok := node.(*ast.ValueSpec); ok {
			if of, ok := spec.Type.(*ast.Ident); ok && of.Name == name {
				for _, value := range spec.Values {
					values = append(values, text(value))
				}
			}
		}
		return true
	})
	return values
}

// quoted matches a word in SQL quotes.
var quoted = regexp.MustCompile(`'([a-z-]+)'`)

// bareStates finds states and sources in any SQL, and in Go files that import inventory: all
// states, and sources only next to a field that holds one, since packs and market use the same
// words.
func bareStates(file *ast.File, states, sources []string) (found []string) {
	known := file.Name.Name == "inventory" || slices.ContainsFunc(file.Imports, func(spec *ast.ImportSpec) bool {
		return spec.Path.Value == `"kaibao/internal/inventory"`
	})
	beside := func(fields []ast.Expr, values ...ast.Expr) {
		if !slices.ContainsFunc(fields, isSource) {
			return
		}
		for _, value := range values {
			if slices.Contains(sources, text(value)) {
				found = append(found, text(value))
			}
		}
	}
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.BasicLit:
			if known && slices.Contains(states, text(node)) {
				found = append(found, text(node))
			}
			for _, word := range quoted.FindAllStringSubmatch(text(node), -1) {
				if slices.Contains(states, word[1]) || slices.Contains(sources, word[1]) {
					found = append(found, word[0])
				}
			}
		case *ast.BinaryExpr:
			beside([]ast.Expr{node.X}, node.Y)
		case *ast.KeyValueExpr:
			beside([]ast.Expr{node.Key}, node.Value)
		case *ast.AssignStmt:
			beside(node.Lhs, node.Rhs...)
		case *ast.CallExpr:
			beside([]ast.Expr{node.Fun}, node.Args...)
		}
		return true
	})
	return found
}

// isSource reports whether an expression is a field that holds a source, or the type.
func isSource(named ast.Expr) bool {
	switch named := named.(type) {
	case *ast.SelectorExpr:
		return isSource(named.Sel)
	case *ast.Ident:
		return named.Name == "AcquiredFrom" || named.Name == "Source"
	}
	return false
}

func TestBareStatesAreFound(t *testing.T) {
	const knows = `import "kaibao/internal/inventory"; `
	for source, want := range map[string]int{
		"const a = `SELECT a FROM b WHERE state = 'held'`":           1,
		`const a = "acquired_from IN ('pack', 'market')"`:            2,
		knows + `var a = e.State == "held"`:                          1,
		knows + `var a = Entry{State: "held", AcquiredFrom: "pack"}`: 2,
		knows + `var a = e.AcquiredFrom != "pack"`:                   1,
		knows + `func a() { b, e.AcquiredFrom = 1, "market" }`:       1,
		knows + `var a = inventory.Source("market")`:                 1,
		knows + `var a = feature{"market", market.Audit}`:            0,
		knows + `var a = inventory.State("held")`:                    1,
		knows + `var a = e.State == inventory.Held`:                  0,
		knows + "type a struct { b int `json:\"held\"` }":            0,
		`var a = Pack{Kind: "pack"}`:                                 0,
		`var a = "it's held, 'other' too"`:                           0,
	} {
		found := bareStates(parse(t, "a.go", []byte("package a\n"+source+"\n")), []string{"held"}, []string{"pack", "market"})
		if len(found) != want {
			t.Errorf("%s: %q, want %d", source, found, want)
		}
	}
}
