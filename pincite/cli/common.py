"""What the verbs share: options, filters, output."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from pincite.errors import UsageError
from pincite.types import Where

CorpusOption = Annotated[
    Path, typer.Option("--corpus", "-c", envvar="PINCITE_CORPUS", help="The folder of the corpus.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
WhereOption = Annotated[
    list[str] | None, typer.Option("--where", help="Only documents whose FIELD=VALUE; may be given again.")
]

ModelOption = Annotated[
    str,
    typer.Option(
        "--model", metavar="ROLE|NAME", help="Answer with the model of a role (large, small) or of this name."
    ),
]
NoModelOption = Annotated[bool, typer.Option("--no-model", help="Answer without a language model.")]


def read_where(given: list[str] | None) -> Where:
    """`--where company=X --where year=2023`: values of one field are alternatives, fields hold together."""
    fields: dict[str, list[str]] = {}
    for one in given or ():
        name, equals, value = one.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise UsageError(f"--where wants FIELD=VALUE, as in --where company=Acme, not {one!r}")
        fields.setdefault(name.strip(), []).append(value.strip())
    return tuple((name, tuple(values)) for name, values in fields.items())


def print_json(value: Any) -> None:
    """Print a value as JSON."""
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2))
