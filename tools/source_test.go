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
	eachSource(t, func(path string, text []byte) {
		if strings.HasPrefix(path, "../internal/db/") || strings.HasPrefix(path, "../bench/") || filepath.Base(path) == "sql.go" || strings.HasSuffix(path, "_test.go") {
			return
		}
		for _, found := range statements(t, path, text) {
			t.Errorf("%s: SQL outside of sql.go", found)
		}
	})
}

// silencer matches the comments by which linters are told to look away.
var silencer = regexp.MustCompile(`//\s*(nolint|lint:|revive:)`)

// TestNoRuleIsSilenced: a rule that needs an exception is changed for all.
func TestNoRuleIsSilenced(t *testing.T) {
	eachSource(t, func(path string, text []byte) {
		if found := silencer.Find(text); found != nil {
			t.Errorf("%s silences a linter: %s", path, found)
		}
	})
}

// eachSource visits the Go files of the product.
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
