"""`pincite batch`: a file of questions into a file of answers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite.cli import options
from pincite.cli.views.common import (
    answering,
    bar,
    name_stand_ins,
    print_json,
    read_recipe,
    with_budget,
)
from pincite.ledger import listened
from pincite.plural import counted
from pincite.settings import Settings, load, ruled, with_model

if TYPE_CHECKING:
    from pincite.recipes.base import Recipe
    from pincite.workbench.batch import QuestionLine
    from pincite.workbench.estimate import Estimate


def batch(
    questions: Annotated[Path, typer.Argument(help="CSV with id and question, or JSONL.")],
    corpus: options.Corpus,
    out: Annotated[Path, typer.Option(help="The file to write.")],
    format: Annotated[str, typer.Option(help="The format: jsonl, csv, wattbot or erc.")] = "jsonl",
    recipe: options.Recipe = "",
    sets: options.Set = None,
    stand_ins: options.StandIns = False,
    model: options.Model = "",
    no_model: options.NoModel = False,
    budget: options.Budget = "",
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Estimate calls, tokens and money without asking a model."),
    ] = False,
    on: options.On = "",
    json: options.Json = False,
) -> None:
    """Answer many questions; a killed run resumes where it stopped.

    The formats wattbot and erc bring the rules of their challenge, unless the setting `rules` names others.

    Exit code 3: the budget is spent. Exit code 1: some questions failed; the same command asks them again.
    """
    from pincite.library import Library
    from pincite.workbench.batch import read_questions, run

    asked = read_questions(questions)
    settings = ruled(with_model(load(), model, no_model), format)
    settings = replace(settings, models=with_budget(settings.models, budget))
    chosen = read_recipe(recipe, sets)
    if dry_run:
        _estimate(asked, corpus, settings, chosen, stand_ins, out, json)
        return
    library = Library(corpus, settings, recipe=chosen, stand_ins=stand_ins)
    name_stand_ins(library)
    with _bar("answer", len(asked), json, costs=library.kit.large is not None) as tick:
        with answering(on) as answers:
            done = run(asked, library, out, format, tick, answers)
    refused = sum(made["refused"] for made in done.records) - len(done.failed)
    if json:
        print_json({
            "questions": len(done.records), "refused": refused, "failed": dict(done.failed), "out": str(out),
        })  # fmt: skip
    else:
        answered = len(done.records) - len(done.failed)
        typer.echo(
            f"{counted(answered, 'question')} answered, {refused} of them N/A, written to {out}"
        )
        for identity, reason in done.failed.items():
            typer.echo(f"  {identity} failed: {reason}", err=True)
    if done.failed:
        typer.echo(
            f"pincite: {counted(len(done.failed), 'question')} failed: the same command asks again",
            err=True,
        )
        raise typer.Exit(1)


def _estimate(
    asked: list[QuestionLine],
    corpus: Path,
    settings: Settings,
    recipe: Recipe | None,
    stand_ins: bool,
    out: Path,
    json: bool,
) -> None:
    """Estimate what the questions would take that a run into `out` has not answered yet."""
    from pincite.workbench.batch import answered_before
    from pincite.workbench.estimate import dry_library, estimate

    library, calls = dry_library(corpus, settings, recipe, stand_ins)
    name_stand_ins(library)
    before = answered_before(asked, library, out)
    todo = [question.query(library) for question in asked if question.id not in before]
    with _bar("estimate", len(todo), json) as tick:
        made = estimate(todo, library, calls, tick)
    _print_estimate(made, settings.models.budget, json)


@contextmanager
def _bar(what: str, total: int, quiet: bool, costs: bool = False) -> Iterator[Any]:
    """A progress bar over `total` questions; with `costs` it shows the money spent so far and expected in all."""
    with bar(what, quiet) as move:
        first: list[int] = []
        so_far = 0, ""

        def tick(done: int, cost: Decimal = Decimal(0)) -> None:
            nonlocal so_far
            first.append(done)  # what an earlier run answered has cost nothing in this one
            new = done - first[0]
            whole = cost * (total - first[0]) / new if new else Decimal(0)
            so_far = done, f"cost {cost:.4f}, all {whole:.4f}" if costs and new else ""
            move(done, total, so_far[1])

        with listened(lambda progress: move(so_far[0], total, f"{so_far[1]}  {progress}")):
            yield tick


def _print_estimate(made: Estimate, budget: Decimal | None, json: bool) -> None:
    if json:
        print_json({
            "questions": made.questions, "least": made.low.told(), "most": made.high.told(), "assumed": made.assumed,
        })  # fmt: skip
        return
    low, high = made.low, made.high
    typer.echo(f"{counted(made.questions, 'question')}; no model was asked")
    typer.echo(f"  calls       {low.calls:>14,} to {high.calls:,}")
    typer.echo(f"  tokens in   {low.usage.input:>14,} to {high.usage.input:,}")
    typer.echo(f"  tokens out  {low.usage.output:>14,} to {high.usage.output:,}")
    typer.echo(f"  money       {low.cost:>14.4f} to {high.cost:.4f}")
    if budget is not None and high.cost > budget:
        typer.echo(
            f"  the budget of {budget} {'is' if low.cost > budget else 'may be'} too small for all of it"
        )
    typer.echo("assumed: " + "; ".join(made.assumed))
