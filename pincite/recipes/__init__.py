"""Whole pipelines by name: published systems, and our own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pincite.recipes.base import Recipe

_CLASSES = {
    "default": "default.Default", "bm25": "bm25.BM25", "hero": "hero.Hero", "kohaku": "kohaku.Kohaku",
    "baseline": "domains.Baseline", "simple-fusion": "domains.SimpleFusion", "late-fusion": "domains.LateFusion",
    "weighted-fusion": "domains.WeightedFusion", "enrich": "enrich.Enrich", "judgerank": "judgerank.Judgerank",
    "enterprise": "enterprise.Enterprise",
}  # fmt: skip


class _Recipes(Mapping[str, "type[Recipe]"]):
    """The recipes by name, each imported when it is asked for."""

    def __getitem__(self, name: str) -> type[Recipe]:
        module, _, kind = _CLASSES[name].partition(".")
        found: type[Recipe] = getattr(import_module(f"pincite.recipes.{module}"), kind)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(_CLASSES)

    def __len__(self) -> int:
        return len(_CLASSES)


RECIPES: Mapping[str, type[Recipe]] = _Recipes()


def recipe(name: str, **parameters: Any) -> Recipe:
    """The recipe of this name with these parameters, given as values or as text. Raises UsageError that lists the recipes, or the
    recipe's parameters, when there is none of a name, and one that says what a parameter may be when a value is something else.
    """
    from pincite.errors import UsageError
    from pincite.recipes.parameters import converted

    plain = name.strip().casefold().replace("_", "-")
    if plain not in RECIPES:
        raise UsageError(f"there is no recipe {name!r}; known: {', '.join(RECIPES)}")
    kind = RECIPES[plain]
    return kind(**converted(kind, parameters))


def read(line: str) -> Recipe:
    """The recipe that `spell` wrote as a line; raises UsageError for anything else."""
    from pincite.errors import UsageError
    from pincite.formats.spell import unspell
    from pincite.recipes.base import Recipe
    from pincite.recipes.parameters import converted

    made = unspell(line, {kind.__name__: kind for kind in RECIPES.values()})
    if not isinstance(made, Recipe):
        raise UsageError(f"{line!r} is not the spelling of a recipe")
    given = {field.name: getattr(made, field.name) for field in fields(made)}  # type: ignore[arg-type]
    numbers = {name: value for name, value in given.items() if isinstance(value, int | float)}
    converted(type(made), numbers)
    return made
