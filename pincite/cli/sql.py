"""`pincite sql`: a question answered with rows, with the statement, what words were taken for, and what code put right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite.cli import options
from pincite.cli.views.common import print_json, refuse_two_formats
from pincite.errors import UsageError
from pincite.settings import load, with_model

if TYPE_CHECKING:
    from pincite.library import Library


def sql(
    corpus: options.Corpus,
    question: Annotated[str, typer.Argument(help="The question.")] = "",
    database: Annotated[str, typer.Option(help="Ask only this database.")] = "",
    document: Annotated[str, typer.Option(help="Ask the tables inside this document.")] = "",
    model: options.Model = "",
    no_model: options.NoModel = False,
    run: Annotated[
        str, typer.Option(metavar="SELECT", help="Run this statement, as an answer cites it.")
    ] = "",
    json: options.Json = False,
    csv: options.Csv = False,
) -> None:
    """Ask the rows of databases, or of tables inside documents: the statement, what words were taken for, and the rows."""
    from pincite.library import Library
    from pincite.workbench.tools import query_table

    if bool(question.strip()) == bool(run.strip()):
        raise UsageError(
            'give one question, as in `pincite sql "materials above 400 MPa"`, or a statement with --run'
        )
    refuse_two_formats(json, csv)
    library = Library(corpus, with_model(load(), model, no_model))
    told = (
        _ran(library, run, database) if run else query_table(library, question, database, document)
    )
    if json:
        print_json(told)
    elif csv:
        from pincite.cli.views.table_view import as_csv

        if told["refused"]:
            typer.echo(f"pincite: no rows: {told['reason']}", err=True)
            return
        typer.echo(as_csv(told["columns"], told["rows"]), nl=False)
    else:
        _print(told)


def _ran(library: Library, statement: str, database: str) -> dict[str, Any]:
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


def _print(told: dict[str, Any]) -> None:
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
    print_line(console, 2, (_summary(told), "dim"))
    for check in told.get("checks", ()):
        print_line(
            console, 2, (f"{MARKS[check['verdict']]} {check['verdict']}: {check['how']}", "dim")
        )


def _summary(told: dict[str, Any]) -> str:
    """How many rows there are, of which documents or database, how long that took and how sure it is."""
    count = len(told["rows"])
    rows = f"{'the first ' if told['truncated'] else ''}{count:,} row{'' if count == 1 else 's'}"
    source = ", ".join(told.get("documents", ())) or told["database"]
    sure = f", confidence {told['confidence']:.0%}" if "confidence" in told else ""
    return f"{rows} of {source} in {told['seconds']:.3f} s{sure}"
