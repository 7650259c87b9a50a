"""`pincite experiment`: recipes, parameters and models over sets of questions, into run folders that `pincite compare` reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite.cli import options
from pincite.cli.views.common import bar, print_json
from pincite.settings import load
from pincite.text.wording import counted

if TYPE_CHECKING:
    from pincite.lab.comparison.over_sets import ModelCosts, SetTable
    from pincite.lab.experiments.experiment import Experiment
    from pincite.lab.experiments.forecast import RunForecast
    from pincite.lab.experiments.laboratory import ExperimentOutcome


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
    estimate: Annotated[
        bool,
        typer.Option(
            "--estimate",
            help="List the runs, what each lacks and what it would ask of models; nothing is asked.",
        ),
    ] = False,
    on: options.On = "",
    json: options.Json = False,
) -> None:
    """Run recipes x parameters x models x sets of questions; a killed experiment resumes where it stopped.

    FILE.yaml says `corpora`, `questions` and `recipes`, and may say `answers`, `k`, `models`, `judge`, `mean`, `scope`,
    `stand-ins`, `limit` and `seed` (docs/laboratory/laboratory.md). Exit code 1: some runs failed; the same command tries
    them again.
    """
    from pincite.lab.experiments.experiment import read_experiment
    from pincite.lab.experiments.laboratory import run_experiment
    from pincite.lab.experiments.model_axis import check_consent

    if parquet is not None:
        from pincite.lab.comparison.parquet import pyarrow

        pyarrow()  # what is missing is said before the work, not after it
    made = read_experiment(file)
    check_consent(made.chosen)
    folder = out or Path("runs") / made.name
    if estimate:
        _estimate(made, folder, json)
        return
    with bar("run", json) as move:
        outcome = run_experiment(
            made, folder, load(), progress=lambda run, done, total: move(done, total, run), on=on
        )
    if parquet is not None:
        from pincite.lab.comparison.parquet import write_parquet

        write_parquet(outcome.runs, parquet)
    tables, costs = _tables(outcome, made.mean)
    if json:
        print_json({
            "runs": [str(run) for run in outcome.runs], "failed": dict(outcome.failed), "asked": outcome.asked,
            "searched": outcome.searched, "shared": outcome.shared, "parquet": str(parquet or ""), "mean": made.mean,
            "figures": [row for table in tables for row in table.rows_of()], "costs": [asdict(each) for each in costs],
        })  # fmt: skip
    else:
        _print(outcome, tables, costs, folder)
    reasons: dict[str, list[str]] = {}
    for name, reason in outcome.failed.items():
        reasons.setdefault(reason, []).append(name)
    for reason, names in reasons.items():
        typer.echo(f"  {', '.join(names)} failed: {reason}", err=True)
    if outcome.failed:
        typer.echo(
            f"pincite: {counted(len(outcome.failed), 'run')} failed: the same command tries again",
            err=True,
        )
        raise typer.Exit(1)


def _tables(outcome: ExperimentOutcome, mean: str) -> tuple[list[SetTable], list[ModelCosts]]:
    """What the variants reach in each set, and what models took."""
    from pincite.lab.comparison.over_sets import costs_by_models, set_tables
    from pincite.lab.experiments.finished_runs import read_run_folder

    runs = [read_run_folder(run) for run in outcome.runs]
    return set_tables(runs, mean), costs_by_models(runs)


def _print(
    outcome: ExperimentOutcome,
    tables: Sequence[SetTable],
    costs: Sequence[ModelCosts],
    folder: Path,
) -> None:
    from pincite.cli.views.terminal import report_table, unbroken
    from pincite.formats.svg import figure
    from pincite.lab.comparison.text_report import name_of_measure

    typer.echo(
        f"{counted(len(outcome.runs), 'run')} in {folder}: {counted(outcome.asked, 'question')} asked now; "
        f"{outcome.searched} searches shared by several runs were made now, and {outcome.shared} repetitions were saved"
    )
    for table in tables:
        means = (f"mean by {table.mean}",) if len(table.sets) > 1 else ()
        heads = ("run", *table.sets, *means, "n")
        shown = report_table(name_of_measure(table.measure), heads, 1)
        for row in table.rows:
            several = (figure(row.mean),) if len(table.sets) > 1 else ()
            own = (figure(row.by_set.get(name, float("nan"))) for name in table.sets)
            shown.add_row(row.variant, *own, *several, str(row.questions))
        unbroken().print(shown)
    for each in costs:
        typer.echo(
            f"{each.models}: {each.tokens:,} tokens, cost {each.cost:.4f}, {counted(each.questions, 'question')}"
        )
    typer.echo(f"compare them: pincite compare {folder}/*")


def _estimate(made: Experiment, folder: Path, json: bool) -> None:
    from pincite.lab.experiments.forecast import forecast
    from pincite.lab.experiments.laboratory import opened

    with bar("estimate", json) as move, opened(made, folder, load()) as laboratory:
        runs = forecast(laboratory, lambda run, done, total: move(done, total, run))
    if json:
        print_json([_told(run) for run in runs])
        return
    for run in runs:
        low, high = run.low, run.high
        typer.echo(f"{run.name}: {counted(run.questions, 'question')}")
        if run.lacks:
            typer.echo(f"  cannot be made: {run.lacks}")
        for stand_in in run.stand_ins:
            typer.echo(f"  stand-in: {stand_in}")
        if high.calls:
            typer.echo(
                f"  {low.calls:,} to {high.calls:,} calls of models, {low.usage.input:,} to {high.usage.input:,} tokens in, "
                f"{low.usage.output:,} to {high.usage.output:,} out, cost {low.cost:.4f} to {high.cost:.4f}"
            )
    lacking = sum(bool(run.lacks) for run in runs)
    typer.echo(
        f"{counted(len(runs), 'run')}, {lacking} of which cannot be made; no model was asked, and what judges the answers is "
        "not counted"
    )


def _told(run: RunForecast) -> dict[str, Any]:
    return {
        "run": run.name, "questions": run.questions, "stand_ins": run.stand_ins, "lacks": run.lacks,
        "least": run.low.told(), "most": run.high.told(),
    }  # fmt: skip
