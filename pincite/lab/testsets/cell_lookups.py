"""Look-ups of table cells: what is the value under this column for this row, in words that lead to one value only."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pincite.document.table_headers import STEP
from pincite.document.table_text import body
from pincite.lab.testsets.gold_rows import Row, number_gold, row_anchor, row_of
from pincite.quantity import Declared, declared, exempt, find, parse, periods
from pincite.types import Cell, Document, Node, Quantity, Table

LONGEST = 80
"""Characters of a label or header that somebody would say; longer ones are mostly cells run together."""
_NO_VALUES = re.compile(
    r"\b(?:notes?|page|ref(?:erence)?s?|no\.?|item|exhibit|code|id|#)\b", re.IGNORECASE
)
_AMOUNT = re.compile(r"\d,\d{3}|[$€£¥]\s?\d|\d\s?%|\d{5,}")
_ONE_NUMBER = re.compile(r"[$€£¥\s]*+(?:[A-Z]{3}\s)?\d[\d.,]*+\s?(?:%|[A-Za-z²³/]{1,8})?")
_MARK = re.compile(r"(?<![\s*†‡§:.…])(?:\s*+(?:\((?:\d{1,2}|[a-z])\)|\[\w{1,2}\]|[*†‡§:.…]))++$")
_AT = re.compile(r"^(?:for|as of|at|in)\s(?:the\s)?", re.IGNORECASE)
_TIME_WORDS = re.compile(
    r"\b(?:fiscal|financial|years?|months?|quarters?|weeks?|ended|ending|end|as|of|at|for|the|on|in|to|fy|and|three|six|nine|twelve)\b"
    r"|[\W\d_]",
    re.IGNORECASE,
)


_GENERAL = re.compile(
    r"(?:(?:sub-?)?totals?|others?|net|gross|sum|amounts?|balances?|averages?|mean|median|all|basic|diluted|low|high|min(?:imum)?"
    r"|max(?:imum)?|current|non-?current|yes|no|male|female|men|women|value|number|change|various|and|of|[\W\d_])++"
)
"""Labels that say nothing without what stands above them."""

Key = tuple[str, ...]
"""Column, row, the section above it and the table, in lower case: as much of it as is said."""


class AskedCell(NamedTuple):
    """A cell that can be asked for, with the words that name it."""

    node: Node
    cell: Cell
    quantity: Quantity
    column: str
    label: tuple[str, ...]
    caption: str


def lookups(document: Document, name: str) -> list[Row]:
    """A question for every cell that its row, its column and where needed its section and table name unmistakably."""
    named: dict[Key, list[AskedCell]] = {}
    for node in document.nodes:
        for cell in cells(node, node.table) if node.kind == "table" and node.table else ():
            for key in _keys(cell):
                named.setdefault(key, []).append(cell)
    made: dict[tuple[str, int, int], Row] = {}
    # the shortest words that lead to a cell are those it is asked for by
    for key in sorted(named, key=len):
        same = named[key]
        places = {(alike.node.id, alike.cell.row, alike.cell.column) for alike in same}
        if (
            len({(alike.quantity.amount, alike.quantity.unit) for alike in same}) == 1
            and not places & made.keys()
        ):
            row = _question(document, name, key, same)
            made |= dict.fromkeys(places, row)
    return list({row["id"]: row for row in made.values()}.values())


def cells(node: Node, table: Table) -> Iterator[AskedCell]:
    """The cells of a table that hold a number under a header of their own, beside a label of their own."""
    rows = body(table)
    if not table.header_rows or not table.header_columns or len(rows) < 2:
        return
    heads = [_said(header) for header, _ in rows[0][2]]
    for number, path, held in rows:
        label = tuple(_said(part) for part in path.split(STEP))
        found = parse(f"1 {label[-1]}") if len(label) > 1 else None
        beside = Declared(found.scale, found.unit) if found is not None and found.unit else None
        label = label[:-1] if beside else label  # a column of units beside the one of names
        if (
            not _sayable(label[-1])
            or path.rstrip().endswith(":")
            or sum(path == other for _, other, _ in rows) > 1
        ):
            continue
        for head, (_, cell) in zip(heads, held, strict=True):
            if cell is None or cell.row != number or heads.count(head) > 1 or not _heads(head):
                continue
            quantity = _quantity(table, cell.text, path, head, beside)
            if quantity is not None:
                yield AskedCell(node, cell, quantity, head, label, _said(table.caption))


def _quantity(
    table: Table, text: str, label: str, head: str, beside: Declared | None
) -> Quantity | None:
    """The number that a cell is, with what its row, header or table declares; None for what has more than one answer.

    Years and ranges do, and a cost in parentheses, which is asked for with and without its sign.
    """
    if not _ONE_NUMBER.fullmatch(text.strip()):
        return None
    own = beside or declared(head)
    if own.unit or own.scale != 1:
        scale, unit = own.scale, own.unit
    elif exempt(table.unscaled, f"{label} {head}") or (
        table.unit and declared(label).unit not in ("", table.unit)
    ):
        scale, unit = declared(label).scale, declared(label).unit
    else:
        scale, unit = table.scale, table.unit
    found = parse(text, scale=scale, unit=unit)
    return (
        found
        if found is not None and found.value > 0 and found.low is None and found.unit != "year"
        else None
    )


def _keys(asked: AskedCell) -> Iterator[Key]:
    """The ways to name a cell, the shortest first: row and column, with its section, with its table."""
    leaf, *above = reversed([part.casefold() for part in asked.label])
    if not _GENERAL.fullmatch(leaf) and not _is_time(leaf):
        yield asked.column.casefold(), leaf
    if above and not _GENERAL.fullmatch(above[0]):
        yield asked.column.casefold(), leaf, above[0]
    if _titles(asked.caption):
        yield asked.column.casefold(), leaf, above[0] if above else "", asked.caption.casefold()


def _question(document: Document, name: str, key: Key, same: Sequence[AskedCell]) -> Row:
    """The question for the first of some cells that the same words lead to, and that hold the same."""
    first = same[0]
    leaf, *above = reversed(first.label)
    section = f' under "{above[0]}"' if len(key) > 2 and above else ""
    where = f' in the table "{first.caption}"' if len(key) > 3 else ""
    if _is_time(first.column):
        question = f'According to {name}, what was "{leaf}"{section} for {_AT.sub("", first.column)}{where}?'
    else:
        question = f'According to {name}, what is the figure for "{leaf}"{section} in the column "{first.column}"{where}?'
    found = periods(first.column)
    nodes = list({other.node.id: other.node for other in same}.values())
    pages = [row_anchor(other.node, other.cell.row).page for other in same]
    return row_of(
        question, document, nodes, pages, "lookup", f"{first.node.id} {first.cell.row} {first.cell.column}",
        number_gold(first.quantity, first.cell.text.strip()), cells=[[first.cell.row, first.cell.column]],
        row=STEP.join(first.label), column=first.column, caption=first.caption, period=found[0].text if found else "",
    )  # fmt: skip


def _said(text: str) -> str:
    """A label or header without footnote marks and leaders."""
    return _MARK.sub("", " ".join(text.split()))


def _sayable(text: str) -> bool:
    return (
        3 <= len(text) <= LONGEST and sum(map(str.isalpha, text)) >= 3 and not _AMOUNT.search(text)
    )


def _titles(caption: str) -> bool:
    return _sayable(caption) and len(caption.split()) > 1


def _heads(head: str) -> bool:
    """Whether a header names a kind of value or a time, and holds no values itself."""
    if _NO_VALUES.search(head) or any(quantity.quantity.unit != "year" for quantity in find(head)):
        return False
    return bool(periods(head)) and len(head) <= LONGEST or _sayable(head)


def _is_time(head: str) -> bool:
    """Whether a header is a time and nothing else."""
    rest = head
    for period in periods(head):
        rest = rest.replace(period.text, " ")
    return bool(periods(head)) and not _TIME_WORDS.sub("", rest)
