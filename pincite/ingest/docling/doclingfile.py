"""DoclingDocument JSON (docling-core, schema version 1) as pages: what another parser made, cited like its source.

Reading order is that of the body's tree. Running heads and what is invisible are left out. Boxes of either origin become boxes
from the top left; a box without an area says the page alone. What `doclingout` wrote comes back exactly.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from pincite.document.address import TEXT, area
from pincite.errors import SourceError
from pincite.formats import encoding
from pincite.ingest.given_tables import declares_measure, header_count, table_block, table_of
from pincite.ingest.page_cuts import cut, text_block
from pincite.ingest.raw_page import Block, Page
from pincite.ingest.zip_limits import refuse_larger
from pincite.types import Box, Cell, Kind, Table

LARGEST = 256 << 20
"""Bytes of a file beyond which it is not read: pictures of pages make it so large, and can be left out of it."""
SCHEMA = "DoclingDocument"
OURS = "pincite__"
"""What the names of our own fields begin with, under `meta` of any item."""
_NAMED = re.compile(rb'"schema_name"\s*:\s*"DoclingDocument"')
_UNSEEN = ("furniture", "background", "invisible")
_KINDS: dict[str, Kind] = {
    "title": "heading", "section_header": "heading", "field_heading": "heading", "caption": "caption",
    "footnote": "footnote", "formula": "equation",
}  # fmt: skip
_RUNNING = ("page_header", "page_footer")
_CHECKED = {"checkbox_selected": "[x] ", "checkbox_unselected": "[ ] "}
_LISTS = ("list", "ordered_list")
_SHEET = "sheet: "
_SLIDE = re.compile(r"slide-\d+")
_PRESENTATION = re.compile("presentation|powerpoint")
"""What the kinds of file are called of which each page is a slide."""
_OF_SLIDE = re.compile(r"comment-slide(\d+)")
_SPOILED = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError)
"""What reading raises where something else stands than the schema says."""
_WIDEST = 20_000  # points: no page is as wide, so those of slides are English metric units, of which a point has 12,700
Item = Mapping[str, Any]
Spot = tuple[int, Box | None, int]
"""A page, a box on it, and the character of the text that begins there."""


def is_docling(path: Path) -> bool:
    """Whether a JSON file says that it is a DoclingDocument."""
    with path.open("rb") as file:
        return bool(_NAMED.search(file.read(LARGEST)))


def docling_pages(path: Path, password: str | None = None) -> Iterator[Page]:
    """The pages of a DoclingDocument. Raises SourceError when the file is none, is damaged or is too large."""
    without = "Export it without the pictures of its pages (image_mode=ImageRefMode.PLACEHOLDER)."
    refuse_larger(path.stat().st_size, LARGEST, path.name, without)
    try:
        text = path.read_bytes()
        data = json.loads(text)
        if b"\\ud" in text.lower():  # an escape may be half a letter, which no text is
            data = json.loads(json.dumps(data, ensure_ascii=False).encode(errors="replace"))
    except (ValueError, RecursionError) as error:
        raise SourceError(
            f"{path.name} is not complete JSON ({error}). Export it from docling again."
        ) from error
    yield from pages_of_docling(data, path.name)


def pages_of_docling(data: Any, name: str) -> tuple[Page, ...]:
    """The pages of a DoclingDocument as JSON makes it. Raises SourceError when it does not keep to the schema."""
    if not isinstance(data, dict) or data.get("schema_name") != SCHEMA:
        raise SourceError(f"{name} is not a DoclingDocument: its schema_name does not say so.")
    version = str(data.get("version", "1.0"))
    if not version.startswith("1."):
        raise SourceError(
            f"{name} is a DoclingDocument of version {version[:20]}; versions 1.x are read. Export it by docling 2."
        )
    try:
        reader = _Reader(data)
        reader.walk(data["body"])
        return tuple(reader.pages())
    except _SPOILED as error:
        raise SourceError(
            f"{name} does not follow the schema of a DoclingDocument ({type(error).__name__}: {error}). Export it from "
            "docling again."
        ) from error


def page_sizes(data: Item) -> dict[int, tuple[float, float]]:
    """Width and height of the pages of a DoclingDocument in points, by number."""
    sizes, unit = _sizes_and_unit(data)
    return {number: (wide * unit, high * unit) for number, (wide, high) in sizes.items()}


def _sizes_and_unit(data: Item) -> tuple[dict[int, tuple[float, float]], float]:
    """The sizes of the pages as they are given, and how many points a unit of them is."""
    given = ((int(number), page["size"]) for number, page in (data.get("pages") or {}).items())
    sizes = {number: (float(size["width"]), float(size["height"])) for number, size in given}
    return sizes, 1 / 12_700 if any(wide > _WIDEST for wide, _ in sizes.values()) else 1.0


class _Reader:
    """Fills pages with the blocks of the items, in the order of the tree."""

    def __init__(self, data: Item) -> None:
        self.data, self.sizes, self.unit = data, page_sizes(data), _sizes_and_unit(data)[1]
        told = _own_field(data["body"], "pages")
        self.ours, self.told = told is not None, told or {}
        groups = () if self.ours else data.get("groups") or ()
        names = [str(group.get("name", "")) for group in groups]
        kind = str((data.get("origin") or {}).get("mimetype", ""))
        slides = _PRESENTATION.search(kind) or any(map(_SLIDE.fullmatch, names))
        self.slides = not self.ours and bool(slides)
        self.sheets = any(name.startswith(_SHEET) for name in names)
        self.sheet = ""
        self.named: dict[int, str] = {}
        self.blocks: dict[int, list[Block]] = {number: [] for number in sorted(self.sizes)}
        self.page, self.runs = min(self.sizes, default=0), 0
        self.seen: set[str] = set()
        self.held: set[str] = set()  # captions and footnotes, read with what they belong to
        for item in (*data.get("tables", ()), *data.get("pictures", ())):
            self.held.update(_refs(item, "captions"), _refs(item, "footnotes"))

    def pages(self) -> Iterator[Page]:
        """The pages by number; those of a source without pages are cut by length."""
        title = str(_own_field(self.data["body"], "title") or "")
        loose = self.blocks.pop(0, [])
        if not self.blocks:
            yield from cut(loose, TEXT, title=title)
            return
        self.blocks[min(self.blocks)][:0] = loose
        for number, blocks in sorted(self.blocks.items()):
            told = self.told.get(str(number), {})
            place = str(told.get("place", "")) or self.named.get(number, "")
            if self.slides:
                place = f"slide {number}"
                if not any(block.kind == "heading" for block in blocks):
                    blocks.insert(0, text_block(f"Slide {number}", "heading", 1))
            width, height = self.sizes.get(number, (0.0, 0.0))
            seen, suspicion = float(told.get("seen", 0.0)), str(told.get("suspicion", ""))
            yield Page(number, width, height, tuple(blocks), seen, suspicion, place, title)
            title = ""

    def at(self, ref: str) -> Item:
        """What a reference points at."""
        _, name, number = ref.split("/")
        found: Item = self.data[name][int(number)]
        return found

    def below(self, item: Item) -> Iterator[tuple[str, Item]]:
        """What stands below an item and was not read, nor is read with the table or picture that it belongs to."""
        for ref in _refs(item):
            if ref not in self.seen and ref not in self.held:
                yield ref, self.at(ref)

    def walk(self, item: Item) -> None:
        """Read what stands below an item, each thing once."""
        readers = {
            "groups": self.group, "texts": self.text, "tables": self.table, "pictures": self.picture,
        }  # fmt: skip
        for ref, below in self.below(item):
            self.seen.add(ref)
            if _is_shown(below):
                readers.get(ref.split("/")[1], self.graph)(below)

    def group(self, item: Item) -> None:
        """A list as one block, words of one line joined, the sheet of a workbook named; else what is in the group."""
        label, name = item.get("label"), str(item.get("name", ""))
        if label in _LISTS:
            self.lines(list(self.entries(item)), _own_path(item))
        elif label == "inline":
            texts = self.texts(item)
            spots = self.spots(texts[0]) if texts else []
            self.lay(Block("paragraph", " ".join(map(_text_of, texts))), spots)
        elif self.sheets or self.slides:
            if self.sheets and name.startswith(_SHEET):
                self.sheet = name.removeprefix(_SHEET)
            places = (self.at(ref).get("prov") for ref in _refs(item))
            if first := next((prov[0]["page_no"] for prov in places if prov), None):
                self.enter(int(first))
            elif (slide := _OF_SLIDE.match(name)) and int(slide[1]) in self.blocks:
                self.page = int(slide[1])
        self.walk(item)

    def text(self, item: Item) -> None:
        """A text with what is below it; one without words of its own is what is in it."""
        label = str(item.get("label", "text"))
        if label in _RUNNING:
            return
        if label == "list_item":
            self.lines([item])
            return
        text, kind = _CHECKED.get(label, "") + _text_of(item), _KINDS.get(label, "paragraph")
        if text.strip():
            spots = self.spots(item)
            level = 1 if label == "title" else int(item.get("level", 1)) + 1
            notes = item.get("content_layer") == "notes" and self.slides
            page = spots[0][0] if spots else self.page
            path = f"slide {page}, notes" if notes else self.area(item) or _own_path(item)
            level = level if kind == "heading" else 0
            self.lay(Block(kind, text, level=level, path=path), spots)
        self.walk(item)

    def lines(self, items: Sequence[Item], path: str = "") -> None:
        """Items as the lines of one list, then what else is in them."""
        text, spots = "", list[Spot]()
        for item in items:
            said = _text_of(item)
            texts = [] if said.strip() else self.texts(item)
            line = self.marked(item, " ".join(map(_text_of, texts)) if texts else said)
            if line.strip():
                text += "\n" if text else ""
                begins = len(text) + max(len(line) - len(said), 0)
                first, *more = self.spots(item) or [(self.page, None, 0)]
                spots.append((first[0], first[1], len(text)))
                spots += [(page, box, begins + start) for page, box, start in more]
                text += line
        if text:
            self.lay(Block("list", text, path=path), spots)
        for item in items:
            self.walk(item)

    def marked(self, item: Item, text: str) -> str:
        """An item of a list with its mark before it, as it was found where that is told."""
        mark, whole = str(item.get("marker") or ""), str(item.get("orig") or "")
        if mark and len(whole) > len(text) and whole.startswith(mark) and whole.endswith(text):
            return whole
        if not (mark or self.ours or item.get("enumerated")):
            mark = "\u2022"
        return text if not text or text.startswith(mark) else f"{mark} {text}"

    def entries(self, item: Item, inside: bool = True) -> Iterator[Item]:
        """The items of a list in order, each followed by those of the lists in it; only those where not `inside` a list."""
        for ref, below in self.below(item):
            listed = below.get("label") in _LISTS
            if listed or inside and ref.startswith("#/texts/"):
                self.seen.add(ref)
                if not listed and _is_shown(below):
                    yield below
                yield from self.entries(below, listed)

    def texts(self, item: Item) -> list[Item]:
        """The texts in an item, those of lists aside, in order, which are then read."""
        found: list[Item] = []
        for ref, below in self.below(item):
            is_text = ref.startswith("#/texts/")
            if is_text or below.get("label") == "inline":
                self.seen.add(ref)
                found += [below] if is_text and str(below.get("text", "")).strip() else []
                found += self.texts(below)
        return found

    def table(self, item: Item) -> None:
        """A table with its captions over it and its footnotes under it."""
        spots = self.spots(item)
        if spots:
            self.enter(spots[0][0])
        captions, data = self.floated(item, "captions"), item["data"]
        cells = [self.cell(cell, spots) for cell in data.get("table_cells") or ()]
        if told := _own_field(item, "table"):
            made: Table | None = _written_table(told, cells)
        else:
            over = self.blocks.get(self.page, [])[-1:]
            scales = [block.text for block in over if declares_measure(block)]
            made = _table(cells, data, [*scales, *map(_text_of, captions)])
        if made is None:
            self.noted("caption", captions)
        else:
            if spots and spots[0][1]:
                made = replace(made, page=spots[0][0], box=spots[0][1])
            block = table_block(made, self.area(item) or _own_path(item))
            block = replace(block, continues=bool(_own_field(item, "continues")))
            whole = [(page, box, at and len(block.text)) for page, box, at in spots]
            self.floating(block, whole, captions)
        self.noted("footnote", self.floated(item, "footnotes"))

    def cell(self, cell: Item, spots: Sequence[Spot]) -> Cell:
        """A cell of a table at its place."""
        row, column = int(cell["start_row_offset_idx"]), int(cell["start_col_offset_idx"])
        deep = max(int(cell["end_row_offset_idx"]) - row, 1)
        wide = max(int(cell["end_col_offset_idx"]) - column, 1)
        box = self.box(cell.get("bbox"), spots[0][0]) if spots else None
        return Cell(row, column, str(cell["text"]), deep, wide, box)

    def area(self, item: Item) -> str:
        """The cells of its sheet that a table of a workbook covers: its box counts columns and rows."""
        prov = item.get("prov") or ()
        if not self.sheets or not prov or not self.sheet:
            return ""
        left, top, right, bottom = (int(prov[0]["bbox"][side]) for side in "ltrb")
        return f"{self.sheet}!{area([(top, max(bottom - 1, top))], (left, max(right - 1, left)))}"

    def picture(self, item: Item) -> None:
        """A figure with what it shows as said by a model, its captions and the words in it."""
        description = (item.get("meta") or {}).get("description") or {}
        notes = [one for one in item.get("annotations") or () if one.get("kind") == "description"]
        said = str(description.get("text", "")) or " ".join(note.get("text", "") for note in notes)
        captions = self.floated(item, "captions")
        words = tuple(self.inner("ocr", below) for below in self.texts(item))
        figure = Block("figure", said, inner=words, path=_own_path(item))
        self.floating(figure, self.spots(item), captions)
        self.noted("footnote", self.floated(item, "footnotes"))
        self.walk(item)

    def graph(self, item: Item) -> None:
        """Keys with their values, a line for each key."""
        cells = {cell["cell_id"]: cell for cell in item["graph"]["cells"]}
        values: dict[Any, list[str]] = {}
        for link in item["graph"]["links"]:
            if link["label"] == "to_value":
                value = str(cells[link["target_cell_id"]]["text"])
                values.setdefault(link["source_cell_id"], []).append(value)
        told = {text for held in values.values() for text in held}
        for key, cell in cells.items():
            if key in values or cell["text"] not in told:
                said = f": {', '.join(values[key])}" if key in values else ""
                prov = [cell["prov"]] if cell.get("prov") else []
                self.lay(Block("paragraph", f"{cell['text']}{said}"), self.spots({"prov": prov}))
        self.walk(item)

    def floated(self, item: Item, what: str) -> list[Item]:
        """The captions or footnotes of a table or picture that say something."""
        new = [ref for ref in _refs(item, what) if ref not in self.seen]
        self.seen.update(new)
        return [text for text in map(self.at, new) if _text_of(text).strip()]

    def floating(self, block: Block, spots: Sequence[Spot], captions: Sequence[Item]) -> None:
        """A table or figure with the captions on its page in it; others follow."""
        spots = spots or [(self.page, None, 0)]
        on_page = [one for one in captions if (self.spots(one) or spots)[0][0] == spots[0][0]]
        inner = (self.inner("caption", caption) for caption in on_page)
        self.lay(replace(block, inner=(*block.inner, *inner)), spots)
        self.noted("caption", [caption for caption in captions if caption not in on_page])

    def spots(self, item: Item) -> list[Spot]:
        """Where a text stands, from its first character to its last; the ranges of characters that make no sense are mended."""
        found: list[Spot] = []
        most, at = len(_text_of(item)), 0
        for place in item.get("prov") or ():
            page = int(place["page_no"])
            if found:
                start = int((place.get("charspan") or (0, 0))[0])
                at = start if at < start < most else most
            found.append((page, self.box(place.get("bbox"), page), at))
        return found

    def box(self, given: Item | None, page: int) -> Box | None:
        """A box from the top left; None for one without an area, of a sheet, or from the bottom of a page of unknown height."""
        if given is None or self.sheets:
            return None
        left, top, right, bottom = (float(given[side]) * self.unit for side in "ltrb")
        if str(given.get("coord_origin", "TOPLEFT")).endswith("BOTTOMLEFT"):
            height = self.sizes.get(page, (0.0, 0.0))[1]
            top, bottom = (height - top, height - bottom) if height else (0.0, 0.0)
        return (left, top, right, bottom) if right > left and bottom > top else None

    def inner(self, kind: Kind, item: Item) -> Block:
        """A text as a block of the table or figure that it belongs to."""
        _, boxes, starts = zip(*(self.spots(item) or [(0, None, 0)]), strict=True)
        return Block(kind, _text_of(item), boxes, starts, path=_own_path(item))

    def noted(self, kind: Kind, items: Sequence[Item]) -> None:
        """Add captions or footnotes where they stand."""
        for item in items:
            self.lay(Block(kind, _text_of(item), path=_own_path(item)), self.spots(item))

    def lay(self, block: Block, spots: Sequence[Spot]) -> None:
        """Add a block where it stands, a box for every line; one that stands on several pages as a piece on each."""
        if not spots:
            plain = text_block(block.text)
            self.add(replace(block, lines=plain.lines, starts=plain.starts))
            return
        pages = [list(lines) for _, lines in groupby(spots, key=itemgetter(0))]
        self.runs += len(pages) > 1
        run = self.runs if len(pages) > 1 else 0
        ends = [*(lines[0][2] for lines in pages[1:]), len(block.text)]
        begins = 0
        for at, (lines, end) in enumerate(zip(pages, ends, strict=True)):
            begins = lines[0][2] if at else 0
            boxes, starts = tuple(box for _, box, _ in lines), tuple(s - begins for *_, s in lines)
            piece = replace(
                block, text=block.text[begins:end], lines=boxes, starts=starts, run=run
            )
            self.enter(lines[0][0])
            self.add(replace(piece, table=None, inner=()) if at else piece)

    def enter(self, page: int) -> None:
        """Go to a page; that of a sheet begins with its name."""
        self.page = page
        if self.sheet and page not in self.named:
            self.named[page] = f"sheet {self.sheet}"
            self.add(text_block(self.sheet, "heading", 1))

    def add(self, block: Block) -> None:
        """Add a block to the page that is being filled."""
        self.blocks.setdefault(self.page, []).append(block)


def _refs(item: Item, name: str = "children") -> list[str]:
    """What an item refers to; docling-core writes a reference under either name."""
    return [str(reference.get("$ref") or reference["cref"]) for reference in item.get(name) or ()]


def _is_shown(item: Item) -> bool:
    return item.get("content_layer", "body") not in _UNSEEN


def _own_field(item: Item, name: str) -> Any:
    """What we wrote about an item under a name of ours."""
    return (item.get("meta") or {}).get(OURS + name)


def _own_path(item: Item) -> str:
    """The place of an item in the terms of its format, as we wrote it."""
    return str(_own_field(item, "path") or "")


def _text_of(item: Item) -> str:
    return str(item.get("text") or item.get("orig") or "")


def _written_table(told: Item, cells: Sequence[Cell]) -> Table:
    """A table as it was when it was written; `told` is what the schema of its cells does not hold."""
    more = {(row, column): rest for row, column, *rest in told.get("cells", ())}
    own = (
        (one.row, one.column, one.text, one.row_span, one.column_span, one.box) for one in cells
    )
    held = [[*cell, *more.get(cell[:2], ())] for cell in own]
    return encoding.table_from({**told, "cells": held})


def _table(cells: Sequence[Cell], data: Item, caption: Sequence[str]) -> Table | None:
    """A table whose header rows and columns are as marked, or told from what it holds where none is."""
    given = zip(cells, data.get("table_cells") or (), strict=True)
    held = [(cell, told) for cell, told in given if cell.text.strip()]
    heads = ((cell.row, one.get("column_header") or one.get("row_header")) for cell, one in held)
    rows = _leading_headers(heads)
    body = ((cell, told) for cell, told in held if cell.row >= (rows or 0))
    columns = _leading_headers((cell.column, told.get("row_header")) for cell, told in body)
    return table_of(cells, header_rows=rows, header_columns=columns, caption=caption)


def _leading_headers(marks: Iterable[tuple[int, Any]]) -> int | None:
    """Up to which row or column all cells are marked as headers; None, for it is not told, where none or every one is."""
    marked: dict[int, bool] = {}
    for line, mark in marks:
        marked[line] = marked.get(line, True) and bool(mark)
    lines = sorted(marked)
    count = header_count([marked[line] for line in lines])
    return lines[count - 1] + 1 if count else None
