"""`pincite export` and `pincite import`: a corpus as one file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pincite.cli.common import CorpusOption, JsonOption, print_json


def add_to(app: typer.Typer) -> None:
    """Add the verbs."""
    app.command("export")(export)
    app.command("import")(bring)


def export(
    out: Annotated[Path, typer.Argument(help="The file to write, as in reports.pincite")],
    corpus: CorpusOption,
    json: JsonOption = False,
) -> None:
    """Write a corpus, with its sources and indexes, as one file."""
    from pincite.transfer import pack

    size = pack(corpus, out)
    if json:
        print_json({"out": str(out), "bytes": size})
    else:
        typer.echo(f"{corpus} written to {out} ({size:,} bytes)")


def bring(
    file: Annotated[Path, typer.Argument(help="A file that `pincite export` wrote.")],
    corpus: CorpusOption,
    json: JsonOption = False,
) -> None:
    """Make a corpus from an exported file."""
    from pincite.corpus import Corpus
    from pincite.transfer import unpack

    unpack(file, corpus)
    documents = len(Corpus(corpus).documents)
    if json:
        print_json({"corpus": str(corpus), "documents": documents})
    else:
        typer.echo(f"{documents} documents imported into {corpus}")
