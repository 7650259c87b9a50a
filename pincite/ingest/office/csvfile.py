"""CSV and TSV files as one sheet: encoding and delimiter told from the file, cells at their addresses."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from pincite.document.address import TEXT
from pincite.errors import SourceError
from pincite.ingest.office.sheet import Sheet, sheet_blocks
from pincite.ingest.raw_page import Page
from pincite.ingest.text_encoding import decoded
from pincite.ingest.zip_limits import AS_TABLE, refuse_larger

LARGEST = 16 << 20
"""Bytes beyond which a file is no document."""
_DELIMITERS = ",;\t|"
_SAMPLE = 200
_SAMPLE_LETTERS = 1 << 16
_CONTROL = re.compile(r"[\x01-\x08\x0e-\x1f]")


def csv_pages(path: Path, password: str | None = None) -> Iterator[Page]:
    """A table of text as one page. Raises SourceError when the file is too large for a document or holds no text."""
    refuse_larger(path.stat().st_size, LARGEST, path.name, AS_TABLE)
    text = decoded(path.read_bytes())
    sample = text[:_SAMPLE_LETTERS]
    if len(_CONTROL.findall(sample)) > 0.01 * len(sample):
        raise SourceError(
            f"{path.name} is not text: it cannot be read as a table. Save it again as CSV in UTF-8."
        )
    csv.field_size_limit(1 << 24)
    lines = text.split("\n")
    delimiter = "\t" if path.suffix.lower() in (".tsv", ".tab") else delimiter_of(lines)
    # how Excel is told the delimiter
    if lines[0].casefold().startswith("sep=") and len(lines[0].strip()) == 5:
        delimiter, lines[0] = lines[0].strip()[4], ""
    try:
        rows = list(csv.reader((f"{line}\n" for line in lines), delimiter=delimiter))
    except csv.Error as error:
        raise SourceError(
            f"{path.name} cannot be read as a table: {error}. Save it again as CSV in UTF-8."
        ) from error
    sheet = Sheet("")
    for at, row in enumerate(rows):
        for column, value in enumerate(row):
            sheet.put((at, column), value)
    yield Page(1, 0.0, 0.0, tuple(sheet_blocks(sheet)), place=TEXT, title=path.stem)


def delimiter_of(lines: list[str]) -> str:
    """The delimiter that parts most lines into one and the same number of cells, more than one."""
    sample = [line for line in lines[:_SAMPLE] if line.strip()]
    best, most = ",", 0.0
    for delimiter in _DELIMITERS:
        widths = Counter(len(row) for row in csv.reader(sample, delimiter=delimiter))
        most_alike = max((count for width, count in widths.items() if width > 1), default=0)
        share = most_alike / max(len(sample), 1)
        if share > most + 0.05:
            best, most = delimiter, share
    return best
