# Needs Python 3.11 or newer, git and make; everything else is installed into .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

# What the check for plain English reads; each package has to pass it.
PACKAGES_OF_CODE := $(wildcard core/zareba/*/ rulesets/zareba_rulesets/*/ plugins/zareba_plugins/*/)
PLAIN := README.md CONTRIBUTING.md CHANGELOG.md SECURITY.md docs plugins rulesets examples core tests $(PACKAGES_OF_CODE)

PACKAGES := node_modules/.package-lock.json

.PHONY: install compare docs expected even test lint scripts types imports unit pythons deep mutations speed pictures clean

install: $(STAMP)

compare: $(STAMP)
	$(BIN)/zareba compare mission_station --games 60 --out out/mission_station

test: lint types imports unit pythons

lint: scripts $(STAMP)
	$(BIN)/ruff check core rulesets plugins examples tests docs/generate.py
	$(BIN)/ruff format --check core rulesets plugins examples tests docs/generate.py
	$(BIN)/python tests/plain_english.py $(PLAIN)

# The types of the scripts of the page. Only this needs Node.js; users need neither Node.js nor a build.
ifneq ($(shell command -v npm),)
scripts: $(PACKAGES)
	npx tsc

$(PACKAGES): package-lock.json
	npm ci --no-audit --no-fund
else
scripts:
	@echo "npm is not installed: the types of the scripts of the page are NOT checked" >&2
endif

types: $(STAMP)
	$(BIN)/mypy

imports: $(STAMP)
	$(BIN)/lint-imports

unit: $(STAMP)
	$(BIN)/pytest -n 2 --dist worksteal -m "not deep" --benchmark-disable

pythons: $(STAMP)
	$(BIN)/python tests/other_pythons.py

deep: $(STAMP) mutations
	$(BIN)/pytest -n 2 --dist worksteal -m "deep or not deep" --benchmark-disable --hypothesis-profile=searching

mutations: $(STAMP)
	for ruleset in afriboria fixed_baynet paychest risk_factor vcc; do $(BIN)/python tests/mutate.py $$ruleset --lines 60 || true; done

# SINCE: the commit to compare with. GAMES: games a round; then only play is measured, and nothing is written.
SINCE ?= 3fa54e1
speed: $(STAMP)
	$(BIN)/python -m pip install --quiet --editable '.[bench]'
	$(BIN)/python tests/benchmarks/speed_table.py --since $(SINCE) $(if $(GAMES),--games $(GAMES))

pictures: $(STAMP)
	$(BIN)/python tests/web/looks/pictures.py docs/pictures

docs: $(STAMP)
	$(BIN)/python docs/generate.py

expected: $(STAMP)
	$(BIN)/python tests/web/expected.py core/zareba/web/lobby/expected.json

even: $(STAMP)
	$(BIN)/python tests/even_forces.py

$(STAMP): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $(STAMP)

clean:
	rm -rf $(VENV) node_modules out
