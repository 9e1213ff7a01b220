package tools

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	relativeLink = regexp.MustCompile(`\]\(([^)#:]*)(?:#([^)]*))?\)`)
	notInAnchor  = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	testRun      = regexp.MustCompile(`-run (\w+)`)
	namedTest    = regexp.MustCompile("`((?:Test|Benchmark|Fuzz)[A-Z]\\w*)`")
	patchedFile  = regexp.MustCompile(`(?m)^\+\+\+ b/(.*)$`)
	testFunc     = regexp.MustCompile(`(?m)^func ((?:Test|Benchmark|Fuzz)\w+)\(`)
)

// Common changes touch few files: Go files on the server, files other than texts in the web app.
func TestRecipesTouchFewFiles(t *testing.T) {
	for recipe, most := range map[string]int{
		"server/1-sort-order": 2, "server/2-item-field": 6, "server/3-route": 4, "server/4-schema": 0,
		"web/1-page": 3,
	} {
		files, patched := 0, patchedFile.FindAllStringSubmatch(read(t, "../docs/recipes/"+recipe+".patch"), -1)
		for _, file := range patched {
			isGo, isText := strings.HasSuffix(file[1], ".go"), strings.Contains(file[1], "/texts/")
			if isGo || strings.HasPrefix(recipe, "web/") && !isText {
				files++
			}
		}
		if len(patched) == 0 || files > most {
			t.Errorf("%s changes %d files, want at most %d", recipe, files, most)
		}
	}
}

// The index of decision records has every record, by its title.
func TestDecisionRecordsAreIndexed(t *testing.T) {
	index := read(t, "../docs/adr/README.md")
	records, err := filepath.Glob("../docs/adr/0*.md")
	if err != nil || len(records) < 10 {
		t.Fatal(records, err)
	}
	for _, path := range records {
		heading, _, _ := strings.Cut(read(t, path), "\n")
		_, title, _ := strings.Cut(heading, ". ")
		if name := filepath.Base(path); name != "0000-template.md" && !strings.Contains(index, "["+title+"]("+name+")") {
			t.Errorf("docs/adr/README.md doesn't list %q as %s", title, name)
		}
	}
}

// anchors returns the anchors of a document's headings.
func anchors(text string) map[string]bool {
	found := map[string]bool{}
	for line := range strings.Lines(text) {
		if heading, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " "); ok && strings.HasPrefix(line, "#") {
			anchor := notInAnchor.ReplaceAllString(strings.ToLower(strings.TrimSpace(heading)), "")
			found[strings.ReplaceAll(anchor, " ", "-")] = true
		}
	}
	return found
}

// Links between documents lead to files and headings, and the tests that documents name or run exist.
func TestDocsNameWhatExists(t *testing.T) {
	var tests []string
	eachSource(t, func(path string, text []byte) {
		if strings.HasSuffix(path, "_test.go") {
			for _, found := range testFunc.FindAllSubmatch(text, -1) {
				tests = append(tests, string(found[1]))
			}
		}
	})
	var docs []string
	for _, pattern := range []string{"../*.md", "../docs/*.md", "../docs/*/*.md", "../bench/*.md", "../deploy/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		docs = append(docs, found...)
	}
	if len(docs) < 10 || len(tests) < 100 {
		t.Fatalf("read %d documents and %d tests", len(docs), len(tests))
	}
	for _, path := range docs {
		text := read(t, path)
		for _, link := range relativeLink.FindAllStringSubmatch(text, -1) {
			target := path
			if link[1] != "" {
				target = filepath.Join(filepath.Dir(path), link[1])
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s links to %s: %v", path, link[1], err)
			} else if link[2] != "" && strings.HasSuffix(target, ".md") && !anchors(read(t, target))[link[2]] {
				t.Errorf("%s links to %s#%s, which is no heading", path, link[1], link[2])
			}
		}
		for _, run := range testRun.FindAllStringSubmatch(text, -1) {
			if !slices.ContainsFunc(tests, func(name string) bool { return strings.Contains(name, run[1]) }) {
				t.Errorf("%s runs the test %s, which doesn't exist", path, run[1])
			}
		}
		for _, name := range namedTest.FindAllStringSubmatch(text, -1) {
			if !slices.Contains(tests, name[1]) {
				t.Errorf("%s names the test %s, which doesn't exist", path, name[1])
			}
		}
	}
}
