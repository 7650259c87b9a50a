"""CSV for people's spreadsheets: every file of it is written here, and no cell of it runs as a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TextIO

_FORMULA = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")
_UNSEEN = " \u00a0\u200b\ufeff\0"
"""What a spreadsheet may drop before it looks at the first character of a cell."""
_DIGITS = "0123456789.,% \u00a0\u202f"


def inert(value: Any) -> Any:
    """A value as a cell that no spreadsheet runs: an apostrophe stands before a text that begins like a formula.

    So it does behind a semicolon, at which many countries' spreadsheets part a line. Numbers stay numbers, also those that are
    texts ("-4,521", "+3.5 %", "-1e-5"), and so does a dash alone.
    """
    if not isinstance(value, str):
        return value
    first, *more = value.split(";")
    return _inert(";".join((first, *map(_inert, more))))


def _inert(value: str) -> str:
    # what an apostrophe stands before already gets one more, so that `restored` is exact
    return f"'{value}" if _runs(value.lstrip("'")) else value


def restored(text: str) -> str:
    """The text of which `inert` made a cell."""
    first, *more = _restored(text).split(";")
    return ";".join((first, *map(_restored, more)))


def _restored(text: str) -> str:
    return text[1:] if text.startswith("'") and _runs(text.lstrip("'")) else text


def _runs(text: str) -> bool:
    seen = text.lstrip(_UNSEEN)
    return seen.startswith(_FORMULA) and not (seen[0] in "+-" and _is_number(seen[1:]))


def _is_number(digits: str) -> bool:
    if not digits.strip(_DIGITS):
        return True
    mantissa, _, exponent = digits.lower().partition("e")
    return mantissa.replace(".", "", 1).isdecimal() and exponent.lstrip("+-").isdecimal()


def write_records(
    file: TextIO, columns: Sequence[str], records: Iterable[Mapping[str, Any]]
) -> None:
    """Write records as CSV under these columns; what a record holds beside them is left out.

    The file must be open with newline="".
    """
    file.write(_line(columns))
    file.writelines(_line([record.get(column) for column in columns]) for record in records)


def csv_text(rows: Iterable[Sequence[Any]], end: str = "\r\n") -> str:
    """Rows as the text of a CSV file, each line with this ending."""
    return "".join(_line(row).removesuffix("\r\n") + end for row in rows)


def _line(row: Sequence[Any]) -> str:
    made = io.StringIO()
    csv.writer(made).writerow(
        map(inert, row)
    )  # its own line ending makes it quote both halves of it
    return made.getvalue()
