"""`pincite ask`: one question, one answer with its proof."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast, get_args

import typer

from pincite.cli import options
from pincite.cli.views.common import (
    name_stand_ins,
    print_json,
    read_recipe,
    read_where,
    refuse_two_formats,
)
from pincite.errors import SourceError, UsageError
from pincite.plural import counted
from pincite.settings import default_corpus, load, with_model
from pincite.storage.corpus_address import cache_of_files
from pincite.types import Expects

if TYPE_CHECKING:
    from pincite.types import Answer

TYPES: tuple[str, ...] = get_args(Expects)


def ask(
    question: Annotated[str, typer.Argument(help="The question.")],
    files: Annotated[
        list[str] | None,
        typer.Argument(help="Files or folders to ask instead of a corpus; they are read once."),
    ] = None,
    corpus: Annotated[
        Path | None,
        options.corpus_of(
            "The corpus: a folder, or its address in PostgreSQL.", show_default="of the settings"
        ),
    ] = None,
    expects: Annotated[
        str | None, typer.Option(help=f"The type of answer: {', '.join(TYPES)}.")
    ] = None,
    unit: Annotated[str, typer.Option(help="The unit to give a number in.")] = "",
    where: options.Where = None,
    as_of: options.AsOf = "",
    recipe: options.Recipe = "",
    sets: options.Set = None,
    stand_ins: options.StandIns = False,
    model: options.Model = "",
    no_model: options.NoModel = False,
    explain: Annotated[
        bool,
        typer.Option(
            "--explain",
            help="Show the plan, the pages found, what a model was shown, and what each stage took.",
        ),
    ] = False,
    json: options.Json = False,
    csv: options.Csv = False,
) -> None:
    """Answer a question from the corpus, documents and databases, with page or row, quote and check.

    Files are read into a corpus in the cache, so that the next question to them is answered at once.
    """
    from pincite.cli.models import say_how_to_get_one
    from pincite.cli.views.progress import reading_line
    from pincite.library import Library
    from pincite.models.kit import kit_of
    from pincite.question.named_unit import named_unit
    from pincite.records.answer_record import record
    from pincite.records.next_steps import next_steps
    from pincite.search.filters import held_filters
    from pincite.search.named_documents import routing
    from pincite.workbench.explanation import explained, overheard

    refuse_two_formats(json, csv)
    if expects is not None and expects not in TYPES:
        raise UsageError(f"--expects must be one of {', '.join(TYPES)}, not {expects!r}")
    settings = with_model(load(), model, no_model)
    corpus = _asked(files or [], corpus, json or csv)
    if not (settings.models.names or no_model):
        say_how_to_get_one()
    kit = kit_of(settings.models, corpus)
    heard: dict[str, Any] = {**overheard(kit)} if explain else {}
    kit = replace(kit, **heard)
    library = Library(corpus, settings, kit, read_recipe(recipe, sets), stand_ins)
    name_stand_ins(library)
    filters = held_filters(library.corpus, read_where(where))
    asked_for = named_unit(unit, question)
    query = library.query(question, filters, cast(Expects | None, expects), asked_for, as_of)
    with reading_line(json or csv or kit.large is None):
        outcome, explanation = (
            explained(library, query, heard) if explain else (library.outcome(query), {})
        )
    answer_id = library.keep([outcome.answer])[0]
    steps = next_steps(outcome.answer, settings.threshold, answer_id)
    told = {**record(outcome.answer, answer_id), **explanation}
    if steps:
        told["next"] = [step.text for step in steps]
    if json and outcome.ranking is not None:
        told["routed"] = routing(library.corpus, query)
    if library.stand_ins:
        told["stand_ins"] = list(library.stand_ins)
    if json:
        print_json(told)
        return
    if csv:
        print_csv(outcome.answer)
        return
    from pincite.cli.views.answer_view import print_answer

    print_answer(outcome, told, explain, steps=steps)


def _asked(files: list[str], corpus: Path | None, quiet: bool) -> Path:
    """The corpus that is asked: the one named, that of the settings, or one in the cache of the files that are given."""
    if not files:
        return corpus or default_corpus()
    if corpus is not None:
        raise UsageError("give files to ask, or a corpus with --corpus, not both")
    from pincite.cli.views.progress import IndexingBars
    from pincite.library import index

    folder = cache_of_files(files)
    with IndexingBars(quiet) as progress:
        summary = index(files, folder, progress=progress)
    if summary.failure:
        raise SourceError(summary.failure)
    if summary.parsed and not quiet:
        read = counted(summary.parsed, "file")
        typer.echo(f"{read} read; other commands take them by --corpus {folder}", err=True)
    return folder


def print_csv(answer: Answer) -> None:
    """Print an answer's rows as CSV, one value as one row; for N/A the reason, on standard error."""
    from pincite.cli.views.table_view import as_csv
    from pincite.evidence.headline import with_reason
    from pincite.records.answer_record import table_of

    if answer.value is None:
        typer.echo(f"pincite: {with_reason(answer)}", err=True)
        return
    typer.echo(as_csv(*table_of(answer.value, "answer")), nl=False)
