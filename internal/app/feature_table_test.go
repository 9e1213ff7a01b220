package app

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The table of features has exactly the Routes, Audit and Jobs functions that the packages declare.
func TestFeatureTableMatchesPackages(t *testing.T) {
	declared := map[string][]string{}
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		folder := filepath.ToSlash(strings.TrimPrefix(path, ".."+string(filepath.Separator)))
		// httpapi.API.Routes lists registered routes, and app's functions collect those of the
		// features. payments.go mounts the routes of the payment providers.
		if folder == "httpapi" || folder == "app" || strings.HasPrefix(folder, "deposits/") {
			return filepath.SkipDir
		}
		if parts := declaredParts(t, path); parts != nil {
			declared[folder] = parts
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range withoutState().features() {
		var parts []string
		for part, ok := range map[string]bool{"Routes": f.routes != nil, "Audit": f.audit != nil, "Jobs": f.jobs != nil} {
			if ok {
				parts = append(parts, part)
			}
		}
		slices.Sort(parts)
		if !slices.Equal(parts, declared[f.folder]) {
			t.Errorf("%s: the table has %v, the folder %v", f.folder, parts, declared[f.folder])
		}
		if (f.audit == nil) != (f.auditName == "") {
			t.Errorf("%s: an audit and its auditName go together, but only one is set", f.folder)
		}
		delete(declared, f.folder)
	}
	for folder, parts := range declared {
		t.Errorf("%s has %v and is not in the table (internal/app/features.go)", folder, parts)
	}
}

// declaredParts lists the parts of a feature that a package declares.
func declaredParts(t *testing.T, folder string) (parts []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, declared := range file.Decls {
			if f, ok := declared.(*ast.FuncDecl); ok && slices.Contains([]string{"Routes", "Audit", "Jobs"}, f.Name.Name) {
				parts = append(parts, f.Name.Name)
			}
		}
	}
	slices.Sort(parts)
	return parts
}
