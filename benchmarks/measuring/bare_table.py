"""A bare table (rows of texts) and paragraphs with no file behind them, as data sets give them: as passages to read.

What is a header is told as of every table whose format does not mark them (`ingest/given_tables.py`); which headers were merged,
and the scale that a paragraph declares, are guessed here, for the data sets leave them out.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from itertools import chain, pairwise

from pincite.document.cell_text import is_number
from pincite.document.times import MONTHS
from pincite.evidence.candidate import Candidate, Passage
from pincite.ingest import given_tables
from pincite.quantity import Declared, declared, find, parse
from pincite.types import Anchor, Cell, Node, Quantity, Table, Value

_PERIODS = """
year years month months week weeks quarter quarters ended ending period periods fiscal dollar dollars
"""
"""Words of a header that stands for all columns."""
_TIMES_AND_UNITS = "|".join((*MONTHS, *_PERIODS.split()))
_SPREADS = re.compile(
    rf"\b(?:{_TIMES_AND_UNITS}|as\s+(?:of|at)|FY\d*|(?:19|20)\d\d)\b"
    r"|thousand|million|billion|[$€£¥%]",
    re.IGNORECASE,
)
"""A lone header over the first column stands for all columns when it is a time or a unit; other words belong to their column."""


def document_of(rows: list[list[str]], paragraphs: list[str]) -> list[Passage]:
    """The passages of a bare table (a list of rows of texts) and the paragraphs around it, the table first."""
    source = hashlib.sha256(repr((rows, paragraphs)).encode()).hexdigest()
    table = table_of(rows, paragraphs)
    text = "\n".join(" | ".join(row) for row in rows)
    nodes = [Node(f"{source[:12]}-t", "table", text, Anchor(source), table=table)] if rows else []
    nodes += [
        Node(f"{source[:12]}-{n}", "paragraph", p, Anchor(source), order=n)
        for n, p in enumerate(paragraphs, 1)
    ]
    return [Passage(node, document=source[:12]) for node in nodes]


def table_of(rows: list[list[str]], paragraphs: list[str]) -> Table:
    """Guess what a bare grid leaves out: headers, merged header cells, the declared scale."""
    width = max(map(len, rows), default=0)
    rows = [[*row, *[""] * (width - len(row))] for row in rows]
    head, columns = _headers(rows)
    cells: list[Cell] = []
    for at, row in enumerate(rows):
        cells += _cells(at, row, _spans(row, columns, rows[at + 1 : head]) if at < head else {})
    caption = next(filter(_leads_in, paragraphs), "")
    stated = _stated(rows, head, columns, paragraphs)
    return Table(tuple(cells), head, columns, caption, stated.scale, stated.unit, stated.unscaled)


def _leads_in(paragraph: str) -> bool:
    """Whether a paragraph leads to the table below it."""
    return paragraph.rstrip().endswith(":")


def _stated(rows: list[list[str]], head: int, columns: int, paragraphs: list[str]) -> Declared:
    """The scale and unit of a table: as its headers or the text declare them, else as amounts of the text show the scale."""
    body = rows[head:]
    headers = [text for text in chain.from_iterable(rows[:head]) if text.strip()]
    headers += [row[0] for row in body if not any(map(str.strip, row[columns:]))]
    stated = _declared(headers, rows[0][0] if rows else "", paragraphs)
    if stated.scale != 1:
        return stated
    return replace(
        stated, scale=_agreed(chain.from_iterable(row[columns:] for row in body), paragraphs)
    )


def _cells(at: int, row: list[str], spans: Mapping[int, int]) -> Iterator[Cell]:
    """The cells of a row: those that are merged over columns, then every other that says something."""
    covered: set[int] = set()
    for column, span in spans.items():
        covered.update(range(column, column + span))
        yield Cell(at, column, row[_filled(row, column, span)], column_span=span)
    for column, text in enumerate(row):
        if text.strip() and column not in covered:
            yield Cell(at, column, text)


_STATES = re.compile(
    r"""
\(([^()]*\b(?:thousands|millions|billions)\b[^()]*+)\)|\b((?:expressed\s++|stated\s++|presented\s++|
reported\s++|amounts\s++|dollars\s++|figures\s++|table\s++)?\bin\s++(?:[A-Z]\S*+\s++)?(?:thousands|
millions|billions|[$€£¥][’']?000[’']?s?)\b(?:\s++of\s++[\w.\s]{2,20})?(?:,?\s++except[^.;:)]*+)?)
""",
    re.VERBOSE | re.IGNORECASE,
)
"""How a paragraph beside a table declares what its numbers are in; an amount in running text ("$2 million") is none."""


def _declared(headers: list[str], corner: str, paragraphs: list[str]) -> Declared:
    """What the whole table is in: the first header that names a scale, else a paragraph that does; a unit from the corner."""
    spoken = [corner, *headers]
    for paragraph in sorted(paragraphs, key=lambda text: not _leads_in(text)):
        spoken += [match[1] or match[2] for match in _STATES.finditer(paragraph)]
    return next(
        (stated for stated in map(declared, spoken) if stated.scale != 1), declared(corner)
    )


def _agreed(cells: Iterable[str], paragraphs: list[str]) -> Decimal:
    """The scale under which cells agree with amounts that the text spells out ("$24.9 million" beside a cell "24.9").

    Only numbers of three digits or more speak, and 1 when none agree: agreement of short numbers is chance.
    """
    said = chain.from_iterable(map(find, paragraphs))
    spelled = [
        found.quantity for found in said if found.quantity.scale > 1 and _is_long(found.quantity)
    ]
    written = filter(None, map(parse, filter(is_number, cells)))
    votes: Counter[Decimal] = Counter()
    for value in {quantity.value for quantity in written if _is_long(quantity)}:
        for scale in _SCALES:
            votes[scale] += any(_rounds(abs(value) * scale, quantity) for quantity in spelled)
    best = max(votes, key=lambda scale: votes[scale], default=Decimal(1))
    return best if votes[best] else Decimal(1)


_SCALES = (Decimal(10) ** 3, Decimal(10) ** 6, Decimal(10) ** 9)


def _is_long(quantity: Quantity) -> bool:
    return len(quantity.value.as_tuple().digits) > 2


def _rounds(amount: Decimal, said: Quantity) -> bool:
    step = Decimal(1).scaleb(int(said.value.as_tuple().exponent)) * said.scale
    return abs(amount - abs(said.amount)) * 2 <= step


def items_and_scale(candidate: Candidate) -> tuple[list[str], str]:
    """How a value is said beside a table: its items as strings and one scale word for all of them.

    The scale is thousand, million, billion, percent or "". A value taken from a place keeps its writing; a computed one
    is rounded to two decimals.
    """
    scales = [_scale(value) for value in candidate.values if isinstance(value, Quantity)]
    return [_said(value, bool(candidate.operation)) for value in candidate.values], scales[
        0
    ] if scales else ""


def _said(value: Value, computed: bool) -> str:
    if not isinstance(value, Quantity):
        return str(value)
    if value.text and not computed:
        return value.text
    rounded = value.value.quantize(Decimal("0.01"), ROUND_HALF_UP)
    return f"{rounded.normalize():f}"


def _scale(value: Quantity) -> str:
    if re.search(r"[a-z]", value.text, re.I):
        return ""
    if value.unit == "%":
        return "percent"
    return {3: "thousand", 6: "million", 9: "billion"}.get(value.scale.adjusted(), "")


def _headers(rows: list[list[str]]) -> tuple[int, int]:
    """How many rows and columns are headers, as of any table that comes without a mark of them."""
    cells = [
        Cell(at, column, text) for at, row in enumerate(rows) for column, text in enumerate(row)
    ]
    given = given_tables.table_of(cells)
    return (given.header_rows, max(1, given.header_columns)) if given is not None else (1, 1)


def _spans(row: list[str], columns: int, below: list[list[str]]) -> dict[int, int]:
    """Which columns each header text covers, where blanks beside it show that it was merged: {first column: columns}."""
    width = len(row)
    filled = [column for column in range(columns, width) if row[column].strip()]
    if not _may_be_merged(row, columns, filled, below):
        return {}
    step, rest = divmod(width - columns, len(filled))
    starts = [columns + step * at for at in range(len(filled))]
    if not rest and all(
        start <= column < start + step for column, start in zip(filled, starts, strict=True)
    ):
        return dict.fromkeys(starts, step)
    spans = {start: end - start for start, end in pairwise(filled)}
    return {**spans, filled[-1]: min(width - filled[-1], max(spans.values(), default=width))}


def _may_be_merged(
    row: list[str], columns: int, filled: list[int], below: list[list[str]]
) -> bool:
    """Whether header texts may cover the blanks beside them; several only above another header row."""
    if not filled or len(filled) == len(row) - columns:
        return False
    if len(filled) > 1:
        return bool(below)
    return bool(below and filled[0] != columns) or _SPREADS.search(row[filled[0]]) is not None


def _filled(row: list[str], start: int, span: int) -> int:
    return next((c for c in range(start, start + span) if row[c].strip()), start)
