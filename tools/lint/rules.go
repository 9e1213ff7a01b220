package main

import (
	"go/ast"
	"regexp"
	"slices"
	"strings"

	forbid "github.com/ashanbrown/forbidigo/v2/forbidigo"
	"golang.org/x/tools/go/analysis"
)

// forbidden is what only some may call.
type forbidden struct {
	calls   string // pattern of forbidigo
	why     string
	allowed []string // folders that may
	inTests bool     // whether any test may
}

// Time and randomness come from these places and are given to all others.
var givers = []string{"cmd", "internal/app", "internal/db", "internal/loadgen", "bench"}

// A test may set a deadline and make a key; it may never sleep.
var rules = []forbidden{
	{`{p: '^time\.(Now|Since|Until)$', pkg: '^time$'}`, "real-clock", givers, true},
	{`{p: '^time\.(Sleep|Tick)$', pkg: '^time$'}`, "wait-without-end", nil, false},
	{`{p: '^time\.After$', pkg: '^time$'}`, "wait-without-end", nil, true}, // a timer in a select can be cancelled
	{`{p: '^rand\.', pkg: '^crypto/rand$'}`, "real-randomness", givers, true},
	{`{p: '^rand\.((Exp|Float|Int|Norm|Perm|Shuffle|Uint)\w*|N)$', pkg: '^math/rand/v2$'}`, "real-randomness", givers, true},
	{`{p: '^(fmt\.Print(|f|ln)|print|println)$'}`, "print-to-terminal", []string{"cmd", "bench"}, false},
}

var forbidigo = &analysis.Analyzer{
	Name: "forbidigo",
	Doc:  "calls that only some places may make",
	Run: func(pass *analysis.Pass) (any, error) {
		for _, file := range pass.Files {
			if err := look(pass, file); err != nil {
				return nil, err
			}
		}
		return nil, nil
	},
}

func look(pass *analysis.Pass, file *ast.File) error {
	for _, rule := range rules {
		if rule.allows(pass.Fset.File(file.FileStart).Name(), pass.Pkg.Path()) {
			continue
		}
		linter, err := forbid.NewLinter([]string{rule.calls}, forbid.OptionAnalyzeTypes(true), forbid.OptionIgnorePermitDirectives(true))
		if err != nil {
			return err
		}
		found, err := linter.RunWithConfig(forbid.RunConfig{Fset: pass.Fset, TypesInfo: pass.TypesInfo}, file)
		if err != nil {
			return err
		}
		for _, issue := range found {
			pass.Reportf(issue.Pos(), "%s: %s", rule.why, issue.Details())
		}
	}
	return nil
}

func (f forbidden) allows(file, pkg string) bool {
	return f.inTests && strings.HasSuffix(file, "_test.go") || slices.ContainsFunc(f.allowed, func(folder string) bool {
		return pkg == "kaibao/"+folder || pkg == "kaibao/"+folder+"_test" || strings.HasPrefix(pkg, "kaibao/"+folder+"/")
	})
}

// excuses are findings that are none.
var excuses = []struct{ analyzer, file, message *regexp.Regexp }{
	// A helper may take what only one caller varies today.
	{regexp.MustCompile(`^unparam$`), regexp.MustCompile(``), regexp.MustCompile(`always receives|is always nil`)},
	// The writer keeps its prepared statements for the connection's life; who walks
	// through their rows asks for the error.
	{regexp.MustCompile(`^(sqlclosecheck|rowserrcheck)$`), regexp.MustCompile(`/internal/db/sqlite_statements\.go$`), regexp.MustCompile(``)},
	// These names are names of schemas in the HTTP contract.
	{regexp.MustCompile(`^revive$`), regexp.MustCompile(`/internal/(admin|limits)/`), regexp.MustCompile(`AdminActView|LimitsView`)},
	// Of a file with C beside it, what is looked at was made by cgo.
	{regexp.MustCompile(`^(goimports|revive)$`), regexp.MustCompile(`/internal/db/vfs/vfs\.go$|/_cgo_\w+\.go$`), regexp.MustCompile(``)},
}

// excuse keeps an analyser from saying what is excused, and puts its name to the rest.
func excuse(a *analysis.Analyzer) {
	run := a.Run
	a.Run = func(pass *analysis.Pass) (any, error) {
		all := pass.Report
		pass.Report = func(found analysis.Diagnostic) {
			file := pass.Fset.Position(found.Pos).Filename
			for _, e := range excuses {
				if e.analyzer.MatchString(a.Name) && e.file.MatchString(file) && e.message.MatchString(found.Message) {
					return
				}
			}
			found.Message = a.Name + ": " + found.Message
			all(found)
		}
		return run(pass)
	}
}
