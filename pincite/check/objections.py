"""Objections to the places cited for an answer: the question means another row, column, time, series, number or kind."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import partial

from pincite.check import rival_cells, rival_numbers
from pincite.check.computed_claims import listed
from pincite.check.metric_operands import of_one_firm
from pincite.check.numbered_items import of_other_items
from pincite.check.operand_cells import are_askew, are_of_one, each_named, gathered
from pincite.check.qualified_measures import of_qualified_measure
from pincite.document.cell_values import cell_times
from pincite.document.deducted_amounts import as_counted
from pincite.document.labelled_cells import Labelled
from pincite.document.statement_rows import PRIMARY, LineItem, likeness, names_item, row_name
from pincite.document.times import When, when, years_of
from pincite.document.words import words
from pincite.evidence.cell_terms import times_of
from pincite.evidence.cited_place import (
    CitedPlace,
    Failed,
    PlacedQuantity,
    clipped,
    squeezed,
    table_of,
)
from pincite.evidence.judged_evidence import evidence_of, judge_prefers
from pincite.evidence.table_view import TableView
from pincite.evidence.value_in_words import as_asked
from pincite.quantity import EXACT, same
from pincite.quantity.arithmetic import FORMULAS, OPERATIONS, PICKS, named
from pincite.quantity.formula import is_formula
from pincite.question.ask import Ask
from pincite.question.metrics import items_asked
from pincite.types import Claim, Node, Quantity, Value

_QUOTIENTS = (FORMULAS["ratio"], FORMULAS["proportion"])
_CHANGES = ("difference", "percentage_change")
_OF_SEVERAL_ROWS = (*PICKS, "count")
_OF_SEVERAL_TIMES = ("", *_OF_SEVERAL_ROWS, "max", "min")
"""Operations whose places may be of any times, where there are several."""


_ROW_OR_COLUMN = "Cite the cell in the row and the column that the question asks for; or answer N/A when it holds no value."
_TIME = "Cite the place of the time that the question names, or answer N/A when no page has it."
_OF_SENTENCE = (
    "Cite the sentence whose number is of what the question asks, for just its subject and time, and give that number; or answer "
    "N/A."
)
_OPERANDS = "Cite as operands only the numbers that the question speaks of, each at the time that is asked; or answer N/A."


def _contradicted(how: str, place: CitedPlace, remedy: str) -> Failed:
    """What the question or the claim says against a place."""
    return Failed("contradicted", how, place.citation.label, remedy)


def object_to(claim: Claim, found: Sequence[CitedPlace], ask: Ask, beside: Sequence[Node]) -> None:
    """Hold the cited places against the claim's own subject and period, and against the question's words."""
    first = found[0]
    if is_formula(claim.operation):
        items = items_asked(ask)
        if items:
            _of_metric(found, ask, items)
            if claim.operation in _QUOTIENTS and len(set(years_of(ask.periods))) < 2:
                _of_one_time(found)
            return
        claim = replace(claim, operation=named(claim.operation))
    if is_formula(claim.operation):
        _of_formula(claim, found, ask)
        return
    if not claim.operation:
        _answering(claim.value, first, ask)
        of_other_items(ask, first)
        if isinstance(claim.value, Quantity):
            of_qualified_measure(first, ask)
    _timed(claim, found, ask)
    if any(place.cell for place in found):
        _in_tables(claim, found, ask, beside)
    elif isinstance(claim.value, Quantity) and not claim.operation and first.view is None:
        _in_sentence(claim, claim.value, first, ask, beside)


def _in_tables(
    claim: Claim, found: Sequence[CitedPlace], ask: Ask, beside: Sequence[Node]
) -> None:
    """Cells against the row of the claim, each other and the other cells of what was read; a list is of several rows."""
    _of_subject(claim, found[0])
    if claim.operation in _OF_SEVERAL_ROWS or (len(found) > 1 and not claim.operation):
        return
    _one_series(claim, found, ask)
    views = [view for node in beside if (view := table_of(node))]
    cells = [place for place in found if place.cell is not None]
    for place in cells:
        _against_others(claim, place, cells, ask, views)


def _of_subject(claim: Claim, place: CitedPlace) -> None:
    """A cell must be of the row that the claim says it is of."""
    if place.cell is None or _named_so(claim.subject, place.cell):
        return
    if row := rival_cells.other_row(words(claim.subject), place):
        how = f"{place.described} is not of '{clipped(claim.subject)}': that is row '{row}'"
        raise _contradicted(how, place, _ROW_OR_COLUMN)


def _against_others(
    claim: Claim,
    place: CitedPlace,
    cells: Sequence[CitedPlace],
    ask: Ask,
    views: Sequence[TableView],
) -> None:
    """A cell must answer the question better than the other rows, tables and columns that were read."""
    asked = rival_cells.asked_words(ask, bool(claim.operation))
    prefers = _preferring(place, ask, claim)
    row = ""
    if not _primary(place, ask) and not gathered(cells, ask):
        row = rival_cells.other_row(asked, place, () if are_askew(cells) else cells, prefers)
        row = row or rival_cells.other_table(asked, place, ask.periods, views, prefers)
    apart = len(cells) > 1 and len({times_of(cell) for cell in cells}) == 1
    column = (
        "" if row or apart else rival_cells.other_column(asked, place, ask.periods, cells, prefers)
    )
    if row or column:
        named = f"row '{row}'" if row else f"column '{column}'"
        how = f"the question asks for {named}, not for {place.described}"
        raise _contradicted(how, place, _ROW_OR_COLUMN)


def _preferring(place: CitedPlace, ask: Ask, claim: Claim) -> rival_cells.Prefers:
    """What tells whether a rival answers the question better than `place`: the judge of evidence."""
    at = place.cell
    there = evidence_of(place.citation, place.node, claim.value)
    if at:
        there = replace(there, cells=((at.row, at.column),))
    return partial(judge_prefers, ask, place=there, computed=bool(claim.operation))


def _primary(place: CitedPlace, ask: Ask) -> bool:
    """Whether a cell is the one line item that the question asks for, in the primary statement that it belongs to."""
    items = items_asked(ask)
    if len(items) != 1 or place.cell is None or place.view is None or not items[0].statement:
        return False
    named = names_item(row_name(place.cell), items[0])
    return (
        named
        and likeness(place.view.table, place.view.passage.heading, items[0].statement) >= PRIMARY
    )


def _of_metric(found: Sequence[CitedPlace], ask: Ask, items: Sequence[LineItem]) -> None:
    """Every operand of a formula is a line item of the metric asked for, at an asked year or the end of the year before."""
    for place in found:
        if place.cell is None or not _is_item(place.cell, items):
            how = f"{place.described} is not part of what the question asks to compute"
            raise _contradicted(how, place, _OPERANDS)
    _of_asked_years(found, ask)
    of_one_firm(found, items)


def _of_one_time(found: Sequence[CitedPlace]) -> None:
    """The two items of a quotient are of the same year, where both have one and the question names no two."""
    years = [set(years_of(times_of(place))) for place in found]
    if all(years) and not set.intersection(*years):
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
            raise _contradicted(how, place, _TIME)


def _of_formula(claim: Claim, found: Sequence[CitedPlace], ask: Ask) -> None:
    """Operands of a metric that is not known are of one series, or whole rows and columns, of rows that the question means."""
    _of_one_block(found, ask)
    _of_asked_years(found, ask)
    cells = [place for place in found if place.cell is not None]
    for place in cells:
        _against_others(claim, place, cells, ask, ())


def _of_one_block(found: Sequence[CitedPlace], ask: Ask) -> None:
    """Operands that the question does not tell apart must be of one series, or fill the rows and columns that they are of."""
    cells = [place.cell for place in found if place.cell is not None]
    rows, columns = {cell.row for cell in cells}, {cell.column for cell in cells}
    whole = len(set((cell.row, cell.column) for cell in cells)) == len(rows) * len(columns)
    if len(cells) == len(found) > 1 and not (whole or are_of_one(cells) or each_named(cells, ask)):
        raise Failed("contradicted", f"its operands are about different things: {listed(found)}")


def _is_item(cell: Labelled, items: Iterable[LineItem]) -> bool:
    return any(names_item(row_name(cell), item) for item in items)


def _answering(value: Value, place: CitedPlace, ask: Ask) -> None:
    """A quoted number must be of the kind and in a unit that was asked for."""
    if not isinstance(value, Quantity):
        return
    label = place.citation.label
    if not rival_numbers.fits_kind(ask, value):
        how = f"{place.described} is not the kind of answer that was asked for"
        remedy = "Cite a number of the kind that the question asks for (an amount, a share, a count, a time), or answer N/A."
        raise Failed("unsupported", how, label, remedy)
    if rival_numbers.is_change(ask, value, place):
        how = f"{place.described} says by how much it changed"
        raise Failed("unsupported", how, label, "Cite the value itself, or answer N/A.")
    if not rival_numbers.fits_unit(ask, value):
        unit = ask.query.unit or ask.unit
        how = f"{place.described} is not a quantity in {unit}"
        raise Failed("unsupported", how, label, f"Cite a number in {unit}, or answer N/A.")


def _named_so(subject: str, cell: Labelled) -> bool:
    """Whether a subject is just what a cell's own row is called."""
    return squeezed(subject)[0] in (
        squeezed(cell.label)[0],
        squeezed(" ".join((*cell.sections, cell.label)))[0],
    )


def _timed(claim: Claim, found: Sequence[CitedPlace], ask: Ask) -> None:
    """The times of the cited cells against the claim's period and the question's."""
    own = [times_of(place) for place in found]
    said = when(claim.period) if claim.operation not in PICKS else ()
    if said and not _any_agrees(own, said):
        how = f"{found[0].described} is not for {claim.period}"
        raise _contradicted(how, found[0], _TIME)
    if len(found) > 1 and claim.operation in _OF_SEVERAL_TIMES:
        return
    if claim.operation in OPERATIONS and len(ask.periods) == 2 and all(own):
        _of_both_times(found, own, ask)
    _of_asked_times(claim, found, own, ask)


def _of_asked_times(
    claim: Claim, found: Sequence[CitedPlace], own: Sequence[Sequence[When]], ask: Ask
) -> None:
    """Every place must be of a time that the question asks for, unless the operation reaches beyond it."""
    through = ask.through and claim.operation not in _CHANGES
    fits = [rival_cells.agrees(times, ask.periods, through) for times in own]
    if all(fits) or (any(fits) and _may_reach_beyond(claim, found, ask)):
        return
    wrong = found[fits.index(False)]
    asked = " or ".join(dict.fromkeys(period.text for period in ask.periods))
    how = f"{wrong.described} does not belong to {asked}, which the question names"
    raise _contradicted(how, wrong, _TIME)


def _of_both_times(found: Sequence[CitedPlace], own: Sequence[Sequence[When]], ask: Ask) -> None:
    """Each of the two times that a question names must be that of an operand."""
    for period in ask.periods:
        if not _any_agrees(own, (period,)):
            how = f"nothing is for {period.text}, which the question names: {listed(found)}"
            remedy = "Cite one operand for each time that the question names, or answer N/A."
            raise Failed("contradicted", how, remedy=remedy)


def _any_agrees(times: Iterable[Sequence[When]], asked: Sequence[When]) -> bool:
    return any(rival_cells.agrees(own, asked) for own in times)


def _may_reach_beyond(claim: Claim, found: Sequence[CitedPlace], ask: Ask) -> bool:
    """Whether operands may be of other times than the one asked for: a change has one before, a sum or mean runs along a row."""
    if len(ask.periods) != 1 or claim.operation not in (*_CHANGES, "average", "sum"):
        return False
    rows = {(place.node.id, place.cell.row) for place in found if place.cell is not None}
    return claim.operation in _CHANGES or len(rows) == 1


def _one_series(claim: Claim, found: Sequence[CitedPlace], ask: Ask) -> None:
    """Operands that the question does not tell apart must be of one row, one column or one series."""
    cells = [place.cell for place in found if place.cell is not None]
    if claim.operation not in OPERATIONS or len(cells) < 2 or len(cells) < len(found):
        return
    if not are_of_one(cells) and not each_named(cells, ask):
        how = f"its operands are about different things: {listed(found)}"
        raise Failed("contradicted", how, remedy=_OPERANDS)
    if len({cell.row for cell in cells}) == 1:
        _in_order(claim, found, [cell_times(cell) for cell in cells], ask)


def _in_order(
    claim: Claim, found: Sequence[CitedPlace], times: Sequence[Sequence[When]], ask: Ask
) -> None:
    """Operands of one row must all have a time or none, and in a change the later one comes first.

    By how much one time's was more than another's is told in the order of the question; what lies between them has no sign.
    """
    if any(times) and not all(times):
        how = f"some operands have a period and some do not: {listed(found)}"
        raise Failed("contradicted", how, remedy=_OPERANDS)
    if claim.operation in _CHANGES and len(times) == 2 and all(times) and not ask.falling:
        if _is_distance(claim, ask):
            return
        first, second = times[0][0], times[1][0]
        named = ask.periods if ask.says("measured against") else ()
        if len(named) == 2 and first.fits(named[0]) and second.fits(named[1]):
            return
        if len(named) == 2 and first.fits(named[1]) and second.fits(named[0]):
            how = f"the question measures {named[0].text} against {named[1].text}: {listed(found)}"
            raise Failed("contradicted", how, remedy="Cite first what is measured.")
        if (first.year, first.quarter, first.month) < (second.year, second.quarter, second.month):
            how = f"a change is measured from the earlier to the later time: {listed(found)}"
            raise Failed("contradicted", how, remedy="Cite the operand of the later time first.")


def _is_distance(claim: Claim, ask: Ask) -> bool:
    """Whether a question asks how far apart two numbers are, and a claim says so without a sign."""
    said = claim.value
    return (
        claim.operation == "difference"
        and ask.says("distance")
        and isinstance(said, Quantity)
        and said.value >= 0
    )


def _in_sentence(
    claim: Claim, value: Quantity, place: CitedPlace, ask: Ask, beside: Sequence[Node]
) -> None:
    """A number of running text against the years and the words that its sentence binds to it."""
    if value.unit == "year" and not ask.asks_time:
        how = f"{value.value} is a time, which the question does not ask for"
        raise _contradicted(how, place, _OF_SENTENCE)
    prefers = _preferring(place, ask, claim)
    if other := rival_numbers.other_sentence(ask, place, beside, prefers):
        how = f"the question is about '{other}', not {place.described}"
        raise _contradicted(how, place, _OF_SENTENCE)
    problems = []
    for number in place.numbers:
        if equal(value, number.quantity, place, ask):
            problem = _problem(number, place, ask, prefers)
            if not problem:
                return
            problems.append(problem)
    if problems:
        raise _contradicted(problems[0], place, _OF_SENTENCE)


def _problem(
    number: PlacedQuantity, place: CitedPlace, ask: Ask, prefers: rival_cells.Prefers
) -> str:
    """Why a number of a sentence is not the one that the question asks for; "" when it may be."""
    said = clipped(number.quantity.text)
    asked = set(years_of(ask.periods))
    bound = rival_numbers.bound_years(place, number)
    if bound.years and asked and not _are_asked(bound.years, asked, ask.through):
        return f"{said} is of {min(bound.years)} in {place.described}"
    if rival_numbers.elsewhere(ask, place, number):
        return f"{said} is not the one that the question names in {place.described}"
    if bound.beside and bound.years & asked:
        return ""
    other = rival_numbers.other_number(ask, place, number, prefers)
    return f"the question asks for {other} in {place.described}" if other else ""


def _are_asked(years: Collection[int], asked: Collection[int], through: bool) -> bool:
    """Whether one of the years is asked for, or lies between those that are where all `through` them are."""
    if through:
        return any(min(asked) <= year <= max(asked) for year in years)
    return any(year in asked for year in years)


def equal(value: Quantity, there: Quantity, place: CitedPlace, ask: Ask | None) -> bool:
    """Whether a claimed quantity is the one that stands there: sign, digits, scale, unit and both ends of a range.

    Things that a total goes down by may be told as the number that they are.
    """
    if place.cell is not None and value.value > 0:
        there = as_counted(there, place.cell.label)
    if same(value, there, rel=EXACT):
        return value.low is None or same(
            replace(value, low=None, high=None), replace(there, low=None, high=None), rel=EXACT
        )
    bare = not value.unit and there.unit not in ("", "%") and place.cell is None
    if bare and same(value, there, rel=EXACT, lenient=True):
        said = as_asked(ask, value) if ask else value
        return not isinstance(said, Quantity) or not said.unit or same(said, there, rel=EXACT)
    return False
