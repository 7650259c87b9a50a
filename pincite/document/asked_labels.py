"""Labels of rows in the words of a question: rows call a result by its sign ("Net loss"), and a whole often a total."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace
from itertools import chain, repeat

from pincite.document.labelled_cells import Labelled, Labels
from pincite.quantity import parse
from pincite.text.lexicon import pattern, word_list
from pincite.text.words import stems, words
from pincite.types import Quantity

_WORDS = word_list("document", "a result")
_LOSS = "loss"
_NAME = re.compile(
    r"\((?:{0})(?:es|s)?\)|\b(?:{0})(?:es|s)?\b".format("|".join(_WORDS)), re.IGNORECASE
)
_TOTAL = re.compile(r"(?i)^total\s+(?:of\s+)?|[,:]?\s+total$")
_OF_OTHERS = pattern("document", "part of others")
_OTHER_LOSS = pattern("document", "another loss")


def as_asked(label: str, asked: Collection[str]) -> str:
    """A label as the stems of a question call it: "Net loss" is its "net income", "Total revenue" its "revenue"."""
    label = _result_as_asked(label, asked)
    whole = _TOTAL.sub("", label)
    own = set(words(whole))
    return whole if "total" not in asked and own and own.issubset(asked) else label


def _result_as_asked(label: str, asked: Collection[str]) -> str:
    """A label with its result called as it is asked for, where either of them says loss."""
    wanted, names = _wanted(asked), _NAME.findall(label)
    if not (wanted and names) or _LOSS != wanted and not any(map(_is_loss, names)):
        return label
    if _OTHER_LOSS.search(label):
        return label
    called = chain([wanted], repeat(""))
    return " ".join(_NAME.sub(lambda _: next(called), label).split())


def of_others(label: str, asked: Collection[str]) -> bool:
    """Whether a row is the part of a result that other owners have, of whom the question says nothing."""
    found = _OF_OTHERS.search(label)
    return found is not None and set(stems(found["whose"])).isdisjoint(asked)


def with_sign_asked(
    number: Quantity, cell: Labelled, seen: Labels, asked: Collection[str]
) -> Quantity:
    """The number of a row that is called a loss as the result that is asked for: negative, also where the row, which says so in
    words, prints no minus.
    """
    names = _NAME.findall(cell.label)
    said = bool(names) and all(map(_is_loss, names)) and not _OTHER_LOSS.search(cell.label)
    if not said or number.value <= 0 or _wanted(asked) in ("", _LOSS):
        return number
    beside = (parse(other.text) for other in seen.row(cell.row))
    if any(other and other.value < 0 for other in beside):
        return number
    return replace(number, value=-number.value)


def _wanted(asked: Collection[str]) -> str:
    """The one word for a result that a question has, "" for none or several."""
    named = [word for word in _WORDS if not set(stems(word)).isdisjoint(asked)]
    return named[0] if len(named) == 1 else ""


def _is_loss(name: str) -> bool:
    return name.strip("()").casefold().startswith(_LOSS)
