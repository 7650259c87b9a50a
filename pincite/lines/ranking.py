"""The order of lines for a question: how likely each states what is asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log
from typing import TYPE_CHECKING

from pincite.document.times import years_of
from pincite.document.words import stems, words
from pincite.evidence.judge import Judge
from pincite.evidence.judge_input import SentencePlace
from pincite.lines.line import Line
from pincite.question.ask import Ask
from pincite.search.expansion import Written
from pincite.types import Quantity

if TYPE_CHECKING:
    from pincite.ports import Encoder

COMPARED, JUDGED = 150, 60
"""Lines, the best by words alone, whose meaning is compared with the question's; and the best of those, which the judge reads."""
PLACE = 80
"""Characters of the end of a heading that are read with a line's meaning."""
LONGEST = 500
"""Characters of a line that are read for its meaning."""
AROUND, NAMED, WRITTEN, TIME, KIND, PAGE, JUDGE = 0.5, 0.3, 0.2, 0.3, 0.1, 0.03, 0.12
"""Weights beside those of a line's own words and its meaning, which are 1: words around the line, words of its document's title,
words that reports write for those of the question, time, kind, each page behind the first, and each unit of the judge's log-odds.
"""


@dataclass(frozen=True, slots=True)
class RankedLine:
    """A line and its score: more is likelier. `words` is the share of the question's words that stand in it or above it,
    `meaning` its cosine with the question, `odds` what the judge says of it, `time` 1 where it is of a time that is asked for, 0
    of others alone.
    """

    line: Line
    score: float
    words: float = 0.0
    meaning: float = 0.0
    odds: float = 0.0
    time: float = 0.5


def ranked_lines(ask: Ask, lines: Sequence[Line], encoder: Encoder) -> list[RankedLine]:
    """The best of the lines for a question, best first."""
    if not lines:
        return []
    worded, named = _worded(ask, lines)
    first = sorted(range(len(lines)), key=lambda at: -worded[at])[:COMPARED]
    told = {at: lines[at].written(ask.periods)[:LONGEST] for at in first}
    asked = encoder.encode([ask.text], side="query")[0]
    places = [f"{lines[at].passage.heading[-PLACE:]} {told[at]}" for at in first]
    meaning = encoder.encode(places, side="document") @ asked
    near = {at: float(cosine) for at, cosine in zip(first, meaning, strict=True)}
    scores = {at: worded[at] + near[at] for at in first}
    judged = sorted(first, key=lambda at: -scores[at])[:JUDGED]
    read = [SentencePlace(lines[at].passage.heading, told[at]) for at in judged]
    odds = dict(zip(judged, Judge().odds(ask.text, read), strict=True))
    unread = min(odds.values()) - 1
    for at in first:
        odds.setdefault(at, unread)
        scores[at] += JUDGE * max(float(odds[at]), -9.0)
    return [
        RankedLine(
            lines[at], scores[at], named[at], near[at], float(odds[at]), _time(ask, lines[at])
        )
        for at in sorted(first, key=lambda at: -scores[at])
    ]


def _worded(ask: Ask, lines: Sequence[Line]) -> tuple[list[float], list[float]]:
    """How well each line fits the question by its words, its time, its kind and its page; and what share of its words it has."""
    own = [frozenset(stems(line.text)) for line in lines]
    names = {id(line.passage): _stems(line.passage.title, line.passage.document) for line in lines}
    titles = [names[id(line.passage)] for line in lines]
    above = [_above(line) for line in lines]
    asked = frozenset(ask.words)
    terms = frozenset(ask.terms) or asked
    telling = (
        frozenset(stem for stem in terms if not any(stem in title for title in titles)) or terms
    )
    written = frozenset(words(Written()(ask.query))) - terms
    held = Counter(stem for each in own for stem in each)
    weights = {stem: log(1 + len(lines) / (held[stem] + 0.5)) for stem in terms | asked | written}

    def share(wanted: Collection[str], there: Collection[str]) -> float:
        whole = sum(weights[stem] for stem in wanted)
        return sum(weights[stem] for stem in wanted if stem in there) / whole if whole else 0.0

    made, named = [], []
    for at, line in enumerate(lines):
        beside = [
            own[n] for n in (at - 1, at + 1) if 0 <= n < len(lines) and lines[n].page == line.page
        ]
        named.append(share(asked, own[at] | above[at] | titles[at]))
        made.append(
            share(telling, own[at])
            + AROUND * share(telling, own[at].union(above[at], *beside))
            + NAMED * named[at]
            + WRITTEN * share(written, own[at])
            + TIME * _time(ask, line)
            + KIND * _kind(ask, line)
            - PAGE * line.passage.rank
        )
    return made, named


def _above(line: Line) -> frozenset[str]:
    """The stems of what stands above a line: its headings, and the caption of its table."""
    table = line.passage.node.table
    return _stems(line.passage.heading, table.caption if table is not None else "")


@lru_cache(maxsize=1024)
def _stems(*texts: str) -> frozenset[str]:
    return frozenset(stems(" ".join(texts).replace("_", " ").replace("/", " ")))


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
