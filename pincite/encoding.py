"""Data types to JSON and back, exactly: the form that SQLite, answers and exports store. Level 0."""

from __future__ import annotations

import json
from collections.abc import Iterable
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
    made: dict[str, Any] = {
        "source": anchor.source,
        "spots": [[page, _box(box)] for page, box in anchor.spots],
    }
    if anchor.cells:
        made["cells"] = [list(cell) for cell in anchor.cells]
    if anchor.path:
        made["path"] = anchor.path
    if anchor.sql:
        made["sql"] = anchor.sql
    return made


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
        rows, columns = (
            max(rows, cell.row + cell.row_span),
            max(columns, cell.column + cell.column_span),
        )
        area += cell.row_span * cell.column_span
    if (
        rows * columns > WIDE
        or area > WIDE
        or not 0 <= table.header_rows <= WIDE >= table.header_columns >= 0
    ):
        raise ValueError(
            f"a table of {rows:,} rows and {columns:,} columns is too large to be read"
        )


def refuse_odd(node: Node) -> None:
    """Raise ValueError or TypeError for a node that nobody writes: with values of other types than ours, or such a table."""
    anchor = node.anchor
    _refuse_other(
        str, (node.id, node.kind, node.text, node.parent, anchor.source, anchor.path, anchor.sql)
    )
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
    _refuse_other(
        int | float, (table.header_rows, table.header_columns, table.page, *(table.box or ()))
    )
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


def _rest_of(more: list[Any]) -> tuple[int, tuple[str, ...]]:
    return (more[0], tuple(more[1])) if more else (0, ())


def table_to(table: Table) -> dict[str, Any]:
    """A table with each cell as [row, column, text, row span, column span, box, page, marks], the last two where there are."""
    made: dict[str, Any] = {
        "cells": [_cell_to(cell) for cell in table.cells],
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
    return Table(
        tuple(
            Cell(r, c, text, rs, cs, _unbox(box), *_rest_of(more))
            for r, c, text, rs, cs, box, *more in given["cells"]
        ),
        given["headers"][0],
        given["headers"][1],
        given["caption"],
        _decimal(given["scale"]),
        given["unit"],
        given["unscaled"],
        given["page"],
        _unbox(given["box"]),
        given.get("comma", False),
    )


def node_to(node: Node) -> dict[str, Any]:
    """A node as one object."""
    return {
        "id": node.id,
        "kind": node.kind,
        "text": node.text,
        "anchor": anchor_to(node.anchor),
        "parent": node.parent,
        "order": node.order,
        "table": table_to(node.table) if node.table else None,
        "meta": dict(node.meta),
    }


def node_from(given: dict[str, Any]) -> Node:
    """What `node_to` made."""
    return Node(
        given["id"],
        given["kind"],
        given["text"],
        anchor_from(given["anchor"]),
        given["parent"],
        given["order"],
        table_from(given["table"]) if given["table"] else None,
        given["meta"],
    )


def value_to(value: Value) -> Any:
    """A value tagged by its type, so that `value_from` makes the same one again."""
    if isinstance(value, Quantity):
        made: dict[str, Any] = {
            "value": str(value.value),
            "unit": value.unit,
            "scale": str(value.scale),
        }
        if value.low is not None and value.high is not None:
            made["low"], made["high"] = str(value.low), str(value.high)
        return {
            "quantity": {
                **made,
                "approximate": value.approximate,
                "period": value.period,
                "text": value.text,
            }
        }
    if isinstance(value, Table):
        return {"table": table_to(value)}
    if isinstance(value, tuple):
        return {"list": [value_to(item) for item in value]}
    return value


def value_from(given: Any) -> Value:
    """What `value_to` made."""
    if not isinstance(given, dict):
        return given  # type: ignore[no-any-return]
    if "table" in given:
        return table_from(given["table"])
    if "list" in given:
        return tuple(value_from(item) for item in given["list"])
    q = given["quantity"]
    low, high = (_decimal(q[end]) if end in q else None for end in ("low", "high"))
    return Quantity(
        _decimal(q["value"]),
        q["unit"],
        _decimal(q["scale"]),
        low,
        high,
        q["approximate"],
        q["period"],
        q["text"],
    )


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
    empty: tuple[Any, ...] = ((), "", (), "use")
    refines, as_of, without, corrections = (*rest, *empty[len(rest) :])
    return Query(
        text,
        filters,
        expects,
        unit,
        derived,
        silence,
        tuple(refines),
        as_of,
        tuple(without),
        corrections,
    )


def citation_to(citation: Citation) -> dict[str, Any]:
    """A citation as one object."""
    label, node, quote, document = citation.label, citation.node, citation.quote, citation.document
    return {
        "label": label,
        "node": node,
        "anchor": anchor_to(citation.anchor),
        "quote": quote,
        "document": document,
    }


def citation_from(given: dict[str, Any]) -> Citation:
    """What `citation_to` made."""
    return Citation(
        given["label"],
        given["node"],
        anchor_from(given["anchor"]),
        given["quote"],
        given["document"],
    )


def claim_to(claim: Claim) -> dict[str, Any]:
    """A claim without its empty parts."""
    made: dict[str, Any] = {
        "text": claim.text,
        "value": value_to(claim.value),
        "citations": list(claim.citations),
    }
    parts = (("subject", claim.subject), ("period", claim.period), ("operation", claim.operation))
    return made | {name: part for name, part in parts if part}


def claim_from(given: dict[str, Any]) -> Claim:
    """What `claim_to` made."""
    subject, period, operation = (
        given.get(name, "") for name in ("subject", "period", "operation")
    )
    return Claim(
        given["text"],
        value_from(given["value"]),
        tuple(given["citations"]),
        subject,
        period,
        operation,
    )


def possible_to(possible: Possible) -> list[Any]:
    """A possible answer as its parts in order."""
    citation = possible.citation and citation_to(possible.citation)
    return [value_to(possible.value), citation, possible.confidence]


def possible_from(given: dict[str, Any]) -> tuple[Possible, ...]:
    """The possible answers of a stored answer; an answer stored with bare `alternatives` told no place and no chance."""
    if "alternatives" in given:
        return tuple(Possible(value_from(value), None, 0.0) for value in given["alternatives"])
    return tuple(
        Possible(value_from(value), citation and citation_from(citation), confidence)
        for value, citation, confidence in given["possible"]
    )


def answer_to(answer: Answer) -> dict[str, Any]:
    """An answer as one object that `answer_from` reads back."""
    made: dict[str, Any] = {
        "query": query_to(answer.query),
        "text": answer.text,
        "value": value_to(answer.value),
        "citations": [citation_to(citation) for citation in answer.citations],
        "checks": [[c.claim, c.verdict, c.citation, c.how, c.answers] for c in answer.checks],
        "confidence": answer.confidence,
        "reason": answer.reason,
        "possible": [possible_to(possible) for possible in answer.possible],
        "read": list(answer.read),
    }
    if (reading := answer.reading) is not None:
        mapping = [list(pair) for pair in reading.mapping]
        unmapped = list(reading.unmapped)
        made["reading"] = [
            reading.database,
            reading.statement,
            reading.meaning,
            mapping,
            unmapped,
            reading.date,
        ]
    said = answer.corrected
    rare = {
        "others": [answer_to(other) for other in answer.others],
        "date": answer.date,
        "claims": [claim_to(claim) for claim in answer.claims],
        "stands": answer.stands,
        "corrected": said and [said.review, said.by, said.at, said.how, said.note, said.unused],
        "model_explanation": answer.model_explanation,
    }
    return made | {name: value for name, value in rare.items() if value}


def _reading_from(given: list[Any] | None) -> Reading | None:
    if given is None:
        return None
    database, statement, meaning, mapping, unmapped, date = given
    return Reading(
        database, statement, meaning, tuple((a, b) for a, b in mapping), tuple(unmapped), date
    )


def answer_from(given: dict[str, Any]) -> Answer:
    """What `answer_to` made."""
    return Answer(
        query_from(given["query"]),
        given["text"],
        value_from(given["value"]),
        tuple(citation_from(citation) for citation in given["citations"]),
        tuple(Check(*check) for check in given["checks"]),
        given["confidence"],
        given["reason"],
        possible_from(given),
        tuple(given["read"]),
        _reading_from(given.get("reading")),
        tuple(answer_from(other) for other in given.get("others", ())),
        given.get("date", ""),
        tuple(claim_from(claim) for claim in given.get("claims", ())),
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
