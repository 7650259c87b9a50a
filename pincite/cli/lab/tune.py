"""`pincite tune`: a recipe's parameters tuned on some of the questions and reported on the rest."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite.cli import options
from pincite.cli.views.common import bar, print_json
from pincite.errors import UsageError
from pincite.settings import load, named_corpus
from pincite.storage.disk import write
from pincite.text.wording import counted

if TYPE_CHECKING:
    from pincite.lab.experiments.parameter_space import Space
    from pincite.lab.experiments.tuning import AskedSet, Tuned


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
    from pincite.lab.experiments.tuning import told
    from pincite.lab.experiments.tuning import tune as run
    from pincite.models.kit import kit_of

    read = read_space(space)
    file, settings = out or Path(f"{space.stem}.tuned.yaml"), load()
    sets = _sets(read, corpus, questions, file)
    with bar("tune", quiet=json) as move:

        def progress(done: int, total: int, best: float) -> None:
            move(done, total, f"best {best:.3f}" if best == best else "")

        folder, _ = next(iter(sets.values()))
        kit = kit_of(settings.models, file.parent if read.sets else folder)
        made = run(read, sets, settings, kit, trials=trials, kept=file, progress=progress)
    result = told(made, read)
    write(file, yaml.safe_dump(result, sort_keys=False, allow_unicode=True))
    if json:
        print_json(result)
        return
    if made.own:
        _print_over_sets(made, result)
    else:
        _print(made, result)
    for stand_in in made.stand_ins:
        typer.echo(f"  stand-in: {stand_in}")
    typer.echo(f"kept in {file}: use it with --recipe {file}")


def _sets(
    space: Space, corpus: Path | None, questions: Path | None, file: Path
) -> Mapping[str, AskedSet]:
    """The sets of SPACE.yaml, their corpora made where they are missing, or the one of the command line."""
    from pincite.lab.experiments.experiment import read_examples

    if space.sets:
        corpora = file.with_name(f"{file.name}.corpora")
        return {each.name: (each.corpus.made(corpora), each.read()) for each in space.sets}
    corpus = corpus or named_corpus()
    if corpus is None or questions is None:
        raise UsageError(
            "give a corpus and questions with --corpus and --questions, or several sets in the file, as `corpora` and "
            "`questions`"
        )
    return {questions.stem: (corpus, read_examples(questions))}


def _print_over_sets(made: Tuned, result: dict[str, Any]) -> None:
    """The shared and own parameters, and their figures on the rest of each set and over all."""
    weighing = f"all sets, every {result['mean']} weighing alike"
    for name, found in {weighing: made.shared, **made.own}.items():
        before, after = found.figures
        typer.echo(
            f"{name}: {result['measure']} on the questions it was tuned on {before:.3f}, tuned {after:.3f}"
        )
        _print_parameters(found.parameters)
    typer.echo("on the rest: untuned, with the parameters that all sets share, with the set's own")
    for name, rows in result["rest"].items():
        for measure, row in rows.items():
            figures = "  ".join(f"{row[label]:.3f}" for label in ("untuned", "shared", "own"))
            typer.echo(f"  {name:<20} {measure:<20} {figures}  n={row['questions']}")


def _print(made: Tuned, result: dict[str, Any]) -> None:
    """What was gained on the questions that it was tuned on, the parameters, and how the rest differs with its p-value."""
    before, after = made.shared.figures
    (tuned_on,) = made.tuned_on.values()
    typer.echo(
        f"{result['measure']} on the {counted(tuned_on, 'question')} it was tuned on: {before:.3f}, tuned {after:.3f}"
    )
    if not made.shared.parameters:
        typer.echo("nothing that was tried is better than the recipe as it is")
    _print_parameters(made.shared.parameters)
    by_question = "by question, as there are too few groups of documents"
    typer.echo(f"on the rest, split {'by document' if made.by_document else by_question}:")
    for name, row in result["rest"].items():
        if row:
            low, high = row["interval"]
            typer.echo(
                f"  {name:<20} {row['untuned']:.3f} -> {row['tuned']:.3f}  {row['difference']:+.3f} "
                f"[{low:+.3f}, {high:+.3f}]  p={row['p']:.3f}  n={row['questions']}"
            )


def _print_parameters(parameters: Mapping[str, Any]) -> None:
    for name, value in parameters.items():
        typer.echo(f"  {name} = {f'{value:.4g}' if isinstance(value, float) else value}")
