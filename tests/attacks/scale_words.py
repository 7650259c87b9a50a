"""Numbers that get a scale from the letters of a neighbouring word, and true forms of scales that are read correctly.

The words come from the data that Pincite ships, in capitals: the tokenizer's vocabulary, the lexicons and the languages'
words. Each is put before and after every scale letter and abbreviation, in captions, headers and cells, alone and among other
words. Words that are themselves a scale, a currency or a unit are left out. The forms are those of
`tests/quantity_forms.csv`.
"""

from __future__ import annotations

import csv
import json
import random
import re
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path

import pincite
from pincite.quantity import declared, find, parse
from pincite.quantity.scales import spelled_scale
from pincite.quantity.units import match_unit, units

DATA = Path(pincite.__file__).parent
TESTS = Path(__file__).parents[1]
MARKS = ("K", "M", "B", "cr", "MM", "bn")
CAPTIONS = (
    "{w} {m}", "{m} {w}", "({w} {m})", "({m} {w})", "in {w} {m}", "in {m} {w}", "OF {w} {m} GROUP", "THE {m} {w}",
    "Revenue, {w} {m}", "Table 3: {w} {m} by region", "Share of {m} {w} in 2023", "{w}-{m}", "{w}{m}", "{m}{w}",
)  # fmt: skip
CELLS = ("{w} {m} 12", "12 {w} {m}", "{w}{m} 12", "12 {m}{w}", "12 {w}{m}")
ALONE = ("{w}", "OF {w} BANK", "({w})", "in {w}")


def words(count: int, seed: int = 1) -> list[str]:
    """Words in capitals, drawn without putting back, none of them a scale, a currency or a unit by itself or with a mark."""
    vocabulary = json.loads(
        (DATA / "data" / "minilm" / "tokenizer.json").read_text(encoding="utf-8")
    )
    found = {word for word in vocabulary["model"]["vocab"] if word.isalpha()}
    for path in DATA.rglob("*.toml"):
        found |= set(re.findall(r"[^\W\d_]{2,}", path.read_text(encoding="utf-8")))
    held = sorted({word.upper() for word in found if len(word) > 1 and not measures(word.upper())})
    return random.Random(seed).sample(held, count)


def measures(word: str) -> bool:
    """Whether a word in capitals is a scale, a currency or a unit, or becomes one with a mark before or after it."""
    table = units()
    forms = (word, *(f"{mark}{word}" for mark in MARKS), *(f"{word}{mark}" for mark in MARKS))
    scales = any(spelled_scale(form, "INR") or form.upper() in table.joined for form in forms)
    return scales or match_unit(word, 0) is not None or word in table.elsewhere


def captions(word: str) -> Iterator[str]:
    """A word in captions and headers, before and after every mark of scale."""
    yield from (form.format(w=word) for form in ALONE)
    yield from (form.format(w=word, m=mark) for mark in MARKS for form in CAPTIONS)


def cells(word: str) -> Iterator[str]:
    """A word beside a number, before and after every mark of scale."""
    yield from (f"12 {word}", f"{word} 12", f"12{word}")
    yield from (form.format(w=word, m=mark) for mark in MARKS for form in CELLS)


def scaled(word: str) -> list[str]:
    """The texts in which a word gives a number a scale."""
    found = [text for text in captions(word) if declared(text).scale != 1]
    for text in cells(word):
        whole = parse(text)
        quantities = [one.quantity for one in find(text)] + ([whole] if whole else [])
        found += [text] if any(quantity.scale != 1 for quantity in quantities) else []
    return found


def read(kind: str, text: str) -> tuple[Decimal, str]:
    """The scale and the unit that a caption declares or a number in running text has."""
    if kind == "caption":
        return declared(text).scale, declared(text).unit
    found = find(text)
    return (found[0].quantity.scale, found[0].quantity.unit) if found else (Decimal(1), "")


def forms() -> list[dict[str, str]]:
    """The true forms of scales: kind, text, power of ten and unit."""
    with (TESTS / "quantity_forms.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def near_misses() -> list[dict[str, str]]:
    """Texts that look like a scale and are none: kind, text and unit."""
    with (TESTS / "quantity_near_misses.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def right(form: dict[str, str]) -> bool:
    """Whether a true form is read as it is meant."""
    return read(form["kind"], form["text"]) == (Decimal(10) ** int(form["power"]), form["unit"])
