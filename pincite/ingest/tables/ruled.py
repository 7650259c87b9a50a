"""Tables out of lattices: words go to the cells they stand in; what no rule parts is parted by the text."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from itertools import accumulate, chain, pairwise, product

from pincite.ingest.layout.boxes import middle
from pincite.ingest.raw_page import Word
from pincite.ingest.tables.assembly import PlacedCell, extent, is_value, table
from pincite.ingest.tables.between_rules import within
from pincite.ingest.tables.chunks import Line, is_near, lines, spans
from pincite.ingest.tables.lattice import Face, Lattice
from pincite.ingest.tables.rules import Level
from pincite.types import Table

NEXT = 26.0  # the rule below a row is at most this many points from the one above it
BELOW = 45.0  # values below a ruled header begin at most this many points under it
FULLEST_FORM = 0.12  # where a smaller share of the boxes holds a word, they are a form of rules
MOST_WORDS = 60  # boxes with more words to a cell than this hold running text


def ruled_table(lattice: Lattice, words: Sequence[Word], page: int) -> Table | None:
    """The table in a lattice; None when what stands in it is no table (a frame around text, a chart, a form of rules)."""
    held = _words_by_face(lattice, words)
    if len(held) < 2:
        return None
    wordy = sum(map(len, held.values())) > MOST_WORDS * len(held)
    empty = len(lattice.faces) >= 12 and len(held) < FULLEST_FORM * len(lattice.faces)
    if wordy or empty or _cuts_words(lattice, held):
        return None
    found = {face: lines(own) for face, own in held.items()}
    if _has_unruled_columns(found):
        return None
    box = (lattice.xs[0], lattice.ys[0], lattice.xs[-1], lattice.ys[-1])
    made = table(_place_cells(lattice, found, _row_cuts(found)), page, box)
    return made if made is not None and len(made.cells) >= 4 else None


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
    if any(len(text) > len("(1)") for text in texts):
        return False
    x0, _, x1, bottom = extent(made)
    below = lines(within(words, (x0 - 4, bottom, x1 + 4, bottom + BELOW)))
    return any(line.values > 1 for line in below[:3])


def goes_on(lattice: Lattice, level: Sequence[Level], words: Sequence[Word]) -> bool:
    """Whether the table goes on above or below its lattice: another row stands between that and the next rule."""
    left, right, top, bottom = lattice.xs[0], lattice.xs[-1], lattice.ys[0], lattice.ys[-1]
    for y, x0, x1 in level:
        near = bottom + 4 < y < bottom + NEXT or top - NEXT < y < top - 4
        if not near or abs(x0 - left) > 6 or abs(x1 - right) > 6:
            continue
        low, high = (bottom, y) if y > bottom else (y, top)
        row = lines(within(words, (left, low, right, high)))
        if len(row) == 1 and len(row[0].chunks) > 1:
            return True
    return False


def _words_by_face(lattice: Lattice, words: Sequence[Word]) -> dict[Face, list[Word]]:
    """The words in each face that has some, by their middles."""
    held: dict[Face, list[Word]] = {face: [] for face in lattice.faces}
    owner: dict[tuple[int, int], Face] = {}
    for face in lattice.faces:
        places = product(range(face.row, face.row_end), range(face.column, face.column_end))
        owner |= dict.fromkeys(places, face)
    for word in words:
        x, y = middle(word.box)
        place = bisect_right(lattice.ys, y) - 1, bisect_right(lattice.xs, x) - 1
        if place in owner:
            held[owner[place]].append(word)
    parts = (_part_face(face, inside, lattice) for face, inside in held.items() if inside)
    return dict(chain.from_iterable(parts))


def _part_face(face: Face, words: list[Word], lattice: Lattice) -> list[tuple[Face, list[Word]]]:
    """A face over several columns as one for each, where its text stands in columns that are only ruled elsewhere."""
    if face.column_end - face.column < 2 or len(words) < 2:
        return [(face, words)]
    parts: defaultdict[tuple[int, int], list[Word]] = defaultdict(list)
    found = lines(words)
    for chunk in chain.from_iterable(line.chunks for line in found):
        start = bisect_right(lattice.xs, chunk.x0 + 2) - 1
        start = min(max(start, face.column), face.column_end - 1)
        end = min(bisect_right(lattice.xs, chunk.x1 - 2), face.column_end)
        parts[start, max(end, start + 1)] += chunk.words
    several = any(len(line.chunks) > 1 for line in found)
    if not several or any(left[1] > right[0] for left, right in pairwise(sorted(parts))):
        return [(face, words)]
    return [(Face(face.row, start, face.row_end, end), own) for (start, end), own in parts.items()]


def _has_unruled_columns(found: dict[Face, list[Line]]) -> bool:
    """Whether a column of the lattice holds several columns of values: then the text tells them better than the rules."""
    columns: defaultdict[int, list[Line]] = defaultdict(list)
    for face, held in found.items():
        if face.column_end == face.column + 1:
            columns[face.column] += held
    return any(map(_holds_columns, columns.values()))


def _holds_columns(own: Sequence[Line]) -> bool:
    parted = [line for line in own if len(line.chunks) > 1]
    if len(parted) < max(2, 0.55 * len(own)):
        return False
    numeric = [chunk.numeric for line in parted for chunk in line.chunks[1:]]
    return sum(numeric) >= 0.5 * len(numeric) and len(spans(parted)) > 1


def _row_cuts(found: dict[Face, list[Line]]) -> dict[int, list[float]]:
    """Where rows of a lattice hold several rows of values: y of the cuts, by lattice row."""
    rows: defaultdict[int, list[list[Line]]] = defaultdict(list)
    for face, held in found.items():
        if face.row_end == face.row + 1 and len(held) > 1:
            rows[face.row].append(held)
    cuts: dict[int, list[float]] = {}
    for row, stacks in rows.items():
        values = (
            held for held in stacks if all(chunk.numeric for line in held for chunk in line.chunks)
        )
        anchors = max(values, key=len, default=[])
        if anchors and sum(_are_level(held, anchors) for held in stacks) >= 2:
            cuts[row] = [(above.bottom + below.top) / 2 for above, below in pairwise(anchors)]
    return cuts


def _are_level(held: Sequence[Line], anchors: Sequence[Line]) -> bool:
    """Whether most lines are level with one of some others."""
    bases = [line.base for line in held]
    level = sum(is_near(anchor.base, bases, 0.5 * anchor.size) for anchor in anchors)
    return level >= 0.7 * len(anchors)


def _place_cells(
    lattice: Lattice, found: dict[Face, list[Line]], cuts: dict[int, list[float]]
) -> list[PlacedCell]:
    rows = range(len(lattice.ys) - 1)
    starts = list(accumulate((1 + len(cuts.get(row, [])) for row in rows), initial=0))
    placed = []
    for face, held in found.items():
        inner = cuts.get(face.row, []) if face.row_end == face.row + 1 else []
        parts: defaultdict[int, list[Word]] = defaultdict(list)
        for line in held:
            parts[bisect_right(inner, line.base - 0.3 * line.size)] += line.words
        for part, words in parts.items():
            row = starts[face.row] + part
            end = row + 1 if inner else starts[face.row_end]
            placed.append(PlacedCell(words, row, face.column, end, face.column_end))
    return placed
