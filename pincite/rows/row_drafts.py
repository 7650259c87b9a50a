"""From how a question to rows was read to a draft of its answer, whose every value cites its cells and its statement."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING

from pincite.database.relations.column_heading import readable
from pincite.database.relations.name_folding import fold
from pincite.database.relations.shaped_values import written
from pincite.database.statements.pins import by_key, read_pin
from pincite.database.views.view_statements import headed
from pincite.evidence.cited_place import Failed
from pincite.evidence.row_values import EXISTS, INSIDE, says_yes, value_of
from pincite.evidence.value_in_words import as_asked, worded
from pincite.quantity import UnitError, in_unit
from pincite.question.understanding import understand
from pincite.question.wording import units_named
from pincite.rows.row_citations import citations
from pincite.text.lexicon import pattern
from pincite.types import Citation, Claim, Draft, Node, Possible, Quantity, Query, Reading, Value

if TYPE_CHECKING:
    from pincite.database.relations.column_heading import Heading
    from pincite.database.relations.model import Column
    from pincite.database.sources.connection import OpenDatabase
    from pincite.rows.clean_source import CleanSource
    from pincite.rows.interpretation import Interpretation

_OPERATIONS = {name: name for name in (EXISTS, "count", "sum", "max", "min")} | {"avg": "average"}
"""What a claim says of the functions of statements; "computed" of all others."""
_KINDS: dict[str, tuple[type, ...]] = {
    "number": (Quantity,), "boolean": (bool,), "name": (str,), "names": (str, tuple),
}  # fmt: skip
"""The types of values that a caller may expect."""


def drafted(
    query: Query,
    found: Interpretation,
    source: CleanSource,
    node: Node | None = None,
    document: str = "",
) -> Draft:
    """The draft of what an interpretation found, its cells cited; one that says why there is no answer.

    For a table of a document, `node` is the table and `document` its document's id: cells are then cited where they stand.
    """
    reading = reading_of(found, source)
    silent = Draft(query, "", None, confidence=found.confidence, reading=reading)
    if found.result is None:
        return replace(silent, reason=found.reason)
    result = found.result
    try:
        value = value_of(result, reading.statement, source.source, node)
    except Failed as failed:
        return replace(silent, reason=failed.how)
    if value is None:
        what = "the rows that fit hold no value" if result.rows else "no row fits"
        nothing = f"{what}: {reading.meaning or reading.statement}"
        return replace(silent, reason=found.reason or nothing)
    ask = understand(query)
    functions = [heading.function for heading in headed(reading.statement, source.source)]
    if ask.expects == "boolean" and not isinstance(value, bool) and not any(functions):
        value, functions = says_yes(value), [EXISTS]
    answer = in_named_unit(query.text, as_asked(ask, value))
    if found.refused:
        possible = (Possible(answer, None, found.confidence),)
        return replace(silent, reason=found.reason, possible=possible)
    if not isinstance(value, _KINDS.get(query.expects or "", (object,))):
        why = f"the rows answer with {worded(value)[:80]}, but a {query.expects} was asked for"
        return replace(silent, reason=why)
    cited = citations(found.asked, reading.statement, source, node, document)
    function = next(filter(None, functions), "")
    operation = _OPERATIONS.get(function, "computed") if function else ""
    labels = tuple(citation.label for citation in cited)
    claim = Claim(worded(value), value, labels, operation=operation)
    reading = replace(reading, date=date_of(cited, source.source))
    told = replace(silent, text=worded(answer), value=answer, claims=(claim,))
    return replace(told, citations=cited, reading=reading)


def date_of(cited: Sequence[Citation], source: OpenDatabase) -> str:
    """The newest date that cited rows give of themselves ("revised", "valid from", "year"); "" when they give none."""
    dates = (date for citation in cited for date in _row_dates(citation, source))
    return max(filter(None, dates), default="")


def _row_dates(citation: Citation, source: OpenDatabase) -> Iterator[str]:
    """What stands in those columns of the rows that a citation pins."""
    pin = read_pin(citation.anchor.sql)
    for relation in source.database.relations:
        if pin is not None and pin.rows and pin.relation == relation.name:
            columns = [column.name for column in relation.columns if _is_dating(column)]
            for row in by_key(source, relation, pin.rows, columns).values() if columns else ():
                yield from map(written, row)


def _is_dating(column: Column) -> bool:
    """Whether a column says of when a row's other values are."""
    if not pattern("rows", "dating", "columns").search(f"{column.name} {column.readable}"):
        return False
    year = column.type == "integer" and "year" in fold(readable(column)).split()
    return year or column.type in ("date", "datetime")


def in_named_unit(question: str, value: Value) -> Value:
    """A value in the unit that a question asks for ("in GPa"), where it measures the same; else as it is."""
    if isinstance(value, tuple):
        return tuple(in_named_unit(question, element) for element in value)
    if not isinstance(value, Quantity) or not value.unit:
        return value
    return next((converted for _, converted in _in_units(question, value)), value)


def _in_units(question: str, value: Quantity) -> Iterator[tuple[str, Quantity]]:
    """A quantity in each unit that a question names ("in GPa", "how many tonnes") and that measures the same."""
    counted = pattern("rows", "how many units", "words").findall(question)
    for unit in (*units_named(question), *counted):
        with suppress(UnitError):
            yield unit, in_unit(value, unit)


def named_units(question: str, headings: Sequence[Heading]) -> tuple[Heading, ...]:
    """The headings with the unit that a question asks for where their numbers are in it: "(1,000 MPa)" is "(GPa)"."""
    return tuple(_in_named_unit(question, heading) for heading in headings)


def _in_named_unit(question: str, heading: Heading) -> Heading:
    if not heading.unit or heading.scale == 1:
        return heading
    for unit, converted in _in_units(question, Quantity(Decimal(1), heading.unit, heading.scale)):
        if math.isclose(converted.amount, 1, rel_tol=1e-4):
            return replace(heading, unit=unit, scale=Decimal(1))
    return heading


def reading_of(found: Interpretation, source: CleanSource) -> Reading:
    """How an interpretation read its question."""
    name = source.source.database.name
    named = "the table" if name.startswith(INSIDE) else name
    return Reading(named, found.statement, found.asked, found.mapping, found.unmapped)
