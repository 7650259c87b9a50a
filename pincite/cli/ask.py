"""`pincite ask`, `search`, `sql` and `show`: one question with its answer, pages or rows; the place that an answer cites."""

from __future__ import annotations

import json as jsonlib
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast, get_args

import typer
from typer import Argument, Option

from pincite.cli import options
from pincite.cli.views.common import (
    described,
    name_stand_ins,
    print_json,
    read_recipe,
    read_where,
    refuse_two_formats,
    report,
)
from pincite.corpus import Corpus
from pincite.errors import CorpusError, SourceError, UsageError
from pincite.settings import default_corpus, load, with_model
from pincite.storage.corpus_address import cache_of_files
from pincite.storage.disk import whole
from pincite.text.wording import counted
from pincite.types import Expects

if TYPE_CHECKING:
    from pincite.types import Answer, Citation
    from pincite.workbench.library import Library

TYPES: tuple[str, ...] = get_args(Expects)


def ask(
    question: Annotated[str, Argument(help="The question.")],
    files: Annotated[
        list[str] | None,
        Argument(help="Files or folders to ask instead of a corpus; they are read once."),
    ] = None,
    corpus: Annotated[
        Path | None,
        options.corpus_of(
            "The corpus: a folder, or its address in PostgreSQL.", show_default="of the settings"
        ),
    ] = None,
    expects: Annotated[str | None, Option(help=f"The type of answer: {', '.join(TYPES)}.")] = None,
    unit: str = Option("", help="The unit to give a number in."),
    where: options.Where = None,
    as_of: options.AsOf = "",
    recipe: options.Recipe = "",
    sets: options.Set = None,
    stand_ins: options.StandIns = False,
    model: options.Model = "",
    no_model: options.NoModel = False,
    explain: bool = Option(
        False,
        "--explain",
        help="Show the plan, the pages found, what a model was shown, and what each stage took.",
    ),
    json: options.Json = False,
    csv: options.Csv = False,
) -> None:
    """Answer a question from the corpus, documents and databases, with page or row, quote and check.

    Files are read into a corpus in the cache, so that the next question to them is answered at once.
    """
    from pincite.cli.models import say_how_to_get_one
    from pincite.cli.views.progress import reading_line
    from pincite.models.kit import kit_of
    from pincite.question.named_unit import named_unit
    from pincite.records.answer_record import record
    from pincite.records.next_steps import next_steps
    from pincite.search.filters import held_filters
    from pincite.search.named_documents import routing
    from pincite.workbench.explanation import explained, overheard
    from pincite.workbench.library import Library

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
    elif csv:
        _print_csv(outcome.answer)
    else:
        from pincite.cli.views.answer_view import print_answer

        print_answer(outcome, told, explain, steps=steps)


def _asked(files: list[str], corpus: Path | None, quiet: bool) -> Path:
    """The corpus that is asked: the one named, that of the settings, or one in the cache of the files that are given."""
    if not files:
        return corpus or default_corpus()
    if corpus is not None:
        raise UsageError("give files to ask, or a corpus with --corpus, not both")
    from pincite.cli.views.progress import IndexingBars
    from pincite.workbench.library import index

    folder = cache_of_files(files)
    with IndexingBars(quiet) as progress:
        summary = index(files, folder, progress=progress)
    if summary.failure:
        raise SourceError(summary.failure)
    if summary.parsed and not quiet:
        read = counted(summary.parsed, "file")
        typer.echo(f"{read} read; other commands take them by --corpus {folder}", err=True)
    return folder


def _print_csv(answer: Answer) -> None:
    """Print an answer's rows as CSV, one value as one row; for N/A the reason, on standard error."""
    from pincite.cli.views.table_view import as_csv
    from pincite.evidence.headline import with_reason
    from pincite.records.answer_record import table_of

    if answer.value is None:
        typer.echo(f"pincite: {with_reason(answer)}", err=True)
    else:
        typer.echo(as_csv(*table_of(answer.value, "answer")), nl=False)


def search(
    corpus: options.Corpus,
    query: Annotated[str | None, Argument(help="What to search for.")] = None,
    k: int = Option(10, "-k", help="The number of pages.", min=1, max=10_000),
    where: options.Where = None,
    as_of: options.AsOf = "",
    recipe: options.Recipe = "",
    sets: options.Set = None,
    stand_ins: options.StandIns = False,
    questions: Annotated[Path | None, Option(help="A file of questions, CSV or JSONL.")] = None,
    out: Annotated[
        Path | None, Option(help="The file to write, with one line of JSON per question.")
    ] = None,
    json: options.Json = False,
) -> None:
    """Find pages, best first; each page is listed once."""
    from pincite.workbench.library import Library

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
        report(False, None, *lines)
        return
    with whole(out) as half, half.open("w", encoding="utf-8") as file:
        file.writelines(line + "\n" for line in lines)
    report(json, {"questions": len(asked), "out": str(out)})


def sql(
    corpus: options.Corpus,
    question: str = Argument("", help="The question."),
    database: str = Option("", help="Ask only this database."),
    document: str = Option("", help="Ask the tables inside this document."),
    model: options.Model = "",
    no_model: options.NoModel = False,
    run: str = Option("", metavar="SELECT", help="Run this statement, as an answer cites it."),
    json: options.Json = False,
    csv: options.Csv = False,
) -> None:
    """Ask the rows of databases, or of tables inside documents: the statement, what words were taken for, and the rows."""
    from pincite.workbench.library import Library
    from pincite.workbench.tools import query_table

    if bool(question.strip()) == bool(run.strip()):
        raise UsageError(
            'give one question, as in `pincite sql "materials above 400 MPa"`, or a statement with --run'
        )
    refuse_two_formats(json, csv)
    library = Library(corpus, with_model(load(), model, no_model))
    if run:
        told = _run_statement(library, run, database)
    else:
        told = query_table(library, question, database, document)
    if json:
        print_json(told)
    elif not csv:
        _print_rows(told)
    elif told["refused"]:
        typer.echo(f"pincite: no rows: {told['reason']}", err=True)
    else:
        from pincite.cli.views.table_view import as_csv

        typer.echo(as_csv(told["columns"], told["rows"]), nl=False)


def _run_statement(library: Library, statement: str, database: str) -> dict[str, Any]:
    """Run a statement on the database of this name, or on the first whose tables it may read."""
    from pincite.database.database_errors import StatementRefused
    from pincite.evidence.database_sources import sources_of
    from pincite.workbench.tools import table

    sources = sources_of(library.corpus)
    names = (database,) if database else sources.names
    if not names:
        raise UsageError("the corpus holds no database: `pincite index --db URL` adds one")
    refused: list[StatementRefused] = []
    for name in names:
        source = sources(name)
        try:
            result = source.run(statement)
        except StatementRefused as error:
            refused.append(error)
            continue
        columns, rows = table(result, source)
        return {
            "database": name, "statement": result.statement, "columns": columns, "rows": rows,
            "truncated": result.truncated, "refused": False, "reason": "", "seconds": round(result.seconds, 4),
        }  # fmt: skip
    raise refused[0]


def _print_rows(told: dict[str, Any]) -> None:
    """The reading, the statement and the rows on the terminal."""
    from pincite.cli.views.answer_view import print_reading
    from pincite.cli.views.table_view import print_table
    from pincite.cli.views.terminal import print_line, unbroken
    from pincite.records.answer_lines import MARKS

    console = unbroken()
    if "question" in told:
        console.print()
        print_line(console, 0, (told["question"], "bold"))
        print_reading(console, told, whole=True)
        for note in told["notes"]:
            print_line(console, 2, (f"put right: {note}", "dim"))
    if told["refused"]:
        print_line(console, 2, ("N/A", "bold yellow"), (f"  {told['reason']}", ""))
        return
    console.print()
    if told["rows"]:
        print_table(console, told["columns"], told["rows"])
        console.print()
    elif told["reason"]:
        print_line(console, 2, (told["reason"], "yellow"))
    rows = f"{'the first ' if told['truncated'] else ''}{counted(len(told['rows']), 'row')}"
    of = ", ".join(told.get("documents", ())) or told["database"]
    sure = f", confidence {told['confidence']:.0%}" if "confidence" in told else ""
    print_line(console, 2, (f"{rows} of {of} in {told['seconds']:.3f} s{sure}", "dim"))
    for check in told.get("checks", ()):
        said = f"{MARKS[check['verdict']]} {check['verdict']}: {check['how']}"
        print_line(console, 2, (said, "dim"))


def show(
    identity: Annotated[
        str, Argument(metavar="ID", help="The id of a citation, or of an answer.")
    ],
    corpus: options.Corpus,
    out: Annotated[Path, Option(help="The PNG to write.")] = Path("page.png"),
    password: options.Password = None,
    json: options.Json = False,
) -> None:
    """Draw the page of a citation with the cited place framed; for a database, print the cited rows as they are now."""
    from pincite.document.address import place_of, standing
    from pincite.evidence.framed_page import frame
    from pincite.records.answer_store import recall

    _, citation = recall(corpus, identity)
    opened = Corpus(corpus)
    if citation.anchor.sql and not citation.anchor.page:
        _show_rows(opened, citation, json)
        return
    if gone := opened.departed(citation.anchor.source, citation.document):
        where = standing(citation.anchor)
        raise CorpusError(
            f"gone: {gone}; what was cited{where and ' '}{where} was: “{citation.quote}”"
        )
    page = frame(opened, citation, password)
    with whole(out) as half:
        page.save(half)
    document, quote = citation.document, citation.quote
    declared = next(
        (dict(known.declared) for known in opened.documents if known.id == document), {}
    )
    page_number = citation.anchor.page
    told = {"document": document, "metadata": declared, "page": page_number, "quote": quote}
    said = f"{document}, {place_of(citation.anchor)}: “{quote}” framed in {out}"
    more = [f"  {described(declared)}"] if declared else []
    report(json, {**told, "out": str(out)}, said, *more)


def _show_rows(corpus: Corpus, citation: Citation, json: bool) -> None:
    """Print the cited rows with all their columns, as they are now, and the statement that found them."""
    from pincite.cli.views.table_view import print_table
    from pincite.cli.views.terminal import unbroken
    from pincite.database.relations.description import plain
    from pincite.database.relations.relation_rows import heading_of, shown
    from pincite.database.statements.pins import by_key, read_pin
    from pincite.evidence.database_sources import sources_of

    pin = read_pin(citation.anchor.sql)
    if pin is None:
        raise CorpusError(
            f"the citation of {citation.document} names no row that can be read: {citation.quote}"
        )
    source = sources_of(corpus)(pin.database)
    relation = next(
        (known for known in source.database.relations if known.name == pin.relation), None
    )
    if relation is None:
        raise CorpusError(
            f"{pin.database} has no table {pin.relation} any more; the citation's quote: {citation.quote}"
        )
    columns = shown(relation)
    names = [column.name for column in columns]
    found = by_key(source, relation, pin.rows, names) if pin.rows else {}
    rows = [list(map(plain, found[key])) for key in pin.rows if key in found]
    headings, gone = list(map(heading_of, columns)), len(pin.rows) - len(rows)
    if json:
        print_json({
            "document": citation.document, "statement": pin.statement, "columns": headings,
            "rows": rows, "gone": gone, "quote": citation.quote,
        })  # fmt: skip
        return
    typer.echo(f"{citation.document}: “{citation.quote}”")
    if rows:
        print_table(unbroken(), headings, rows)
    if gone:
        typer.echo(f"  {gone} of the cited rows are no longer there")
    typer.echo(f"  found by: {pin.statement}")
