"""Texts as quotes of them are compared: without what differs between a page and a copy of its words."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

_DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212"


@lru_cache(maxsize=2048)
def folded(text: str) -> tuple[str, tuple[int, ...]]:
    """A text as quotes of it are compared, and where each character was.

    White space, quotation marks, table bars and unseen characters are left out, and hyphens but for those before a
    digit; ligatures are spelled out, letters are lower case.
    """
    kept: list[str] = []
    at: list[int] = []
    for index, letter in enumerate(text):
        if letter in _DASHES:
            if text[index + 1 : index + 2].isdigit():
                kept.append("-")
                at.append(index)
            continue
        for character in unicodedata.normalize("NFKC", letter).casefold():
            if (
                not character.isspace()
                and character
                not in "\"'`|\u2018\u2019\u201a\u201b\u201c\u201d\u201e\u00ab\u00bb\u00b4*"
            ):
                if unicodedata.category(character) not in ("Cc", "Cf"):
                    kept.append(character)
                    at.append(index)
    return "".join(kept), tuple(at)
