"""The phrases of a question that an operation works on, and the options that a question offers."""

from __future__ import annotations

import re

from pincite.question.wording import ALL_TIMES, LEAD, PERIOD_PHRASE
from pincite.text.lexicon import pattern, pattern_table, word_set
from pincite.text.words import words

_PAIR = pattern("question", "pair", "operands")
_THAN = pattern("question", "than", "operands")
_RATIO = pattern("question", "ratio", "operands")
_LIST = pattern("question", "list", "operands")
_AND = pattern("question", "and", "operands")
_OF_PAIRS = ("difference", "percentage_change", "compare", "sum", "average")
_OF_LISTS = ("sum", "average", "difference", "lookup")
_LONGEST = 10
"""Words of the longest option."""
_FIRST = 6
"""Words of the longest option where no colon says that options follow."""


def operands_of(text: str, operation: str) -> tuple[str, ...]:
    """The phrases the operation works on, periods taken out; none where both sides are only periods."""
    if operation == "proportion":
        return _pair(_share(text))
    if operation == "ratio":
        return _pair(_RATIO.search(text) or _PAIR.search(text) or _THAN.search(text))
    if operation in _OF_PAIRS:
        if len(both := _pair(_PAIR.search(text))) == 2:
            return both
        if operation == "difference" and (than := _THAN.search(text)):
            return _pair(than)
    return _listed(text) if operation in _OF_LISTS else ()


def _share(text: str) -> re.Match[str] | None:
    """Where a text asks for a share, by the first pattern that matches."""
    for _, said in pattern_table("question", "shares"):
        if match := said.search(text):
            return match
    return None


def _pair(match: re.Match[str] | None) -> tuple[str, ...]:
    return _clean(match["a"], match["b"]) if match else ()


def _listed(text: str) -> tuple[str, ...]:
    """The items of a list in the question; "... respectively" says that the whole question is one."""
    match = _LIST.search(text)
    whole = text if pattern("question", "respective", "operands").search(text) else ""
    listed = match["list"] if match else whole
    items = pattern("question", "between items", "operands").split(PERIOD_PHRASE.sub(" ", listed))
    cleaned = _clean(*items)
    return cleaned if len(cleaned) > 1 else ()


def _clean(*phrases: str) -> tuple[str, ...]:
    out = []
    for phrase in phrases:
        bare = ALL_TIMES.sub(" ", PERIOD_PHRASE.sub(" ", phrase))
        bare = pattern("question", "together", "operands").sub(" ", bare)
        bare = LEAD.sub("", " ".join(bare.split())).strip(" ,.;:")
        if words(bare):
            out.append(bare)
    return tuple(out)


def options_of(text: str) -> tuple[str, ...]:
    """What the question offers to choose from: "A, B or C?", "which of the following: A, B, C"."""
    text = text.rstrip("? .")
    colon = ":" in text
    tail = _behind_colon(text) if colon else _choice(text)
    parts = pattern("question", "between options", "operands").split(tail)
    if colon and len(parts) == 1:
        parts = _AND.split(tail)
    options = tuple(filter(None, (part.strip(" .?") for part in parts)))
    longest = max((len(option.split()) for option in options), default=0)
    return options if len(options) > 1 and longest <= _LONGEST else ()


def _behind_colon(text: str) -> str:
    """What stands behind the last colon where the question asks before it: "Velmo: freight costs, 2022" offers nothing."""
    head, _, tail = text.rpartition(":")
    asks = word_set("question", "asking words").intersection(head.casefold().split())
    return tail if asks or " or " in tail else ""


def _choice(text: str) -> str:
    """From where on a question without a colon may list what it offers; "" where it offers nothing, or wants a yes or no."""
    if pattern("question", "truth", "operands").match(text) or not pattern(
        "question", "or", "operands"
    ).search(text):
        return ""
    before = text[: text.rindex(" or ")] if " or " in text else text
    commas = (at for at, letter in enumerate(before) if letter == ",")
    start = next(
        (at for at in commas if len(words(before[at + 1 :].split(",")[0])) <= _FIRST), None
    )
    if start is None:
        start = max(before.rfind(", which "), before.rfind("? "))
    return text[start + 1 :] if start >= 0 else ""
