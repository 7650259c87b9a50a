"""What is written about a table around it: its caption, and the scale and unit that hold for its numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pincite.ingest.layout.consecutive import consecutive
from pincite.ingest.layout.raised_marks import raised
from pincite.ingest.tables.assembly import extent
from pincite.ingest.tables.chunks import Line
from pincite.ingest.tables.regions import CAPTION
from pincite.quantity.declarations import SCALE_NOTE, Declared, declared, scale_notes
from pincite.quantity.units import units
from pincite.types import Box, Cell, Table

MOST_LINES = 6  # of a caption
PROSE_WORDS = 9  # a line of as many may be running text
CLOSE, NEAR, FIRST = (
    0.6,
    2.4,
    3.6,
)  # font sizes between lines of one paragraph, of one caption, and between it and the table
SAME_SIZE = 0.6  # points by which font sizes are off at most that are the same


def captioned(table: Table, lines: Sequence[Line]) -> Table:
    """The table with its caption and what that and the header declare; `lines` is the text over and under it.

    Where they declare no scale, a note in a title above does: "NOTES TO ... (in thousands, except per share data)". If such
    notes differ in the scale, none does.
    """
    made = bound(table, _caption(extent(table), lines))
    if made.scale != 1:
        return made
    above = (_text(line) for line in lines if line.base <= extent(table)[1] + 3)
    titles = " ".join(text for text in above if not text.endswith("."))
    notes = [said for _, _, said in scale_notes(titles)]
    noted = notes[-1] if len({said.scale for said in notes}) == 1 else Declared()
    unit, unscaled = made.unit or noted.unit, made.unscaled or noted.unscaled
    return replace(made, scale=noted.scale, unit=unit, unscaled=unscaled)


def bound(table: Table, caption: Sequence[str]) -> Table:
    """The table with the lines of its caption, and the scale and unit that those and its headers declare bound to it."""
    found = [declared(text) for text in (*_table_wide_headers(table), *reversed(caption))]
    scaled = next((said for said in found if said.scale != 1), Declared())
    unit = scaled.unit or next((said.unit for said in found if said.unit), "")
    unscaled = next((said.unscaled for said in found if said.unscaled), "")
    made = replace(table, scale=scaled.scale, unit=unit, unscaled=unscaled)
    return replace(made, caption=" ".join(caption))


def _table_wide_headers(table: Table) -> list[str]:
    """Header texts that speak for the whole table: over the labels, or across all columns of values."""
    width = max(cell.column + cell.column_span for cell in table.cells)
    head = [cell for cell in table.cells if cell.row < table.header_rows]
    alone = [cell for cell in head if SCALE_NOTE.fullmatch(cell.text.strip())]
    return [cell.text for cell in head if _is_for_all(cell, width) or [cell] == alone]


def _is_for_all(cell: Cell, width: int) -> bool:
    if cell.column > 0:
        return cell.column == 1 and cell.column_span == width - 1 and width > 2
    # no more than a thing that can be counted ("Model") says what the rows are
    known = units().by_name.get(declared(cell.text).unit)
    thing = known is not None and known.dimension == known.name and not known.before
    return not (thing and cell.text.strip().isalpha())


def _caption(box: Box, lines: Sequence[Line]) -> list[str]:
    """The lines of the caption above a table, or below it if that is numbered and the one above is not."""
    x0, top, x1, bottom = box
    beside = [line for line in lines if line.x1 > x0 - 20 and line.x0 < x1 + 20]
    over = _lines_above([line for line in beside if line.base <= top + 3], box)
    if any(map(CAPTION.match, over)):
        return over
    return _lines_below([line for line in beside if line.top >= bottom - 3], bottom) or over


def _text(line: Line) -> str:
    """The words of a line, without the marks of footnotes that are raised beside them."""
    text = line.words[0].text
    for word in line.words[1:]:
        text += raised(text, word.text) if word.superscript else f" {word.text}"
    return text


def _lines_above(lines: Sequence[Line], box: Box) -> list[str]:
    """Titles and notes right above, back to a numbered caption; of running text only what leads over to the table."""
    taken: list[str] = []
    edge = box[1]
    for at in range(len(lines) - 1, max(len(lines) - 1 - MOST_LINES, -1), -1):
        line = lines[at]
        if edge - line.bottom > (NEAR if taken else FIRST) * line.size:
            break
        if _is_prose(lines, at, box[2] - box[0]):
            start = _find_beginning(lines, at)
            if start is not None:
                taken.extend(_text(line) for line in reversed(lines[start : at + 1]))
            break
        taken.append(_text(line))
        edge = line.top
        if CAPTION.match(taken[-1]):
            break
    if taken:
        return taken[::-1]
    # the nearest line, however far, may say the scale of a statement: "Cash Flows (in thousands)"
    text = _text(lines[-1]) if lines else ""
    short = len(text.split()) <= 2 * PROSE_WORDS and not text.endswith(".")
    return [text] if short and SCALE_NOTE.search(text) else []


def _is_prose(lines: Sequence[Line], at: int, width: float) -> bool:
    """Whether a line is running text, or the short last line of some."""
    text = _text(lines[at])
    if CAPTION.match(text):
        return False
    closed, above = text.endswith((".", ":")), _goes_on(lines, at - 1)
    if len(text.split()) >= PROSE_WORDS:
        wide = lines[at].x1 - lines[at].x0 > 0.8 * width
        if closed or wide and (above or _goes_on(lines, at)):
            return True
    return above and (closed or text[:1].islower()) and _is_prose(lines, at - 1, width)


def _goes_on(lines: Sequence[Line], at: int) -> bool:
    """Whether the next line stands close under a line, as those of a paragraph do."""
    if not 0 <= at < len(lines) - 1:
        return False
    upper, lower = lines[at], lines[at + 1]
    alike = abs(upper.size - lower.size) <= SAME_SIZE
    return alike and lower.top - upper.bottom < CLOSE * lower.size


def _find_beginning(lines: Sequence[Line], last: int) -> int | None:
    """Where the numbered caption or the sentence ending in a colon that ends at line `last` begins; None for other text."""
    leads = _text(lines[last]).rstrip().endswith(":")
    for at in range(last, max(last - 5, -1), -1):
        if at < last and lines[at + 1].top - lines[at].bottom > 0.9 * lines[at].size:
            return at + 1 if leads else None
        text = _text(lines[at])
        if CAPTION.match(text):
            return at
        if leads and at < last and text.rstrip().endswith((".", ":")):
            return at + 1
    return last if leads else None


def _lines_below(lines: Sequence[Line], bottom: float) -> list[str]:
    """A numbered caption right below, as papers have it."""
    far = not lines or lines[0].top - bottom > NEAR * lines[0].size
    if far or not CAPTION.match(_text(lines[0])):
        return []

    def goes_on(taken: Sequence[Line], line: Line) -> bool:
        close = line.top - taken[-1].bottom <= CLOSE * line.size
        return close and abs(line.size - taken[-1].size) <= SAME_SIZE

    return list(map(_text, consecutive(lines[:MOST_LINES], goes_on)[0]))
