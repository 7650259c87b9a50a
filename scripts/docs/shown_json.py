"""What `--json` prints, shown by running the commands over the example reports."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from typer.testing import CliRunner

from pincite.cli.main import app

EXAMPLES = Path(__file__).parents[2] / "examples"
TAX = "What was the income tax expense of Halvorsen Maritime in 2023?"
RUNS = (
    ("index", "index examples/files --metadata examples/metadata.csv --corpus reports.corpus"),
    ("ask", f'ask "{TAX}" --corpus reports.corpus'),
    ("batch", "batch questions.jsonl --out answers.jsonl --corpus reports.corpus"),
    ("search", 'search "income tax" -k 2 --corpus reports.corpus'),
    ("list", "list --corpus reports.corpus"),
    ("status", "status --corpus reports.corpus"),
    ("cost", "cost --corpus reports.corpus"),
    ("doctor", "doctor"),
)
"""The commands that are shown, each after what it needs."""
LONGEST = 3
"""Members of a list that are shown."""
_LEFT = {"home", "folder", "path", "python", "corpus"}
"""Fields that hold a place of this machine."""


@contextmanager
def indexed_examples() -> Iterator[Path]:
    """A corpus of the example reports, in a temporary folder."""
    from pincite.workbench.library import index

    with TemporaryDirectory() as folder:
        corpus = Path(folder) / "reports"
        index(EXAMPLES / "files", corpus, metadata=EXAMPLES / "metadata.csv")
        yield corpus


def shown_json() -> str:
    """The page: for each command the line that was run and what it printed."""
    parts = [
        "# JSON output",
        "Every command except `mcp` takes `--json`. It prints one JSON object, or one a line where results come one by one. "
        "The outputs below were printed while this page was built; long lists are cut.\n",
        "An error goes to the standard error as text, and the exit code is not 0.",
    ]
    with TemporaryDirectory() as folder:
        work = Path(folder)
        shutil.copytree(EXAMPLES, work / "examples")
        (work / "questions.jsonl").write_text(json.dumps({"id": "tax", "question": TAX}) + "\n")
        with chdir(work):
            for name, line in RUNS:
                parts += [
                    f"## {name}",
                    f"```console\n$ pincite {line} --json\n```",
                    _printed(line),
                ]
    return "\n\n".join(parts) + "\n"


def _printed(line: str) -> str:
    import shlex

    run = CliRunner().invoke(app, [*shlex.split(line), "--json"], env=dict(os.environ))
    if run.exit_code:
        raise RuntimeError(f"pincite {line} --json ended with {run.exit_code}: {run.output}")
    try:
        shown = [json.loads(run.stdout)]
    except ValueError:
        shown = [json.loads(each) for each in run.stdout.splitlines() if each.strip()]
    texts = [json.dumps(_cut(each), indent=2, ensure_ascii=False) for each in shown[:LONGEST]]
    return "```json\n" + "\n".join(texts) + "\n```"


def _cut(value: Any, name: str = "") -> Any:
    """A value with long lists cut, and without what differs from machine to machine."""
    if isinstance(value, dict):
        return {key: _cut(held, key) for key, held in value.items()}
    if isinstance(value, list):
        return [_cut(held) for held in value[:LONGEST]]
    if name in _LEFT and isinstance(value, str):
        return Path(value).name
    return value
