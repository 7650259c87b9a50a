"""The questions of the development sets with their answers, and whether these stand in the text of their pages."""

from __future__ import annotations

import csv
import json
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from .computed import Wanted, follows
from .derivation import Derivation, derivation
from .figures import Number, numbers
from .pages import Piece, document
from .seek import answers

Sort = Literal["stands", "derived", "not in the text", "unanswerable"]
Kind = Literal["number", "boolean", "text", "list"]
BLANK = ("", "is_blank", "n/a", "not answerable")


@dataclass(frozen=True, slots=True)
class Gold:
    """A question with its answer: `items` as the set writes them, a number with its scale and per cent sign applied.

    `pages` are the (document, page) that hold it, none where only the documents are known. `hint` is what the set says of its
    evidence; `computed` that it does not stand anywhere, in whatever words; `span` are the bounds of a range that a number may
    lie in. `derivation` is how a number follows from others. `sort` and `held`, the pages in whose text it was found, are
    set by `sorted_by_text`.
    """

    id: str
    question: str
    kind: Kind
    items: tuple[str, ...] = ()
    number: Number | None = None
    unit: str = ""
    documents: tuple[str, ...] = ()
    pages: tuple[tuple[str, int], ...] = ()
    hint: str = ""
    computed: bool = False
    span: tuple[Decimal, Decimal] | None = None
    derivation: Derivation | None = None
    sort: Sort = "not in the text"
    held: tuple[tuple[str, int], ...] = ()
    row: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)


def key(question: str) -> str:
    """The key that two spellings of a question share."""
    return "".join(one for one in question.casefold() if one.isalnum())


def rows(path: Path) -> list[dict[str, Any]]:
    """The lines of a JSONL file."""
    return [
        json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()
    ]


BESIDE = re.compile(r"(?:hundred|thousand|million|billion|trillion)s?|percent|USD|EUR|bn|[mk]\b")


def _number(written: str, scale: str = "", percent: bool = False) -> Number | None:
    """The number that a gold answer is, with the scale word and the per cent sign that stand beside it in the set."""
    found = list(numbers(written))
    if len(found) != 1 or re.search(r"[A-Za-z]", BESIDE.sub("", written)):
        return None
    power = {"thousand": 3, "million": 6, "billion": 9}.get(scale, 0)
    one = found[0]
    return replace(one, scale=one.scale or power, percent=one.percent or percent)


def _year_asked(question: str, item: str) -> bool:
    """Whether a gold number is a year that names something: "In which year was the margin larger?"."""
    asks = re.search(r"\b(?:which|what)\b(?:\s+\w+)?\s+years?\b", question, re.I)
    return bool(asks) and bool(re.fullmatch(r"(?:19|20)\d\d", item.strip()))


KINDS: Mapping[str, Kind] = {
    "yes_no": "boolean", "yes_no_explained": "boolean", "list": "list", "integer": "number", "number": "number",
}  # fmt: skip


CHALLENGE_KINDS: Mapping[str, Kind] = {
    "number": "number", "boolean": "boolean", "names": "list",
}  # fmt: skip


def typed(number: int, row: Mapping[str, Any]) -> Gold:
    """A question over PDF files."""
    kind = KINDS.get(row["answer_type"], "text")
    answer = row["answer"]
    items = tuple(map(str, answer)) if isinstance(answer, list) else (str(answer),)
    documents = tuple(map(document, row.get("doc_ids") or ()))
    evidence = row.get("evidence") if isinstance(row.get("evidence"), list) else []
    hint = " ".join(
        (
            str(row.get("justification") or ""),
            *(str(one.get("text") or "") for one in evidence or ()),
        )
    )
    if kind == "boolean":
        items = (str(row.get("answer_bool") or items[0]).strip().casefold()[:3].rstrip(","),)
    pages = (
        tuple((documents[0], int(page)) for page in row.get("evidence_pages") or ())
        if len(documents) == 1
        else ()
    )
    alone = len(items) == 1 and not _year_asked(row["question"], items[0])
    found = (
        _number(items[0], str(row.get("scale") or ""), row.get("unit") == "%") if alone else None
    )
    if kind == "number" and found is None:
        kind = "text"
    if row["answer_type"] == "unanswerable":
        return Gold(
            str(number), row["question"], "text", documents=documents, sort="unanswerable", row=row
        )
    if kind == "text" and found is not None:
        kind = "number"
    return Gold(
        str(number),
        row["question"],
        kind,
        items,
        found,
        str(row.get("unit") or ""),
        documents,
        pages,
        hint,
        computed=row.get("task_type") in COMPUTING or bool(ARITHMETIC.search(_reasons(row))),
        row=row,
    )


COMPUTING = ("count", "derive", "compare")
"""Tasks of mmlongbench whose answers follow from several places."""
ARITHMETIC = re.compile(r"\d[)%]?\s*[-+*/\u00d7\u00f7>\u2192]\s*[($]?\d[\d,.]*\b|\bcalculat", re.I)
"""What a set says of a gold that is computed."""


def _reasons(row: Mapping[str, Any]) -> str:
    """What a set says of how a gold is come to."""
    told = str(row.get("justification") or row.get("explanation") or "")
    return told.replace("\u00c2\u00a0", " ")  # a blank that was read in another encoding


def tatqa(number: int, row: Mapping[str, Any]) -> Gold:
    """A question over a given table with paragraphs, which is a document of its own."""
    made = typed(number, {**row, "doc_ids": [row["context_id"]], "evidence_pages": [1]})
    alone = made.number is not None
    found = _number(made.items[0], row["scale"], row["scale"] == "percent") if alone else None
    counted = row["answer_type"] == "integer"
    chosen = "##" in row["derivation"] and not counted  # which ones they are, and not how many
    steps = derivation(row["derivation"], counted) if row["derivation"] and not chosen else None
    return replace(made, number=found, derivation=steps, computed=bool(row["derivation"]))


def wattbot(number: int, row: Mapping[str, str]) -> Gold:
    """A question over papers; yes and no are 1 and 0 in the file, which only the question's wording tells from numbers."""
    value = row["answer_value"]
    names = re.findall(r"[\w.-]+", row["ref_id"]) if row["ref_id"] not in BLANK else []
    documents = tuple(map(document, names))
    if value.casefold() in BLANK:
        return Gold(
            str(number), row["question"], "text", documents=documents, sort="unanswerable", row=row
        )
    listed = re.fullmatch(r"[\[(](.*)[\])]", value)
    items = tuple(part.strip(" '\"") for part in listed[1].split(",")) if listed else (value,)
    asks = re.match(
        r"\s*(?:true or false|is|are|was|were|do|does|did|has|have|can|will)\b",
        row["question"],
        re.I,
    )
    if value in ("0", "1") and asks:
        items, kind = ("yes" if value == "1" else "no",), "boolean"
    else:
        kind = "list" if listed else "text"
    unit = row["answer_unit"]
    found = (
        _number(items[0], percent=unit.casefold() in ("%", "percent")) if kind == "text" else None
    )
    hint = row.get("supporting_materials") or ""
    computed = "M" in (row.get("flags") or "") or bool(ARITHMETIC.search(_reasons(row)))
    span = _span(items) if computed and value.startswith("[") else None
    return Gold(
        str(number), row["question"], "number" if found or span else kind, items, found,  # type: ignore[arg-type]
        "" if unit in BLANK else unit, documents, hint="" if hint in BLANK else hint, computed=computed, span=span, row=row,
    )  # fmt: skip


def _span(items: Sequence[str]) -> tuple[Decimal, Decimal] | None:
    """The bounds that a computed number may lie between."""
    bounds = [each.value for item in items for each in numbers(item)]
    return (bounds[0], bounds[1]) if len(bounds) == len(items) == 2 else None


def challenge(number: int, row: Mapping[str, Any]) -> Gold:
    """A question of the Enterprise RAG Challenge: the first of its golds, the pages of its pools (0-based there)."""
    documents = tuple(map(document, row["doc_ids"]))
    pages = tuple(
        (document(name), int(page) + 1)
        for pool in row["reference_pools"]
        for name, page in (each.rsplit(":", 1) for each in pool)
    )
    answer = str(row["gold"][0])
    if answer == "N/A":
        return Gold(
            str(number), row["question"], "text", documents=documents, sort="unanswerable", row=row
        )
    kind = CHALLENGE_KINDS.get(row["kind"], "text")
    items = tuple(map(str, row["gold"][0])) if isinstance(row["gold"][0], list) else (answer,)
    if kind == "boolean":
        items = ("yes" if answer == "True" else "no",)
    found = _number(answer) if kind == "number" else None
    return Gold(str(number), row["question"], kind, items, found, "", documents, pages, row=row)


def _papers(folder: Path) -> Iterator[Gold]:
    number = 0
    for name in ("train_QA.csv", "dev_QA.csv"):
        with (folder / name).open(encoding="utf-8-sig", newline="") as file:
            for row in csv.DictReader(file):
                number += 1
                yield wattbot(number, row)


FOLDERS = {
    "tatqa": "tableqa_tatqa",
    "uda": "pdfqa_uda",
    "financebench": "pdfqa_financebench",
    "mmlongbench": "pdfqa_mmlongbench",
    "wattbot": "wattbot",
    "erc": "erc",
}
COMPUTED = re.compile(
    r"\baverage\b[^?]*\b(?:and|both|per)\b|\bin (?:which|what) years?\b[^?]*\b(?:more|less|than)\b"
    r"|\b(?:which|what)\b[^?]*\b(?:higher|lower|larger|smaller|greater|highest|lowest|largest|smallest|most|least)\b",
    re.I,
)
"""A question that must be computed or compared. Where a set names no operands for it, its gold stands somewhere by chance."""


def load(name: str, data: Path, sample: int = 0, seed: int = 1) -> list[Gold]:
    """The golds of a set, sorted by the text of their pages; of a sample so many, drawn by the seed, in the set's order."""
    folder = data / FOLDERS[name]
    if name == "wattbot":
        golds = list(_papers(folder))
    else:
        made: Callable[[int, Mapping[str, Any]], Gold] = {"tatqa": tatqa, "erc": challenge}.get(
            name, typed
        )
        golds = [made(at, row) for at, row in enumerate(rows(folder / "questions.jsonl"), 1)]
    if sample and sample < len(golds):
        chosen = set(random.Random(seed).sample(range(len(golds)), sample))
        golds = [one for at, one in enumerate(golds) if at in chosen]
    return [sorted_by_text(one, texts(name, folder, one)) for one in golds]


def texts(name: str, folder: Path, gold: Gold) -> list[tuple[str, int, str]]:
    """The (document, page, text) that may hold a gold: its pages, or all of its documents where those are not known."""
    if name == "tatqa":
        context = _contexts(folder)[gold.row["context_id"]]
        told = [" | ".join(row) for row in context["table"]] + [
            one["text"] for one in context["paragraphs"]
        ]
        return [(gold.documents[0], 1, "\n".join(told))]
    found = []
    for named in gold.documents:
        held = _text_pages(folder, named) if name == "wattbot" else _pdf_pages(folder, named)
        wanted = {page for at, page in gold.pages if at == named} or range(1, len(held) + 1)
        found += [(named, page, held[page - 1]) for page in sorted(wanted) if page <= len(held)]
    return found


@lru_cache(maxsize=1)
def _contexts(folder: Path) -> dict[str, dict[str, Any]]:
    return {row["context_id"]: row for row in rows(folder / "contexts.jsonl")}


@lru_cache(maxsize=64)
def _text_pages(folder: Path, name: str) -> Sequence[str]:
    path = next(
        (path for path in (folder / "docs").iterdir() if document(path.name) == name), None
    )
    return path.read_text(encoding="utf-8").split("\f") if path else ()


@lru_cache(maxsize=64)
def _pdf_pages(folder: Path, name: str) -> Sequence[str]:
    """The text of each page, drawn by pdfium when it is asked for."""
    path = next(
        (path for path in (folder / "pdfs").iterdir() if document(path.name) == name), None
    )
    return _Pages(path) if path else ()


class _Pages(Sequence[str]):
    def __init__(self, path: Path) -> None:
        import pypdfium2

        self._file = pypdfium2.PdfDocument(path)
        self._texts: dict[int, str] = {}

    def __len__(self) -> int:
        return len(self._file)

    def __getitem__(self, at: int) -> str:  # type: ignore[override]
        if at not in self._texts:
            text = self._file[at].get_textpage().get_text_range()
            self._texts[at] = str(text).replace("\r\n", "\n")
        return self._texts[at]


def sorted_by_text(gold: Gold, held: Sequence[tuple[str, int, str]]) -> Gold:
    """The gold with its sort: whether its items, or the operands that it follows from, stand in the text of these pages, and the
    scale that they are in is told there."""
    if gold.sort == "unanswerable":
        return gold
    shown = [
        Piece(at, name, page, tuple((0, line) for line in _lines(text)))
        for at, (name, page, text) in enumerate(held, 1)
    ]
    asks = gold.kind != "boolean" and bool(COMPUTED.search(gold.question))
    found = [] if gold.computed or asks else answers(gold, shown)
    if not found:
        gold = replace(gold, derivation=gold.derivation or _derivation(gold, held))
        found = answers(gold, shown) if gold.derivation else []
    if not found or not _scale_told(gold, held):
        return replace(gold, sort="not in the text")
    there = dict.fromkeys(
        (one.piece.document, one.piece.page) for places in found for one in places
    )
    return replace(gold, sort="derived" if gold.derivation else "stands", held=tuple(there))


def _derivation(gold: Gold, held: Sequence[tuple[str, int, str]]) -> Derivation | None:
    """How a gold number follows from numbers on these pages, where the set or the question says how."""
    if gold.kind != "number":
        return None
    wanted = Wanted(None, *gold.span) if gold.span else Wanted(gold.number)
    return follows(gold.question, _reasons(gold.row), wanted, held)


@lru_cache(maxsize=1 << 12)
def _lines(text: str) -> tuple[str, ...]:
    """The lines of a page, and its paragraphs: sentences run over lines, rows of tables do not, and part numbers by blanks."""
    lines = text.split("\n")
    lines += [re.sub(r"(?<=\d)\s(?=[\d$(])", " | ", line) for line in lines]
    paragraphs = (" ".join(part.split()) for part in re.split(r"\n\s*\n", text))
    return (*lines, *paragraphs)


def _scale_told(gold: Gold, held: Sequence[tuple[str, int, str]]) -> bool:
    """Whether a scale of the gold that the set tells apart from its digits is named on its pages: a reader knows it from nowhere
    else."""
    scale = str(gold.row.get("scale") or "")
    if scale not in TOLD:
        return True
    return any(re.search(TOLD[scale], text, re.I) for _, _, text in held)


TOLD = {
    "thousand": r"\bthousands\b|[$€£'’(]\s?000s?\b|\d thousand",
    "million": r"\bmillions\b|[$€£]\s?mn?\b|\d million",
    "billion": r"\bbillions\b|[$€£]\s?bn?\b|\d billion",
}
"""How a page says what its numbers are in, or one of them."""
