"""A YAML file whose keys and items know their lines, so that an error can name its place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pincite.errors import UsageError
from pincite.formats.bounds import Bounds, within

Place = tuple[Any, ...]
"""The keys and 0-based positions that lead to a value from the top."""

MOST = 1_000_000
"""Values of the largest file."""


@dataclass(frozen=True, slots=True)
class Given:
    """A file's content, and the line of every key and item by its place."""

    path: Path
    content: Any
    lines: Mapping[Place, int]

    def wrong(self, where: Place, what: str) -> UsageError:
        """An error about a place: its line, its key, and what is wrong."""
        known = next(
            (where[:end] for end in range(len(where), 0, -1) if where[:end] in self.lines), ()
        )
        line = f", line {self.lines[known]}" if known in self.lines else ""
        steps = (f"[{part + 1}]" if isinstance(part, int) else f".{part}" for part in where)
        key = "".join(steps).lstrip(".")
        return UsageError(f"{self.path}{line}: {f'{key}: ' if key else ''}{what}")

    def at(self, where: Place) -> Any:
        """What stands at a place; None when nothing does."""
        found = self.content
        for part in where:
            if isinstance(found, dict):
                found = found.get(part)
            elif isinstance(found, list) and isinstance(part, int):
                found = found[part]
            else:
                return None
        return found

    def table(
        self, where: Place, allowed: Sequence[str] = (), needed: Sequence[str] = ()
    ) -> dict[Any, Any]:
        """The table at a place, with something in it; where `allowed` are given, these are the only keys."""
        found = self.at(where)
        if not isinstance(found, dict) or not found:
            known = f" with {', '.join(allowed)}" if allowed else ""
            raise self.wrong(where, f"a table{known} is needed, not {found!r}")
        for key in found if allowed else ():
            if key not in allowed:
                unknown = f"there is no such key here; known: {', '.join(allowed)}"
                raise self.wrong((*where, key), unknown)
        for key in needed:
            if found.get(key) is None:
                raise self.wrong(where, f"{key} is needed")
        return found

    def several(self, where: Place) -> list[Any]:
        """The list at a place, with something in it."""
        found = self.at(where)
        if not isinstance(found, list) or not found:
            raise self.wrong(where, f"a list is needed, not {found!r}")
        return found

    def whole(self, where: Place, otherwise: int | None, least: int) -> int | None:
        """The whole number at a place, from `least` on."""
        found = self.at(where)
        if found is None:
            return otherwise
        bounds = Bounds(least, 10**9)
        made: int | None = None if isinstance(found, str) else within(found, int, bounds)
        if made is None:
            raise self.wrong(where, f"{bounds.said(int)} is needed, not {found!r}")
        return made

    def switch(self, where: Place) -> bool:
        """True or false; false where nothing stands."""
        found = self.at(where)
        if found is not None and not isinstance(found, bool):
            raise self.wrong(where, f"true or false is needed, not {found!r}")
        return bool(found)


def read_yaml(path: Path) -> Given:
    """Read a file. Raises UsageError when it is missing or no YAML, or gives a key twice."""
    import yaml

    lines: dict[Place, int] = {}
    try:
        node = yaml.compose(path.read_text(encoding="utf-8-sig"), Loader=yaml.SafeLoader)
        if _size(node, {}) > MOST:
            raise UsageError(
                f"{path}: with its aliases written out this is more than {MOST:,} values"
            )
        made = yaml.constructor.SafeConstructor()
        return Given(path, None if node is None else _value(made, node, (), lines, path), lines)
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read {path}: {error}") from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f", line {mark.line + 1}" if mark else ""
        said = getattr(error, "problem", error)
        raise UsageError(f"{path}{line} is not valid YAML: {said}") from None
    except ValueError as error:  # a date that is not one
        raise UsageError(f"{path} holds a value that cannot be read: {error}") from None
    except RecursionError:
        raise UsageError(f"{path} is nested too deeply, or holds itself") from None


def _size(node: Any, known: dict[int, int]) -> int:
    """How many values a node holds when every alias is written out: a few lines of aliases of aliases are billions."""
    if node is None or isinstance(node.value, str):
        return 1
    if id(node) not in known:
        pairs = (part if isinstance(part, tuple) else (part,) for part in node.value)
        known[id(node)] = 1 + sum(_size(part, known) for pair in pairs for part in pair)
    return known[id(node)]


def _value(constructor: Any, node: Any, where: Place, lines: dict[Place, int], path: Path) -> Any:
    import yaml

    lines.setdefault(where, node.start_mark.line + 1)
    if isinstance(node, yaml.SequenceNode):
        items = enumerate(node.value)
        return [_value(constructor, item, (*where, at), lines, path) for at, item in items]
    if not isinstance(node, yaml.MappingNode):
        return constructor.construct_object(node)
    own: set[str] = set()
    for name, _ in node.value:
        line = f"{path}, line {name.start_mark.line + 1}"
        if not isinstance(name.value, str):
            raise UsageError(f"{line}: a key must be a text or a number")
        if name.value in own:
            raise UsageError(f"{line}: the key {name.value!r} appears here twice")
        own.add(name.value)
    constructor.flatten_mapping(node)
    made = {}
    for name, value in node.value:
        key = constructor.construct_object(name)
        place = (*where, key)
        lines[place] = name.start_mark.line + 1
        made[key] = _value(constructor, value, place, lines, path)
    return made
