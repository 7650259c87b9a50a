"""`pincite status`, `list`, `edit` and `remove`: what a corpus covers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite.cli import options
from pincite.cli.views.common import described, print_json, report
from pincite.corpus import Corpus, Entryless
from pincite.corpus.described import EDITABLE
from pincite.errors import UsageError
from pincite.plural import counted
from pincite.storage.corpus_address import shown

if TYPE_CHECKING:
    from pincite.workbench.page_quality import PageQuality

WORST = 20
"""Pages that `status --quality` lists on the terminal."""


def status(
    corpus: options.Corpus,
    quality: Annotated[
        bool,
        typer.Option("--quality", help="How the text of every page was read, the worst first."),
    ] = False,
    json: options.Json = False,
) -> None:
    """Show what is covered: documents, pages, tables, dates, problems, the status of every file."""
    from pincite.workbench.coverage import coverage

    opened = Corpus(corpus)
    if quality:
        _quality(opened, json)
        return
    told: dict[str, Any] = {"corpus": shown(corpus), **coverage(opened)}
    if json:
        print_json(told)
        return
    span = f", dated {' to '.join(told['dates'])}" if told["dates"] else ""
    held = ", ".join(counted(told[f"{noun}s"], noun) for noun in ("document", "page", "table"))
    typer.echo(
        f"{shown(corpus)}: {held}{span}; "
        f"generation {told['generation']}, published {told['published'] or 'never'}"
    )
    for database in told["databases"]:
        held = ", ".join(counted(database[f"{noun}s"], noun) for noun in ("table", "row"))
        typer.echo(f"  database {database['name']}: {held}; {database['address']}")
    for series in told["series"]:
        for line in _series(series):
            typer.echo(line)
    for problem in told["problems"]:
        typer.echo(f"  {problem['status']}: {problem['document']}: {problem['reason']}")


def _series(series: dict[str, Any]) -> Iterator[str]:
    """The editions of a work on one line; where one has replaced another, each on a line of its own as well."""
    editions = series["editions"]
    marks = (edition["mark"] or edition["date"] or edition["document"] for edition in editions)
    yield f"  series {series['name']}: {', '.join(marks)}"
    if any(edition["replaced_by"] for edition in editions):
        for edition in editions:
            yield f"    {_edition(edition)}"


def _edition(edition: dict[str, str]) -> str:
    """One document of a series: its date, what has replaced it, and the evidence for both."""
    dated = f"{edition['date'] or 'no date':>10}  {edition['document']}"
    if edition["replaced_by"]:
        return f"{dated}: replaced by {edition['replaced_by']} ({edition['why']})"
    return f"{dated} ({edition['why']})" if edition["why"] else dated


def _quality(corpus: Corpus, json: bool) -> None:
    from dataclasses import asdict

    from pincite.workbench.page_quality import quality, spoken, totals

    pages = quality(corpus)
    told = totals(pages)
    if json:
        listed = [{**asdict(page), "doubtful": page.doubtful} for page in pages]
        print_json({**told, "languages": spoken(pages), "pages": listed})
        return
    typer.echo(
        f"{counted(len(pages), 'page')}: {told['text']} with a text layer, {told['ocr']} read by OCR, "
        f"{told['none']} without text; {told['doubtful']} to check"
    )
    if languages := spoken(pages):
        typer.echo(
            f"  languages: {', '.join(f'{code} {count}' for code, count in languages.items())}"
        )
    for page in [page for page in pages if page.doubtful][:WORST]:
        typer.echo(f"  {_doubtful(page)}")
    if told["doubtful"] > WORST:
        typer.echo(f"  and {told['doubtful'] - WORST} more: --json lists all")


def _doubtful(page: PageQuality) -> str:
    """A page that a person should look at, and why."""
    read = (
        f"read by OCR, confidence {page.sure:.2f}"
        if page.how == "ocr"
        else f"{counted(page.characters, 'character')}"
    )
    return "; ".join(filter(None, (f"{page.document}, {page.place}: {read}", page.suspicion)))


def list_documents(corpus: options.Corpus, json: options.Json = False) -> None:
    """List the documents of a corpus with their pages, tables and metadata."""
    documents = Corpus(corpus).documents
    report(json, list(map(_listed, documents)), *chain.from_iterable(map(_told, documents)))


def _listed(document: Entryless) -> dict[str, Any]:
    return {
        "document": document.id, "title": document.title, "pages": document.pages, "tables": document.tables,
        "metadata": dict(document.meta),
    }  # fmt: skip


def _told(document: Entryless) -> Iterator[str]:
    """A document on one line, and on a second one what it is and what people say of it."""
    held = f"{counted(document.pages, 'page')}, {counted(document.tables, 'table')}"
    yield f"{document.id}  {held}  {document.title}"
    known = {name: document.meta.get(name, "") for name in EDITABLE if name != "title"}
    if said := described({**known, **document.declared}):
        yield f"  {said}"


def edit(
    document: Annotated[str, typer.Argument(help="A document's id, as `pincite list` prints it.")],
    corpus: options.Corpus,
    title: Annotated[str | None, typer.Option(help="Its title.")] = None,
    company: Annotated[str | None, typer.Option(help="Whose it is.")] = None,
    kind: Annotated[str | None, typer.Option(help="What it is: annual report, 10-K ...")] = None,
    year: Annotated[str | None, typer.Option(help="The year that it is of.")] = None,
    json: options.Json = False,
) -> None:
    """Correct the title, company, kind or year of a document, for good; "" takes a correction back."""
    from pincite.indexing.editing import edit as write
    from pincite.library import default_shelves

    given = {"title": title, "company": company, "kind": kind, "year": year}
    changes = {name: text for name, text in given.items() if text is not None}
    if not changes:
        raise UsageError("nothing to edit: give --title, --company, --kind or --year")
    versions = {file.version for file in write(document, changes, corpus, default_shelves(corpus))}
    documents = [each for each in Corpus(corpus).documents if each.version in versions]
    report(json, list(map(_listed, documents)), *chain.from_iterable(map(_told, documents)))


def remove(
    documents: Annotated[
        list[str],
        typer.Argument(help="Document ids, as `pincite list` prints them, or names of databases."),
    ],
    corpus: options.Corpus,
    json: options.Json = False,
) -> None:
    """Remove documents from a corpus; the files themselves stay."""
    from pincite.indexing.removing import remove as leave
    from pincite.library import default_shelves

    removed = [file.document for file in leave(documents, corpus, default_shelves(corpus))]
    report(json, {"removed": removed}, f"removed {', '.join(removed)}")
