"""Tuning: parameters of a recipe are tried on some of the questions, and the best are reported on the rest.

Parameters are drawn by a tree-structured Parzen estimator (optuna; Bergstra et al., NIPS 2011), the untuned ones first. Trials
are kept in SQLite as they are made, and every trial draws from a seed of its own, so that a killed run resumes to the result
that it would have had. Figures on the questions used for tuning are too good: only those on the rest count.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from pincite.errors import UsageError
from pincite.lab.comparison.comparison import Comparison, ComparisonLine, compare
from pincite.lab.experiments.document_split import split
from pincite.lab.experiments.learned_fusion import learn
from pincite.lab.experiments.parameter_space import Range, Space
from pincite.lab.experiments.recipe_bench import RecipeBench, figure, measure_of, reported
from pincite.ports import Kit
from pincite.recipes.base import Recipe
from pincite.recipes.parameters import converted
from pincite.settings import Settings
from pincite.spell import spell
from pincite.types import Example

LAB = "pip install 'pincite[lab]'"
Progress = Callable[[int, int, float], None]
"""Told after every trial: how many are done, of how many, and the best figure so far."""


@dataclass(frozen=True, slots=True)
class Tuned:
    """The best parameters, and the recipe with and without them on the questions that it was not tuned on.

    `parameters` is empty when nothing tried was better than the untuned recipe; `weights` are those of learned fusion.
    `figures` are (untuned, tuned) on the `tuned_on` questions; learned fusion has none, being reported by cross-validation.
    """

    recipe: Recipe
    parameters: Mapping[str, Any]
    comparison: Comparison
    figures: tuple[float, float] | None
    tuned_on: int
    by_document: bool
    trials: int = 0
    stand_ins: tuple[str, ...] = ()
    weights: Mapping[str, float] = field(default_factory=dict)


def tune(
    space: Space,
    folder: Path,
    examples: Sequence[Example],
    settings: Settings,
    kit: Kit,
    *,
    trials: int,
    kept: Path,
    progress: Progress | None = None,
) -> Tuned:
    """Try `trials` sets of parameters, or learn a fusion; trials and searches are kept in files that begin with `kept`.

    Raises UsageError when optuna is missing, the questions cannot be split, or the measure says nothing about them.
    """
    bench = RecipeBench(
        folder, space, settings, replace(kit, stand_ins=space.stand_ins),
        kept.with_name(kept.name + ".searches.sqlite"),
    )  # fmt: skip
    with closing(bench.rankings):
        if not space.learn:
            storage = kept.with_name(kept.name + ".trials.sqlite")
            return _tune(bench, examples, trials, storage, progress)
        by = measure_of(space.measure, examples)
        comparison, learned, by_document = learn(bench, examples, by, progress)
        return Tuned(
            bench.base, {}, comparison, None, len(examples), by_document,
            stand_ins=bench.library(bench.base).stand_ins, weights=learned.weights,
        )  # fmt: skip


def _tune(
    bench: RecipeBench,
    examples: Sequence[Example],
    trials: int,
    storage: Path,
    progress: Progress | None,
) -> Tuned:
    space = bench.space
    on, rest, by_document = split(examples, space.validation, space.seed)
    by = measure_of(space.measure, examples)
    answers = by.group != "ranking"

    def value(recipe: Recipe) -> float:
        return figure(by, bench.run("", recipe, on, answers))

    found = best_of(
        space, value, trials, storage, identity(bench, examples), by.better == "low", progress
    )
    runs = [
        bench.run(name, made, rest, answers)
        for name, made in (("untuned", bench.base), ("tuned", found.recipe))
    ]
    stand_ins = bench.library(found.recipe).stand_ins
    bench.leave(found.recipe)
    return Tuned(
        found.recipe, found.parameters, compare(runs, () if answers else reported(by)), found.figures, len(on), by_document,
        trials, stand_ins,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class BestFound:
    """The best of what was tried: the untuned recipe without parameters where nothing was better.

    `figures` are (untuned, best).
    """

    recipe: Recipe
    parameters: Mapping[str, Any]
    figures: tuple[float, float]


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
    identity: str,
    low: bool = False,
    progress: Progress | None = None,
) -> tuple[float, dict[str, Any]]:
    """The best figure of `trials` trials, the first of equals, and its parameters.

    Trials that are kept under `identity` are not made again. Parameters that a recipe refuses together count as a trial without
    a figure; raises UsageError when it refuses all.
    """
    optuna = _optuna()
    study = optuna.create_study(
        storage=f"sqlite:///{storage}",
        study_name=identity,
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
        return trial.suggest_int(
            name, int(choice.low), int(choice.high), step=int(choice.step or 1), log=choice.log
        )
    return trial.suggest_float(name, choice.low, choice.high, step=choice.step, log=choice.log)


def _untuned(space: Space) -> dict[str, Any]:
    """The untuned parameters where all of them lie in the space; none otherwise."""
    base = space.made()
    held = {name: getattr(base, name.replace("-", "_")) for name in space.tried}
    inside = (
        way.low <= held[name] <= way.high and (way.step is None or ((held[name] - way.low) / way.step).is_integer())
        if isinstance(way, Range)
        else held[name] in way
        for name, way in space.tried.items()
    )  # fmt: skip
    return held if all(inside) else {}


def identity(bench: RecipeBench, examples: Sequence[Example]) -> str:
    """What the trials of a study must have in common."""
    asked = [[each.id, spell(bench.query(each)), each.meta["gold"]] for each in examples]
    content = [bench.code, bench.corpus, spell(bench.base), str(bench.space), asked]
    return hashlib.sha256(json.dumps(content, default=str).encode()).hexdigest()[:16]


def _optuna() -> Any:
    try:
        import optuna
    except ImportError as error:
        raise UsageError(
            f"tuning draws parameters with optuna, which is not installed: {LAB}"
        ) from error
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    return optuna


def told(made: Tuned, space: Space) -> dict[str, Any]:
    """The result for a YAML file: `recipe` and `parameters` are what `--recipe FILE` reads, the rest says how they came about."""
    rows = list(made.comparison.under("all questions"))
    on = {} if made.figures is None else dict(zip(("untuned", "tuned"), made.figures, strict=True))
    return {
        "recipe": space.recipe,
        "parameters": plain_parameters(space, made.recipe, made.parameters),
        **({"weights": dict(made.weights)} if made.weights else {}),
        "measure": space.measure,
        "tuned_on": {"questions": made.tuned_on, **on},
        "rest": {line.measure.name: _line(line) for line in rows},
        "by_document": made.by_document,
        "trials": made.trials,
        "seed": space.seed,
        "stand_ins": list(made.stand_ins),
    }


def plain_parameters(
    space: Space, recipe: Recipe, parameters: Mapping[str, Any]
) -> dict[str, Any]:
    """Parameters that were found, with those that stay, as YAML holds them."""
    made = converted(type(recipe), {**space.fixed, **parameters})
    return {
        name: list(value) if isinstance(value, tuple) else value for name, value in made.items()
    }


def _line(line: ComparisonLine) -> dict[str, Any]:
    (first, second), (apart,) = line.values, line.differences
    if first is None or second is None or apart is None:
        return {}
    return {
        "questions": line.n, "untuned": first.value, "tuned": second.value, "difference": apart.value,
        "interval": [apart.low, apart.high], "p": apart.p,
    }  # fmt: skip
