"""A place against the question: does the question's own wording point to another row, column, year or number than the cited one?

Every rule is one of dominance: another place must have all the words of the question that the cited one has, and more, while
it has no more words of its own. Paraphrases therefore pass, and only what the wording itself exposes is caught.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pincite.answer.labels import Labelled, is_blank, is_number
from pincite.answer.place import Place, Standing, clipped
from pincite.answer.question import Ask
from pincite.answer.tableread import View, cell_times, label_terms
from pincite.answer.times import When, when
from pincite.answer.words import stems, words
from pincite.types import Quantity

_OF_TIME = frozenset(
    stems(
        "year years ended ending fiscal fy as of at december november october august september july june may april march "
        "february january quarter first second third fourth q1 q2 q3 q4 months twelve for the period"
    )
)


_OF_OPERATION = frozenset(
    stems(
        "average mean total sum change increase decrease difference variation percentage percent growth ratio proportion share decline "
        "fall rise drop reduction gain constitution composition contribution combined aggregate"
    )
)


def asked_words(ask: Ask, computed: bool) -> frozenset[str]:
    """The content words of a question; for a computed answer without those that only say what to compute."""
    named = {one for phrase in (ask.subject, *ask.operands) for one in words(phrase)}
    return frozenset(words(ask.text)) - (_OF_OPERATION - named if computed else frozenset())


@dataclass(frozen=True, slots=True)
class Fit:
    """How a label meets the words asked for: those it shares, and how many it has beyond them."""

    shared: frozenset[str]
    extra: int

    def beats(self, other: Fit) -> bool:
        """Whether this label has all that the other shares and is strictly nearer to what is asked."""
        if not self.shared >= other.shared or self.extra > other.extra:
            return False
        return self.shared > other.shared or (self.extra == 0 < other.extra and bool(self.shared))


def fit(asked: Iterable[str], label: Iterable[str]) -> Fit:
    """How a label's words meet the words asked for."""
    wanted, own = frozenset(asked), frozenset(label)
    return Fit(wanted & own, len(own - wanted))


def row_terms(cell: Labelled) -> frozenset[str]:
    """The words of a row: its label with the sections above it; a row without a label below labelled ones is a total."""
    return frozenset(label_terms(" ".join((*cell.sections, cell.label or "total"))))


def column_terms(cell: Labelled) -> frozenset[str]:
    """The words of a column's header, without its time."""
    return frozenset(label_terms(cell.heading) - _OF_TIME)


def times_of(place: Place) -> tuple[When, ...]:
    """The times that a place holds for: those of a cell (or the one time of its table's caption), or bound to a number."""
    if place.cell is None or place.view is None:
        return ()
    own = cell_times(place.cell)
    captioned = when(place.view.table.caption)
    return own or (captioned if len(captioned) == 1 and captioned[0].year else ())


def same_time(one: When, other: When) -> bool:
    """Whether two times agree in the year, quarter and month that both name."""
    pairs = ((one.year, other.year), (one.quarter, other.quarter), (one.month, other.month))
    return all(a == b or not a or not b for a, b in pairs)


def agrees(own: Sequence[When], asked: Sequence[When], through: bool = False) -> bool:
    """Whether any of a place's times is an asked one, or lies between the two ends asked for; silence agrees."""
    if not own or not asked:
        return True
    years = [one.year for one in asked if one.year]
    if through and years and any(min(years) <= one.year <= max(years) for one in own):
        return True
    return any(same_time(a, b) for a in own for b in asked)


def other_row(asked: Iterable[str], place: Place, cited: Sequence[Place] = ()) -> str:
    """The row of the same table that the asked words name better than the cited one; empty when there is none.

    Rows of the other `cited` places are no rivals: the words may be meant for them.
    """
    assert place.cell is not None and place.view is not None
    wanted = frozenset(asked)
    mine = fit(wanted, row_terms(place.cell)), fit(wanted, label_terms(place.cell.label or "total"))
    taken = {one.cell.row for one in (place, *cited) if one.cell and one.node.id == place.node.id}
    for cell in place.view.labels.column(place.cell.column):
        if cell.row in taken or not _answers(cell):
            continue
        theirs = fit(wanted, row_terms(cell))
        if all(theirs.beats(one) for one in mine):
            return clipped(" ".join((*cell.sections, cell.label)))
    return ""


def other_column(asked: Iterable[str], place: Place, periods: Sequence[When], cited: Sequence[Place] = ()) -> str:
    """The column that the asked words name better than the cited one, among those of an asked time; empty when none."""
    assert place.cell is not None and place.view is not None
    wanted = frozenset(asked) - row_terms(place.cell)
    mine = fit(wanted, column_terms(place.cell))
    taken = {one.cell.column for one in (place, *cited) if one.cell and one.node.id == place.node.id}
    for cell in place.view.labels.row(place.cell.row):
        if cell.column in taken or not _answers(cell) or not agrees(cell_times(cell), periods):
            continue
        theirs = fit(wanted, column_terms(cell))
        if theirs.shared > mine.shared and theirs.beats(mine):
            return clipped(cell.heading)
    return ""


def other_table(asked: Iterable[str], place: Place, periods: Sequence[When], views: Sequence[View]) -> str:
    """A cell of another table that was read and whose row is wholly asked for, while nothing around the cited cell says more."""
    assert place.cell is not None and place.view is not None
    wanted = frozenset(asked)
    around = _around(place.view)
    row = row_terms(place.cell)
    mine = wanted & (row | column_terms(place.cell) | around)
    for view in views:
        if view.passage.node.id == place.node.id or view.passage.node.anchor.source != place.node.anchor.source:
            continue
        for cell in view.labels.cells:
            if not _answers(cell) or not agrees(cell_times(cell), periods):
                continue
            theirs = fit(wanted, row_terms(cell))
            named = f"{clipped(cell.label)}' on page {view.passage.node.anchor.page}"
            if theirs.extra == 0 and theirs.shared > mine:
                return named
            if row_terms(cell) == row and column_terms(cell) == column_terms(place.cell):
                if wanted & _around(view) > wanted & around and len(_around(view) - wanted) <= len(around - wanted):
                    return named
    return ""


def _around(view: View) -> frozenset[str]:
    return frozenset(words(f"{view.table.caption} {view.passage.node.anchor.path}")) - _OF_TIME


def _answers(cell: Labelled) -> bool:
    return is_number(cell.text) or (bool(cell.text) and is_blank(cell.text))


_YEAR = r"(?P<year>(?:19|20)\d\d)(?![\d%]|,\d|\.\d)"
_UNTIL = (
    r"(?:the\s+)?(?:end\s+of\s+)?(?:(?:fiscal|financial|calendar)\s+)?(?:years?\s+)?(?:(?:ended|ending)\s+)?(?:FY\s?)?"
    r"(?:[A-Z][a-z]+\s+\d{1,2},?\s+|\d{1,2}\s+[A-Z][a-z]+,?\s+|[A-Z][a-z]+\s+)?"
)
_AFTER = re.compile(rf"\s*(?:\(|(?:in|for|during|at|as\s+of|as\s+at|on)\s+){_UNTIL}{_YEAR}")
_BEFORE = re.compile(rf"{_YEAR}\s*[:=]\s*$")
_OPENING = re.compile(rf"(?:^|[,;]\s+(?:and\s+|while\s+|but\s+)?)(?i:in|during|for|at|as\s+of)\s+{_UNTIL}{_YEAR}")
_CLAUSE = re.compile(r"[,;:()]\s|\s(?:and|while|but|whereas|of\s+which|compared|versus|after|up\s+from|down\s+from)\s")


def bound_years(text: str, number: tuple[int, int], others: Sequence[tuple[int, int]]) -> frozenset[int]:
    """The years that a sentence binds to the number at [start, end); empty when it binds none.

    "(2022: 93.4)", "93.4 in 2022", "93.4 and 91.0 in 2022 and 2021, respectively", and "In 2022, ... 93.4".
    """
    start, end = number
    numbers = sorted({number, *others})
    if "respectively" in text:
        times = [one for one in when(text) if one.year]
        run = numbers[-len(times) :] if 1 < len(times) <= len(numbers) else []
        return frozenset({times[run.index(number)].year}) if number in run else frozenset()
    for match in (_BEFORE.search(text, max(0, start - 10), start), _AFTER.match(text, end)):
        if match:
            return frozenset({int(match["year"])})
    opening = [match for match in _OPENING.finditer(text, 0, start)]
    return frozenset({int(opening[-1]["year"])}) if opening else frozenset()


def other_number(ask: Ask, place: Place, cited: Standing) -> str:
    """The number of the same sentence that the question's words stand beside, while none stands beside the cited one."""
    text = place.node.text
    numbers = sorted((one.start, one.end) for one in place.numbers)
    asked = frozenset(words(ask.text))
    mine = asked & _beside(text, (cited.start, cited.end), numbers, place)
    wants = words(ask.wants)
    for one in place.numbers:
        if one.start == cited.start or one.quantity.amount == cited.quantity.amount:
            continue
        theirs = asked & _beside(text, (one.start, one.end), numbers, place)
        noun = bool(wants) and wants[-1] in words(text[one.end : one.end + 30])[:2]
        if theirs > mine and (len(theirs) - len(mine) > 1 or noun) and not mine:
            return clipped(one.quantity.text)
    return ""


def _beside(text: str, number: tuple[int, int], numbers: Sequence[tuple[int, int]], place: Place) -> frozenset[str]:
    """The words of the clause around a number, up to the numbers and the commas beside it."""
    low = max([end for _, end in numbers if end <= number[0]], default=place.start)
    high = min([start for start, _ in numbers if start >= number[1]], default=place.end)
    left = text[low : number[0]]
    breaks = list(_CLAUSE.finditer(left))
    left = left[breaks[-1].end() :] if breaks else left
    right = text[number[1] : high]
    stop = _CLAUSE.search(right)
    return frozenset(words(left)) | frozenset(words(right[: stop.start()] if stop else right))


def fits_unit(ask: Ask, quantity: Quantity) -> bool:
    """Whether a quantity can be said in the unit that the caller asks for."""
    from pincite.quantity import UnitError, in_unit

    if not ask.query.unit:
        return True
    try:
        in_unit(quantity, ask.query.unit)
    except UnitError:
        return False
    return True
