# run: build and start on embedded SQLite with demo data · test: everything
# check: the quick part, before a commit · build: bin/kaibao · bench: benchmarks

RELEASE := 0.1.0
VERSION := $(RELEASE)+$(shell git describe --always --dirty --exclude '*' 2>/dev/null || echo dev)
# The race detector watches our code. huma builds its schemas at every start of a node, alone,
# and is none of ours. No package of Go itself: what they make of generic code that others share, atomics and maps, is then used by
# all, and the detector takes for races what those keep apart.
# Each of its programs sleeps a second before it ends, for who is about to say something.
# One package more than there are cores is under way, as tests wait for disks; without
# what a debugger reads, a hundred test programs are linked in half the time.
# A slow machine takes its time: go's own ten minutes for a package would be a limit of speed.
GOTEST := -vet=off -timeout=30m -exec 'env -u GOGC' -p $(shell echo $$(($$(nproc) + 1))) -ldflags=-w
RACE := -race -gcflags=github.com/danielgtaylor/huma/...=-race=false
WEB := npm --prefix web run --silent

# A compiler lives for seconds: collecting its garbage a fourth as often saves it a third of
# its time. What it makes runs without that (-exec), as whoever uses it runs it.
GO := GOGC=400 go

# One way to compile for program, linter and checks, so that each package is compiled once.
# SQLite is C. It need not count its memory, which takes a lock each time. On Linux it goes
# into one program that needs nothing of the machine it runs on (names and users are looked
# up in Go), and a commit waits for what it wrote, not for the time of the file too.
LINUX := $(filter Linux,$(shell uname -s))
export CGO_ENABLED := 1
export CGO_CFLAGS := -O2 -DSQLITE_DEFAULT_MEMSTATUS=0 $(if $(LINUX),-DHAVE_FDATASYNC)
export GOFLAGS := -trimpath -tags=netgo,osusergo,sqlite_omit_load_extension
STATIC := $(if $(LINUX),-linkmode external -extldflags=-static)

.PHONY: run test test-server test-page check build bench measure generate lint lint-go shots

run: build
	bin/kaibao serve

build:
	scripts/setup build
	$(WEB) build
	$(GO) build -ldflags '-s -w $(STATIC) -X main.version=$(VERSION)' -o bin/kaibao ./cmd/kaibao

# The Go tests run on both engines; the journeys run on the built binary. Each lane
# waits a quarter of its time, for disks or for pages, so the two run side by side.
test:
	scripts/setup test
	scripts/fresh
	$(MAKE) --no-print-directory build
	$(MAKE) --no-print-directory -j2 test-server test-page

test-server:
	GORACE=atexit_sleep_ms=100 scripts/in-memory scripts/with-postgres env $(GO) test $(GOTEST) $(RACE) ./... # the linter vets them
	scripts/in-memory scripts/with-postgres env GOGC=400 scripts/recipes
	$(MAKE) --no-print-directory measure BENCH='-smoke -out bin/smoke.md'

test-page:
	$(MAKE) --no-print-directory lint
	$(WEB) test
	$(WEB) size
	$(WEB) lighthouse
	$(WEB) speed -- --smoke
	scripts/in-memory $(WEB) e2e

# A picture of every page, in both themes and languages, into web/shots.
shots: build
	scripts/setup test
	$(WEB) shots

check:
	scripts/setup build
	$(MAKE) --no-print-directory lint
	$(WEB) test
	KAIBAO_TEST_ENGINES=sqlite go test -vet=off ./...

# Go alone. Always all of it: what go vet (1.26) keeps of a package it was asked facts of,
# for another, it takes for a look at the package itself, and says nothing of it later.
lint: lint-go
	cd tools && $(GO) test -vet=off -count=1 . # not cached: they read files of another module
	$(WEB) lint
	$(WEB) typecheck

lint-go:
	$(GO) build -C tools -o ../bin/lint ./lint
	$(GO) vet -vettool=$(CURDIR)/bin/lint ./...
	test -z "$$(gofmt -s -l cmd internal bench web/*.go tools | tee /dev/stderr)" # what it names is not formatted

generate:
	$(GO) generate ./internal/...
	mkdir -p api bin
	$(GO) run ./cmd/kaibao openapi >bin/openapi.json && mv bin/openapi.json api/openapi.json
	$(WEB) generate

# Servers and databases work on a disk (TMPDIR, /var/tmp unless set). More and
# longer: make bench BENCH=-long; a minute that shows that all of it runs:
# BENCH='-smoke -out bin/smoke.md'; all flags: make bench BENCH=-help.
bench: build
	scripts/setup test
	$(MAKE) --no-print-directory measure

# bench on the binary that is there.
measure:
	$(GO) build -o bin/bench ./bench
	TMPDIR=$${TMPDIR:-/var/tmp} scripts/with-postgres --durable bin/bench $(BENCH)
