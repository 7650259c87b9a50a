"""Boxes on a page: the one around several, the middle of one, which lie within or across others."""

from __future__ import annotations

from collections.abc import Iterable

from pincite.types import Box


def around(boxes: Iterable[Box]) -> Box:
    """The smallest box that holds all of some boxes, of which there is one at least."""
    x0, top, x1, bottom = zip(*boxes, strict=True)
    return min(x0), min(top), max(x1), max(bottom)


def middle(box: Box) -> tuple[float, float]:
    """The point in the middle of a box."""
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


def is_within(box: Box, outer: Box, margin: float = 0.0) -> bool:
    """Whether the middle of a box is in another, or at most `margin` points outside of it."""
    x, y = middle(box)
    x0, top, x1, bottom = outer
    return x0 - margin <= x <= x1 + margin and top - margin <= y <= bottom + margin


def overlap(first: Box, other: Box) -> bool:
    """Whether two boxes have an area in common."""
    x0, top, x1, bottom = first
    return x0 < other[2] and other[0] < x1 and top < other[3] and other[1] < bottom
