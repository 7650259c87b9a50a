"""`pincite batch`: a file of questions into a file of answers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pincite.cli.common import CorpusOption, JsonOption, print_json


def add_to(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("batch")(batch)


def batch(
    questions: Annotated[Path, typer.Argument(help="CSV with id and question, or JSONL.")],
    corpus: CorpusOption,
    out: Annotated[Path, typer.Option(help="The file to write.")],
    format: Annotated[str, typer.Option(help="jsonl, csv, wattbot or erc.")] = "jsonl",
    json: JsonOption = False,
) -> None:
    """Answer many questions; a killed run goes on where it was."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from pincite.batch import read_questions, run
    from pincite.library import Library

    asked = read_questions(questions)
    library = Library(corpus)
    columns = TextColumn("answer"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=Console(stderr=True), disable=json, transient=True) as bars:
        task = bars.add_task("answer", total=len(asked))
        records = run(asked, library, out, format, lambda done: bars.update(task, completed=done))
    refused = sum(made["refused"] for made in records)
    if json:
        print_json({"questions": len(records), "refused": refused, "out": str(out)})
    else:
        typer.echo(f"{len(records)} questions answered, {refused} of them N/A, written to {out}")
