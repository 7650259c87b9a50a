"""The items of a DoclingDocument's JSON: what they say, where they stand, the cells of their tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pincite import encoding
from pincite.ingest.given_tables import table_of
from pincite.types import Box, Cell, Table

SCHEMA = "DoclingDocument"
OURS = "pincite__"
"""What the names of our own fields begin with, under `meta` of any item."""

_WIDEST = 20_000  # points: no page is as wide

Item = Mapping[str, Any]
Spot = tuple[int, Box | None, int]
"""A page, a box on it, and the character of the text that begins there."""


def page_sizes(data: Item) -> dict[int, tuple[float, float]]:
    """Width and height of the pages of a DoclingDocument in points, by number."""
    unit = _unit(data)
    return {
        int(number): (float(page["size"]["width"]) * unit, float(page["size"]["height"]) * unit)
        for number, page in _pages(data)
    }


def _pages(data: Item) -> list[tuple[str, Item]]:
    return list((data.get("pages") or {}).items())


def _unit(data: Item) -> float:
    """How many points a unit of its boxes is: those of slides are English metric units, of which a point has 12,700."""
    return (
        1 / 12_700
        if any(float(page["size"]["width"]) > _WIDEST for _, page in _pages(data))
        else 1.0
    )


def refs(item: Item, name: str = "children") -> list[str]:
    """What an item refers to; docling-core writes a reference under either name."""
    return [str(reference.get("$ref") or reference["cref"]) for reference in item.get(name) or ()]


class Items:
    """The items by reference; `counted` says that boxes count the columns and rows of a sheet, and are none."""

    def __init__(self, data: Item) -> None:
        self.data = data
        self.sizes, self.unit = page_sizes(data), _unit(data)
        self.counted = False

    def at(self, ref: str) -> Item:
        """What a reference points at."""
        _, name, number = ref.split("/")
        found: Item = self.data[name][int(number)]
        return found

    def spots(self, item: Item) -> list[Spot]:
        """Where a text stands, from its first character to its last; the ranges of characters that make no sense are mended."""
        found: list[Spot] = []
        for place in item.get("prov") or ():
            page = int(place["page_no"])
            start = int((place.get("charspan") or (0, 0))[0]) if found else 0
            found.append(
                (page, None if self.counted else self.box(place.get("bbox"), page), start)
            )
        most, at = len(shown(item)), 0
        for number, (page, box, start) in enumerate(found[1:], 1):
            at = start if at < start < most else most
            found[number] = page, box, at
        return found

    def box(self, given: Item | None, page: int) -> Box | None:
        """A box from the top left; None for one without an area, or from the bottom of a page of unknown height."""
        if given is None:
            return None
        left, top, right, bottom = (float(given[side]) * self.unit for side in "ltrb")
        if str(given.get("coord_origin", "TOPLEFT")).endswith("BOTTOMLEFT"):
            height = self.sizes.get(page, (0.0, 0.0))[1]
            if not height:
                return None
            top, bottom = height - top, height - bottom
        return (left, top, right, bottom) if right > left and bottom > top else None

    def cells(self, data: Item, page: int) -> list[Cell]:
        """The cells of a table at their places."""
        found: list[Cell] = []
        for cell in data.get("table_cells") or ():
            row, column = int(cell["start_row_offset_idx"]), int(cell["start_col_offset_idx"])
            rows, columns = (
                int(cell["end_row_offset_idx"]) - row,
                int(cell["end_col_offset_idx"]) - column,
            )
            box = self.box(cell.get("bbox"), page) if page and not self.counted else None
            found.append(Cell(row, column, str(cell["text"]), max(rows, 1), max(columns, 1), box))
        return found


def own(item: Item, name: str) -> Any:
    """What we wrote about an item under a name of ours."""
    return (item.get("meta") or {}).get(OURS + name)


def path_of(item: Item) -> str:
    """The place of an item in the terms of its format, as we wrote it."""
    return str(own(item, "path") or "")


def shown(item: Item) -> str:
    """What an item says."""
    return str(item.get("text") or item.get("orig") or "")


def marked(item: Item, text: str, bullet: str) -> str:
    """An item of a list with its mark before it, as it was found where that is told; one without any has a `bullet`."""
    mark, whole = str(item.get("marker") or ""), str(item.get("orig") or "")
    if mark and len(whole) > len(text) and whole.startswith(mark) and whole.endswith(text):
        return whole
    if not mark and not item.get("enumerated"):
        mark = bullet
    return text if not text or text.startswith(mark) else f"{mark} {text}"


def described(item: Item) -> str:
    """What a picture shows as a model says it; empty where none does."""
    description = (item.get("meta") or {}).get("description") or {}
    notes = (note for note in item.get("annotations") or () if note.get("kind") == "description")
    return str(description.get("text", "") or " ".join(note.get("text", "") for note in notes))


def exact(told: Item, cells: Sequence[Cell]) -> Table:
    """A table as it was when it was written; `told` is what the schema of its cells does not hold."""
    more = {(row, column): rest for row, column, *rest in told.get("cells", ())}
    held = [
        [
            cell.row, cell.column, cell.text, cell.row_span, cell.column_span, cell.box,
            *more.get((cell.row, cell.column), ()),
        ]
        for cell in cells
    ]  # fmt: skip
    return encoding.table_from({**told, "cells": held})


def table_from(cells: Sequence[Cell], data: Item, caption: Sequence[str]) -> Table | None:
    """A table whose header rows and columns are as marked, or told from what it holds where none is."""
    heads, sides = _marked(data, "column_header"), _marked(data, "row_header")
    held = [(cell.row, cell.column) for cell in cells if cell.text.strip()]
    rows = _leading(held, heads, heads | sides, 0)
    columns = _leading([spot for spot in held if spot[0] >= rows], sides, sides, 1)
    return table_of(
        cells,
        header_rows=rows if heads else None,
        header_columns=columns if sides else None,
        caption=caption,
    )


def _marked(data: Item, name: str) -> set[tuple[int, int]]:
    cells = (cell for cell in data["table_cells"] if cell.get(name))
    return {
        (int(cell["start_row_offset_idx"]), int(cell["start_col_offset_idx"])) for cell in cells
    }


def _leading(
    held: Sequence[tuple[int, int]],
    some: set[tuple[int, int]],
    every: set[tuple[int, int]],
    way: int,
) -> int:
    """How many rows (0) or columns (1) from the first hold headers of the kind in `some` and none that is not in `every`."""
    count = 0
    for line in sorted({spot[way] for spot in held}):
        own = {spot for spot in held if spot[way] == line}
        if not own & some or not own <= every:
            break
        count = line + 1
    return count
