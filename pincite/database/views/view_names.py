"""Names of views and their columns: lower-case words joined by "_", as a statement can write them without quotes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from pincite.database.relations.guessed_headings import (
    guesses,
    shared_prefix,
    split_heading,
    words,
)
from pincite.database.relations.model import Column, Relation
from pincite.database.sources.typed_columns import free_name
from pincite.quantity import compatible
from pincite.text.lexicon import word_set

_RESERVED = word_set("database", "reserved words")
_WORD = re.compile(r"[^\W_]+")
LONGEST = 60
"""Characters of a name: PostgreSQL cuts what has more than 63 bytes."""


def column_names(columns: Sequence[Column]) -> list[str]:
    """A name for each of the columns, none twice: a name that is readable already stays, without what all begin with."""
    names = [column.name for column in columns]
    shared = words(names[0])[: shared_prefix(names)] if names else []
    dropped = len(list(takewhile(_is_short, shared)))
    taken: set[str] = set()
    return [free(_column_name(column, dropped), taken, "column") for column in columns]


def _is_short(word: str) -> bool:
    """Whether a word is an abbreviation that says nothing where everything begins with it: "sb", "dp", "cust"."""
    return len(word) < 4 or word.casefold() in guesses().words


def view_name(relation: Relation, taken: set[str]) -> str:
    """A name for the view of a relation that none of those `taken` has, which it joins."""
    said, own = words(relation.name), words(relation.readable)
    cut = bool(own) and own == said[-len(own) :] and all(map(_is_short, said[: -len(own)]))
    spelled = relation.readable if cut or _is_abbreviated(relation.name) else relation.name
    return free(_joined_words(spelled) or _joined_words(relation.name), taken, "table")


def free(name: str, taken: set[str], what: str) -> str:
    """A name that is no word of SQL and that none of those `taken` has, which it joins; `what` it names."""
    own = name or "unnamed"
    if own[0].isdigit():
        own = f"year_{own}" if re.fullmatch(r"(?:19|20)\d\d", own) else f"{what}_{own}"
    if own in _RESERVED:
        own = f"{own}_{what}"
    return free_name(own, taken, "_")


def _column_name(column: Column, dropped: int) -> str:
    """What a dictionary or a comment calls it, else its own name, abbreviations spelled out."""
    heading = split_heading(column.name)[0]
    comment = column.described.rstrip(".").casefold() == column.readable.casefold()
    if not column.guessed and column.readable and not (comment and _is_readable(heading)):
        return _joined_words(split_heading(column.readable)[0])
    if heading in guesses().symbols and column.unit and compatible(column.unit, "MPa"):
        return _joined_words(guesses().symbols[heading])  # "Rm [MPa]" is no room
    if column.readable == guesses().symbols.get(heading) or _is_abbreviated(heading):
        return _joined_words(column.readable)
    return _joined_words(" ".join(words(heading)[dropped:])) or _joined_words(heading)


def _is_readable(name: str) -> bool:
    """Whether all words of a name are words: a comment is then what it means, and no better name."""
    said = words(name)
    long = bool(said) and all(len(word) > 3 and word.isalpha() for word in said)
    return long and not _is_abbreviated(name)


def _is_abbreviated(name: str) -> bool:
    return any(word.casefold() in guesses().words for word in words(name))


def _joined_words(text: str) -> str:
    parts = [part.casefold() for word in words(text) for part in _WORD.findall(word)]
    return "_".join(parts)[:LONGEST].rstrip("_")
