# Every target does its own set-up; a fresh clone needs Python 3.11 or later with venv and headers, gcc and make.

PYTHON ?= python3
BIN := .venv/bin
KERNELS := $(wildcard rules/*.py rules/*.pxd engine/*.py engine/*.pxd training/*.py training/*.pxd) setup.py
BUILT := .venv/.built
DEVELOPMENT := .venv/.development
PEERS := .peers/.installed

# Debian's python3 comes without what a C compiler and a virtual environment need: say so before pip does at length.
define CHECK
import importlib.util, os, sys, sysconfig
if sys.version_info < (3, 11):
    sys.exit("Python 3.11 or later is needed: make PYTHON=...")
if not os.path.exists(os.path.join(sysconfig.get_paths()["include"], "Python.h")):
    sys.exit("The C headers of Python are missing: apt install python3-dev")
if importlib.util.find_spec("ensurepip") is None:
    sys.exit("The venv module of Python is incomplete: apt install python3-venv")
endef
export CHECK

.PHONY: serve test test-interpreted lint format bench build peers vectors soak clean

serve: $(BUILT)  ## our engine waits for DXP programs on 127.0.0.1:27531; more flags by ARGS="..."
	$(BIN)/bonnard serve $(ARGS)

test: $(DEVELOPMENT) $(PEERS)  ## the suite, with the peers as processes
	$(BIN)/python -m pytest -q $(ARGS)

test-interpreted: $(DEVELOPMENT)  ## the rules kernels as plain Python, from a copy of the tree without compiled files
	rm -rf build/interpreted && mkdir -p build/interpreted
	git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t build/interpreted
	cd build/interpreted && BONNARD_INTERPRETED=1 ../../$(BIN)/python -m pytest -q -m "rules and not vectors" \
		$$(grep -l "pytest.mark.rules" tests/test_*.py) $(ARGS)

lint: $(DEVELOPMENT)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(DEVELOPMENT)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(DEVELOPMENT) $(PEERS)  ## our speed beside the peers', and the server under load
	$(BIN)/bonnard bench
	for name in perft api pdn bitbase hub_latency serve; do $(BIN)/python -m benchmarks.$$name || exit 1; done

build: $(BUILT)  ## the wheel, in dist/
	$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir dist .
	@ls dist/*.whl

peers: $(PEERS)  ## dame-rs, py-draughts and pydraughts, one environment each, in .peers/

vectors: $(DEVELOPMENT)  ## what is too long for the suite: the deep perft rows
	$(BIN)/python -m pytest -q -m vectors $(ARGS)

soak: $(DEVELOPMENT)  ## engines killed at random moments of many games, and mutants of the move generator
	$(BIN)/python -m pytest -q -m soak $(ARGS)

clean:
	rm -rf .venv .peers build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis *.egg-info
	find rules engine training -name '*.so' -delete

$(BUILT): pyproject.toml $(KERNELS)
	@$(PYTHON) -c "$$CHECK"
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(DEVELOPMENT): $(BUILT)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev,train]'
	@touch $@

# Two of them own the same import name, and none is a dependency of ours: an environment each.
$(PEERS): tests/peers/requirements.txt
	while read -r peer; do \
		$(PYTHON) -m venv .peers/$${peer%%==*} && \
		.peers/$${peer%%==*}/bin/python -m pip install --quiet --disable-pip-version-check "$$peer" || exit 1; \
	done < $<
	@touch $@
