# Works with GNU make 3.81 and later, the one of macOS included.

# The first of these that is Python 3.11 or later; `make lab PYTHON=/path/to/python` chooses another.
PYTHON ?= $(shell for python in python3 python3.13 python3.12 python3.11; do \
	  $$python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && exit; \
	done; echo python3)
BIN := .venv/bin
INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

# A virtual environment does not survive a move of its folder, nor the loss of its Python: then it is made anew.
ifneq ($(shell $(BIN)/python -c '' 2>/dev/null && cat .venv/place 2>/dev/null),$(CURDIR))
$(shell rm -f .venv/*.stamp)
endif

.PHONY: lab lab-fr lab-en env test nbgrader build check

lab: .venv/reader.stamp
	$(BIN)/ragteach lab

lab-fr: .venv/reader.stamp
	$(BIN)/ragteach lab --lang fr

lab-en: .venv/reader.stamp
	$(BIN)/ragteach lab --lang en

test: env
	$(BIN)/pytest -n 2 --dist loadfile

env: .venv/test.stamp

# nbgrader in an environment of its own: `make test` then compares its grades with ours.
nbgrader: .venv/nbgrader.stamp

# Notebooks from course/; `check` executes nothing and fails where a stored notebook is not what its source makes.
build: env
	$(BIN)/ragteach build

check: env
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/ragteach build --check

.venv/pip.stamp:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "ragteach needs Python 3.11 or later, but $(PYTHON) is $$($(PYTHON) --version 2>&1): install a newer one, then run make again with PYTHON=/path/to/python."; \
	  exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "$(PYTHON) cannot make a virtual environment: install its venv module (Debian and Ubuntu: sudo apt-get install python3-venv), then run make again."; \
	  exit 1; }
	@$(PYTHON) -m venv --clear .venv
	@echo "$(CURDIR)" > .venv/place
	@touch $@

# `reader` is what the course needs, `test` what tests and authors need on top of it.
.venv/reader.stamp: .venv/pip.stamp pyproject.toml constraints.txt
	@echo "Installing the course into .venv (one to three minutes, the first time only) ..."
	@$(INSTALL) --editable .
	@touch $@

.venv/test.stamp: .venv/pip.stamp pyproject.toml constraints.txt
	@echo "Installing the course and its tests into .venv (one to three minutes, the first time only) ..."
	@$(INSTALL) --editable '.[test]'
	@touch .venv/reader.stamp $@

.venv/nbgrader.stamp: .venv/pip.stamp pyproject.toml constraints.txt
	@echo "Installing the course and nbgrader into .venv/nbgrader (one to three minutes, the first time only) ..."
	@$(PYTHON) -m venv --clear .venv/nbgrader
	@.venv/nbgrader/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable . 'nbgrader>=0.9.5'
	@touch $@
