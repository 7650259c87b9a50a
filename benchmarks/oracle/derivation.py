"""How a gold number follows from others: "(5,563.7-5,875.0)/5,875.0" as operands and a formula over letters."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

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
        own = value in operands and value != len(operands)
        if not own and _constant(tokens, at, value):
            formula.append(str(value))
            continue
        added = tokens[at - 1] == "+" and not {"-", "*", "/"} & set(tokens[:at])
        if value not in operands or added:  # of equal numbers that are added each is an operand
            operands.append(value)
            formula.append(LETTERS[len(operands) - 1])
        else:
            formula.append(LETTERS[operands.index(value)])
    if not 1 < len(operands) <= 12:
        return None
    told = _spaced(formula)
    return Derivation(named(told, len(operands)), told, tuple(operands))


def _constant(tokens: list[str], at: int, value: Decimal) -> bool:
    """Whether a number is part of the formula and no operand: a small divisor of a sum, 24, 100, 365, the 1 of "a / b - 1"."""
    if value == 1 and at == len(tokens) - 1 and tokens[at - 1] == "-" and "/" in tokens:
        return True
    behind = at > 0 and tokens[at - 1] in "*/"
    return behind and (
        value in (24, 100, 365, 1000)
        or value == int(value)
        and 2 <= value <= 12
        and tokens[at - 2] == ")"
    )


def _spaced(formula: list[str]) -> str:
    told = " ".join(formula).replace("( ", "(").replace(" )", ")")
    while (shorter := re.sub(r"\(([a-z])\)", r"\1", told)) != told:
        told = shorter
    return told[1:-1] if re.fullmatch(r"\([^()]*\)", told) else told


def named(told: str, count: int) -> str:
    """The operation that a formula is, where it has a name; the formula itself where not."""
    sum_of_all = " + ".join(LETTERS[:count])
    if told == sum_of_all:
        return "sum"
    if told == f"({sum_of_all}) / {count}":
        return "average"
    return NAMED.get(told.removesuffix(" * 100"), told)


def calculated(made: Derivation) -> Decimal | None:
    """What a formula comes to; None where it divides by zero or is none."""
    values = dict(zip(LETTERS, made.operands, strict=False))
    tokens = re.findall(r"[a-z]|\d+(?:\.\d+)?|[-+*/()]", made.formula)
    try:
        return _sum(tokens, values) if tokens else None
    except (InvalidOperation, ZeroDivisionError):
        return None


def _sum(tokens: list[str], values: Mapping[str, Decimal]) -> Decimal:
    """The sum that tokens begin with; what is read is taken from them, as in the two below."""
    made = _product(tokens, values)
    while tokens and tokens[0] in "+-":
        sign = 1 if tokens.pop(0) == "+" else -1
        made += sign * _product(tokens, values)
    return made


def _product(tokens: list[str], values: Mapping[str, Decimal]) -> Decimal:
    made = _term(tokens, values)
    while tokens and tokens[0] in "*/":
        times = tokens.pop(0) == "*"
        term = _term(tokens, values)
        made = made * term if times else made / term
    return made


def _term(tokens: list[str], values: Mapping[str, Decimal]) -> Decimal:
    token = tokens.pop(0) if tokens else ""
    if token == "-":
        return -_term(tokens, values)
    if token == "(":
        made = _sum(tokens, values)
        if tokens[:1] == [")"]:
            tokens.pop(0)
        return made
    return values[token] if token in values else Decimal(token)
