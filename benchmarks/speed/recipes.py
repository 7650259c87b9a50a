"""Recipes over several sets of questions: a measure for each, and how they differ from the first on the mean over sets.

    python benchmarks/speed/recipes.py SET=RUNS_FOLDER/PREFIX ... [--first default] [--metrics nDCG@10,accuracy] [--only TEXT,...]

Each argument names a set and its runs, written by `pincite experiment`: every folder whose path begins with PREFIX. The rest
of the name is the run's label. Questions that share a document form a group: the bootstrap draws them together (10,000
samples, within each set), and they fall into the same of five folds; if one document has most of a set (marked *), questions
are drawn one by one. Sets have equal weight. A row `NAME, chosen` stands for all runs of a recipe: on each fold it uses the
run that is best on the mean over the other folds, so that no parameter is chosen where it is measured. The last column says
in how many of the folds a run is below the first.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pincite.lab.experiments.document_split import folds, groups
from pincite.lab.experiments.finished_runs import Run, read_run_folder, shared
from pincite.lab.scoring.measures import level_of, measure
from pincite.types import Example, Query

SAMPLES = 10_000
FOLDS = 5
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Set:
    """One value a question for every run by label, over the questions of which the measure says something for all of them.

    `fold` is the fold of each question, `weights` (samples, questions) how often each is drawn.
    """

    values: Mapping[str, Floats]
    fold: NDArray[np.intp]
    weights: Floats
    by_document: bool


def read_set(runs: Mapping[str, Run], metric: str, seed: int) -> Set:
    """The values of a set's runs with its folds and samples."""
    ids = shared(list(runs.values()))
    one = measure(metric, level_of(list(runs.values()), ids))
    told = {label: [one.of(run, key) for key in ids] for label, run in runs.items()}
    kept = [
        at for at in range(len(ids)) if all(column[at] is not None for column in told.values())
    ]
    golds = next(iter(runs.values())).golds
    asked = [Example(ids[at], Query(""), None, (), {"gold": golds[ids[at]]}) for at in kept]
    parts, by_document = folds(asked, FOLDS, seed)
    place = {one.id: at for at, one in enumerate(asked)}
    fold = np.zeros(len(asked), int)
    for number, part in enumerate(parts):
        fold[[place[one.id] for one in part]] = number
    pieces = groups(asked) if by_document else [[one] for one in asked]
    drawn = np.random.default_rng(seed).multinomial(
        len(pieces), [1 / len(pieces)] * len(pieces), SAMPLES
    )
    weights = np.zeros((SAMPLES, len(asked)))
    for number, piece in enumerate(pieces):
        weights[:, [place[one.id] for one in piece]] = drawn[:, [number]]
    values = {
        label: np.array([value[0] for at in kept if (value := column[at]) is not None], np.float64)
        for label, column in told.items()
    }
    return Set(values, fold, weights, by_document)


def chosen(sets: Mapping[str, Set], labels: list[str]) -> dict[str, Floats]:
    """The values of the best of these runs, on each fold that which is best on the mean over sets on the other folds."""
    made = {name: np.zeros(len(one.fold)) for name, one in sets.items()}
    for fold in range(FOLDS):

        def elsewhere(label: str, fold: int = fold) -> float:
            return float(
                np.mean([one.values[label][one.fold != fold].mean() for one in sets.values()])
            )

        best = max(labels, key=elsewhere)
        for name, one in sets.items():
            made[name][one.fold == fold] = one.values[best][one.fold == fold]
    return made


def table(
    sets: Mapping[str, Set], recipes: Mapping[str, str], first: str, metric: str
) -> list[str]:
    """The lines of a Markdown table; `recipes` are those of the labels."""
    rows = {label: {name: one.values[label] for name, one in sets.items()} for label in recipes}
    for recipe in dict.fromkeys(recipes.values()):
        mine = [label for label, its in recipes.items() if its == recipe]
        if len(mine) > 1:
            rows[f"{recipe}, chosen"] = chosen(sets, mine)
    heads = [
        f"{name}{'' if one.by_document else '*'} (n={len(one.fold)})" for name, one in sets.items()
    ]
    lines = [
        f"| {metric} | {' | '.join(heads)} | mean | less {first} | below it |",
        "|---|" + "---|" * (len(heads) + 3),
    ]
    for label, values in sorted(
        rows.items(), key=lambda row: -np.mean([each.mean() for each in row[1].values()])
    ):
        apart = {name: each - rows[first][name] for name, each in values.items()}
        drawn = np.mean(
            [
                sets[name].weights @ each / sets[name].weights.sum(axis=1)
                for name, each in apart.items()
            ],
            axis=0,
        )
        low, high = np.percentile(drawn, (2.5, 97.5))
        by_fold = [
            np.mean([each[sets[name].fold == fold].mean() for name, each in apart.items()])
            for fold in range(FOLDS)
        ]
        cells = " | ".join(f"{each.mean():.3f}" for each in values.values())
        mean, less = (np.mean([each.mean() for each in some.values()]) for some in (values, apart))
        told = (
            " | "
            if label == first
            else f"{less:+.3f} [{low:+.3f}, {high:+.3f}] | {sum(one < 0 for one in by_fold)}"
        )
        lines.append(f"| {label} | {cells} | {mean:.3f} | {told} |")
    return lines


def main() -> None:
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("sets", nargs="+", metavar="SET=PREFIX")
    arguments.add_argument("--first", default="default")
    arguments.add_argument("--metrics", default="nDCG@10,accuracy")
    arguments.add_argument("--only", default="", help="labels that begin with one of these")
    arguments.add_argument("--seed", type=int, default=0)
    given = arguments.parse_args()
    runs: dict[str, dict[str, Run]] = {}
    for one in given.sets:
        name, _, prefix = one.partition("=")
        folders = sorted(
            path
            for path in Path(prefix).parent.iterdir()
            if str(path).startswith(str(Path(prefix)))
        )
        runs[name] = {
            path.name.removeprefix(Path(prefix).name): read_run_folder(path) for path in folders
        }
    common = set.intersection(*map(set, runs.values()))
    labels = sorted(
        one for one in common if one == given.first or one.startswith(tuple(given.only.split(",")))
    )
    recipes = {label: str(next(iter(runs.values()))[label].told["recipe"]) for label in labels}
    for metric in given.metrics.split(","):
        sets = {
            name: read_set({label: held[label] for label in labels}, metric, given.seed)
            for name, held in runs.items()
        }
        print("", *table(sets, recipes, given.first, metric), sep="\n")


if __name__ == "__main__":
    main()
