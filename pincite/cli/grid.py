"""`pincite grid`: a table of entities by questions, filled and kept up to date."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.cli import options
from pincite.cli.views.common import answering, bar, name_stand_ins, read_recipe, with_budget
from pincite.ledger import listened
from pincite.plural import counted
from pincite.ports import Progress
from pincite.settings import load, with_model

if TYPE_CHECKING:
    from pincite.workbench.grid import Filled, Grid, GridProgress

AT_ONCE = 2
"""Processes that share the rows; each holds its own copy of the indexes."""
SHOWN = 20
"""Moved cells that are printed."""


def grid(
    spec: Annotated[
        Path,
        typer.Argument(help="The rows and the questions: YAML, CSV, or an XLSX with empty cells."),
    ],
    corpus: options.Corpus,
    out: Annotated[Path, typer.Option(help="The file to write: .xlsx, .csv, .parquet or .json.")],
    pages: Annotated[
        bool, typer.Option(help="Draw the framed pages beside the file, and link to them.")
    ] = True,
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
    from pincite.library import Library
    from pincite.workbench.grid import fill, read_spec, write_grid
    from pincite.workbench.grid.cell_pages import draw_pages, linked
    from pincite.workbench.grid.grid_export import check_format

    check_format(out)
    asked = read_spec(spec)
    # a folder that cannot be written fails now, not after hours
    out.parent.mkdir(parents=True, exist_ok=True)
    settings = with_model(load(), model, no_model)
    settings = replace(settings, models=with_budget(settings.models, budget))
    library = Library(corpus, settings, recipe=read_recipe(recipe, sets), stand_ins=stand_ins)
    name_stand_ins(library)
    processes = min(AT_ONCE, os.cpu_count() or 1)
    with _telling(json) as tick, answering(on) as answers:
        made = fill(asked, library, tick, processes=processes, answers=answers)
    folder = out.with_name(f"{out.stem}_pages")
    if pages:
        with bar("draw", json) as drawn:
            draw_pages(
                made, library.corpus, folder, lambda done, total: drawn(done, total, "pages")
            )
    write_grid(made, out, linked(folder) if pages else None)
    _told(made, out, json)
    if failed := made.counts.get("failed", 0):
        typer.echo(
            f"pincite: {counted(failed, 'cell')} failed: the same command asks again", err=True
        )
        raise typer.Exit(1)


@contextmanager
def _telling(json: bool) -> Iterator[Callable[[GridProgress], None]]:
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
                print_line(asdict(so_far))

        with listened(reading):
            yield tick


def print_line(value: object) -> None:
    """Print a value as one line of JSON."""
    from pincite.encoding import dumps

    typer.echo(dumps(value))


def _told(made: Grid, out: Path, json: bool) -> None:
    moved = [cell for line in made.cells for cell in line if cell.moved is not None]
    if json:
        print_line({
            "grid": made.id, "run": made.run, "answered": made.answered, "moved": len(moved), "counts": made.counts,
            "out": str(out),
        })  # fmt: skip
        return
    cells = sum(map(len, made.cells))
    typer.echo(
        f"{counted(cells, 'cell')}, {made.answered} answered in this run, {len(moved)} moved; written to {out}"
    )
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
