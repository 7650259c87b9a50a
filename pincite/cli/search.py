"""`pincite search`: the pages for a query, or for a file of questions."""

from __future__ import annotations

import json as jsonlib
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.cli import options
from pincite.cli.views.common import name_stand_ins, print_json, read_recipe, read_where, report
from pincite.disk import whole
from pincite.errors import UsageError

if TYPE_CHECKING:
    from pincite.library import Library


def search(
    corpus: options.Corpus,
    query: Annotated[str | None, typer.Argument(help="What to search for.")] = None,
    k: Annotated[int, typer.Option("-k", help="The number of pages.", min=1, max=10_000)] = 10,
    where: options.Where = None,
    as_of: options.AsOf = "",
    recipe: options.Recipe = "",
    sets: options.Set = None,
    stand_ins: options.StandIns = False,
    questions: Annotated[
        Path | None, typer.Option(help="A file of questions, CSV or JSONL.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="The file to write, with one line of JSON per question.")
    ] = None,
    json: options.Json = False,
) -> None:
    """Find pages, best first; each page is listed once."""
    from pincite.library import Library

    if (query is None) == (questions is None):
        raise UsageError(
            'give one query, as in `pincite search "net revenue"`, or --questions FILE'
        )
    if as_of and questions is not None:
        raise UsageError(
            "--as-of applies to one query; a file of questions gives `as_of` for each question"
        )
    library = Library(corpus, recipe=read_recipe(recipe, sets), stand_ins=stand_ins)
    name_stand_ins(library)
    if questions is not None:
        _search_many(library, questions, k, out, json)
        return
    hits = library.search(query or "", k, read_where(where), as_of)
    said = (f"{hit.score:8.3f}  {hit.document}, {hit.place or f'page {hit.page}'}" for hit in hits)
    report(json, list(map(asdict, hits)), *said)


def _search_many(library: Library, questions: Path, k: int, out: Path | None, json: bool) -> None:
    """Search for each question of a file, and write a line of JSON for each."""
    from pincite.workbench.batch import read_questions

    asked = read_questions(questions)
    found = library.search_many([question.query(library) for question in asked], k)
    lines = (
        jsonlib.dumps({"id": question.id, "hits": list(map(asdict, hits))}, ensure_ascii=False)
        for question, hits in zip(asked, found, strict=True)
    )
    if out is None:
        for line in lines:
            typer.echo(line)
        return
    with whole(out) as half, half.open("w", encoding="utf-8") as file:
        file.writelines(line + "\n" for line in lines)
    if json:
        print_json({"questions": len(asked), "out": str(out)})
