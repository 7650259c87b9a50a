"""`pincite beir`: a retrieval collection in the layout of BEIR as a corpus and a file of questions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pincite.cli import options
from pincite.cli.views.common import print_json, read_recipe
from pincite.text.wording import counted


def beir(
    folder: Annotated[
        Path,
        typer.Argument(
            metavar="FOLDER", help="The folder with corpus.jsonl, queries.jsonl and qrels/."
        ),
    ],
    corpus: options.Corpus,
    out: Annotated[Path, typer.Option(help="The file of questions, JSON lines.")],
    split: Annotated[
        str,
        typer.Option(help="Whose judgements are taken; by default test, else dev, else train."),
    ] = "",
    recipe: options.Recipe = "",
    json: options.Json = False,
) -> None:
    """Read a collection into a corpus, each document under its id, and its judged queries into a file of questions.

    `pincite experiment` searches them, and `pincite compare` measures what it finds by document. The documents are kept as files
    in a folder beside the corpus.
    """
    from pincite.lab.scoring.beir_folder import question_rows, write_documents
    from pincite.records.runfile import write_lines
    from pincite.workbench.library import index

    rows = question_rows(folder, split)
    files = corpus.with_name(f"{corpus.name}.files")
    count = write_documents(folder, files)
    summary = index(files, corpus, recipe=read_recipe(recipe, None))
    write_lines(out, rows)
    told = {
        "documents": count, "unreadable": len(summary.problems), "questions": len(rows),
        "judgements": sum(len(row["qrels"]) for row in rows), "corpus": str(corpus), "out": str(out),
    }  # fmt: skip
    if json:
        print_json(told)
        return
    typer.echo(
        f"{counted(count, 'document')} in {corpus}, {counted(len(rows), 'question')} in {out}"
    )
    if summary.problems:
        typer.echo(f"nothing to read in {counted(len(summary.problems), 'document')}", err=True)
