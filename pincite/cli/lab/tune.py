"""`pincite tune`: a recipe's parameters tuned on some of the questions and reported on the rest."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite.cli import options
from pincite.cli.views.common import bar, print_json
from pincite.disk import write
from pincite.errors import UsageError
from pincite.plural import counted
from pincite.settings import load, named_corpus

if TYPE_CHECKING:
    from pincite.lab.experiments.parameter_space import Space
    from pincite.lab.experiments.tuning import Progress, Tuned
    from pincite.lab.experiments.tuning_over_sets import TunedOverSets


def tune(
    space: Annotated[
        Path, typer.Argument(metavar="SPACE.yaml", help="The recipe, and what to try.")
    ],
    corpus: Annotated[
        Path | None,
        options.corpus_of(
            "The corpus, by default that of the settings; none where SPACE.yaml names corpora and questions."
        ),
    ] = None,
    questions: Annotated[
        Path | None,
        typer.Option(help="Questions with their gold: a file, or the folder of a data set."),
    ] = None,
    trials: Annotated[
        int, typer.Option(min=1, max=1_000_000, help="How many sets of parameters to try.")
    ] = 50,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.yaml",
            help="The result; by default SPACE.tuned.yaml in the working folder.",
        ),
    ] = None,
    json: options.Json = False,
) -> None:
    """Tune a recipe on some of the questions and report on the rest; a killed run resumes where it stopped.

    The result is a file that `--recipe FILE.yaml` reads. Over the several sets of questions that SPACE.yaml may name, one choice
    of parameters is found that all share, and one for each set.
    """
    import yaml

    from pincite.lab.experiments.parameter_space import read_space

    read = read_space(space)
    file = out or Path(f"{space.stem}.tuned.yaml")
    with bar("tune", quiet=json) as move:

        def progress(done: int, total: int, best: float) -> None:
            move(done, total, f"best {best:.3f}" if best == best else "")

        if read.sets:
            over_sets, result = _tuned_over_sets(read, file, trials, progress)
            made = None
        else:
            made, result = _tuned(read, corpus, questions, file, trials, progress)
    write(file, yaml.safe_dump(result, sort_keys=False, allow_unicode=True))
    if json:
        print_json(result)
        return
    if made is None:
        _print_over_sets(over_sets, result)
    else:
        _print(made, result)
    kept = f"kept in {file}"
    typer.echo(kept if made and made.weights else f"{kept}: use it with --recipe {file}")


def _tuned(
    space: Space,
    corpus: Path | None,
    questions: Path | None,
    file: Path,
    trials: int,
    progress: Progress,
) -> tuple[Tuned, dict[str, Any]]:
    """What was found on the one set of the command line, and the file that says it."""
    from pincite.lab.experiments.experiment import read_examples
    from pincite.lab.experiments.tuning import told
    from pincite.lab.experiments.tuning import tune as run
    from pincite.models.kit import kit_of

    corpus = corpus or named_corpus()
    if corpus is None or questions is None:
        raise UsageError(
            "give a corpus and questions with --corpus and --questions, or several sets in the file, as `corpora` and "
            "`questions`"
        )
    settings = load()
    made = run(
        space, corpus, read_examples(questions), settings, kit_of(settings.models, corpus),
        trials=trials, kept=file, progress=progress,
    )  # fmt: skip
    return made, told(made, space)


def _tuned_over_sets(
    space: Space, file: Path, trials: int, progress: Progress
) -> tuple[TunedOverSets, dict[str, Any]]:
    """What was found on the sets of the file, and the file that says it."""
    from pincite.lab.experiments.tuning_over_sets import told_over_sets, tune_over_sets
    from pincite.models.kit import kit_of

    settings = load()
    kit = kit_of(settings.models, file.parent)
    made = tune_over_sets(space, settings, kit, trials=trials, kept=file, progress=progress)
    return made, told_over_sets(made, space)


def _print_over_sets(made: TunedOverSets, result: dict[str, Any]) -> None:
    """The shared and own parameters, and their figures on the rest of each set and over all."""
    weighing = f"every {result['mean']} weighing alike"
    for name, found in (("all sets", made.shared), *made.own.items()):
        before, after = found.figures
        told = f"{name}, {weighing}" if name == "all sets" else name
        typer.echo(
            f"{told}: {result['measure']} on the questions it was tuned on {before:.3f}, tuned {after:.3f}"
        )
        for parameter, value in found.parameters.items():
            shown = f"{value:.4g}" if isinstance(value, float) else value
            typer.echo(f"  {parameter} = {shown}")
    typer.echo("on the rest: untuned, with the parameters that all sets share, with the set's own")
    for name, rows in result["rest"].items():
        for measure, row in rows.items():
            figures = "  ".join(f"{row[label]:.3f}" for label in ("untuned", "shared", "own"))
            typer.echo(f"  {name:<20} {measure:<20} {figures}  n={row['questions']}")
    for stand_in in made.stand_ins:
        typer.echo(f"  stand-in: {stand_in}")


def _print(made: Tuned, result: dict[str, Any]) -> None:
    _print_parameters(made, result["measure"])
    how = (
        "by document"
        if made.by_document
        else "by question, as there are too few groups of documents"
    )
    where = "in cross-validation" if made.weights else "on the rest"
    typer.echo(f"{where}, split {how}:")
    for name, row in result["rest"].items():
        if row:
            typer.echo(f"  {name:<20} {_difference(row)}")
    for stand_in in made.stand_ins:
        typer.echo(f"  stand-in: {stand_in}")


def _print_parameters(made: Tuned, measure: str) -> None:
    """What was gained on the questions that it was tuned on, and the parameters or weights that were found."""
    if made.figures is not None:
        before, after = made.figures
        typer.echo(
            f"{measure} on the {counted(made.tuned_on, 'question')} it was tuned on: {before:.3f}, tuned {after:.3f}"
        )
        if not made.parameters:
            typer.echo("nothing that was tried is better than the recipe as it is")
    for name, value in (made.weights or made.parameters).items():
        typer.echo(f"  {name} = {f'{value:.4g}' if isinstance(value, float) else value}")


def _difference(row: dict[str, Any]) -> str:
    """A measure without and with tuning, their difference with its interval and p-value, and the number of questions."""
    low, high = row["interval"]
    return (
        f"{row['untuned']:.3f} -> {row['tuned']:.3f}  {row['difference']:+.3f} [{low:+.3f}, {high:+.3f}]  "
        f"p={row['p']:.3f}  n={row['questions']}"
    )
