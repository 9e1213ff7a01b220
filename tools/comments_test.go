package tools

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	identifier = regexp.MustCompile(`[A-Za-z_]\w*`)
	mixedCase  = regexp.MustCompile(`[a-z][A-Z]`)
	verbs      = regexp.MustCompile(`^(is|are|has|(accept|add|applie|build|call|change|check|compare|compute|contain|convert|copie|create|decide|decode|define|delete|describe|draw|encode|end|execute|expect|fail|fetche|fill|find|format|generate|handle|hold|implement|insert|keep|lock|make|map|move|open|parse|print|publishe|read|record|refuse|register|remove|replace|report|request|return|run|say|sell|send|serve|set|sign|simulate|start|stop|store|trust|update|verifie|wait|write)s)$`)
)

// determiners start sentences that don't name a declaration.
var determiners = []string{"A", "An", "Both", "Each", "Every", "The", "These"}

// TestDocCommentsNameTheirDeclaration finds comments that still start with the name that a
// declaration had before it was renamed.
func TestDocCommentsNameTheirDeclaration(t *testing.T) {
	var all []docComment
	eachSource(t, func(path string, text []byte) { all = append(all, docComments(t, path, text)...) })
	for _, wrong := range misnamed(all) {
		t.Error(wrong)
	}
}

// docComment is the start of the comment of a declaration or of a group.
type docComment struct {
	path          string
	names         []string
	first, second string
}

// misnamed describes the comments that start with another name: with a word in lower or mixed case,
// or with a word and a verb that follows names.
func misnamed(all []docComment) (wrong []string) {
	for _, c := range all {
		verb := verbs.MatchString(c.second)
		suspect := verb || mixedCase.MatchString(c.first) || c.first == strings.ToLower(c.first)
		if isTest(c.names[0]) { // its comment may start with what it tests
			suspect = !verb && mixedCase.MatchString(c.first)
		}
		if suspect && !slices.Contains(c.names, c.first) && !slices.Contains(determiners, c.first) {
			wrong = append(wrong, c.path+": the comment of "+strings.Join(c.names, ", ")+` starts with "`+c.first+" "+c.second+`"`)
		}
	}
	return wrong
}

func isTest(name string) bool {
	return regexp.MustCompile(`^(Test|Benchmark|Fuzz)[A-Z]`).MatchString(name)
}

// docComments returns the comments of a file's declarations.
func docComments(t *testing.T, path string, text []byte) (all []docComment) {
	t.Helper()
	add := func(doc *ast.CommentGroup, names ...string) {
		words := append(strings.Fields(doc.Text()), "", "")
		first := identifier.FindString(words[0])
		if first != "" && len(names) > 0 && strings.TrimRight(words[0], ",;:") == first {
			all = append(all, docComment{path, names, first, words[1]})
		}
	}
	for _, d := range parseWithComments(t, path, text).Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			add(d.Doc, d.Name.Name)
		case *ast.GenDecl:
			var group []string
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					add(s.Doc, s.Name.Name)
					group = append(group, s.Name.Name)
				case *ast.ValueSpec:
					names := make([]string, len(s.Names))
					for i, name := range s.Names {
						names[i] = name.Name
					}
					add(s.Doc, names...)
					group = append(group, names...)
				}
			}
			add(d.Doc, group...)
		}
	}
	return all
}

func TestMisnamedCommentsAreFound(t *testing.T) {
	for source, want := range map[string]int{
		"// b returns 1.\nfunc a() int { return 1 }":                                1,
		"// GetB returns 1.\nfunc a() int { return 1 }":                             1,
		"// Rate is the fee.\nconst Fee = 1":                                        1,
		"// Rate is the fee. Fees are rates.\nconst (\n\tFee = 1\n\tB = 2\n)":       1,
		"// Open pays, then counts.\nfunc Buy() {}":                                 0,
		"type A struct{}\n\n// get returns nil.\nfunc (A) Get() any { return nil }": 1,
		"// a returns 1.\nfunc a() int { return 1 }":                                0,
		"// B is 2.\nconst (\n\ta = 1\n\tB = 2\n)":                                  0,
		"// The kinds.\nconst (\n\ta = 1\n\tB = 2\n)":                               0,
		"// Limits of bids.\nconst a = 1":                                           0,
		"// NewA sets the name.\nfunc TestAName(t *testing.T) {}":                   0,
		"// NewA of the name.\nfunc TestAName(t *testing.T) {}":                     1,
	} {
		if got := misnamed(docComments(t, "a.go", []byte("package a\n\n"+source+"\n"))); len(got) != want {
			t.Errorf("%q: found %q, want %d", source, got, want)
		}
	}
}

func parseWithComments(t *testing.T, path string, text []byte) *ast.File {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

// otherNames are words with an inner capital that aren't identifiers of this program: names of
// products and of other libraries' functions.
var otherNames = []string{
	"DefaultDBConnect", "ExitCoder", "JavaScript", "MoonPay", "OpenCC", "ParamReactor", "ParamWrapper", "SchemaProvider", "SupportTeam",
	"TextValuer", "TileReader", "WebAssembly", "beLly", "encodeURIComponent", "fontTools", "gRPC", "inK", "liNe", "uiAmount",
}

// TestCommentsNameWhatExists finds comments that mention an identifier that no longer exists.
func TestCommentsNameWhatExists(t *testing.T) {
	exists := map[string]bool{}
	eachSource(t, func(path string, text []byte) {
		ast.Inspect(parse(t, path, text), func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.Ident:
				exists[node.Name] = true
			case *ast.BasicLit: // field names of JSON, names of functions in JavaScript
				for _, word := range identifier.FindAllString(node.Value, -1) {
					exists[word] = true
				}
			}
			return true
		})
	})
	eachSource(t, func(path string, text []byte) {
		for _, comment := range parseWithComments(t, path, text).Comments {
			for _, word := range identifier.FindAllString(comment.Text(), -1) {
				if mixedCase.MatchString(word) && !exists[word] && !slices.Contains(otherNames, word) {
					t.Errorf("%s: a comment names %s, which no code does", path, word)
				}
			}
		}
	})
}
