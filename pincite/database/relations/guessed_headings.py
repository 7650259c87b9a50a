"""What people call the tables and columns of a database: by a dictionary, by the database's own comments, else guessed."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from pincite.database.relations.model import NUMERIC, Column, Relation
from pincite.errors import UsageError
from pincite.lexicon import word_set
from pincite.quantity import canonical_unit, declared


@dataclass(frozen=True, slots=True)
class Names:
    """A dictionary of names: for a column as "column" or "table.column", for a table as "table", what it is called."""

    entries: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def of(self, *keys: str) -> Mapping[str, Any]:
        """The entry of the first of these keys that there is, case folded; empty when there is none."""
        return next((self.entries[key.casefold()] for key in keys if key.casefold() in self.entries), {})


def dictionary(names: Mapping[str, Any] | Path | str | None) -> Names:
    """A dictionary of readable names from a mapping or a yaml file.

    Every entry is `name: readable` or `name: {name: ..., unit: ..., also: [...], description: ...}`; entries of columns may
    stand under their table. Raises UsageError when the file is missing or holds anything else.
    """
    if names is None:
        return Names()
    if isinstance(names, str | Path):
        import yaml

        try:
            names = yaml.safe_load(Path(names).read_text(encoding="utf-8")) or {}
        except (
            OSError,
            yaml.YAMLError,
            ValueError,
            RecursionError,
        ) as error:  # ValueError: no UTF-8, a date that is none
            raise UsageError(
                f"the dictionary of names cannot be read: {error}; give yaml of `column: readable name`"
            ) from None
    if not isinstance(names, Mapping):
        raise UsageError(
            "a dictionary of names is a mapping: `column: readable name` or `table: {column: readable name}`"
        )
    entries: dict[str, Mapping[str, Any]] = {}
    try:
        for key, value in names.items():
            _enter(entries, str(key).casefold(), value)
    except RecursionError:
        raise UsageError(
            "a dictionary of names holds itself, or is nested too deeply: columns stand under their table"
        ) from None
    return Names(entries)


MOST = 100_000
"""Names that a dictionary may hold: a few lines of YAML that name one another are billions when they are written out."""
_FIELDS = frozenset(("name", "unit", "also", "description", "columns"))


def _enter(entries: dict[str, Mapping[str, Any]], key: str, value: Any) -> None:
    if len(entries) > MOST:
        raise UsageError(f"a dictionary of names holds at most {MOST:,} names")
    if not isinstance(value, Mapping):
        entries[key] = {"name": "" if value is None else str(value)}
        return
    own = {str(k): v for k, v in value.items() if k in _FIELDS}
    if own and set(value) <= _FIELDS:
        entries[key] = own
    columns = value.get("columns") if "columns" in own else None if own and set(value) <= _FIELDS else value
    if not isinstance(columns or {}, Mapping):
        raise UsageError(f"the columns of {key!r} must be a mapping: `column: readable name`")
    for name, one in (columns or {}).items():
        _enter(entries, f"{key}.{str(name).casefold()}", one)


@dataclass(frozen=True, slots=True)
class Guesses:
    """What parts of names commonly mean: abbreviations in them, symbols that are whole names, units that end them."""

    words: Mapping[str, str]
    symbols: Mapping[str, str]
    units: Mapping[str, str]


@lru_cache(maxsize=1)
def guesses() -> Guesses:
    """The table that ships with the package."""
    text = (Path(__file__).parents[2] / "data" / "headings.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)
    return Guesses(
        table["words"], table["symbols"], {word: canonical_unit(unit) for word, unit in table["units"].items()}
    )


_CAMEL = re.compile(r"(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def words(name: str) -> list[str]:
    """The words of a name in snake_case, camelCase or with spaces, lower-cased unless all capitals."""
    pieces = [piece for piece in re.split(r"[\W_]+", name) if piece]
    parts = [p for piece in pieces for p in (_CAMEL.split(piece) if len(piece) > 3 else [piece]) if p]
    return [p if p.isupper() and len(p) > 1 else p.casefold() for p in parts]


def shared_prefix(names: Sequence[str]) -> int:
    """How many words all of these names begin with, so that something is left of each; 0 for fewer than three names."""
    split = [[w.casefold() for w in words(name)] for name in names]
    if len(split) < 3:
        return 0
    most = min(map(len, split)) - 1
    return next(
        (n for n in range(max(most, 0)) if len({heading_words[n] for heading_words in split}) > 1), max(most, 0)
    )


def split_heading(heading: str) -> tuple[str, str, Decimal]:
    """A heading without the unit that it declares, the unit, the scale: "Sy (MPa)" is ("Sy", "MPa", 1)."""
    text = " ".join(heading.split())
    match = _BRACKETED.fullmatch(text)
    if match and not _abbreviates(match):
        stated = declared(f"({match['unit']})")
        unit = stated.unit or guesses().units.get(match["unit"].casefold(), "")
        if unit or stated.scale != 1:
            return match["name"], unit, stated.scale
    if match := _MEASURED.fullmatch(text):
        stated = declared(f"({match['unit']})")
        if stated.unit or stated.scale != 1:
            return match["name"].rstrip(" ,:"), stated.unit, stated.scale
    return text, "", Decimal(1)


def _abbreviates(match: re.Match[str]) -> bool:
    """Whether what is in brackets is a plural ("Name(s)") or the first letter of the heading ("Losses (L)"), no unit."""
    name, unit = match["name"], match["unit"].casefold()
    return len(unit) == 1 and (unit == name[0].casefold() or (unit == "s" and match[0][len(name)] == "("))


_BRACKETED = re.compile(r"^(?P<name>.+?)\s*+[(\[](?P<unit>[^()\[\]]++)[)\]]")
_MEASURED = re.compile(
    r"^(?P<name>.+?[^\W\d_])(?:,\s*+|\s++in\s++|\s*+:\s*+)(?P<unit>[^\s,]++(?:\s(?:of\s)?[^\s,]++){0,2})"
)


def named(relations: list[Relation], names: Names, connection: sa.Connection | None = None) -> list[Relation]:
    """The relations with readable names, units and other names for every column.

    A dictionary of the user wins over one that the database keeps in a table of its own, over its comments, over guesses;
    the table that is such a dictionary is left out.
    """
    own, told = (None, Names()) if connection is None else _kept(relations, connection)
    prefix = shared_prefix([name for r in relations for name in (r.name, *(c.name for c in r.columns))])
    return [_named(relation, names, told, prefix) for relation in relations if relation is not own]


def _named(relation: Relation, names: Names, told: Names, prefix: int) -> Relation:
    own = shared_prefix([c.name for c in relation.columns])
    symbols = sum(c.name in guesses().symbols for c in relation.columns)
    columns = []
    for column in relation.columns:
        keys = (f"{relation.name}.{column.name}", column.name)
        entry = {**told.of(*keys), **names.of(*keys)}
        columns.append(_column(column, entry, max(own, prefix), symbols > 1))
    entry = {**told.of(relation.name), **names.of(relation.name)}
    brief, described = _comment(relation.described)
    guess = " ".join(_spelled(words(relation.name)[prefix:])) or relation.name
    readable = str(entry.get("name") or brief or guess)
    also = dict.fromkeys([*map(str, entry.get("also") or ()), guess])
    return replace(
        relation,
        columns=tuple(columns),
        readable=readable,
        also=tuple(name for name in also if name.casefold() != readable.casefold()),
        described=str(entry.get("description") or described),
    )


def _column(column: Column, entry: Mapping[str, Any], prefix: int, symbols: bool) -> Column:
    heading, unit, scale = split_heading(column.name)
    said, described = _comment(column.described)
    if said:
        said, said_unit, said_scale = split_heading(said)
        unit, scale = unit or said_unit, said_scale if scale == 1 else scale
    guess, guessed_unit = _guess(heading, prefix, symbols, column.type in NUMERIC)
    readable = str(entry.get("name") or said or guess)
    unit = canonical_unit(str(entry["unit"])) if entry.get("unit") else unit or column.unit or guessed_unit
    plain = " ".join(words(heading))
    also = dict.fromkeys([*map(str, entry.get("also") or ()), *([guess] if guess != plain else []), plain])
    return replace(
        column,
        readable=readable,
        guessed=not (entry.get("name") or said),
        also=tuple(name for name in also if name.casefold() != readable.casefold()),
        unit=unit if column.type in NUMERIC else "",
        scale=scale if column.type in NUMERIC and column.scale == 1 else column.scale,
        described=str(entry.get("description") or described),
    )


def _comment(text: str) -> tuple[str, str]:
    """A comment of the database as a readable name when it is short enough for one, and at length."""
    text = " ".join(text.split())
    brief = text.rstrip(".")
    return (
        (brief, text)
        if 0 < len(brief) <= 50 and len(brief.split()) <= 6 and not re.search(r"[.;=]", brief)
        else ("", text)
    )


def _guess(heading: str, prefix: int, symbols: bool, number: bool) -> tuple[str, str]:
    """What a column is called, guessed from its name, and the unit that the name ends with."""
    if symbols and heading in guesses().symbols:
        return guesses().symbols[heading], ""
    parts = words(heading)[prefix:]
    unit = ""
    if number and len(parts) > 1 and (unit := guesses().units.get(parts[-1].casefold(), "")):
        parts = parts[:-1]
    return " ".join(_spelled(parts)) or heading, unit


def _spelled(parts: Sequence[str]) -> list[str]:
    return [guesses().words.get(part.casefold(), part) for part in parts]


_NAMES_COLUMNS = word_set("database", "columns")
_NAMES_MEANING = word_set("database", "meanings")
_NAMES_UNIT = word_set("database", "units")
_NAMES_TABLE = word_set("database", "tables")


def _kept(relations: list[Relation], connection: sa.Connection) -> tuple[Relation | None, Names]:
    """The table of the database that says what columns mean, told by its values being names of columns; its entries."""
    for relation in relations:
        if not 2 <= len(relation.columns) <= 8 or not 0 < relation.rows <= 5000:
            continue
        spoken = {c.name: {w.casefold() for w in words(c.name)} for c in relation.columns}
        keys = [c for c in relation.columns if c.type == "text" and spoken[c.name] & _NAMES_COLUMNS]
        others = {c.name.casefold() for r in relations if r is not relation for c in r.columns}
        for key in keys:
            rest = [c for c in relation.columns if c is not key and c.type == "text"]
            meaning = next((c for c in rest if spoken[c.name] & _NAMES_MEANING), None)
            if meaning is None:
                continue
            unit = next((c for c in rest if spoken[c.name] & _NAMES_UNIT), None)
            table = next((c for c in rest if spoken[c.name] & _NAMES_TABLE), None)
            cells = [c.name for c in (key, meaning, unit, table) if c is not None]
            source = sa.table(relation.name, *map(sa.column, cells), schema=relation.schema or None)
            rows = [dict(row) for row in connection.execute(sa.select(source)).mappings()]
            if sum(str(row[key.name]).casefold() in others for row in rows) * 2 < len(rows):
                continue
            entries = {}
            for row in rows:
                within = f"{row[table.name]}." if table is not None and row[table.name] else ""
                entry = {"name": row[meaning.name] or "", "unit": (row[unit.name] or "") if unit is not None else ""}
                entries[f"{within}{row[key.name]}".casefold()] = _brief(entry)
            return relation, Names(entries)
    return None, Names()


def _brief(entry: dict[str, str]) -> dict[str, str]:
    """An entry whose meaning is too long for a name keeps it as its description."""
    name, unit = str(entry["name"]), str(entry["unit"])
    if len(name.split()) > 8:
        return {"description": name, "unit": unit}
    return {"name": name, "unit": unit}
