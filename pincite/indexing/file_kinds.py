"""Which of the files found are documents, which are files of tables, and which are both."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from pincite.database.sources.database_address import TABLES
from pincite.errors import PinciteError
from pincite.indexing.found_file import FoundFile
from pincite.ingest.document_parser import SUFFIXES
from pincite.ingest.office.record_sheets import is_relation


def documents_and_tables(found: Sequence[FoundFile]) -> tuple[list[FoundFile], list[FoundFile]]:
    """The files that are documents, and those of tables; a spreadsheet that is a report is both.

    One behind an address is a document: a database is read where it lies.
    """
    sheets = [
        file
        for file in found
        if file.path.suffix.casefold() in TABLES and not file.problem and not file.address
    ]
    return [
        file for file in found if file.problem or file.address or not tables_alone(file)
    ], sheets


def tables_alone(file: FoundFile) -> bool:
    """Whether a file holds tables and is no document: records under one row of headers, from the first cell on."""
    suffix = file.path.suffix.casefold()
    return suffix in TABLES and (
        suffix not in SUFFIXES or _records(file.path, file.size, file.changed)
    )


@lru_cache(maxsize=1024)
def _records(path: Path, size: int, changed: int) -> bool:
    try:
        return is_relation(path)
    except (PinciteError, OSError):
        return False  # what cannot be read is reported as the document that it may be
