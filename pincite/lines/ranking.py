"""The order of lines for a question: how likely each states what is asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

from pincite.document.times import years_of
from pincite.document.words import stems
from pincite.evidence.judge import Judge
from pincite.evidence.judge_input import SentencePlace
from pincite.lines.line import Line
from pincite.question.ask import Ask
from pincite.types import Quantity

if TYPE_CHECKING:
    from pincite.ports import Encoder

COMPARED, JUDGED = 150, 60
"""Lines, the best by words alone, whose meaning is compared with the question's; and the best of those, which the judge reads."""
PLACE = 80
"""Characters of the end of a heading that are read with a line's meaning."""
LONGEST = 500
"""Characters of a line that are read for its meaning."""


@dataclass(frozen=True, slots=True)
class RankedLine:
    """A line and its score: more is likelier."""

    line: Line
    score: float


def ranked_lines(ask: Ask, lines: Sequence[Line], encoder: Encoder) -> list[RankedLine]:
    """The best of the lines for a question, best first."""
    if not lines:
        return []
    worded = _worded(ask, lines)
    first = sorted(range(len(lines)), key=lambda at: -worded[at])[:COMPARED]
    told = [lines[at].written(ask.periods)[:LONGEST] for at in first]
    asked = encoder.encode([ask.text], side="query")[0]
    places = [f"{lines[at].passage.heading[-PLACE:]} {text}" for at, text in zip(first, told, strict=True)]  # fmt: skip
    meaning = encoder.encode(places, side="document") @ asked
    scores = {at: worded[at] + float(near) for at, near in zip(first, meaning, strict=True)}
    judged = sorted(range(len(first)), key=lambda n: -scores[first[n]])[:JUDGED]
    odds = Judge().odds(ask.text, [SentencePlace(lines[first[n]].passage.heading, told[n]) for n in judged])  # fmt: skip
    for n, chance in zip(judged, odds, strict=True):
        scores[first[n]] += 0.12 * max(float(chance), -9.0)
    kept = {first[n] for n in judged}
    return [
        RankedLine(lines[at], scores[at])
        for at in sorted(scores, key=lambda at: (at not in kept, -scores[at]))
    ]


def _worded(ask: Ask, lines: Sequence[Line]) -> list[float]:
    """How much of the question each line has by its words, its time, its kind and its page."""
    own = [frozenset(stems(line.text)) for line in lines]
    terms = frozenset(ask.terms) or frozenset(ask.words)
    held = Counter(stem for each in own for stem in each)
    weights = {stem: log(1 + len(lines) / (held[stem] + 0.5)) for stem in terms | set(ask.words)}

    def share(wanted: Collection[str], there: Collection[str]) -> float:
        whole = sum(weights[stem] for stem in wanted)
        return sum(weights[stem] for stem in wanted if stem in there) / whole if whole else 0.0

    made = []
    for at, line in enumerate(lines):
        passage = line.passage
        caption = passage.node.table.caption if passage.node.table is not None else ""
        head = frozenset(stems(f"{passage.heading} {caption}"))
        title = frozenset(stems(f"{passage.title} {passage.document}"))
        beside = [own[n] for n in (at - 1, at + 1) if 0 <= n < len(lines) and lines[n].page == line.page]  # fmt: skip
        near = frozenset().union(*beside)
        made.append(
            share(terms, own[at])
            + 0.5 * share(terms, own[at] | head | near)
            + 0.3 * share(ask.words, own[at] | head | title)
            + 0.3 * _time(ask, line)
            + 0.2 * _kind(ask, line)
            - 0.03 * passage.rank
        )
    return made


def _time(ask: Ask, line: Line) -> float:
    """1 where a line is of a time that is asked for, 0 where it is of others alone, else a half."""
    if not ask.periods:
        return 0.5
    if line.of_times(ask.periods):
        return 1.0
    return 0.0 if years_of(time for value in line.values for time in value.times) else 0.5


def _kind(ask: Ask, line: Line) -> float:
    """1 where a line has a value of the kind that is asked for, or any may do; else 0."""
    if ask.expects != "number":
        return 1.0
    return float(any(isinstance(each.value, Quantity) and each.value.unit != "year" for each in line.values))  # fmt: skip
