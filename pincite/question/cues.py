"""Cues in a question beside what it asks for, by the patterns under [cues] in data/patterns/question.toml."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pincite.lexicon import pattern

if TYPE_CHECKING:
    from pincite.question.understanding import Ask


def says(text: str, cue: str) -> bool:
    """Whether a question gives a cue. Raises KeyError when there is none of that name."""
    return bool(pattern("question", cue, "cues").search(text))


def asks_time(ask: Ask) -> bool:
    """Whether a year may be what is asked for."""
    return says(ask.wants or ask.text, "time as an answer") and not says(
        ask.text, "how many or much"
    )
