"""What a question says against the places that are cited for its answer: another row, column, time, series, number or kind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from pincite.check import rivals as against
from pincite.check.recompute import EXACT, listed
from pincite.document.labelled_cells import Labelled, timeless
from pincite.document.statement_rows import PRIMARY, likeness, names_item, row_name
from pincite.document.times import when
from pincite.document.words import words
from pincite.evidence.cited_place import CitedPlace, Failed, clipped, squeezed, table_of
from pincite.evidence.judged_evidence import evidence_of, prefers
from pincite.evidence.saying import as_asked
from pincite.evidence.table_view import cell_times
from pincite.quantity import same
from pincite.quantity.arithmetic import OPERATIONS, PICKS
from pincite.quantity.formula import is_formula
from pincite.question.metrics import items_asked
from pincite.question.understanding import Ask
from pincite.types import Claim, Node, Quantity, Value

_CHANGES = ("difference", "percentage_change")


def object_to(claim: Claim, found: Sequence[CitedPlace], ask: Ask, beside: Sequence[Node]) -> None:
    """Hold the cited places against the claim's own subject and period, and against the question's words."""
    first = found[0]
    if is_formula(claim.operation):
        _of_metric(found, ask)
        return
    if not claim.operation:
        _answering(claim.value, first, ask)
    _timed(claim, found, ask)
    cells = [place for place in found if place.cell is not None]
    if not cells:
        if isinstance(claim.value, Quantity) and not claim.operation and first.view is None:
            _in_sentence(claim, claim.value, first, ask, beside)
        return
    row = (
        ""
        if first.cell is None or _named_so(claim.subject, first.cell)
        else against.other_row(words(claim.subject), first)
    )
    if row:
        how = f"{first.described} is not of '{clipped(claim.subject)}': that is row '{row}'"
        raise Failed("contradicted", how, first.citation.label)
    if claim.operation in PICKS or claim.operation == "count" or len(found) > 1 and not claim.operation:
        return
    _one_series(claim, found, ask)
    asked = against.asked_words(ask, bool(claim.operation))
    views = [view for node in beside if (view := table_of(node))]
    for place in cells:
        row, prefers = "", _preferring(place, ask, claim)
        if not _primary(place, ask):
            row = against.other_row(asked, place, cells, prefers)
            row = row or against.other_table(asked, place, ask.periods, views, prefers)
        apart = len(cells) > 1 and len({against.times_of(cell) for cell in cells}) == 1
        column = "" if row or apart else against.other_column(asked, place, ask.periods, cells, prefers)
        if row or column:
            named = f"row '{row}'" if row else f"column '{column}'"
            raise Failed(
                "contradicted", f"the question asks for {named}, not for {place.described}", place.citation.label
            )


def _preferring(place: CitedPlace, ask: Ask, claim: Claim) -> against.Prefers:
    """What tells whether a rival answers the question better than `place`: the judge of evidence."""
    at = place.cell
    there = evidence_of(place.citation, place.node, claim.value)
    if at:
        there = replace(there, cells=((at.row, at.column),))
    return partial(prefers, ask, place=there, computed=bool(claim.operation))


def _primary(place: CitedPlace, ask: Ask) -> bool:
    """Whether a cell is the one line item that the question asks for, in the primary statement that it belongs to."""
    items = items_asked(ask)
    if len(items) != 1 or place.cell is None or place.view is None or not items[0].statement:
        return False
    named = names_item(row_name(place.cell), items[0])
    return named and likeness(place.view.table, place.view.passage.heading, items[0].statement) >= PRIMARY


def _of_metric(found: Sequence[CitedPlace], ask: Ask) -> None:
    """Every operand of a formula is a line item of the metric asked for, at an asked year or the end of the year before."""
    items = items_asked(ask)
    years = [period.year for period in ask.periods if period.year]
    for place in found:
        if place.cell is None or not any(names_item(row_name(place.cell), item) for item in items):
            how = f"{place.described} is no part of what the question asks to compute"
            raise Failed("contradicted", how, place.citation.label)
        times = [time for time in against.times_of(place) if time.year]
        if years and times and not any(min(years) - 1 <= time.year <= max(years) for time in times):
            how = f"{place.described} is not of a year that the question names"
            raise Failed("contradicted", how, place.citation.label)


def _answering(value: Value, place: CitedPlace, ask: Ask) -> None:
    """A quoted number must be of the kind and in a unit that was asked for."""
    label = place.citation.label
    if isinstance(value, Quantity) and not against.fits_kind(ask, value):
        raise Failed("unsupported", f"{place.described} is no answer of the kind that was asked for", label)
    if isinstance(value, Quantity) and not against.fits_unit(ask, value):
        raise Failed("unsupported", f"{place.described} is no quantity in {ask.query.unit or ask.unit}", label)


def _named_so(subject: str, cell: Labelled) -> bool:
    """Whether a subject is just what a cell's own row is called."""
    return squeezed(subject)[0] in (squeezed(cell.label)[0], squeezed(" ".join((*cell.sections, cell.label)))[0])


def _timed(claim: Claim, found: Sequence[CitedPlace], ask: Ask) -> None:
    """The times of the cited cells against the claim's period and the question's."""
    own = [against.times_of(place) for place in found]
    said = when(claim.period)
    if said and claim.operation not in PICKS and not any(against.agrees(times, said) for times in own):
        raise Failed("contradicted", f"{found[0].described} is not of {claim.period}", found[0].citation.label)
    if len(found) > 1 and (not claim.operation or claim.operation in (*PICKS, "count", "max", "min")):
        return
    through = ask.through and claim.operation not in _CHANGES
    fits = [against.agrees(times, ask.periods, through) for times in own]
    one_row = len({(place.node.id, place.cell.row) for place in found if place.cell is not None}) == 1
    loose = len(ask.periods) == 1 and (claim.operation in _CHANGES or claim.operation in ("average", "sum") and one_row)
    if claim.operation in OPERATIONS and len(ask.periods) == 2 and all(own):
        for period in ask.periods:
            if not any(against.agrees(times, [period]) for times in own):
                raise Failed("contradicted", f"nothing is of {period.text}, which the question names: {listed(found)}")
    if all(fits) or (loose and any(fits)):
        return
    wrong = found[fits.index(False)]
    asked = " or ".join(dict.fromkeys(period.text for period in ask.periods))
    raise Failed("contradicted", f"{wrong.described} is not of {asked}, which the question names", wrong.citation.label)


def _one_series(claim: Claim, found: Sequence[CitedPlace], ask: Ask) -> None:
    """Operands that the question does not tell apart must be of one row, one column or one series, the later first."""
    cells = [place.cell for place in found if place.cell is not None]
    if claim.operation not in OPERATIONS or len(cells) < 2 or len(cells) < len(found):
        return
    one = (
        len({c.row for c in cells}) == 1
        or len({c.column for c in cells}) == 1
        or len({timeless(c) for c in cells}) == 1
    )
    if not one and not _each_named(cells, ask):
        raise Failed("contradicted", f"its operands are of different things: {listed(found)}")
    times = [cell_times(cell) for cell in cells]
    if any(times) and not all(times) and len({c.row for c in cells}) == 1:
        raise Failed("contradicted", f"some of its operands are of a time and some of none: {listed(found)}")
    across = len({c.row for c in cells}) == 1 and len(cells) == 2
    if claim.operation in _CHANGES and all(times) and across and not ask.falling:
        first, second = times[0][0], times[1][0]
        if (first.year, first.quarter, first.month) < (second.year, second.quarter, second.month):
            raise Failed("contradicted", f"a change runs to the later time, not from it: {listed(found)}")


def _each_named(cells: Sequence[Labelled], ask: Ask) -> bool:
    """Whether every cell's row shares a word with an operand that the question names."""
    operands = [frozenset(words(phrase)) for phrase in ask.operands]
    return len(operands) > 1 and all(any(against.row_terms(cell) & operand for operand in operands) for cell in cells)


def _in_sentence(claim: Claim, value: Quantity, place: CitedPlace, ask: Ask, beside: Sequence[Node]) -> None:
    """A number of running text against the years and the words that its sentence binds to it."""
    if value.unit == "year" and not against.asks_time(ask):
        raise Failed(
            "contradicted", f"{value.value} is a time, which the question does not ask for", place.citation.label
        )
    prefers = _preferring(place, ask, claim)
    if other := against.other_sentence(ask, place, beside, prefers):
        raise Failed("contradicted", f"the question is about '{other}', not {place.described}", place.citation.label)
    asked = {period.year for period in ask.periods if period.year}
    problems = []
    for number in place.numbers:
        if not equal(value, number.quantity, place, ask):
            continue
        bound = against.bound_years(place, number)
        between = ask.through and asked and any(min(asked) <= year <= max(asked) for year in bound.years)
        if bound.years and asked and bound.years.isdisjoint(asked) and not between:
            problems.append(f"{clipped(number.quantity.text)} is of {min(bound.years)} in {place.described}")
        elif against.elsewhere(ask, place, number):
            problems.append(
                f"{clipped(number.quantity.text)} is not the one that the question names in {place.described}"
            )
        elif not (bound.beside and bound.years & asked) and (
            other := against.other_number(ask, place, number, prefers)
        ):
            problems.append(f"the question asks for {other} in {place.described}")
        else:
            return
    if problems:
        raise Failed("contradicted", problems[0], place.citation.label)


def equal(value: Quantity, there: Quantity, place: CitedPlace, ask: Ask | None) -> bool:
    """Whether a claimed quantity is the one that stands there: sign, digits, scale, unit and both ends of a range."""
    if same(value, there, rel=EXACT):
        return value.low is None or same(
            replace(value, low=None, high=None), replace(there, low=None, high=None), rel=EXACT
        )
    bare = not value.unit and there.unit not in ("", "%") and place.cell is None
    if bare and same(value, there, rel=EXACT, lenient=True):
        said = as_asked(ask, value) if ask else value
        return not isinstance(said, Quantity) or not said.unit or same(said, there, rel=EXACT)
    return False
