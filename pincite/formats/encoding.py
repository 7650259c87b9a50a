"""Data types to JSON and back, exactly: the form that SQLite, answers and exports store.."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import fields
from decimal import Decimal
from itertools import chain
from types import UnionType
from typing import Any

from pincite.types import (
    Anchor,
    Answer,
    Box,
    Cell,
    Check,
    Citation,
    Claim,
    Correction,
    Node,
    Possible,
    Quantity,
    Query,
    Reading,
    Table,
    Value,
)


def dumps(value: Any) -> str:
    """Compact JSON, the same text for the same value."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _box(box: Box | None) -> list[float] | None:
    return None if box is None else [round(x, 2) for x in box]


def _unbox(given: list[float] | None) -> Box | None:
    return None if given is None else (given[0], given[1], given[2], given[3])


def anchor_to(anchor: Anchor) -> dict[str, Any]:
    """An anchor without its empty parts."""
    spots = [[page, _box(box)] for page, box in anchor.spots]
    rare = {"cells": list(map(list, anchor.cells)), "path": anchor.path, "sql": anchor.sql}
    return {"source": anchor.source, "spots": spots} | _filled(rare)


def _filled(parts: dict[str, Any]) -> dict[str, Any]:
    """The parts that hold something."""
    return {name: value for name, value in parts.items() if value}


def _fields(kind: type[Any], value: Any) -> dict[str, Any]:
    """The fields of a data class as they are, by name, in their order; a subclass may have more, which are not stored."""
    return {field.name: getattr(value, field.name) for field in fields(kind)}


def anchor_from(given: dict[str, Any]) -> Anchor:
    """What `anchor_to` made."""
    return Anchor(
        given["source"],
        tuple((page, _unbox(box)) for page, box in given["spots"]),
        tuple((row, column) for row, column in given.get("cells", ())),
        given.get("path", ""),
        given.get("sql", ""),
    )


FAR = 400
"""The highest power of ten that a number which is read may have: one such as 1e999999999 would fill the memory in words."""
WIDE = 1 << 24
"""The most places of a table that is read, as many as its rows times its columns: those that are empty too."""


def _decimal(text: str) -> Decimal:
    made = Decimal(text)
    if not made.is_finite() or abs(made.adjusted()) > FAR:
        raise ValueError(f"{text[:40]!r} is not a number that can be read")
    return made


def refuse_wide(table: Table) -> None:
    """Raise ValueError for a table that nobody writes: with more than WIDE places, or with places that it does not have."""
    rows = columns = area = 0
    for cell in table.cells:
        if min(cell.row, cell.column) < 0 or min(cell.row_span, cell.column_span) < 1:
            raise ValueError(f"a table has no cell at row {cell.row}, column {cell.column}")
        rows = max(rows, cell.row + cell.row_span)
        columns = max(columns, cell.column + cell.column_span)
        area += cell.row_span * cell.column_span
    headed = 0 <= table.header_rows <= WIDE >= table.header_columns >= 0
    if max(rows * columns, area) > WIDE or not headed:
        raise ValueError(
            f"a table of {rows:,} rows and {columns:,} columns is too large to be read"
        )


def refuse_odd(node: Node) -> None:
    """Raise ValueError or TypeError for a node that nobody writes: with values of other types than ours, or such a table."""
    anchor = node.anchor
    place = anchor.source, anchor.path, anchor.sql
    _refuse_other(str, (node.id, node.kind, node.text, node.parent, *place))
    _refuse_other(int | float, (node.order, *chain.from_iterable(anchor.cells)))
    for page, box in anchor.spots:
        _refuse_other(int | float, (page, *(box or ())))
    if node.table is not None:
        _refuse_odd_table(node.table)
    if "parallel" in node.meta and "languages" not in node.meta:
        raise ValueError("a page repeats another page in another language, but does not say which")
    for name, kind in _META.items():
        if name in node.meta and not _is_of(node.meta[name], kind):
            raise TypeError(f"{name!r} of a node is {node.meta[name]!r:.60}")


def _refuse_odd_table(table: Table) -> None:
    _refuse_other(str, (table.caption, table.unit))
    numbers = table.header_rows, table.header_columns, table.page
    _refuse_other(int | float, (*numbers, *(table.box or ())))
    for cell in table.cells:
        _refuse_other(str, (cell.text, *cell.marks))
        place = cell.row, cell.column, cell.row_span, cell.column_span, cell.page
        _refuse_other(int | float, (*place, *(cell.box or ())))
    refuse_wide(table)


def _refuse_other(kind: type | UnionType, values: Iterable[Any]) -> None:
    if not all(isinstance(value, kind) for value in values):
        raise TypeError("a node holds something other than texts and numbers")


_META: dict[str, type | tuple[type]] = {
    "starts": (int,), "languages": (str,), "values": (object,), "headings": (str,), "notes": dict, "parallel": int, "level": int,
    "continues": str,
}  # fmt: skip
"""What the meta of a node holds, of those that the readers rely on; of a list, what it is of."""


def _is_of(value: Any, kind: type | tuple[type]) -> bool:
    if isinstance(kind, tuple):
        return isinstance(value, list | tuple) and all(isinstance(item, kind) for item in value)
    return isinstance(value, kind)


def _cell_to(cell: Cell) -> list[Any]:
    made = [cell.row, cell.column, cell.text, cell.row_span, cell.column_span, _box(cell.box)]
    return [*made, cell.page, list(cell.marks)] if cell.page or cell.marks else made


def _cell_from(given: list[Any]) -> Cell:
    row, column, text, row_span, column_span, box, *more = given
    page, marks = more or (0, ())
    return Cell(row, column, text, row_span, column_span, _unbox(box), page, tuple(marks))


def table_to(table: Table) -> dict[str, Any]:
    """A table with each cell as [row, column, text, row span, column span, box, page, marks], the last two where there are."""
    made: dict[str, Any] = {
        "cells": list(map(_cell_to, table.cells)),
        "headers": [table.header_rows, table.header_columns],
        "caption": table.caption,
        "scale": str(table.scale),
        "unit": table.unit,
        "unscaled": table.unscaled,
        "page": table.page,
        "box": _box(table.box),
    }
    return made | {"comma": True} if table.comma else made


def table_from(given: dict[str, Any]) -> Table:
    """What `table_to` made."""
    cells, scale = tuple(map(_cell_from, given["cells"])), _decimal(given["scale"])
    rows, columns = given["headers"]
    box = _unbox(given["box"])
    unit, unscaled, page = given["unit"], given["unscaled"], given["page"]
    comma = given.get("comma", False)
    return Table(cells, rows, columns, given["caption"], scale, unit, unscaled, page, box, comma)


def node_to(node: Node) -> dict[str, Any]:
    """A node as one object."""
    table = table_to(node.table) if node.table else None
    return _fields(Node, node) | {
        "anchor": anchor_to(node.anchor), "table": table, "meta": dict(node.meta),
    }  # fmt: skip


def node_from(given: dict[str, Any]) -> Node:
    """What `node_to` made."""
    identity, kind, text, parent, order = (
        given[name] for name in ("id", "kind", "text", "parent", "order")
    )
    table = table_from(given["table"]) if given["table"] else None
    return Node(
        identity, kind, text, anchor_from(given["anchor"]), parent, order, table, given["meta"]
    )


def value_to(value: Value) -> Any:
    """A value tagged by its type, so that `value_from` makes the same one again."""
    if isinstance(value, Quantity):
        made = _fields(Quantity, value) | {"value": str(value.value), "scale": str(value.scale)}
        if value.low is None or value.high is None:
            del made["low"], made["high"]
        else:
            made |= {"low": str(value.low), "high": str(value.high)}
        return {"quantity": made}
    if isinstance(value, Table):
        return {"table": table_to(value)}
    if isinstance(value, tuple):
        return {"list": list(map(value_to, value))}
    return value


def value_from(given: Any) -> Value:
    """What `value_to` made."""
    if not isinstance(given, dict):
        return given  # type: ignore[no-any-return]
    if "table" in given:
        return table_from(given["table"])
    if "list" in given:
        return tuple(map(value_from, given["list"]))
    held = given["quantity"]
    value, scale = _decimal(held["value"]), _decimal(held["scale"])
    low, high = (_decimal(held[end]) if end in held else None for end in ("low", "high"))
    rest = (held[name] for name in ("approximate", "period", "text"))
    return Quantity(value, held["unit"], scale, low, high, *rest)


def query_to(query: Query) -> list[Any]:
    """A question as its parts in order."""
    where = [[name, list(values)] for name, values in query.where]
    parts = [query.text, where, query.expects, query.unit, query.derived, query.silence]
    ignored = query.corrections if query.corrections != "use" else ""
    rest = [list(query.refines), query.as_of, list(query.without), ignored]
    while rest and not rest[-1]:
        rest.pop()
    return [*parts, *rest]


def query_from(given: list[Any]) -> Query:
    """What `query_to` made."""
    text, where, expects, unit, derived, silence, *rest = given
    filters = tuple((name, tuple(values)) for name, values in where)
    parts = text, filters, expects, unit, derived, silence
    empty: tuple[Any, ...] = ((), "", (), "use")
    refines, as_of, without, corrections = (*rest, *empty[len(rest) :])
    return Query(*parts, tuple(refines), as_of, tuple(without), corrections)


def citation_to(citation: Citation) -> dict[str, Any]:
    """A citation as one object."""
    return _fields(Citation, citation) | {"anchor": anchor_to(citation.anchor)}


def citation_from(given: dict[str, Any]) -> Citation:
    """What `citation_to` made."""
    label, node, quote, document = (given[name] for name in ("label", "node", "quote", "document"))
    return Citation(label, node, anchor_from(given["anchor"]), quote, document)


_OF_CLAIM = ("subject", "period", "operation")


def _claim_to(claim: Claim) -> dict[str, Any]:
    """A claim without its empty parts."""
    made = {"text": claim.text, "value": value_to(claim.value), "citations": list(claim.citations)}
    return made | _filled({name: getattr(claim, name) for name in _OF_CLAIM})


def _claim_from(given: dict[str, Any]) -> Claim:
    value, citations = value_from(given["value"]), tuple(given["citations"])
    return Claim(given["text"], value, citations, *(given.get(name, "") for name in _OF_CLAIM))


def _possible_to(possible: Possible) -> list[Any]:
    """A possible answer as its parts in order."""
    citation = possible.citation and citation_to(possible.citation)
    return [value_to(possible.value), citation, possible.confidence]


def _possible_from(given: dict[str, Any]) -> tuple[Possible, ...]:
    """The possible answers of a stored answer; an answer stored with bare `alternatives` told no place and no chance."""
    if "alternatives" in given:
        return tuple(Possible(value_from(value), None, 0.0) for value in given["alternatives"])
    return tuple(
        Possible(value_from(value), citation and citation_from(citation), confidence)
        for value, citation, confidence in given["possible"]
    )


def _reading_to(reading: Reading) -> list[Any]:
    mapping, unmapped = list(map(list, reading.mapping)), list(reading.unmapped)
    return [*(_fields(Reading, reading) | {"mapping": mapping, "unmapped": unmapped}).values()]


def _reading_from(given: list[Any]) -> Reading:
    database, statement, meaning, mapping, unmapped, date = given
    pairs = tuple((words, taken) for words, taken in mapping)
    return Reading(database, statement, meaning, pairs, tuple(unmapped), date)


_RARE = ("reading", "others", "date", "claims", "stands", "corrected", "model_explanation")
"""What of an answer is stored only where it holds something."""


def answer_to(answer: Answer) -> dict[str, Any]:
    """An answer as one object that `answer_from` reads back."""
    made = _fields(Answer, answer) | {
        "query": query_to(answer.query),
        "value": value_to(answer.value),
        "citations": list(map(citation_to, answer.citations)),
        "checks": [[c.claim, c.verdict, c.citation, c.how, c.answers] for c in answer.checks],
        "possible": list(map(_possible_to, answer.possible)),
        "read": list(answer.read),
        "reading": answer.reading and _reading_to(answer.reading),
        "others": list(map(answer_to, answer.others)),
        "claims": list(map(_claim_to, answer.claims)),
        "corrected": answer.corrected and list(_fields(Correction, answer.corrected).values()),
    }
    return {name: value for name, value in made.items() if value or name not in _RARE}


def answer_from(given: dict[str, Any]) -> Answer:
    """What `answer_to` made."""
    return Answer(
        query_from(given["query"]),
        given["text"],
        value_from(given["value"]),
        tuple(map(citation_from, given["citations"])),
        tuple(Check(*check) for check in given["checks"]),
        given["confidence"],
        given["reason"],
        _possible_from(given),
        tuple(given["read"]),
        _reading_from(given["reading"]) if given.get("reading") is not None else None,
        tuple(map(answer_from, given.get("others", ()))),
        given.get("date", ""),
        tuple(map(_claim_from, given.get("claims", ()))),
        given.get("stands", ""),
        Correction(*given["corrected"]) if "corrected" in given else None,
        given.get("model_explanation", ""),
    )


NodeRow = tuple[str, str, int, int, str, str, str, str, str]
"""A node as it is stored: id, kind, page, place, parent, text, and anchor, grid and meta as JSON."""


def node_rows(nodes: Iterable[Node], first: int = 0) -> list[NodeRow]:
    """Nodes as they are stored, without their document's version, `first` being the place of the first of them."""
    return [
        (
            node.id, node.kind, node.anchor.page, place, node.parent, node.text, dumps(anchor_to(node.anchor)),
            dumps(table_to(node.table)) if node.table else "", dumps(dict(node.meta)),
        )
        for place, node in enumerate(nodes, first)
    ]  # fmt: skip
