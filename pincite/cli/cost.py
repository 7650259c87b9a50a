"""`pincite cost`: what models have taken in a corpus."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from pincite.cli.views.common import CorpusOption, JsonOption, print_json
from pincite.ledger import BY, Ledger, Spend


def add_to(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("cost")(cost)


def cost(
    corpus: CorpusOption,
    by: Annotated[str, typer.Option(help=f"Group by {', '.join(BY)}.")] = "offline",
    json: JsonOption = False,
) -> None:
    """Show the tokens, money and time that models took, for indexing (offline) and answering (online) separately."""
    from pincite.corpus import Corpus
    from pincite.errors import UsageError
    from pincite.models.kit import LEDGER

    if by not in BY:
        raise UsageError(f"--by must be one of {', '.join(BY)}, not {by!r}")
    Corpus(corpus).close()  # says so when there is none
    path = corpus / LEDGER
    ledger = Ledger(path) if path.exists() else Ledger()
    rows = [(_named(by, spend), spend) for spend in ledger.rows(by)]
    total = ledger.total()
    if json:
        print_json({"by": by, "rows": [_told(name, one) for name, one in rows], "total": _told("total", total)})
        return
    if not total.requests:
        typer.echo("no model has been asked here")
        return
    lines = [
        (name, f"{one.requests:,}", f"{one.usage.input:,}", f"{one.usage.cached:,}", f"{one.usage.output:,}",
         f"{one.cost:.4f}", f"{one.seconds:.1f}")
        for name, one in [*rows, ("total", total)]
    ]  # fmt: skip
    head = (by if by != "offline" else "", "requests", "tokens in", "cached", "tokens out", "money", "seconds")
    widths = [max(len(line[at]) for line in (head, *lines)) for at in range(len(head))]
    for line in (head, *lines):
        cells = [
            line[0].ljust(widths[0]),
            *(cell.rjust(width) for cell, width in zip(line[1:], widths[1:], strict=True)),
        ]
        typer.echo("  ".join(cells).rstrip())


def _named(by: str, one: Spend) -> str:
    if by == "offline":
        return "indexing" if one.offline else "answering"
    return str(getattr(one, by)) or "-"


def _told(name: str, one: Spend) -> dict[str, Any]:
    return {
        "name": name, "requests": one.requests, "input": one.usage.input, "cached": one.usage.cached,
        "output": one.usage.output, "cost": str(one.cost), "seconds": round(one.seconds, 3),
    }  # fmt: skip
