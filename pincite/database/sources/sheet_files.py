"""Files of tables as grids of text: CSV and TSV however separated and encoded, every sheet of a workbook."""

from __future__ import annotations

import csv
import re
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

from pincite.database.database_errors import DatabaseError
from pincite.database.relations.guessed_headings import guesses
from pincite.database.sources.file_reading import FileReader
from pincite.quantity import canonical_unit, parse
from pincite.quantity.units import match_unit
from pincite.text.struck_text import STRUCK, with_struck, without_struck

WORKBOOKS = frozenset((".xlsx", ".xls", ".xlsm", ".xlsb", ".ods"))
LONGEST_CELL = 1 << 24
"""Letters of a cell: one that is longer is a quote that was never closed, or no table."""
WORDS = 3
"""Words of a line below a table that is a note, at least."""
LARGEST = 512 << 20
"""Bytes of a file of separated values."""
_SEPARATORS = ",;\t|"


@dataclass(frozen=True, slots=True)
class SheetText:
    """A table of a file: its headings and rows as text; `name` is the sheet's, "" for a file of one table; `title` above it."""

    rows: list[list[str]]
    name: str = ""
    title: str = ""


def sheets(path: Path, reader: FileReader) -> Iterator[SheetText]:
    """The tables of a file that hold anything; `reader` runs what reads a workbook.

    Lines above the headings are the title, a line of units below them joins them ("Sy (MPa)"). Raises DatabaseError for a
    file that cannot be read.
    """
    workbook = path.suffix.casefold() in WORKBOOKS
    for name, rows in reader(grids, path) if workbook else _separated_rows(path):
        filled = [row for row in rows if any(map(str.strip, row))]
        if filled:
            title, grid = _title_and_grid(filled)
            yield SheetText(grid, name, title)


def decoded(path: Path) -> str:
    """The text of a file: by its byte order mark, as UTF-8, else as Windows-1252.

    Raises DatabaseError for one that is too large to be read whole.
    """
    size = path.stat().st_size
    if size > LARGEST:
        most = f"tables of text are read only up to {LARGEST >> 20} MB"
        give = "give it as Parquet, or load it into a database"
        raise DatabaseError(f"{path} has {size >> 20:,} MB, but {most}: {give}")
    data = path.read_bytes()
    marks = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
    for encoding in [encoding for mark, encoding in marks if data.startswith(mark)] or ["utf-8"]:
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            break
    return data.decode("cp1252", "replace")


def _separated_rows(path: Path) -> Iterator[tuple[str, list[list[str]]]]:
    try:
        text = decoded(path)
    except OSError as error:
        why = f"({error.strerror}); check its permissions"
        raise DatabaseError(f"{path} cannot be read {why}") from None
    if "\0" in text[:10_000]:
        binary = f"{path} holds binary data, not separated values"
        raise DatabaseError(f"{binary}; give it the ending of its own format")
    separator = "\t" if path.suffix.casefold() == ".tsv" else _separator(text)
    escaped = '\\"' in text and not re.search(r'[^\s,;|\\]""', text)
    csv.field_size_limit(LONGEST_CELL)
    lines = _lines(text.replace("\r\n", "\n").replace("\r", "\n"))
    escape = "\\" if escaped else None
    reader = csv.reader(lines, delimiter=separator, escapechar=escape, doublequote=not escaped)
    try:
        yield "", [row for row in reader if row]
    except csv.Error as error:
        why = f"{error}, at line {reader.line_num}"
        raise DatabaseError(f"{path} is not a table of separated values: {why}") from None


def _lines(text: str) -> Iterator[str]:
    """The lines of a text, one by one: all at once they take many times its memory."""
    start = 0
    while end := text.find("\n", start) + 1:
        yield text[start:end]
        start = end
    yield f"{text[start:]}\n"


def _separator(text: str) -> str:
    """The separator that divides the first lines into the same number of cells, the more the better."""
    lines = [line for line in text[:20_000].splitlines()[:50] if line.strip()]
    best = ",", 0.0
    for separator in _SEPARATORS:
        counts = Counter(len(row) for row in csv.reader(lines, delimiter=separator))
        several = {width: times for width, times in counts.items() if width > 1}
        width, times = max(several.items(), key=lambda pair: pair[::-1], default=(1, 0))
        score = times / max(len(lines), 1) + min(width, 20) / 1000 if width > 1 else 0.0
        if score > best[1]:
            best = separator, score
    return best[0]


def grids(path: Path) -> Iterator[tuple[str, list[list[str]]]]:
    """The sheets of a workbook by name, as rows of text. Raises DatabaseError; to be run by a `FileReader`."""
    from python_calamine import CalamineError, CalamineWorkbook, PasswordError

    try:
        book = CalamineWorkbook.from_path(str(path))
    except PasswordError:
        raise DatabaseError(f"{path} needs a password; save it without one") from None
    except (CalamineError, OSError) as error:
        why = f"({error}); open and save it again"
        raise DatabaseError(f"{path} cannot be read as a workbook {why}") from None
    with book:
        struck = _struck_cells(path)
        for name in book.sheet_names:
            try:
                sheet = book.get_sheet_by_name(name)
                rows = sheet.to_python(skip_empty_area=True)
            except CalamineError:
                continue  # a sheet of charts holds no cells
            except OSError as error:
                why = f"is damaged ({error}); open and save it again"
                raise DatabaseError(f"sheet {name} of {path} {why}") from None
            kept = struck.get(name, {})
            top, left = sheet.start or (0, 0)
            made = []
            for at, row in enumerate(rows, top + 1):
                placed = enumerate(row, left + 1)
                made.append([_cell_text(kept.get((at, to), cell)) for to, cell in placed])
            yield name, made


def _struck_cells(path: Path) -> dict[str, dict[tuple[int, int], str]]:
    """What is left of the cells of an .xlsx workbook that are struck out, wholly or in part, by sheet, row and column from 1."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = (n for n in archive.namelist() if n.startswith("xl/") and n.endswith(".xml"))
            if not any(b"strike" in archive.read(name) for name in names):
                return {}
        import openpyxl
    except (zipfile.BadZipFile, ImportError):
        return {}  # of another format, or openpyxl is missing
    sheets = openpyxl.load_workbook(path, rich_text=True).worksheets
    return {sheet.title: dict(_cells_left(sheet)) for sheet in sheets}


def _cells_left(sheet: Any) -> Iterator[tuple[tuple[int, int], str]]:
    for place, cell in sheet._cells.items():
        runs = cell.value if isinstance(cell.value, list) else [cell.value]
        kept = with_struck(runs, bool(cell.font.strike))
        if STRUCK in kept:
            yield place, without_struck(kept).strip()


def _cell_text(cell: Any) -> str:
    """A cell of a workbook as text that reads back as the same value."""
    if cell is None:
        return ""
    if isinstance(cell, str):
        return cell
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    if isinstance(cell, datetime) and cell.time() == time():
        return cell.date().isoformat()  # a day at midnight is the day alone
    if isinstance(cell, date | time):
        return cell.isoformat(" ", "seconds") if isinstance(cell, datetime) else cell.isoformat()
    if isinstance(cell, timedelta):
        seconds = int(cell.total_seconds())
        return f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return str(cell)


def _title_and_grid(rows: list[list[str]]) -> tuple[str, list[list[str]]]:
    """The lines above the headings and the notes below the last row as a title, and the grid between them."""
    widths = [len(_filled_cells(row)) for row in rows]
    wide = [width for width in widths[:200] if width > 1]  # titles and notes may be more than rows
    usual = Counter(wide if len(wide) * 3 > min(len(widths), 200) else widths).most_common(1)[0][0]
    first = next((at for at, width in enumerate(widths[:21]) if width * 2 > usual), 0)
    last = len(rows) - _count_notes(widths[first:], rows[first:], usual)
    title = " ".join(chain.from_iterable(map(_filled_cells, (*rows[:first], *rows[last:]))))
    top, *body = rows[first:last]
    if len(body) > 1 and _holds_units(body[0]):
        return title, [_with_units(top, body[0]), *body[1:]]
    if body and widths[first] > 1 and _of_numbers(top):
        return title, [[f"column {at}" for at, _ in enumerate(top, 1)], top, *body]
    return title, [top, *body]


def _count_notes(widths: list[int], rows: list[list[str]], usual: int) -> int:
    """How many lines at the end are notes: a sentence alone in a line below a table of several columns."""
    if usual < 3:
        return 0
    found = 0
    for width, row in zip(reversed(widths[2:]), reversed(rows[2:]), strict=True):
        if width != 1 or len(_filled_cells(row)[0].split()) < WORDS or not row[0].strip():
            break
        found += 1
    return found


def _with_units(headings: list[str], units: list[str]) -> list[str]:
    pairs = zip_longest(headings, (unit.strip(" ()[]-") for unit in units), fillvalue="")
    return [f"{heading} ({unit})" if unit else heading for heading, unit in pairs]


def _filled_cells(row: list[str]) -> list[str]:
    """What the cells of a line hold, those that hold nothing left out."""
    return [text for cell in row if (text := cell.strip())]


def _of_numbers(row: list[str]) -> bool:
    """Whether a line holds numbers, and not headings: four digits are the year of a column."""
    years = all(len(text) == 4 for text in _filled_cells(row))
    return not years and all(parse(cell) is not None for cell in row if cell.strip())


def _holds_units(row: list[str]) -> bool:
    """Whether a line holds nothing but units: "MPa", "(%)", "-"."""
    cells = [cell.strip().strip("()[]").strip() for cell in row if cell.strip()]
    named = [cell for cell in cells if cell != "-"]
    known = (c.casefold() in guesses().units or is_unit(c) and canonical_unit(c) for c in named)
    return bool(named) and all(known)


def is_unit(text: str) -> bool:
    """Whether all of a text is a unit."""
    found = match_unit(text, 0)
    return found is not None and found[1] == len(text)
