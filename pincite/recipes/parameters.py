"""Parameters of recipes from what people write: `--set k=10`, a value of a YAML file, a file of `pincite tune`."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from pincite.errors import UsageError
from pincite.formats.bounds import Bounds, within
from pincite.formats.yamlfile import read_yaml
from pincite.recipes.base import Recipe

_NUMBERS = Bounds(0, 1_000_000_000)
_SWITCH = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a recipe: its default, and in words what it may be."""

    name: str
    default: Any
    allowed: str


def parameters(kind: type[Recipe]) -> tuple[Parameter, ...]:
    """The parameters of a recipe in their order."""
    hints = get_type_hints(kind)
    return tuple(
        Parameter(field.name, field.default, _allowed(hints[field.name]))
        for field in fields(kind)  # type: ignore[arg-type]
    )


def converted(kind: type[Recipe], given: Mapping[str, Any]) -> dict[str, Any]:
    """Values for a recipe's parameters, text read as their types. Raises UsageError that lists what there is."""
    hints = get_type_hints(kind)
    known = {parameter.name: parameter for parameter in parameters(kind)}
    made = {}
    for name, value in given.items():
        plain = name.strip().replace("-", "_")
        if plain not in known:
            there = ", ".join(
                f"{parameter.name}={shown(parameter.default)}" for parameter in known.values()
            )
            raise UsageError(f"{kind.name} has no parameter {name!r}; it has {there}")
        try:
            made[plain] = _convert(hints[plain], value)
        except (ValueError, TypeError, KeyError) as error:
            raise UsageError(
                f"{plain} of {kind.name} must be {known[plain].allowed}, not {value!r} "
                f"(its default is {shown(known[plain].default)})"
            ) from error
    return made


def pairs(given: list[str] | None) -> dict[str, str]:
    """`--set name=value` as names and values; raises UsageError for anything else and for a name given twice."""
    made: dict[str, str] = {}
    for pair in given or ():
        name, equals, value = pair.partition("=")
        if not equals or not name.strip():
            raise UsageError(f"--set needs NAME=VALUE, as in --set k=10, not {pair!r}")
        if name.strip() in made:
            raise UsageError(f"--set gives {name.strip()!r} twice")
        made[name.strip()] = value.strip()
    return made


def shown(value: Any) -> str:
    """A value as it is written after `--set NAME=`."""
    if isinstance(value, tuple):
        return ",".join(map(shown, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def named(recipe: Recipe) -> str:
    """A recipe by its name, with the parameters that are not at their default: "hero (depth=10, k=20)"."""
    changed = (
        f"{parameter.name}={shown(value)}"
        for parameter in parameters(type(recipe))
        if (value := getattr(recipe, parameter.name)) != parameter.default
    )
    said = ", ".join(changed)
    return f"{recipe.name} ({said})" if said else recipe.name


def _allowed(hint: Any) -> str:
    """What a value of this type may be, in words."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Literal:
        return "one of " + ", ".join(map(str, inner))
    if origin in (Union, types.UnionType):
        return " or ".join("none" if kind is type(None) else _allowed(kind) for kind in inner)
    if origin is tuple:
        return f"several, separated by commas, each {_allowed(inner[0])}"
    said = {bool: "true or false", str: "text"}
    return said[hint] if hint in said else _NUMBERS.said(hint)


def _convert(hint: Any, value: Any) -> Any:
    """The value as its type; raises ValueError, TypeError or KeyError when it is not of that type."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Literal:
        return {str(choice): choice for choice in inner}[str(value)]
    if origin in (Union, types.UnionType):
        if value is None or value == "none":
            return None
        return _convert(next(kind for kind in inner if kind is not type(None)), value)
    if origin is tuple:
        items = map(str.strip, value.split(",")) if isinstance(value, str) else value
        return tuple(_convert(inner[0], item) for item in items if item != "")
    if hint is bool:
        return _SWITCH[str(value).casefold()]
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise TypeError
    if hint is str:
        return str(value)
    if (number := within(value, hint, _NUMBERS)) is None:
        raise ValueError
    return number


def read_tuned(path: Path) -> tuple[str, dict[str, Any]]:
    """The recipe's name and the parameters that a file of `pincite tune` holds. Raises UsageError when it is no such file."""
    given = read_yaml(path)
    given.table((), needed=("recipe",))
    parameters = given.table(("parameters",)) if given.at(("parameters",)) else {}
    return str(given.at(("recipe",))), {str(name): value for name, value in parameters.items()}
