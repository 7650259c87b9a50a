"""Bytes as a file of a format: a document comes of it, or an error that says what is wrong. Anything else is a crash."""

from __future__ import annotations

import tempfile
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

from pincite.database.sources.database_address import Address
from pincite.database.sources.file_reading import FileReader
from pincite.database.sources.table_files import fill
from pincite.errors import PinciteError, SourceError
from pincite.formats.encoding import node_rows
from pincite.ingest.document_parser import parse
from pincite.ingest.parser_processes import MOST_PAGES


def file_target(suffix: str, data: bytes) -> str:
    """Parse the bytes of a file with this ending; returns "document" or what it was refused for."""
    with _file(suffix, data) as path:
        try:
            document = parse(path, path.name, "ab" * 32, tick=_ticked)
        except PinciteError as error:
            return refused(error)
        for row in node_rows(document.nodes, 0):  # as they are stored: JSON in UTF-8
            for held in row:
                if isinstance(held, str):
                    held.encode()
        return "document"


def _ticked(page: int) -> None:
    if page > MOST_PAGES:  # as the process does that reads files
        raise SourceError(f"more than {MOST_PAGES} pages")


def table_target(suffix: str, data: bytes) -> str:
    """Import the bytes of a file of tables with this ending; returns "tables" or what it was refused for."""
    with _file(suffix, data) as path:
        try:
            fill(
                path.with_suffix(".sqlite"),
                [path],
                Address("files", path.name, path.stem, path),
                _reader(),
            )
        except PinciteError as error:
            return refused(error)
        return "tables"


@lru_cache(maxsize=1)
def _reader() -> FileReader:
    """The other process that reads workbooks, kept from one input to the next."""
    return FileReader()


def refused(error: PinciteError) -> str:
    """The class of an error, and where what it was made of came from: a library, or a line of ours."""
    cause: BaseException | None = error
    while cause is not None and (cause.__cause__ or cause.__context__) is not None:
        cause = cause.__cause__ or cause.__context__
    if cause is error or cause is None:
        return type(error).__name__
    if isinstance(cause, MemoryError):
        raise cause
    frames = traceback.extract_tb(cause.__traceback__)
    steps = Path(frames[-1].filename).parts
    at = max(
        (at for at, step in enumerate(steps) if step in ("pincite", "site-packages", "lib")),
        default=-1,
    )
    place = (
        f"{'/'.join(steps[at:])}:{frames[-1].lineno}"
        if steps[at] == "pincite"
        else steps[min(at + 1, len(steps) - 1)]
    )
    return f"{type(error).__name__} of {type(cause).__name__} in {place}"


@contextmanager
def _file(suffix: str, data: bytes) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="pincite-fuzz-") as folder:
        path = Path(folder) / f"fuzzed{suffix}"
        path.write_bytes(data)
        yield path
