"""How well a judge of evidence parts the place that answers a question from one that does not, on pairs made by hand.

A near miss differs from the right place in one way; other words share none with the question. Every place is judged at the
threshold that ships. What a pair was taken from is told: documents that a judge may have learned from stand apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from pincite.evaluate.record import read_lines
from pincite.evaluate.run import Figure, area, figure
from pincite.evidence.place import CellPlace, Place, SentencePlace
from pincite.measure.questions import QUESTIONS
from pincite.measure.work import Line, Work, lines

APART = " > "
"""What stands between the labels of a path in the files of pairs."""


class Judge(Protocol):
    """A judge of evidence: the log-odds that places answer a question, and from which on they are taken to."""

    @property
    def threshold(self) -> float:
        """The log-odds from which on a place is let through."""
        ...

    def odds(self, question: str, places: Sequence[Place]) -> NDArray[np.float32]:
        """The log-odds that each place answers the question: (len(places),)."""
        ...


class Judged(NamedTuple):
    """A pair with the log-odds of its two places."""

    row: Mapping[str, Any]
    right: float
    wrong: float


def measure_near_misses(work: Work) -> list[Line]:
    """Near misses that the shipped judge lets through, and right evidence that it rejects."""
    return near_misses(read_lines(QUESTIONS / "near_misses.jsonl")[: work.limit], shipped())


def measure_other_words(work: Work) -> list[Line]:
    """Evidence in other words that the shipped judge rejects, and neighbours of it that it lets through."""
    return other_words(read_lines(QUESTIONS / "other_words.jsonl")[: work.limit], shipped())


def shipped() -> Judge:
    """The judge that answers are put to."""
    from pincite.evidence.judge import Judge as Shipped  # type: ignore[import-not-found]

    made: Judge = Shipped()
    return made


def near_misses(rows: Sequence[Mapping[str, Any]], judge: Judge) -> list[Line]:
    """The figures of near misses: all, by the way in which they differ, and by what they were taken from."""
    found = list(judged(rows, judge, "right", "wrong"))
    made = figures("near misses", found, judge.threshold, "near misses let through")
    for field in ("differs", "from"):
        for value in dict.fromkeys(row[field] for row in rows):
            own = [each for each in found if each.row[field] == value]
            made += figures(f"near misses, {field} {value}", own, judge.threshold, "near misses let through")
    return made


def other_words(rows: Sequence[Mapping[str, Any]], judge: Judge) -> list[Line]:
    """The figures of evidence in other words than the question's: all, cells, and sentences."""
    found = list(judged(rows, judge, "evidence", "neighbour"))
    made = figures("other words", found, judge.threshold, "neighbours let through")
    for name, own in (
        ("cells", [each for each in found if "sentence" not in each.row["evidence"]]),
        ("sentences", [each for each in found if "sentence" in each.row["evidence"]]),
    ):
        made += figures(f"other words, {name}", own, judge.threshold, "neighbours let through")
    return made


def judged(rows: Sequence[Mapping[str, Any]], judge: Judge, right: str, wrong: str) -> Iterator[Judged]:
    """Each pair with the odds of its two sides."""
    for row in rows:
        odds = judge.odds(row["question"], (place(row[right]), place(row[wrong])))
        yield Judged(row, float(odds[0]), float(odds[1]))


def figures(of: str, pairs: Sequence[Judged], threshold: float, through: str) -> list[Line]:
    """What is let through and what is rejected at a threshold; and, without one, whether right places score higher."""
    ours = [
        figure(through, [float(each.wrong >= threshold) for each in pairs]),
        figure("right evidence rejected", [float(each.right < threshold) for each in pairs]),
        area("AUC", [each.right for each in pairs], [each.wrong for each in pairs]),
        figure("right above the other of its pair", [float(each.right > each.wrong) for each in pairs]),
    ]
    all_through = [figure(through, [1.0]), figure("right evidence rejected", [0.0])]
    return lines(of, ours, ("all let through", all_through), ("no order", [Figure("AUC", 0.5, 0, 0.5, 0.5)]))


def place(side: Mapping[str, str]) -> Place:
    """One side of a pair as a judge is shown it. The heading of a cell is the outermost label of its row.

    Where the heading is one of the labels already, it is not said twice.
    """
    value = side["value"]
    if "sentence" in side:
        start = side["sentence"].index(value)
        return SentencePlace(side["heading"], side["sentence"], start, start + len(value))
    row, column = (tuple(filter(None, side[name].split(APART))) for name in ("row", "column"))
    heading = side["heading"]
    if heading and heading not in (*row, *column, side["caption"]):
        row = (heading, *row)
    return CellPlace(row, column, value, side["caption"])
