# The few words of this project; CI calls these and nothing else.
PYTHON ?= python3.11
BIN := .venv/bin
# Folder of the public data sets that training reads.
DATA ?= ../shared/data
# Rows of benchmarks, and which benchmarks are run; tests/benchmarks/README.md describes both.
HISTORY ?= build/bench.jsonl
BENCH ?= tests/benchmarks

.PHONY: help setup demo up test unit check fmt bench bench-history lock sbom train-smoke public-data clean

help: ## what there is
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*##/\t/'

setup: .venv/.ready ## everything into .venv, from hash-pinned requirements

.venv/.ready: requirements/dev.txt pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

demo: setup ## real caller turns through a real broker, a real Valkey and a hot worker
	$(BIN)/turngate demo

up: setup ## broker, Valkey and a hot worker, until Ctrl-C
	$(BIN)/turngate up

test: unit ## unit, integration and acceptance tests
	$(BIN)/pytest tests/integration tests/acceptance

unit: setup ## the tests that need no services, on all cores
	$(BIN)/pytest -n auto tests/unit

check: setup ## format, lint, types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy topics models workers tests

fmt: setup ## format and fix what can be fixed
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: setup ## benchmarks, all or BENCH=FILE; each prints one row of JSON and adds it to HISTORY
	BENCH_HISTORY=$(HISTORY) $(BIN)/pytest -m benchmark -s $(BENCH)

bench-history: setup ## what the benchmarks found, latest against earlier; all rows of NAME="..."
	$(BIN)/python -m tests.benchmarks.history $(HISTORY) $(if $(NAME),"$(NAME)")

lock: setup ## compile the hash-pinned requirements
	$(BIN)/uv pip compile -q pyproject.toml --universal --python-version 3.11 --generate-hashes \
		--no-emit-index-url --no-annotate --custom-compile-command "make lock" -o requirements/runtime.txt
	$(BIN)/uv pip compile -q pyproject.toml --extra embedded --extra dev --universal --python-version 3.11 --generate-hashes \
		--no-emit-index-url --no-annotate --custom-compile-command "make lock" -o requirements/dev.txt

sbom: build/sbom.cdx.json ## what is in the image, as CycloneDX

build/sbom.cdx.json: setup requirements/runtime.txt
	@mkdir -p build
	$(BIN)/cyclonedx-py requirements requirements/runtime.txt --pyproject pyproject.toml --of JSON -o $@

train-smoke: public-data .venv-train/.ready ## every stage that makes judge and encoder, on a tiny scale; torch in a venv of its own
	.venv-train/bin/python -m models.pipeline.judge --data $(DATA) --out runs/smoke --tiny
	.venv-train/bin/python -m models.pipeline.encoder --data $(DATA) --out runs/smoke --tiny

public-data:
	@test -d $(DATA) || { echo "make: no public data sets in $(DATA); name their folder with DATA=FOLDER" >&2; exit 1; }

.venv-train/.ready: pyproject.toml
	$(PYTHON) -m venv .venv-train
	.venv-train/bin/python -m pip install --quiet --disable-pip-version-check torch==2.13.0
	.venv-train/bin/python -m pip install --quiet --disable-pip-version-check -e '.[train]'
	@touch $@

clean: ## remove everything that setup, tests and training made
	rm -rf build .venv .venv-train .pytest_cache .mypy_cache .ruff_cache .hypothesis runs *.egg-info
