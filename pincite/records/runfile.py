"""Runs read back for scoring: what a system said to each question and what it found, one line a question."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from pincite.errors import UsageError
from pincite.formats.spreadsheet import restored
from pincite.storage.disk import write

PLAIN_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
EXTENSION = re.compile(r"\.(pdf|txt|md|html?|docx?|xlsx?|pptx?|csv|json)$", re.IGNORECASE)

GUESS = 0.1
"""The chance from which a possible answer is given as a guess where a measure pays for one."""

Spot = tuple[str, int]
"""A document's name, as `document_name` gives it, and a 1-based page."""


@dataclass(frozen=True, slots=True)
class Cited:
    """A citation in a run: the document's name, the 1-based page (0 when it has none) and the quoted text."""

    document: str
    page: int = 0
    quote: str = ""


@dataclass(frozen=True, slots=True)
class Record:
    """One answer. `value` is the clean emitted value: a number or its digits, bool, str, list, [lo, hi], or None.

    `scale` is a scale word that was not applied to the value ("million"); only questions over given tables use it.
    `candidate` is the value, or the one that was found, stood the checks and was not sure enough to be shown: the
    confidence is of it. `guess` is the answer that stands in for a refusal where a measure pays for a guess.
    """

    id: str
    value: Any = None
    unit: str = ""
    text: str = ""
    refused: bool = False
    confidence: float = 0.0
    citations: tuple[Cited, ...] = ()
    scale: str = ""
    question: str = ""
    how: str = ""
    candidate: Any = None
    guess: Record | None = None

    @property
    def pages(self) -> frozenset[Spot]:
        """The distinct pages cited."""
        cited = (place for place in self.citations if place.page)
        return frozenset((document_name(place.document), place.page) for place in cited)


@dataclass(frozen=True, slots=True)
class FoundPage:
    """A hit in a run: the document's name, the 1-based page (0 when it has none), its score and the id of its node."""

    document: str
    page: int = 0
    score: float = 0.0
    node: str = ""


def document_name(name: str) -> str:
    """A document's name for comparison: without folder, known extension and case."""
    return EXTENSION.sub("", name.replace("\\", "/").rsplit("/", 1)[-1]).casefold()


def number_of(value: object) -> Decimal | None:
    """The number that a clean value is, or None: `3`, `"3.0"` and `Decimal(3)` are one number, `"3 kg"` is none."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float | Decimal):
        number = Decimal(str(value))
        return number if number.is_finite() else None
    if isinstance(value, str) and PLAIN_NUMBER.fullmatch(value.strip()):
        with suppress(InvalidOperation):
            return Decimal(value.strip())
    return None


def digits(number: Decimal) -> str:
    """A number as digits without an exponent: 5439000, 0.18, -4."""
    whole = number.to_integral_value()
    return format(whole if number == whole else number, "f")


def text_of(value: object) -> str:
    """A clean value as text: numbers as digits, items joined by a space, nothing for None."""
    if value is None:
        return ""
    if isinstance(value, list | tuple):
        return " ".join(text_of(item) for item in value)
    if isinstance(value, int | float | Decimal) and not isinstance(value, bool):
        number = number_of(value)
        return "" if number is None else digits(number)
    return str(value)


def record_of(row: Mapping[str, Any]) -> Record:
    """A line of a run file as a record; unknown fields are ignored. Raises UsageError when the line has no `id`."""
    if "id" not in row:
        raise UsageError(
            f"a run line has no id: {str(dict(row))[:80]}. Every line needs id and value."
        )
    refused = bool(row.get("refused", row.get("value") is None))
    shown = None if refused else row.get("value")

    names = ("unit", "text", "reason", "scale", "question")
    unit, text, reason, scale, question = (str(row.get(name) or "") for name in names)
    how = "; ".join(str(check["how"]) for check in row.get("checks") or () if check.get("how"))
    candidate, guess = _unsure(row) if refused else shown, _guess(row) if shown is None else None
    cited, sure = tuple(map(_cited, row.get("citations") or ())), float(row.get("confidence") or 0)
    return Record(
        str(row["id"]), shown, unit, text or reason, shown is None, sure, cited, scale, question, how, candidate, guess,
    )  # fmt: skip


def _cited(given: Mapping[str, Any]) -> Cited:
    page, quote = int(given.get("page") or 0), str(given.get("quote") or "")
    return Cited(str(given.get("document", "")), page, quote)


def _unsure(row: Mapping[str, Any]) -> Any:
    """The value that a line refuses although all of its checks stand: the possible answer that its confidence is of."""
    verdicts = {check.get("verdict") for check in row.get("checks") or ()}
    if verdicts <= {"supported", "computed"}:
        for first in (row.get("possible") or ())[:1]:
            if first["confidence"] == row.get("confidence"):
                return first["value"]
    return None


def _guess(row: Mapping[str, Any]) -> Record | None:
    """The first possible answer of a line that is likely enough, as if it were shown."""
    for near in row.get("possible") or ():
        if near["confidence"] >= GUESS:
            cited = (_cited(near["citation"]),) if near["citation"] else ()
            sure = near["confidence"]
            return Record(str(row["id"]), near["value"], near["unit"], "", False, sure, cited)
    return None


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The objects of a JSON-lines file. Raises UsageError when the file is missing or a line is no JSON object."""
    if not path.is_file():
        raise UsageError(f"no file at {path}")
    rows = []
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            raise UsageError(f"{path}, line {number}: not JSON ({error.msg})") from None
        if not isinstance(row, dict):
            kind = type(row).__name__
            raise UsageError(f"{path}, line {number}: a JSON object is needed, not {kind}")
        rows.append(row)
    return rows


def read_table(path: Path, needed: Sequence[str]) -> list[dict[str, str]]:
    """The rows of a CSV file that must have the named columns."""
    if not path.is_file():
        raise UsageError(f"no file at {path}")
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file)
        missing = [column for column in needed if column not in (reader.fieldnames or ())]
        if missing:
            given = ", ".join(reader.fieldnames or ())
            raise UsageError(f"{path} lacks the columns {', '.join(missing)}; it has {given}")
        return [
            {name: restored(value or "") for name, value in row.items() if isinstance(name, str)}
            for row in reader
        ]


def refuse_repeated(ids: Iterable[str], path: Path) -> None:
    """Raise UsageError when an id comes twice in a file."""
    if twice := sorted(identity for identity, count in Counter(ids).items() if count > 1):
        raise UsageError(
            f"{path}: these ids appear on several lines: {', '.join(twice[:5])}; ids must differ"
        )


def write_lines(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    """Rows as JSON lines; the folder is made when missing."""
    write(path, "".join(json.dumps(dict(row), ensure_ascii=False) + "\n" for row in rows))


def read_run(path: Path) -> dict[str, Record]:
    """The records of a run file by id; of two lines with one id the last one counts."""
    return {record.id: record for record in map(record_of, read_lines(path))}


def found_of(hits: Sequence[Mapping[str, Any]]) -> list[FoundPage]:
    """Hits as a hits file holds them."""
    found = []
    for hit in hits:
        page, score = int(hit.get("page") or 0), float(hit.get("score") or 0.0)
        found.append(FoundPage(str(hit["document"]), page, score, str(hit.get("node") or "")))
    return found
