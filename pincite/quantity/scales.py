"""Words of scale ("million", "Mrd.", "crore") and what distinguishes them from other words with the same spelling."""

from __future__ import annotations

import unicodedata
from decimal import Decimal

WORDS = {
    "hundred": 2, "thousand": 3, "million": 6, "billion": 9, "trillion": 12, "quadrillion": 15, "lakh": 5, "crore": 7,
    "dozen": 0, "tausend": 3, "millionen": 6, "milliarde": 9, "milliarden": 9, "milliard": 9, "miljon": 6, "miljoner": 6,
    "miljard": 9, "miljarder": 9, "tusen": 3, "tusental": 3, "millioner": 6, "milliarder": 9, "miljoen": 6, "duizend": 3,
    "millones": 6, "milioni": 6, "miliardi": 9, "milhões": 6, "milliers": 3, "miljoonaa": 6, "tuhatta": 3,
}  # fmt: skip
"""Words written in full, casefolded, as powers of ten (a dozen is 12)."""

ABBREVIATIONS = {
    "mn": 6, "mln": 6, "mio": 6, "milj": 6, "bn": 9, "bln": 9, "mrd": 9, "mld": 9, "tn": 12, "trn": 12, "tril": 12, "tsd": 3,
}  # fmt: skip
"""Abbreviations that name little else."""

BESIDE_MONEY = {
    "mm": 6, "mill": 6, "bil": 9, "md": 9, "mds": 9, "mdr": 9, "mia": 9, "mille": 3, "tys": 3, "lac": 5, "cr": 7,
}  # fmt: skip
"""Abbreviations that name something else too (a mill, millimetres, a lake): scales beside money alone."""

LETTERS = {"k": 3, "K": 3, "m": 6, "M": 6, "mm": 6, "MM": 6, "B": 9}
"""Letters that are a scale beside money, as powers of ten."""

PLACES = frozenset(("MN", "TN"))
"""Abbreviations that name a place when they are written in capitals: scales beside money alone."""

NAMES = {3: "thousand", 6: "million", 9: "billion"}

SCALES = {**WORDS, **ABBREVIATIONS, **BESIDE_MONEY}

_JOINTS = "-‐‑–—'’ʼ@+_·•*"
_RUPEES = frozenset(("INR", "PKR", "BDT", "NPR", "LKR"))
_OF_RUPEES = frozenset(("cr", "lac"))
_COUNTED = _OF_RUPEES | WORDS.keys()


def may_scale(word: str) -> bool:
    """Whether a word is an abbreviation of scale, at least beside money."""
    folded = word.casefold()
    return (
        folded in ABBREVIATIONS or folded in BESIDE_MONEY or folded.removesuffix("s") in _OF_RUPEES
    )


def needs_money(word: str) -> bool:
    """Whether a word of scale means something else where no money stands beside it."""
    return word in PLACES or word.casefold() in BESIDE_MONEY


def spelled_scale(word: str, money: str = "") -> str:
    """The entry of SCALES that a word is, "" for any other word; `money` is the currency beside it, if any."""
    folded = word.casefold()
    if folded not in SCALES and (single := folded.removesuffix("s")) in _COUNTED:
        folded = single
    if folded not in SCALES or needs_money(word) and not money:
        return ""
    return "" if folded in _OF_RUPEES and money not in _RUPEES else folded


def cut_off(text: str, end: int) -> bool:
    """Whether what ends here is no whole word to who sees the text: its last letter has a mark, or the next is joined unseen."""
    while text[end : end + 1] and (kind := unicodedata.category(text[end])) in (
        "Mn",
        "Mc",
        "Me",
        "Cf",
    ):
        if kind != "Cf":
            return True
        end += 1
        if text[end : end + 1].isalpha():
            return True
    return False


def goes_on(text: str, end: int) -> bool:
    """Whether letters that end here are the beginning of a longer name ("M-PESA", "M.A.", "B/S", "M@il", "M·A")."""
    joint, after, past = text[end : end + 1], text[end + 1 : end + 2], text[end + 2 : end + 3]
    if joint in (".", "/"):
        return after.isupper() and not past.isalnum()
    return cut_off(text, end) or bool(joint) and joint in _JOINTS and after.isalpha()


def split_scale(unit: str) -> tuple[Decimal, str]:
    """The scale word in front of a canonical unit as a number, and the rest: "million L" is 1000000 and "L"."""
    head, _, rest = unit.partition(" ")
    if head in SCALES and (rest or head not in BESIDE_MONEY):
        return scale_of(head), rest
    return Decimal(1), unit


def scale_of(word: str) -> Decimal:
    """The number a scale word stands for: "million" is 1000000."""
    word = word.casefold().rstrip(".")
    return Decimal(12) if word == "dozen" else Decimal(10) ** SCALES[word]
