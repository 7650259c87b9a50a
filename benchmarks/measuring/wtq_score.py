"""Right or wrong on WikiTableQuestions (Pasupat and Liang 2015), by the rules of its official evaluator.

An answer is a set of values; each is a number, a date with parts possibly unknown, or a string in normal form.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from pincite.lab.scoring.evaluation import Figure, Pairs, figure
from pincite.records.runfile import Record, text_of

Date = tuple[int | None, int | None, int | None]
Denotation = float | Date | str
TOLERANCE = 1e-6
DATE = re.compile(r"(\d{1,4}|xx|xxxx)-(\d{1,2}|xx)-(\d{1,2}|xx)")


def normal(text: str) -> str:
    """A string lower-cased, without accents, outer quotes, notes in brackets, footnote marks and a final full stop."""
    decomposed = unicodedata.normalize("NFKD", text)
    text = "".join(
        character for character in decomposed if unicodedata.category(character) != "Mn"
    )
    text = re.sub("[‘’´`]", "'", text)
    text = re.sub("[“”]", '"', text)
    text = re.sub("[‐‑‒–—−]", "-", text).strip()
    before = None
    while before != text:
        before = text
        text = re.sub(
            r"(?<![•♦†‡*#+])(?:(?<!^)\[[^\]]*+\]|\[\d++\]|[•♦†‡*#+])*+$", "", text
        ).strip()
        text = re.sub(r"(?<!^)(?: \([^)]*+\))*+$", "", text).strip()
        text = re.sub(r'^"([^"]*)"$', r"\1", text).strip()
    return " ".join(text.removesuffix(".").split()).lower()


def denotation(text: str) -> Denotation:
    """What a string denotes: a number ("1,200"), a date ("2001-05-xx") or a string in normal form."""
    plain = text.strip().lower()
    try:
        number = float(plain.replace(",", ""))
        if number == number and abs(number) != float("inf"):
            return number
    except ValueError:
        pass
    match = DATE.fullmatch(plain)
    if match is not None:
        year, month, day = (None if "x" in part else int(part) for part in match.groups())
        valid = (month is None or 1 <= month <= 12) and (day is None or 1 <= day <= 31)
        if valid and (year, month, day) != (None, None, None):
            return (
                float(year)
                if year is not None and month is None and day is None
                else (year, month, day)
            )
    return normal(text)


def same(a: Denotation, b: Denotation) -> bool:
    """Whether two values denote the same."""
    if isinstance(a, float) and isinstance(b, float):
        return abs(a - b) < TOLERANCE
    return a == b


def right(given: Sequence[str], gold: Sequence[str]) -> bool:
    """Whether the given items match the gold items one to one; each side's repeats count once, as the set it is."""
    a, b = distinct(given), distinct(gold)
    if len(a) != len(b):
        return False
    for value in a:
        match = next((index for index, other in enumerate(b) if same(value, other)), None)
        if match is None:
            return False
        b.pop(match)
    return True


def distinct(texts: Sequence[str]) -> list[Denotation]:
    """The distinct values among texts, the same string in normal form being the same value."""
    return list({normal(text): denotation(text) for text in texts}.values())


def prediction(record: Record) -> list[str]:
    """The items of a record; nothing when it refuses."""
    values = record.value if isinstance(record.value, list | tuple) else [record.value]
    return [text for text in map(text_of, values) if text]


def wtq_figures(pairs: Pairs) -> list[Figure]:
    """The share of right records beside their gold rows."""
    wanted = [gold["answer"] for _, gold in pairs]
    golds = [list(map(str, each)) if isinstance(each, list) else [str(each)] for each in wanted]
    return [
        figure(
            "right",
            [
                record is not None and record.value is not None and right(prediction(record), gold)
                for (record, _), gold in zip(pairs, golds, strict=True)
            ],
        )
    ]
