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

// statement matches SQL statements.
var statement = regexp.MustCompile(
	`(?s)\bSELECT\b.+\bFROM\b|\bINSERT INTO\b|\bUPDATE\s+\w+\s+SET\b|\bDELETE FROM\b|\b(CREATE|ALTER|DROP) (TABLE|INDEX)\b`)

// TestSQLOnlyInSQLFiles checks that SQL is only in a feature's sql.go, in migrations and in db.
func TestSQLOnlyInSQLFiles(t *testing.T) {
	eachSource(t, func(path string, text []byte) {
		if strings.HasPrefix(path, "../internal/db/") || strings.HasPrefix(path, "../bench/") || filepath.Base(path) == "sql.go" || strings.HasSuffix(path, "_test.go") {
			return
		}
		for _, found := range statements(t, path, text) {
			t.Errorf("%s: SQL outside of sql.go", found)
		}
	})
}

// silencer matches comments that disable linters.
var silencer = regexp.MustCompile(`//\s*(nolint|lint:|revive:)`)

// TestNoLinterIsDisabled checks that no code disables a linter: exceptions belong in the rule
// itself.
func TestNoLinterIsDisabled(t *testing.T) {
	eachSource(t, func(path string, text []byte) {
		if found := silencer.Find(text); found != nil {
			t.Errorf("%s disables a linter: %s", path, found)
		}
	})
}

// eachSource calls visit for the product's Go files.
func eachSource(t *testing.T, visit func(path string, text []byte)) {
	t.Helper()
	for _, root := range []string{"../cmd", "../internal", "../bench"} {
		err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".go" {
				return err
			}
			text, err := os.ReadFile(path)
			if err == nil {
				visit(filepath.ToSlash(path), text)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// statements returns the positions of string literals that contain SQL.
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

func TestStatementsAreFound(t *testing.T) {
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
