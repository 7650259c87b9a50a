"""The check of what a database said: its rows are read again by their keys, and the statement is computed by a second engine.

How the question was read has no part in it. A value is confirmed when the statement, run again, still gives it; when its numbers
are numbers of the rows found; when another engine makes the same rows of what the views hold
(`statements/second_engine.py`); and when the cited cells contain what is quoted from them. Draft and check share how rows are
written as a value (`evidence/row_values.py`), which the second of these does not use.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from itertools import chain
from typing import Any

from pincite.database.relations.description import plain
from pincite.database.relations.model import Relation
from pincite.database.relations.relation_rows import shown
from pincite.database.relations.shaped_values import quoted
from pincite.database.sources.connection import OpenDatabase
from pincite.database.statements.execution import Result
from pincite.database.statements.pins import Pin, by_key, key_of, read_pin
from pincite.database.statements.second_engine import Uncomputed, agree, recomputed
from pincite.database.views.clean_view import clean_views
from pincite.database.views.view_statements import over_views
from pincite.errors import PinciteError
from pincite.evidence.cited_place import Failed, clipped, places
from pincite.evidence.database_sources import DatabaseSources
from pincite.evidence.row_values import EXISTS, INSIDE, ROWS, says_yes, value_of
from pincite.evidence.value_in_words import worded
from pincite.types import Citation, Claim, Node, Quantity, Value

_NUMBER = (int, float, Decimal)


def reread(
    claim: Claim,
    cited: Sequence[Citation],
    nodes: Mapping[str, Node],
    sources: DatabaseSources | None,
) -> str:
    """How the databases carry a claim, in words; raises Failed when they do not."""
    pins = [pin for citation in cited if (pin := read_pin(citation.anchor.sql)) is not None]
    statement = next((pin.statement for pin in pins if pin.statement), "")
    if not statement or len(pins) < len(cited):
        raise Failed("unsupported", "no statement is cited that finds it")
    try:
        source = _source(cited[0], nodes, sources)
        result = source.run(statement, rows=ROWS)
        value = value_of(result, statement, source, nodes.get(cited[0].node))
        if claim.operation == EXISTS:
            value = says_yes(value)
        if value != claim.value:
            found = "nothing" if value is None else clipped(worded(value))
            raise Failed("contradicted", f"the statement now finds {found}")
        inside = source.database.name.startswith(INSIDE)
        # a number inside a document is read with the scale of its table
        if not inside and (number := _foreign(value, result.rows)) is not None:
            raise Failed("contradicted", f"the statement finds no row with {number}")
        for citation, pin in zip(cited, pins, strict=True):
            _stands(citation, pin, source, nodes)
        return _again(statement, source, result, pins)
    except PinciteError as error:
        raise Failed("unsupported", f"it could not be read again: {error}") from error


def _foreign(value: Value, rows: Sequence[Sequence[Any]]) -> Decimal | None:
    """The first number of a value that no row holds."""
    held = {_digits(cell) for cell in chain.from_iterable(rows) if isinstance(cell, _NUMBER)}
    for item in value if isinstance(value, tuple) else (value,):
        if isinstance(item, Quantity) and _digits(item.value) not in held:
            return item.value
    return None


def _digits(number: float | Decimal) -> str:
    """The digits of a number that a float can hold."""
    return f"{float(number):.15g}"


def unchanged(
    cited: Sequence[Citation], nodes: Mapping[str, Node], sources: DatabaseSources | None
) -> bool:
    """Whether the citations are of rows as they were indexed, and not of what a statement found.

    Raises Failed when one of these rows now holds something else, is gone, or cannot be read.
    """
    rows = [(each, read_pin(each.anchor.sql), nodes.get(each.node)) for each in cited]
    if any(pin is None or pin.columns or node is None for _, pin, node in rows):
        return False
    for citation, pin, node in rows:
        assert pin is not None and node is not None
        try:
            _is_unchanged(pin, _source(citation, nodes, sources), node, citation.label)
        except PinciteError as error:
            how = f"the row could not be read again: {error}"
            raise Failed("unsupported", how, citation.label) from error
    return True


def _is_unchanged(pin: Pin, source: OpenDatabase, node: Node, label: str) -> None:
    """That the rows of a pin hold what was indexed of them at a node; a value that could not be typed, as it is written."""
    relation = _relation(source, pin, label)
    columns = shown(relation)
    names = [column.name for column in columns]
    names += [column.written for column in columns if column.written]
    for row, cells in zip(pin.rows, _rows(source, relation, pin, names, label), strict=True):
        held = dict(zip(names, cells, strict=True))
        now = [
            held.get(column.written) if held[column.name] is None else held[column.name]
            for column in columns
        ]
        if not all(map(_reads, node.meta["values"], now)):
            how = f"the row {_key(pin, row)} of {pin.relation} has changed since it was indexed"
            raise Failed("contradicted", how, label)


def _rows(
    source: OpenDatabase, relation: Relation, pin: Pin, columns: Sequence[str], label: str
) -> list[tuple[Any, ...]]:
    """What the rows of a pin hold now in these columns; raises Failed when one is gone."""
    found = by_key(source, relation, pin.rows, columns)
    if gone := next((row for row in pin.rows if row not in found), None):
        how = f"the row {_key(pin, gone)} of {pin.relation} no longer exists"
        raise Failed("contradicted", how, label)
    return [found[row] for row in pin.rows]


def _relation(source: OpenDatabase, pin: Pin, label: str) -> Relation:
    """The table that rows are pinned to; raises Failed when it is gone or has another key."""
    named = (known for known in source.database.relations if known.name == pin.relation)
    relation = next(named, None)
    if relation is None or key_of(relation) != pin.key:
        how = f"there is no table {pin.relation} with the key {', '.join(pin.key)}"
        raise Failed("unsupported", how, label)
    return relation


def _reads(kept: object, value: object) -> bool:
    """Whether a cell holds what was kept of it: a long text by its beginning."""
    now = plain(value)
    cut = isinstance(kept, str) and kept.endswith("…") and str(now).startswith(kept[:-1])
    return cut or kept == now


def _source(
    citation: Citation, nodes: Mapping[str, Node], sources: DatabaseSources | None
) -> OpenDatabase:
    pin, node = read_pin(citation.anchor.sql), nodes.get(citation.node)
    assert pin is not None
    why = f"the database {pin.database} is not available"
    if pin.database.startswith(INSIDE):
        why = "the table cited cannot be queried again here"
        if node is None or node.table is None:
            why = f"the table cited in {citation.document or 'the source'} no longer exists"
        elif sources is not None and sources.inside is not None:
            return sources.inside(node)
    elif sources is not None:
        return sources(pin.database)
    raise Failed("unsupported", why, citation.label)


def _stands(citation: Citation, pin: Pin, source: OpenDatabase, nodes: Mapping[str, Node]) -> None:
    """That the cited rows are there and hold what is quoted of them."""
    if citation.anchor.cells:
        places(citation, nodes.get(citation.node))
        return
    if not pin.rows:
        return
    relation = _relation(source, pin, citation.label)
    held = _rows(source, relation, pin, pin.columns, citation.label)
    there = quoted(relation, pin.columns, held)
    if there != citation.quote:
        row, said = _key(pin, pin.rows[0]), clipped(citation.quote)
        how = f"row {row} of {pin.relation} holds '{clipped(there)}', not '{said}'"
        raise Failed("contradicted", how, citation.label)


def _key(pin: Pin, row: Sequence[object]) -> str:
    return ", ".join(f"{name} {value}" for name, value in zip(pin.key, row, strict=True))


def _again(statement: str, source: OpenDatabase, result: Result, pins: Sequence[Pin]) -> str:
    """The statement computed by a second engine over the rows of the views, against what the database makes of it."""
    views = clean_views(source)
    over = over_views(statement, views)
    try:
        if not over or result.truncated:
            raise Uncomputed("it is no statement over views" if not over else "it finds too much")
        found, engine = recomputed(over, views, source)
    except Uncomputed as error:
        return f"the statement was run again and gives the same; no second engine computed it: {error}"
    if not agree(found, result.rows):
        how = f"computed again by {engine}, the statement gives a different result"
        raise Failed("contradicted", how)
    read = sum(len(pin.rows) for pin in pins)
    rows = f"{read:,} row{'' if read == 1 else 's'} read again by key, and " if read else ""
    return f"{rows}computed again by {engine}"
