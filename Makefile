# make run       build and serve on SQLite with demo data
# make check     quick checks before a commit
# make test      everything
# make build     bin/kaibao
# make bench     benchmarks
# make vulncheck known vulnerabilities in dependencies
# make release   signed binaries (see CONTRIBUTING.md)

RELEASE := 0.1.0
VERSION := $(RELEASE)+$(shell git describe --always --dirty --exclude '*' 2>/dev/null || echo dev)
# -vet=off: the linter includes vet.
# -timeout=60m: slow machines exceed the default of ten minutes per package.
# -p: one package more than there are cores, because tests wait for disks.
# -ldflags=-w: linking without debug information takes half the time.
GOTEST := -vet=off -timeout=60m -exec 'env -u GOGC' -p $(shell echo $$(($$(nproc) + 1))) -ldflags=-w

# The race detector skips huma, which builds schemas at startup in a single goroutine, and circl, which
# only computes and would take ten times as long. The standard library must be instrumented: its generic
# code is compiled into shared instances, and the detector would miss the synchronization inside atomics
# and maps and report false races.
RACE := -race -gcflags=github.com/danielgtaylor/huma/...=-race=false -gcflags=github.com/cloudflare/circl/...=-race=false
# These packages render pictures. With the race detector, compiling the WebAssembly takes minutes.
RENDERING := kaibao/internal/preview kaibao/internal/preview/resvg kaibao/internal/profiles/integrationtest
WEB := npm --prefix web run --silent

# Collecting garbage less often saves the compiler a third of its time. GOTEST unsets GOGC for the
# tests themselves (-exec), so they run like the product.
GO := GOGC=400 go

# The product, the linter and all checks use the same build flags, so that each package is compiled
# once. SQLite (C) doesn't count its memory, because counting takes a lock on each allocation. On
# Linux it commits with fdatasync, which skips timestamps, and the binary is static: users and host
# names are resolved in Go.
LINUX := $(filter Linux,$(shell uname -s))
comma := ,
export CGO_ENABLED := 1
export CGO_CFLAGS := -O2 -DSQLITE_DEFAULT_MEMSTATUS=0 $(if $(LINUX),-DHAVE_FDATASYNC)
export GOFLAGS := -trimpath -tags=netgo,osusergo,sqlite_omit_load_extension
STATIC := $(if $(LINUX),-linkmode external -extldflags "-static -Wl$(comma)--gc-sections")

.PHONY: run test test-server test-page check build bench measure generate lint lint-go lint-alerts bin/golangci-lint bin/govulncheck shots release vulncheck

run: build
	bin/kaibao serve

# -funcalign=4: an eighth of the default alignment saves 0.7 MB. --gc-sections drops C code that nothing
# calls.
build:
	scripts/setup build
	$(WEB) build
	$(GO) build -ldflags '-s -w -funcalign=4 $(STATIC) -X main.version=$(VERSION)' -o bin/kaibao ./cmd/kaibao

# Go tests run on both database engines, browser journeys on the built binary. The two lanes run in
# parallel because each spends a quarter of its time waiting for disks or pages.
test:
	scripts/setup test
	scripts/fresh
	$(MAKE) --no-print-directory build
	$(MAKE) --no-print-directory -j2 test-server test-page

# The race detector would let every test program sleep for a second before it exits.
test-server:
	GORACE=atexit_sleep_ms=100 scripts/in-memory scripts/with-postgres env $(GO) test $(GOTEST) $(RACE) $(filter-out $(RENDERING),$(shell go list ./...))
	scripts/in-memory scripts/with-postgres env $(GO) test $(GOTEST) $(RENDERING)
	scripts/in-memory scripts/with-postgres env GOGC=400 scripts/recipes server
	$(MAKE) --no-print-directory measure BENCH='-smoke -out bin/smoke.md'

test-page:
	$(MAKE) --no-print-directory lint lint-alerts
	$(WEB) test
	$(WEB) size
	scripts/recipes web
	$(WEB) lighthouse
	$(WEB) speed -- --smoke
	scripts/in-memory $(WEB) e2e

# Take a screenshot of every page in both themes and languages into web/shots.
shots: build
	scripts/setup test
	$(WEB) shots

check:
	scripts/setup build
	$(MAKE) --no-print-directory lint
	$(WEB) test
	KAIBAO_TEST_ENGINES=sqlite go test -vet=off ./...

lint: lint-go
	cd tools && $(GO) test -vet=off -count=1 ./... # uncached: Go doesn't see that they read other modules' files
	$(WEB) lint
	$(WEB) typecheck

lint-go: bin/golangci-lint
	GOGC=400 bin/golangci-lint run ./...
	cd tools && GOGC=400 ../bin/golangci-lint run ./...
	test -z "$$(gofmt -s -l bench/peers | tee /dev/stderr)" # a module of its own; the files it names are not formatted

# Other checks of deploy/ are in tools, cmd/kaibao and internal/metrics.
lint-alerts:
	promtool check config deploy/prometheus/prometheus.yml
	promtool check rules deploy/prometheus/kaibao.rules.yml
	promtool test rules deploy/prometheus/kaibao.rules.test.yml

# Go decides whether this is up to date.
bin/golangci-lint:
	$(GO) build -C tools/golangci -ldflags='-s -w' -o ../../bin/ github.com/golangci/golangci-lint/v2/cmd/golangci-lint

generate:
	$(GO) generate ./internal/...
	mkdir -p api bin
	$(GO) run ./cmd/kaibao openapi >bin/openapi.json && mv bin/openapi.json api/openapi.json
	$(WEB) generate
	cd tools && $(GO) run ./thirdparty

vulncheck: bin/govulncheck
	scripts/vulncheck

# What SIGNING_KEY=FILE, ACCEPT_VULNERABILITIES=1 and the results are: scripts/release.
release: bin/govulncheck
	scripts/setup build
	RELEASE=$(RELEASE) scripts/release

# Go decides whether these are up to date.
bin/govulncheck:
	GOFLAGS= $(GO) build -C tools/release -trimpath -ldflags='-s -w' -o ../../bin/ golang.org/x/vuln/cmd/govulncheck github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod

# Servers and databases write to TMPDIR, or /var/tmp if it isn't set: measure on a disk, not in
# memory. Longer: make bench BENCH=-long. One minute that tries everything:
# BENCH='-smoke -out bin/smoke.md'. All flags: BENCH=-help.
bench: build
	scripts/setup test
	$(MAKE) --no-print-directory measure

# Run benchmarks on the existing binary.
measure:
	$(GO) build -o bin/bench ./bench
	TMPDIR=$${TMPDIR:-/var/tmp} scripts/with-postgres --durable bin/bench $(BENCH)
