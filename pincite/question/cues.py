"""What a question says beside what it asks, by the cues of data/patterns/question.toml."""

from __future__ import annotations

from pincite.lexicon import pattern, pattern_table


def says(text: str, cue: str) -> bool:
    """Whether a question gives a cue. Raises KeyError when there is none of that name."""
    return bool(pattern("question", cue, "cues").search(text))


def suggests(text: str, operation: str) -> bool:
    """Whether a question may mean an operation that it does not name; no other operation is ever suggested."""
    return any(
        name == operation and said.search(text)
        for name, said in pattern_table("question", "suggested")
    )
