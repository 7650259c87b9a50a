"""`pincite export` and `pincite import`: a corpus as one file, or its documents in the JSON of docling."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pincite.cli import options
from pincite.cli.views.common import print_json, read_where, report
from pincite.corpus import Corpus
from pincite.errors import UsageError
from pincite.plural import counted
from pincite.storage.corpus_address import shown


def export(
    out: Annotated[
        Path,
        typer.Argument(help="The file to write, as in reports.pincite; with --docling a folder."),
    ],
    corpus: options.Corpus,
    docling: Annotated[
        bool,
        typer.Option(
            "--docling", help="Write each document as DoclingDocument JSON instead of the corpus."
        ),
    ] = False,
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
    file: Annotated[Path, typer.Argument(help="A file that `pincite export` wrote.")],
    corpus: options.Corpus,
    json: options.Json = False,
) -> None:
    """Make a corpus from an exported file."""
    from pincite.database.sources.database_address import variable
    from pincite.workbench.importing import unpack

    made = unpack(file, corpus)
    if json:
        barred = [
            {"name": name, "address": address, "variable": variable(name)}
            for name, address in made.barred
        ]
        print_json({"corpus": shown(corpus), "documents": made.documents, "barred": barred})
        return
    typer.echo(f"{counted(made.documents, 'document')} imported into {shown(corpus)}")
    for name, address in made.barred:
        typer.echo(
            f"  the database {name} at {address} is not opened unless you index it here, or set {variable(name)}"
        )
