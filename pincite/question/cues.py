"""Cues in a question beside what it asks for, by the patterns under [cues] in data/patterns/question.toml."""

from __future__ import annotations

from pincite.text.lexicon import pattern


def says(text: str, cue: str) -> bool:
    """Whether a question gives a cue. Raises KeyError when there is none of that name."""
    return bool(pattern("question", cue, "cues").search(text))
