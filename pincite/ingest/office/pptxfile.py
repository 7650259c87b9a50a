"""PPTX files as pages: slide N is page N, with its title, text, tables, charts as tables, pictures' descriptions and notes.

Hidden slides and shapes are said to be; footers, dates and slide numbers are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from pincite.ingest.given_tables import lead, table_block, table_of
from pincite.ingest.lost_parts import hidden_page, part_page, readable
from pincite.ingest.office.drawings import A, bulleted, drawn, paragraph_text, paragraphs
from pincite.ingest.optional_libraries import needed
from pincite.ingest.page_cuts import text_block
from pincite.ingest.raw_page import Block, Page
from pincite.ingest.web.markup import xml_root
from pincite.ingest.zip_limits import unpacked
from pincite.types import Cell

_ALTERNATE = "{http://schemas.openxmlformats.org/markup-compatibility/2006}AlternateContent"
_TITLES = ("TITLE", "CENTER_TITLE", "VERTICAL_TITLE")
_FURNITURE = ("FOOTER", "DATE", "SLIDE_NUMBER", "HEADER", "SLIDE_IMAGE")
_BODIES = ("BODY", "OBJECT", "VERTICAL_BODY", "VERTICAL_OBJECT")
_BULLETS = ("buChar", "buAutoNum", "buBlip")
_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".emf", ".wmf", ".svg")
_ON = ("1", "true")
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
        if slide._element.get("show") in ("0", "false"):
            yield hidden_page(number, f"slide {number}")
        else:
            yield part_page(number, f"slide {number}", partial(_slide, slide, number))


def _slide(slide: Any, number: int, left: Counter[str]) -> Iterator[Block]:
    _unfold(slide._element)
    shapes = list(_flat(slide.shapes))
    named = (shape for shape in shapes if _kind(shape) in _TITLES)
    texts = ((shape, " ".join(paragraphs(shape.text_frame._txBody))) for shape in named)
    # without a title of its own, what is on it would be under that of the slide before
    title, heading = next((one for one in texts if one[1]), (None, f"Slide {number}"))
    yield text_block(" ".join(heading.split()), "heading", 1)
    held: list[Block] = []
    for shape in sorted(shapes, key=_position):
        if shape is not title and _kind(shape) not in _FURNITURE and not _is_hidden(shape):
            held += _shape(shape, slide.part, held, left)
    yield from held
    notes = slide.notes_slide.notes_text_frame if slide.has_notes_slide else None
    for text in paragraphs(notes._txBody) if notes is not None else ():
        yield text_block(text, path=f"slide {number}, notes")
    for text in _comments(slide.part):
        said = f"Comment by a reader: {text}"
        yield text_block(said, "footnote", path=f"slide {number}, comments")
    hidden = (one for one in slide._element.iter("{*}cNvPr") if one.get("hidden") in _ON)
    left["hidden shape"] = sum(any(paragraphs(one.getparent().getparent())) for one in hidden)


def _unfold(element: Any) -> None:
    """Put what a new program shows in the place of the choice between that and what an old one does."""
    for alternate in list(element.iter(_ALTERNATE)):
        for child in list(next(iter(alternate), ())):
            alternate.addprevious(child)
        alternate.getparent().remove(alternate)


def _comments(part: Any) -> Iterator[str]:
    """What the comments on a slide say, in the old form and in that with replies."""
    for relation in part.rels.values():
        if relation.reltype.endswith("/comments") and not relation.is_external:
            root = xml_root(relation.target_part.blob, "a presentation")
            for comment in root.iter("{*}cm"):
                said = " ".join(paragraphs(comment)) or "".join(comment.itertext())
                yield from filter(None, [" ".join(said.split())])


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


def _kind(shape: Any) -> str:
    kind = shape.placeholder_format.type if shape.is_placeholder else None
    return kind.name if kind else ""


def _is_hidden(shape: Any) -> bool:
    return any(part.get("hidden") in _ON for part in shape._element.iter("{*}cNvPr"))


def _shape(shape: Any, part: Any, before: Sequence[Block], left: Counter[str]) -> Iterator[Block]:
    if getattr(shape, "has_table", False):
        yield from _table(shape.table, lead(before))
    elif shape.has_text_frame:
        yield from _texts(shape.text_frame._txBody, listed=_kind(shape) in _BODIES)
    else:
        described = (one.get("descr") or "" for one in shape._element.iter("{*}cNvPr"))
        said = " ".join(next(described, "").split())
        if " " in said and not said.casefold().endswith(_PICTURES):  # a picture, not its file
            yield text_block(said, "figure")
        yield from drawn(shape._element, part, left)


def _texts(body: Any, listed: bool) -> Iterator[Block]:
    """The paragraphs of a text body; two or more that are items come as one list."""
    items: list[str] = []
    for paragraph in body.iter(f"{A}p"):
        text = paragraph_text(paragraph)
        marks = {child.tag.removeprefix(A) for child in paragraph.iterfind(f"{A}pPr/*")}
        # a bullet or number of its own, or, in a list, no word that it has none
        if text and (not marks.isdisjoint(_BULLETS) or listed and "buNone" not in marks):
            items.append("\u2022 " + text.replace("\n", " "))
        elif text:
            yield from bulleted(items)
            items = []
            yield text_block(text)
    yield from bulleted(items)


def _table(table: Any, caption: Sequence[str]) -> Iterator[Block]:
    cells = []
    for row, line in enumerate(table.rows):
        for column, cell in enumerate(line.cells):
            if not cell.is_spanned:
                text = " ".join(" ".join(paragraphs(cell._tc)).split())
                cells.append(Cell(row, column, text, cell.span_height, cell.span_width))
    made = table_of(cells, caption=caption)
    yield from (table_block(made),) if made else ()
