"""One training pair: a question, a place, and whether the place answers the question."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Literal

from pincite.evidence.judge_input import CellPlace, Place, SentencePlace

Kind = Literal["number", "date", "name", "yes", "no", "reason", "list", "text"]
KINDS: tuple[Kind, ...] = ("number", "date", "name", "yes", "no", "reason", "list", "text")

Differs = Literal[
    "right", "row", "column", "year", "entity", "scope", "basis", "value", "sentence", "page", "other"
]  # fmt: skip
"""How a wrong pair differs from a right one: another row, column or year of the table; another entity or year in the question;
the same label in another section; an operand of what is asked; another value of the right sentence; a sentence beside;
a place elsewhere in the document, or in another one."""

_MONTH = re.compile(
    r"\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mär|mai|okt|dez)[a-zä]*\.?\b.*\d|\d.*\b(january|february|march|april|"
    r"may|june|july|august|september|october|november|december|januar|februar|märz|juni|juli|oktober|dezember)\b",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(1[5-9]|20)\d\d")
_NUMBER = re.compile(r"[-+($€£¥~ ]*\d[\d.,  ]*\)?\s?(%|\w{0,12}\.?)( \w{1,12})?")
_REASON = (
    "why",
    "how come",
    "warum",
    "weshalb",
    "wieso",
    "for what reason",
    "what is the reason",
    "what was the reason",
)
_WHO = (
    "who",
    "whom",
    "whose",
    "which",
    "where",
    "wer",
    "wen",
    "welche",
    "wo",
    "in which",
    "in what",
    "in welche",
)


@dataclass(frozen=True)
class Pair:
    """A question and a place; `group` is the document or table that folds keep together."""

    question: str
    place: Place
    label: int
    kind: Kind
    differs: Differs
    group: str
    source: str

    def wrong(self, differs: Differs, place: Place | None = None, question: str = "") -> Pair:
        """The pair that is wrong because its place or its question `differs`."""
        return replace(
            self,
            label=0,
            differs=differs,
            place=place or self.place,
            question=question or self.question,
        )


def kind_of(question: str, answer: str) -> Kind:
    """What kind of answer a right place gives to `question`, by both texts."""
    asked, given = question.lower().strip(), answer.strip()
    if asked.startswith(_REASON):
        return "reason"
    if _YEAR.fullmatch(given) or (len(given) < 30 and _MONTH.search(given)):
        return "date"
    if _NUMBER.fullmatch(given):
        return "number"
    words = given.split()
    capital = sum(word[:1].isupper() for word in words)
    if len(words) <= 7 and (capital * 2 > len(words) or asked.startswith(_WHO)):
        return "name"
    return "text"


def write(pairs: Iterator[Pair], path: Path) -> None:
    """Write `pairs` as JSON Lines, one at a time."""
    with path.open("w", encoding="utf-8") as lines:
        for pair in pairs:
            lines.write(json.dumps(asdict(pair), ensure_ascii=False) + "\n")


def read(path: Path) -> Iterator[Pair]:
    """The pairs that `write` wrote, one at a time."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            given = json.loads(line)
            place = given.pop("place")
            yield Pair(place=_place(place), **given)


def _place(given: dict[str, object]) -> Place:
    if "sentence" in given:
        return SentencePlace(**given)  # type: ignore[arg-type]
    lists = {name: tuple(value) for name, value in given.items() if isinstance(value, list)}
    return CellPlace(**(given | lists))  # type: ignore[arg-type]
