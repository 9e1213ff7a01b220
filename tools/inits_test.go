package tools

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"
)

// TestConditionsHideNoWork: before its condition an if or switch may declare what it
// is about, and nothing else: whoever skims the conditions misses no change.
func TestConditionsHideNoWork(t *testing.T) {
	eachSource(t, func(path string, text []byte) {
		for _, found := range hiddenWork(t, path, text) {
			t.Errorf("%s: changes something on its way to a condition; write that on a line of its own", found)
		}
	})
}

// hiddenWork gives the places of ifs and switches that begin with more than a
// declaration.
func hiddenWork(t *testing.T, path string, text []byte) (found []string) {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(node ast.Node) bool {
		var init ast.Stmt
		switch node := node.(type) {
		case *ast.IfStmt:
			init = node.Init
		case *ast.SwitchStmt:
			init = node.Init
		case *ast.TypeSwitchStmt:
			init = node.Init
		}
		if declared, ok := init.(*ast.AssignStmt); init != nil && (!ok || declared.Tok != token.DEFINE) {
			found = append(found, files.Position(init.Pos()).String())
		}
		return true
	})
	return found
}

func TestHiddenWorkIsRecognised(t *testing.T) {
	for body, want := range map[string]int{
		`if a, err = f(); err != nil {}`:                     1,
		`if a.b += 1; a.b > 2 {}`:                            1,
		`if n++; n > 2 {}`:                                   1,
		`if f(); ok {}`:                                      1,
		`if a { } else if err = f(); err != nil {}`:          1,
		`switch a = f(); a {}`:                               1,
		`switch a = f(); a.(type) {}`:                        1,
		`if err := f(); err != nil {}`:                       0,
		`a, err = f(); if err != nil {}`:                     0,
		`switch a := f(); { case a > 1: }`:                   0,
		`for a = 1; a < 2; a++ { if b, ok := m[a]; ok { } }`: 0,
	} {
		if found := hiddenWork(t, "a.go", []byte("package a\n\nfunc a() {\n"+body+"\n}\n")); len(found) != want {
			t.Errorf("%s: %q, want %d", body, found, want)
		}
	}
}
