"""The options that several verbs have."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

from typer import Option

from pincite.settings import default_corpus
from pincite.storage.corpus_address import corpus_folder

if TYPE_CHECKING:
    from typer.models import OptionInfo


def corpus_of(explained: str, **more: Any) -> OptionInfo:
    """The option `--corpus` of a verb that says for itself what it is for, and what it does without one."""
    option = Option(
        "--corpus", "-c", metavar="FOLDER|postgresql://...", parser=corpus_folder, help=explained, **more
    )  # fmt: skip
    return cast("OptionInfo", option)


Corpus = Annotated[
    Path,
    corpus_of(
        "The corpus: a folder, or its address in PostgreSQL.", envvar="PINCITE_CORPUS", default_factory=default_corpus,
        show_default="of pincite.toml",
    ),
]  # fmt: skip
Json = Annotated[bool, Option("--json", help="Print JSON.")]
Csv = Annotated[bool, Option("--csv", help="Print the rows of the answer as CSV.")]
Where = Annotated[
    list[str] | None, Option("--where", help="Only documents whose FIELD is VALUE; may be repeated.")
]  # fmt: skip
Model = Annotated[
    str, Option("--model", metavar="ROLE|NAME", help="Answer with the model of this role (large, small) or name.")
]  # fmt: skip
NoModel = Annotated[bool, Option("--no-model", help="Answer without a language model.")]
Recipe = Annotated[
    str,
    Option(
        "--recipe",
        help="A recipe: a name that `pincite recipes` lists, a file that `pincite tune` wrote, or a spelling as `pincite "
        "recipe` prints it.",
    ),
]
Set = Annotated[
    list[str] | None,
    Option("--set", metavar="NAME=VALUE", help="A parameter of the recipe; may be repeated."),
]
StandIns = Annotated[
    bool, Option("--stand-ins", help="Replace missing models with stand-ins that need none, and name them.")
]  # fmt: skip
_BUDGET = "The most that models may cost; the run stops there, and the same command resumes it."
Budget = Annotated[str, Option("--budget", help=_BUDGET)]
_ON = "Share the work out to a cluster: local:WORKERS, dask://HOST:PORT or tls://HOST:PORT (an extra)."
On = Annotated[str, Option("--on", metavar="CLUSTER", help=_ON)]
_AS_OF = "Ask the editions in force on a date: 2019, 2019-05 or 2019-05-01."
AsOf = Annotated[str, Option("--as-of", metavar="DATE", help=_AS_OF)]
_METADATA = "A CSV whose first column is id, sha1 or file; the others are fields to filter by."
Metadata = Annotated[Path | None, Option(help=_METADATA)]
Password = Annotated[str | None, Option(help="The password of an encrypted file.")]
