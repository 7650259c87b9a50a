"""How the cells of a column are written, which one alone does not say: where decimals begin, what is a code, which side of a
ledger counts down.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from pincite.document.cell_text import is_number
from pincite.document.derived import kept
from pincite.document.labelled_cells import Labels
from pincite.quantity.numbers import decimal_mark

_DIGITS = re.compile(r"\d(?:[\d.,]*\d)?")
_MINUS_BEHIND = re.compile(r"\d{1,3}\.\d{3}\s?[-−]")
_OPEN = "1,234"
"""Digits that either sign may part."""
_CODE = re.compile(r"0\d+|[\d-]*[A-Z][\w-]*\d")
"""A number that begins with a zero, or digits behind capitals: "00417", "47A0", "X-12"."""
_ONE_WORD = re.compile(r"[\w/-]+")
_SIDE = re.compile(r"(?<=[\d)])\s?(?P<side>CR|DR|Cr|Dr)\.?$")


@kept
def decimal_commas(seen: Labels) -> Mapping[int, bool]:
    """Of each column whose numbers tell it, whether decimals stand behind a comma there.

    Numbers as "1,234", which may be either, speak for a point.
    """
    votes: dict[int, Counter[str]] = {}
    for cell in seen.cells:
        if is_number(cell.text):
            votes.setdefault(cell.column, Counter()).update(_votes(cell.text))
    return {
        column: own[","] > own["."]
        for column, own in votes.items()
        if own["."] > own[","] or own[","] > own["."] + own[_OPEN]
    }


def _votes(text: str) -> list[str]:
    """Which sign parts decimals in each number of a cell; whoever writes the minus behind ("4.711-") parts them by a comma."""
    if _MINUS_BEHIND.fullmatch(text):
        return [","]
    runs = _DIGITS.findall(text)
    return [decimal_mark(digits) or (_OPEN if "," in digits else "") for digits in runs]


@kept
def code_columns(seen: Labels) -> frozenset[int]:
    """The columns of codes: words of letters and digits, of which one at least is no number."""
    columns: dict[int, list[str]] = {}
    for cell in seen.cells:
        columns.setdefault(cell.column, []).append(cell.text)
    return frozenset(
        column
        for column, texts in columns.items()
        if all(map(_ONE_WORD.fullmatch, texts)) and any(map(_CODE.fullmatch, texts))
    )


def signed(seen: Labels, column: int, text: str) -> str:
    """A number without the mark of its side of a ledger: "1,250.00 CR" counts down where the amounts without a mark do not.

    Where both sides are marked, or all amounts are, the mark stays: which of them counts down is not told.
    """
    side = _SIDE.search(text)
    if side is None or _sides(seen).get(column) != {"", side["side"].upper()}:
        return text
    return f"-{text[: side.start()]}"


@kept
def _sides(seen: Labels) -> Mapping[int, set[str]]:
    """The marks of the amounts of each column, "" for those without one."""
    found: dict[int, set[str]] = {}
    for cell in seen.cells:
        if is_number(cell.text):
            side = _SIDE.search(cell.text)
            found.setdefault(cell.column, set()).add(side["side"].upper() if side else "")
    return found
