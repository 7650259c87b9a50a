"""`pincite experiment`: recipes and parameters over sets of questions, into run folders that `pincite compare` reads."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from pincite.cli.views.common import JsonOption, print_json
from pincite.cli.views.terminal import bars


def experiment(
    file: Annotated[Path, typer.Argument(metavar="FILE.yaml", help="What to run.")],
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="RUNS", help="The folder of the runs; by default runs/ and the file's name."
        ),
    ] = None,
    parquet: Annotated[
        Path | None, typer.Option(help="Write all runs into this Parquet file as well.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Run recipes x parameters x sets of questions; a killed experiment resumes where it stopped.

    FILE.yaml says `corpora`, `questions` and `recipes`, and may say `answers`, `k`, `scope`, `stand-ins`, `limit` and `seed`.
    Exit code 1: some runs failed; the same command tries them again.
    """
    from pincite.lab.experiments.experiment import read_experiment
    from pincite.lab.experiments.laboratory import run_experiment
    from pincite.settings import load

    if parquet is not None:
        from pincite.lab.comparison.parquet import pyarrow

        pyarrow()  # what is missing is said before the work, not after it
    made = read_experiment(file)
    folder = out or Path("runs") / made.name
    with _bar(quiet=json) as progress:
        outcome = run_experiment(made, folder, load(), progress=progress)
    if parquet is not None:
        from pincite.lab.comparison.parquet import write_parquet

        write_parquet(outcome.runs, parquet)
    if json:
        print_json({
            "runs": [str(run) for run in outcome.runs], "failed": dict(outcome.failed), "asked": outcome.asked,
            "searched": outcome.searched, "shared": outcome.shared, "parquet": str(parquet or ""),
        })  # fmt: skip
    else:
        typer.echo(
            f"{len(outcome.runs)} runs in {folder}: {outcome.asked} questions asked now; {outcome.searched} searches shared "
            f"by several runs were made now, and {outcome.shared} repetitions were saved"
        )
        typer.echo(f"compare them: pincite compare {folder}/*")
    for name, reason in outcome.failed.items():
        typer.echo(f"  {name} failed: {reason}", err=True)
    if outcome.failed:
        typer.echo(
            f"pincite: {len(outcome.failed)} runs failed: the same command tries them again",
            err=True,
        )
        raise typer.Exit(1)


@contextmanager
def _bar(quiet: bool) -> Iterator[Any]:
    """A bar over the questions of all runs, with the run at work and the time left."""
    from rich.progress import BarColumn, MofNCompleteColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), "{task.description}")
    with bars(*columns, quiet=quiet) as shown:
        task = shown.add_task("", total=None)

        def progress(run: str, done: int, total: int) -> None:
            shown.update(task, description=run, completed=done, total=total)

        yield progress
