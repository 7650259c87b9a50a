"""Objections to the places cited for an answer: the question means another row, column, time, series, number or kind."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import partial

from pincite.check import other_things, rival_cells, rival_numbers
from pincite.check.computed_claims import listed
from pincite.document.asked_labels import with_sign_asked
from pincite.document.cell_values import cell_times
from pincite.document.deducted_amounts import as_counted
from pincite.document.labelled_cells import labels, timeless
from pincite.document.statement_rows import PRIMARY, LineItem, likeness, names_item, row_name
from pincite.document.times import When, when, years_of
from pincite.evidence.cell_terms import row_terms, times_of
from pincite.evidence.cited_place import (
    CitedPlace,
    Failed,
    PlacedQuantity,
    clipped,
    contradicted,
    squeezed,
)
from pincite.evidence.judged_evidence import evidence_of, judge_prefers
from pincite.evidence.value_in_words import as_asked
from pincite.quantity import EXACT, same
from pincite.quantity.arithmetic import FORMULAS, OPERATIONS, PICKS, named
from pincite.quantity.formula import is_formula
from pincite.question.ask import Ask
from pincite.question.metrics import items_asked
from pincite.text.words import words
from pincite.types import Claim, Node, Quantity

_QUOTIENTS = (FORMULAS["ratio"], FORMULAS["proportion"])
_CHANGES = ("difference", "percentage_change")
_OF_SEVERAL_ROWS = (*PICKS, "count")
_OF_SEVERAL_TIMES = ("", *_OF_SEVERAL_ROWS, "max", "min")
"""Operations whose places may be of any times, where there are several."""
_DIFFERENT = "its operands are about different things"
_ROW_OR_COLUMN = "Name the row that is asked for, and copy its value in the column that is; where it has none, lines is empty."
_TIME = "Name the line of the time that the question names; where no line has it, lines is empty."
_OF_SENTENCE = (
    "Name the line whose number is of what the question asks, for just its subject and time, and copy that number; where no line "
    "has it, lines is empty."
)
_OPERANDS = (
    "Calculate only with the values that the question speaks of, each at the time asked for; where no line has them, lines is "
    "empty."
)


def object_to(claim: Claim, found: Sequence[CitedPlace], ask: Ask, beside: Sequence[Node]) -> None:
    """Hold the cited places against the claim's own subject and period, and against the question's words."""
    first, value = found[0], claim.value
    if is_formula(claim.operation):
        if items := items_asked(ask):
            _of_metric(claim, found, ask, items)
            return
        claim = replace(claim, operation=named(claim.operation))
        if is_formula(claim.operation):
            _of_formula(claim, found, ask)
            return
    quoted = value if isinstance(value, Quantity) and not claim.operation else None
    if quoted is not None:
        other_things.of_other_kind(quoted, first, ask)
    if not claim.operation:
        other_things.of_other_items(first, ask)
    if quoted is not None:
        other_things.of_qualified_measure(first, ask)
    _timed(claim, found, ask)
    if any(place.cell for place in found):
        _in_tables(claim, found, ask, beside)
    elif quoted is not None and first.table is None:
        _in_sentence(claim, quoted, first, ask, beside)


def _in_tables(
    claim: Claim, found: Sequence[CitedPlace], ask: Ask, beside: Sequence[Node]
) -> None:
    """Cells against the row of the claim, each other and the other cells of what was read; a list is of several rows."""
    first, cells = found[0], [place for place in found if place.cell is not None]
    own = first.cell
    called = [own.label, " ".join((*own.sections, own.label))] if own else []
    if own and squeezed(claim.subject)[0] not in [squeezed(name)[0] for name in called]:
        if row := rival_cells.other_row(frozenset(words(claim.subject)), first):
            how = f"{first.described} is not of '{clipped(claim.subject)}': that is row '{row}'"
            raise contradicted(how, first, _ROW_OR_COLUMN)
    if claim.operation in _OF_SEVERAL_ROWS or (len(found) > 1 and not claim.operation):
        return
    if claim.operation in OPERATIONS and len(cells) == len(found) > 1:
        if not _are_one_series(cells, ask):
            raise Failed("contradicted", f"{_DIFFERENT}: {listed(found)}", remedy=_OPERANDS)
        if len(_lines(cells)[0]) == 1:
            _in_order(claim, found, ask)
    for place in cells:
        _against_others(claim, place, cells, ask, beside)


def _lines(cells: Sequence[CitedPlace]) -> tuple[set[int], set[int]]:
    """The rows and the columns that cells stand in."""
    at = [place.cell for place in cells if place.cell is not None]
    return {cell.row for cell in at}, {cell.column for cell in at}


def _are_one_series(cells: Sequence[CitedPlace], ask: Ask) -> bool:
    """Whether cells stand in one row or column or are one series over time, or the question names an operand of each row."""
    at = [place.cell for place in cells if place.cell is not None]
    if 1 in map(len, _lines(cells)) or len(set(map(timeless, at))) == 1:
        return True
    operands = [frozenset(words(phrase)) for phrase in ask.operands]
    return len(operands) > 1 and all(
        any(row_terms(cell) & operand for operand in operands) for cell in at
    )


def _against_others(
    claim: Claim,
    place: CitedPlace,
    cells: Sequence[CitedPlace],
    ask: Ask,
    beside: Sequence[Node],
) -> None:
    """A cell must answer the question better than the other rows, tables and columns that were read.

    Rows of one column that the question does not tell apart are all meant; of two askew operands the row of one may be that of
    both.
    """
    asked = rival_cells.asked_words(ask, bool(claim.operation))
    prefers = _preferring(place, ask, claim)
    rows, columns = map(len, _lines(cells))
    row, column = "", ""
    if not _primary(place, ask) and not (rows > 1 == columns and len(ask.operands) < 2):
        taken = () if len(cells) == rows == columns == 2 else cells
        row = rival_cells.other_row(asked, place, taken, prefers)
        row = row or rival_cells.other_table(asked, place, ask.periods, beside, prefers)
    apart = len(cells) > 1 and len({times_of(cell) for cell in cells}) == 1
    if not row and not apart:
        column = rival_cells.other_column(asked, place, ask.periods, cells, prefers)
    if row or column:
        named = f"row '{row}'" if row else f"column '{column}'"
        how = f"the question asks for {named}, not for {place.described}"
        raise contradicted(how, place, _ROW_OR_COLUMN)


def _preferring(place: CitedPlace, ask: Ask, claim: Claim) -> rival_cells.Prefers:
    """What tells whether a rival answers the question better than `place`: the judge of evidence."""
    there = evidence_of(place.citation, place.node, claim.value)
    if place.cell:
        there = replace(there, cells=((place.cell.row, place.cell.column),))
    return partial(judge_prefers, ask, place=there, computed=bool(claim.operation))


def _primary(place: CitedPlace, ask: Ask) -> bool:
    """Whether a cell is the one line item that the question asks for, in the primary statement that it belongs to."""
    items, cell, table = items_asked(ask), place.cell, place.table
    if len(items) != 1 or not (cell and table and items[0].statement):
        return False
    called = names_item(row_name(cell), items[0])
    return called and likeness(table, place.node.anchor.path, items[0].statement) >= PRIMARY


def _of_metric(
    claim: Claim, found: Sequence[CitedPlace], ask: Ask, items: Sequence[LineItem]
) -> None:
    """Every operand of a formula is a line item of the metric asked for, at an asked year or the end of the year before.

    The two of a quotient are of the same year, where both have one and the question names no two.
    """
    for place in found:
        name = row_name(place.cell) if place.cell is not None else None
        if name is None or not any(names_item(name, item) for item in items):
            how = f"{place.described} is not part of what the question asks to compute"
            raise contradicted(how, place, _OPERANDS)
    _of_asked_years(found, ask)
    other_things.of_one_firm(found, items)
    years = [set(years_of(times_of(place))) for place in found]
    if claim.operation not in _QUOTIENTS or len(set(years_of(ask.periods))) > 1 or not all(years):
        return
    if not set.intersection(*years):
        how = f"its operands are of different years: {listed(found)}"
        raise Failed("contradicted", how, remedy=_OPERANDS)


def _of_asked_years(found: Sequence[CitedPlace], ask: Ask) -> None:
    """Operands of a formula are of the years that the question names, or of the end of the year before; not all of that."""
    years = years_of(ask.periods)
    if not years:
        return
    of_places = [years_of(times_of(place)) for place in found]
    before = all(own and min(years) > max(own) for own in of_places)
    for place, own in zip(found, of_places, strict=True):
        if before or own and not _are_asked(own, (min(years) - 1, max(years)), through=True):
            how = f"{place.described} is not from a year that the question names"
            raise contradicted(how, place, _TIME)


def _of_formula(claim: Claim, found: Sequence[CitedPlace], ask: Ask) -> None:
    """Operands of a metric that is not known are of one series, or whole rows and columns, of rows that the question means."""
    cells = [place for place in found if place.cell is not None]
    rows, columns = map(len, _lines(cells))
    each = {(place.cell.row, place.cell.column) for place in cells if place.cell}
    if len(cells) == len(found) > 1 and len(each) != rows * columns:
        if not _are_one_series(cells, ask):
            raise Failed("contradicted", f"{_DIFFERENT}: {listed(found)}")
    _of_asked_years(found, ask)
    for place in cells:
        _against_others(claim, place, cells, ask, ())


def _timed(claim: Claim, found: Sequence[CitedPlace], ask: Ask) -> None:
    """The times of the cited cells against the claim's period and the question's."""
    own = [times_of(place) for place in found]
    said = when(claim.period) if claim.operation not in PICKS else ()
    if not _any_agrees(own, said):
        how = f"{found[0].described} is not for {claim.period}"
        raise contradicted(how, found[0], _TIME)
    if len(found) > 1 and claim.operation in _OF_SEVERAL_TIMES:
        return
    both = claim.operation in OPERATIONS and len(ask.periods) == 2 and all(own)
    for period in ask.periods if both else ():
        if not _any_agrees(own, (period,)):
            how = f"nothing is for {period.text}, which the question names: {listed(found)}"
            remedy = "Calculate with a value of each time that the question names; where no line has one, lines is empty."
            raise Failed("contradicted", how, remedy=remedy)
    through = ask.through and claim.operation not in _CHANGES
    fits = [rival_cells.agrees(times, ask.periods, through) for times in own]
    if not all(fits) and not (any(fits) and _may_reach_beyond(claim, found, ask)):
        wrong = found[fits.index(False)]
        asked = " or ".join(dict.fromkeys(period.text for period in ask.periods))
        how = f"{wrong.described} does not belong to {asked}, which the question names"
        raise contradicted(how, wrong, _TIME)


def _any_agrees(times: Iterable[Sequence[When]], asked: Sequence[When]) -> bool:
    return any(rival_cells.agrees(own, asked) for own in times)


def _may_reach_beyond(claim: Claim, found: Sequence[CitedPlace], ask: Ask) -> bool:
    """Whether operands may be of other times than the one asked for: a change has one before, a sum or mean runs along a row."""
    if len(ask.periods) != 1 or claim.operation not in (*_CHANGES, "average", "sum"):
        return False
    rows = {(place.node.id, place.cell.row) for place in found if place.cell is not None}
    return claim.operation in _CHANGES or len(rows) == 1


def _in_order(claim: Claim, found: Sequence[CitedPlace], ask: Ask) -> None:
    """Operands of one row must all have a time or none, and in a change the later one comes first.

    By how much one time's was more than another's is told in the order of the question; what lies between them has no sign.
    """
    times = [cell_times(place.cell) for place in found if place.cell is not None]
    if any(times) and not all(times):
        how = f"some operands have a period and some do not: {listed(found)}"
        raise Failed("contradicted", how, remedy=_OPERANDS)
    if claim.operation not in _CHANGES or len(times) != 2 or not all(times) or ask.falling:
        return
    unsigned = isinstance(claim.value, Quantity) and claim.value.value >= 0
    if unsigned and claim.operation == "difference" and ask.says("distance"):
        return
    first, second = times[0][0], times[1][0]
    named = ask.periods if ask.says("measured against") else ()
    if len(named) == 2 and first.fits(named[0]) and second.fits(named[1]):
        return
    if len(named) == 2 and first.fits(named[1]) and second.fits(named[0]):
        how = f"the question measures {named[0].text} against {named[1].text}: {listed(found)}"
        raise Failed("contradicted", how, remedy="Write the value that is measured first.")
    if (first.year, first.quarter, first.month) < (second.year, second.quarter, second.month):
        how = f"a change is measured from the earlier to the later time: {listed(found)}"
        raise Failed("contradicted", how, remedy="Write the value of the later time first.")


def _in_sentence(
    claim: Claim, value: Quantity, place: CitedPlace, ask: Ask, beside: Sequence[Node]
) -> None:
    """A number of running text against the years and the words that its sentence binds to it."""
    if value.unit == "year" and not ask.asks_time:
        how = f"{value.value} is a time, which the question does not ask for"
        raise contradicted(how, place, _OF_SENTENCE)
    prefers = _preferring(place, ask, claim)
    if other := rival_numbers.other_sentence(ask, place, beside, prefers):
        how = f"the question is about '{other}', not {place.described}"
        raise contradicted(how, place, _OF_SENTENCE)
    problems = [
        _problem(number, place, ask, prefers)
        for number in place.numbers
        if equal(value, number.quantity, place, ask)
    ]
    if problems and all(problems):
        raise contradicted(problems[0], place, _OF_SENTENCE)


def _problem(
    number: PlacedQuantity, place: CitedPlace, ask: Ask, prefers: rival_cells.Prefers
) -> str:
    """Why a number of a sentence is not the one that the question asks for; "" when it may be."""
    said = clipped(number.quantity.text)
    asked = set(years_of(ask.periods))
    bound = rival_numbers.bound_years(place, number)
    if bound.years and asked and not _are_asked(bound.years, asked, ask.through):
        return f"{said} is of {min(bound.years)} in {place.described}"
    if part := _other_length(place, ask):
        return f"{said} is of {part} in {place.described}"
    if rival_numbers.elsewhere(ask, place, number):
        return f"{said} is not the one that the question names in {place.described}"
    if bound.beside and bound.years & asked:
        return ""
    other = rival_numbers.other_number(ask, place, number, prefers)
    return f"the question asks for {other} in {place.described}" if other else ""


def _other_length(place: CitedPlace, ask: Ask) -> str:
    """The time of a sentence whose times are all parts of those that the question names, or wholes of which it names a part; ""
    where one is as long.
    """
    times = [time for time in when(place.citation.quote) if time.year or time.quarter]
    pairs = [(time, asked) for time in times for asked in ask.periods if time.fits(asked)]
    differ = pairs and all(time.differs_in_length(asked) for time, asked in pairs)
    return pairs[0][0].text if differ else ""


def _are_asked(years: Collection[int], asked: Collection[int], through: bool) -> bool:
    """Whether one of the years is asked for, or lies between those that are where all `through` them are."""
    if through:
        return any(min(asked) <= year <= max(asked) for year in years)
    return any(year in asked for year in years)


def equal(value: Quantity, there: Quantity, place: CitedPlace, ask: Ask | None) -> bool:
    """Whether a claimed quantity is the one that stands there: sign, digits, scale, unit and both ends of a range.

    Things that a total goes down by may be told as the number that they are, and a loss as a negative result.
    """
    if place.cell is not None and value.value > 0:
        there = as_counted(there, place.cell.label)
    if place.cell is not None and place.table is not None and ask is not None:
        there = with_sign_asked(there, place.cell, labels(place.table), ask.words)
    if same(value, there, rel=EXACT):
        return value.low is None or same(
            replace(value, low=None, high=None), replace(there, low=None, high=None), rel=EXACT
        )
    bare = not value.unit and there.unit not in ("", "%") and place.cell is None
    if bare and same(value, there, rel=EXACT, lenient=True):
        said = as_asked(ask, value) if ask else value
        return not isinstance(said, Quantity) or not said.unit or same(said, there, rel=EXACT)
    return False
