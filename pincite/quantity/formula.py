"""Formulas as arithmetic over phrases ("net income / average of total assets") or over letters ("(a + b) / 2")."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal

from pincite.text.lexicon import pattern, pattern_table

LETTERS = "abcdefghijklmnopqrstuvwxyz"
"""The names of operands, in the order of the citations."""
YEARS = pattern("quantity", "years")
"""Years and the words that lead to them."""
Tree = str | Decimal | tuple[str, "Tree", "Tree"] | tuple[str, "Tree"]
"""A leaf (a phrase or a number), an operator over two trees, or "average" or "change" over one."""
_TOKEN = re.compile(r"\s*(\d+(?:\.\d+)?(?![\w%.])|[()*/+~]|[^()*/+~]+)")
_OF_TWO_TIMES = pattern("quantity", "of two times")


def parse_formula(text: str) -> Tree:
    """Read arithmetic over phrases: + - * / and parentheses, "average X", "change in X"; raise ValueError for other texts."""
    text = pattern("quantity", "beside a formula").sub(" ", text)
    for sign, written in pattern_table("quantity", "operators"):
        text = written.sub(f" {sign} ", text)
    tokens = [t.strip() for t in _TOKEN.findall(text)]
    tree, rest = _sum([t for t in tokens if t])
    if rest:
        raise ValueError(f"cannot read {' '.join(rest)!r} in the formula {text!r}")
    return tree


def _sum(tokens: list[str]) -> tuple[Tree, list[str]]:
    left, tokens = _product(tokens)
    while tokens and tokens[0] in ("+", "~"):
        sign = "+" if tokens[0] == "+" else "-"
        right, rest = _product(tokens[1:])
        left, tokens = (sign, left, right), rest
    return left, tokens


def _product(tokens: list[str]) -> tuple[Tree, list[str]]:
    left, tokens = _factor(tokens)
    while tokens and tokens[0] in ("*", "/"):
        right, rest = _factor(tokens[1:])
        left, tokens = (tokens[0], left, right), rest
    return left, tokens


def _factor(tokens: list[str]) -> tuple[Tree, list[str]]:
    if not tokens or tokens[0] in (")", "*", "/", "+"):
        raise ValueError("a formula ends where an item should follow")
    head, rest = tokens[0], tokens[1:]
    if head == "~":
        tree, rest = _factor(rest)
        return ("-", Decimal(0), tree), rest
    if head == "(":
        tree, rest = _sum(rest)
        if not rest or rest[0] != ")":
            raise ValueError("a parenthesis is not closed")
        return tree, rest[1:]
    if re.fullmatch(r"\d+(?:\.\d+)?", head):
        return Decimal(head), rest
    return _leaf(head), rest


def _leaf(text: str) -> Tree:
    for beside in ("from a statement", "as printed"):
        text = pattern("quantity", beside).sub(" ", text)
    bare = " ".join(YEARS.sub(" ", text).split())
    match = _OF_TWO_TIMES.match(bare)
    return ("average" if match["average"] else "change", match["of"]) if match else bare


def run_formula(tree: Tree, leaf: Callable[[str], Decimal]) -> Decimal:
    """The value of a formula whose leaves are valued by `leaf`; raises ZeroDivisionError or decimal's own."""
    if isinstance(tree, Decimal):
        return tree
    if isinstance(tree, str):
        return leaf(tree)
    if len(tree) == 2:
        raise ValueError(f"{tree[0]} covers two periods and has no value by itself")
    sign, first, second = tree
    a, b = run_formula(first, leaf), run_formula(second, leaf)
    return a + b if sign == "+" else a - b if sign == "-" else a * b if sign == "*" else a / b


def is_formula(operation: str) -> bool:
    """Whether an operation is a formula over letters, "(a + b) / 2", rather than a name."""
    return (
        re.fullmatch(r"(?=[^a-z]*[a-z])(?:[a-z](?![a-z])|[\d.\s()*/+-])+", operation) is not None
    )


def formula_value(operation: str, values: Sequence[Decimal]) -> Decimal:
    """Run a formula over letters with the values of "a", "b", ... in order; blanks around its signs may be left out."""
    named = dict(zip(LETTERS, values, strict=False))
    spaced = f" {operation.strip().replace('-', ' - ')}"
    return run_formula(parse_formula(spaced), lambda letter: named[letter])


def leaves(tree: Tree) -> Iterator[str]:
    """The items of a formula, from left to right."""
    if isinstance(tree, str):
        yield tree
    elif not isinstance(tree, Decimal):
        for part in tree[1:]:
            yield from leaves(part)
