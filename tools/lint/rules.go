package main

import (
	"go/ast"
	"regexp"
	"slices"
	"strings"

	forbid "github.com/ashanbrown/forbidigo/v2/forbidigo"
	"golang.org/x/tools/go/analysis"
)

// forbidden are calls that only some packages may make.
type forbidden struct {
	calls   string // pattern of forbidigo
	why     string
	allowed []string // folders that may make them
	inTests bool     // whether all tests may
}

// Time and randomness come from these packages; others get them as parameters.
var givers = []string{"cmd", "internal/app", "internal/db", "internal/loadgen", "bench"}

// Tests may set deadlines and generate keys, but never sleep.
var rules = []forbidden{
	{`{p: '^time\.(Now|Since|Until)$', pkg: '^time$'}`, "real-clock", givers, true},
	{`{p: '^time\.(Sleep|Tick)$', pkg: '^time$'}`, "wait-without-end", nil, false},
	{`{p: '^time\.After$', pkg: '^time$'}`, "wait-without-end", nil, true}, // a timer can be stopped
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

// excuses are findings to ignore.
var excuses = []struct{ analyzer, file, message *regexp.Regexp }{
	// A helper may have a parameter that all current callers set to the same value.
	{regexp.MustCompile(`^unparam$`), regexp.MustCompile(``), regexp.MustCompile(`always receives|is always nil`)},
	// The writer keeps prepared statements for the lifetime of the connection, and the code that
	// iterates over their rows checks the error.
	{regexp.MustCompile(`^(sqlclosecheck|rowserrcheck)$`), regexp.MustCompile(`/internal/db/sqlite/conn\.go$`), regexp.MustCompile(``)},
	// These names are schemas of the HTTP API.
	{regexp.MustCompile(`^revive$`), regexp.MustCompile(`/internal/(admin|limits)/`), regexp.MustCompile(`AdminActView|LimitsView`)},
}

// excuse drops an analyzer's excused findings and prefixes the others with its name.
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
