"""Where an anchor points, in the terms of its format: page 3, slide 3, Costs!C5, the headings above it.

A path that begins with one of `WORDS`, or ends in an area of cells, says by itself where its place is; any other path is the
headings above a place on a printed page, which is told by its number.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.types import Anchor

TEXT = "text"
"""The place of a page of a format that has headings and no pages."""
WORDS = (TEXT, "slide", "sheet", "chapter", "message", "attachment", "member", "tagged facts")
"""What a path in a format's own terms begins with."""
_OWN = re.compile(rf"(?:{'|'.join(WORDS)})\b")
_CELL = r"[A-Z]{1,3}[1-9]\d*"
_AREA = rf"{_CELL}:{_CELL}"
_AREAS = re.compile(rf"(?:(?<=!)|(?<=\bcells )){_AREA}(?:,{_AREA})*$")
_ALONE = re.compile(rf"^({_CELL}):\1$")
_ENDS = re.compile(r"(?<![A-Z])([A-Z]++)(\d++):([A-Z]++)(\d++)")


def place_of(anchor: Anchor) -> str:
    """Where an anchor points: "page 3", "slide 3 > Costs", "Costs!C5", "Results > Revenue", "member a.pdf, page 3".

    Cells of a sheet are told by their addresses. Empty when the source is a text without pages and headings.
    """
    areas = _AREAS.search(anchor.path)
    if areas:
        cells = ", ".join(
            dict.fromkeys(_cell(areas[0], row, column) for row, column in anchor.cells)
        )
        return anchor.path[: areas.start()] + (cells or _ALONE.sub(r"\1", areas[0]))
    if _OWN.match(anchor.path):
        return anchor.path.removeprefix(f"{TEXT} > ") if anchor.path != TEXT else "the text"
    return f"page {anchor.page}" if anchor.page else anchor.path


def standing(anchor: Anchor) -> str:
    """Where something stands, as a sentence goes on: "on page 3", "on slide 3 > Costs", "at Costs!C5", "under Results".

    Empty when the source has no places.
    """
    place = place_of(anchor)
    if not place:
        return ""
    if _AREAS.search(anchor.path):
        return f"at {place}"
    if place.startswith(("page", "slide")):
        return f"on {place}"
    return f"in {place}" if place == "the text" or _OWN.match(place) else f"under {place}"


def unprinted(anchor: Anchor) -> str:
    """Where an anchor points when that is no printed page; empty when it is one."""
    return "" if anchor.page and not tells_itself(anchor.path) else place_of(anchor)


def tells_itself(path: str) -> bool:
    """Whether a path says in its format's own terms where it is: a slide, an area of cells, a member of an archive."""
    return bool(_AREAS.search(path) or _OWN.match(path))


def own_place(path: str) -> str:
    """What the page at a path is in its format's own terms ("slide 3" of "slide 3 > Costs"); empty for a printed page."""
    return path.partition(" > ")[0] if _OWN.match(path) else ""


def page_name(path: str, page: int) -> str:
    """What a page is called by the path of what stands on it and its number: "page 3", "slide 3", "the text"."""
    return {"": f"page {page}", TEXT: "the text"}.get(own := own_place(path), own)


def cell_name(row: int, column: int) -> str:
    """The address of a cell by its 0-based row and column: (4, 2) is "C5"."""
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return f"{letters}{row + 1}"


def area(rows: Sequence[tuple[int, int]], columns: tuple[int, int]) -> str:
    """The areas of whole rows, each (first, last), in columns (first, last), all 0-based: "A1:F1,A501:F900"."""
    return ",".join(
        f"{cell_name(top, columns[0])}:{cell_name(last, columns[1])}" for top, last in rows
    )


def _cell(areas: str, row: int, column: int) -> str:
    """The address of grid position (row, column) in areas whose rows follow each other."""
    ends = [(_number(a), int(b) - 1, int(d) - 1) for a, b, _, d in _ENDS.findall(areas)]
    for left, top, last in ends:
        if row <= last - top:
            return cell_name(top + row, left + column)
        row -= last - top + 1
    return cell_name(ends[-1][2] + row + 1, ends[-1][0] + column)


def _number(letters: str) -> int:
    found = 0
    for letter in letters:
        found = 26 * found + ord(letter) - 64
    return found - 1
