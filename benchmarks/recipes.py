"""Recipes over several sets of questions: nDCG@10 and accuracy of each, and how they differ from the first on the mean over sets.

    python benchmarks/recipes.py SET=RUNS_FOLDER/PREFIX ... [--first default] [--seed 0]

Each argument names a set and the runs of it that `pincite experiment` wrote: every folder whose path begins with PREFIX. What
follows the prefix is the recipe. Differences are paired by question, drawn again within each set (bootstrap, 10,000 samples), and
averaged over the sets, each with the same weight.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pincite.evaluate.measures import level_of, measure
from pincite.evaluate.runs import Run, read_run_folder, shared

SAMPLES = 10_000
Values = dict[str, NDArray[np.float64]]


def values(runs: dict[str, Run], name: str) -> Values:
    """One value a question for every run, over the questions that all of them answer."""
    ids = shared(list(runs.values()))
    one = measure(name, level_of(list(runs.values()), ids))
    told = {label: [one.of(run, key) for key in ids] for label, run in runs.items()}
    kept = [at for at in range(len(ids)) if all(column[at] is not None for column in told.values())]
    return {label: np.array([column[at][0] for at in kept], float) for label, column in told.items()}  # type: ignore[index]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("sets", nargs="+", metavar="SET=PREFIX")
    arguments.add_argument("--first", default="default")
    arguments.add_argument("--seed", type=int, default=0)
    given = arguments.parse_args()
    sets: dict[str, dict[str, Run]] = {}
    for one in given.sets:
        name, _, prefix = one.partition("=")
        folders = sorted(path for path in Path(prefix).parent.iterdir() if str(path).startswith(str(Path(prefix))))
        sets[name] = {path.name.removeprefix(Path(prefix).name): read_run_folder(path) for path in folders}
    common = set.intersection(*(set(runs) for runs in sets.values()))
    for metric in ("nDCG@10", "accuracy"):
        found = {name: values({label: runs[label] for label in common}, metric) for name, runs in sets.items()}
        sizes = {name: len(rows[given.first]) for name, rows in found.items()}
        generator = np.random.default_rng(given.seed)
        drawn = {name: generator.integers(0, n, (SAMPLES, n)) for name, n in sizes.items()}
        print(
            f"\n| {metric} | "
            + " | ".join(f"{name} (n={n})" for name, n in sizes.items())
            + " | mean | less the first |"
        )
        print("|---|" + "---|" * (len(sizes) + 2))
        for label in sorted(common, key=lambda one: -np.mean([rows[one].mean() for rows in found.values()])):
            means = [rows[label].mean() for rows in found.values()]
            each = [(rows[label] - rows[given.first])[drawn[name]].mean(axis=1) for name, rows in found.items()]
            low, high = np.percentile(np.mean(each, axis=0), (2.5, 97.5))
            apart = np.mean([rows[label].mean() - rows[given.first].mean() for rows in found.values()])
            told = "" if label == given.first else f"{apart:+.3f} [{low:+.3f}, {high:+.3f}]"
            cells = " | ".join(f"{mean:.3f}" for mean in means)
            print(f"| {label} | {cells} | {np.mean(means):.3f} | {told} |")


if __name__ == "__main__":
    main()
