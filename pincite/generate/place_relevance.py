"""Whether a place that a model cites bears on the question: what it says, its kind of number, and no better row beside it.

These rules go beyond the check of a draft, whose rules hold for every reader: a model may cite any place at all, even a
sentence that only happens to contain a number.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.evidence.candidate import Evidence
from pincite.evidence.cell_match import CellMatch, evidence, matches, phrase_of
from pincite.evidence.cited_place import clipped
from pincite.evidence.judge import THRESHOLD
from pincite.evidence.judged_evidence import judge_prefers, lowest_odds, pairs_of
from pincite.evidence.table_view import views
from pincite.evidence.term_match import match
from pincite.generate.problem import ReplyProblem
from pincite.generate.shown_pages import ShownPieces
from pincite.generate.source_places import FoundNumber, page_of
from pincite.lexicon import pattern
from pincite.question.ask import Ask
from pincite.readers.prose_answers import read_numbers
from pincite.types import Quantity

IN_ITS_ROW = (
    "Cite the cell of the row that the question names, in the column of its time, or answer N/A."
)
"""What to write instead of a cell of another row."""
CLEARLY = 2.0
"""By how much more another row or number must score than the cited number.

Of 226 right cells of questions on financial reports 2 lie beyond, of 133 right numbers of their texts 3; of wrong ones about
one in ten and one in three lie within.
"""
_ONE_ROW = ("lookup", "difference", "percentage_change")
_NUMBERED = pattern("generate", "numbered")


def elsewhere(ask: Ask, number: FoundNumber, shown: ShownPieces) -> ReplyProblem | None:
    """Why a number, though it stands where the reply says, is not of what is asked; None when nothing speaks against it."""
    if number.cell is None:
        return _elsewhere_in_text(ask, number, shown)
    if _no_share(ask, number):
        return _not_a_share(number)
    if label := numbered_otherwise(ask, number):
        return ReplyProblem(
            f"{clipped(number.quantity.text)} is of '{clipped(label)}', which the question does not name",
            "Cite the cell under the label that the question names, with its very number, or answer N/A.",
        )
    if label := better_row(ask, number, shown):
        return ReplyProblem(
            f"{clipped(number.quantity.text)} is of row '{label_of(number)}', and the question names row '{clipped(label)}'",
            IN_ITS_ROW,
        )
    return None


def _elsewhere_in_text(ask: Ask, number: FoundNumber, shown: ShownPieces) -> ReplyProblem | None:
    """Why a number of running text is not of what is asked; whether it answers at all is for the judge of evidence to say."""
    told = clipped(number.quantity.text)
    if _no_share(ask, number):
        return _not_a_share(number)
    if other := better_number(ask, number, shown):
        return ReplyProblem(
            f"the words around {told} are not those of the question, as they are at {other}",
            "Give the number whose own sentence says what the question asks, with that sentence, or answer N/A.",
        )
    return None


def _not_a_share(number: FoundNumber) -> ReplyProblem:
    return ReplyProblem(
        f"{clipped(number.quantity.text)} is no share or percentage, which the question asks for",
        "Cite the place that states the percentage, name the operation and its operands if you may compute, or answer N/A.",
    )


def bears(ask: Ask, place: Evidence) -> bool:
    """Whether the judge of evidence takes a place for one that answers the question."""
    odds = lowest_odds([pairs_of(ask, "quoted", "", [place])])[0]
    return odds is not None and odds >= THRESHOLD


def bearing(ask: Ask, places: Sequence[Evidence]) -> tuple[list[Evidence], bool]:
    """The places that the judge of evidence takes for ones that answer; where none is, all of them, as doubted."""
    about = [place for place in places if bears(ask, place)]
    return about or list(places), not about


def better_row(ask: Ask, number: FoundNumber, shown: ShownPieces) -> str:
    """The row of the same table that the reader without a model prefers by far; empty when none.

    Only for questions about one row: plain ones, and changes over time.
    """
    if ask.operation not in _ONE_ROW or len(ask.operands) > 1 or number.cell is None:
        return ""
    scored = _scored(ask, number.evidence, shown)
    mine = next(
        (m for m in scored if (m.cell.row, m.cell.column) == number.evidence.cells[0]), None
    )
    if (
        mine is None
        or scored[0].cell.row == mine.cell.row
        or scored[0].score - mine.score <= CLEARLY
    ):
        return ""
    if not judge_prefers(ask, evidence(scored[0]), number.evidence):
        return ""
    return " ".join((*scored[0].cell.sections, scored[0].cell.label))


def _scored(ask: Ask, place: Evidence, shown: ShownPieces) -> list[CellMatch]:
    """The cells with numbers of the table at a place, by how well they answer."""
    for view in views(page_of(place, shown)):
        if view.node.id == place.node.id:
            return [
                match for match in matches(view, phrase_of(ask), ask) if match.features["number"]
            ]
    return []


def better_number(ask: Ask, number: FoundNumber, shown: ShownPieces) -> str:
    """The number of running text that the reader without a model prefers by far for a plain question; empty when none."""
    if ask.operation != "lookup":
        return ""
    passages = [
        passage for passage in shown.passages if passage.document == number.evidence.document
    ]
    found = [
        near
        for near in read_numbers(ask, *match(ask.text, passages))
        if near.evidence[0].node.table is None
    ]
    mine = max(
        (near.score for near in found if _same_place(near.evidence[0], number.evidence)),
        default=None,
    )
    best = max(found, key=lambda near: near.score, default=None)
    if (
        best is None
        or mine is None
        or best.score - mine <= CLEARLY
        or not isinstance(best.value, Quantity)
    ):
        return ""
    return (
        f"'{clipped(best.value.text)}'"
        if judge_prefers(ask, best.evidence[0], number.evidence)
        else ""
    )


def _same_place(a: Evidence, b: Evidence) -> bool:
    return a.node.id == b.node.id and a.start < b.end and b.start < a.end


def numbered_otherwise(ask: Ask, number: FoundNumber) -> str:
    """The header of a cell that has the question's word with another number ("Scope 1" where Scope 2 is asked for)."""
    if number.cell is None:
        return ""
    asked = _numbered(ask.text)
    for label in (number.cell.label, *number.cell.sections, number.cell.heading):
        for word, numbers in _numbered(label).items():
            if word in asked and asked[word].isdisjoint(numbers):
                return label
    return ""


def _numbered(text: str) -> dict[str, set[str]]:
    """Words that a short number stands behind, with these numbers: {"scope": {"1"}}."""
    out: dict[str, set[str]] = {}
    for found in _NUMBERED.finditer(text):
        out.setdefault(found[1].lower(), set()).update(re.findall(r"\d+", found[2]))
    return out


def _no_share(ask: Ask, number: FoundNumber) -> bool:
    """Whether a share is asked for and a number is a plain one: above 1 in running text, or with a scale in a cell."""
    if number.cell is not None:
        return ask.unit == "%" and number.quantity.unit != "%" and number.quantity.scale != 1
    share = ask.unit == "%" or ask.operation in ("proportion", "percentage_change")
    return share and number.quantity.unit in ("", "year") and abs(number.quantity.amount) > 1


def label_of(number: FoundNumber) -> str:
    """The row header of a cell, in short; empty for running text."""
    return clipped(number.cell.label) if number.cell else ""
