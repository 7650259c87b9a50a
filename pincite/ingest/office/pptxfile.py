"""PPTX files as pages: slide N is page N, with its title, text, tables, charts as tables, pictures' descriptions and notes.

Hidden slides are left out, and so are footers, dates and slide numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from pincite.ingest.given_tables import lead, table_block, table_of
from pincite.ingest.layout.raised_marks import ending, raised
from pincite.ingest.lost_parts import part_page, readable
from pincite.ingest.optional_libraries import needed
from pincite.ingest.page_cuts import STRUCK, text_block, tidied
from pincite.ingest.raw_page import Block, Page
from pincite.ingest.web.attributes import whole
from pincite.ingest.web.markup import xml_root
from pincite.ingest.zip_limits import unpacked
from pincite.types import Cell

_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_DIAGRAM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}relIds"
_DATA = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}dm"
_TITLES = ("TITLE", "CENTER_TITLE", "VERTICAL_TITLE")
_FURNITURE = ("FOOTER", "DATE", "SLIDE_NUMBER", "HEADER", "SLIDE_IMAGE")
_BODIES = ("BODY", "OBJECT", "VERTICAL_BODY", "VERTICAL_OBJECT")
_BULLETS = ("buChar", "buAutoNum", "buBlip")
_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".emf", ".wmf", ".svg")
_WHOLE = "noStrike"
_DEEPEST = 20


def pptx_pages(path: Path, password: str | None = None) -> Iterator[Page]:
    """The slides of a presentation. Raises SourceError when it cannot be read."""
    pptx = needed("pptx", path.name)
    with unpacked(path):
        pass
    with readable(path, "a presentation", "a presentation program", ".pptx"):
        deck = pptx.Presentation(str(path))
        slides = list(enumerate(deck.slides, 1))
    for number, slide in slides:
        if slide._element.get("show") not in ("0", "false"):
            yield part_page(number, f"slide {number}", partial(_slide, slide, number))


def _slide(slide: Any, number: int) -> Iterator[Block]:
    shapes = list(_flat(slide.shapes))
    title = next((shape for shape in shapes if _kind(shape) in _TITLES and _text_in(shape)), None)
    # without a title of its own, what is on it would be under that of the slide before
    heading = " ".join(_text_in(title).split()) if title is not None else f"Slide {number}"
    yield text_block(heading, "heading", 1)
    held: list[Block] = []
    for shape in sorted(shapes, key=_position):
        if shape is not title and _is_shown(shape):
            held += _shape(shape, held)
    yield from held
    notes = slide.notes_slide.notes_text_frame if slide.has_notes_slide else None
    for text in _paragraphs(notes._txBody) if notes is not None else ():
        yield text_block(text, path=f"slide {number}, notes")


def _flat(shapes: Iterable[Any], deep: int = 0) -> Iterator[Any]:
    """The shapes with those of groups in their place."""
    for shape in shapes:
        if hasattr(shape, "shapes") and deep < _DEEPEST:
            if not _is_hidden(shape):
                yield from _flat(shape.shapes, deep + 1)
        else:
            yield shape


def _position(shape: Any) -> tuple[int, int]:
    """What orders shapes from top to bottom, in bands as high as a line, and in those from left to right."""
    band = 360_000  # a centimetre in English metric units
    return (shape.top or 0) // band, shape.left or 0


def _is_shown(shape: Any) -> bool:
    return _kind(shape) not in _FURNITURE and not _is_hidden(shape)


def _kind(shape: Any) -> str:
    kind = shape.placeholder_format.type if shape.is_placeholder else None
    return kind.name if kind else ""


def _is_hidden(shape: Any) -> bool:
    return any(part.get("hidden") in ("1", "true") for part in shape._element.iter("{*}cNvPr"))


def _shape(shape: Any, before: Sequence[Block]) -> Iterator[Block]:
    if getattr(shape, "has_table", False):
        if (block := _table(shape.table, lead(before))) is not None:
            yield block
    elif getattr(shape, "has_chart", False):
        yield from _chart(shape.chart)
    elif shape.has_text_frame:
        yield from _texts(shape.text_frame._txBody, listed=_kind(shape) in _BODIES)
    else:
        said = _described(shape)
        if " " in said:
            yield text_block(said, "figure")
        yield from _diagram(shape)


def _described(shape: Any) -> str:
    """What a picture is said to show, unless that is the name of its file."""
    properties = next(shape._element.iter("{*}cNvPr"), None)
    said = " ".join((properties.get("descr") or "").split()) if properties is not None else ""
    return "" if said.casefold().endswith(_PICTURES) else said


def _texts(body: Any, listed: bool) -> Iterator[Block]:
    """The paragraphs of a text body; two or more that are items come as one list."""
    items: list[str] = []
    for paragraph in body.iter(f"{_A}p"):
        text = _paragraph(paragraph)
        if text and _is_item(paragraph, listed):
            items.append("\u2022 " + text.replace("\n", " "))
        elif text:
            yield from _list(items)
            items = []
            yield text_block(text)
    yield from _list(items)


def _is_item(paragraph: Any, listed: bool) -> bool:
    """Whether a paragraph has a bullet or number of its own, or, in a body that is `listed`, does not say that it has none."""
    names = {child.tag.removeprefix(_A) for child in paragraph.iterfind(f"{_A}pPr/*")}
    return not names.isdisjoint(_BULLETS) or listed and "buNone" not in names


def _list(items: list[str]) -> Iterator[Block]:
    if len(items) == 1:
        yield text_block(items[0].removeprefix("\u2022 "))
    elif items:
        yield text_block("\n".join(items), "list")


def _paragraph(element: Any) -> str:
    parts: list[str] = []
    for part in element.iter():
        if part.tag == f"{_A}br":
            parts.append("\n")
        elif part.tag == f"{_A}t":
            look = part.getparent().find(f"{_A}rPr")
            look = {} if look is None else look.attrib
            up = whole(look.get("baseline", "").strip("+%")) > 0
            text = STRUCK if look.get("strike", _WHOLE) != _WHOLE else part.text or ""
            parts.append(raised(ending(parts), text) if up else text)
    return tidied("".join(parts).replace("\v", "\n"))


def _paragraphs(body: Any) -> Iterator[str]:
    """The paragraphs in an element that say something."""
    return filter(None, map(_paragraph, body.iter(f"{_A}p")))


def _text_in(shape: Any) -> str:
    return "\n".join(_paragraphs(shape.text_frame._txBody))


def _table(table: Any, caption: Sequence[str]) -> Block | None:
    cells = []
    for row, line in enumerate(table.rows):
        for column, cell in enumerate(line.cells):
            if not cell.is_spanned:
                text = " ".join(" ".join(_paragraphs(cell._tc)).split())
                cells.append(Cell(row, column, text, cell.span_height, cell.span_width))
    made = table_of(cells, caption=caption)
    return table_block(made) if made is not None else None


def _chart(chart: Any) -> Iterator[Block]:
    """A chart as the table of its data."""
    titled = chart.has_title and chart.chart_title.has_text_frame
    title = chart.chart_title.text_frame.text if titled else ""
    for plot in chart.plots:
        caption = [title] if title else []
        made = table_of(_plotted(plot), header_rows=1, header_columns=1, caption=caption)
        if made is not None:
            if title:
                yield text_block(title, "caption")
            yield table_block(made)


def _plotted(plot: Any) -> list[Cell]:
    """The data of a plot: a row for each category, a column for each series."""
    series = [list(drawn.values) for drawn in plot.series]
    longest = max(map(len, series), default=0)
    labels = list(map(str, plot.categories)) or list(map(str, range(1, longest + 1)))
    names = enumerate((drawn.name for drawn in plot.series), 1)
    cells = [Cell(0, column, name or f"Series {column}") for column, name in names]
    cells += [Cell(row, 0, label) for row, label in enumerate(labels, 1)]
    for column, values in enumerate(series, 1):
        for row, value in enumerate(values[: len(labels)], 1):
            if value is not None:
                cells.append(Cell(row, column, _plain(value)))
    return cells


def _plain(value: Any) -> str:
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def _diagram(shape: Any) -> Iterator[Block]:
    """The words of a diagram ("SmartArt"): they stand in a part of their own."""
    for diagram in shape._element.iter(_DIAGRAM):
        root = xml_root(shape.part.related_part(diagram.get(_DATA)).blob, "a presentation")
        yield from _list(["\u2022 " + text.replace("\n", " ") for text in _paragraphs(root)])
