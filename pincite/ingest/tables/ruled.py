"""Tables out of lattices: words go to the cells they stand in; what no rule parts is parted by the text."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import chain, pairwise, product

from pincite.ingest.layout.boxes import middle
from pincite.ingest.raw_page import Word
from pincite.ingest.tables.assembly import PlacedCell, is_value, table
from pincite.ingest.tables.between_rules import within
from pincite.ingest.tables.chunks import Line, is_near, lines
from pincite.ingest.tables.column_gaps import spans
from pincite.ingest.tables.lattice import Face, Lattice
from pincite.ingest.tables.rules import Level
from pincite.types import Table

NEXT = 26.0
"""The rule below a row is at most this many points from the one above it."""
BELOW = 45.0
"""Values below a ruled header begin at most this many points under it."""
MOST_WORDS = 60
"""Boxes with more words to a cell than this hold running text."""


def ruled_table(lattice: Lattice, words: Sequence[Word], page: int) -> Table | None:
    """The table in a lattice; None when what stands in it is no table (a frame around text, a chart, a form of rules)."""
    held = _held(lattice, words)
    if len(held) < 2 or _holds_no_table(lattice, held):
        return None
    found = {face: lines(own) for face, own in held.items()}
    if _unruled_columns(found):
        return None
    box = (lattice.xs[0], lattice.ys[0], lattice.xs[-1], lattice.ys[-1])
    made = table(_placed(lattice, found, _row_cuts(found)), page, box)
    return made if made is not None and len(made.cells) >= 4 else None


def _holds_no_table(lattice: Lattice, held: dict[Face, list[Word]]) -> bool:
    """Whether the faces of a lattice hold running text, or hardly any of them a word, or its rules run through words."""
    wordy = sum(map(len, held.values())) > MOST_WORDS * len(held)
    empty = len(lattice.faces) >= 12 and len(held) < 0.12 * len(lattice.faces)
    return wordy or empty or _cuts_words(lattice, held)


def _cuts_words(lattice: Lattice, held: dict[Face, list[Word]]) -> bool:
    """Whether the upright rules run through words: then they do not part columns of text."""
    cut = 0
    for face, words in held.items():
        left, right = lattice.xs[face.column] - 3, lattice.xs[face.column_end] + 3
        cut += sum(word.box[0] < left or word.box[2] > right for word in words)
    return cut >= 3 and cut > 0.05 * sum(map(len, held.values()))


def only_header(made: Table, words: Sequence[Word]) -> bool:
    """Whether a ruled table is but the header of values that stand right below it, outside of its rules."""
    texts = [cell.text for cell in made.cells if is_value(cell.text)]
    if made.box is None or any(len(text) > len("(1)") for text in texts):
        return False
    x0, _, x1, bottom = made.box
    below = lines(within(words, (x0 - 4, bottom, x1 + 4, bottom + BELOW)))
    return any(line.values > 1 for line in below[:3])


def goes_on(lattice: Lattice, level: Sequence[Level], words: Sequence[Word]) -> bool:
    """Whether the table goes on above or below its lattice: another row stands between that and the next rule."""
    left, right, top, bottom = lattice.xs[0], lattice.xs[-1], lattice.ys[0], lattice.ys[-1]
    for y, x0, x1 in level:
        if abs(x0 - left) > 6 or abs(x1 - right) > 6:
            continue
        if not (bottom + 4 < y < bottom + NEXT or top - NEXT < y < top - 4):
            continue
        low, high = (bottom, y) if y > bottom else (y, top)
        row = lines(within(words, (left, low, right, high)))
        if len(row) == 1 and len(row[0].chunks) > 1:
            return True
    return False


def _held(lattice: Lattice, words: Sequence[Word]) -> dict[Face, list[Word]]:
    """The words in each face that has some, by their middles."""
    held: dict[Face, list[Word]] = {face: [] for face in lattice.faces}
    owner = {
        place: face
        for face in lattice.faces
        for place in product(range(face.row, face.row_end), range(face.column, face.column_end))
    }
    for word in words:
        x, y = middle(word.box)
        face = owner.get((bisect_right(lattice.ys, y) - 1, bisect_right(lattice.xs, x) - 1))
        if face is not None:
            held[face].append(word)
    parts = (_parts(face, inside, lattice) for face, inside in held.items() if inside)
    return dict(chain.from_iterable(parts))


def _parts(face: Face, words: list[Word], lattice: Lattice) -> list[tuple[Face, list[Word]]]:
    """A face over several columns as one for each, where its text stands in columns that are only ruled elsewhere."""
    if face.column_end - face.column < 2 or len(words) < 2:
        return [(face, words)]
    parts: dict[tuple[int, int], list[Word]] = {}
    chunks = 0
    for line in lines(words):
        chunks = max(chunks, len(line.chunks))
        for chunk in line.chunks:
            start = bisect_right(lattice.xs, chunk.x0 + 2) - 1
            start = min(max(start, face.column), face.column_end - 1)
            end = min(bisect_right(lattice.xs, chunk.x1 - 2), face.column_end)
            parts.setdefault((start, max(end, start + 1)), []).extend(chunk.words)
    spread = sorted(parts)
    if chunks < 2 or any(left[1] > right[0] for left, right in pairwise(spread)):
        return [(face, words)]
    return [(Face(face.row, start, face.row_end, end), own) for (start, end), own in parts.items()]


def _unruled_columns(found: dict[Face, list[Line]]) -> bool:
    """Whether a column of the lattice holds several columns of values: then the text tells them better than the rules."""
    columns: dict[int, list[Line]] = {}
    for face, held in found.items():
        if face.column_end == face.column + 1:
            columns.setdefault(face.column, []).extend(held)
    return any(map(_holds_columns, columns.values()))


def _holds_columns(own: Sequence[Line]) -> bool:
    parted = [line for line in own if len(line.chunks) > 1]
    if len(parted) < max(2, 0.55 * len(own)):
        return False
    numeric = [chunk.numeric for line in parted for chunk in line.chunks[1:]]
    return sum(numeric) >= 0.5 * len(numeric) and len(spans(parted)) > 1


def _row_cuts(found: dict[Face, list[Line]]) -> dict[int, list[float]]:
    """Where rows of a lattice hold several rows of values: y of the cuts, by lattice row."""
    rows: dict[int, list[list[Line]]] = {}
    for face, held in found.items():
        if face.row_end == face.row + 1 and len(held) > 1:
            rows.setdefault(face.row, []).append(held)
    cuts: dict[int, list[float]] = {}
    for row, stacks in rows.items():
        anchors = max((held for held in stacks if all(map(_is_values, held))), key=len, default=[])
        if anchors and sum(_agree(held, anchors) for held in stacks) >= 2:
            cuts[row] = [(above.bottom + below.top) / 2 for above, below in pairwise(anchors)]
    return cuts


def _is_values(line: Line) -> bool:
    return all(chunk.numeric for chunk in line.chunks)


def _agree(held: Sequence[Line], anchors: Sequence[Line]) -> bool:
    bases = [line.base for line in held]
    level = sum(is_near(anchor.base, bases, 0.5 * anchor.size) for anchor in anchors)
    return level >= 0.7 * len(anchors)


def _placed(
    lattice: Lattice, found: dict[Face, list[Line]], cuts: dict[int, list[float]]
) -> list[PlacedCell]:
    starts = [0]
    for row in range(len(lattice.ys) - 1):
        starts.append(starts[-1] + 1 + len(cuts.get(row, [])))
    placed = []
    for face, held in found.items():
        inner = cuts.get(face.row, []) if face.row_end == face.row + 1 else []
        row, row_end = starts[face.row], starts[face.row_end]
        parts: dict[int, list[Word]] = {}
        for line in held:
            part = bisect_right(inner, line.base - 0.3 * line.size)
            parts.setdefault(part, []).extend(line.words)
        for part, words in parts.items():
            own = (row + part, row + part + 1) if inner else (row, row_end)
            placed.append(PlacedCell(words, own[0], face.column, own[1], face.column_end))
    return placed
