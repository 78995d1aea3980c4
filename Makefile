# goldenhour on one page. Every target makes .venv first and installs into it when a
# requirements file changed.

PYTHON ?= python3
STACK ?= embedded
BIN := .venv/bin
INSTALLED := .venv/.installed

.DEFAULT_GOAL := help
.PHONY: help run test check prove bench coverage format openapi deploy destroy deploy-check test-localstack

help:  ## list the targets
	@sed -nE 's/^([a-z-]+):.*## (.*)/  make \1	\2/p' Makefile | expand -t 20

$(INSTALLED): requirements.txt requirements-dev.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@

run: $(INSTALLED)  ## start the whole service on this machine (STACK=localstack: against LocalStack)
	@STACK=$(STACK) exec $(BIN)/python -m chalicelib.local

test: $(INSTALLED)  ## run the whole test suite
	$(BIN)/python -m pytest

check: $(INSTALLED)  ## lint, format, types, import directions, docs/openapi.json
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/python -m chalicelib.api | diff -u docs/openapi.json - || \
		{ echo "docs/openapi.json is not what the code declares: run make openapi"; exit 1; }

prove: $(INSTALLED)  ## run every long proof in full and print its figures
	$(BIN)/python -m pytest -m prove -s

bench: $(INSTALLED)  ## measure speed, memory and cost
	$(BIN)/python -m benchmarks

coverage: $(INSTALLED)  ## run the tests and say which lines and branches they miss
	$(BIN)/python -m pytest --cov --cov-report=term-missing

format: $(INSTALLED)  ## format the code and sort imports
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format .

openapi: $(INSTALLED)  ## write docs/openapi.json from the endpoints' declarations
	$(BIN)/python -m chalicelib.api > docs/openapi.json.new
	mv docs/openapi.json.new docs/openapi.json

deploy: $(INSTALLED)  ## deploy to AWS: STAGE=prod [SET="PublicUrl=https://…"] [YES=1]; shows the changes first
	@$(BIN)/python -m infra.deploy --stage "$(STAGE)" $(foreach pair,$(SET),--set "$(pair)") $(if $(YES),--yes)

destroy: $(INSTALLED)  ## delete a deployed stage: STAGE=dev; refuses while it holds data
	@$(BIN)/python -m infra.destroy --stage "$(STAGE)"

deploy-check: $(INSTALLED)  ## package everything and prove it in an emulated cloud, without an AWS account
	@mkdir -p build
	$(BIN)/python -m pytest tests/deployment -m "deploy or not deploy" -s 2>build/deploy-check.log

test-localstack: $(INSTALLED)  ## run the tests that need a LocalStack at AWS_ENDPOINT_URL
	$(BIN)/python -m pytest tests/localstack -m localstack
