"""Tables that run over pages: the part on the next page gets the header, and the sections still open, of the one before.

Each page keeps a table of its own, so that what stands on a page is found and cited there; the cells carried to it name the
page they are on. A table continues where only running heads, notes and a "continued" lie between, its columns are in line, and
it repeats the header or has none. So does one on the same page that has no header, below a line or two that part it from the
table above.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from pincite.document.table_headers import STEP, row_header
from pincite.document.table_text import body
from pincite.ingest.raw_page import Block, Page
from pincite.lexicon import pattern
from pincite.types import Cell, Table

LOW = 0.5
"""The last table of a page goes on only where it ends below this share of the page's height."""
IN_LINE = 4.0
"""Columns are in line when an edge or the middle of theirs is this near, in points."""
_CONTINUED = pattern("ingest", "continued", "captions")
_SHORT = 120
FAR = 60.0
"""Parts of one table on a page are at most this many points apart."""
Column = tuple[float, float]
"""Left and right edge of what stands in a column."""


def carried(pages: Iterable[Page]) -> Iterator[Page]:
    """The pages of one document, furniture off, with the tables that go on from the page before given what they lack."""
    before: Page | None = None
    for page in pages:
        if before is not None and before.number + 1 == page.number and page.height:
            page = _joined(before, page)
        page = _within(page)
        yield page
        before = page


def _joined(before: Page, page: Page) -> Page:
    last, first = _foot(before), _head(page)
    if last < 0 or first < 0:
        return page
    above, block = before.blocks[last].table, page.blocks[first].table
    assert above is not None and block is not None
    said = {_bare(block.text) for block in before.blocks[:last]} | {_bare(above.caption)}
    over = (block.text for block in page.blocks[:first] if not _CONTINUED.search(block.text))
    if any(_bare(text) not in said for text in over):
        return page
    made = _continued(above, block, before.number)
    if made is None:
        return page
    blocks = list(page.blocks)
    blocks[first] = replace(blocks[first], table=made, continues=True)
    return replace(page, blocks=tuple(blocks))


def _within(page: Page) -> Page:
    """The page with the headers of its tables given to those that go on from them there."""
    blocks = list(page.blocks)
    last = -1
    for at, block in enumerate(blocks):
        if block.table is None:
            continue
        above = blocks[last].table if last >= 0 else None
        if above is not None and not block.continues:
            made = _next_part(above, block.table, blocks[last + 1 : at])
            if made is not None:
                blocks[at] = replace(block, table=made, continues=True)
        last = at
    return replace(page, blocks=tuple(blocks))


def _next_part(above: Table, table: Table, between: Sequence[Block]) -> Table | None:
    """A table without a header as the part of the one above it on its page that it goes on from; None when it does not."""
    near = above.box and table.box and 0 < table.box[1] - above.box[3] < FAR
    parted = sum(len(block.text) for block in between) >= _SHORT
    if not near or not above.header_rows or table.header_rows or parted:
        return None
    made = _continued(above, table, 0)
    return made if made is not None and _width(made) == _width(table) else None


def _width(table: Table) -> int:
    return max(cell.column + cell.column_span for cell in table.cells)


def _foot(page: Page) -> int:
    """The table that a page ends with, but for notes; -1 for none."""
    for at in range(len(page.blocks) - 1, -1, -1):
        block = page.blocks[at]
        if block.table is not None:
            low = block.table.box is not None and block.table.box[3] > LOW * page.height
            return at if low else -1
        if block.kind != "footnote" and not _passing(block):
            return -1
    return -1


def _head(page: Page) -> int:
    """The table that a page begins with, but for a line or two; -1 for none."""
    for at, block in enumerate(page.blocks[:3]):
        if block.table is not None:
            return at
        if len(block.text) > _SHORT:
            return -1
    return -1


def _passing(block: Block) -> bool:
    """Whether a block is a page number or says that the table goes on."""
    return len(block.text) < _SHORT and (
        bool(_CONTINUED.search(block.text)) or not any(map(str.isalpha, block.text))
    )


def _bare(text: str) -> str:
    """A title without "(continued)" and signs."""
    return "".join(filter(str.isalnum, _CONTINUED.sub("", text).casefold()))


def _continued(above: Table, table: Table, page: int) -> Table | None:
    """`table` as the next part of `above`, which stands on `page`, 0 for the same; None when it is another table.

    What parts two tables of a page is a section of its own, so that those above it are closed.
    """
    places = _places(above, table)
    if places is None:
        return None
    moved = [_placed(cell, places) for cell in table.cells]
    repeated = _repeated(above.cells, moved)
    if table.header_rows > repeated or 0 < repeated < above.header_rows:
        return None
    joined = replace(table, cells=tuple(moved), header_rows=repeated)
    caption, sides = table.caption or above.caption, above.header_columns
    joined = replace(joined, caption=caption, header_columns=sides)
    plain = table.scale == 1 and not table.unit and not table.unscaled
    if plain and not _excepted(above, table.caption):
        joined = replace(joined, scale=above.scale, unit=above.unit, unscaled=above.unscaled)
    return _with_rows_of(above, joined, page)


def _with_rows_of(above: Table, table: Table, page: int) -> Table:
    """A part with the rows that it lacks of the table above: the header, unless it repeats it, and the open sections."""
    repeated = table.header_rows
    header_rows = repeated or above.header_rows
    sections = _open_sections(above, table) if page else []
    taken = [] if repeated else [cell for cell in above.cells if cell.row < header_rows]
    taken += [replace(cell, row=header_rows + at, row_span=1) for at, cell in enumerate(sections)]
    cells = [replace(cell, page=cell.page or page) for cell in taken]
    cells += [cell for cell in table.cells if cell.row < repeated]
    down = header_rows - repeated + len(sections)
    cells += [replace(cell, row=cell.row + down) for cell in table.cells if cell.row >= repeated]
    ordered = tuple(sorted(cells, key=lambda cell: (cell.row, cell.column)))
    return replace(table, cells=ordered, header_rows=header_rows)


def _excepted(above: Table, caption: str) -> bool:
    """Whether a caption is of what the scale of the table above does not hold for: "Earnings per share:"."""
    words = above.unscaled.casefold().split()
    return any(len(word) > 3 and word in caption.casefold() for word in words)


def _repeated(above: Sequence[Cell], cells: Sequence[Cell]) -> int:
    """How many rows a table begins with as the one above it does: its header."""
    theirs, ours = _rows(above), _rows(cells)
    same = 0
    while same in ours and ours[same] == theirs.get(same):
        same += 1
    return same


def _rows(cells: Sequence[Cell]) -> dict[int, list[tuple[int, str]]]:
    """What stands in each row, and in which columns."""
    rows: dict[int, list[tuple[int, str]]] = {}
    for cell in sorted(cells, key=lambda cell: cell.column):
        rows.setdefault(cell.row, []).append((cell.column, _bare(cell.text)))
    return rows


def _placed(cell: Cell, places: Sequence[int]) -> Cell:
    """A cell in the columns of the table that it goes on."""
    last = places[min(cell.column + cell.column_span, len(places)) - 1]
    first = places[cell.column]
    return replace(cell, column=first, column_span=max(1, last - first + 1))


def _places(above: Table, table: Table) -> list[int] | None:
    """For each column of a table the one of the table above that it is in line with; None where one is not."""
    theirs, ours = _columns(above), _columns(table)
    last = max(cell.column for cell in table.cells)
    whole = sorted(ours) == list(range(last + 1))
    if not whole or not 2 <= len(ours) <= len(theirs) or 0 not in theirs:
        return None
    for shift in dict.fromkeys((0.0, ours[0][0] - theirs[0][0])):
        extents = map(ours.__getitem__, range(len(ours)))
        shifted = [(left - shift, right - shift) for left, right in extents]
        places = [_column_of(extent, theirs, at == 0) for at, extent in enumerate(shifted)]
        if places[0] == 0 and places == sorted(set(places)):
            return places
    return None


def _column_of(extent: Column, columns: dict[int, Column], labels: bool) -> int:
    """The first of some columns that an extent is in line with; -1 for none."""
    return next((at for at, column in columns.items() if _in_line(column, extent, labels)), -1)


def _columns(table: Table) -> dict[int, Column]:
    """The extent of each column by the cells of the body that stand in it alone."""
    found: dict[int, Column] = {}
    for cell in table.cells:
        if cell.box is None or cell.page or cell.column_span > 1 or cell.row < table.header_rows:
            continue
        low, high = found.get(cell.column, (cell.box[0], cell.box[2]))
        found[cell.column] = min(low, cell.box[0]), max(high, cell.box[2])
    return found


def _in_line(column: Column, extent: Column, labels: bool) -> bool:
    (low, high), (x0, x1) = column, extent
    if labels:
        return low - IN_LINE <= x0 < high
    near = min(abs(low - x0), abs(high - x1), abs(low + high - (x0 + x1)) / 2) <= IN_LINE
    return near or min(high, x1) - max(low, x0) > 0.6 * min(high - low, x1 - x0)


def _open_sections(above: Table, table: Table) -> list[Cell]:
    """The rows of a table that are sections of the first row of the part that goes on from it."""
    first = table.header_rows
    following = [cell for cell in table.cells if cell.row >= first]
    height = max(cell.row + cell.row_span for cell in above.cells)
    lowered = (replace(cell, row=cell.row + height - first) for cell in following)
    whole = replace(above, cells=(*above.cells, *lowered))
    row = next((row for row, _, _ in body(table)), None)
    if row is None:
        return []
    path = row_header(whole, row + height - first).split(STEP)[:-1]
    own = row_header(table, row).split(STEP)[:-1]
    taken: list[Cell] = []
    at = height
    for name in reversed(path[: len(path) - len(own)]):
        found = _section(above, name, at)
        if found is None:
            break
        taken.insert(0, found)
        at = found.row
    return taken


def _section(table: Table, name: str, end: int) -> Cell | None:
    """The last label of this name above row `end` of a table."""
    for cell in reversed(table.cells):
        labels = cell.column == 0 and table.header_rows <= cell.row < end
        if labels and cell.text.rstrip(": ") == name:
            return cell
    return None
