"""`pincite ask`: one question, one answer with its proof."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from pincite.cli.common import CorpusOption, JsonOption, WhereOption, print_json, read_where
from pincite.errors import UsageError

TYPES = ("number", "boolean", "name", "names", "text")


def add_to(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("ask")(ask)


def ask(
    question: Annotated[str, typer.Argument(help="The question.")],
    corpus: CorpusOption,
    expects: Annotated[str | None, typer.Option(help=f"The type of answer: {', '.join(TYPES)}.")] = None,
    unit: Annotated[str, typer.Option(help="The unit that the number is wanted in.")] = "",
    where: WhereOption = None,
    explain: Annotated[bool, typer.Option("--explain", help="Show what was found and the time of each stage.")] = False,
    json: JsonOption = False,
) -> None:
    """Answer a question from the corpus, with page, quote and check."""
    from pincite.library import Library
    from pincite.record import record

    if expects is not None and expects not in TYPES:
        raise UsageError(f"--expects must be one of {', '.join(TYPES)}, not {expects!r}")
    library = Library(corpus)
    query = library.query(question, read_where(where), expects, unit)  # type: ignore[arg-type]
    outcome = library.outcome(query)
    identity = library.keep([outcome.answer])[0]
    told = record(outcome.answer, identity)
    if explain:
        told["found"] = [asdict(hit) for hit in library.pages(outcome.ranking)] if outcome.ranking else []
        told["trace"] = [[one.stage, one.given, one.made, round(one.seconds, 4)] for one in outcome.trace]
    if json:
        print_json(told)
        return
    from pincite.cli.answer_view import print_answer

    print_answer(outcome, told, explain)
