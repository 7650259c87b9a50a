"""How well the judge of evidence separates places that answer a question from near misses, on pairs made by hand or by code.

A near miss differs from the right place in one way. Every place is judged at the threshold that ships: by the judge alone, and
together with the checks of place that an answer from it would have to pass. The source of each pair is recorded: documents that
the judge may have learned from are counted separately.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

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
from pincite.evidence.judge import Judge
from pincite.evidence.judge_input import CellPlace, Place, SentencePlace
from pincite.lab.scoring.evaluation import Figure, figure
from pincite.question.understanding import understand
from pincite.records.runfile import read_lines
from pincite.types import Query

APART = " > "
"""What stands between the labels of a path in the files of pairs."""


class JudgedPair(NamedTuple):
    """A pair with the log-odds of its two places, and whether what stands there passes the checks of place."""

    row: Mapping[str, Any]
    right: float
    wrong: float
    right_stands: bool
    wrong_stands: bool


def measure_near_misses(work: Work) -> list[ReportedFigure]:
    """Near misses that the judge lets through, and right evidence that it rejects."""
    judge, rows = Judge(), read_lines(QUESTIONS / "near_misses.jsonl")[: work.limit]
    return near_miss_lines(list(judged(rows, judge)), judge.threshold, ("differs", "from"))


def measure_generated(work: Work) -> list[ReportedFigure]:
    """The same of near misses that code makes of the tables of reports which taught no judge."""
    system.index(documents(work, "seen"), work.corpus)
    judge, found, corpus = Judge(), [], Corpus(work.corpus)
    for each in generated(work.corpus)[: work.limit]:
        odds = judge.odds(each.question, [placed(each.right), placed(each.wrong)])
        stand = holds(each.question, each.right, corpus), holds(each.question, each.wrong, corpus)
        found.append(JudgedPair({"differs": each.differs}, float(odds[0]), float(odds[1]), *stand))
    return near_miss_lines(found, judge.threshold, ("differs",))


def judged(rows: Sequence[Mapping[str, Any]], judge: Judge) -> Iterator[JudgedPair]:
    """Each pair with the odds of its two sides."""
    for row in rows:
        sides = place(row["right"]), place(row["wrong"])
        odds = judge.odds(row["question"], sides)
        stand = [holds(row["question"], evidence_of(side)) for side in sides]
        yield JudgedPair(row, float(odds[0]), float(odds[1]), *stand)


def near_miss_lines(
    pairs: Sequence[JudgedPair], threshold: float, fields: Sequence[str]
) -> list[ReportedFigure]:
    """The figures of judged near misses: all, and by what their fields say."""
    made = pair_lines("near misses", pairs, threshold)
    for field in fields:
        for value in dict.fromkeys(pair.row[field] for pair in pairs):
            own = [pair for pair in pairs if pair.row[field] == value]
            made += pair_lines(f"near misses, {field} {value}", own, threshold)
    return made


def pair_lines(of: str, pairs: Sequence[JudgedPair], threshold: float) -> list[ReportedFigure]:
    """What is let through and what is rejected at a threshold; and, without one, whether right places score higher."""
    through, rejected, checked = (
        "near misses let through", "right evidence rejected", ", with the checks of place",
    )  # fmt: skip
    let = [pair.wrong >= threshold for pair in pairs]
    lost = [pair.right < threshold for pair in pairs]
    stand = [pair.wrong_stands for pair in pairs]
    fall = [not pair.right_stands for pair in pairs]
    both = [first and second for first, second in zip(let, stand, strict=True)]
    either = [first or second for first, second in zip(lost, fall, strict=True)]
    ours = [
        figure(through, let),
        figure(rejected, lost),
        figure(through + checked, both),
        figure(rejected + checked, either),
        area("AUC", [pair.right for pair in pairs], [pair.wrong for pair in pairs]),
        figure("right above the other of its pair", [pair.right > pair.wrong for pair in pairs]),
    ]
    alone = [figure(through + checked, stand), figure(rejected + checked, fall)]
    return lines(
        of,
        ours,
        ("all let through", [figure(through, [1.0]), figure(rejected, [0.0])]),
        ("the checks alone", alone),
        ("no order", [Figure("AUC", 0.5, 0, 0.5, 0.5)]),
    )


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
