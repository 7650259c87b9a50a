"""`pincite status`, `pincite list` and `pincite remove`: what a corpus covers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite.cli.views.common import CorpusOption, JsonOption, described, print_json

if TYPE_CHECKING:
    from pincite.corpus import Corpus

WORST = 20
"""Pages that `status --quality` lists on the terminal."""


def add_to(app: typer.Typer) -> None:
    """Add the verbs."""
    app.command("status")(status)
    app.command("list")(list_documents)
    app.command("remove")(remove)


def status(
    corpus: CorpusOption,
    quality: Annotated[
        bool, typer.Option("--quality", help="How the text of every page was won, the worst first.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """What is covered: documents, pages, tables, dates, problems, the status of every file."""
    from pincite.corpus import Corpus
    from pincite.workbench.coverage import coverage

    opened = Corpus(corpus)
    if quality:
        _quality(opened, json)
        return
    told: dict[str, Any] = {"corpus": str(corpus), **coverage(opened)}
    if json:
        print_json(told)
        return
    span = f", dated {' to '.join(told['dates'])}" if told["dates"] else ""
    typer.echo(
        f"{corpus}: {told['documents']} documents, {told['pages']} pages, {told['tables']} tables{span}; "
        f"generation {told['generation']}, published {told['published'] or 'never'}"
    )
    for database in told["databases"]:
        typer.echo(
            f"  database {database['name']}: {database['tables']} tables, {database['rows']:,} rows; {database['address']}"
        )
    for series in told["series"]:
        replacing = any(edition["replaced_by"] for edition in series["editions"])
        marks = ", ".join(edition["mark"] or edition["date"] or edition["document"] for edition in series["editions"])
        typer.echo(f"  series {series['name']}: {marks}")
        for edition in series["editions"] if replacing else ():
            typer.echo(f"    {_edition(edition)}")
    for problem in told["problems"]:
        typer.echo(f"  {problem['status']}: {problem['document']}: {problem['reason']}")


def _edition(one: dict[str, str]) -> str:
    """One document of a series: its date, what has replaced it, and the evidence for both."""
    dated = f"{one['date'] or 'no date':>10}  {one['document']}"
    if one["replaced_by"]:
        return f"{dated}: replaced by {one['replaced_by']} ({one['why']})"
    return f"{dated} ({one['why']})" if one["why"] else dated


def _quality(corpus: Corpus, json: bool) -> None:
    from dataclasses import asdict

    from pincite.workbench.page_quality import quality, spoken, totals

    pages = quality(corpus)
    told = totals(pages)
    if json:
        print_json(
            {
                **told,
                "languages": spoken(pages),
                "pages": [{**asdict(page), "doubtful": page.doubtful} for page in pages],
            }
        )
        return
    typer.echo(
        f"{len(pages)} pages: {told['text']} with a text layer, {told['ocr']} read by OCR, {told['none']} without text; "
        f"{told['doubtful']} to look at"
    )
    if several := spoken(pages):
        typer.echo(f"  languages: {', '.join(f'{code} {count}' for code, count in several.items())}")
    for page in [page for page in pages if page.doubtful][:WORST]:
        sure = f"read by OCR, sure {page.sure:.2f}" if page.how == "ocr" else f"{page.characters} characters"
        typer.echo(f"  {page.document}, {page.place}: {sure}{'; ' if page.suspicion else ''}{page.suspicion}")
    if told["doubtful"] > WORST:
        typer.echo(f"  and {told['doubtful'] - WORST} more: --json lists all")


def list_documents(corpus: CorpusOption, json: JsonOption = False) -> None:
    """The documents of a corpus with their pages, tables and metadata."""
    from pincite.corpus import Corpus

    documents = Corpus(corpus).documents
    if json:
        print_json([
            {
                "document": document.id, "title": document.title, "pages": document.pages, "tables": document.tables,
                "metadata": dict(document.meta),
            }
            for document in documents
        ])  # fmt: skip
        return
    for document in documents:
        typer.echo(f"{document.id}  {document.pages} pages, {document.tables} tables  {document.title}")
        if document.declared:
            typer.echo("  " + described(document.declared))


def remove(
    documents: Annotated[
        list[str], typer.Argument(help="Document ids, as `pincite list` prints them, or names of databases.")
    ],
    corpus: CorpusOption,
    json: JsonOption = False,
) -> None:
    """Remove documents from a corpus; the files themselves stay."""
    from pincite.indexing.removing import remove as leave
    from pincite.library import default_shelves

    removed = [file.document for file in leave(documents, corpus, default_shelves())]
    if json:
        print_json({"removed": removed})
    else:
        typer.echo(f"removed {', '.join(removed)}")
