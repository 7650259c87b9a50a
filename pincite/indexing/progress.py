"""What indexing reports while it works."""

from __future__ import annotations

from typing import Protocol


class IndexingProgress(Protocol):
    """What indexing tells while it works."""

    def __call__(self, what: str, done: float, total: float, note: str = "") -> None:
        """`done` of `total` of the phase `what`: "parse" (bytes), "encode" (texts), "index" (shelves), "wait" for a cluster."""
        ...


def silent(what: str, done: float, total: float, note: str = "") -> None:
    """Tell nothing."""
