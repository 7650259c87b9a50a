"""Tuning over several sets of questions: one choice of parameters that all share, and one for each set (EnrichIndex, 4.3).

Every set is split by itself. The recipe is reported on the rest of each set: untuned, with the shared parameters, and with the
set's own; by set, and in the mean that the file says.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from pincite.lab.comparison.comparison import Comparison, ComparisonLine, compare
from pincite.lab.comparison.over_sets import joined_over_sets
from pincite.lab.experiments.document_split import split
from pincite.lab.experiments.experiment_corpora import made_corpus
from pincite.lab.experiments.finished_runs import Run
from pincite.lab.experiments.parameter_space import Space
from pincite.lab.experiments.recipe_bench import RecipeBench, figure, measure_of, reported
from pincite.lab.experiments.tuning import BestFound, Progress, best_of, identity, plain_parameters
from pincite.lab.scoring.measures import RunMeasure, level_of, measure
from pincite.lab.scoring.question_parts import SET
from pincite.ports import Kit
from pincite.recipes.base import Recipe
from pincite.settings import Settings
from pincite.types import Example

UNTUNED, SHARED, OWN = "untuned", "shared", "own"


@dataclass(frozen=True, slots=True)
class TunedOverSets:
    """What was found for all sets together and for each, and the three on the questions that nothing was tuned on.

    `tuned_on` says how many questions of each set it was tuned on. The runs of `comparison` are UNTUNED, SHARED and OWN.
    """

    shared: BestFound
    own: Mapping[str, BestFound]
    comparison: Comparison
    tuned_on: Mapping[str, int]
    trials: int
    stand_ins: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _SetBench:
    """A set under way: its bench, the questions to tune on and the rest."""

    bench: RecipeBench
    by: RunMeasure
    examples: Sequence[Example]
    on: Sequence[Example]
    rest: Sequence[Example]

    def run(self, recipe: Recipe, examples: Sequence[Example], name: str = "") -> Run:
        return self.bench.run(name, recipe, examples, self.by.group != "ranking")

    def value(self, recipe: Recipe) -> float:
        return figure(self.by, self.run(recipe, self.on))


def tune_over_sets(
    space: Space,
    settings: Settings,
    kit: Kit,
    *,
    trials: int,
    kept: Path,
    progress: Progress | None = None,
) -> TunedOverSets:
    """Try `trials` sets of parameters for all sets together and as many for each; what was made is kept as `tune` keeps it.

    Raises UsageError when optuna is missing, a set cannot be split, or the measure says nothing about it.
    """
    kit = replace(kit, stand_ins=space.stand_ins)
    with ExitStack() as closes:
        sets = {}
        for questions in space.sets:
            path = kept.with_name(f"{kept.name}.{questions.name}.searches.sqlite")
            folder = made_corpus(questions.corpus, kept.with_name(f"{kept.name}.corpora"))
            bench = RecipeBench(folder, space, settings, kit, path)
            closes.enter_context(closing(bench.rankings))
            examples = questions.read()
            on, rest, _ = split(examples, space.validation, space.seed)
            by = measure_of(space.measure, examples)
            sets[questions.name] = _SetBench(bench, by, examples, on, rest)
        return _tuned(space, sets, trials, kept, progress)


def _tuned(
    space: Space, sets: Mapping[str, _SetBench], trials: int, kept: Path, progress: Progress | None
) -> TunedOverSets:
    storage = kept.with_name(kept.name + ".trials.sqlite")
    studies = {name: identity(each.bench, each.examples) for name, each in sets.items()}
    low = next(iter(sets.values())).by.better == "low"
    whole = trials * (1 + len(sets))

    def told(before: int) -> Progress | None:
        return progress and (lambda done, total, best: progress(before + done, whole, best))

    together = hashlib.sha256(" ".join(studies.values()).encode()).hexdigest()[:16]
    shared = best_of(
        space, lambda recipe: mean_value(space, sets, recipe), trials, storage, together, low, told(0)
    )  # fmt: skip
    own = {
        name: best_of(
            space, measured.value, trials, storage, studies[name], low, told(trials * at)
        )
        for at, (name, measured) in enumerate(sets.items(), 1)
    }
    runs = []
    for name, measured in sets.items():
        recipes = (measured.bench.base, shared.recipe, own[name].recipe)
        for label, recipe in zip((UNTUNED, SHARED, OWN), recipes, strict=True):
            about = {"set": name, "variant": label, "mean": space.mean}
            runs.append(replace(measured.run(recipe, measured.rest, label), told=about))
    joined = joined_over_sets(runs)
    by = measure(space.measure, level_of(joined, list(joined[0].golds)))
    made = compare(joined, reported(by) if by.group == "ranking" else ())
    stand_ins: set[str] = set()
    for name, measured in sets.items():
        stand_ins.update(measured.bench.library(shared.recipe).stand_ins)
        measured.bench.leave(shared.recipe, own[name].recipe)
    tuned_on = {name: len(measured.on) for name, measured in sets.items()}
    return TunedOverSets(shared, own, made, tuned_on, trials, tuple(sorted(stand_ins)))


def mean_value(space: Space, sets: Mapping[str, _SetBench], recipe: Recipe) -> float:
    """What a recipe reaches over all sets on the questions to tune on, every set or every question weighing alike."""
    if space.mean == "set":
        return float(np.mean([measured.value(recipe) for measured in sets.values()]))
    runs = [(measured.by, measured.run(recipe, measured.on)) for measured in sets.values()]
    by, first = runs[0]
    if all(other.name == by.name for other, _ in runs):
        return figure(by, *(run for _, run in runs))
    counts = [len(run.golds) for _, run in runs]
    return float(np.average([figure(of, run) for of, run in runs], weights=counts))


def told_over_sets(made: TunedOverSets, space: Space) -> dict[str, Any]:
    """The result for a YAML file: `recipe` and `parameters`, those that all sets share, are what `--recipe FILE` reads."""
    return {
        "recipe": space.recipe,
        "parameters": plain_parameters(space, made.shared.recipe, made.shared.parameters),
        "own": {
            name: {"parameters": plain_parameters(space, found.recipe, found.parameters)}
            for name, found in made.own.items()
        },
        "measure": space.measure,
        "mean": space.mean,
        "tuned_on": {
            "questions": dict(made.tuned_on),
            SHARED: dict(zip((UNTUNED, "tuned"), made.shared.figures, strict=True)),
            **{
                name: dict(zip((UNTUNED, "tuned"), found.figures, strict=True))
                for name, found in made.own.items()
            },
        },
        "rest": {
            "all sets": _lines(made.comparison.under("all questions")),
            **{
                name: _lines(
                    line for line in made.comparison.under(SET) if line.part == name
                )
                for name in made.own
            },
        },
        "trials": made.trials,
        "seed": space.seed,
        "stand_ins": list(made.stand_ins),
    }  # fmt: skip


def _lines(lines: Any) -> dict[str, Any]:
    return {line.measure.name: _line(line) for line in lines}


def _line(line: ComparisonLine) -> dict[str, Any]:
    """The figures of untuned, shared and own, and how the last two differ from the first."""
    made: dict[str, Any] = {"questions": line.n}
    for label, value in zip((UNTUNED, SHARED, OWN), line.values, strict=True):
        made[label] = None if value is None else value.value
    for label, apart in zip((SHARED, OWN), line.differences, strict=True):
        if apart is not None:
            span = [apart.low, apart.high]
            told = {"difference": apart.value, "interval": span, "p": apart.p}
            made[f"{label} - {UNTUNED}"] = told
    return made
