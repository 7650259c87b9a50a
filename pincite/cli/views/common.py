"""What the verbs share: how their options are read, and output."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from pincite.cli.views.terminal import bars
from pincite.errors import UsageError
from pincite.types import Where

if TYPE_CHECKING:
    from pincite.models.model_settings import ModelSettings
    from pincite.recipes.base import Recipe
    from pincite.workbench.batch import Answers
    from pincite.workbench.library import Library


def finite(given: float) -> float:
    """A finite number of the command line: nan passes every comparison with a range."""
    if not isfinite(given):
        raise typer.BadParameter(f"{given} is not a finite number")
    return given


def refuse_two_formats(json: bool, csv: bool) -> None:
    """Raise UsageError when an answer is wanted both as JSON and as CSV."""
    if json and csv:
        raise UsageError("--json and --csv exclude each other: give one of them")


def with_budget(models: ModelSettings, budget: str) -> ModelSettings:
    """The settings of models with the budget of `--budget`, as they are where none is given."""
    from pincite.storage.ledger import money

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
    """What people say of a document, on one line."""
    return "  ".join(f"{name}: {value}" for name, value in declared.items() if value)


def print_json(value: Any) -> None:
    """Print a value as JSON."""
    typer.echo(json.dumps(value, ensure_ascii=False, indent=2))


def report(json: bool, told: Any, *lines: str) -> None:
    """Print what was done or found: as JSON where that is wanted, else in lines."""
    if json:
        print_json(told)
        return
    for line in lines:
        typer.echo(line)


@contextmanager
def bar(what: str, quiet: bool) -> Iterator[Callable[[int, int, str], None]]:
    """A progress bar on the terminal for (done, total, note), with the time left."""
    from rich.progress import BarColumn, MofNCompleteColumn, TimeRemainingColumn

    columns = BarColumn(), MofNCompleteColumn(), "{task.fields[note]}", TimeRemainingColumn()
    with bars(what, *columns, quiet=quiet) as shown:
        task = shown.add_task(what, total=None, note="")
        yield lambda done, total, note: shown.update(task, completed=done, total=total, note=note)
