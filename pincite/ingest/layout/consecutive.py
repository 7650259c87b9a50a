"""Things in an order, as groups of those that go on from each other: words of a line, pieces of a rule, rows of a block."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

T = TypeVar("T")


def consecutive(items: Iterable[T], goes_on: Callable[[list[T], T], bool]) -> list[list[T]]:
    """Items in their order, parted before each that does not go on from the group so far."""
    groups: list[list[T]] = []
    for item in items:
        if groups and goes_on(groups[-1], item):
            groups[-1].append(item)
        else:
            groups.append([item])
    return groups
