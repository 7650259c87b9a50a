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
from pincite.ingest.raw_page import Page
from pincite.text.lexicon import pattern
from pincite.types import Cell, Table

LOW = 0.5  # the last table of a page goes on only if it ends below this share of the page
IN_LINE = 4.0  # columns are in line when an edge or the middle of theirs is this near, in points
_CONTINUED = pattern("ingest", "continued", "captions")
_SHORT = 120
FAR = 60.0  # parts of one table on a page are at most this many points apart
Column = tuple[float, float]  # left and right edge of what stands in a column


def carried(pages: Iterable[Page]) -> Iterator[Page]:
    """The pages of one document, furniture off, with the tables that go on from the page before given what they lack."""
    before: Page | None = None
    for page in pages:
        if before is not None and before.number + 1 == page.number and page.height:
            page = _join_pages(before, page)
        page = _join_on_page(page)
        yield page
        before = page


def _join_pages(before: Page, page: Page) -> Page:
    last, first = _last_table(before), _first_table(page)
    if last < 0 or first < 0:
        return page
    above, table = before.blocks[last].table, page.blocks[first].table
    assert above is not None and table is not None
    said = {_bare_text(block.text) for block in before.blocks[:last]} | {_bare_text(above.caption)}
    over = (block.text for block in page.blocks[:first] if not _CONTINUED.search(block.text))
    made = (
        _continue_table(above, table, before.number)
        if said.issuperset(map(_bare_text, over))
        else None
    )
    if made is None:
        return page
    whole = replace(page.blocks[first], table=made, continues=True)
    return replace(page, blocks=(*page.blocks[:first], whole, *page.blocks[first + 1 :]))


def _join_on_page(page: Page) -> Page:
    """The page with the headers of its tables given to those that go on from them there."""
    blocks = list(page.blocks)
    above: Table | None = None
    between = 0  # characters since that
    for at, block in enumerate(blocks):
        if block.table is None:
            between += len(block.text)
            continue
        if above is not None and not block.continues and between < _SHORT:
            made = _next_part(above, block.table)
            if made is not None:
                blocks[at] = replace(block, table=made, continues=True)
        above, between = blocks[at].table, 0
    return replace(page, blocks=tuple(blocks))


def _next_part(above: Table, table: Table) -> Table | None:
    """A table without a header as the part of the one above it on its page that it goes on from; None when it does not."""
    near = above.box and table.box and 0 < table.box[1] - above.box[3] < FAR
    if not near or not above.header_rows or table.header_rows:
        return None
    made = _continue_table(above, table, 0)
    return made if made is not None and _width(made) == _width(table) else None


def _width(table: Table) -> int:
    return max(cell.column + cell.column_span for cell in table.cells)


def _last_table(page: Page) -> int:
    """The table that a page ends with, but for notes; -1 for none."""
    for at in range(len(page.blocks) - 1, -1, -1):
        block = page.blocks[at]
        if block.table is not None:
            low = block.table.box is not None and block.table.box[3] > LOW * page.height
            return at if low else -1
        # a page number, or what says that the table goes on
        passing = _CONTINUED.search(block.text) or not any(map(str.isalpha, block.text))
        if block.kind != "footnote" and (len(block.text) >= _SHORT or not passing):
            return -1
    return -1


def _first_table(page: Page) -> int:
    """The table that a page begins with, but for a line or two; -1 for none."""
    for at, block in enumerate(page.blocks[:3]):
        if block.table is not None:
            return at
        if len(block.text) > _SHORT:
            return -1
    return -1


def _bare_text(text: str) -> str:
    """A title without "(continued)" and signs."""
    return "".join(filter(str.isalnum, _CONTINUED.sub("", text).casefold()))


def _continue_table(above: Table, table: Table, page: int) -> Table | None:
    """`table` as the next part of `above`, which stands on `page`, 0 for the same; None when it is another table.

    What parts two tables of a page is a section of its own, so that those above it are closed.
    """
    places = _match_columns(above, table)
    if places is None:
        return None
    moved = []
    for cell in table.cells:
        first, end = places[cell.column], min(cell.column + cell.column_span, len(places))
        span = max(1, places[end - 1] - first + 1)
        moved.append(replace(cell, column=first, column_span=span))
    repeated = _count_repeated_rows(above.cells, moved)
    if table.header_rows > repeated or 0 < repeated < above.header_rows:
        return None
    joined = replace(table, cells=tuple(moved), header_rows=repeated)
    caption, sides = table.caption or above.caption, above.header_columns
    joined = replace(joined, caption=caption, header_columns=sides)
    plain = table.scale == 1 and not table.unit and not table.unscaled
    # the scale above does not hold for a caption such as "Earnings per share:"
    excepted = (word for word in above.unscaled.casefold().split() if len(word) > 3)
    if plain and not any(word in table.caption.casefold() for word in excepted):
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


def _count_repeated_rows(above: Sequence[Cell], cells: Sequence[Cell]) -> int:
    """How many rows a table begins with as the one above it does: its header."""
    theirs, ours = _texts_by_row(above), _texts_by_row(cells)
    same = 0
    while same in ours and ours[same] == theirs.get(same):
        same += 1
    return same


def _texts_by_row(cells: Sequence[Cell]) -> dict[int, list[tuple[int, str]]]:
    """What stands in each row, and in which columns."""
    rows: dict[int, list[tuple[int, str]]] = {}
    for cell in sorted(cells, key=lambda cell: cell.column):
        rows.setdefault(cell.row, []).append((cell.column, _bare_text(cell.text)))
    return rows


def _match_columns(above: Table, table: Table) -> list[int] | None:
    """For each column of a table the one of the table above that it is in line with; None where one is not."""
    theirs, ours = _column_extents(above), _column_extents(table)
    last = max(cell.column for cell in table.cells)
    whole = sorted(ours) == list(range(last + 1))
    if not whole or not 2 <= len(ours) <= len(theirs) or 0 not in theirs:
        return None
    for shift in dict.fromkeys((0.0, ours[0][0] - theirs[0][0])):
        places = []
        for number in range(len(ours)):
            extent = ours[number][0] - shift, ours[number][1] - shift
            lined = (at for at, one in theirs.items() if _is_in_line(one, extent, number == 0))
            places.append(next(lined, -1))
        if places[0] == 0 and places == sorted(set(places)):
            return places
    return None


def _column_extents(table: Table) -> dict[int, Column]:
    """The extent of each column by the cells of the body that stand in it alone."""
    found: dict[int, Column] = {}
    for cell in table.cells:
        if cell.box is None or cell.page or cell.column_span > 1 or cell.row < table.header_rows:
            continue
        low, high = found.get(cell.column, (cell.box[0], cell.box[2]))
        found[cell.column] = min(low, cell.box[0]), max(high, cell.box[2])
    return found


def _is_in_line(column: Column, extent: Column, labels: bool) -> bool:
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
    labels = [cell for cell in above.cells if cell.column == 0 and cell.row >= above.header_rows]
    taken: list[Cell] = []
    for name in reversed(path[: len(path) - len(own)]):
        end = taken[0].row if taken else height
        over = (cell for cell in reversed(labels) if cell.row < end)
        found = next((cell for cell in over if cell.text.rstrip(": ") == name), None)
        if found is None:
            break
        taken.insert(0, found)
    return taken
