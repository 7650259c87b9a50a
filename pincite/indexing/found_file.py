"""A file as it was found, before it is looked into; whether it is a document, a file of tables, or both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from pincite.database.sources.database_address import TABLES
from pincite.errors import PinciteError
from pincite.ingest.document_parser import SUFFIXES
from pincite.ingest.office.record_sheets import is_relation

MOST_BYTES = 4 << 30
"""A larger file is neither a document nor a table that is read as one."""


def too_large(size: int, name: str = "it") -> str:
    """Why a file is not read that has more than MOST_BYTES."""
    return f"{name} has {size >> 30} GiB, and at most {MOST_BYTES >> 30} are read: split it"


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


def documents_and_tables(found: Sequence[FoundFile]) -> tuple[list[FoundFile], list[FoundFile]]:
    """The files that are documents, and those of tables; a spreadsheet that is a report is both.

    One behind an address is a document: a database is read where it lies.
    """
    there = [file for file in found if not file.problem and not file.address]
    tables = [file for file in there if file.path.suffix.casefold() in TABLES]
    alone = {file.place for file in filter(is_tables_alone, tables)}
    return [file for file in found if file.place not in alone], tables


def is_tables_alone(file: FoundFile) -> bool:
    """Whether a file holds tables and is no document: records under one row of headers, from the first cell on."""
    suffix = file.path.suffix.casefold()
    unread = suffix not in SUFFIXES
    return suffix in TABLES and (unread or _is_records(file.path, file.size, file.changed))


@lru_cache(maxsize=1024)
def _is_records(path: Path, size: int, changed: int) -> bool:
    try:
        return is_relation(path)
    except (PinciteError, OSError):
        return False  # what cannot be read is reported as the document that it may be
