"""How much of a conversation a follow-up is understood from: its latest turns, up to a number of tokens."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.chat.history import Turn


def tokens(text: str) -> int:
    """About how many tokens a text has: a quarter of its bytes, as models of many kinds count English."""
    return (len(text.encode(errors="replace")) + 3) // 4


def remembered(turns: Sequence[Turn], budget: int) -> list[Turn]:
    """The latest turns that fit into `budget` tokens, in order; those that asked nothing, or failed before they were understood,
    are left out.
    """
    kept: list[Turn] = []
    for turn in reversed([turn for turn in turns if turn.question and not turn.asked_nothing]):
        budget -= tokens(turn.asked) + tokens(turn.question) + tokens(turn.said)
        if budget < 0:
            break
        kept.append(turn)
    return kept[::-1]


def latest(turns: Sequence[tuple[str, str]], budget: int) -> list[tuple[str, str]]:
    """Of what was asked and said elsewhere, the latest that fits into `budget` tokens, in order: all of it may be any length."""
    kept: list[tuple[str, str]] = []
    for asked, said in reversed(turns):
        budget -= tokens(asked) + tokens(said)
        if budget < 0:
            break
        kept.append((asked, said))
    return kept[::-1]
