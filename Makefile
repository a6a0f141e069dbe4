# privguard: every target sets itself up. Nothing is assumed but Python >= 3.11, make and pip.
#   make demo    see a wrapped OpenAI client at work (a scripted model; nothing leaves this machine)
#   make test    run the test suite
#   make test-long  the tests that take many seconds each: thousands of requests, floods, megabytes
#   make lint    style, types, layers
#   make check   lint, documentation, and all three test suites: what the continuous integration runs
#   make bench   the benchmarks (relative figures; minutes)
#   make exams   the exams for gateways and streams that others wrote, in an environment of its own (.venv-exams)
#   make test-litellm   the tests of the LiteLLM adapter and its proxy, in an environment of its own (.venv-litellm)
#   make test-train   the tests of the training code, with PyTorch in an environment of its own (.venv-train)

PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
QUIET_PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
TRAIN_VENV := .venv-train
TRAIN_STAMP := $(TRAIN_VENV)/.installed
EXAMS_VENV := .venv-exams
EXAMS_STAMP := $(EXAMS_VENV)/.installed
LITELLM_VENV := .venv-litellm
LITELLM_STAMP := $(LITELLM_VENV)/.installed

# Compiled code is kept, whatever the environment says: otherwise every run compiles all tests anew, and every process
# that a test starts compiles all of privguard.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test test-litellm test-long test-train exams lint types layers docs check bench clean

$(STAMP): pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "privguard needs Python 3.11 or newer; set PYTHON=/path/to/python"; exit 1; }
	@echo "==> Setting up $(VENV) with $(PYTHON) (minutes, once)"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(QUIET_PIP) --constraint constraints.txt --editable '.[anthropic,cpu,crypto,gateway,langchain,openai,otel,postgres,presidio,redis,dev]'
	@touch $@

$(TRAIN_STAMP): pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "privguard needs Python 3.11 or newer; set PYTHON=/path/to/python"; exit 1; }
	@echo "==> Setting up $(TRAIN_VENV) with $(PYTHON) (PyTorch is large: minutes, once)"
	@test -x $(TRAIN_VENV)/bin/python || $(PYTHON) -m venv $(TRAIN_VENV)
	@$(TRAIN_VENV)/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt \
		--editable '.[train,cpu,dev]'
	@touch $@

$(EXAMS_STAMP): pyproject.toml constraints.txt constraints-exams.txt
	@test -n "$(PYTHON)" || { echo "privguard needs Python 3.11 or newer; set PYTHON=/path/to/python"; exit 1; }
	@echo "==> Setting up $(EXAMS_VENV) with $(PYTHON)"
	@test -x $(EXAMS_VENV)/bin/python || $(PYTHON) -m venv $(EXAMS_VENV)
	@$(EXAMS_VENV)/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt \
		--constraint constraints-exams.txt --editable '.[cpu,gateway]' 'chunk-invariance[hypothesis]' \
		'pii-leak-benchmark[validate]'
	@touch $@

$(LITELLM_STAMP): pyproject.toml constraints-litellm.txt
	@test -n "$(PYTHON)" || { echo "privguard needs Python 3.11 or newer; set PYTHON=/path/to/python"; exit 1; }
	@echo "==> Setting up $(LITELLM_VENV) with $(PYTHON) (the LiteLLM proxy is large: minutes, once)"
	@test -x $(LITELLM_VENV)/bin/python || $(PYTHON) -m venv $(LITELLM_VENV)
	@$(LITELLM_VENV)/bin/python -m pip install --quiet --disable-pip-version-check --constraint constraints-litellm.txt \
		--editable '.[anthropic,cpu,crypto,litellm,openai,redis]' 'litellm[proxy]' fakeredis hypothesis httpx \
		pytest pytest-asyncio pytest-benchmark pytest-socket pytest-xdist
	@touch $@

demo: $(STAMP)
	@echo "==> A real OpenAI client, wrapped by one line, against a scripted model on this machine"
	@$(BIN)/privguard demo

test: $(STAMP)
	@echo "==> Running the tests (no network but loopback)"
	@$(BIN)/python -m pytest -q --numprocesses auto --maxprocesses 8 --dist loadfile

test-long: $(STAMP)
	@echo "==> Running the long tests (no network but loopback)"
	@$(BIN)/python -m pytest -q -m long --numprocesses auto --maxprocesses 8 --dist load

test-litellm: $(LITELLM_STAMP)
	@echo "==> Running the tests of the LiteLLM adapter (loopback only)"
	@$(LITELLM_VENV)/bin/python -m pytest -q --numprocesses auto --maxprocesses 8 --dist loadfile tests/litellm

test-train: $(TRAIN_STAMP)
	@echo "==> Running the tests of the training code (small networks, one thread)"
	@OMP_NUM_THREADS=1 $(TRAIN_VENV)/bin/python -m pytest -q tests/research/training

exams: $(EXAMS_STAMP)
	@echo "==> Taking the exams that others wrote (loopback only; minutes)"
	@$(EXAMS_VENV)/bin/python -m benchmarks.exams.run

lint: $(STAMP)
	@echo "==> Style"
	@$(BIN)/ruff check . && $(BIN)/ruff format --check .
	@echo "==> Types (strict, code and tests)"
	@$(BIN)/mypy
	@echo "==> Layers"
	@$(BIN)/lint-imports

# Without --quiet: it hides the warnings from --strict as well, which then refuses nothing.
docs: $(STAMP)
	@echo "==> Documentation site in site/"
	@$(BIN)/mkdocs build --strict

check: lint docs test test-long test-litellm

bench: $(STAMP)
	@echo "==> Benchmarks (relative figures; see docs/benchmarks.md)"
	@$(BIN)/python -m benchmarks.restore.run
	@$(BIN)/python -m benchmarks.audit.run
	@$(BIN)/python -m benchmarks.vault.run
	@$(BIN)/python -m benchmarks.startup.run

clean:
	rm -rf $(VENV) $(TRAIN_VENV) $(EXAMS_VENV) $(LITELLM_VENV) site build dist .mypy_cache .ruff_cache .hypothesis
