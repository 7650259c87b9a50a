"""`pincite tables`: the tables of one PDF, or of the databases of a corpus."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from pincite.cli import options
from pincite.cli.views.common import report
from pincite.corpus import Corpus
from pincite.errors import UsageError
from pincite.settings import named_corpus
from pincite.storage.corpus_address import shown
from pincite.types import Table


def tables(
    file: Annotated[Path | None, typer.Argument(help="A PDF.")] = None,
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
        _cards(corpus or _named(), json)
        return
    if not file.is_file():
        raise UsageError(f"{file} does not exist")
    _tables_of(file, password, json)


def _named() -> Path:
    """The corpus of the settings. Raises UsageError where none is named."""
    if named := named_corpus():
        return named
    raise UsageError("give one PDF, or --corpus for the tables of its databases")


def _tables_of(file: Path, password: str | None, json: bool) -> None:
    """Print the tables of a PDF."""
    from pincite.document.table_text import markdown
    from pincite.ingest.pdf.pdf_pages import raw_pages
    from pincite.ingest.tables import find_tables

    found = [table for page in raw_pages(file, password) for table in find_tables(page)]
    said = [
        f"\npage {table.page}: {table.caption or 'no caption'}\n{markdown(table)}"
        for table in found
    ]
    report(json, list(map(as_json, found)), *(said or [f"{file.name}: no table found"]))


def _cards(corpus: Path, json: bool) -> None:
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


def as_json(table: Table) -> dict[str, Any]:
    """A table in the form that `pincite tables --json` promises."""
    told = {name: getattr(table, name) for name in ("page", "box", "caption", "scale", "unit")}
    whole = table.scale == table.scale.to_integral_value()
    told["scale"] = int(table.scale) if whole else float(table.scale)
    parts = ("row", "column", "row_span", "column_span", "text", "box")
    return {
        **told,
        "cells": [{name: getattr(cell, name) for name in parts} for cell in table.cells],
    }
