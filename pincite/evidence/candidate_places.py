"""The place of a candidate as the judge of evidence reads it: a cell with its labels, or a sentence under its heading."""

from __future__ import annotations

import re
from pathlib import PurePath

from pincite.document.labelled_cells import Labelled, Labels, labels
from pincite.document.sentence_spans import sentences
from pincite.evidence.candidate import Evidence
from pincite.evidence.judge_input import CellPlace, Place, SentencePlace
from pincite.ingest.tree import section_path
from pincite.types import Table

BESIDE = 8
"""The most neighbours of a cell; of what they say as much is read as fits."""
_PARTED = re.compile(r"[\W_]+")
LONG = 10
"""A value of more words than these is the sentence itself."""


def placed(evidence: Evidence) -> Place:
    """The place of `evidence`; it is called by its document's name, where that says something, and its last heading."""
    table = evidence.node.table
    heading = section_path(evidence.node).rsplit(" > ", 1)[-1]
    title = _title(evidence.document)
    if evidence.cells and table is not None:
        return _cell(table, evidence.cells[0], title, heading)
    return _sentence(evidence, " - ".join(part for part in (title, heading) if part))


def _title(document: str) -> str:
    """The name of a document in words; nothing where it is a number or a hash."""
    words = [word for word in _PARTED.split(PurePath(document).stem) if word]
    return " ".join(words) if any(word.isalpha() and len(word) > 1 for word in words) else ""


def _cell(table: Table, at: tuple[int, int], title: str, heading: str) -> CellPlace:
    seen = labels(table)
    cell = next((cell for cell in seen.cells if (cell.row, cell.column) == at), None)
    caption = " - ".join(part for part in (title, table.caption or heading) if part)
    if cell is None:  # a header, or the label of a row
        text = next((cell.text for cell in table.cells if (cell.row, cell.column) == at), "")
        beside = tuple(f"{cell.heading}: {cell.text}" for cell in seen.row(at[0]))
        return CellPlace((), (), text, caption, beside[:BESIDE])
    row = (*cell.sections, cell.label)
    return CellPlace(row, cell.header, cell.text, caption, _beside(seen, cell))


def _beside(seen: Labels, cell: Labelled) -> tuple[str, ...]:
    """The other cells of the row, the nearest first, then those above and below."""
    own = set(cell.header)
    row = sorted(seen.row(cell.row), key=lambda other: abs(other.column - cell.column))
    made = [
        f"{' '.join(part for part in other.header if part not in own)}: {other.text}"
        for other in row
        if other != cell
    ]
    column = seen.column(cell.column)
    at = column.index(cell)
    near = (*column[max(0, at - 1) : at], *column[at + 1 : at + 2])
    made += [f"{other.label}: {other.text}" for other in near]
    return tuple(made[:BESIDE])


def _sentence(evidence: Evidence, heading: str) -> SentencePlace:
    text = evidence.node.text
    start, end = evidence.start, max(evidence.start, evidence.end)
    first = next((span for span in sentences(text) if span[0] <= start < span[1]), (0, len(text)))
    low, high = first[0], max(first[1], end)
    if len(text[start:end].split()) > LONG:
        start = end = low
    return SentencePlace(heading, text[low:high], start - low, end - low)
