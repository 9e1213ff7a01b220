// Command lint runs analyzers on the repository: go vet calls it for one package at a time, in
// parallel, and caches its results in Go's cache. tools/rules_test.go checks that the rules find
// violations.
//
// Run it on all packages at once (make lint-go): go vet stores a package's facts under the same
// cache key as its findings, so a package analyzed only for its facts would be skipped later.
package main

import (
	"encoding/json"
	"os"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/ctrlflow"
	"golang.org/x/tools/go/analysis/passes/inline"
	"golang.org/x/tools/go/analysis/passes/printf"
	"golang.org/x/tools/go/analysis/unitchecker"
	"honnef.co/go/tools/analysis/facts/deprecated"
	"honnef.co/go/tools/analysis/facts/nilness"
	"honnef.co/go/tools/analysis/facts/purity"
)

// The facts needed about imported packages: of any package, and of ours.
var (
	ofAnybody = []*analysis.Analyzer{ctrlflow.Analyzer, deprecated.Analyzer, printf.Analyzer}
	ofOurs    = append(ofAnybody, inline.Analyzer, nilness.Analysis, purity.Analyzer)
)

func main() {
	switch unit := asked(os.Args[len(os.Args)-1]); {
	case !unit.VetxOnly:
		unitchecker.Main(analyzers()...)
	case strings.HasPrefix(unit.ImportPath, "kaibao/"):
		unitchecker.Main(ofOurs...)
	default:
		unitchecker.Main(ofAnybody...)
	}
}

// asked returns the package that go vet wants analyzed, or a zero Config.
func asked(path string) (unit unitchecker.Config) {
	if text, err := os.ReadFile(path); err == nil {
		_ = json.Unmarshal(text, &unit)
	}
	return unit
}
