// Command lint holds what analysers find about the repository: go vet asks it for one
// package at a time, side by side, and keeps its answers in Go's cache.
// tools/rules_test.go proves that it finds.
//
// It is to be asked for all packages at once (make lint-go): go vet keeps the facts of a
// package under the name of its findings, and would keep it from being looked at.
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

// What is to be known of a package that another one uses: of anybody's, and of ours.
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

// asked is what go vet wants to know, or nothing when it asks for no package.
func asked(path string) (unit unitchecker.Config) {
	if text, err := os.ReadFile(path); err == nil {
		_ = json.Unmarshal(text, &unit)
	}
	return unit
}
