"""`pincite tune`: a recipe's parameters tuned on some of the questions and reported on the rest."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite.cli.views.common import CorpusOption, JsonOption, bar, print_json
from pincite.disk import write

if TYPE_CHECKING:
    from pincite.lab.experiments.tuning import Tuned


def tune(
    space: Annotated[
        Path, typer.Argument(metavar="SPACE.yaml", help="The recipe, and what to try.")
    ],
    corpus: CorpusOption,
    questions: Annotated[
        Path, typer.Option(help="Questions with their gold: a file, or the folder of a data set.")
    ],
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
    json: JsonOption = False,
) -> None:
    """Tune a recipe on some of the questions and report on the rest; a killed run resumes where it stopped.

    The result is a file that `--recipe FILE.yaml` reads.
    """
    import yaml

    from pincite.lab.experiments.experiment import read_examples
    from pincite.lab.experiments.parameter_space import read_space
    from pincite.lab.experiments.tuning import told
    from pincite.lab.experiments.tuning import tune as run
    from pincite.models.kit import kit_of
    from pincite.settings import load

    read = read_space(space)
    examples = read_examples(questions)
    file = out or Path(f"{space.stem}.tuned.yaml")
    settings = load()
    kit = kit_of(settings.models, corpus)
    with bar("tune", quiet=json) as move:

        def progress(done: int, total: int, best: float) -> None:
            move(done, total, f"best {best:.3f}" if best == best else "")

        made = run(
            read, corpus, examples, settings, kit, trials=trials, kept=file, progress=progress
        )
    result = told(made, read)
    write(file, yaml.safe_dump(result, sort_keys=False, allow_unicode=True))
    if json:
        print_json(result)
        return
    _print(made, result)
    typer.echo(
        f"kept in {file}" if made.weights else f"kept in {file}: use it with --recipe {file}"
    )


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
            f"{measure} on the {made.tuned_on} questions it was tuned on: {before:.3f}, tuned {after:.3f}"
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
