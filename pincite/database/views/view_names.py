"""Names of views and their columns: lower-case words joined by "_", as a statement can write them without quotes."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pincite.database.relations.guessed_headings import guesses, split_heading, words
from pincite.database.relations.model import Column, Relation
from pincite.lexicon import word_set

_RESERVED = word_set("database", "reserved words")
_WORD = re.compile(r"[^\W_]+")
LONGEST = 60
"""Characters of a name: PostgreSQL cuts what has more than 63 bytes."""


def column_names(columns: Iterable[Column]) -> list[str]:
    """A name for each of the columns, none twice: a name that is readable already stays."""
    taken: set[str] = set()
    return [free(_of_column(column), taken, "column") for column in columns]


def view_name(relation: Relation, taken: set[str]) -> str:
    """A name for the view of a relation that none of those `taken` has, which it joins."""
    spelled = relation.readable if _is_abbreviated(relation.name) else relation.name
    return free(_joined(spelled) or _joined(relation.name), taken, "table")


def free(name: str, taken: set[str], what: str) -> str:
    """A name that is no word of SQL and that none of those `taken` has, which it joins; `what` it names."""
    own = name or what
    if own[0].isdigit():
        own = f"year_{own}" if re.fullmatch(r"(?:19|20)\d\d", own) else f"{what}_{own}"
    if own in _RESERVED:
        own = f"{own}_{what}"
    chosen, n = own, 1
    while chosen in taken:
        n += 1
        chosen = f"{own}_{n}"
    taken.add(chosen)
    return chosen


def _of_column(column: Column) -> str:
    """What a dictionary or a comment calls it, else its own name, abbreviations spelled out."""
    if not column.guessed and column.readable:
        return _joined(split_heading(column.readable)[0])
    heading = split_heading(column.name)[0]
    if column.readable == guesses().symbols.get(heading) or _is_abbreviated(heading):
        return _joined(column.readable)
    return _joined(heading)


def _is_abbreviated(name: str) -> bool:
    return any(word.casefold() in guesses().words for word in words(name))


def _joined(text: str) -> str:
    parts = [part.casefold() for word in words(text) for part in _WORD.findall(word)]
    return "_".join(parts)[:LONGEST].rstrip("_")
