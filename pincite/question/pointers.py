"""Where a question points: "page 9", "Table 2", "Section 3.3", "the first page"."""

from __future__ import annotations

import re
from itertools import chain

from pincite.text.lexicon import pattern, pattern_table, word_list

_ORDINALS = word_list("question", "ordinals")
_ORDINAL = rf"(?P<ordinal>{'|'.join(_ORDINALS)}|last|\d+(?:st|nd|rd|th))"
_JOIN = r"\s*+(?:,\s*+(?:(?:and|or|&)\s*+)?|(?:and|or|&)\s*+)"
"""What stands between the numbers that are named together."""
_PAGE = re.compile(
    rf"\b(?:pages?|slides?|pg\.?|p\.)\s*+(?:no\.?\s*+|numbers?\s++|#\s*+)?(?P<numbers>\d{{1,4}}(?:{_JOIN}\d{{1,4}})*)\b"
    rf"|\b{_ORDINAL}\s+(?P<cover>cover\s+)?(?:page|slide)\b|\b(?P<front>cover|title|front)\s+(?:page|slide)\b",
    re.IGNORECASE,
)
LABELLED = {kind: names.pattern for kind, names in pattern_table("question", "pointed at")}
"""How each kind of place is called that a label tells apart."""
_LABEL = r"(?:\d+(?:\.\d+)*[A-Za-z]?|[IVX]+|[A-Z](?:\.\d+)*)"
_DIGITS = re.compile(r"\d+")
_PLACES = tuple(
    (
        kind,
        re.compile(rf"\b(?i:{names})\s*+(?P<labels>{_LABEL}(?:{_JOIN}{_LABEL})*)(?![\w%])"),
    )
    for kind, names in LABELLED.items()
)
_TITLED = pattern("question", "titled section", "pointers")


def points(text: str) -> list[tuple[str, str]]:
    """What a question points at, as (kind, label): ("page", "9"), ("nth", "-1") for the last page, ("table", "2").

    A section is also pointed at by its title: ("titled", "Safety").
    """
    out = list(chain.from_iterable(map(_pages_named, _PAGE.finditer(text))))
    for kind, place in _PLACES:
        labels = chain.from_iterable(
            re.findall(_LABEL, match["labels"]) for match in place.finditer(text)
        )
        out += [(kind, label) for label in labels]
    out += [
        ("titled", match["after"] or match["quoted"] or match["before"])
        for match in _TITLED.finditer(text)
    ]
    return list(dict.fromkeys(out))


def _pages_named(match: re.Match[str]) -> list[tuple[str, str]]:
    """The pages that a phrase of a question points at."""
    if match["numbers"]:
        return [("page", number) for number in _DIGITS.findall(match["numbers"])]
    if match["ordinal"]:
        return [("cover" if match["cover"] else "nth", str(ordinal(match["ordinal"])))]
    return [("nth", "1")]


def ordinal(word: str) -> int:
    """The number of "second" or "2nd"; -1 for "last"."""
    word = word.lower()
    if word == "last":
        return -1
    return _ORDINALS.index(word) + 1 if word in _ORDINALS else int(word[:-2])
