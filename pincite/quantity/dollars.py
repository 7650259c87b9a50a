"""Which dollar "$" means in a document that reports in a dollar other than that of the United States."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from pincite.quantity.units import units
from pincite.text.lexicon import pattern, word_list
from pincite.types import Node, Quantity

DOLLAR = "dollar"
"""What a node's meta calls the dollar of its document, where that is not HOME."""
HOME = "USD"
"""The dollar that a bare "$" is where nothing else is said."""
LEAST = 2
"""How often a document has to say it: a single loan may be stated in another dollar."""
_MARK = "$"
_OF_HOME = pattern("quantity", "dollar of the United States")


def dollar_of(texts: Iterable[str]) -> str:
    """The dollar in which a document says that its amounts stand ("presented in Australian dollars"); "" for USD or none.

    The one that is said so most often counts.
    """
    said = Counter(
        _named()[found[1].lower()] for text in texts for found in _stated().finditer(text)
    )
    name, times = next(iter(said.most_common(1)), (HOME, 0))
    return "" if name == HOME or times < LEAST else name


def with_dollar(nodes: Sequence[Node]) -> Sequence[Node]:
    """The nodes of a document; where its amounts are in another dollar than USD, each with a "$" or a table says in which."""
    dollar = dollar_of(node.text for node in nodes if node.kind == "page")
    if not dollar:
        return nodes
    return [
        replace(node, meta={**node.meta, DOLLAR: dollar})
        if _MARK in node.text or node.table
        else node
        for node in nodes
    ]


def in_own_dollars(quantity: Quantity, own: str, said: str) -> Quantity:
    """A quantity in dollars as one in the document's `own`, unless what is `said` where it stands is of the United States."""
    if not own or not quantity.unit.startswith(HOME) or _OF_HOME.search(said):
        return quantity
    return replace(quantity, unit=quantity.unit.replace(HOME, own, 1))


@lru_cache(maxsize=1)
def _named() -> dict[str, str]:
    """The names of dollars, lower-cased and in the singular, and their units."""
    return {
        word.removesuffix("(s)").lower(): name
        for name, unit in units().by_name.items()
        if unit.is_dollar
        for word in unit.words
        if word.removesuffix("(s)").lower().endswith(" dollar")
    }


@lru_cache(maxsize=1)
def _stated() -> re.Pattern[str]:
    names = "|".join(sorted(map(re.escape, _named()), key=len, reverse=True))
    reported = "|".join(word_list("quantity", "reported"))
    return re.compile(
        rf"\b(?:{reported})\b[^.;]{{0,60}}?\s(?:in|is|are)\s+(?:the\s+)?({names})s?\b",
        re.IGNORECASE,
    )
