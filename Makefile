# Every target creates what it needs: none has to be run before another.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
LOCK := .ci/constraints.txt
# what builds this package is locked, too
export PIP_BUILD_CONSTRAINT := $(LOCK)

.DEFAULT_GOAL := help
.PHONY: help demo test test-all lint types bench scoreboard reproduce site api stan stan-test sample-data lock clean

help:  ## show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

$(BIN)/bcompare: pyproject.toml $(LOCK)
	$(PYTHON) -I -m venv $(VENV)
	$(BIN)/python -I -m pip install --quiet --constraint $(LOCK) --upgrade pip
	$(BIN)/python -I -m pip install --quiet --constraint $(LOCK) --editable .
	@touch $@

$(VENV)/dev: $(BIN)/bcompare $(LOCK)
	$(BIN)/python -I -m pip install --quiet --constraint $(LOCK) --group dev \
		--editable '.[plot,report,parquet,excel,frames,stan,inspect,dask]'
	@touch $@

demo: $(BIN)/bcompare  ## install, and compare the classifiers of the sample data
	$(BIN)/bcompare ttest sample_data/results.csv --dataset two_hard --left knn --right forest

test: $(VENV)/dev  ## install, and run the tests but for the long ones
	$(BIN)/python -m pytest -n auto -m "not long"

test-all: $(VENV)/dev  ## run all tests, as continuous integration does
	$(BIN)/python -m pytest -n auto

lint: $(VENV)/dev  ## check style, the workflows, and what repositories ought to have
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/zizmor --offline --quiet .github
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.dependabot .github/dependabot.yml
	$(BIN)/repo-review .
	$(BIN)/python .lab/lint/packed.py
	$(BIN)/python .lab/site/build.py api

# What a platform changes are the names in Python's library: the types of other packages take long.
ELSEWHERE := $(BIN)/mypy --config-file= --python-version 3.11 --no-site-packages \
	--ignore-missing-imports --cache-dir=/dev/null bcompare --platform

types: $(VENV)/dev  ## check types, as on each platform
	$(BIN)/mypy
	$(ELSEWHERE) win32
	$(ELSEWHERE) darwin

lock: $(VENV)/dev  ## lock what development installs at its newest versions
	$(BIN)/uv pip compile --quiet --upgrade --universal --no-header --no-annotate \
		--all-extras --group dev pyproject.toml --output-file $(LOCK)

bench: $(VENV)/dev  ## measure speed, side by side with the alternatives
	$(BIN)/python .lab/benchmarks/run.py

REPS ?= short
STUDY ?=
# The address of a Dask scheduler, whose workers need this folder and .lab on their PYTHONPATH.
SCHEDULER ?=
# The folder of the real results that two of the papers' tables rest on: uci54.csv.
DATA ?= .
$(VENV)/peers: $(VENV)/dev
	$(BIN)/python -I -m pip install --quiet --constraint $(LOCK) --editable '.[peers]' && touch $@ || \
	echo 'the other tools did not install: the scoreboard leaves them out'

SEED ?= 1
scoreboard: $(VENV)/peers  ## how often comparison tools are wrong, in ten minutes; REPS=paper in full, SEED=2 another run
	$(BIN)/python .lab/scoreboard/run.py --reps $(REPS) --seed $(SEED)

reproduce: $(VENV)/dev  ## repeat the papers' simulations and ours; REPS=paper in full, STUDY=fig2 one, SCHEDULER=tcp://HOST:PORT elsewhere
	DATA=$(DATA) $(BIN)/python .lab/studies/run.py --reps $(REPS) $(if $(filter paper,$(REPS)),--save) \
		$(if $(SCHEDULER),--scheduler $(SCHEDULER)) $(STUDY)

site: $(VENV)/dev  ## build the documentation as a site, in build/site
	$(BIN)/python .lab/site/build.py build/site

api: $(VENV)/dev  ## compare the public API with that of the last tag
	$(BIN)/python .lab/site/build.py api

stan: $(BIN)/bcompare  ## install CmdStan, for --engine stan (2.27 or later works)
	$(BIN)/python -I -m pip install --quiet --constraint $(LOCK) --editable '.[stan]'
	$(BIN)/python -I -m cmdstanpy.install_cmdstan

stan-test: $(VENV)/dev  ## build CmdStan 2.27 once, and test the Stan engine on it
	CMDSTAN="$$($(BIN)/python tests/build_cmdstan.py)" && export CMDSTAN && \
	$(BIN)/python -m pytest -m cmdstan tests/methods/hierarchical

sample-data: $(VENV)/dev  ## make the sample data again
	$(BIN)/python sample_data/make_sample_data.py

clean:  ## remove the environment and all caches
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
