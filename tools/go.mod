module kaibao/tools

go 1.26.0

require (
	codeberg.org/polyfloyd/go-errorlint v1.9.0
	github.com/Antonboom/errname v1.1.2
	github.com/ashanbrown/forbidigo/v2 v2.3.1
	github.com/ashanbrown/makezero/v2 v2.2.1
	github.com/breml/bidichk v0.3.4
	github.com/butuzov/mirror v1.3.3
	github.com/charithe/durationcheck v0.0.11
	github.com/ckaznocha/intrange v0.3.1
	github.com/curioswitch/go-reassign v0.3.0
	github.com/go-critic/go-critic v0.15.0
	github.com/golangci/misspell v0.8.0
	github.com/golangci/rowserrcheck v0.0.0-20261005233414-e0740d52dee8
	github.com/golangci/unconvert v0.0.0-20250410112200-a129a6e6413e
	github.com/gordonklaus/ineffassign v0.2.0
	github.com/gostaticanalysis/nilerr v0.1.2
	github.com/karamaru-alpha/copyloopvar v1.2.2
	github.com/kisielk/errcheck v1.30.0
	github.com/ldez/exptostd v0.4.5
	github.com/ldez/usetesting v0.5.0
	github.com/mgechev/revive v1.17.1
	github.com/nishanths/predeclared v0.3.0
	github.com/ryanrolds/sqlclosecheck v0.6.0
	github.com/sashamelentyev/usestdlibvars v1.29.0
	github.com/stbenjam/no-sprintf-host-port v0.3.1
	github.com/timakin/bodyclose v0.0.0-20260723120731-857993a2939c
	github.com/transparency-dev/merkle v0.0.2
	github.com/transparency-dev/tessera v1.0.2
	go.augendre.info/fatcontext v0.10.1
	golang.org/x/mod v0.42.0
	golang.org/x/tools v0.52.0
	honnef.co/go/tools v0.8.2
	mvdan.cc/unparam v0.0.0-20260823230713-2fa3d841b0c8
)

require (
	github.com/BurntSushi/toml v1.6.0 // indirect
	github.com/cespare/xxhash/v2 v2.3.0 // indirect
	github.com/fatih/structtag v1.2.0 // indirect
	github.com/go-logr/logr v1.4.4 // indirect
	github.com/go-logr/stdr v1.2.2 // indirect
	github.com/go-toolsmith/astcast v1.1.0 // indirect
	github.com/go-toolsmith/astcopy v1.1.0 // indirect
	github.com/go-toolsmith/astequal v1.2.0 // indirect
	github.com/go-toolsmith/astfmt v1.1.0 // indirect
	github.com/go-toolsmith/astp v1.1.0 // indirect
	github.com/go-toolsmith/strparse v1.1.0 // indirect
	github.com/go-toolsmith/typep v1.1.0 // indirect
	github.com/google/go-cmp v0.7.0 // indirect
	github.com/gostaticanalysis/analysisutil v0.7.1 // indirect
	github.com/gostaticanalysis/comment v1.5.0 // indirect
	github.com/hashicorp/go-version v1.9.0 // indirect
	github.com/quasilyte/go-ruleguard v0.4.5 // indirect
	github.com/quasilyte/gogrep v0.5.0 // indirect
	github.com/quasilyte/regex/syntax v0.0.0-20210819130434-b3f0c404a727 // indirect
	github.com/quasilyte/stdinfo v0.0.0-20220114132959-f7386bf02567 // indirect
	github.com/stretchr/testify v1.12.1 // indirect
	github.com/transparency-dev/formats v0.0.0-20251017110053-404c0d5b696c // indirect
	go.opentelemetry.io/auto/sdk v1.2.1 // indirect
	go.opentelemetry.io/otel v1.45.0 // indirect
	go.opentelemetry.io/otel/metric v1.45.0 // indirect
	go.opentelemetry.io/otel/trace v1.45.0 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
	golang.org/x/crypto v0.55.0 // indirect
	golang.org/x/exp v0.0.0-20250620022241-b7579e27df2b // indirect
	golang.org/x/exp/typeparams v0.0.0-20260811152304-ee035b5b010f // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/text v0.41.0 // indirect
	golang.org/x/tools/go/packages/packagestest v0.1.1-deprecated // indirect
	k8s.io/klog/v2 v2.130.1 // indirect
)
