"""Parameters of recipes from what people write: `--set k=10`, a value of a YAML file, a file of `pincite tune`."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from pincite.bounds import Bounds, within
from pincite.errors import UsageError
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
    declared = fields(kind)  # type: ignore[arg-type]
    return tuple(
        Parameter(field.name, field.default, _said(hints[field.name])) for field in declared
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
            made[plain] = _read(hints[plain], value)
        except (ValueError, TypeError) as error:
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
    if isinstance(value, Mapping):
        return ",".join(f"{name}={shown(held)}" for name, held in value.items())
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


def _said(hint: Any) -> str:
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Literal:
        return "one of " + ", ".join(map(str, inner))
    if origin in (Union, types.UnionType):
        return " or ".join("none" if kind is type(None) else _said(kind) for kind in inner)
    if origin is tuple:
        return f"several, separated by commas, each {_said(inner[0])}"
    if origin is not None and issubclass(origin, Mapping):
        return f"name={_said(inner[1])} several times, separated by commas"
    return {
        bool: "true or false",
        int: _NUMBERS.said(int),
        float: _NUMBERS.said(float),
        str: "text",
    }[hint]


def _read(hint: Any, value: Any) -> Any:
    """The value as its type; raises ValueError or TypeError when it is not of that type."""
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Literal:
        known = {str(choice): choice for choice in inner}
        return known[str(value)] if str(value) in known else _fail()
    if origin in (Union, types.UnionType):
        if value is None or value == "none":
            return None
        return _read(next(kind for kind in inner if kind is not type(None)), value)
    if origin is tuple:
        several = value.split(",") if isinstance(value, str) else value
        return tuple(
            _read(inner[0], item.strip() if isinstance(item, str) else item)
            for item in several
            if item != ""
        )
    if origin is not None and issubclass(origin, Mapping):
        several = (
            dict(part.split("=", 1) for part in value.split(",") if part)
            if isinstance(value, str)
            else value
        )
        return {str(name).strip(): _read(inner[1], single) for name, single in several.items()}
    return _plain(hint, value)


def _plain(hint: Any, value: Any) -> Any:
    if hint is bool:
        said = str(value).casefold()
        return _SWITCH[said] if said in _SWITCH else _fail()
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return _fail()
    if hint is str:
        return str(value)
    number = within(value, hint, _NUMBERS)
    return number if number is not None else _fail()


def _fail() -> Any:
    raise ValueError


def read_tuned(path: Path) -> tuple[str, dict[str, Any]]:
    """The recipe's name and the parameters that a file of `pincite tune` holds. Raises UsageError when it is no such file."""
    given = read_yaml(path)
    given.table((), needed=("recipe",))
    parameters = given.table(("parameters",)) if given.at(("parameters",)) else {}
    return str(given.at(("recipe",))), {str(name): value for name, value in parameters.items()}
