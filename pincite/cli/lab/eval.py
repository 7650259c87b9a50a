"""`pincite eval`: the score of a run file under published rules."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pincite.cli.views.common import JsonOption, print_json


def evaluate(
    run: Annotated[Path, typer.Argument(help="A run file or submission.")],
    gold: Annotated[Path, typer.Argument(help="The questions with their gold.")],
    rules: Annotated[
        str,
        typer.Option(
            help="The scoring rules: wattbot2025, wattbot2026, erc, typed, tatqa, pages or retrieval."
        ),
    ],
    json: JsonOption = False,
) -> None:
    """Score a run file against gold, with 95% bootstrap intervals."""
    from pincite.lab.scoring.evaluation import evaluate_run

    rows = evaluate_run(run, gold, rules)
    if json:
        print_json(
            [dict(zip(("metric", "value", "n", "low", "high"), row, strict=True)) for row in rows]
        )
        return
    for metric, value, n, low, high in rows:
        typer.echo(f"{metric:<28} {value:.3f}  [{low:.3f}, {high:.3f}]  n={n}")
