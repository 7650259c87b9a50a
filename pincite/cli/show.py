"""`pincite show`: the page of a citation with the cited place framed, or the row of a database that it cites."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.cli import options
from pincite.cli.views.common import described, print_json, report
from pincite.corpus import Corpus
from pincite.disk import whole
from pincite.errors import CorpusError

if TYPE_CHECKING:
    from pincite.types import Citation


def show(
    identity: Annotated[
        str, typer.Argument(metavar="ID", help="The id of a citation, or of an answer.")
    ],
    corpus: options.Corpus,
    out: Annotated[Path, typer.Option(help="The PNG to write.")] = Path("page.png"),
    password: options.Password = None,
    json: options.Json = False,
) -> None:
    """Draw the page of a citation with the cited place framed; for a database, print the cited rows as they are now."""
    from pincite.document.address import place_of, standing
    from pincite.evidence.framed_page import frame
    from pincite.records.answer_store import recall

    _, citation = recall(corpus, identity)
    if citation.anchor.sql and not citation.anchor.page:
        _show_rows(Corpus(corpus), citation, json)
        return
    opened = Corpus(corpus)
    if gone := opened.departed(citation.anchor.source, citation.document):
        where = standing(citation.anchor)
        raise CorpusError(
            f"gone: {gone}; what was cited{where and ' '}{where} was: “{citation.quote}”"
        )
    page = frame(opened, citation, password)
    with whole(out) as half:
        page.save(half)
    given = (known.declared for known in opened.documents if known.id == citation.document)
    declared = dict(next(given, {}))
    told = {
        "document": citation.document, "metadata": declared, "page": citation.anchor.page, "quote": citation.quote,
        "out": str(out),
    }  # fmt: skip
    said = f"{citation.document}, {place_of(citation.anchor)}: “{citation.quote}” framed in {out}"
    report(json, told, said, *(["  " + described(declared)] if declared else []))


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
    found = (
        by_key(source, relation, pin.rows, [column.name for column in columns]) if pin.rows else {}
    )
    rows = [list(map(plain, found[key])) for key in pin.rows if key in found]
    headings, gone = list(map(heading_of, columns)), len(pin.rows) - len(rows)
    if json:
        print_json({
            "document": citation.document, "statement": pin.statement, "columns": headings, "rows": rows, "gone": gone,
            "quote": citation.quote,
        })  # fmt: skip
        return
    typer.echo(f"{citation.document}: “{citation.quote}”")
    if rows:
        print_table(unbroken(), headings, rows)
    if gone:
        typer.echo(f"  {gone} of the cited rows are no longer there")
    typer.echo(f"  found by: {pin.statement}")
