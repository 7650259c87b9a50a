"""`pincite status`, `list`, `tables`, `edit`, `remove`, `export`, `import`: what a corpus covers, and a corpus as one file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from pincite.cli import options
from pincite.cli.views.common import described, print_json, read_where, report
from pincite.corpus import Corpus, Entryless
from pincite.corpus.described import EDITABLE
from pincite.errors import UsageError
from pincite.settings import named_corpus
from pincite.storage.corpus_address import shown
from pincite.text.wording import counted
from pincite.types import Table

if TYPE_CHECKING:
    from pincite.workbench.page_quality import PageQuality

WORST = 20  # pages that `status --quality` lists on the terminal


def status(
    corpus: options.Corpus,
    quality: bool = Option(
        False, "--quality", help="How the text of every page was read, the worst first."
    ),
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
    published = f"generation {told['generation']}, published {told['published'] or 'never'}"
    typer.echo(f"{shown(corpus)}: {held}{span}; {published}")
    for database in told["databases"]:
        held = ", ".join(counted(database[f"{noun}s"], noun) for noun in ("table", "row"))
        typer.echo(f"  database {database['name']}: {held}; {database['address']}")
    for line in chain.from_iterable(map(_series, told["series"])):
        typer.echo(line)
    for problem in told["problems"]:
        typer.echo(f"  {problem['status']}: {problem['document']}: {problem['reason']}")


def _series(series: dict[str, Any]) -> Iterator[str]:
    """The editions of a work on one line; where one has replaced another, each on a line of its own as well: its date, what
    has replaced it, and the evidence for both.
    """
    editions = series["editions"]
    marks = (edition["mark"] or edition["date"] or edition["document"] for edition in editions)
    yield f"  series {series['name']}: {', '.join(marks)}"
    if not any(edition["replaced_by"] for edition in editions):
        return
    for edition in editions:
        newer = f": replaced by {edition['replaced_by']}" if edition["replaced_by"] else ""
        why = f" ({edition['why']})" if newer or edition["why"] else ""
        yield f"    {edition['date'] or 'no date':>10}  {edition['document']}{newer}{why}"


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
    if languages := [f"{code} {count}" for code, count in spoken(pages).items()]:
        typer.echo(f"  languages: {', '.join(languages)}")
    for page in [page for page in pages if page.doubtful][:WORST]:
        typer.echo(f"  {_doubtful(page)}")
    if told["doubtful"] > WORST:
        typer.echo(f"  and {told['doubtful'] - WORST} more: --json lists all")


def _doubtful(page: PageQuality) -> str:
    """A page that a person should look at, and why."""
    read = counted(page.characters, "character")
    if page.how == "ocr":
        read = f"read by OCR, confidence {page.sure:.2f}"
    return "; ".join(filter(None, (f"{page.document}, {page.place}: {read}", page.suspicion)))


def list_documents(corpus: options.Corpus, json: options.Json = False) -> None:
    """List the documents of a corpus with their pages, tables and metadata."""
    _report_documents(Corpus(corpus).documents, json)


def _report_documents(documents: Sequence[Entryless], json: bool) -> None:
    told = [
        {"document": each.id, "title": each.title, "pages": each.pages, "tables": each.tables, "metadata": dict(each.meta)}
        for each in documents
    ]  # fmt: skip
    report(json, told, *chain.from_iterable(map(_described, documents)))


def _described(document: Entryless) -> Iterator[str]:
    """A document on one line, and on a second one what it is and what people say of it."""
    held = f"{counted(document.pages, 'page')}, {counted(document.tables, 'table')}"
    yield f"{document.id}  {held}  {document.title}"
    known = {name: document.meta.get(name, "") for name in EDITABLE if name != "title"}
    if said := described({**known, **document.declared}):
        yield f"  {said}"


def edit(
    document: Annotated[str, Argument(help="A document's id, as `pincite list` prints it.")],
    corpus: options.Corpus,
    title: Annotated[str | None, Option(help="Its title.")] = None,
    company: Annotated[str | None, Option(help="Whose it is.")] = None,
    kind: Annotated[str | None, Option(help="What it is: annual report, 10-K ...")] = None,
    year: Annotated[str | None, Option(help="The year that it is of.")] = None,
    json: options.Json = False,
) -> None:
    """Correct the title, company, kind or year of a document, for good; "" takes a correction back."""
    from pincite.indexing.removing import edit as write
    from pincite.workbench.library import default_shelves

    given = {"title": title, "company": company, "kind": kind, "year": year}
    changes = {name: text for name, text in given.items() if text is not None}
    if not changes:
        raise UsageError("nothing to edit: give --title, --company, --kind or --year")
    versions = {file.version for file in write(document, changes, corpus, default_shelves(corpus))}
    _report_documents(
        [each for each in Corpus(corpus).documents if each.version in versions], json
    )


def remove(
    documents: Annotated[
        list[str],
        Argument(help="Document ids, as `pincite list` prints them, or names of databases."),
    ],
    corpus: options.Corpus,
    json: options.Json = False,
) -> None:
    """Remove documents from a corpus; the files themselves stay."""
    from pincite.indexing.removing import remove as leave
    from pincite.workbench.library import default_shelves

    removed = [file.document for file in leave(documents, corpus, default_shelves(corpus))]
    report(json, {"removed": removed}, f"removed {', '.join(removed)}")


def export(
    out: Annotated[
        Path,
        Argument(help="The file to write, as in reports.pincite; with --docling a folder."),
    ],
    corpus: options.Corpus,
    docling: bool = Option(
        False,
        "--docling",
        help="Write each document as DoclingDocument JSON instead of the corpus.",
    ),
    where: options.Where = None,
    json: options.Json = False,
) -> None:
    """Write a corpus, with its sources and indexes, as one file; or with --docling its documents for docling's own tools."""
    if docling:
        from pincite.workbench.transfer import write_docling

        written = write_docling(Corpus(corpus), out, read_where(where))
        told = [{"document": name, "out": str(path)} for name, path in written]
        said = f"{counted(len(written), 'document')} of {shown(corpus)} written to {out}"
        report(json, told, said)
        return
    if where:
        raise UsageError(
            "--where chooses documents to write with --docling; a corpus is written as a whole"
        )
    from pincite.workbench.transfer import pack

    size = pack(corpus, out)
    said = f"{shown(corpus)} written to {out} ({size:,} bytes)"
    report(json, {"out": str(out), "bytes": size}, said)


def bring(
    file: Annotated[Path, Argument(help="A file that `pincite export` wrote.")],
    corpus: options.Corpus,
    json: options.Json = False,
) -> None:
    """Make a corpus from an exported file."""
    from pincite.database.sources.database_address import variable
    from pincite.workbench.importing import unpack

    made = unpack(file, corpus)
    barred, said = [], [f"{counted(made.documents, 'document')} imported into {shown(corpus)}"]
    for name, address in made.barred:
        barred.append({"name": name, "address": address, "variable": variable(name)})
        how = f"unless you index it here, or set {variable(name)}"
        said.append(f"  the database {name} at {address} is not opened {how}")
    told = {"corpus": shown(corpus), "documents": made.documents, "barred": barred}
    report(json, told, *said)


def tables(
    file: Annotated[Path | None, Argument(help="A PDF.")] = None,
    password: options.Password = None,
    corpus: Annotated[
        Path | None,
        options.corpus_of(
            "A corpus, to list the tables of its databases; without a PDF that of the settings."
        ),
    ] = None,
    json: options.Json = False,
) -> None:
    """Print the tables of a PDF, cell by cell, or describe those of a corpus's databases."""
    if file is not None and corpus is not None:
        raise UsageError("give one PDF, or --corpus for the tables of its databases, not both")
    if file is None:
        if (named := corpus or named_corpus()) is None:
            raise UsageError("give one PDF, or --corpus for the tables of its databases")
        _print_cards(named, json)
        return
    from pincite.document.table_text import markdown
    from pincite.ingest.pdf.pdf_pages import raw_pages
    from pincite.ingest.tables import find_tables

    if not file.is_file():
        raise UsageError(f"{file} does not exist")
    found = [table for page in raw_pages(file, password) for table in find_tables(page)]
    said = [
        f"\npage {table.page}: {table.caption or 'no caption'}\n{markdown(table)}"
        for table in found
    ]
    report(json, list(map(_as_json, found)), *(said or [f"{file.name}: no table found"]))


def _print_cards(corpus: Path, json: bool) -> None:
    """Describe the clean views of a corpus's databases; the tables of one that cannot be opened as they were indexed."""
    from pincite.database.database_errors import DatabaseError
    from pincite.database.relations.description import relation_to
    from pincite.database.relations.relation_card import markdown
    from pincite.database.views import view_card
    from pincite.database.views.clean_view import clean_views

    described: list[dict[str, Any]] = []
    texts: list[str] = []
    for database in Corpus(corpus).databases:
        try:
            with database.open() as source:
                views = clean_views(source)
        except DatabaseError as error:
            typer.echo(f"pincite: {database.name} is shown as it was indexed: {error}", err=True)
            for relation in database.database.relations:
                described.append({"database": database.name, **relation_to(relation)})
                texts.append(f"{database.name}/{relation.name}\n{markdown(relation)}")
            continue
        described += [{"database": database.name, **view_card.as_json(view)} for view in views]
        texts += [f"{database.name}/{view.name}\n{view_card.markdown(view)}" for view in views]
    none = f"{shown(corpus)}: no database; `pincite index --db URL` adds one"
    report(json, described, *([f"\n{text}" for text in texts] or [none]))


def _as_json(table: Table) -> dict[str, Any]:
    """A table in the form that `pincite tables --json` promises."""
    told = {name: getattr(table, name) for name in ("page", "box", "caption", "scale", "unit")}
    whole = table.scale == table.scale.to_integral_value()
    told["scale"] = int(table.scale) if whole else float(table.scale)
    parts = ("row", "column", "row_span", "column_span", "text", "box")
    cells = [{name: getattr(cell, name) for name in parts} for cell in table.cells]
    return {**told, "cells": cells}
