"""`pincite grid`: a table of entities by questions, filled and kept up to date."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pincite.cli.views.common import (
    CorpusOption,
    JsonOption,
    ModelOption,
    NoModelOption,
    RecipeOption,
    SetOption,
    StandInsOption,
    bar,
    name_stand_ins,
    read_recipe,
)

if TYPE_CHECKING:
    from pincite.workbench.grid import Grid, GridProgress

AT_ONCE = 2
"""Processes that rows are shared out among: each holds the indexes once more."""


def add_to(app: typer.Typer) -> None:
    """Add the verb."""
    app.command("grid")(grid)


def grid(
    spec: Annotated[Path, typer.Argument(help="What is asked of what: YAML, CSV, or an XLSX with empty cells.")],
    corpus: CorpusOption,
    out: Annotated[Path, typer.Option(help="The file to write: .xlsx, .csv, .parquet or .json.")],
    pages: Annotated[bool, typer.Option(help="Draw the framed pages beside the file, and link to them.")] = True,
    recipe: RecipeOption = "",
    sets: SetOption = None,
    stand_ins: StandInsOption = False,
    model: ModelOption = "",
    no_model: NoModelOption = False,
    budget: Annotated[str, typer.Option(help="The most that models may cost: the run stops and can go on later.")] = "",
    json: JsonOption = False,
) -> None:
    """Fill a grid; run again, only the cells are answered whose evidence has changed since.

    A killed run goes on where it was; corrections of `pincite review` are kept. With --json a line is printed for each cell.
    Exit code 3: the budget is spent. Exit code 1: some cells failed, and the same command asks these again.
    """
    from pincite.ledger import money
    from pincite.library import Library
    from pincite.settings import load, with_model
    from pincite.workbench.grid import fill, read_spec, write_grid
    from pincite.workbench.grid.cell_pages import draw_pages, linked
    from pincite.workbench.grid.grid_export import check_format

    check_format(out)
    asked = read_spec(spec)
    out.parent.mkdir(parents=True, exist_ok=True)  # what cannot be written is known before the night is over
    settings = with_model(load(), model, no_model)
    if budget:
        settings = replace(settings, models=replace(settings.models, budget=money("--budget", budget)))
    library = Library(corpus, settings, recipe=read_recipe(recipe, sets), stand_ins=stand_ins)
    name_stand_ins(library)
    with _telling(json) as tick:
        made = fill(asked, library, tick, processes=min(AT_ONCE, os.cpu_count() or 1))
    folder = out.with_name(f"{out.stem}_pages")
    if pages:
        with bar("draw", json) as drawn:
            draw_pages(made, library.corpus, folder, lambda done, total: drawn(done, total, "pages"))
    write_grid(made, out, linked(folder) if pages else None)
    _told(made, out, json)
    if failed := made.counts.get("failed", 0):
        typer.echo(f"pincite: {failed} cells failed: the same command asks them again", err=True)
        raise typer.Exit(1)


@contextmanager
def _telling(json: bool) -> Iterator[Callable[[GridProgress], None]]:
    """A bar, or with --json a line for each cell as it is done."""
    with bar("fill", json) as bars:

        def tick(one: GridProgress) -> None:
            bars(one.done, one.total, f"{one.row}, {one.column}"[:40] if one.row else f"{one.reused} kept")
            if json:
                print_line({
                    "done": one.done, "total": one.total, "reused": one.reused, "row": one.row, "column": one.column,
                    "status": one.status,
                })  # fmt: skip

        yield tick


def print_line(value: object) -> None:
    """Print a value as one line of JSON."""
    from pincite.encoding import dumps

    typer.echo(dumps(value))


def _told(made: Grid, out: Path, json: bool) -> None:
    from pincite.workbench.grid.filled_cells import found

    moved = [cell for line in made.cells for cell in line if cell.moved is not None]
    if json:
        print_line({
            "grid": made.id, "run": made.run, "answered": made.answered, "moved": len(moved), "counts": made.counts,
            "out": str(out),
        })  # fmt: skip
        return
    cells = sum(map(len, made.cells))
    typer.echo(f"{cells} cells, {made.answered} of them answered in this run, {len(moved)} moved; written to {out}")
    typer.echo("  " + ", ".join(f"{count} {status}" for status, count in made.counts.items()))
    for cell in moved[:20]:
        assert cell.moved is not None
        kept = f"; corrected to {cell.text or 'N/A'}" if cell.status == "corrected" else ""
        typer.echo(f"  {cell.row}, {cell.column}: {cell.moved.text} is now {found(cell)} ({cell.moved.why}){kept}")
    if len(moved) > 20:
        typer.echo(f"  and {len(moved) - 20} more")
