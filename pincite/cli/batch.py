"""`pincite batch` and `grid`: a file of questions into a file of answers; a table of entities by questions, kept up to date."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from pincite.cli import options
from pincite.cli.views.common import (
    answering,
    bar,
    name_stand_ins,
    read_recipe,
    report,
    with_budget,
)
from pincite.formats.encoding import dumps
from pincite.ports import Progress
from pincite.settings import load, ruled, with_model
from pincite.storage.ledger import listened
from pincite.text.wording import counted

if TYPE_CHECKING:
    from pincite.workbench.estimate import Estimate
    from pincite.workbench.grid import Filled, Grid, GridProgress


def batch(
    questions: Annotated[Path, Argument(help="CSV with id and question, or JSONL.")],
    corpus: options.Corpus,
    out: Annotated[Path, Option(help="The file to write.")],
    format: str = Option("jsonl", help="The format: jsonl, csv, wattbot or erc."),
    recipe: options.Recipe = "",
    sets: options.Set = None,
    stand_ins: options.StandIns = False,
    model: options.Model = "",
    no_model: options.NoModel = False,
    budget: options.Budget = "",
    dry_run: bool = Option(
        False, "--dry-run", help="Estimate calls, tokens and money without asking a model."
    ),
    on: options.On = "",
    json: options.Json = False,
) -> None:
    """Answer many questions; a killed run resumes where it stopped.

    The formats wattbot and erc bring the rules of their challenge, unless the setting `rules` names others.

    Exit code 3: the budget is spent. Exit code 1: some questions failed; the same command asks them again.
    """
    from pincite.workbench.batch import answered_before, read_questions, run
    from pincite.workbench.estimate import dry_library, estimate
    from pincite.workbench.library import Library

    asked = read_questions(questions)
    settings = ruled(with_model(load(), model, no_model), format)
    settings = replace(settings, models=with_budget(settings.models, budget))
    chosen = read_recipe(recipe, sets)
    if dry_run:
        library, calls = dry_library(corpus, settings, chosen, stand_ins)
        name_stand_ins(library)
        before = answered_before(asked, library, out)
        todo = [question.query(library) for question in asked if question.id not in before]
        with _bar("estimate", len(todo), json) as tick:
            made = estimate(todo, library, calls, tick)
        _print_estimate(made, settings.models.budget, json)
        return
    library = Library(corpus, settings, recipe=chosen, stand_ins=stand_ins)
    name_stand_ins(library)
    with _bar("answer", len(asked), json, costs=library.kit.large is not None) as tick:
        with answering(on) as answers:
            done = run(asked, library, out, format, tick, answers)
    refused = sum(made["refused"] for made in done.records) - len(done.failed)
    answered = counted(len(done.records) - len(done.failed), "question")
    report(
        json,
        {"questions": len(done.records), "refused": refused, "failed": dict(done.failed), "out": str(out)},
        f"{answered} answered, {refused} of them N/A, written to {out}",
    )  # fmt: skip
    for identity, reason in () if json else done.failed.items():
        typer.echo(f"  {identity} failed: {reason}", err=True)
    _end_failed(len(done.failed), "question")


def _end_failed(number: int, noun: str) -> None:
    """End with exit code 1 where some have failed."""
    if number:
        typer.echo(
            f"pincite: {counted(number, noun)} failed: the same command asks again", err=True
        )
        raise typer.Exit(1)


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
    low, high = made.low, made.high
    told = {"questions": made.questions, "least": low.told(), "most": high.told()}
    said = [
        f"{counted(made.questions, 'question')}; no model was asked",
        f"  calls       {low.calls:>14,} to {high.calls:,}",
        f"  tokens in   {low.usage.input:>14,} to {high.usage.input:,}",
        f"  tokens out  {low.usage.output:>14,} to {high.usage.output:,}",
        f"  money       {low.cost:>14.4f} to {high.cost:.4f}",
    ]
    if budget is not None and high.cost > budget:
        surely = "is" if low.cost > budget else "may be"
        said.append(f"  the budget of {budget} {surely} too small for all of it")
    report(json, {**told, "assumed": made.assumed}, *said, "assumed: " + "; ".join(made.assumed))


AT_ONCE = 2  # processes that share the rows; each holds its own copy of the indexes
SHOWN = 20  # moved cells that are printed


def grid(
    spec: Annotated[
        Path,
        Argument(help="The rows and the questions: YAML, CSV, or an XLSX with empty cells."),
    ],
    corpus: options.Corpus,
    out: Annotated[Path, Option(help="The file to write: .xlsx, .csv, .parquet or .json.")],
    pages: bool = Option(True, help="Draw the framed pages beside the file, and link to them."),
    recipe: options.Recipe = "",
    sets: options.Set = None,
    stand_ins: options.StandIns = False,
    model: options.Model = "",
    no_model: options.NoModel = False,
    budget: options.Budget = "",
    on: options.On = "",
    json: options.Json = False,
) -> None:
    """Fill a grid; when run again, it answers only the cells whose evidence has changed since.

    A killed run resumes where it stopped; corrections of `pincite review` are kept. With --json a line is printed for each cell.
    Exit code 3: the budget is spent. Exit code 1: some cells failed; the same command asks them again.
    """
    from pincite.workbench.grid import fill, read_spec, write_grid
    from pincite.workbench.grid.grid_export import check_format, draw_pages, linked
    from pincite.workbench.library import Library

    check_format(out)
    asked = read_spec(spec)
    # a folder that cannot be written fails now, not after hours
    out.parent.mkdir(parents=True, exist_ok=True)
    settings = with_model(load(), model, no_model)
    settings = replace(settings, models=with_budget(settings.models, budget))
    library = Library(corpus, settings, recipe=read_recipe(recipe, sets), stand_ins=stand_ins)
    name_stand_ins(library)
    processes = min(AT_ONCE, os.cpu_count() or 1)
    with _cell_bar(json) as tick, answering(on) as answers:
        made = fill(asked, library, tick, processes=processes, answers=answers)
    folder = out.with_name(f"{out.stem}_pages")
    if pages:
        with bar("draw", json) as drawn:
            draw_pages(
                made, library.corpus, folder, lambda done, total: drawn(done, total, "pages")
            )
    write_grid(made, out, linked(folder) if pages else None)
    _told(made, out, json)
    _end_failed(made.counts.get("failed", 0), "cell")


@contextmanager
def _cell_bar(json: bool) -> Iterator[Callable[[GridProgress], None]]:
    """A progress bar, or with --json a line for each cell when it is answered."""
    done = total = 0
    with bar("fill", json) as bars:

        def reading(progress: Progress) -> None:
            if total:
                bars(done, total, str(progress))

        def tick(so_far: GridProgress) -> None:
            nonlocal done, total
            done, total = so_far.done, so_far.total
            cell = f"{so_far.row}, {so_far.column}"[:40] if so_far.row else f"{so_far.reused} kept"
            bars(so_far.done, so_far.total, cell)
            if json:
                typer.echo(dumps(asdict(so_far)))

        with listened(reading):
            yield tick


def _told(made: Grid, out: Path, json: bool) -> None:
    moved = [cell for line in made.cells for cell in line if cell.moved is not None]
    if json:
        counts = {"answered": made.answered, "moved": len(moved), "counts": made.counts}
        typer.echo(dumps({"grid": made.id, "run": made.run, **counts, "out": str(out)}))
        return
    run = f"{made.answered} answered in this run, {len(moved)} moved; written to {out}"
    typer.echo(f"{counted(sum(map(len, made.cells)), 'cell')}, {run}")
    typer.echo("  " + ", ".join(f"{count} {status}" for status, count in made.counts.items()))
    for cell in moved[:SHOWN]:
        typer.echo(f"  {_moved_line(cell)}")
    if len(moved) > SHOWN:
        typer.echo(f"  and {len(moved) - SHOWN} more")


def _moved_line(cell: Filled) -> str:
    """What stood in a cell, what is found now, and what changed; the reviewer's value where it is shown instead."""
    from pincite.workbench.grid.filled_cells import found

    assert cell.moved is not None
    kept = f"; corrected to {cell.text or 'N/A'}" if cell.status == "corrected" else ""
    return f"{cell.row}, {cell.column}: {cell.moved.text} is now {found(cell)} ({cell.moved.why}){kept}"
