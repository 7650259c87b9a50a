"""Which databases are to be indexed, and the outcome for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from pincite.database.sources.database_address import TABLES
from pincite.errors import PinciteError
from pincite.indexing.changed_files import FoundFile
from pincite.ingest.office.record_sheets import is_relation
from pincite.ingest.parse import SUFFIXES


@dataclass(frozen=True, slots=True)
class Wanted:
    """A database, or a file or folder of tables (`only` these files of it), to index; see `database.connect.open_source`."""

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


def parted(found: Sequence[FoundFile]) -> tuple[list[FoundFile], list[FoundFile]]:
    """The files that are documents, and those of tables; a spreadsheet that is a report is both."""
    sheets = [file for file in found if file.path.suffix.casefold() in TABLES and not file.problem]
    return [file for file in found if file.problem or not tables_alone(file)], sheets


def tables_alone(file: FoundFile) -> bool:
    """Whether a file holds tables and is no document: records under one row of headers, from the first cell on."""
    suffix = file.path.suffix.casefold()
    return suffix in TABLES and (suffix not in SUFFIXES or _records(file.path, file.size, file.changed))


@lru_cache(maxsize=1024)
def _records(path: Path, size: int, changed: int) -> bool:
    try:
        return is_relation(path)
    except (PinciteError, OSError):
        return False  # what cannot be read is reported as the document that it may be
