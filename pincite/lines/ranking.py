"""The order of lines for a question: how likely each states what is asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pincite.evidence.judge import Judge
from pincite.evidence.judge_input import SentencePlace
from pincite.lines.line import Line
from pincite.lines.matching import LineMatches
from pincite.question.ask import Ask

if TYPE_CHECKING:
    from pincite.ports import Encoder

COMPARED, JUDGED = 150, 60
"""Lines, the best by words alone, whose meaning is compared with the question's; and the best of those, which the judge reads."""
PLACE = 80
"""Characters of the end of a heading that are read with a line's meaning."""
LONGEST = 500
"""Characters of a line that are read for its meaning."""
JUDGE = 0.12
"""The weight of each unit of the judge's log-odds, beside that of a line's meaning, which is 1."""
LEAST = -9.0
"""Log-odds of the judge below which a line is as unlikely as can be."""


def ranked_lines(ask: Ask, lines: Sequence[Line], encoder: Encoder) -> list[Line]:
    """The best of the lines for a question, best first."""
    if not lines:
        return []
    worded = LineMatches(ask, lines).worded
    first = sorted(range(len(lines)), key=lambda at: -worded[at])[:COMPARED]
    told = {at: lines[at].written(ask.periods)[:LONGEST] for at in first}
    asked = encoder.encode([ask.text], side="query")[0]
    places = [f"{lines[at].passage.heading[-PLACE:]} {told[at]}" for at in first]
    meaning = encoder.encode(places, side="document") @ asked
    scores = {at: worded[at] + float(near) for at, near in zip(first, meaning, strict=True)}
    judged = sorted(first, key=lambda at: -scores[at])[:JUDGED]
    read = [SentencePlace(lines[at].passage.heading, told[at]) for at in judged]
    odds = dict(zip(judged, map(float, Judge().odds(ask.text, read)), strict=True))
    unread = min(odds.values()) - 1
    for at in first:
        scores[at] += JUDGE * max(odds.get(at, unread), LEAST)
    return [lines[at] for at in sorted(first, key=lambda at: -scores[at])]
