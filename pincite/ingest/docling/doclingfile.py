"""DoclingDocument JSON (docling-core, schema version 1) as pages: what another parser understood, cited as its source would be.

Reading order is that of the body's tree. Running heads and what is invisible are left out. Boxes of either origin become boxes
from the top left; a box without an area says the page alone. What `doclingout` wrote comes back exactly.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from pincite.document.address import TEXT, area
from pincite.errors import SourceError
from pincite.ingest.docling.doclingitems import (
    SCHEMA,
    Item,
    Items,
    Spot,
    exact,
    marked,
    own,
    path_of,
    refs,
    shown,
    table_from,
)
from pincite.ingest.given_tables import table_block
from pincite.ingest.page_cuts import cut, text_block
from pincite.ingest.raw_page import Block, Page
from pincite.quantity import declared
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
_SLIDES = re.compile("presentation|powerpoint")
_OF_SLIDE = re.compile(r"comment-slide(\d+)")
_LEAD = 12
"""The most words of a line over a table that may say what its numbers are in."""


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
        raise SourceError(f"{path.name} is no whole JSON ({error}). Export it from docling again.") from error
    yield from pages_of_docling(data, path.name)


def pages_of_docling(data: Any, name: str) -> tuple[Page, ...]:
    """The pages of a DoclingDocument as JSON makes it. Raises SourceError when it does not keep to the schema."""
    if not isinstance(data, dict) or data.get("schema_name") != SCHEMA:
        raise SourceError(f"{name} is no DoclingDocument: it does not say so under schema_name.")
    version = str(data.get("version", "1.0"))
    if not version.startswith("1."):
        raise SourceError(
            f"{name} is a DoclingDocument of version {version[:20]}; versions 1.x are read. Export it by docling 2."
        )
    try:
        reader = _Reader(data)
        reader.walk(data["body"])
        return tuple(reader.pages())
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
        raise SourceError(
            f"{name} does not keep to the schema of a DoclingDocument ({type(error).__name__}: {error}). Export it from "
            "docling again."
        ) from error


class _Reader:
    """Fills pages with the blocks of the items, in the order of the tree."""

    def __init__(self, data: Item) -> None:
        self.data = data
        self.items = Items(data)
        self.told: Item = own(data["body"], "pages") or {}
        self.ours = own(data["body"], "pages") is not None
        kind = str((data.get("origin") or {}).get("mimetype", ""))
        groups = [str(group.get("name", "")) for group in data.get("groups") or ()] if not self.ours else []
        self.slides = any(map(_SLIDE.fullmatch, groups)) or not self.ours and bool(_SLIDES.search(kind))
        self.sheets = self.items.counted = any(group.startswith(_SHEET) for group in groups)
        self.sheet = ""
        self.named: dict[int, str] = {}
        self.blocks: dict[int, list[Block]] = {number: [] for number in sorted(self.items.sizes)}
        self.page = min(self.items.sizes, default=0)
        self.runs = 0
        self.seen: set[str] = set()
        floats = (item for name in ("tables", "pictures") for item in data.get(name, ()))
        self.held = {ref for item in floats for name in ("captions", "footnotes") for ref in refs(item, name)}

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
            place = str(told.get("place", "")) or (f"slide {number}" if self.slides else self.named.get(number, ""))
            if self.slides and not any(block.kind == "heading" for block in blocks):
                blocks = [text_block(f"Slide {number}", "heading", 1), *blocks]
            width, height = self.items.sizes.get(number, (0.0, 0.0))
            won = float(told.get("seen", 0.0)), str(told.get("suspicion", ""))
            yield Page(number, width, height, tuple(blocks), *won, place=place, title=title)
            title = ""

    def walk(self, item: Item) -> None:
        """Read what stands below an item, each thing once."""
        for ref in refs(item):
            self.read(ref)

    def read(self, ref: str) -> None:
        """Read one item and what stands below it."""
        if ref in self.seen or ref in self.held:
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
            self.put("paragraph", " ".join(shown(text) for text in texts), self.items.spots(texts[0]) if texts else [])
        else:
            name = str(item.get("name", ""))
            self.sheet = name.removeprefix(_SHEET) if self.sheets and name.startswith(_SHEET) else self.sheet
            below = (self.items.at(ref).get("prov") for ref in refs(item)) if self.sheets or self.slides else ()
            if first := next((prov[0]["page_no"] for prov in below if prov), None):
                self.enter(int(first))
            elif (of := _OF_SLIDE.match(name)) and int(of[1]) in self.blocks:
                self.page = int(of[1])
            self.walk(item)

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
        text, spots, rest = "", list[Spot](), list[Item]()
        for item in items:
            below = self.texts_below(item) if not str(item.get("text", "")).strip() else []
            line = marked(item, " ".join(map(shown, below)) if below else shown(item), "" if self.ours else "\u2022")
            rest.append(item)
            if not line.strip():
                continue
            text += "\n" if text else ""
            off = len(line) - len(shown(item))
            found = self.items.spots(item) or [(self.page, None, 0)]
            spots += [
                (page, box, len(text) + (start + max(off, 0) if at else 0))
                for at, (page, box, start) in enumerate(found)
            ]
            text += line
        if text:
            self.put("list", text, spots, path=path)
        for child in rest:
            self.walk(child)

    def entries(self, names: Sequence[str]) -> Iterator[Item]:
        """The items of a list in order, each followed by those of the lists in it."""
        for ref in names:
            if ref in self.seen or ref in self.held:
                continue
            below = self.items.at(ref)
            is_list = below.get("label") in _LISTS
            if is_list or ref.startswith("#/texts/"):
                self.seen.add(ref)
                if not is_list and below.get("content_layer", "body") not in _UNSEEN:
                    yield below
                inner = refs(below)
                yield from self.entries(inner if is_list else [child for child in inner if self.is_list(child)])

    def is_list(self, ref: str) -> bool:
        """Whether a reference is to a list."""
        return self.items.at(ref).get("label") in _LISTS

    def texts_below(self, item: Item) -> list[Item]:
        """The texts in an item, in order, which are then read."""
        found: list[Item] = []
        for name in refs(item):
            below = self.items.at(name)
            if name in self.seen or name in self.held or below.get("label") in _LISTS:
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
        made = exact(told, cells) if told else table_from(cells, item["data"], [*lead, *(text for _, text in captions)])
        if made is None:
            for one, text in captions:
                self.noted("caption", one, text)
        else:
            made = replace(made, page=spots[0][0], box=spots[0][1]) if spots and spots[0][1] else made
            block = replace(table_block(made, path), continues=bool(own(item, "continues")))
            self.floating(block, [(page, box, at and len(block.text)) for page, box, at in spots], captions)
        for one, text in self.floated(item, "footnotes"):
            self.noted("footnote", one, text)

    def lead(self) -> list[str]:
        """The short line right over a table that says what its numbers are in."""
        over = self.blocks.get(self.page, [])[-1:]
        return [
            block.text for block in over
            if block.table is None and len(block.text.split()) <= _LEAD and declared(block.text).scale != 1
        ]  # fmt: skip

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
        meta = item.get("meta") or {}
        said = [note.get("text", "") for note in item.get("annotations") or () if note.get("kind") == "description"]
        text = str((meta.get("description") or {}).get("text", "") or " ".join(said))
        captions = self.floated(item, "captions")
        words = tuple(self.inner("ocr", text, shown(text)) for text in self.texts_below(item))
        block = Block("figure", text, inner=words, path=path_of(item))
        self.floating(block, self.items.spots(item), captions)
        chart = (meta.get("tabular_chart") or {}).get("chart_data")
        made = table_from(self.items.cells(chart, 0), chart, []) if chart else None
        if made is not None:
            self.add(table_block(made))
        for one, note in self.floated(item, "footnotes"):
            self.noted("footnote", one, note)
        self.walk(item)

    def graph(self, item: Item) -> None:
        """Keys with their values, a line for each key."""
        cells = {cell["cell_id"]: cell for cell in item["graph"]["cells"]}
        values: dict[Any, list[str]] = {}
        for link in item["graph"]["links"]:
            if link["label"] == "to_value":
                values.setdefault(link["source_cell_id"], []).append(str(cells[link["target_cell_id"]]["text"]))
        told = {text for held in values.values() for text in held}
        for key, one in cells.items():
            spots = self.items.spots({"prov": [one["prov"]] if one.get("prov") else []})
            if key in values:
                self.put("paragraph", f"{one['text']}: {', '.join(values[key])}", spots)
            elif one["text"] not in told:
                self.put("paragraph", str(one["text"]), spots)
        self.walk(item)

    def floated(self, item: Item, what: str) -> list[tuple[Item, str]]:
        """The captions or footnotes of a table or picture, and what they say."""
        found = []
        for ref in refs(item, what):
            one = self.items.at(ref)
            if ref not in self.seen and shown(one).strip():
                found.append((one, shown(one)))
            self.seen.add(ref)
        return found

    def floating(self, block: Block, spots: Sequence[Spot], captions: Sequence[tuple[Item, str]]) -> None:
        """A table or figure with the captions on its page in it; others follow."""
        spots = spots or [(self.page, None, 0)]
        page = spots[0][0]
        own_page = [caption for caption in captions if (self.items.spots(caption[0]) or spots)[0][0] == page]
        inner = (self.inner("caption", *caption) for caption in own_page)
        self.lay(replace(block, inner=(*block.inner, *inner)), spots)
        for caption in captions:
            if caption not in own_page:
                self.noted("caption", *caption)

    def inner(self, kind: Kind, item: Item, text: str) -> Block:
        """A text as a block of the table or figure that it belongs to."""
        spots = self.items.spots(item) or [(0, None, 0)]
        boxes, starts = tuple(box for _, box, _ in spots), tuple(start for *_, start in spots)
        return Block(kind, text, boxes, starts, path=path_of(item))

    def noted(self, kind: Kind, item: Item, text: str) -> None:
        """Add a caption or a footnote where it stands."""
        self.put(kind, text, self.items.spots(item), path=path_of(item))

    def put(self, kind: Kind, text: str, spots: Sequence[Spot], level: int = 0, path: str = "") -> None:
        """Add a text where it stands."""
        self.lay(Block(kind, text, level=level, path=path), spots)

    def lay(self, block: Block, spots: Sequence[Spot]) -> None:
        """Add a block where it stands, a box for every line; one that stands on several pages as a piece on each."""
        if not spots:
            plain = text_block(block.text)
            self.add(replace(block, lines=plain.lines, starts=plain.starts))
            return
        firsts = [at for at, one in enumerate(spots) if not at or one[0] != spots[at - 1][0]]
        self.runs += len(firsts) > 1
        for first, last in zip(firsts, [*firsts[1:], len(spots)], strict=True):
            begins = spots[first][2] if first else 0
            ends = spots[last][2] if last < len(spots) else len(block.text)
            piece = replace(
                block,
                text=block.text[begins:ends],
                lines=tuple(box for _, box, _ in spots[first:last]),
                starts=tuple(start - begins for *_, start in spots[first:last]),
                run=self.runs if len(firsts) > 1 else 0,
            )
            self.enter(spots[first][0])
            self.add(replace(piece, table=None, inner=()) if first else piece)

    def enter(self, page: int) -> None:
        """Go to a page; that of a sheet begins with its name."""
        self.page = page
        if self.sheet and page not in self.named:
            self.named[page] = f"sheet {self.sheet}"
            self.add(text_block(self.sheet, "heading", 1))

    def add(self, block: Block) -> None:
        """Add a block to the page that is being cell."""
        self.blocks.setdefault(self.page, []).append(block)
