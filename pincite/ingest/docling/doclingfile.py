"""DoclingDocument JSON (docling-core, schema version 1) as pages: what another parser made, cited like its source.

Reading order is that of the body's tree. Running heads and what is invisible are left out. Boxes of either origin become boxes
from the top left; a box without an area says the page alone. What `doclingout` wrote comes back exactly.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from pincite.document.address import TEXT, area
from pincite.errors import SourceError
from pincite.ingest.docling.doclingitems import (
    SCHEMA,
    Item,
    Items,
    Spot,
    described,
    exact,
    marked,
    own,
    path_of,
    refs,
    shown,
    table_from,
)
from pincite.ingest.given_tables import declares_scale, table_block
from pincite.ingest.page_cuts import cut, text_block
from pincite.ingest.raw_page import Block, Page
from pincite.types import Kind

LARGEST = 256 << 20
"""Bytes of a file beyond which it is not read: pictures of pages make it so large, and can be left out of it."""
_NAMED = re.compile(rb'"schema_name"\s*:\s*"DoclingDocument"')
_UNSEEN = ("furniture", "background", "invisible")
_KINDS: dict[str, Kind] = {
    "title": "heading", "section_header": "heading", "field_heading": "heading", "caption": "caption",
    "footnote": "footnote", "formula": "equation", "list_item": "list",
}  # fmt: skip
_RUNNING = ("page_header", "page_footer")
_CHECKED = {"checkbox_selected": "[x] ", "checkbox_unselected": "[ ] "}
_LISTS = ("list", "ordered_list")
_SHEET = "sheet: "
_SLIDE = re.compile(r"slide-\d+")
_PRESENTATIONS = ("presentation", "powerpoint")
"""What the kinds of file are called of which each page is a slide."""
_OF_SLIDE = re.compile(r"comment-slide(\d+)")


def is_docling(path: Path) -> bool:
    """Whether a JSON file says that it is a DoclingDocument."""
    with path.open("rb") as file:
        return bool(_NAMED.search(file.read(LARGEST)))


def docling_pages(path: Path, password: str | None = None) -> Iterator[Page]:
    """The pages of a DoclingDocument. Raises SourceError when the file is none, is damaged or is too large."""
    size = path.stat().st_size
    if size > LARGEST:
        raise SourceError(
            f"{path.name} has {size >> 20} MiB, more than the {LARGEST >> 20} MiB that are read: export it without the pictures "
            "of its pages (image_mode=ImageRefMode.PLACEHOLDER)."
        )
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
    except (
        KeyError,
        IndexError,
        TypeError,
        ValueError,
        AttributeError,
        ArithmeticError,
        RecursionError,
    ) as error:
        raise SourceError(
            f"{name} does not follow the schema of a DoclingDocument ({type(error).__name__}: {error}). Export it from "
            "docling again."
        ) from error


class _Reader:
    """Fills pages with the blocks of the items, in the order of the tree."""

    def __init__(self, data: Item) -> None:
        self.data = data
        self.items = Items(data)
        told = own(data["body"], "pages")
        self.ours = told is not None
        self.told: Item = told or {}
        groups = (
            [] if self.ours else [str(group.get("name", "")) for group in data.get("groups") or ()]
        )
        self.slides = not self.ours and _is_presentation(data, groups)
        self.sheets = self.items.counted = any(group.startswith(_SHEET) for group in groups)
        self.sheet = ""
        self.named: dict[int, str] = {}
        self.blocks: dict[int, list[Block]] = {number: [] for number in sorted(self.items.sizes)}
        self.page = min(self.items.sizes, default=0)
        self.runs = 0
        self.seen: set[str] = set()
        self.held: set[str] = (
            set()
        )  # captions and footnotes, which are read with what they belong to
        for item in (*data.get("tables", ()), *data.get("pictures", ())):
            self.held.update(refs(item, "captions"), refs(item, "footnotes"))

    def pages(self) -> Iterator[Page]:
        """The pages by number; those of a source without pages are cut by length."""
        title = str(own(self.data["body"], "title") or "")
        loose = self.blocks.pop(0, [])
        if not self.blocks:
            yield from cut(loose, TEXT, title=title)
            return
        self.blocks[min(self.blocks)][:0] = loose
        for number in sorted(self.blocks):
            blocks, told = self.blocks[number], self.told.get(str(number), {})
            place = str(told.get("place", "")) or (
                f"slide {number}" if self.slides else self.named.get(number, "")
            )
            if self.slides and not any(block.kind == "heading" for block in blocks):
                blocks = [text_block(f"Slide {number}", "heading", 1), *blocks]
            width, height = self.items.sizes.get(number, (0.0, 0.0))
            seen, suspicion = float(told.get("seen", 0.0)), str(told.get("suspicion", ""))
            yield Page(number, width, height, tuple(blocks), seen, suspicion, place, title)
            title = ""

    def is_read(self, ref: str) -> bool:
        """Whether an item was read, or is read with the table or picture that it belongs to."""
        return ref in self.seen or ref in self.held

    def walk(self, item: Item) -> None:
        """Read what stands below an item, each thing once."""
        for ref in refs(item):
            self.read(ref)

    def read(self, ref: str) -> None:
        """Read one item and what stands below it."""
        if self.is_read(ref):
            return
        self.seen.add(ref)
        item = self.items.at(ref)
        if item.get("content_layer", "body") in _UNSEEN:
            return
        place = ref.split("/")[1]
        if place == "groups":
            self.group(item)
        elif place == "tables":
            self.table(item)
        elif place == "pictures":
            self.picture(item)
        elif place in ("key_value_items", "form_items"):
            self.graph(item)
        elif place == "texts":
            self.text(item)
        else:
            self.walk(item)

    def group(self, item: Item) -> None:
        """A list as one block, words of one line joined, the sheet of a workbook named; else what is in the group."""
        label = item.get("label")
        if label in _LISTS:
            self.listed(item)
        elif label == "inline":
            texts = self.texts_below(item)
            self.put(
                "paragraph",
                " ".join(map(shown, texts)),
                self.items.spots(texts[0]) if texts else [],
            )
        else:
            self.open_group(item)
            self.walk(item)

    def open_group(self, item: Item) -> None:
        """Go to the sheet or slide that a group stands for."""
        name = str(item.get("name", ""))
        if self.sheets and name.startswith(_SHEET):
            self.sheet = name.removeprefix(_SHEET)
        below = (
            (self.items.at(ref).get("prov") for ref in refs(item))
            if self.sheets or self.slides
            else ()
        )
        if first := next((prov[0]["page_no"] for prov in below if prov), None):
            self.enter(int(first))
        elif (slide := _OF_SLIDE.match(name)) and int(slide[1]) in self.blocks:
            self.page = int(slide[1])

    def text(self, item: Item) -> None:
        """A text with what is below it; one without words of its own is what is in it."""
        label = str(item.get("label", "text"))
        if label in _RUNNING:
            return
        if label == "list_item":
            self.lines([item])
            return
        text = _CHECKED.get(label, "") + shown(item)
        level = 1 if label == "title" else int(item.get("level", 1)) + 1
        kind = _KINDS.get(label, "paragraph")
        if text.strip():
            spots = self.items.spots(item)
            notes = item.get("content_layer") == "notes" and self.slides
            page = spots[0][0] if spots else self.page
            path = f"slide {page}, notes" if notes else self.area(item) or path_of(item)
            self.put(kind, text, spots, level=level if kind == "heading" else 0, path=path)
        self.walk(item)

    def listed(self, item: Item) -> None:
        """A list, those in it included, as one block of a line for each item."""
        self.lines(list(self.entries(refs(item))), path_of(item))
        self.walk(item)

    def lines(self, items: Sequence[Item], path: str = "") -> None:
        """Items as the lines of one list, then what else is in them."""
        text, spots = "", list[Spot]()
        for item in items:
            line = self.line(item)
            if not line.strip():
                continue
            text += "\n" if text else ""
            begins = len(text) + max(len(line) - len(shown(item)), 0)
            first, *more = self.items.spots(item) or [(self.page, None, 0)]
            spots.append((first[0], first[1], len(text)))
            spots += [(page, box, begins + start) for page, box, start in more]
            text += line
        if text:
            self.put("list", text, spots, path=path)
        for item in items:
            self.walk(item)

    def line(self, item: Item) -> str:
        """An item of a list with its mark; one without words of its own has those below it."""
        below = self.texts_below(item) if not str(item.get("text", "")).strip() else []
        return marked(
            item,
            " ".join(map(shown, below)) if below else shown(item),
            "" if self.ours else "\u2022",
        )

    def entries(self, names: Sequence[str]) -> Iterator[Item]:
        """The items of a list in order, each followed by those of the lists in it."""
        for ref in names:
            if self.is_read(ref):
                continue
            item = self.items.at(ref)
            if self.is_list(ref):
                self.seen.add(ref)
                yield from self.entries(refs(item))
            elif ref.startswith("#/texts/"):
                self.seen.add(ref)
                if item.get("content_layer", "body") not in _UNSEEN:
                    yield item
                yield from self.entries(list(filter(self.is_list, refs(item))))

    def is_list(self, ref: str) -> bool:
        """Whether a reference is to a list."""
        return self.items.at(ref).get("label") in _LISTS

    def texts_below(self, item: Item) -> list[Item]:
        """The texts in an item, in order, which are then read."""
        found: list[Item] = []
        for name in refs(item):
            below = self.items.at(name)
            if self.is_read(name) or self.is_list(name):
                continue
            if name.startswith("#/texts/"):
                self.seen.add(name)
                found += [below] if str(below.get("text", "")).strip() else []
                found += self.texts_below(below)
            elif below.get("label") == "inline":
                self.seen.add(name)
                found += self.texts_below(below)
        return found

    def table(self, item: Item) -> None:
        """A table with its captions over it and its footnotes under it."""
        spots = self.items.spots(item)
        if spots:
            self.enter(spots[0][0])
        captions = self.floated(item, "captions")
        cells, lead = self.items.cells(item["data"], spots[0][0] if spots else 0), self.lead()
        path = self.area(item) or path_of(item)
        told = own(item, "table")
        made = (
            exact(told, cells)
            if told
            else table_from(cells, item["data"], [*lead, *(text for _, text in captions)])
        )
        if made is None:
            self.noted("caption", captions)
        else:
            made = (
                replace(made, page=spots[0][0], box=spots[0][1]) if spots and spots[0][1] else made
            )
            block = replace(table_block(made, path), continues=bool(own(item, "continues")))
            self.floating(
                block, [(page, box, at and len(block.text)) for page, box, at in spots], captions
            )
        self.noted("footnote", self.floated(item, "footnotes"))

    def lead(self) -> list[str]:
        """The short line right over a table that says what its numbers are in."""
        return [
            block.text for block in self.blocks.get(self.page, [])[-1:] if declares_scale(block)
        ]

    def area(self, item: Item) -> str:
        """The cells of its sheet that a table of a workbook covers: its box counts columns and rows."""
        prov = item.get("prov") or ()
        if not self.sheets or not prov or not self.sheet:
            return ""
        box = prov[0]["bbox"]
        left, top, right, bottom = (int(box[side]) for side in "ltrb")
        return f"{self.sheet}!{area([(top, max(bottom - 1, top))], (left, max(right - 1, left)))}"

    def picture(self, item: Item) -> None:
        """A figure with what it shows as said by a model, its captions, the words and the chart's data in it."""
        text = described(item)
        captions = self.floated(item, "captions")
        words = tuple(self.inner("ocr", below, shown(below)) for below in self.texts_below(item))
        block = Block("figure", text, inner=words, path=path_of(item))
        self.floating(block, self.items.spots(item), captions)
        chart = ((item.get("meta") or {}).get("tabular_chart") or {}).get("chart_data")
        made = table_from(self.items.cells(chart, 0), chart, []) if chart else None
        if made is not None:
            self.add(table_block(made))
        self.noted("footnote", self.floated(item, "footnotes"))
        self.walk(item)

    def graph(self, item: Item) -> None:
        """Keys with their values, a line for each key."""
        cells = {cell["cell_id"]: cell for cell in item["graph"]["cells"]}
        values: dict[Any, list[str]] = {}
        for link in item["graph"]["links"]:
            if link["label"] == "to_value":
                values.setdefault(link["source_cell_id"], []).append(
                    str(cells[link["target_cell_id"]]["text"])
                )
        told = {text for held in values.values() for text in held}
        for key, cell in cells.items():
            spots = self.items.spots({"prov": [cell["prov"]] if cell.get("prov") else []})
            if key in values:
                self.put("paragraph", f"{cell['text']}: {', '.join(values[key])}", spots)
            elif cell["text"] not in told:
                self.put("paragraph", str(cell["text"]), spots)
        self.walk(item)

    def floated(self, item: Item, what: str) -> list[tuple[Item, str]]:
        """The captions or footnotes of a table or picture, and what they say."""
        found = []
        for ref in refs(item, what):
            text = self.items.at(ref)
            if ref not in self.seen and shown(text).strip():
                found.append((text, shown(text)))
            self.seen.add(ref)
        return found

    def floating(
        self, block: Block, spots: Sequence[Spot], captions: Sequence[tuple[Item, str]]
    ) -> None:
        """A table or figure with the captions on its page in it; others follow."""
        spots = spots or [(self.page, None, 0)]
        page = spots[0][0]
        own_page = [
            caption
            for caption in captions
            if (self.items.spots(caption[0]) or spots)[0][0] == page
        ]
        inner = (self.inner("caption", *caption) for caption in own_page)
        self.lay(replace(block, inner=(*block.inner, *inner)), spots)
        self.noted("caption", [caption for caption in captions if caption not in own_page])

    def inner(self, kind: Kind, item: Item, text: str) -> Block:
        """A text as a block of the table or figure that it belongs to."""
        spots = self.items.spots(item) or [(0, None, 0)]
        boxes, starts = tuple(box for _, box, _ in spots), tuple(start for *_, start in spots)
        return Block(kind, text, boxes, starts, path=path_of(item))

    def noted(self, kind: Kind, texts: Sequence[tuple[Item, str]]) -> None:
        """Add captions or footnotes where they stand."""
        for item, text in texts:
            self.put(kind, text, self.items.spots(item), path=path_of(item))

    def put(
        self, kind: Kind, text: str, spots: Sequence[Spot], level: int = 0, path: str = ""
    ) -> None:
        """Add a text where it stands."""
        self.lay(Block(kind, text, level=level, path=path), spots)

    def lay(self, block: Block, spots: Sequence[Spot]) -> None:
        """Add a block where it stands, a box for every line; one that stands on several pages as a piece on each."""
        if not spots:
            plain = text_block(block.text)
            self.add(replace(block, lines=plain.lines, starts=plain.starts))
            return
        pages = [list(lines) for _, lines in groupby(spots, key=itemgetter(0))]
        self.runs += len(pages) > 1
        begins = 0
        for at, lines in enumerate(pages):
            ends = pages[at + 1][0][2] if at + 1 < len(pages) else len(block.text)
            piece = replace(
                block,
                text=block.text[begins:ends],
                lines=tuple(box for _, box, _ in lines),
                starts=tuple(start - begins for *_, start in lines),
                run=self.runs if len(pages) > 1 else 0,
            )
            self.enter(lines[0][0])
            self.add(replace(piece, table=None, inner=()) if at else piece)
            begins = ends

    def enter(self, page: int) -> None:
        """Go to a page; that of a sheet begins with its name."""
        self.page = page
        if self.sheet and page not in self.named:
            self.named[page] = f"sheet {self.sheet}"
            self.add(text_block(self.sheet, "heading", 1))

    def add(self, block: Block) -> None:
        """Add a block to the page that is being filled."""
        self.blocks.setdefault(self.page, []).append(block)


def _is_presentation(data: Item, groups: Sequence[str]) -> bool:
    """Whether the pages are slides: by what the source is said to be, or by what groups are called."""
    kind = str((data.get("origin") or {}).get("mimetype", ""))
    return any(map(_SLIDE.fullmatch, groups)) or any(name in kind for name in _PRESENTATIONS)
