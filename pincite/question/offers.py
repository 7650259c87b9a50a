"""What a question offers to choose from."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.question.ask import Ask
from pincite.text.lexicon import pattern

_OFFER = pattern("question", "offer", "offers")
_TERM = pattern("question", "term", "offers")
_SENTENCE = re.compile(r"[.?!]\s")
_SERIES = pattern("question", "series", "offers")


def offered(ask: Ask) -> tuple[str, ...]:
    """What the question offers to choose from; also a series in an earlier sentence that "which one" looks back to."""
    if (
        ask.options
        and (":" in ask.text or not _TERM.search(ask.text))
        and not any(map(_SENTENCE.search, ask.options))
    ):
        return ask.options
    asking = _OFFER.search(ask.text)
    series = _SERIES.search(ask.text, 0, asking.start()) if asking else None
    return _items(series["first"].split(","), series["last"]) if series else ()


def _items(first: Sequence[str], last: str) -> tuple[str, ...]:
    """The items of a series. The first stands behind the verb or a colon, the last before its noun: all are as long as those
    in between.
    """
    parts = [part.strip() for part in (*first, last)]
    size = max((len(part.split()) for part in parts[1:-1]), default=2)
    parts[0] = " ".join(parts[0].split()[-size:])
    if len(parts[-1].split()) > size + 1:
        parts[-1] = " ".join(parts[-1].split()[:size])
    return tuple(part for part in parts if part)
