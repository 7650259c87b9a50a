"""Which databases are to be indexed, and the outcome for each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Wanted:
    """A database, or a file or folder of tables (`only` these files of it), to index; see `open_source`."""

    address: str | Path
    name: str = ""
    schema: str = ""
    tables: tuple[str, ...] = ()
    names: Mapping[str, Any] | Path | None = None
    only: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class Synced:
    """What a run did for one relation: how many rows are new, changed and deleted since the last.

    `nodes` says whether its rows are nodes, or too many for that, `guessed` how many of its columns have no name but a guess.
    """

    database: str
    relation: str
    rows: int
    new: int = 0
    changed: int = 0
    deleted: int = 0
    nodes: bool = True
    guessed: int = 0

    @property
    def unchanged(self) -> bool:
        """Whether every row is as it was."""
        return not (self.new or self.changed or self.deleted)
