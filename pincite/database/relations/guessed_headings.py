"""What people call the tables and columns of a database: by a dictionary, by the database's own comments, else guessed."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from pincite.database.relations.model import NUMERIC, Column, Relation
from pincite.database.relations.name_folding import CAMEL
from pincite.errors import UsageError
from pincite.quantity import canonical_unit, declared
from pincite.text.lexicon import pattern, word_set
from pincite.text.words import PLAIN_WORD


@dataclass(frozen=True, slots=True)
class Names:
    """A dictionary of names: for a column as "column" or "table.column", for a table as "table", what it is called."""

    entries: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def of(self, *keys: str) -> Mapping[str, Any]:
        """The entry of the first of these keys that there is, case folded; empty when there is none."""
        folded = (key.casefold() for key in keys)
        return next((self.entries[key] for key in folded if key in self.entries), {})


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
        # ValueError: no UTF-8, a date that is not one
        except (OSError, yaml.YAMLError, ValueError, RecursionError) as error:
            give = "give yaml of `column: readable name`"
            raise UsageError(f"the dictionary of names cannot be read: {error}; {give}") from None
    if not isinstance(names, Mapping):
        forms = "`column: readable name` or `table: {column: readable name}`"
        raise UsageError(f"a dictionary of names is a mapping: {forms}")
    entries: dict[str, Mapping[str, Any]] = {}
    try:
        for key, value in names.items():
            _enter_names(entries, str(key).casefold(), value)
    except RecursionError:
        why = "contains itself, or is nested too deeply"
        raise UsageError(f"a dictionary of names {why}: columns go under their table") from None
    return Names(entries)


MOST = 100_000
"""Names that a dictionary may hold: a few lines of YAML that name one another are billions when they are written out."""
_FIELDS = frozenset(("name", "unit", "also", "description", "columns"))


def _enter_names(entries: dict[str, Mapping[str, Any]], key: str, value: Any) -> None:
    if len(entries) > MOST:
        raise UsageError(f"a dictionary of names holds at most {MOST:,} names")
    if not isinstance(value, Mapping):
        entries[key] = {"name": "" if value is None else str(value)}
        return
    own = {field: value[field] for field in value if field in _FIELDS}
    columns = own.get("columns", value)
    if len(own) == len(value) > 0:
        entries[key] = own
        columns = own.get("columns")
    columns = columns or {}
    if not isinstance(columns, Mapping):
        raise UsageError(f"the columns of {key!r} must be a mapping: `column: readable name`")
    for name, column in columns.items():
        _enter_names(entries, f"{key}.{str(name).casefold()}", column)


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
    units = {word: canonical_unit(unit) for word, unit in table["units"].items()}
    return Guesses(table["words"], table["symbols"], units)


def words(name: str) -> list[str]:
    """The words of a name in snake_case, camelCase or with spaces, lower-cased unless all capitals."""
    parts: list[str] = []
    for piece in PLAIN_WORD.findall(name):
        parts += CAMEL.split(piece) if len(piece) > 3 else [piece]
    return [p if p.isupper() and len(p) > 1 else p.casefold() for p in parts]


def shared_prefix(names: Sequence[str]) -> int:
    """How many words all of these names begin with, so that something is left of each; 0 for fewer than three names."""
    split = list(map(_folded_words, names))
    if len(split) < 3:
        return 0
    most = max(min(map(len, split)) - 1, 0)
    differing = (n for n in range(most) if len({spoken[n] for spoken in split}) > 1)
    return next(differing, most)


def prefix_of(relations: Sequence[Relation]) -> int:
    """How many words the names of all relations and columns begin with."""
    columns = [column.name for relation in relations for column in relation.columns]
    return shared_prefix([*(relation.name for relation in relations), *columns])


def _folded_words(name: str) -> list[str]:
    return [word.casefold() for word in words(name)]


def split_heading(heading: str) -> tuple[str, str, Decimal]:
    """A heading without the unit that it declares, the unit, the scale: "Sy (MPa)" is ("Sy", "MPa", 1)."""
    text = " ".join(heading.split())
    match = _BRACKETED.fullmatch(text)
    # no unit is a plural ("Name(s)") or the first letter of the heading ("Losses (L)")
    letter = match["unit"].casefold() if match and len(match["unit"]) == 1 else ""
    plural = match and letter == "s" and text[len(match["name"])] == "("
    if match and not plural and letter != match["name"][0].casefold():
        stated = declared(f"({match['unit']})")
        unit = stated.unit or guesses().units.get(match["unit"].casefold(), "")
        if unit or stated.scale != 1:
            return match["name"], unit, stated.scale
    if match := _MEASURED.fullmatch(text):
        stated = declared(f"({match['unit']})")
        if stated.unit or stated.scale != 1:
            return match["name"].rstrip(" ,:"), stated.unit, stated.scale
    return text, "", Decimal(1)


def heading_unit(column: Column) -> tuple[str, Decimal]:
    """The unit and scale that a column's heading or comment declares for its numbers, also where they are still text."""
    if column.unit or column.scale != 1:
        return column.unit, column.scale
    heading, unit, scale = split_heading(column.name)
    _, said_unit, said_scale = split_heading(_brief_and_full(column.described)[0])
    unit = unit or said_unit or _guess_heading(heading, 0, False, True)[1]
    return unit, said_scale if scale == 1 else scale


_BRACKETED = re.compile(r"^(?P<name>.+?)\s*+[(\[](?P<unit>[^()\[\]]++)[)\]]")
_MEASURED = pattern("database", "heading with a unit", "columns")


def named(
    relations: list[Relation], names: Names, connection: sa.Connection | None = None
) -> list[Relation]:
    """The relations with readable names, units and other names for every column.

    A dictionary of the user wins over one that the database keeps in a table of its own, over its comments, over guesses;
    the table that is such a dictionary is left out.
    """
    own, told = (None, Names()) if connection is None else _dictionary_table(relations, connection)
    prefix = prefix_of(relations)
    return [
        _name_relation(relation, names, told, prefix)
        for relation in relations
        if relation is not own
    ]


def _name_relation(relation: Relation, names: Names, told: Names, prefix: int) -> Relation:
    own = shared_prefix([c.name for c in relation.columns])
    symbols = sum(c.name in guesses().symbols for c in relation.columns)
    columns = []
    for column in relation.columns:
        keys = (f"{relation.name}.{column.name}", column.name)
        entry = {**told.of(*keys), **names.of(*keys)}
        columns.append(_name_column(column, entry, max(own, prefix), symbols > 1))
    entry = {**told.of(relation.name), **names.of(relation.name)}
    brief, described = _brief_and_full(relation.described)
    guess = " ".join(_spell_out(words(relation.name)[prefix:])) or relation.name
    readable = str(entry.get("name") or brief or guess)
    return replace(
        relation,
        columns=tuple(columns),
        readable=readable,
        also=_other_names(entry, readable, guess),
        described=str(entry.get("description") or described),
    )


def _other_names(entry: Mapping[str, Any], readable: str, *guessed: str) -> tuple[str, ...]:
    """What else people may call something."""
    also = dict.fromkeys([*map(str, entry.get("also") or ()), *guessed])
    return tuple(name for name in also if name.casefold() != readable.casefold())


def _name_column(column: Column, entry: Mapping[str, Any], prefix: int, symbols: bool) -> Column:
    number = column.type in NUMERIC
    heading, unit, scale = split_heading(column.name)
    brief, described = _brief_and_full(column.described)
    said, said_unit, said_scale = split_heading(brief)
    guess, guessed_unit = _guess_heading(heading, prefix, symbols, number)
    units = filter(None, (unit, said_unit, column.unit, guessed_unit))
    given = entry.get("unit")
    unit = canonical_unit(str(given)) if given else next(units, "")
    if number and column.scale == 1:
        column = replace(column, scale=said_scale if scale == 1 else scale)
    readable = str(entry.get("name") or said or guess)
    return replace(
        column,
        readable=readable,
        guessed=not (entry.get("name") or said),
        also=_other_names(entry, readable, guess, " ".join(words(heading))),
        unit=unit if number else "",
        described=str(entry.get("description") or described),
    )


def _brief_and_full(text: str) -> tuple[str, str]:
    """A comment of the database as a readable name when it is short enough for one, and at length."""
    text = " ".join(text.split())
    brief = text.rstrip(".")
    named = len(brief) <= 50 and len(brief.split()) <= 6 and set(".;=").isdisjoint(brief)
    return brief if named else "", text


def _guess_heading(heading: str, prefix: int, symbols: bool, number: bool) -> tuple[str, str]:
    """What a column is called, guessed from its name, and the unit that the name ends with."""
    if symbols and heading in guesses().symbols:
        return guesses().symbols[heading], ""
    parts = words(heading)[prefix:]
    unit, length = _last_unit(parts) if number else ("", 0)
    return " ".join(_spell_out(parts[: len(parts) - length])) or heading, unit


def _last_unit(parts: Sequence[str]) -> tuple[str, int]:
    """The unit that the last words of a name are, one over another in "density_kg_m3" and "price_eur_per_kg", and how many words
    it has; what is "per kg" is not in kg.
    """
    if len(parts) > 2 and parts[-2].casefold() == "per":
        over = [guesses().units.get(part.casefold(), "") for part in (parts[-3], parts[-1])]
        return (canonical_unit("/".join(over)), 3) if all(over) and len(parts) > 3 else ("", 0)
    ends = [guesses().units.get(part.casefold(), "") for part in parts[1:][-2:]]
    if len(ends) == 2 and all(ends) and (unit := declared(f"({'/'.join(ends)})").unit):
        return unit, 2
    return (ends[-1], 1) if ends and ends[-1] else ("", 0)


def _spell_out(parts: Sequence[str]) -> list[str]:
    return [guesses().words.get(part.casefold(), part) for part in parts]


_NAMES_COLUMNS = word_set("database", "columns")
_NAMES_MEANING = word_set("database", "meanings")
_NAMES_UNIT = word_set("database", "units")
_NAMES_TABLE = word_set("database", "tables")


def _dictionary_table(
    relations: list[Relation], connection: sa.Connection
) -> tuple[Relation | None, Names]:
    """The table of the database that says what columns mean, told by its values being names of columns; its entries."""
    for relation in relations:
        if 2 <= len(relation.columns) <= 8 and 0 < relation.rows <= 5000:
            others = {c.name.casefold() for r in relations if r is not relation for c in r.columns}
            for key in _columns_named(relation.columns, _NAMES_COLUMNS):
                entries = _table_entries(relation, key, others, connection)
                if entries is not None:
                    return relation, Names(entries)
    return None, Names()


def _columns_named(columns: Sequence[Column], kinds: frozenset[str]) -> list[str]:
    """The names of columns of text that hold one of some words."""
    return [
        c.name for c in columns if c.type == "text" and not kinds.isdisjoint(_folded_words(c.name))
    ]


def _table_entries(
    relation: Relation, key: str, others: set[str], connection: sa.Connection
) -> dict[str, Mapping[str, Any]] | None:
    """What a table says of the columns that its column `key` names; None where these are few of the `others`."""
    rest = [column for column in relation.columns if column.name != key]
    kinds = (_NAMES_MEANING, _NAMES_UNIT, _NAMES_TABLE)
    parts = [_columns_named(rest, words_of)[:1] for words_of in kinds]
    if not parts[0]:
        return None
    source = relation.table((key, *chain.from_iterable(parts)))
    rows = connection.execute(sa.select(source)).mappings().all()
    if sum(str(row[key]).casefold() in others for row in rows) * 2 < len(rows):
        return None
    entries: dict[str, Mapping[str, Any]] = {}
    for row in rows:
        meaning, unit, within = (str(row[names[0]] or "") if names else "" for names in parts)
        place = f"{within}.{row[key]}" if within else str(row[key])
        kind = "description" if len(meaning.split()) > 8 else "name"  # too long for a name
        entries[place.casefold()] = {kind: meaning, "unit": unit}
    return entries
