"""What the verbs share: options, filters, output."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from pincite.cli.views.terminal import bars
from pincite.errors import UsageError
from pincite.storage.corpus_address import corpus_folder
from pincite.types import Where

if TYPE_CHECKING:
    from typer.models import OptionInfo

    from pincite.library import Library
    from pincite.models.model_settings import ModelSettings
    from pincite.recipes.base import Recipe
    from pincite.workbench.batch import Answers


def finite(given: float) -> float:
    """A finite number of the command line: nan passes every comparison with a range."""
    if not isfinite(given):
        raise typer.BadParameter(f"{given} is not a finite number")
    return given


def _corpus() -> Path:
    """The corpus of the settings, for a command that names none."""
    from pincite.settings import default_corpus

    return default_corpus()


def corpus_option(explained: str, **more: Any) -> OptionInfo:
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


CorpusOption = Annotated[
    Path,
    corpus_option(
        "The corpus: a folder, or its address in PostgreSQL.",
        envvar="PINCITE_CORPUS",
        default_factory=_corpus,
        show_default="of pincite.toml",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]
CsvOption = Annotated[bool, typer.Option("--csv", help="Print the rows of the answer as CSV.")]
WhereOption = Annotated[
    list[str] | None,
    typer.Option("--where", help="Only documents whose FIELD is VALUE; may be repeated."),
]

ModelOption = Annotated[
    str,
    typer.Option(
        "--model",
        metavar="ROLE|NAME",
        help="Answer with the model of this role (large, small) or name.",
    ),
]
NoModelOption = Annotated[
    bool, typer.Option("--no-model", help="Answer without a language model.")
]
RecipeOption = Annotated[
    str,
    typer.Option(
        "--recipe",
        help="A recipe: a name that `pincite recipes` lists, a file that `pincite tune` wrote, or a spelling as `pincite "
        "recipe` prints it.",
    ),
]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="NAME=VALUE", help="A parameter of the recipe; may be repeated."
    ),
]
StandInsOption = Annotated[
    bool,
    typer.Option(
        "--stand-ins", help="Replace missing models with stand-ins that need none, and name them."
    ),
]


BudgetOption = Annotated[
    str,
    typer.Option(
        "--budget",
        help="The most that models may cost; the run stops there, and the same command resumes it.",
    ),
]
OnOption = Annotated[
    str,
    typer.Option(
        "--on",
        metavar="CLUSTER",
        help="Share the work out to a cluster: local:WORKERS, dask://HOST:PORT or tls://HOST:PORT (an extra).",
    ),
]
AsOfOption = Annotated[
    str,
    typer.Option(
        "--as-of",
        metavar="DATE",
        help="Ask the editions in force on a date: 2019, 2019-05 or 2019-05-01.",
    ),
]


def refuse_two_formats(json: bool, csv: bool) -> None:
    """Raise UsageError when an answer is wanted both as JSON and as CSV."""
    if json and csv:
        raise UsageError("--json and --csv exclude each other: give one of them")


def with_budget(models: ModelSettings, budget: str) -> ModelSettings:
    """The settings of models with the budget of `--budget`, as they are where none is given."""
    from pincite.ledger import money

    return replace(models, budget=money("--budget", budget)) if budget else models


def with_role(models: ModelSettings, model: str) -> tuple[ModelSettings, str]:
    """The settings of models, and the role under which `model` is asked: its own, or the small one for a model's name."""
    from pincite.models.model_settings import ROLES

    return (models, model) if model in ROLES else (replace(models, small=model), "small")


def read_recipe(name: str, sets: list[str] | None) -> Recipe | None:
    """The recipe of `--recipe` and `--set`; None when neither is given."""
    if not name and not sets:
        return None
    from pincite.recipes import read, recipe
    from pincite.recipes.parameters import pairs, read_tuned

    if "(" in name and not sets:
        return read(name)
    if name.endswith((".yaml", ".yml")):
        own, parameters = read_tuned(Path(name))
        return recipe(own, **{**parameters, **pairs(sets)})
    return recipe(name or "default", **pairs(sets))


def parts_of(text: str) -> list[str]:
    """The parts of a text between its commas: "a, b" names two."""
    return [part.strip() for part in text.split(",") if part.strip()]


def read_where(given: list[str] | None) -> Where:
    """`--where company=X --where year=2023`: values of one field are alternatives, fields hold together."""
    fields: dict[str, list[str]] = {}
    for text in given or ():
        name, equals, value = text.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise UsageError(
                f"--where needs FIELD=VALUE, as in --where company=Acme, not {text!r}"
            )
        fields.setdefault(name.strip(), []).append(value.strip())
    return tuple((name, tuple(values)) for name, values in fields.items())


def answering(on: str) -> AbstractContextManager[Answers | None]:
    """What answers questions on the cluster of `--on`; None where none is given."""
    if not on:
        return nullcontext()
    from pincite.workbench.cluster_answers import answers_on

    return answers_on(on)


def name_stand_ins(library: Library) -> None:
    """Name on standard error what stands in for models that the recipe needs and this machine lacks."""
    for stand_in in library.stand_ins:
        typer.echo(f"pincite: stand-in: {stand_in}", err=True)


def name_recipe(library: Library) -> None:
    """Name on standard error the recipe that answers, and what stands in for models that it lacks."""
    typer.echo(f"pincite: recipe: {library.named}", err=True)
    name_stand_ins(library)


def described(declared: Mapping[str, str]) -> str:
    """What the metadata file says of a document, on one line."""
    return "  ".join(f"{name}: {value}" for name, value in declared.items())


def print_json(value: Any) -> None:
    """Print a value as JSON."""
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2))


@contextmanager
def bar(what: str, quiet: bool) -> Iterator[Callable[[int, int, str], None]]:
    """A progress bar on the terminal for (done, total, note), with the time left."""
    from rich.progress import BarColumn, MofNCompleteColumn, TimeRemainingColumn

    columns = (
        what,
        BarColumn(),
        MofNCompleteColumn(),
        "{task.fields[note]}",
        TimeRemainingColumn(),
    )
    with bars(*columns, quiet=quiet) as shown:
        task = shown.add_task(what, total=None, note="")
        yield lambda done, total, note: shown.update(task, completed=done, total=total, note=note)
