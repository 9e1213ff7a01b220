package tools

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// statement matches what only SQL says.
var statement = regexp.MustCompile(
	`(?s)\bSELECT\b.+\bFROM\b|\bINSERT INTO\b|\bUPDATE\s+\w+\s+SET\b|\bDELETE FROM\b|\b(CREATE|ALTER|DROP) (TABLE|INDEX)\b`)

// TestSQLStandsOnlyInItsPlace: queries live in a feature's sql.go, migrations and db.
func TestSQLStandsOnlyInItsPlace(t *testing.T) {
	const module = ".."
	err := filepath.WalkDir(module, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			return skip(module, path)
		case filepath.Ext(path) != ".go", entry.Name() == "sql.go", strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, found := range statements(t, path, text) {
			t.Errorf("%s: SQL outside of sql.go", found)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// skip leaves out folders where SQL belongs or that hold no source of ours.
func skip(module, path string) error {
	switch filepath.ToSlash(strings.TrimPrefix(path, module)) {
	case "/internal/db", "/web", "/.git", "/tools", "/bench":
		return filepath.SkipDir
	}
	return nil
}

// statements gives the places of string literals in a Go file that hold SQL.
func statements(t *testing.T, path string, text []byte) []string {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	ast.Inspect(file, func(node ast.Node) bool {
		if literal, ok := node.(*ast.BasicLit); ok && literal.Kind == token.STRING && statement.MatchString(literal.Value) {
			found = append(found, files.Position(literal.Pos()).String())
		}
		return true
	})
	return found
}

func TestStatementsAreRecognised(t *testing.T) {
	for text, want := range map[string]int{
		"`SELECT a\n FROM b`":                  1,
		"`INSERT INTO a VALUES ($1)`":          1,
		"`UPDATE a SET b = 1`":                 1,
		"`DELETE FROM a`":                      1,
		`"CREATE TABLE a (b TEXT)"`:            1,
		`"Select a pack from the list."`:       0,
		`"UPDATE your browser to SET a theme"`: 0,
	} {
		source := "package a\n\nvar _ = " + text + "\n"
		if got := statements(t, "a.go", []byte(source)); len(got) != want {
			t.Errorf("%s: %d found, want %d", text, len(got), want)
		}
	}
}
