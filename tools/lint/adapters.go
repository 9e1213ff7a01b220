package main

import (
	"bytes"
	"go/token"
	"os"

	critic "github.com/go-critic/go-critic/checkers/analyzer"
	spelling "github.com/golangci/misspell"
	conversions "github.com/golangci/unconvert"
	"github.com/mgechev/revive/lint"
	"github.com/mgechev/revive/rule"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/buildssa"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/imports"
	use "honnef.co/go/tools/unused"
	"mvdan.cc/unparam/check"
)

// gocritic runs its diagnostic checks except the pattern-based ones: loading those takes longer
// than all other checks together.
var gocritic = func() *analysis.Analyzer {
	a := critic.Analyzer
	a.Name = "gocritic"
	with(a, "enable", "#diagnostic,nestingReduce")
	return with(a, "disable", "appendAssign,sloppyReassign")
}()

// unused analyzes a package together with its tests, as go vet passes them.
var unused = &analysis.Analyzer{
	Name:     "unused",
	Doc:      "constants, variables, functions and types that nobody uses",
	Requires: []*analysis.Analyzer{use.Analyzer.Analyzer},
	Run: func(pass *analysis.Pass) (any, error) {
		for _, found := range pass.ResultOf[use.Analyzer.Analyzer].(use.Result).Unused {
			if found.Kind != "type param" {
				report(pass, found.Position, found.Kind+" "+found.Name+" is unused")
			}
		}
		return nil, nil
	},
}

var unconvert = &analysis.Analyzer{
	Name: "unconvert",
	Doc:  "conversions that change nothing",
	Run: func(pass *analysis.Pass) (any, error) {
		for _, at := range conversions.Run(pass) {
			report(pass, at, "unnecessary conversion")
		}
		return nil, nil
	},
}

var unparam = &analysis.Analyzer{
	Name:     "unparam",
	Doc:      "parameters and results without a use",
	Requires: []*analysis.Analyzer{buildssa.Analyzer},
	Run: func(pass *analysis.Pass) (any, error) {
		var checker check.Checker
		checker.Packages([]*packages.Package{{
			Fset: pass.Fset, Syntax: pass.Files, Types: pass.Pkg, TypesInfo: pass.TypesInfo,
		}})
		checker.ProgramSSA(pass.ResultOf[buildssa.Analyzer].(*buildssa.SSA).Pkg.Prog)
		found, err := checker.Check()
		for _, issue := range found {
			pass.Reportf(issue.Pos(), "%s", issue.Message())
		}
		return nil, err
	},
}

var misspell = &analysis.Analyzer{
	Name: "misspell",
	Doc:  "English words that are often misspelled",
	Run: func(pass *analysis.Pass) (any, error) {
		words := spelling.New()
		for _, file := range pass.Files {
			at := pass.Fset.File(file.FileStart)
			text, err := pass.ReadFile(at.Name())
			if err != nil {
				return nil, err
			}
			_, found := words.Replace(string(text))
			for _, word := range found {
				pass.Reportf(at.LineStart(word.Line)+token.Pos(word.Column), "%q is a misspelling of %q", word.Original, word.Corrected)
			}
		}
		return nil, nil
	},
}

// ofRevive are its rules on comments and order, which no other linter has. It has no type
// information here.
var ofRevive = []lint.Rule{
	&rule.BlankImportsRule{}, &rule.ContextAsArgumentRule{}, &rule.EmptyBlockRule{},
	&rule.ErrorReturnRule{}, exported(), &rule.IncrementDecrementRule{},
	&rule.IndentErrorFlowRule{}, &rule.PackageCommentsRule{}, &rule.ReceiverNamingRule{},
	&rule.SuperfluousElseRule{}, &rule.UnreachableCodeRule{}, &rule.VarNamingRule{},
}

func exported() *rule.ExportedRule {
	r := &rule.ExportedRule{}
	if err := r.Configure(lint.Arguments{"checkPrivateReceivers"}); err != nil {
		panic(err)
	}
	return r
}

var revive = &analysis.Analyzer{
	Name: "revive",
	Doc:  "comments of what others may use, and the plain way to write things",
	Run: func(pass *analysis.Pass) (any, error) {
		var names []string
		for _, file := range pass.Files {
			names = append(names, pass.Fset.File(file.FileStart).Name())
		}
		linter := lint.New(os.ReadFile, 0)
		found, err := linter.Lint([][]string{names}, ofRevive, lint.Config{Confidence: 0.8})
		if err != nil {
			return nil, err
		}
		for failure := range found {
			report(pass, failure.Position.Start, failure.RuleName+": "+failure.Failure)
		}
		return nil, nil
	},
}

// goimports checks the order of imports, with the product's own last.
var goimports = &analysis.Analyzer{
	Name: "goimports",
	Doc:  "imports that are not as goimports -local kaibao writes them",
	Run: func(pass *analysis.Pass) (any, error) {
		imports.LocalPrefix = "kaibao"
		for _, file := range pass.Files {
			name := pass.Fset.File(file.FileStart).Name()
			text, err := pass.ReadFile(name)
			if err != nil {
				return nil, err
			}
			formatted, err := imports.Process(name, text, &imports.Options{FormatOnly: true, Comments: true, TabIndent: true, TabWidth: 8})
			if err != nil {
				return nil, err
			}
			if !bytes.Equal(formatted, text) {
				pass.Reportf(file.Package, "run goimports -local kaibao")
			}
		}
		return nil, nil
	},
}

// report reports a finding at a position in one of the package's files.
func report(pass *analysis.Pass, at token.Position, message string) {
	for _, file := range pass.Files {
		if f := pass.Fset.File(file.FileStart); f.Name() == at.Filename {
			pass.Reportf(f.Pos(at.Offset), "%s", message)
			return
		}
	}
	pass.Reportf(pass.Files[0].Package, "%s: %s", at, message)
}
