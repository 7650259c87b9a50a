"""`pincite search`: the pages for a query, or for a file of questions."""

from __future__ import annotations

import json as jsonlib
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from pincite.cli.views.common import (
    AsOfOption,
    CorpusOption,
    JsonOption,
    RecipeOption,
    SetOption,
    StandInsOption,
    WhereOption,
    name_stand_ins,
    print_json,
    read_recipe,
    read_where,
)
from pincite.disk import whole
from pincite.errors import UsageError


def add_to(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("search")(search)


def search(
    corpus: CorpusOption,
    query: Annotated[str | None, typer.Argument(help="What to search for.")] = None,
    k: Annotated[int, typer.Option("-k", help="How many pages.", min=1, max=10_000)] = 10,
    where: WhereOption = None,
    as_of: AsOfOption = "",
    recipe: RecipeOption = "",
    sets: SetOption = None,
    stand_ins: StandInsOption = False,
    questions: Annotated[Path | None, typer.Option(help="A file of questions, CSV or JSONL.")] = None,
    out: Annotated[Path | None, typer.Option(help="Where to write one line per question.")] = None,
    json: JsonOption = False,
) -> None:
    """Find pages, best first, each once."""
    from pincite.library import Library

    if (query is None) == (questions is None):
        raise UsageError('give one query, as in `pincite search "net revenue"`, or --questions FILE')
    if as_of and questions is not None:
        raise UsageError("--as-of goes with one query; a file of questions says `as_of` for each of its own")
    library = Library(corpus, recipe=read_recipe(recipe, sets), stand_ins=stand_ins)
    name_stand_ins(library)
    if questions is None:
        hits = [asdict(hit) for hit in library.search(query or "", k, read_where(where), as_of)]
        if json:
            print_json(hits)
        for hit in () if json else hits:
            typer.echo(f"{hit['score']:8.3f}  {hit['document']}, {hit['place'] or 'page ' + str(hit['page'])}")
        return
    from pincite.workbench.batch import read_questions

    asked = read_questions(questions)
    queries = [question.query(library) for question in asked]
    lines = (
        jsonlib.dumps({"id": one.id, "hits": [asdict(hit) for hit in hits]}, ensure_ascii=False)
        for one, hits in zip(asked, library.search_many(queries, k), strict=True)
    )
    if out is None:
        for line in lines:
            typer.echo(line)
    else:
        with whole(out) as half, half.open("w", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in lines)
        if json:
            print_json({"questions": len(asked), "out": str(out)})
