"""What to tune, as a YAML file says it.

    recipe: late-fusion
    set: {top_k: 40}                         # parameters that stay
    space:                                   # parameters that are tried
      rows: {low: 0, high: 1}                # a number from low to high; log: true for sizes; step: 5 for steps
      mode: [relative, distribution, rrf]    # one of these
    measure: nDCG@10                         # what is to become better, any measure of `pincite compare`
    validation: 0.2                          # the share of questions that it is tuned on, split by document
    scope: all                               # own: a question is held to its own documents
    stand-ins: true
    seed: 0

With `corpora` and `questions` as an experiment has them, parameters are tuned over several sets: one choice that all sets share,
and one for each set. `mean: set` then has every set weigh alike in what the shared choice maximises, `question` every question.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pincite.errors import UsageError
from pincite.formats.bounds import Bounds, within
from pincite.formats.yamlfile import Given, Place, read_yaml
from pincite.lab.experiments.experiment import Mean, Questions, read_mean, read_sets
from pincite.recipes import recipe
from pincite.recipes.base import Recipe

_ANY = Bounds(-1e12, 1e12)

_TOP = (
    "recipe", "set", "space", "measure", "validation", "scope", "stand-ins", "seed", "corpora", "questions", "mean",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Range:
    """Numbers from `low` to `high`: whole ones where the parameter is."""

    low: float
    high: float
    log: bool = False
    step: float | None = None
    whole: bool = False

    def holds(self, value: float) -> bool:
        """Whether a value is one of these numbers."""
        steps = 0.0 if self.step is None else (value - self.low) / self.step
        return self.low <= value <= self.high and float(steps).is_integer()


Dimension = Range | tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Space:
    """A recipe, the parameters that stay, those that are tried, and how; `sets` where the file names questions."""

    recipe: str
    fixed: Mapping[str, Any]
    tried: Mapping[str, Dimension]
    measure: str = "nDCG@10"
    validation: float = 0.2
    own: bool = False
    stand_ins: bool = False
    seed: int = 0
    sets: tuple[Questions, ...] = ()
    mean: Mean = "question"

    def made(self, **parameters: Any) -> Recipe:
        """The recipe with these parameters beside those that stay; without any it is the untuned one."""
        return recipe(self.recipe, **{**self.fixed, **parameters})


def read_space(path: Path) -> Space:
    """What a file says. Raises UsageError that names the line, the key and what is possible there."""
    given = read_yaml(path)
    given.table((), _TOP, needed=("recipe", "space"))
    stays = given.table(("set",)) if given.at(("set",)) is not None else {}
    fixed = {str(name): value for name, value in stays.items()}
    base = _recipe(given, ("recipe",), str(given.at(("recipe",))), fixed)
    names = given.table(("space",))
    tried = {str(name): _dimension(given, ("space", name), base, fixed) for name in names}
    scope = given.at(("scope",)) or "all"
    if scope not in ("all", "own"):
        raise given.wrong(("scope",), f"all or own is needed, not {scope!r}")
    share = given.at(("validation",))
    if share is not None and (
        isinstance(share, bool) or not isinstance(share, int | float) or not 0 < share < 1
    ):
        raise given.wrong(("validation",), f"a share between 0 and 1 is needed, not {share!r}")
    sets = read_sets(given) if given.at(("questions",)) is not None else ()
    if len(sets) == 1:
        raise given.wrong(
            ("questions",), "give several sets here, or one with --corpus and --questions"
        )
    return Space(
        base.name, fixed, tried, str(given.at(("measure",)) or "nDCG@10"), 0.2 if share is None else float(share),
        scope == "own", given.switch(("stand-ins",)), given.whole(("seed",), 0, 0) or 0, sets, read_mean(given),
    )  # fmt: skip


def _dimension(given: Given, where: Place, base: Recipe, fixed: Mapping[str, Any]) -> Dimension:
    name, found = str(where[-1]), given.at(where)
    if isinstance(found, list):
        for value in given.several(where):
            _recipe(given, where, base.name, {**fixed, name: value})
        return tuple(found)
    given.table(where, ("low", "high", "log", "step"), needed=("low", "high"))
    made = _recipe(given, where, base.name, {**fixed, name: found["low"]})
    _recipe(given, where, base.name, {**fixed, name: found["high"]})
    whole = isinstance(getattr(made, name.replace("-", "_")), int)
    step = found.get("step")
    for key in ("low", "high", "step"):
        if found.get(key) is not None and (
            isinstance(found[key], str) or within(found[key], float, _ANY) is None
        ):
            raise given.wrong((*where, key), f"a number is needed, not {found[key]!r}")
    bounds = Range(
        float(found["low"]), float(found["high"]), given.switch((*where, "log")), step, whole
    )
    if (
        bounds.low >= bounds.high
        or (bounds.log and (bounds.low <= 0 or bounds.step is not None))
        or (step is not None and step <= 0)
    ):
        raise given.wrong(
            where,
            "low must be below high, with log above 0 and without a step, and a step above 0",
        )
    return bounds


def _recipe(given: Given, where: Place, name: str, parameters: Mapping[str, Any]) -> Recipe:
    try:
        return recipe(name, **parameters)
    except UsageError as error:
        raise given.wrong(where, str(error)) from None
