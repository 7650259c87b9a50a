"""Tables between level rules of one length, as papers have them: the rules say where the table begins and ends."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.ingest.layout.boxes import around, is_within, overlap
from pincite.ingest.layout.consecutive import consecutive
from pincite.ingest.raw_page import Word
from pincite.ingest.tables.chunks import Line, baseline, is_near, lines
from pincite.ingest.tables.rules import Level, Ruling
from pincite.types import Box

# all in points
NARROWEST = 60.0  # of the rules of a table; shorter ones are under a header
FARTHEST = 380.0  # rules of one table are at most so far apart
SAME = 4.0  # ends of rules that are off by no more are at one place


def frames(ruling: Ruling, words: Sequence[Word]) -> list[Box]:
    """Boxes between rules of one length that hold rows of a table, widest first; none overlaps another."""
    wide = [rule for rule in ruling.level if rule[2] - rule[1] >= NARROWEST]
    wide.sort(key=lambda rule: (round(rule[1] / SAME), round(rule[2] / SAME), rule[0]))
    groups = (group for group in consecutive(wide, _follows) if len(group) > 1)
    boxes = [around((x0 - 4, y - 1, x1 + 4, y + 1) for y, x0, x1 in group) for group in groups]
    found: list[Box] = []
    for box in sorted(boxes, key=lambda box: (box[0] - box[2], box[1])):
        if any(overlap(box, other) for other in found):
            continue
        inside = lines(within(words, box), ruling.upright)
        if _is_tabular(inside, box) and not _labels_outside(inside, box, words):
            found.append(box)
    return found


def within(words: Sequence[Word], box: Box) -> list[Word]:
    """The words whose middle is in a box."""
    return [word for word in words if is_within(word.box, box)]


def _follows(group: Sequence[Level], rule: Level) -> bool:
    """Whether a rule is as long as the last one above it and not far below."""
    (last, left, right), (y, x0, x1) = group[-1], rule
    return abs(left - x0) <= SAME and abs(right - x1) <= SAME and 0 <= y - last <= FARTHEST


def _is_tabular(inside: Sequence[Line], box: Box) -> bool:
    """Whether most lines have several chunks, labels and values among them, and few fill the width as running text does."""
    if len(inside) < 3 or not any(line.numeric for line in inside):
        return False
    parted = [line for line in inside if len(line.chunks) > 1]
    labelled = sum(not line.chunks[0].numeric for line in parted)
    filled = 0.75 * (box[2] - box[0])
    text = sum(len(line.chunks) == 1 and line.x1 - line.x0 > filled for line in inside)
    tabular = len(parted) >= 0.5 * len(inside) and labelled >= 0.3 * len(parted)
    return tabular and text <= 0.25 * len(inside)


def _labels_outside(inside: Sequence[Line], box: Box, words: Sequence[Word]) -> bool:
    """Whether the box holds only the columns of values of a table, whose labels stand left of it on the same lines."""
    bare = [line.base for line in inside if line.chunks[0].numeric]
    if len(bare) < 2 or len(bare) < 0.5 * sum(line.numeric for line in inside):
        return False
    left = (word for word in words if word.box[0] < box[0] - 10)
    beside = [baseline(word) for word in left if box[1] < word.box[3] < box[3] + 5]
    return sum(is_near(base, beside, 1.5) for base in bare) >= 0.5 * len(bare)
