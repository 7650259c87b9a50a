"""What is written about a table around it: its caption, and the scale and unit that hold for its numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pincite.ingest.layout.raised_marks import raised
from pincite.ingest.tables.chunks import Line
from pincite.ingest.tables.regions import CAPTION
from pincite.quantity.declarations import SCALE_NOTE, Declared, declared, scale_notes
from pincite.quantity.units import units
from pincite.types import Box, Cell, Table

MOST_LINES = 6
PROSE_WORDS = 9


def captioned(table: Table, lines: Sequence[Line]) -> Table:
    """The table with its caption and what that and the header declare; `lines` is the text over and under it.

    Where they declare no scale, a note in a title above does: "NOTES TO ... (in thousands, except per share data)".
    """
    if table.box is None:
        return bound(table, [])
    made = bound(table, _caption(table.box, lines))
    if made.scale != 1:
        return made
    noted = _title_note([line for line in lines if line.base <= table.box[1] + 3])
    unit, unscaled = made.unit or noted.unit, made.unscaled or noted.unscaled
    return replace(made, scale=noted.scale, unit=unit, unscaled=unscaled)


def _title_note(lines: Sequence[Line]) -> Declared:
    """What the notes of titles say that numbers are in; nothing where they differ in the scale."""
    titles = (text for text in map(_text, lines) if not text.endswith("."))
    found = [said for _, _, said in scale_notes(" ".join(titles))]
    return found[-1] if len({said.scale for said in found}) == 1 else Declared()


def bound(table: Table, caption: Sequence[str]) -> Table:
    """The table with the lines of its caption, and the scale and unit that those and its headers declare bound to it."""
    said = _declared([*_stubs(table), *reversed(caption)])
    made = replace(table, scale=said.scale, unit=said.unit, unscaled=said.unscaled)
    return replace(made, caption=" ".join(caption))


def _declared(texts: Sequence[str]) -> Declared:
    """The first scale that is declared, with its exceptions, and the first unit."""
    found = [declared(text) for text in texts]
    scaled = next((said for said in found if said.scale != 1), Declared())
    unit = scaled.unit or next((said.unit for said in found if said.unit), "")
    unscaled = next((said.unscaled for said in found if said.unscaled), "")
    return Declared(scaled.scale, unit, unscaled)


def _stubs(table: Table) -> list[str]:
    """Header texts that speak for the whole table: over the labels, or across all columns of values."""
    width = max(cell.column + cell.column_span for cell in table.cells)
    head = [cell for cell in table.cells if cell.row < table.header_rows]
    alone = [cell for cell in head if SCALE_NOTE.fullmatch(cell.text.strip())]
    return [cell.text for cell in head if _for_all(cell, width) or [cell] == alone]


def _for_all(cell: Cell, width: int) -> bool:
    if cell.column == 0:
        return not _counted(cell.text)
    return cell.column == 1 and cell.column_span == width - 1 and width > 2


def _counted(text: str) -> bool:
    """Whether a header over the labels is no more than a thing that can be counted ("Model"): it says what the rows are."""
    known = units().by_name.get(declared(text).unit)
    named = known is not None and known.dimension == known.name and not known.before
    return named and text.strip().isalpha()


def _caption(box: Box, lines: Sequence[Line]) -> list[str]:
    x0, top, x1, bottom = box
    beside = [line for line in lines if line.x1 > x0 - 20 and line.x0 < x1 + 20]
    over = _above([line for line in beside if line.base <= top + 3], box)
    if any(map(CAPTION.match, over)):
        return over
    return _below([line for line in beside if line.top >= bottom - 3], bottom) or over


def _text(line: Line) -> str:
    """The words of a line, without the marks of footnotes that are raised beside them."""
    text = ""
    for word in line.words:
        if not text:
            text = word.text
        else:
            text += raised(text, word.text) if word.superscript else f" {word.text}"
    return text


def _above(lines: Sequence[Line], box: Box) -> list[str]:
    """Titles and notes right above, back to a numbered caption; of running text only what leads over to the table."""
    taken: list[str] = []
    edge = box[1]
    for at in range(len(lines) - 1, max(len(lines) - 1 - MOST_LINES, -1), -1):
        line = lines[at]
        if edge - line.bottom > (2.4 if taken else 3.6) * line.size:
            break
        if _prose(lines, at, box[2] - box[0]):
            start = _begins(lines, at)
            if start is not None:
                taken.extend(_text(line) for line in reversed(lines[start : at + 1]))
            break
        taken.append(_text(line))
        edge = line.top
        if CAPTION.match(taken[-1]):
            break
    return taken[::-1] or _title(lines)


def _title(lines: Sequence[Line]) -> list[str]:
    """The nearest line over a table, however far, when it says the scale of a statement: "Cash Flows (in thousands)"."""
    text = _text(lines[-1]) if lines else ""
    short = len(text.split()) <= 2 * PROSE_WORDS and not text.endswith(".")
    return [text] if short and SCALE_NOTE.search(text) else []


def _prose(lines: Sequence[Line], at: int, width: float) -> bool:
    """Whether a line is running text, or the short last line of some."""
    text = _text(lines[at])
    if CAPTION.match(text):
        return False
    closed, above = text.endswith((".", ":")), _goes_on(lines, at - 1)
    if len(text.split()) >= PROSE_WORDS:
        wide = lines[at].x1 - lines[at].x0 > 0.8 * width
        if closed or wide and (above or _goes_on(lines, at)):
            return True
    return above and (closed or text[:1].islower()) and _prose(lines, at - 1, width)


def _goes_on(lines: Sequence[Line], at: int) -> bool:
    """Whether the next line stands close under a line, as those of a paragraph do."""
    if not 0 <= at < len(lines) - 1:
        return False
    upper, lower = lines[at], lines[at + 1]
    alike = abs(upper.size - lower.size) <= 0.6
    return alike and lower.top - upper.bottom < 0.6 * lower.size


def _begins(lines: Sequence[Line], last: int) -> int | None:
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


def _below(lines: Sequence[Line], bottom: float) -> list[str]:
    """A numbered caption right below, as papers have it."""
    far = not lines or lines[0].top - bottom > 2.4 * lines[0].size
    if far or not CAPTION.match(_text(lines[0])):
        return []
    taken = [lines[0]]
    for line in lines[1:MOST_LINES]:
        if line.top - taken[-1].bottom > 0.6 * line.size or abs(line.size - taken[-1].size) > 0.6:
            break
        taken.append(line)
    return [_text(line) for line in taken]
