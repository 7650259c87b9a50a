"""The options that several verbs have."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from pincite.storage.corpus_address import corpus_folder

if TYPE_CHECKING:
    from typer.models import OptionInfo


def _corpus() -> Path:
    """The corpus of the settings, for a command that names none."""
    from pincite.settings import default_corpus

    return default_corpus()


def corpus_of(explained: str, **more: Any) -> OptionInfo:
    """The option `--corpus` of a verb that says for itself what it is for, and what it does without one."""
    option = typer.Option(
        "--corpus",
        "-c",
        metavar="FOLDER|postgresql://...",
        parser=corpus_folder,
        help=explained,
        **more,
    )
    return cast("OptionInfo", option)


Corpus = Annotated[
    Path,
    corpus_of(
        "The corpus: a folder, or its address in PostgreSQL.",
        envvar="PINCITE_CORPUS",
        default_factory=_corpus,
        show_default="of pincite.toml",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Csv = Annotated[bool, typer.Option("--csv", help="Print the rows of the answer as CSV.")]
Where = Annotated[
    list[str] | None,
    typer.Option("--where", help="Only documents whose FIELD is VALUE; may be repeated."),
]

Model = Annotated[
    str,
    typer.Option(
        "--model",
        metavar="ROLE|NAME",
        help="Answer with the model of this role (large, small) or name.",
    ),
]
NoModel = Annotated[bool, typer.Option("--no-model", help="Answer without a language model.")]
Recipe = Annotated[
    str,
    typer.Option(
        "--recipe",
        help="A recipe: a name that `pincite recipes` lists, a file that `pincite tune` wrote, or a spelling as `pincite "
        "recipe` prints it.",
    ),
]
Set = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="NAME=VALUE", help="A parameter of the recipe; may be repeated."
    ),
]
StandIns = Annotated[
    bool,
    typer.Option(
        "--stand-ins", help="Replace missing models with stand-ins that need none, and name them."
    ),
]


Budget = Annotated[
    str,
    typer.Option(
        "--budget",
        help="The most that models may cost; the run stops there, and the same command resumes it.",
    ),
]
On = Annotated[
    str,
    typer.Option(
        "--on",
        metavar="CLUSTER",
        help="Share the work out to a cluster: local:WORKERS, dask://HOST:PORT or tls://HOST:PORT (an extra).",
    ),
]
AsOf = Annotated[
    str,
    typer.Option(
        "--as-of",
        metavar="DATE",
        help="Ask the editions in force on a date: 2019, 2019-05 or 2019-05-01.",
    ),
]
Metadata = Annotated[
    Path | None,
    typer.Option(
        help="A CSV whose first column is id, sha1 or file; the others are fields to filter by."
    ),
]
Password = Annotated[str | None, typer.Option(help="The password of an encrypted file.")]
