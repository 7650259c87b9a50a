"""How well a judge of evidence separates places that answer a question from others, on pairs made by hand or by code.

A near miss differs from the right place in one way; other words share none with the question. Every place is judged at the
threshold that ships: by the judge alone, and together with the checks of place that an answer from it would have to pass. The
source of each pair is recorded: documents that a judge may have learned from are counted separately.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from benchmarks.measuring import measured_system as system
from benchmarks.measuring.bare_table import document_of
from benchmarks.measuring.drawn_figures import area
from benchmarks.measuring.generated_near_misses import generated
from benchmarks.measuring.measurement import ReportedFigure, Work, lines
from benchmarks.measuring.own_questions import QUESTIONS, documents
from pincite.check.claims import verified
from pincite.check.owner import owned
from pincite.corpus import Corpus
from pincite.evidence.candidate import Candidate, Evidence
from pincite.evidence.candidate_places import placed
from pincite.evidence.cited_place import places
from pincite.evidence.drafted_answer import cited, drafted
from pincite.evidence.judge_input import CellPlace, Place, SentencePlace
from pincite.lab.scoring.evaluation import Figure, figure
from pincite.question.understanding import understand
from pincite.records.runfile import read_lines
from pincite.types import Query

APART = " > "
"""What stands between the labels of a path in the files of pairs."""


class PairJudge(Protocol):
    """A judge of evidence: the log-odds that places answer a question, and from which on they are taken to."""

    @property
    def threshold(self) -> float:
        """The log-odds from which on a place is let through."""
        ...

    def odds(self, question: str, places: Sequence[Place]) -> NDArray[np.float32]:
        """The log-odds that each place answers the question: (len(places),)."""
        ...


class JudgedPair(NamedTuple):
    """A pair with the log-odds of its two places, and whether what stands there passes the checks of place."""

    row: Mapping[str, Any]
    right: float
    wrong: float
    right_stands: bool
    wrong_stands: bool


def measure_near_misses(work: Work) -> list[ReportedFigure]:
    """Near misses that the shipped judge lets through, and right evidence that it rejects."""
    return near_misses(read_lines(QUESTIONS / "near_misses.jsonl")[: work.limit], shipped())


def measure_generated(work: Work) -> list[ReportedFigure]:
    """Near misses that code makes of the tables of reports which taught no judge: let through, and right evidence rejected."""
    system.index(documents(work, "seen"), work.corpus)
    judge, found, corpus = shipped(), [], Corpus(work.corpus)
    for each in generated(work.corpus)[: work.limit]:
        odds = judge.odds(each.question, [placed(each.right), placed(each.wrong)])
        stand = holds(each.question, each.right, corpus), holds(each.question, each.wrong, corpus)
        found.append(JudgedPair({"differs": each.differs}, float(odds[0]), float(odds[1]), *stand))
    return near_miss_lines(found, judge.threshold, ("differs",))


def measure_other_words(work: Work) -> list[ReportedFigure]:
    """Evidence in other words that the shipped judge rejects, and neighbours of it that it lets through."""
    return other_words(read_lines(QUESTIONS / "other_words.jsonl")[: work.limit], shipped())


def shipped() -> PairJudge:
    """The judge that answers are put to."""
    from pincite.evidence.judge import Judge as Shipped

    made: PairJudge = Shipped()
    return made


def near_misses(rows: Sequence[Mapping[str, Any]], judge: PairJudge) -> list[ReportedFigure]:
    """The figures of near misses: all, by the way in which they differ, and by what they were taken from."""
    return near_miss_lines(
        list(judged(rows, judge, "right", "wrong")), judge.threshold, ("differs", "from")
    )


def near_miss_lines(
    found: Sequence[JudgedPair], threshold: float, fields: Sequence[str]
) -> list[ReportedFigure]:
    """The figures of judged near misses: all, and by what their fields say."""
    made = figures("near misses", found, threshold, "near misses let through")
    for field in fields:
        for value in dict.fromkeys(each.row[field] for each in found):
            own = [each for each in found if each.row[field] == value]
            made += figures(
                f"near misses, {field} {value}", own, threshold, "near misses let through"
            )
    return made


def other_words(rows: Sequence[Mapping[str, Any]], judge: PairJudge) -> list[ReportedFigure]:
    """The figures of evidence in other words than the question's: all, cells, and sentences."""
    found = list(judged(rows, judge, "evidence", "neighbour"))
    made = figures("other words", found, judge.threshold, "neighbours let through")
    for name, own in (
        ("cells", [each for each in found if "sentence" not in each.row["evidence"]]),
        ("sentences", [each for each in found if "sentence" in each.row["evidence"]]),
    ):
        made += figures(f"other words, {name}", own, judge.threshold, "neighbours let through")
    return made


def judged(
    rows: Sequence[Mapping[str, Any]], judge: PairJudge, right: str, wrong: str
) -> Iterator[JudgedPair]:
    """Each pair with the odds of its two sides."""
    for row in rows:
        sides = place(row[right]), place(row[wrong])
        odds = judge.odds(row["question"], sides)
        stand = [stands(row["question"], side) for side in sides]
        yield JudgedPair(row, float(odds[0]), float(odds[1]), *stand)


def figures(
    of: str, pairs: Sequence[JudgedPair], threshold: float, through: str
) -> list[ReportedFigure]:
    """What is let through and what is rejected at a threshold; and, without one, whether right places score higher."""
    let = [each.wrong >= threshold for each in pairs]
    lost = [each.right < threshold for each in pairs]
    stand = [each.wrong_stands for each in pairs]
    fall = [not each.right_stands for each in pairs]
    rejected, checked = "right evidence rejected", ", with the checks of place"
    ours = [
        figure(through, [float(first) for first in let]),
        figure(rejected, [float(first) for first in lost]),
        figure(
            through + checked,
            [float(first and two) for first, two in zip(let, stand, strict=True)],
        ),
        figure(
            rejected + checked,
            [float(first or two) for first, two in zip(lost, fall, strict=True)],
        ),
        area("AUC", [each.right for each in pairs], [each.wrong for each in pairs]),
        figure(
            "right above the other of its pair", [float(each.right > each.wrong) for each in pairs]
        ),
    ]
    alone = [
        figure(through + checked, [float(first) for first in stand]),
        figure(rejected + checked, [float(first) for first in fall]),
    ]
    all_through = [figure(through, [1.0]), figure(rejected, [0.0])]
    no_order = [Figure("AUC", 0.5, 0, 0.5, 0.5)]
    return lines(
        of,
        ours,
        ("all let through", all_through),
        ("the checks alone", alone),
        ("no order", no_order),
    )


def stands(question: str, shown: Place) -> bool:
    """Whether an answer taken from a place passes the checks of place: its period, unit and kind are those asked for."""
    return holds(question, evidence_of(shown))


def evidence_of(shown: Place) -> Evidence:
    """A place as an answer would cite it."""
    if isinstance(shown, CellPlace):
        *outer, inner = shown.row or ("",)
        rows = [
            *(["", label] for label in shown.column),
            *([label, ""] for label in outer),
            [inner, shown.value],
        ]
        passages = document_of(rows, [shown.caption] if shown.caption else [])
        return Evidence(passages[0].node, ((len(rows) - 1, 1),), quote=shown.value)
    passages = document_of([], [shown.sentence])
    return Evidence(passages[0].node, (), shown.start, shown.end)


def holds(question: str, evidence: Evidence, corpus: Corpus | None = None) -> bool:
    """Whether an answer that cites this evidence passes the checks of place; with a `corpus`, that of its document's company."""
    said = evidence.quote or evidence.node.text[evidence.start : evidence.end]
    found = [
        number.quantity
        for at in places(cited(evidence, "1"), evidence.node)
        for number in at.numbers
    ]
    claim = Candidate(found[0] if found else said, (evidence,))
    ask, nodes = understand(Query(question)), {evidence.node.id: evidence.node}
    answer = verified(drafted(ask, [claim], 1.0, tuple(nodes)), nodes)
    return (owned(answer, corpus) if corpus else answer).value is not None


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
