"""The phrases of a question that an operation works on, and the options that a question offers."""

from __future__ import annotations

import re

from pincite.document.words import words
from pincite.lexicon import word_set
from pincite.question.wording import ALL_TIMES, LEAD, PERCENT, PERIOD_PHRASE

PAIR = re.compile(r"\b(?:between|from)\s++(?:the\s++)?(?P<a>.+?)\s++(?:and|to)\s++(?:the\s++)?(?P<b>[^?,]+)", re.I)
THAN = re.compile(
    r"^\W*+(?P<a>.+?)\s++(?:than|(?:as\s++)?compared\s++(?:to|with)|versus|vs\.?|over|exceed(?:s|"
    r"ed)?)\s++(?P<b>[^?]+)",
    re.I,
)
RATIO = re.compile(
    r"\bratio\s++(?:\([^)]*\)\s*+)?(?:in\s++\w+\s++)?(?:of|between)\s++(?P<a>.+?)\s++(?:to|and|over|"
    r"against)\s++(?P<b>[^?]+)",
    re.I,
)
SHARE = (
    re.compile(rf"^(?P<a>.+?),?\s++(?:expressed\s++)?as\s++an?\s++(?:{PERCENT}|proportion|share|fraction)\s++(?:of|"
               rf"over)\s++(?P<b>[^?]+)", re.I),
    re.compile(rf"\b(?:{PERCENT}|proportion|share|fraction|portion|constitution|composition|"
               rf"contribution)\s++of\s++(?P<a>.+?)\s++(?:over|out\s++of|to|against|relative\s++to|in|within|among|towards?)\s++"
               r"(?P<b>(?!(?:the\s+)?(?:fiscal\s+|FY\s*|year\s+)?(?:19|20)?\d\d\b)[^?]+)", re.I),
    re.compile(rf"\b(?:{PERCENT}|proportion|share|fraction|portion)\s++of\s++(?P<b>.+?)\s++(?:is|are|was|were|does|do|"
               rf"did|comes?|came|that|belongs?|consists?)\s++(?:made\s++up\s++(?:of|by)\s++|generated\s++(?:from|by)\s++|"
               rf"represented\s++by\s++|from\s++|by\s++|of\s++)?"
               r"(?P<a>[^?]+)", re.I),
)  # fmt: skip
LIST = re.compile(r"\b(?:of|between|for|from|both|in)\s++(?:the\s++)?(?P<list>[^?]*?\band\b[^?]*)", re.I)

_ASKS = word_set("question", "asking words")
"""A word of what stands before the colon of a list that is offered."""


def operands_of(text: str, operation: str) -> tuple[str, ...]:
    """The phrases the operation works on, periods taken out; none where both sides are only periods."""
    if operation == "proportion":
        for pattern in SHARE:
            if match := pattern.search(text):
                return _clean(match["a"], match["b"])
        return ()
    if operation == "ratio":
        match = RATIO.search(text) or PAIR.search(text) or THAN.search(text)
        return _clean(match["a"], match["b"]) if match else ()
    if operation in ("difference", "percentage_change", "compare", "sum", "average"):
        match = PAIR.search(text)
        if match and len(both := _clean(match["a"], match["b"])) == 2:
            return both
        if operation == "difference" and (match := THAN.search(text)):
            return _clean(match["a"], match["b"])
    if operation in ("sum", "average", "difference", "lookup"):
        match = LIST.search(text)
        listed = match["list"] if match else text if re.search(r"\brespective", text, re.I) else ""
        cleaned = _clean(*re.split(r",\s*(?:and\s+)?|\s+and\s+|\s*&\s+", PERIOD_PHRASE.sub(" ", listed)))
        return cleaned if len(cleaned) > 1 else ()
    return ()


def _clean(*phrases: str) -> tuple[str, ...]:
    out = []
    for phrase in phrases:
        bare = ALL_TIMES.sub(" ", PERIOD_PHRASE.sub(" ", phrase))
        bare = re.sub(r"\b(?:respectively|respective|altogether|combined)\b", " ", bare, flags=re.I)
        bare = LEAD.sub("", " ".join(bare.split())).strip(" ,.;:")
        if words(bare):
            out.append(bare)
    return tuple(out)


def options_of(text: str) -> tuple[str, ...]:
    """What the question offers to choose from: "A, B or C?", "which of the following: A, B, C"."""
    text = text.rstrip("? .")
    if re.match(r"(?:is|are|was|were|did|do|does|has|have)\b", text, re.I) and ":" not in text:
        return ()
    head, colon, tail = text.rpartition(":")
    if colon and " or " not in tail and not _ASKS.intersection(head.casefold().split()):
        return ()  # "Velmo: freight costs, 2022"
    if not colon:
        if not re.search(r"\bor\b", text):
            return ()
        last = text[: text.rindex(" or ")] if " or " in text else text
        cut = max(last.rfind(", which "), last.rfind("? "))
        commas = [at for at, c in enumerate(last) if c == ","]
        at = next((c for c in commas if len(words(last[c + 1 :].split(",")[0])) <= 6), cut)
        if at < 0:
            return ()
        tail = text[at + 1 :]
    parts = [p.strip(" .?") for p in re.split(r",\s*(?:and\s+|or\s+)?|\s+or\s+|;\s*", tail)]
    if colon and len(parts) == 1:
        parts = [p.strip() for p in re.split(r"\s+and\s+", tail)]
    parts = [p for p in parts if p]
    return tuple(parts) if len(parts) > 1 and all(len(p.split()) <= 10 for p in parts) else ()
