"""`pincite cost`: what models have cost in a corpus."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from pincite.cli import options
from pincite.cli.views.common import print_json
from pincite.corpus import Corpus
from pincite.ledger import BY, Ledger, Spend


def cost(
    corpus: options.Corpus,
    by: Annotated[str, typer.Option(help=f"Group by {', '.join(BY)}.")] = "offline",
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
    rows = [(_named(by, spend), spend) for spend in ledger.rows(by)]
    total = ledger.total()
    if json:
        print_json(
            {
                "by": by,
                "rows": [_record(name, spend) for name, spend in rows],
                "total": _record("total", total),
            }
        )
    elif not total.requests:
        typer.echo("no model has been asked here")
    else:
        _print(by if by != "offline" else "", [*rows, ("total", total)])


def _named(by: str, spend: Spend) -> str:
    if by == "offline":
        return "indexing" if spend.offline else "answering"
    return str(getattr(spend, by)) or "-"


def _record(name: str, spend: Spend) -> dict[str, Any]:
    return {
        "name": name, "requests": spend.requests, "input": spend.usage.input, "cached": spend.usage.cached,
        "output": spend.usage.output, "cost": str(spend.cost), "seconds": round(spend.seconds, 3),
    }  # fmt: skip


def _print(heading: str, rows: list[tuple[str, Spend]]) -> None:
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
