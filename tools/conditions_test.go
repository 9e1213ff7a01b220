package tools

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"
)

// An if or switch statement may start with a declaration, but not with other statements, so that no
// change is hidden in a condition.
func TestConditionsHideNoWork(t *testing.T) {
	eachSource(t, func(path string, text []byte) {
		for _, found := range hiddenWork(t, path, text) {
			t.Errorf("%s: a statement is hidden in a condition; write it on its own line", found)
		}
	})
}

// hiddenWork returns the positions of if and switch statements that start with anything but a
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

func TestHiddenWorkIsFound(t *testing.T) {
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
