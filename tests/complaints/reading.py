"""What Pincite reads of a made file, held against what the file shows."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

from pincite import indexing
from pincite.corpus import Corpus
from pincite.document.address import place_of
from pincite.document.cell_values import value_of
from pincite.document.labelled_cells import labels
from pincite.quantity import declared, parse
from pincite.types import Document, Node, Quantity
from tests.complaints.cases import Case, Shown
from tests.ingest.office import read

KINDS = {"twice": 12, "turned": 12, "forms": 12, "stamps": 12, "lying": 80, "struck": 28}
KINDS |= {"sheets": 12, "codes": 10, "minus": 12, "spaced": 12, "names": 8}
"""The modules that make files, and how many seeds each has."""
INDEXED = (".csv", ".tsv", ".xlsx", ".zip")
"""Files that become rows of a database or have parts: they are read by way of a corpus."""
MISSING, PLACED, RIGHT, MEASURED = range(4)
"""How a value was read: not at all, under its labels, with its number, with its unit and scale."""


def made(kind: str, seed: int) -> Case:
    return import_module(f"tests.complaints.{kind}").make(seed)


@dataclass(frozen=True, slots=True)
class ReadCell:
    """A value as it was read: its labels, its text, what that means, and where it stands."""

    row: str
    column: str
    text: str
    value: Quantity | str
    place: str


@dataclass(frozen=True, slots=True)
class Reading:
    """The documents that a file became, all cells and texts of them, and the pages of each."""

    documents: tuple[Document, ...]
    cells: list[ReadCell]
    texts: list[str]
    pages: list[str]


def reading(case: Case) -> Reading:
    with TemporaryDirectory() as folder:
        documents = _documents(case, Path(folder))
    ids = Counter(one.id for one in documents)
    cells, texts, pages = [], [], []
    for one in documents:
        for node in one.nodes:
            cells += _cells(node, one.id if ids[one.id] == 1 else "one of several")
            texts.append(plain(node.text))
        pages.append(
            "\n".join(plain(node.text) for node in one.nodes if node.kind in ("page", "row"))
        )
    return Reading(documents, cells, texts + [cell.text for cell in cells], pages)


def _documents(case: Case, folder: Path) -> tuple[Document, ...]:
    for name, data in case.files.items():
        path = folder / "files" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    if len(case.files) == 1 and path.suffix not in INDEXED:
        return (read(path),)
    indexing.index([folder / "files"], folder / "corpus", ())
    corpus = Corpus(folder / "corpus")
    return tuple(corpus.document(one.version) for one in corpus.documents)


def _cells(node: Node, document: str) -> Iterator[ReadCell]:
    place = f"{document}, {place_of(node.anchor)}"
    if node.kind == "row":
        for pair in node.text.split("; "):
            column, _, text = pair.partition(": ")
            said, is_number = declared(column), re.fullmatch(r"-?(?:0|[1-9]\d*)(?:\.\d+)?", text)
            value = parse(text, scale=said.scale, unit=said.unit) if is_number else None
            yield ReadCell(plain(node.text), plain(column), plain(text), value or text, place)
    elif node.table is not None:
        for cell in labels(node.table).cells:
            row = plain(" ".join((*cell.sections, cell.label)))
            yield ReadCell(row, plain(cell.heading), plain(cell.text), value_of(node, cell), place)


def plain(text: str) -> str:
    """The text with one kind of space and of minus, line by line."""
    text = unicodedata.normalize("NFKC", text).replace("−", "-")
    return "\n".join(" ".join(line.split()) for line in text.splitlines())


def words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[^\W_]+", plain(text).casefold()))


def found(shown: Shown, case: Case, seen: Reading) -> int:
    """How well the value was read: from a place that fits its labels and no others of the file."""
    rows, columns = (
        {words(getattr(one, name)) for one in case.shown} for name in ("row", "column")
    )
    best = MISSING
    for cell in seen.cells:
        under = _fits(shown.row, cell.row, rows) and _fits(shown.column, cell.column, columns)
        if not shown.column:  # a form, whose labels stand beside or above
            under = under or _fits(shown.row, cell.column, rows)
        if under and _is_of(shown.file, cell.place):
            best = max(best, _level(shown, cell))
    return max(best, RIGHT) if _stands_in_lines(shown, seen) else best


def _fits(label: str, said: str, labels: Iterable[frozenset[str]]) -> bool:
    own, there = words(label), words(said)
    return not own or own <= there and not any(one <= there and not one <= own for one in labels)


def _is_of(file: str, place: str) -> bool:
    """Whether a place tells the file from all others: by its path, or by an end of it that no other document has."""
    return not file or file in place or file.endswith(place.split(", ")[0])


def _level(shown: Shown, cell: ReadCell) -> int:
    same, value = cell.text == plain(shown.text), cell.value
    if shown.number is None:  # a code that is read as a number is not read right
        return MEASURED if same and isinstance(value, str) else same * PLACED
    if not isinstance(value, Quantity) or value.value != shown.number:
        return same * PLACED
    return (
        MEASURED
        if value.scale == shown.scale and _unit(value.unit) == _unit(shown.unit)
        else RIGHT
    )


def _unit(unit: str) -> str:
    held = parse(f"1 {unit}")
    return held.unit if held else unit


def _stands_in_lines(shown: Shown, seen: Reading) -> bool:
    """Whether a code stands among the labels of its row; whether a line says a label, a value, and no number between them."""
    if shown.column:
        named = words(f"{shown.row} {shown.text}")
        return shown.number is None and any(named <= words(cell.row) for cell in seen.cells)
    beside = re.compile(rf"{re.escape(plain(shown.row))}[^\d\n]{{0,40}}?{_whole(shown.text)}")
    return any(beside.search(text) for text in seen.texts)


def _whole(text: str) -> str:
    """A pattern for a text that is no part of another number or word."""
    return rf"(?<!\w)(?<!\d[.,])(?<!\d\s){re.escape(plain(text))}(?![.,]?\w)"


def leaks(case: Case, seen: Reading) -> list[str]:
    """What was read and is not shown: texts, values that stand more often than they are shown, values beside other labels."""
    hidden = [
        one for one in case.never if any(re.search(_whole(one), text) for text in seen.texts)
    ]
    told = [f"{text} is not shown" for text in hidden]
    numbers = [plain(one.text) for one in case.shown if one.number is not None]
    for text, often in Counter(numbers).items():
        times = max(len(re.findall(_whole(text), pages)) for pages in seen.pages)
        if times > often:
            told.append(f"{text} is shown {often} times, not {times} times")
    for row, text in case.wrong:
        if any(words(row) <= words(cell.row) and cell.text == plain(text) for cell in seen.cells):
            told.append(f"{text} is not shown for {row}")
    return told


@dataclass(frozen=True, slots=True)
class Share:
    """The levels of all values shown, those that were not read right, and what was read and is not shown."""

    levels: list[int]
    misread: list[str]
    leaks: list[str]

    def of(self, level: int) -> float:
        """The share of the values shown that were read so well."""
        return sum(one >= level for one in self.levels) / len(self.levels)


def share(kind: str, seeds: Iterable[int]) -> Share:
    """How the files of these seeds are read."""
    levels, misread, leaked = [], [], []
    for seed in seeds:
        case = made(kind, seed)
        seen = reading(case)
        for one in case.shown:
            levels.append(found(one, case, seen))
            if levels[-1] < RIGHT:
                misread.append(f"{kind} {seed}: {one.row} | {one.column} | {one.text}")
        leaked += [f"{kind} {seed}: {one}" for one in leaks(case, seen)]
    return Share(levels, misread, leaked)
