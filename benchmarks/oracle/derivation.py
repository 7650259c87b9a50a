"""How a gold number follows from others: "(5,563.7-5,875.0)/5,875.0" as operands and a formula over letters."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

LETTERS = "abcdefghijklmnopqrstuvwxyz"
TOKEN = re.compile(r"\s*(\d[\d,]*\.?\d*|\.\d+|[-+*/()>]|##)")
NAMED = {
    "a - b": "difference",
    "(a - b) / b": "percentage_change",
    "a / b": "ratio",
    "a * b": "product",
}


@dataclass(frozen=True, slots=True)
class Derivation:
    """An operation over operands in their order: one that has a name, or a formula over their letters.

    `items` are names instead, where things are counted; of "compared" operands the first is the largest.
    """

    operation: str
    formula: str = ""
    operands: tuple[Decimal, ...] = ()
    items: tuple[str, ...] = ()


def derivation(written: str, counted: bool = False) -> Derivation | None:
    """A derivation as TAT-QA writes one; None for what is written in words."""
    if counted or "##" in written:
        return Derivation("count", items=tuple(part.strip() for part in written.split("##")))
    tokens = _tokens(written)
    if tokens is None:
        return None
    if ">" in tokens:
        values = [one for one in tokens if one not in ("(", ")", ">")]
        alone = not {"+", "-", "*", "/"} & set(values)
        return Derivation("compared", operands=tuple(map(Decimal, values))) if alone else None
    return _arithmetic(tokens)


def _tokens(written: str) -> list[str] | None:
    """Numbers with their signs, operators and brackets; None where anything else stands."""
    text = (
        written.translate(str.maketrans("[]{}\u2212\u2013\u00d7\u00f7", "()()--*/"))
        .replace("$", "")
        .replace("%", "")
    )
    text = re.sub(r"(?i)\s*(?:million|billion|thousand)s?\b", "", text).strip()
    tokens: list[str] = []
    at = 0
    while at < len(text):
        found = TOKEN.match(text, at)
        if found is None:
            return None
        one = found[1].replace(",", "")
        sign = one[0].isdigit() or one[0] == "."
        if sign and tokens[-1:] == ["-"] and (len(tokens) == 1 or tokens[-2] in "(+-*/"):
            tokens[-1] = f"-{one}"
        else:
            tokens.append(one)
        at = found.end()
    return tokens


def _arithmetic(tokens: list[str]) -> Derivation | None:
    operands: list[Decimal] = []
    formula: list[str] = []
    for at, one in enumerate(tokens):
        if one in "+-*/()":
            formula.append(one)
            continue
        value = Decimal(one)
        if _constant(tokens, at, value):
            formula.append(str(value))
            continue
        if value not in operands:
            operands.append(value)
        formula.append(LETTERS[operands.index(value)])
    if not 1 < len(operands) <= 12:
        return None
    told = _spaced(formula)
    return Derivation(_named(told, len(operands)), told, tuple(operands))


def _constant(tokens: list[str], at: int, value: Decimal) -> bool:
    """Whether a number is part of the formula and no operand: a small divisor behind a sum, 100, 365."""
    behind = at > 0 and tokens[at - 1] in "*/"
    return behind and (
        value in (100, 365, 1000)
        or value == int(value)
        and 2 <= value <= 12
        and tokens[at - 2] == ")"
    )


def _spaced(formula: list[str]) -> str:
    told = " ".join(formula).replace("( ", "(").replace(" )", ")")
    while (shorter := re.sub(r"\(([a-z])\)", r"\1", told)) != told:
        told = shorter
    return told[1:-1] if re.fullmatch(r"\([^()]*\)", told) else told


def _named(told: str, count: int) -> str:
    """The operation that a formula is, where it has a name; the formula itself where not."""
    sum_of_all = " + ".join(LETTERS[:count])
    if told == sum_of_all:
        return "sum"
    if told == f"({sum_of_all}) / {count}":
        return "average"
    return NAMED.get(told.removesuffix(" * 100"), told)
