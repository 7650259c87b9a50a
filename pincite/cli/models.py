"""`pincite models` and `cost`: the language models that run on this machine, and what models have cost in a corpus."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import typer
from typer import Argument, Option

from pincite.cli import options
from pincite.cli.views.common import print_json, report
from pincite.cli.views.terminal import bars, plain_table, terminal
from pincite.corpus import Corpus
from pincite.errors import UsageError
from pincite.models.local.getting import Tell, add, fault_of, get, remove
from pincite.models.local.weights import LOCAL, Weights, all_weights, known, weights, weights_here
from pincite.settings import load
from pincite.storage.ledger import BY, Ledger, Spend

WHAT = ("list", "get", "add", "remove", "check")


def models(
    what: str = Argument("list", metavar="|".join(WHAT), help="What to do; by default list."),
    name: str = Argument(
        "",
        metavar="[NAME|FILE.gguf]",
        help="The model, by default the first of the list; for `add` a GGUF file.",
    ),
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
    from pincite.models.extras import has_engine

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
    told, said = [], []
    for called, fault in faults.items():
        told.append({"name": called, "ok": not fault, "fault": fault or None})
        again = f"run `pincite models remove {called}`, then get or add it again"
        whole = f"ok    {called}: whole, its hash is right"
        said.append(f"FAIL  {called}: {fault}; {again}" if fault else whole)
    report(json, told, *said)
    if any(faults.values()):
        raise typer.Exit(1)


def _say(weights: Weights, what: str, json: bool, **more: Any) -> None:
    """Say what was done to the file of a model."""
    report(json, {**_told(weights), **more}, f"{weights.name} {what} ({weights.path})")


@contextmanager
def _shown(name: str, quiet: bool) -> Iterator[Tell]:
    """A bar of the bytes that are done."""
    from rich.progress import BarColumn, DownloadColumn, TimeRemainingColumn, TransferSpeedColumn

    sizes = DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn()
    with bars("{task.description}", BarColumn(), *sizes, quiet=quiet) as shown:
        task = shown.add_task(name, total=None)
        yield lambda what, done, total: shown.update(
            task, description=f"{what} {name}", completed=done, total=total
        )


def say_how_to_get_one() -> None:
    """Say on standard error how to have a model on this machine, once for each user."""
    from pincite import untrusted
    from pincite.models.local.choice import HINT, how_to_get_one

    if not untrusted.is_agreed(HINT):
        untrusted.agree(HINT)
        typer.echo(
            f"pincite: no language model is set: with one on this machine more is answered: {how_to_get_one()} (--no-model "
            "answers without)",
            err=True,
        )


def cost(
    corpus: options.Corpus,
    by: str = Option("offline", help=f"Group by {', '.join(BY)}."),
    json: options.Json = False,
) -> None:
    """Show the tokens, money and time that models took, by default for indexing and answering separately."""
    from pincite.errors import UsageError
    from pincite.models.kit import LEDGER
    from pincite.storage import is_kept

    if by not in BY:
        raise UsageError(f"--by must be one of {', '.join(BY)}, not {by!r}")
    Corpus(corpus).close()  # says so when there is none
    ledger = Ledger(corpus / LEDGER) if is_kept(corpus, LEDGER, "spends") else Ledger()
    rows = [(_group_name(by, spend), spend) for spend in ledger.rows(by)]
    total = ledger.total()
    if json:
        told = [_record(name, spend) for name, spend in rows]
        print_json({"by": by, "rows": told, "total": _record("total", total)})
    elif not total.requests:
        typer.echo("no model has been asked here")
    else:
        _print_spends(by if by != "offline" else "", [*rows, ("total", total)])


def _group_name(by: str, spend: Spend) -> str:
    if by == "offline":
        return "indexing" if spend.offline else "answering"
    return str(getattr(spend, by)) or "-"


def _record(name: str, spend: Spend) -> dict[str, Any]:
    return {
        "name": name, "requests": spend.requests, "input": spend.usage.input, "cached": spend.usage.cached,
        "output": spend.usage.output, "cost": str(spend.cost), "seconds": round(spend.seconds, 3),
    }  # fmt: skip


def _print_spends(heading: str, rows: list[tuple[str, Spend]]) -> None:
    """The spending as a table: names on the left, figures on the right."""
    lines = [(heading, "requests", "tokens in", "cached", "tokens out", "money", "seconds")]
    for name, spend in rows:
        usage = spend.usage
        lines.append((
            name, f"{spend.requests:,}", f"{usage.input:,}", f"{usage.cached:,}", f"{usage.output:,}", f"{spend.cost:.4f}",
            f"{spend.seconds:.1f}",
        ))  # fmt: skip
    first, *others = (max(map(len, column)) for column in zip(*lines, strict=True))
    for name, *figures in lines:
        cells = map(str.rjust, figures, others)
        typer.echo("  ".join((name.ljust(first), *cells)).rstrip())
