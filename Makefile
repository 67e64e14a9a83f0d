# make play    build, then the board in the browser, until Ctrl-C
# make test    build, then all tests but the slow ones
PYTHON ?= python3
# Compiled tests are kept even where Python is told not to: each worker would compile all of them again.
# Many tests wait for a program or a page: one more than there are cores keeps the cores busy.
WORKERS ?= $(shell expr $$(nproc 2>/dev/null || echo 2) + 1)
VENV := .venv
BIN := $(VENV)/bin
# An editable install with a build tree that is kept: a change of Python files needs no build, a change
# of the core rebuilds what it touches. The install knows which modules are packages, so a module that
# becomes one needs it again.
SOURCES := CMakeLists.txt pyproject.toml $(wildcard core/*.cpp core/*.hpp core/*/*.hpp core/*/*.cpp) \
  $(wildcard src/mossa/*/__init__.py src/mossa/*/*/__init__.py)

# Runs pip and shows how far it is: what it fetches, and the [n/m] of the compiler. If it fails, all that it said.
define PROGRESS
import re, subprocess, sys
said = []
with subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace") as run:
    for line in run.stdout:
        said.append(line)
        fetched = re.match(r"\s*Collecting ([\w.-]+)", line)
        built = re.match(r"\s*(\[\d+/\d+\]) .*?([^\s/]+?)(?:\.o)?\s*\Z", line)
        if fetched or built:
            print("  fetching " + fetched[1] if fetched else "  {} {}".format(*built.groups()), flush=True)
if run.returncode:
    sys.exit("".join(said) + "failed: " + " ".join(sys.argv[1:]))
endef
export PROGRESS
PIP = $(BIN)/python -c "$$PROGRESS" $(BIN)/python -m pip --disable-pip-version-check

.PHONY: play test test-slow sanitize tsan lint format bench build docs hooks wheel test-wheel screenshots programs clean help

play: build  ## the board in the browser, until Ctrl-C
	@$(BIN)/mossa web

test: build $(VENV)/.test $(VENV)/.docs programs  ## all tests but the slow ones
	@PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -q -n $(WORKERS) --dist worksteal

test-slow: build $(VENV)/.test $(VENV)/.release programs sanitize tsan  ## the slow tests, and the core under sanitizers
	@$(BIN)/python -m pytest -q -m slow

lint: build $(VENV)/.test $(VENV)/.lint  ## ruff, mypy --strict, clang-format, tsc --checkJs
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/clang-format --dry-run --Werror core/*.hpp core/*.cpp core/*/*.hpp core/*/*.cpp tests/core/*.cpp
	@if typescript=$$($(BIN)/python tests/npm.py typescript); then \
	  echo tsc --checkJs; node $$typescript/bin/tsc -p .; \
	else echo "NO TYPE CHECK OF THE PAGES" >&2; fi

format: $(VENV)/.lint  ## put the code into shape
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/clang-format -i core/*.hpp core/*.cpp core/*/*.hpp core/*/*.cpp tests/core/*.cpp

bench: build  ## fixed work: speed, and the signature of the engine
	@$(BIN)/mossa bench

build: $(VENV)/.installed  ## the package, for development, in .venv

docs: build $(VENV)/.docs  ## the documentation as a site, in build/site
	@$(BIN)/python -m sphinx -E -q -W --keep-going -c docs/site -d build/site-cache . build/site
	@echo "open build/site/index.html"

# On request only: nobody's git is changed by a build.
hooks:  ## let git check messages and style whenever you commit
	@if command -v pre-commit >/dev/null; then pre-commit install; else git config core.hooksPath .githooks; fi

screenshots: build $(VENV)/.test programs  ## the pictures of the pages and of the terminal in docs/images/
	@$(BIN)/python docs/images/terminal.py
	@$(BIN)/python docs/images/screenshots.py
	@$(BIN)/python docs/images/course.py

# The wheel is built from the sdist, so that both are known to work.
wheel: $(VENV)/.release  ## an sdist and a wheel in dist/, checked as the package index would
	rm -rf dist
	$(BIN)/python -m build --no-isolation --outdir dist .
	$(BIN)/python -m twine check --strict dist/*

test-wheel: wheel build $(VENV)/.test  ## what is in dist/, installed where there is no compiler
	MOSSA_DIST=$(CURDIR)/dist $(BIN)/python -m pytest -q -m slow tests/test_wheel.py

# The core with AddressSanitizer and UndefinedBehaviorSanitizer under the law tests. It needs an
# environment of its own: the editable install would shadow the sanitized extension.
sanitize: $(VENV)/.tools  ## the laws, with the core under sanitizers
	test -x .venv-sanitize/bin/python || $(PYTHON) -m venv .venv-sanitize
	.venv-sanitize/bin/python -m pip install -q --upgrade pip
	.venv-sanitize/bin/pip install -q --group test
	.venv-sanitize/bin/pip install -q . \
	  -C cmake.define.MOSSA_SANITIZE=address,undefined -C cmake.define.MOSSA_FEW_WORDS=ON -C build-dir=build/sanitize
	LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libstdc++.so)" \
	ASAN_OPTIONS=detect_leaks=0 .venv-sanitize/bin/python -m pytest -q tests/test_laws.py tests/test_games.py tests/test_solver.py tests/test_book.py tests/test_network.py

# A small program of its own: Python itself is not built for ThreadSanitizer.
tsan:  ## searches with two threads under ThreadSanitizer
	@mkdir -p build
	$(CXX) -std=c++20 -O1 -g -fsanitize=thread -pthread -Wno-psabi -Icore tests/core/threads.cpp core/evaluate/*.cpp core/learn/*.cpp core/search/*.cpp -o build/tsan
	build/tsan

# What the tests run beside Python. Where something is missing and this machine lets us, Debian's; elsewhere the tests
# that need it are skipped.
DEBIAN = test "$$(id -u)" = 0 && command -v apt-get >/dev/null && echo "installing $(1) ..." && \
  { apt-get update; $(foreach package,$(1),apt-get install -y --no-install-recommends $(package) ||) false; } >/dev/null 2>&1

programs:
	@for browser in chromium-headless-shell chromium chromium-browser chrome; do \
	  command -v $$browser >/dev/null && exit 0; done; { $(call DEBIAN,chromium-headless-shell chromium); } || \
	  echo "chromium is missing and cannot be installed here: NO BROWSER TESTS" >&2
	@command -v bwrap >/dev/null || { $(call DEBIAN,bubblewrap); } || \
	  echo "bubblewrap is missing and cannot be installed here: NO TESTS OF THE SANDBOX" >&2

clean:  ## remove everything that can be made again
	rm -rf $(VENV) .venv-sanitize .npm build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis src/mossa/_core.pyi

help:  ## this list
	@sed -n 's/^\([a-z-]*\):.*  ## \(.*\)/  make \1\t\2/p' Makefile | expand -t 20

# Stamps: each is redone when what it is made from changes.
$(VENV)/.tools: pyproject.toml
	@echo "setting up $(VENV): the tools to build with ..."
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(PIP) install --upgrade pip
	@$(PIP) install --group build
	@touch $@

$(VENV)/.installed: $(VENV)/.tools $(SOURCES)
	@echo "building the core: two to four minutes the first time, on two cores ..."
	@touch $@.begun  # a source that changes during the build is newer than this
	@$(PIP) install -v --no-build-isolation -e '.[web,tui]'
	@cp build/cp*/_core.pyi src/mossa/
	@mv $@.begun $@

$(VENV)/.test $(VENV)/.lint $(VENV)/.docs $(VENV)/.release: $(VENV)/.%: $(VENV)/.tools
	@echo "setting up $(VENV): what make $* needs ..."
	@$(PIP) install --group $*
	@touch $@
