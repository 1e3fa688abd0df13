# make serve   build what is stale, serve the page on this machine (ARGS="-addr HOST:PORT -open")
# make test    everything that has to hold: formatting, vet, native, wasm and browser tests
# make test-long  the same with any four options together, every browser that is installed and all that takes minutes; no time limit
# make dist    the folder to put on a static host, with SHA256SUMS; fails when over its size budget
# make check   in under a minute: formatting, vet, and the Go tests of the packages that differ from the last commit (or SINCE=main)
# make e2e     the browser tests alone (E2E=chromium,firefox,webkit for more engines)
# make kill    kills browsers at random moments, ROUNDS times each, and looks for what was lost (E2E=chromium,firefox, SEED=1)
# make soak    uses the page for SOAK=2h and prints by how much its memory grows (E2E=chromium)
# make audit   every dependency with its version, licence and reason, and what is known against them
# make bench   how fast it is, beside other programs, into BENCHMARKS.md (ARGS="-part page", or -quick -json)
# make whatif  how long the page takes to find places with another link (docs/model.md)
# make microbench  Go benchmarks of PKG that match BENCH, as NAME, compared with all that were run before
# make cluster studies on a real Slurm of two nodes, on this machine; make setup-cluster installs it (as root)
# make fuzz    every fuzz test of what reads files, links, messages, archives, checkpoints and orders, FUZZTIME each
# make cadem   the command line, bin/cadem
# make wheel   the package for Python with the command in it, for machines like this one, bin/*.whl
# make npm     the module for pages and bundlers as a package of npm, bin/cadem-*.tgz
# make build   compile everything, natively and for the browser
# make setup   install what the above need; each of them does it by itself

E2E ?= chromium
FUZZTIME ?= 30s
ROUNDS ?= 60
SEED ?= 1
SOAK ?= 2h

# What ran and what was skipped, over all runs of make test, and what notes it.
TESTLOG = $(BIN)/tests.jsonl
NOTED = | env GOOS= GOARCH= go run ./scripts/testlog $(TESTLOG)

# Tested first: what takes longest would be left over for one processor.
LONGEST = ./scripts/cadem ./core/lab/study/experiments ./scripts/wasmtest

# Only a package that hangs takes this long, on a machine that does other things, too: each has its own, and that of browsers more.
TIMEOUT = 20m
BROWSING = 60m
BIN ?= bin

# Gonum without assembly, which gives other bits than the portable code; no
# stamp of the commit, so that equal sources give equal programs.
export GOFLAGS := $(strip $(GOFLAGS) -tags=noasm -buildvcs=false -trimpath)
# Vector kernels natively, where the toolchain has such instructions.
export GOEXPERIMENT := $(or $(GOEXPERIMENT),$(shell GOEXPERIMENT=simd go env GOEXPERIMENT 2>/dev/null))
export CADEM_E2E =
export CADEM_KILL CADEM_SOAK CADEM_LONG CADEM_COHORT CADEM_LARGE CADEM_REAL

BROWSER = GOOS=js GOARCH=wasm GOEXPERIMENT=
# The glue hands over the whole environment and has little room for it.
NODE = env -i 'PATH=$$PATH' 'HOME=$$HOME' '$$(go env GOROOT)/lib/wasm/go_js_wasm_exec'
# It is compiled as the native tests are, which leaves nothing of it to compile again.
MODULE := $(shell sed -n 's/^module //p' go.mod)
WORKER = env GOOS= GOARCH= GOEXPERIMENT=$(GOEXPERIMENT) go run $(MODULE)/scripts/wasmtest

# The engines that were asked for, and a short cut of Firefox where it is installed.
TESTED = $(E2E)$(if $(findstring firefox,$(E2E)),,$(COMMA)firefox?)

# Browsers that make test-long finds, between commas.
NOTHING :=
INSTALLED = $(subst $(NOTHING) ,$(COMMA),$(strip $(if $(shell command -v chromium),chromium) $(if $(shell command -v firefox-esr),firefox) \
	$(if $(shell command -v WebKitWebDriver),webkit)))
COMMA := ,

# Packages whose numbers have to be the same bits in the browser, and those that these alone use.
SAME_BITS = $(patsubst %,./%,$(wildcard core/base/linalg core/synth core/brain/cohort core/synth/examples core/cadem core/cadem/evidence \
	core/cadem/frozen core/evaluate core/project core/brain/connectome core/baseline $(if $(CADEM_LONG),core/base/rng core/multiplex \
	core/baseline/tape core/baseline/descent core/baseline/diffusion core/multiplex/communities)))

# The browser's programs run the tests that compare with stored bits; TestBitsAreCompared finds them by their content. All others run
# natively, and where CADEM_LONG is set, without the kernels, too.
BITS = -run 'Golden|Hash|Everywhere|SeedsKeep|CohortSeries|Deterministic|Format1'

# With the SIMD kernels linked in, as in the programs of the page.
SIMD = node '$(CURDIR)/scripts/wasmtest/kernels.mjs'

# Packages that read what others wrote, and what serves them.
FUZZED = $(sort $(patsubst %/,./%,$(dir $(shell grep -rls --include=*_test.go '^func Fuzz' core wasm scripts/wasmtest serve_fuzz_test.go))))

# Packages with tests that need what only a browser has.
IN_WORKER = $(patsubst %/,./%,$(sort $(dir $(wildcard wasm/*/*_js_test.go))))

.PHONY: page serve test test-long formatted \
	check module dist e2e kill soak audit bench microbench whatif cluster setup-cluster fuzz level planted cadem build setup setup-build

serve: setup-build
	go run . $(ARGS)

setup-build:
	@scripts/build/setup.sh build

setup:
	@scripts/build/setup.sh test $(E2E)

# It tells its commit where there is one to tell.
cadem: setup-build
	go build $(if $(shell git status --porcelain >/dev/null 2>&1 && echo yes),-buildvcs=true) -o '$(BIN)/' ./scripts/cadem

wheel: cadem dist
	CADEM_PROGRAM='$(abspath $(BIN)/cadem)' python3 -m pip wheel --no-index --no-deps -q -w '$(BIN)' ./scripts/python

npm: dist
	@mkdir -p '$(BIN)'
	npm pack --pack-destination '$(abspath $(BIN))' ./dist

build: setup-build
	go build ./...
	$(BROWSER) go build ./wasm/...

dist: setup-build
	go run ./scripts/build

formatted:
	@list=$$(gofmt -l core wasm scripts *.go); test -z "$$list" || { echo "not gofmt'ed: $$list"; exit 1; }

# Folders with Go files that differ from the commit SINCE.
SINCE = HEAD
CHANGED = $(patsubst %,./%,$(sort $(dir $(wildcard $(addsuffix *.go,$(sort $(dir $(shell \
	git diff --name-only $(SINCE) -- '*.go'; git ls-files -o --exclude-standard -- '*.go'))))))))

check: formatted setup-build
	go vet ./...
	$(if $(CHANGED),go test -short -vet=off $(CHANGED))

# Every package is vetted first, for more than go test looks for; the tests do not vet it again.
test: export GOFLAGS := $(GOFLAGS) -vet=off
test: formatted setup
	go vet ./...
	$(BROWSER) go vet -tags noasm,simd ./core/... ./wasm/...
	@mkdir -p $(dir $(TESTLOG)) && rm -f $(TESTLOG)
	go test -json -timeout $(TIMEOUT) $(LONGEST) ./... $(NOTED)
	$(BROWSER) go test -json -timeout $(TIMEOUT) -tags noasm,simd -exec "$(SIMD)" ./core/base/kernel $(if $(CADEM_LONG),./core/cadem ./core/evaluate) $(NOTED)
	$(BROWSER) go test -json -timeout $(TIMEOUT) -tags noasm,simd $(BITS) -exec "$(SIMD)" $(SAME_BITS) $(NOTED)
	$(BROWSER) go test -json -timeout $(TIMEOUT) -exec "$(NODE)" $(if $(CADEM_LONG),./core/base/kernel $(SAME_BITS),$(BITS) ./core/cadem/frozen) $(NOTED)
	GODEBUG=cpu.avx2=off go test -json -timeout $(TIMEOUT) ./core/base/kernel $(if $(CADEM_LONG),./core/cadem) $(NOTED)
	GODEBUG=cpu.avx2=off go test -json -timeout $(TIMEOUT) $(BITS) ./core/cadem ./core/cadem/frozen $(NOTED)
	$(if $(CADEM_LONG),$(V3))
	$(foreach e,$(subst $(COMMA), ,$(E2E)),$(BROWSER) go test -json -count=1 -timeout $(TIMEOUT) -exec "$(WORKER) -engine $e" $(IN_WORKER) $(NOTED) &&) true
	CADEM_SHELL=$(if $(CADEM_LONG),,1) CADEM_E2E='$(TESTED)' \
		go test -json -count=1 -parallel 3 $(if $(CADEM_LONG),,-short) -timeout $(BROWSING) ./scripts/e2e/... $(NOTED)
	@go run ./scripts/testlog -summary $(TESTLOG)

# What is compiled for a recent machine alone, which takes all packages anew. TestNothingIsFused looks for what the compiler would fuse there.
V3 = @if grep -qsw avx2 /proc/cpuinfo; then echo GOAMD64=v3 go test -run Hash ./core/cadem; GOAMD64=v3 go test -run Hash ./core/cadem; \
	else echo "GOAMD64=v3: not run, this machine has no AVX2"; fi

test-long:
	$(MAKE) test TIMEOUT=0 BROWSING=0 E2E=$(INSTALLED) CADEM_LONG=1 CADEM_COHORT=1 CADEM_LARGE=1 CADEM_REAL=ACM,IMDB,Freebase CADEM_KILL=20

# What docs/evidence.md measures: how often the gate opens where nothing is shared, in an hour, and what is found on planted layers.
level:
	CADEM_DRAWS=0-300 go test -count=1 -v -timeout 0 -run TestLevel ./core/cadem/evidence

planted:
	CADEM_DRAWS=0-10 go test -count=1 -v -timeout 0 -run TestRecipe ./core/cadem/evidence
	CADEM_LONG=1 go test -count=1 -v -timeout 0 -run TestPairs ./core/cadem/evidence

e2e: setup
	CADEM_E2E=$(E2E) go test -count=1 -timeout $(BROWSING) -v ./scripts/e2e/...

kill: setup
	CADEM_E2E=$(E2E) CADEM_KILL=$(ROUNDS) CADEM_KILL_SEED=$(SEED) go test -count=1 -timeout 0 -v -run 'TestKills$$' ./scripts/e2e

soak: setup
	CADEM_E2E=$(E2E) CADEM_SOAK=$(SOAK) go test -count=1 -timeout 0 -v -run 'TestSoak$$' ./scripts/e2e

# A changed module of the page: make page TESTS='run/model run/order' runs their tests and checks all types.
page: setup
	CADEM_PAGE='$(TESTS)' go test -count=1 -v -run 'TestPage|TestTypes|TestPageFiles' ./scripts/wasmtest

audit: setup
	@go run ./scripts/audit

# Names the module anew, for a fork: make module NAME=example.org/you/cadem
module:
	@test -n '$(NAME)' || { echo 'make module NAME=example.org/you/cadem'; exit 2; }
	git grep -lF '$(MODULE)' -- '*.go' '*.mod' '*.md' Makefile | xargs sed -i 's#\<$(subst .,\.,$(MODULE))\>#$(NAME)#g'

# TensorFlow.js, which it is compared with, is installed where that is possible.
bench: setup
	-@test -d scripts/bench/tfjs/node_modules || npm ci --prefix scripts/bench/tfjs --ignore-scripts --no-audit --no-fund
	go run ./scripts/bench $(ARGS)

# In the program as wasm, under node.
whatif: setup-build
	$(BROWSER) go test -tags noasm,simd -run '^$$' -bench WhatIf -benchtime 500x -exec "$(SIMD)" ./core/cadem/frozen

microbench: setup-build
	@mkdir -p '$(BIN)'
	go test -run '^$$' -bench '$(or $(BENCH),.)' -count 6 -timeout 0 $(PKG) | tee '$(BIN)/$(or $(NAME),now).bench'
	go run golang.org/x/perf/cmd/benchstat@v0.0.0-20260908200009-22c9c6c9d4da '$(BIN)'/*.bench

setup-cluster:
	@scripts/build/setup.sh cluster

cluster: setup-cluster
	CADEM_CLUSTER=$(or $(CADEM_CLUSTER),brief) go test -count=1 -timeout $(TIMEOUT) -v ./scripts/cluster

# One try at making an input smaller: the usual minute of it is a minute without a new input.
fuzz: setup-build
	@set -e; for p in $(FUZZED); do for f in $$(go test -list '^Fuzz' $$p | grep '^Fuzz'); do \
		echo "$$p $$f"; go test -run '^$$' -fuzz "^$$f\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 1x $$p; done; done
