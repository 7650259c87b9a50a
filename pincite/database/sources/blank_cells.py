"""Texts of a column that say that there is nothing: empty ones, dashes, "n/a"; but not "NA" among codes such as "NE"."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pincite.database.relations.guessed_headings import words
from pincite.text.lexicon import pattern, word_set

_BLANK = pattern("database", "blank", "cells")
_WORD = pattern("database", "word", "cells")
_HEADINGS = word_set("database", "headings of short codes")
_ELEMENT = re.compile(r"[A-Z][a-z]?")
_CODE = re.compile(r"[A-Z]{2,3}|[a-z]{2,3}")
LONGEST = 20
"""Characters of a text that says nothing."""
LIKE = 0.8
"""The share of a column's other values that must be codes of the form of "NA", so that it is one."""
FEW = 5
"""So many other codes tell by themselves; fewer only beside cells that are empty, or under a heading that says so."""


def blanks(cells: Iterable[str], heading: str = "") -> frozenset[str]:
    """The texts among these cells that say that there is nothing."""
    given = [cell.strip() for cell in cells]
    texts = set(given)
    found = {text for text in texts if len(text) <= LONGEST and _BLANK.fullmatch(text)}
    others = {text for text in texts - found if text}
    if others and not any(any(c.isalnum() for c in text) for text in others):
        return frozenset(text for text in found if not text)  # "+" and "-"
    told = "" in found or not _HEADINGS.isdisjoint(word.casefold() for word in words(heading))
    kept = {text for text in found if _is_code(text, others, told)}
    if len(given) >= 2 * len(texts) and all(text[0].isalpha() for text in others):
        kept |= {text for text in found if text.casefold() == "none"}  # a kind among others
    return frozenset(found - kept)


def _is_code(text: str, others: set[str], told: bool) -> bool:
    """Whether a text that could say "nothing" is a code as most of the others are."""
    if not _WORD.fullmatch(text) or len(others) < (2 if told else FEW):
        return False
    own = (len(text), text.isupper())
    codes = [x for x in others if _CODE.fullmatch(x) and (len(x), x.isupper()) == own]
    elements = list(filter(_ELEMENT.fullmatch, others))
    for form, like in ((_CODE, codes), (_ELEMENT, elements)):
        if form.fullmatch(text) and len(like) >= LIKE * len(others):
            return True
    return False
