"""`pincite eval`: the score of a run file under published rules."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.cli import options
from pincite.cli.views.common import report, with_budget
from pincite.corpus import Corpus
from pincite.settings import load

if TYPE_CHECKING:
    from pincite.lab.scoring.evaluation import Figure

WITHOUT_ANSWERS = ("retrieval", "pages")
"""Rules under which no answer is scored."""


def evaluate(
    run: Annotated[Path, typer.Argument(help="A run file or submission.")],
    gold: Annotated[Path, typer.Argument(help="The questions with their gold.")],
    rules: Annotated[
        str,
        typer.Option(
            help="The scoring rules: typed, wattbot2025, wattbot2026, erc, pages or retrieval."
        ),
    ],
    corpus: Annotated[
        Path | None,
        options.corpus_of(
            "The corpus of the run: a model then judges answers by the cited pages, else by the quotes."
        ),
    ] = None,
    no_model: Annotated[
        bool, typer.Option("--no-model", help="Have no model judge the answers.")
    ] = False,
    budget: options.Budget = "",
    json: options.Json = False,
) -> None:
    """Score a run file against gold, with 95% bootstrap intervals.

    Where the settings name a `judge`, that model also judges how faithful, relevant and correct the answers are; its replies are
    kept beside the run file.
    """  # fmt: skip
    from pincite.lab.scoring.evaluation import evaluate_run

    rows = evaluate_run(run, gold, rules)
    if rules not in WITHOUT_ANSWERS and run.suffix == ".jsonl" and not no_model:
        rows += _judged(run, gold, corpus, budget)
    told = [
        f"{row.metric:<28} {row.value:.3f}  [{row.low:.3f}, {row.high:.3f}]  n={row.n}"
        for row in rows
    ]
    report(json, [row._asdict() for row in rows], *told)


def _judged(run: Path, gold: Path, corpus: Path | None, budget: str) -> list[Figure]:
    """What the judge of the settings makes of the answers; nothing where there is none."""
    models = with_budget(load().models, budget)
    if not models.judge:
        return []
    from pincite.lab.judging.judgements import judged_figures
    from pincite.models.kit import kit_of

    judge = kit_of(models, run.resolve().parent).model("judge")
    return judged_figures(run, gold, judge, Corpus(corpus) if corpus else None)
