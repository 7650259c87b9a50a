# The commands of the README. Nothing is assumed but Python 3.11+ and make.
PYTHON ?= python3
BIN := .venv/bin
CORPUS := .demo/corpus
# As a path of the environment, so that type checkers find the package too.
EDITABLE := --config-settings editable_mode=compat --editable

.PHONY: install dev demo test test-servers test-model test-models lint docs pages pictures stress measure bench lock clean

install: .venv/.installed
dev: .venv/.dev

.venv/.installed: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Pincite needs Python 3.11 or later; $(PYTHON) is older. Try: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check $(EDITABLE) .
	@touch $@

.venv/.dev: .venv/.installed
	$(BIN)/pip install --quiet --disable-pip-version-check $(EDITABLE) '.[dev]'
	@touch $@

.venv/.local: .venv/.installed
	$(BIN)/pip install --quiet --disable-pip-version-check $(EDITABLE) '.[local]'
	@touch $@

# With a language model of this machine, which is brought once.
demo: .venv/.local
	@$(BIN)/pincite models get || echo "The model could not be fetched: the questions are answered without one."
	@$(BIN)/pincite index examples/files --corpus $(CORPUS) --metadata examples/metadata.csv
	@while IFS= read -r question; do $(BIN)/pincite ask "$$question" --corpus $(CORPUS) || exit 1; done < examples/questions.txt

test: dev
	$(BIN)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder

# The tests that start servers, browsers and clusters, end processes, attack, or try many inputs.
test-servers: dev
	$(BIN)/python -m pytest -m 'servers and not stress and not model' -n auto --dist loadfile --no-loadscope-reorder

# The tests that ask a real model every form and recipe, or need right answers of it. PINCITE_TEST_WEIGHTS names its folder.
test-model: dev
	timeout 1500 $(BIN)/python -m pytest -m model --durations 5

# The tests of the extra `rerankers`, which brings torch: in an environment of its own.
test-models: .venv-models/.dev
	.venv-models/bin/python -m pytest tests/models/test_weights.py

.venv-models/.dev: pyproject.toml
	$(PYTHON) -m venv .venv-models
	.venv-models/bin/pip install --quiet --disable-pip-version-check torch==2.13.0
	.venv-models/bin/pip install --quiet --disable-pip-version-check $(EDITABLE) '.[dev,rerankers]'
	@touch $@

lint: dev
	$(BIN)/ruff check .
	$(BIN)/mypy

# The site, strictly, into site/.
docs: dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet

# Every command and block that the site shows, run as it stands.
pages: docs
	PINCITE_SITE=$(CURDIR)/site $(BIN)/python -m pytest tests/docs -m 'stress or not stress' -n auto

pictures: dev
	$(BIN)/python scripts/docs/pictures.py

stress: dev
	$(BIN)/python -m pytest tests -m stress

measure: dev
	$(BIN)/python -m benchmarks.measuring $(SET) $(if $(MODEL),--model)

# The exact versions, with their hashes, that a release was tested with: of the default install, and of all extras that users take.
# Pins that still fit stay; `make lock NEWER=--upgrade` takes the newest of everything.
EXTRAS := cluster duckdb docling frames lab langchain llamaindex local mcp milvus models multilingual ocr office postgres remote rerankers web
LOCK := .venv-lock/bin/uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --only-binary :all: \
	--generate-hashes --no-header --no-annotate $(NEWER)

lock: .venv-lock/bin/uv
	$(LOCK) $(EXTRAS:%=--extra %) --output-file requirements-all.lock
	$(LOCK) --output-file requirements.lock

.venv-lock/bin/uv:
	$(PYTHON) -m venv .venv-lock
	.venv-lock/bin/pip install --quiet --disable-pip-version-check 'uv>=0.4'

clean:
	rm -rf .venv .venv-models .venv-lock .demo build site *.egg-info
