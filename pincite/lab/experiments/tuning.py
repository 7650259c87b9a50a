"""Tuning: parameters of a recipe are tried on some of the questions, and the best are reported on the rest.

Parameters are drawn by a tree-structured Parzen estimator (optuna; Bergstra et al., NIPS 2011), the untuned ones first. Trials
are kept in SQLite as they are made, and every trial draws from a seed of its own, so that a killed run resumes to the result
that it would have had. Figures on the questions used for tuning are too good: only those on the rest count.

Over several sets there is one choice of parameters that all share, and one for each set (EnrichIndex, 4.3). Every set is split by
itself, and the recipe is reported on the rest of each: untuned, with the shared parameters, and with the set's own.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from pincite.errors import UsageError
from pincite.formats.spell import spell
from pincite.lab.comparison.comparison import Comparison, ComparisonLine, compare
from pincite.lab.comparison.over_sets import joined_over_sets
from pincite.lab.experiments.document_split import split
from pincite.lab.experiments.finished_runs import Run
from pincite.lab.experiments.parameter_space import Range, Space
from pincite.lab.experiments.recipe_bench import RecipeBench, figure, measure_of, reported
from pincite.lab.scoring.measures import RunMeasure, level_of, measure
from pincite.lab.scoring.question_parts import SET
from pincite.ports import Kit
from pincite.recipes.base import Recipe
from pincite.recipes.parameters import converted
from pincite.settings import Settings
from pincite.types import Example

LAB = "pip install 'pincite[lab]'"
UNTUNED, TUNED, SHARED, OWN = "untuned", "tuned", "shared", "own"
Progress = Callable[[int, int, float], None]
"""Told after every trial: how many are done, of how many, and the best figure so far."""
AskedSet = tuple[Path, Sequence[Example]]
"""The folder of a corpus and the questions asked of it."""


@dataclass(frozen=True, slots=True)
class BestFound:
    """The best of what was tried: the untuned recipe without parameters where nothing was better.

    `figures` are (untuned, best) on the questions that it was tuned on.
    """

    recipe: Recipe
    parameters: Mapping[str, Any]
    figures: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Tuned:
    """What was found for all sets together and, of several, for each; and the runs of both beside the untuned recipe on the
    questions that nothing was tuned on.

    `tuned_on` says how many questions of each set it was tuned on, `by_document` whether the sets are split by document.
    """

    shared: BestFound
    own: Mapping[str, BestFound]
    comparison: Comparison
    tuned_on: Mapping[str, int]
    by_document: bool
    trials: int
    stand_ins: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _SetBench:
    """A set under way: its bench, its measure, the questions to tune on and the rest."""

    bench: RecipeBench
    by: RunMeasure
    examples: Sequence[Example]
    on: Sequence[Example]
    rest: Sequence[Example]
    by_document: bool

    def run(self, recipe: Recipe, examples: Sequence[Example], name: str = "") -> Run:
        return self.bench.run(name, recipe, examples, self.by.group != "ranking")

    def value(self, recipe: Recipe) -> float:
        return figure(self.by, self.run(recipe, self.on))

    @property
    def study(self) -> str:
        """What the trials of a study must have in common."""
        query = self.bench.query
        asked = [[each.id, spell(query(each)), each.meta["gold"]] for each in self.examples]
        bench = self.bench
        content = [bench.code, bench.corpus, spell(bench.base), str(bench.space), asked]
        return hashlib.sha256(json.dumps(content, default=str).encode()).hexdigest()[:16]


def tune(
    space: Space,
    sets: Mapping[str, AskedSet],
    settings: Settings,
    kit: Kit,
    *,
    trials: int,
    kept: Path,
    progress: Progress | None = None,
) -> Tuned:
    """Try `trials` sets of parameters, of several sets as many for each; trials and searches are kept in files that begin with
    `kept`.

    Raises UsageError when optuna is missing, the questions cannot be split, or the measure says nothing about them.
    """
    kit = replace(kit, stand_ins=space.stand_ins)
    with ExitStack() as closes:
        benches = {}
        for name, (folder, examples) in sets.items():
            path = kept.with_name(f"{kept.name}.{name}.searches.sqlite")
            bench = RecipeBench(folder, space, settings, kit, path)
            closes.enter_context(closing(bench.rankings))
            by = measure_of(space.measure, examples)
            parts = split(examples, space.validation, space.seed)
            benches[name] = _SetBench(bench, by, examples, *parts)
        return _tuned(space, benches, trials, kept, progress)


def _tuned(
    space: Space,
    sets: Mapping[str, _SetBench],
    trials: int,
    kept: Path,
    progress: Progress | None,
) -> Tuned:
    first, several = next(iter(sets.values())), len(sets) > 1
    storage, low = kept.with_name(kept.name + ".trials.sqlite"), first.by.better == "low"
    whole = trials * (1 + len(sets) * several)

    def told(before: int) -> Progress | None:
        return progress and (lambda done, total, best: progress(before + done, whole, best))

    def best(value: Callable[[Recipe], float], study: str, at: int) -> BestFound:
        return best_of(space, value, trials, storage, study, low, told(trials * at))

    studies = " ".join(each.study for each in sets.values())
    together = hashlib.sha256(studies.encode()).hexdigest()[:16]
    shared = best(lambda recipe: mean_value(space, sets, recipe), together, 0)
    own = {
        name: best(each.value, each.study, at)
        for at, (name, each) in enumerate(sets.items(), 1)
        if several
    }
    runs = []
    for name, each in sets.items():
        recipes = {UNTUNED: each.bench.base, SHARED if several else TUNED: shared.recipe}
        if several:
            recipes[OWN] = own[name].recipe
        for label, recipe in recipes.items():
            about = {"set": name, "variant": label, "mean": space.mean}
            runs.append(replace(each.run(recipe, each.rest, label), told=about))
    joined = joined_over_sets(runs)
    by = first.by
    if several:
        by = measure(space.measure, level_of(joined, list(joined[0].golds)))
    made = compare(joined, reported(by) if by.group == "ranking" else ())
    stand_ins: dict[str, None] = {}
    for name, each in sets.items():
        stand_ins |= dict.fromkeys(each.bench.library(shared.recipe).stand_ins)
        each.bench.leave(shared.recipe, own.get(name, shared).recipe)
    tuned_on = {name: len(each.on) for name, each in sets.items()}
    by_document = all(each.by_document for each in sets.values())
    return Tuned(shared, own, made, tuned_on, by_document, trials, tuple(stand_ins))


def mean_value(space: Space, sets: Mapping[str, _SetBench], recipe: Recipe) -> float:
    """What a recipe reaches over all sets on the questions to tune on, every set or every question weighing alike."""
    if space.mean == "set":
        return float(np.mean([each.value(recipe) for each in sets.values()]))
    runs = [(each.by, each.run(recipe, each.on)) for each in sets.values()]
    by = runs[0][0]
    if all(other.name == by.name for other, _ in runs):
        return figure(by, *(run for _, run in runs))
    counts = [len(run.golds) for _, run in runs]
    return float(np.average([figure(of, run) for of, run in runs], weights=counts))


def best_of(
    space: Space,
    value: Callable[[Recipe], float],
    trials: int,
    storage: Path,
    study: str,
    low: bool,
    progress: Progress | None,
) -> BestFound:
    """The best parameters by `value`, lower being better with `low`. Raises UsageError when the measure says nothing."""
    untuned = value(space.made())
    if np.isnan(untuned):
        raise UsageError(
            f"{space.measure} says nothing about the questions to tune on: choose another measure"
        )
    best, parameters = search(space, value, trials, storage, study, low, progress)
    if best < untuned if low else best > untuned:
        return BestFound(space.made(**parameters), parameters, (untuned, best))
    return BestFound(space.made(), {}, (untuned, untuned))


def search(
    space: Space,
    value: Callable[[Recipe], float],
    trials: int,
    storage: Path,
    study_name: str,
    low: bool = False,
    progress: Progress | None = None,
) -> tuple[float, dict[str, Any]]:
    """The best figure of `trials` trials, the first of equals, and its parameters.

    Trials that are kept under the study's name are not made again. Parameters that a recipe refuses together count as a trial
    without a figure; raises UsageError when it refuses all.
    """
    optuna = _optuna()
    study = optuna.create_study(
        storage=f"sqlite:///{storage}",
        study_name=study_name,
        load_if_exists=True,
        direction="minimize" if low else "maximize",
    )
    state = optuna.trial.TrialState

    def tried(*states: Any) -> list[Any]:
        return list(study.get_trials(deepcopy=False, states=states))

    refused = ""
    while (done := len(tried(state.COMPLETE, state.FAIL))) < trials:
        # a seed for each trial: a killed run goes on as it would have gone
        study.sampler = optuna.samplers.TPESampler(seed=space.seed + done)
        if not done and not tried(state.WAITING) and (first := _untuned(space)):
            study.enqueue_trial(first)
        trial = study.ask()
        chosen = {name: _draw(trial, name, choice) for name, choice in space.tried.items()}
        try:
            study.tell(trial, value(space.made(**chosen)))
        except (UsageError, ValueError) as error:
            refused = str(error)
            study.tell(trial, state=state.FAIL)
        if progress:
            held = [each.value for each in tried(state.COMPLETE)]
            progress(done + 1, trials, (min if low else max)(held, default=float("nan")))
    made = tried(state.COMPLETE)[:trials]
    if not made:
        raise UsageError(f"the recipe refuses all that was tried: {refused}")
    best = min(made, key=lambda each: (each.value if low else -each.value, each.number))
    return float(best.value), dict(best.params)


def _draw(trial: Any, name: str, choice: Range | tuple[Any, ...]) -> Any:
    if not isinstance(choice, Range):
        return trial.suggest_categorical(name, list(choice))
    if choice.whole:
        low, high, step = int(choice.low), int(choice.high), int(choice.step or 1)
        return trial.suggest_int(name, low, high, step=step, log=choice.log)
    return trial.suggest_float(name, choice.low, choice.high, step=choice.step, log=choice.log)


def _untuned(space: Space) -> dict[str, Any]:
    """The untuned parameters where all of them lie in the space; none otherwise."""
    base = space.made()
    held = {name: getattr(base, name.replace("-", "_")) for name in space.tried}
    inside = all(
        choice.holds(held[name]) if isinstance(choice, Range) else held[name] in choice
        for name, choice in space.tried.items()
    )
    return held if inside else {}


def _optuna() -> Any:
    try:
        import optuna
    except ImportError as error:
        raise UsageError(
            f"tuning draws parameters with optuna, which is not installed: {LAB}"
        ) from error
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    return optuna


# ---- the result as a file


def told(made: Tuned, space: Space) -> dict[str, Any]:
    """The result for a YAML file: `recipe` and `parameters` are what `--recipe FILE` reads, the rest says how they came about."""

    def plain(found: BestFound) -> dict[str, Any]:
        kept = converted(type(found.recipe), {**space.fixed, **found.parameters})
        return {
            name: list(each) if isinstance(each, tuple) else each for name, each in kept.items()
        }

    def figures(found: BestFound) -> dict[str, float]:
        return dict(zip((UNTUNED, TUNED), found.figures, strict=True))

    lines = list(made.comparison.under("all questions"))
    head = {"recipe": space.recipe, "parameters": plain(made.shared)}
    tail = {"trials": made.trials, "seed": space.seed, "stand_ins": list(made.stand_ins)}
    if not made.own:
        (questions,) = made.tuned_on.values()
        return {
            **head,
            "measure": space.measure,
            "tuned_on": {"questions": questions, **figures(made.shared)},
            "rest": {line.measure.name: _line(line) for line in lines},
            "by_document": made.by_document,
            **tail,
        }
    by_set = list(made.comparison.under(SET))
    rest = {name: [line for line in by_set if line.part == name] for name in made.own}
    return {
        **head,
        "own": {name: {"parameters": plain(found)} for name, found in made.own.items()},
        "measure": space.measure,
        "mean": space.mean,
        "tuned_on": {
            "questions": dict(made.tuned_on),
            SHARED: figures(made.shared),
            **{name: figures(found) for name, found in made.own.items()},
        },
        "rest": {
            name: {line.measure.name: _line_over_sets(line) for line in some}
            for name, some in {"all sets": lines, **rest}.items()
        },
        **tail,
    }


def _line(line: ComparisonLine) -> dict[str, Any]:
    """The figures of untuned and tuned, and how they differ."""
    (first, second), (apart,) = line.values, line.differences
    if first is None or second is None or apart is None:
        return {}
    return {
        "questions": line.n, UNTUNED: first.value, TUNED: second.value, "difference": apart.value,
        "interval": [apart.low, apart.high], "p": apart.p,
    }  # fmt: skip


def _line_over_sets(line: ComparisonLine) -> dict[str, Any]:
    """The figures of untuned, shared and own, and how the last two differ from the first."""
    made: dict[str, Any] = {"questions": line.n}
    for label, value in zip((UNTUNED, SHARED, OWN), line.values, strict=True):
        made[label] = None if value is None else value.value
    for label, apart in zip((SHARED, OWN), line.differences, strict=True):
        if apart is not None:
            span = [apart.low, apart.high]
            made[f"{label} - {UNTUNED}"] = {
                "difference": apart.value, "interval": span, "p": apart.p,
            }  # fmt: skip
    return made
