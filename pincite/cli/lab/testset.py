"""`pincite testset`: questions with their gold, made from a corpus itself."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite.cli import options
from pincite.cli.views.common import parts_of, report, with_budget, with_role
from pincite.corpus import Corpus
from pincite.errors import UsageError
from pincite.settings import load
from pincite.text.wording import counted

if TYPE_CHECKING:
    from pincite.lab.testsets.written_questions import WrittenQuestions

WHAT = ("documents", "tables")


def testset(
    what: Annotated[
        str, typer.Argument(metavar="documents|tables", help="What the questions are about.")
    ],
    corpus: options.Corpus,
    out: Annotated[Path, typer.Option(help="The file of questions, JSON lines.")],
    n: Annotated[
        int, typer.Option("--n", min=1, max=1_000_000, help="The maximum number of questions.")
    ] = 100,
    model: Annotated[
        str,
        typer.Option(
            help="The model that writes them: a role (small, large, judge) or a name; by default, code writes them."
        ),
    ] = "",
    seed: Annotated[
        int,
        typer.Option(
            min=0,
            max=2**32 - 1,
            help="The seed by which documents, sentences and cells are drawn.",
        ),
    ] = 0,
    tokens: Annotated[
        int, typer.Option(min=32, max=100_000, help="Tokens of a chunk that a model asks about.")
    ] = 256,
    languages: Annotated[
        str, typer.Option(help="The languages of a model's questions about tables.")
    ] = "English",
    budget: options.Budget = "",
    json: options.Json = False,
) -> None:
    """Make questions from a corpus: gaps in sentences and look-ups of cells, or what a model asks.

    `pincite batch` answers the file, and `pincite eval --rules typed`, `--rules retrieval` and experiments read its gold.
    """
    from pincite.lab.testsets.generation import generated
    from pincite.records.runfile import write_lines

    if what not in WHAT:
        raise UsageError(f"a test set is about {' or '.join(WHAT)}, not {what!r}")
    opened = Corpus(corpus)
    if not model:
        rows = generated(opened, what, n, seed)  # type: ignore[arg-type]
        write_lines(out, rows)
        _told(out, rows, json)
        return
    made = _written(opened, what, n, model, seed, tokens, parts_of(languages), budget)
    if made.rows:
        write_lines(out, made.rows)
    _told(out, made.rows, json, made)
    if made.stopped:
        raise made.stopped
    if not made.rows:
        raise UsageError(
            f"no question could be made: {'; '.join(made.given_up[:3]) or 'the corpus holds nothing to ask about'}"
        )


def _written(
    corpus: Any,
    what: str,
    n: int,
    model: str,
    seed: int,
    tokens: int,
    languages: list[str],
    budget: str,
) -> WrittenQuestions:
    from pincite.lab.testsets.written_questions import write_documents
    from pincite.lab.testsets.written_table_questions import write_tables
    from pincite.models.kit import kit_of

    models, role = with_role(with_budget(load().models, budget), model)
    kit = kit_of(models, corpus.folder)
    if what == "tables":
        return write_tables(corpus, kit.model(role), n, seed=seed, languages=languages)  # type: ignore[arg-type]
    return write_documents(corpus, kit.model(role), kit.encoder, n, seed=seed, tokens=tokens)  # type: ignore[arg-type]


def _told(
    out: Path, rows: list[dict[str, Any]], json: bool, made: WrittenQuestions | None = None
) -> None:
    documents = len({row["source"]["document"] for row in rows})
    kinds = dict(Counter(str(row.get("kind") or "other") for row in rows))
    told = {"questions": len(rows), "documents": documents, "kinds": kinds, "out": str(out)}
    listed = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
    about = f"{counted(len(rows), 'question')} about {counted(documents, 'document')}"
    lines = [f"{about} in {out} ({listed})"]
    if made is not None:
        spent, given_up = made.spent, len(made.given_up)
        told |= {"given_up": given_up, "requests": spent.requests, "cost": str(spent.cost)}
        tokens = f"{spent.usage.input:,} tokens in, {spent.usage.output:,} out"
        lines.append(f"{given_up} given up; {tokens}, cost {spent.cost:.4f}")
    report(json, told, *lines)
