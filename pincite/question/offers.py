"""What a question offers to choose from."""

from __future__ import annotations

import re

from pincite.lexicon import pattern
from pincite.question.understanding import Ask

_OFFER = pattern("question", "offer")
_TERM = pattern("question", "term")
_SERIES = pattern("question", "series")


def offered(ask: Ask) -> tuple[str, ...]:
    """What the question offers to choose from; also a series in an earlier sentence that "which one" looks back to."""
    whole = not any(re.search(r"[.?!]\s", option) for option in ask.options)
    if ask.options and whole and (":" in ask.text or not _TERM.search(ask.text)):
        return ask.options
    asking = _OFFER.search(ask.text)
    series = _SERIES.search(ask.text, 0, asking.start()) if asking else None
    if not series:
        return ()
    parts = [part.strip() for part in series["first"].split(",")] + [series["last"].strip()]
    # The first item stands behind the verb or a colon, the last before its noun: all are as long as those in between.
    size = max((len(part.split()) for part in parts[1:-1]), default=2)
    parts[0] = " ".join(parts[0].split()[-size:])
    if len(parts[-1].split()) > size + 1:
        parts[-1] = " ".join(parts[-1].split()[:size])
    return tuple(part for part in parts if part)
