"""Where things are and how answers are judged: `pincite.toml` in the working folder, then the environment."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal

from pincite.errors import UsageError

FILE = "pincite.toml"


@dataclass(frozen=True, slots=True)
class Settings:
    """What a user may set; every name is a key of `[pincite]` in pincite.toml and, as PINCITE_NAME, a variable.

    `threshold` is the confidence below which an answer is refused; `derived` says whether code may compute a value;
    `silence` what a yes/no question gets when the text is silent; `units` names a TOML file of further units and
    abbreviations; `pages` how many pages are read for a question.
    """

    threshold: float = 0.13
    derived: Literal["allow", "forbid"] = "allow"
    silence: Literal["na", "no"] = "na"
    units: str = ""
    pages: int = 8


_ALLOWED = {"derived": ("allow", "forbid"), "silence": ("na", "no")}


def load(folder: Path | str = ".", environment: Mapping[str, str] = os.environ) -> Settings:
    """The settings that hold in `folder`. Raises UsageError that names the key for a value that cannot be."""
    path = Path(folder) / FILE
    given: dict[str, Any] = {}
    if path.is_file():
        try:
            given = tomllib.loads(path.read_text(encoding="utf-8")).get("pincite", {})
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise UsageError(f"{path} is not valid TOML: {error}") from error
    names = {one.name: type(one.default) for one in fields(Settings)}
    for name in names:
        if f"PINCITE_{name.upper()}" in environment:
            given[name] = environment[f"PINCITE_{name.upper()}"]
    made: dict[str, Any] = {}
    for name, value in given.items():
        if name not in names:
            raise UsageError(f"{path}: unknown setting {name!r}; there are {', '.join(names)}")
        made[name] = _converted(name, value, names[name])
    return replace(Settings(), **made)


def _converted(name: str, value: Any, kind: type) -> Any:
    try:
        converted = kind(value)
    except (TypeError, ValueError) as error:
        raise UsageError(f"setting {name!r} must be {kind.__name__}, not {value!r}") from error
    allowed = _ALLOWED.get(name)
    if allowed and converted not in allowed:
        raise UsageError(f"setting {name!r} must be one of {', '.join(allowed)}, not {value!r}")
    return converted
