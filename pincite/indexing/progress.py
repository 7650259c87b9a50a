"""What indexing reports while it works."""

from __future__ import annotations

from typing import Protocol


class IndexingProgress(Protocol):
    """What indexing tells while it works."""

    def __call__(self, what: str, done: float, total: float, note: str = "") -> None:
        """`done` of `total` of the phase `what`: "parse" (bytes), "encode" (texts), "index" (shelves), "wait" for a cluster.

        "page" is no phase: so many pages of the file `note` were read, of `total` once it was read to its end, before 0.
        """
        ...


def silent(what: str, done: float, total: float, note: str = "") -> None:
    """Tell nothing."""
