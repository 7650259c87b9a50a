"""`pincite show`: the page of a citation with the cited place framed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pincite.cli.common import CorpusOption, JsonOption, print_json


def add_to(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("show")(show)


def show(
    identity: Annotated[str, typer.Argument(metavar="ID", help="The id of a citation, or of an answer.")],
    corpus: CorpusOption,
    out: Annotated[Path, typer.Option(help="The PNG to write.")] = Path("page.png"),
    password: Annotated[str | None, typer.Option(help="For an encrypted file.")] = None,
    json: JsonOption = False,
) -> None:
    """Draw the page of a citation with the cited box or cell framed."""
    from pincite.answers import recall
    from pincite.corpus import Corpus
    from pincite.framed import frame

    _, citation = recall(corpus, identity)
    page = frame(Corpus(corpus), citation, password)
    page.save(out)
    told = {"document": citation.document, "page": citation.anchor.page, "quote": citation.quote, "out": str(out)}
    if json:
        print_json(told)
    else:
        typer.echo(f"{citation.document}, page {citation.anchor.page}: “{citation.quote}” framed in {out}")
