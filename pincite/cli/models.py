"""`pincite models`: the language models that run on this machine, and their files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from pincite.cli import options
from pincite.cli.views.common import print_json, report
from pincite.cli.views.terminal import bars, plain_table, terminal
from pincite.errors import UsageError
from pincite.models.local.getting import Tell, add, fault_of, get, remove
from pincite.models.local.weights import LOCAL, Weights, all_weights, known, weights, weights_here
from pincite.settings import load

WHAT = ("list", "get", "add", "remove", "check")


def models(
    what: Annotated[
        str, typer.Argument(metavar="|".join(WHAT), help="What to do; by default list.")
    ] = "list",
    name: Annotated[
        str,
        typer.Argument(
            metavar="[NAME|FILE.gguf]",
            help="The model, by default the first of the list; for `add` a GGUF file.",
        ),
    ] = "",
    json: options.Json = False,
) -> None:
    """List the language models that can run on this machine, or get, add, remove or check the file of one.

    The first of the list that is there answers where no model is set; `local:NAME` names one. Exit code 1: a file is not as it
    should be.
    """
    if what not in WHAT:
        raise UsageError(f"`pincite models` takes one of {', '.join(WHAT)}, not {what!r}")
    {"list": _list, "get": _get, "add": _add, "remove": _remove, "check": _check}[what](name, json)


def _list(name: str, json: bool) -> None:
    told = [_told(one) for one in ([weights(name)] if name else all_weights().values())]
    if json:
        print_json(told)
        return
    table = plain_table("model", "file", "MB", "licence", "context", "parameters")
    for one in told:
        state = "answers" if one["answers"] else "here" if one["here"] else "not here"
        table.add_row(
            one["name"], state, f"{one['size'] / 1e6:,.0f}", one["licence"] or "not said", f"{one['context']:,}",
            f"{one['parameters']} billion",
        )  # fmt: skip
    terminal().print(table)
    if not any(one["here"] for one in told):
        typer.echo("`pincite models get` brings the first")


def _told(weights: Weights) -> dict[str, Any]:
    """What a list says of a model."""
    from pincite.extras import has_engine

    answers = load().models.large == f"{LOCAL}{weights.name}"
    return {
        "name": weights.name, "here": weights.is_here, "answers": answers and weights.is_here and has_engine(),
        "size": weights.size, "licence": weights.licence, "context": weights.context, "parameters": weights.parameters,
        "sha256": weights.sha256, "address": weights.address, "path": str(weights.path) if weights.is_here else None,
    }  # fmt: skip


def _get(name: str, json: bool) -> None:
    found = weights(name or next(iter(known())))
    with _shown(found.name, json) as tell:
        brought = get(found, tell)
    _say(found, "is here" if brought else "was here already", json, brought=brought)


def _add(name: str, json: bool) -> None:
    if not name:
        raise UsageError("name the file to add: `pincite models add FILE.gguf`")
    with _shown(Path(name).name, json) as tell:
        found = add(Path(name), tell)
    _say(found, "is here", json, added=True)


def _remove(name: str, json: bool) -> None:
    if not name:
        raise UsageError("name the model to remove, as `pincite models list` does")
    found = weights(name)
    freed = remove(found)
    _say(found, f"was removed, {freed / 1e6:,.0f} MB", json, freed=freed)


def _check(name: str, json: bool) -> None:
    asked: Iterable[Weights] = [weights(name)] if name else all_weights().values()
    here = [one for one in asked if one.path.exists()]
    if not here:
        weights_here(name or next(iter(all_weights())))
    faults = {}
    for one in here:
        with _shown(one.name, json) as tell:
            faults[one.name] = fault_of(one, tell)
    if json:
        print_json([{"name": one, "ok": not fault, "fault": fault or None} for one, fault in faults.items()])  # fmt: skip
    else:
        for called, fault in faults.items():
            typer.echo(
                f"FAIL  {called}: {fault}; run `pincite models remove {called}`, then get or add it again"
                if fault
                else f"ok    {called}: whole, its hash is right"
            )
    if any(faults.values()):
        raise typer.Exit(1)


def _say(weights: Weights, what: str, json: bool, **more: Any) -> None:
    """Say what was done to the file of a model."""
    report(json, {**_told(weights), **more}, f"{weights.name} {what} ({weights.path})")


@contextmanager
def _shown(name: str, quiet: bool) -> Iterator[Tell]:
    """A bar of the bytes that are done."""
    from rich.progress import BarColumn, DownloadColumn, TimeRemainingColumn, TransferSpeedColumn

    columns = (
        "{task.description}", BarColumn(), DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn(),
    )  # fmt: skip
    with bars(*columns, quiet=quiet) as shown:
        task = shown.add_task(name, total=None)
        yield lambda what, done, total: shown.update(
            task, description=f"{what} {name}", completed=done, total=total
        )


def say_how_to_get_one() -> None:
    """Say on standard error how to have a model on this machine, once for each user."""
    from pincite import agreements
    from pincite.models.local.choice import HINT, how_to_get_one

    if not agreements.is_agreed(HINT):
        agreements.agree(HINT)
        typer.echo(
            f"pincite: no language model is set: with one on this machine more is answered: {how_to_get_one()} (--no-model "
            "answers without)",
            err=True,
        )
