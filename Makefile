# goldenhour on one page. Every target makes .venv first and installs into it what it needs, when a
# requirements file changed. Nothing here is of GNU make 4 or GNU tools alone: macOS has make 3.81.

PYTHON ?= python3
STACK ?= embedded
# As many processes as tests/conftest.py finds quickest for what is run.
WORKERS ?= auto
SEEDS ?= 200
SEED ?= 1
TARGETS ?= 20
HOURS ?= 1
# Which quarter of the costly tests runs in the targets below: one that a seed picks, or all of them.
COSTLY ?= all
TESTED := "Python 3.11."*|"Python 3.12."*|"Python 3.13."*|"Python 3.14."*
BIN := .venv/bin
MADE := .venv/.made
RUNS := .venv/.installed-run
DEVELOPS := .venv/.installed-dev

# Python keeps what it compiled: without that, each process of the stack and of the tests compiles
# every module again, and the packages are installed uncompiled.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: FORCE help run docs meta-fields test simulate check check-style check-types check-client-types check-imports check-openapi check-advisories check-advisories-strict prove \
	bench coverage format openapi tables test-client lock deploy smoke rollback front-image release import destroy deploy-check deploy-audit test-browser pictures test-node test-oracles test-bare test-pythons test-dynamodb test-localstack test-localstack-alone \
	test-moto engines

help:  ## list the targets
	@sed -nE 's/^([a-z-]+):.*## (.*)/  make \1	\2/p' Makefile | expand -t 20

define WHICH_PYTHON
import os, sys
version = sys.version.split()[0]
if sys.version_info < (3, 11):
    sys.exit("goldenhour runs on Python 3.11 to 3.14, and %s is Python %s. "
             "Name another: make PYTHON=python3.12 ..." % (sys.executable, version))
print("Python %s (%s) in %s" % (version, sys._base_executable, os.getcwd()))
endef
export WHICH_PYTHON

# Made anew when it is another Python's or was made in another folder: its programs name the folder.
$(MADE): FORCE
	@command -v $(PYTHON) >/dev/null || { \
		echo "There is no $(PYTHON) here: install Python 3.11 to 3.14, or name it:" \
			"make PYTHON=python3.12 ..." >&2; exit 1; }
	@made=`$(PYTHON) -c "$$WHICH_PYTHON"` || exit 1; \
	if ! test -x $(BIN)/python || ! test "`cat $@ 2>/dev/null`" = "$$made"; then \
		echo "Making .venv: $$made"; \
		case "$$made" in $(TESTED)) ;; *) \
			echo "Nobody has tested goldenhour on this Python, which is newer than 3.14; it is tried." >&2;; esac; \
		maker=`$(PYTHON) -c 'import sys; print(sys._base_executable)'`; \
		rm -rf .venv && "$$maker" -m venv .venv && echo "$$made" >$@; \
	fi

# uv installs in seconds what pip takes minutes for. Like pip it takes nothing but what fits the hashes
# of the lock files (`make lock`), which pin everything: nothing is left to resolve (--no-deps). Where
# uv cannot be had, or does not reach the package index that pip reaches, pip does the same.
UV := $(BIN)/uv
export UV_SYSTEM_CERTS := 1
ifdef PIP_INDEX_URL
export UV_DEFAULT_INDEX := $(PIP_INDEX_URL)
endif
PIP := $(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --no-compile --require-hashes
define install
	@echo "Installing the `grep -c '==' $(1)` packages of $(1):"
	@$(UV) pip install --python $(BIN)/python --no-deps --require-hashes -r $(1) || $(PIP) -r $(1) || { \
		case "`cat $(MADE)`" in $(TESTED)) ;; *) \
			echo "Not all packages can be had for this Python yet. Name another: make PYTHON=python3.14 ..." >&2;; esac; \
		exit 1; }
endef

$(RUNS): $(MADE) requirements.lock
	@awk '/^[A-Za-z0-9]/ { wanted = /^uv==/ } wanted' requirements-dev.lock >.venv/.uv.lock
	@$(PIP) -r .venv/.uv.lock || echo "Going on without uv."
	$(call install,requirements.lock)
	@touch $@

$(DEVELOPS): $(RUNS) requirements-dev.lock
	$(call install,requirements-dev.lock)
	@touch $@

run: $(RUNS)  ## start the whole service on this machine (STACK=localstack: against LocalStack)
	@STACK=$(STACK) exec $(BIN)/python -m chalicelib.local

test: $(DEVELOPS)  ## run the whole test suite, or a part: ONLY=tests/domain, SAMPLE=seed
	$(BIN)/python -m pytest -n $(WORKERS) $(if $(SAMPLE),--sample $(SAMPLE)) $(ONLY)

test-bare:  ## run it as a newcomer does: in a clean clone, by a user without rights who has nothing but Python, make and git
	@.ci/fresh bare

test-pythons:  ## run a twelfth of it on another Python, both picked by SEED; SEED=all runs all of it on each
	@.ci/pythons $(SEED)

check: $(DEVELOPS)  ## lint, format, types, import directions, docs/openapi.json
	@$(MAKE) --no-print-directory -j 4 check-types check-client-types check-style check-imports check-openapi check-advisories

check-style: $(DEVELOPS)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

check-types: $(DEVELOPS)
	$(BIN)/mypy

# As Python 3.10 reads it, whose cache is another than that of the rest: both are written at once.
check-client-types: $(DEVELOPS)
	$(BIN)/mypy --config-file client/pyproject.toml client/goldenhour client/examples

check-imports: $(DEVELOPS)
	$(BIN)/lint-imports --no-cache

check-openapi: $(DEVELOPS)
	@$(BIN)/python -m chalicelib.api | diff -u docs/openapi.json - || \
		{ echo "docs/openapi.json is not what the code declares: run make openapi"; exit 1; }
	@$(BIN)/python -m infra.client options | diff -u client/goldenhour/models/options.py - || \
		{ echo "The client's options are not what the code declares: run make openapi"; exit 1; }
	@$(BIN)/python -m infra.client errors | diff -u client/goldenhour/error_codes.py - || \
		{ echo "The client's errors are not what the code declares: run make openapi"; exit 1; }
	@$(BIN)/python -m infra.client models | diff -u client/goldenhour/models/answers.py - || \
		{ echo "The client's models are not what the code declares: run make openapi"; exit 1; }
	@$(BIN)/python -m infra.client spoken compared

check-advisories: $(DEVELOPS)
	@$(BIN)/python -m infra.advisories

# Where the list cannot be asked this fails, unless ADVISORIES_UNKNOWN says why that is accepted.
check-advisories-strict: $(DEVELOPS)  ## as a release needs it: whether packages have advisories must be known
	@$(BIN)/python -m infra.advisories --strict

# With the same .venv, against the whole service on this machine; one test installs the client into
# an environment of its own, from the package index. Each of two processes starts a service.
test-client: $(DEVELOPS)  ## run the tests of the client, the command and the assistant server
	$(BIN)/python -m pytest -c client/pyproject.toml --rootdir client -m "install or not install" --costly $(COSTLY) -n 2 --dist loadfile \
		$(or $(ONLY),client/tests)

# What every engine must carry: rows and files, the engine's faults, whole stories, every API call.
# And the simulation's model of DynamoDB must answer as each engine does.
ON_ENGINES := tests/storage tests/kit/dynamodb tests/workers/publishing/failures/test_faults.py tests/journeys \
	tests/api/state_machine tests/simulation/test_model_against_emulator.py tests/services/posts/test_erasures.py \
	tests/services/operator/test_deletion.py tests/services/operator/test_deletion_stops.py

pictures: $(DEVELOPS)  ## make the pictures of the app in docs/images, or some: ONLY="home posts"
	$(BIN)/python -m tests.browser.pictures docs/images $(ONLY)

test-browser: $(DEVELOPS)  ## drive the app in Chromium (apt-get install chromium); screenshots in build/
	$(BIN)/python -m pytest -m browser --costly $(COSTLY) -n 2 tests/browser tests/attacks

prove: $(DEVELOPS)  ## run every long proof in full and print its figures
	$(BIN)/python -m pytest -m "prove or costly" --costly all -s
	$(BIN)/python -m pytest -c client/pyproject.toml --rootdir client -m costly --costly all -s client/tests
	@if command -v mvn >/dev/null && command -v java >/dev/null; then \
		$(BIN)/python -m pytest -m "prove or costly" --costly all -s --engine dynamodb-local $(ON_ENGINES); \
	else echo "Without Maven and a JDK nothing was proven on DynamoDB Local." >&2; fi
	@SEED= $(MAKE) --no-print-directory test-oracles
	@.ci/pythons all

simulate: $(DEVELOPS)  ## run the engine on virtual time over models of AWS: SEEDS=200 [TARGETS=20] [HOURS=1]
	$(BIN)/python -m tests.simulation --seeds $(SEEDS) --targets $(TARGETS) --hours $(HOURS)

bench: $(DEVELOPS)  ## measure speed, memory and cost
	$(BIN)/python -m benchmarks

coverage: $(DEVELOPS)  ## run the tests and say which lines and branches they miss
	$(BIN)/python -m pytest -n $(WORKERS) --cov --cov-report=term-missing

format: $(DEVELOPS)  ## format the code and sort imports
	$(BIN)/ruff check --fix-only --quiet .
	$(BIN)/ruff format .

tables: $(DEVELOPS)  ## write the tables of docs/api.md, personal-data.md, security-model.md and connectors.md
	$(BIN)/python -m tests.repository.docs.tables
	$(BIN)/python -m tests.repository.docs.personal_data
	$(BIN)/python -m tests.repository.docs.security_model
	$(BIN)/python -m tests.connectors.proofs > docs/connectors.md.new
	mv docs/connectors.md.new docs/connectors.md
	$(BIN)/python -m tests.connectors.proofs.refusals > docs/connectors/refusals.md.new
	mv docs/connectors/refusals.md.new docs/connectors/refusals.md
	$(BIN)/python -m tests.connectors.proofs.versions > docs/connectors/versions.md.new
	mv docs/connectors/versions.md.new docs/connectors/versions.md

docs: $(DEVELOPS)  ## build docs/ as a site with search into build/docs; `make run` then serves it at /docs
	$(BIN)/python -m infra.docs_site

META_CLIENT := facebook-business==26.0.3

meta-fields:  ## read anew what Meta's own client lets calls carry, in an environment of its own
	$(PYTHON) -m venv .venv-meta
	.venv-meta/bin/pip install --quiet --no-deps $(META_CLIENT)
	$(BIN)/python -m tests.connectors.shared.meta.client_fields \
		.venv-meta/lib/python3*/site-packages/facebook_business/adobjects \
		$(lastword $(subst ==, ,$(META_CLIENT))) > tests/connectors/shared/meta/fields.json.new
	mv tests/connectors/shared/meta/fields.json.new tests/connectors/shared/meta/fields.json
	rm -rf .venv-meta

openapi: $(DEVELOPS)  ## write docs/openapi.json, the client's options, errors and models
	$(BIN)/python -m chalicelib.api > docs/openapi.json.new
	mv docs/openapi.json.new docs/openapi.json
	$(BIN)/python -m infra.client options > client/goldenhour/models/options.new
	mv client/goldenhour/models/options.new client/goldenhour/models/options.py
	$(BIN)/python -m infra.client errors > client/goldenhour/error_codes.new
	mv client/goldenhour/error_codes.new client/goldenhour/error_codes.py
	$(BIN)/python -m infra.client models > client/goldenhour/models/answers.new
	mv client/goldenhour/models/answers.new client/goldenhour/models/answers.py
	$(BIN)/python -m infra.client spoken

LOCK := $(UV) pip compile -q --upgrade --generate-hashes --python $(BIN)/python --unsafe-package pip \
	--no-header --no-annotate

lock: $(RUNS)  ## write the lock files anew: all that is pinned, with the hashes of every file of it
	$(LOCK) -o requirements.lock requirements-run.txt
	$(LOCK) -o requirements-telemetry.lock requirements-telemetry.txt
	$(LOCK) -o requirements-dev.lock requirements-dev.txt

deploy: $(DEVELOPS)  ## deploy to AWS: STAGE=prod [SET="PublicUrl=https://…"] [ARCHITECTURE=x86_64] [AT_ONCE=1] [YES=1]; shows the changes first; a tenth of all calls for ten minutes, then all
	@$(BIN)/python -m infra.deploy --stage "$(STAGE)" $(if $(ARCHITECTURE),--architecture $(ARCHITECTURE)) $(foreach pair,$(SET),--set "$(pair)") $(if $(AT_ONCE),--at-once) $(if $(YES),--yes)
	@$(BIN)/python -m infra.smoke --stage "$(STAGE)" --dns-may-follow

smoke: $(DEVELOPS)  ## publish one post by a test account on a deployed stage: STAGE=prod
	@$(BIN)/python -m infra.smoke --stage "$(STAGE)"

rollback: $(DEVELOPS)  ## let a deployed stage run the release before, in seconds: STAGE=prod [TO=release]
	@$(BIN)/python -m infra.releases --stage "$(STAGE)" $(if $(TO),--to "$(TO)")
	@$(BIN)/python -m infra.smoke --stage "$(STAGE)"

release: check  ## check, build and tag the version of chalicelib/domain/version.py
	@$(BIN)/python -m infra.release

front-image: $(DEVELOPS)  ## build and push the upload front's image: REPOSITORY=….amazonaws.com/goldenhour-front
	@image=`$(BIN)/python -m infra.front.image --repository "$(REPOSITORY)"` && \
		docker build -f infra/front/Dockerfile -t "$$image" . && docker push "$$image"

import: $(DEVELOPS)  ## make a stack around the data that a deleted one left: STAGE=prod [KEY=id] [YES=1]
	@$(BIN)/python -m infra.reimport --stage "$(STAGE)" $(if $(KEY),--key "$(KEY)") $(if $(YES),--yes)

destroy: $(DEVELOPS)  ## delete a deployed stage: STAGE=dev; refuses while it holds data, but for WITH_DATA=1
	@$(BIN)/python -m infra.destroy --stage "$(STAGE)" $(if $(WITH_DATA),--with-data)

deploy-check: $(DEVELOPS)  ## package everything and prove it in an emulated cloud, without an AWS account
	@mkdir -p build; rm -f build/deploy-figures.txt
	$(BIN)/python -m pytest tests/deployment -m "$(or $(MARKED),deploy or not deploy)" --costly $(COSTLY) -n 2 2>build/deploy-check.log
	@test ! -f build/deploy-figures.txt || cat build/deploy-figures.txt  # of tests that are costly

# checkov has sixty packages of its own: an environment of its own.
deploy-audit: $(DEVELOPS)  ## hold the template against checkov's rules; infra/checkov.yaml has the exceptions
	@test -x build/audit/bin/checkov || { $(UV) venv -q --clear --python $(BIN)/python build/audit && \
		$(UV) pip install -q --python build/audit/bin/python checkov==3.3.30; }
	$(BIN)/python -m infra.template --stage prod >build/audit/template.json
	build/audit/bin/checkov --config-file infra/checkov.yaml -f build/audit/template.json

test-node: $(DEVELOPS)  ## run the tests against other programs: Bluesky's own server, linters of OpenAPI and HTML, generators
	$(BIN)/python -m pytest -m node --costly $(COSTLY) $$(grep -rl --include='test_*.py' 'mark\.node' tests)

test-oracles: $(DEVELOPS)  ## read what leaves with exiftool and ffprobe (apt-get install libimage-exiftool-perl ffmpeg libreoffice-calc-nogui)
	$(BIN)/python -m pytest -m oracle --costly $(COSTLY) -n 2 $$(grep -rlE --include='test_*.py' 'mark\.oracle|needs_exiftool' tests)

# Left out: what is in a file has to do with no table, and a stack with a wrong clock is held to its
# seconds, which it cannot keep beside another step (`make prove` has it on this engine, too).
# Each process starts an engine of its own, whose Java takes the processor for seconds until it is quick.
test-dynamodb: $(DEVELOPS)  ## run the suites that touch tables on Amazon's DynamoDB Local (needs Maven)
	$(BIN)/python -m pytest -n 2 --engine dynamodb-local --costly $(COSTLY) $(ON_ENGINES) \
		--ignore=tests/journeys/test_no_place_leaves.py --ignore=tests/journeys/test_wrong_clock.py

test-localstack: $(DEVELOPS)  ## run them on LocalStack: the one it finds, or one of its own without Docker
	$(BIN)/python -m pytest --engine localstack -m "not prove and not deploy" tests/servers/localstack $(ON_ENGINES)

test-localstack-alone: $(DEVELOPS)  ## run what only LocalStack can show, and hold the table of docs/localstack.md to it
	$(BIN)/python -m benchmarks.engines --check localstack tests/servers/localstack

engines: $(DEVELOPS)  ## run these suites on every engine and write the table of docs/localstack.md
	$(BIN)/python -m benchmarks.engines

test-moto: $(DEVELOPS)  ## run the storage tests that need one thread, and a post's whole way, on moto
	$(BIN)/python -m pytest --engine moto tests/storage tests/kit/dynamodb tests/journeys/test_post_through_app.py
