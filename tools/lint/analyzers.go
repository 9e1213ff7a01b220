package main

import (
	"slices"

	"codeberg.org/polyfloyd/go-errorlint/errorlint"
	errname "github.com/Antonboom/errname/pkg/analyzer"
	makezero "github.com/ashanbrown/makezero/v2/pkg/analyzer"
	"github.com/breml/bidichk/pkg/bidichk"
	"github.com/butuzov/mirror"
	"github.com/charithe/durationcheck"
	"github.com/ckaznocha/intrange"
	reassign "github.com/curioswitch/go-reassign"
	"github.com/golangci/rowserrcheck/passes/rowserr"
	"github.com/gordonklaus/ineffassign/pkg/ineffassign"
	"github.com/gostaticanalysis/nilerr"
	"github.com/karamaru-alpha/copyloopvar"
	"github.com/kisielk/errcheck/errcheck"
	"github.com/ldez/exptostd"
	"github.com/ldez/usetesting"
	"github.com/nishanths/predeclared/passes/predeclared"
	sqlclosecheck "github.com/ryanrolds/sqlclosecheck/pkg/analyzer"
	usestdlibvars "github.com/sashamelentyev/usestdlibvars/pkg/analyzer"
	nosprintfhostport "github.com/stbenjam/no-sprintf-host-port/pkg/analyzer"
	"github.com/timakin/bodyclose/passes/bodyclose"
	fatcontext "go.augendre.info/fatcontext/pkg/analyzer"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/appends"
	"golang.org/x/tools/go/analysis/passes/assign"
	"golang.org/x/tools/go/analysis/passes/atomic"
	"golang.org/x/tools/go/analysis/passes/atomicalign"
	"golang.org/x/tools/go/analysis/passes/bools"
	"golang.org/x/tools/go/analysis/passes/buildtag"
	"golang.org/x/tools/go/analysis/passes/composite"
	"golang.org/x/tools/go/analysis/passes/copylock"
	"golang.org/x/tools/go/analysis/passes/deepequalerrors"
	"golang.org/x/tools/go/analysis/passes/defers"
	"golang.org/x/tools/go/analysis/passes/directive"
	"golang.org/x/tools/go/analysis/passes/errorsas"
	"golang.org/x/tools/go/analysis/passes/hostport"
	"golang.org/x/tools/go/analysis/passes/httpmux"
	"golang.org/x/tools/go/analysis/passes/httpresponse"
	"golang.org/x/tools/go/analysis/passes/ifaceassert"
	"golang.org/x/tools/go/analysis/passes/inline"
	"golang.org/x/tools/go/analysis/passes/lostcancel"
	"golang.org/x/tools/go/analysis/passes/nilfunc"
	"golang.org/x/tools/go/analysis/passes/nilness"
	"golang.org/x/tools/go/analysis/passes/printf"
	"golang.org/x/tools/go/analysis/passes/reflectvaluecompare"
	"golang.org/x/tools/go/analysis/passes/shift"
	"golang.org/x/tools/go/analysis/passes/sigchanyzer"
	"golang.org/x/tools/go/analysis/passes/slog"
	"golang.org/x/tools/go/analysis/passes/sortslice"
	"golang.org/x/tools/go/analysis/passes/stdmethods"
	"golang.org/x/tools/go/analysis/passes/stdversion"
	"golang.org/x/tools/go/analysis/passes/stringintconv"
	"golang.org/x/tools/go/analysis/passes/structtag"
	"golang.org/x/tools/go/analysis/passes/testinggoroutine"
	"golang.org/x/tools/go/analysis/passes/tests"
	"golang.org/x/tools/go/analysis/passes/timeformat"
	"golang.org/x/tools/go/analysis/passes/unmarshal"
	"golang.org/x/tools/go/analysis/passes/unreachable"
	"golang.org/x/tools/go/analysis/passes/unsafeptr"
	"golang.org/x/tools/go/analysis/passes/unusedresult"
	"golang.org/x/tools/go/analysis/passes/unusedwrite"
	"golang.org/x/tools/go/analysis/passes/waitgroup"
	"honnef.co/go/tools/quickfix"
	"honnef.co/go/tools/simple"
	"honnef.co/go/tools/staticcheck"
	"honnef.co/go/tools/stylecheck"
)

// vet contains the analyzers that go vet runs by default and the others in x/tools, except those
// for assembler, cgo, struct layout and shadowing.
var vet = []*analysis.Analyzer{
	appends.Analyzer, assign.Analyzer, atomic.Analyzer, atomicalign.Analyzer, bools.Analyzer,
	buildtag.Analyzer, composite.Analyzer, copylock.Analyzer, deepequalerrors.Analyzer,
	defers.Analyzer, directive.Analyzer, errorsas.Analyzer, hostport.Analyzer, httpmux.Analyzer,
	httpresponse.Analyzer, ifaceassert.Analyzer, inline.Analyzer, lostcancel.Analyzer,
	nilfunc.Analyzer, nilness.Analyzer, printf.Analyzer, reflectvaluecompare.Analyzer,
	shift.Analyzer, sigchanyzer.Analyzer, slog.Analyzer, sortslice.Analyzer, stdmethods.Analyzer,
	stdversion.Analyzer, stringintconv.Analyzer, structtag.Analyzer, testinggoroutine.Analyzer,
	tests.Analyzer, timeformat.Analyzer, unmarshal.Analyzer, unreachable.Analyzer,
	unsafeptr.Analyzer, unusedresult.Analyzer, unusedwrite.Analyzer, waitgroup.Analyzer,
}

var others = []*analysis.Analyzer{
	bidichk.NewAnalyzer(), bodyclose.Analyzer, copyloopvar.NewAnalyzer(), durationcheck.Analyzer,
	errcheck.Analyzer, errname.New(), with(errorlint.NewAnalyzer(), "errorf", "true"),
	exptostd.NewAnalyzer(), fatcontext.NewAnalyzer(), ineffassign.Analyzer, intrange.Analyzer,
	makezero.NewAnalyzer(), mirror.NewAnalyzer(), nilerr.Analyzer, nosprintfhostport.Analyzer,
	predeclared.Analyzer, reassign.NewAnalyzer(), rowserr.NewAnalyzer(),
	sqlclosecheck.NewDeferOnlyAnalyzer(), usestdlibvars.New(),
	with(usetesting.NewAnalyzer(), "ossetenv", "true"),
	forbidigo, gocritic, goimports, misspell, revive, unconvert, unparam, unused,
}

// analyzers returns all analyzers, wrapped to drop excused findings.
func analyzers() []*analysis.Analyzer {
	all := slices.Concat(vet, others)
	for _, a := range slices.Concat(staticcheck.Analyzers, simple.Analyzers, stylecheck.Analyzers, quickfix.Analyzers) {
		if a.Analyzer.Name != "ST1005" { // our errors are sentences for people
			all = append(all, a.Analyzer)
		}
	}
	for _, a := range all {
		excuse(a)
	}
	return all
}

func with(a *analysis.Analyzer, flag, value string) *analysis.Analyzer {
	if err := a.Flags.Set(flag, value); err != nil {
		panic(err)
	}
	return a
}
