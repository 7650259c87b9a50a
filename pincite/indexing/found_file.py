"""A file as it was found, before it is looked into."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

MOST_BYTES = 4 << 30
"""A larger file is neither a document nor a table that is read as one."""


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file on disk, or where `address` says so behind it; `problem` is why it cannot be read, where that is told already.

    `changed` is its time of change in nanoseconds, behind an address a number that is another one when its tag or time is. The
    `path` of a file behind an address is its name, until it is fetched.
    """

    path: Path
    document: str
    size: int
    changed: int
    meta: Mapping[str, str] = field(default_factory=dict)
    problem: str = ""
    address: str = ""

    @property
    def place(self) -> str:
        """What it is known by among the files of a corpus: its address, or its path."""
        return self.address or str(self.path)
