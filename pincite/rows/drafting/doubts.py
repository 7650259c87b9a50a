"""What a statement leaves out of its question, or brings in, or turns around: none of it is proof that it is wrong."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING

from pincite.database.relations.model import NUMERIC, TEMPORAL, Column, Database
from pincite.database.relations.name_folding import stems
from pincite.index.tokens import STOP_WORDS
from pincite.rows.drafting.draft_check import beside_column, parsed
from pincite.rows.programs.linking import Mention, in_column
from pincite.rows.programs.pieces import QuestionPiece

if TYPE_CHECKING:
    from sqlglot import exp

SURE = 0.85
"""The least score of a name that a statement has to take notice of."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something that a statement leaves out of a question or brings in; `words` are those of the question left out."""

    problem: str
    words: str = ""


def doubts(statement: str, database: Database, pieces: Sequence[QuestionPiece], question: str) -> tuple[Doubt, ...]:
    """What a settled statement leaves out of a question, or brings in: none of it is proof that it is wrong.

    `pieces` are those of a linked question (see `link`): every value and number, and every name that is certain, must be in
    the statement; every text that a column is compared with must be in the question, or be a known value; and what the
    question counts, adds, averages or compares must be done so, and in its direction.
    """
    used = _Used(parsed(statement, database), database)
    said = frozenset(stems(question).split())
    out = [Doubt(said_not, piece.text) for piece in pieces for said_not in _left_out(piece, used)]
    linked = {stems(m.value) for piece in pieces for m in piece.mentions if m.value is not None}
    known = {stems(v) for relation in used.relations for column in relation.columns for v in column.values}
    for literal in used.compared:
        form = stems(literal.strip("%"))
        if form and form not in linked and form not in known and not said.intersection(form.split()):
            out.append(Doubt(f"the statement looks for '{literal}', of which the question says nothing"))
    roles = [(piece.word.role, piece.word.sign, piece.text) for piece in pieces if piece.word is not None]
    out += [Doubt(problem, text) for role, sign, text in roles if (problem := _not_done(role, sign, text, used))]
    return tuple(dict.fromkeys(out))


class _Used:
    """What a statement names, compares with and does."""

    def __init__(self, tree: exp.Expression, database: Database) -> None:
        self._names(tree, database)
        self._literals(tree)
        self._held()
        self._done(tree)

    def _names(self, tree: exp.Expression, database: Database) -> None:
        """The tables and columns that it names, and the words in their names; `*` names all columns."""
        from sqlglot import exp

        by_name = {relation.name.casefold(): relation for relation in database.relations}
        self.tables = {table.name.casefold() for table in tree.find_all(exp.Table)}
        self.relations = [by_name[name] for name in sorted(self.tables) if name in by_name]
        self.columns = {column.name.casefold() for column in tree.find_all(exp.Column)}
        shown = [expression for query in tree.find_all(exp.Select) for expression in query.expressions]
        if any(isinstance(expression, exp.Star) for expression in shown):
            self.columns |= {column.name.casefold() for relation in self.relations for column in relation.columns}
        named = " ".join(stems(name.replace("_", " ")) for name in (*self.columns, *self.tables))
        self.words = set(named.split())

    def _literals(self, tree: exp.Expression) -> None:
        """The texts and numbers in it, and the texts that something is compared with."""
        from sqlglot import exp

        literals = list(tree.find_all(exp.Literal))
        texts = [literal for literal in literals if literal.is_string]
        numbers = [_number(str(literal.this)) for literal in literals]
        self.texts = [str(literal.this) for literal in texts]
        self.numbers = [number for number in numbers if number is not None]
        self.compared = [str(literal.this) for literal in texts if _sought(literal)]

    def _held(self) -> None:
        """What its columns are: links, numbers, dates, units, and those that hold one value everywhere."""
        columns = [(relation, column) for relation in self.relations for column in relation.columns]
        links = {(column, link.to) for relation in self.relations for link in relation.links for column in link.columns}
        held = [column for _, column in columns if column.name.casefold() in self.columns]
        self.reached = {to.casefold() for column, to in links if column.casefold() in self.columns}
        self.numeric = any(column.type in NUMERIC for column in held)
        self.dated = any(map(_is_dated, held))
        self.single = {(relation.name, column.name) for relation, column in columns if column.distinct == 1}
        self.units = {column.unit for column in held}

    def _done(self, tree: exp.Expression) -> None:
        """What it does: its kinds of expressions, which way it compares and orders."""
        from sqlglot import exp

        comparisons = tree.find_all(exp.GT, exp.GTE, exp.LT, exp.LTE)
        self.does = {node.key for node in tree.walk()}
        self.directions = {direction for node in comparisons for direction in _directions(node)}
        self.ordered = {"falling" if ordered.args.get("desc") else "rising" for ordered in tree.find_all(exp.Ordered)}


def _is_dated(column: Column) -> bool:
    """Whether a column holds dates, by its type or its name."""
    return column.type in TEMPORAL or bool(re.search("date|year|time|_at$", column.name, re.I))


def _directions(node: exp.Expression) -> Iterator[str]:
    """Whether a comparison keeps what is above or below something; both when both sides have columns."""
    from sqlglot import exp

    above = isinstance(node, exp.GT | exp.GTE)
    left, right = node.this.find(exp.Column, exp.AggFunc), node.args["expression"].find(exp.Column, exp.AggFunc)
    if left or not right:
        yield "above" if above else "below"
    if right:
        yield "below" if above else "above"


_DOES = {
    "count": ("count", "sum", "countif"),
    "count distinct": ("count", "sum", "countif"),
    "sum": ("sum", "count", "add"),
    "avg": ("avg", "div", "median"),
    "difference": ("sub", "abs", "lag", "lead", "datediff", "tsordsdiff"),
    "ratio": ("div",),
    "share": ("div", "avg"),
}
"""What a statement does, by its syntax, where a question says so."""


def _not_done(role: str, sign: int, text: str, used: _Used) -> str:
    """What is wrong with what a statement does about a word that says what to do; "" when nothing is."""
    if wanted := _DOES.get(role):
        named = role.startswith("count") and used.numeric or _has_words(text, used)
        return "" if named or used.does.intersection(wanted) else f"the statement does nothing for '{text}'"
    if role in ("compare >", "compare >=", "compare <", "compare <="):
        way = "above" if role[8] == ">" else "below"
        turned = used.directions and way not in used.directions and not used.dated
        return f"the statement compares the other way round than '{text}'" if turned else ""
    if role.startswith("best") and sign and not used.dated:
        best, worst = (("max", "falling"), ("min", "rising")) if sign > 0 else (("min", "rising"), ("max", "falling"))
        done = used.does & {"max", "min"} | used.ordered
        return (
            f"the statement takes the other end than '{text}'"
            if done and not done & set(best) and done & set(worst)
            else ""
        )
    return ""


def _sought(literal: exp.Expression) -> bool:
    """Whether a text is what a column is compared with, and no date or number."""
    return not re.fullmatch(r"[\d\s%:./T-]*", str(literal.this)) and beside_column(literal)


def _number(text: str) -> Decimal | None:
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def _left_out(piece: QuestionPiece, used: _Used) -> Iterator[str]:
    """What of a piece a statement does not have."""
    if piece.kind == "value" and not any(_has_value(mention, used) for mention in piece.mentions):
        if max(mention.score for mention in piece.mentions) >= SURE and not _has_words(piece.text, used):
            yield f"nothing in the statement is about '{piece.text}'"
    elif piece.kind == "number" and piece.amount is not None:
        amounts = {piece.amount.value, *(in_column(piece.amount, unit) for unit in used.units)}
        digits = str(piece.amount.value)
        close = any(_same(amount, other) for amount in amounts if amount is not None for other in used.numbers)
        if not close and not any(digits in text for text in used.texts) and abs(piece.amount.value) > 1:
            yield f"the number {piece.text} is not in the statement"
    elif piece.kind == "name" and not any(_has_name(mention, used) for mention in piece.mentions):
        if max(mention.score for mention in piece.mentions) >= SURE and not _has_words(piece.text, used):
            yield f"no column or table in the statement is about '{piece.text}'"


def _has_value(mention: Mention, used: _Used) -> bool:
    if (mention.relation, mention.column) in used.single:
        return True  # all rows have it
    form = stems(mention.value or "")
    return any(form == stems(text) or stems(text.strip("%")) and stems(text.strip("%")) in form for text in used.texts)


def _has_name(mention: Mention, used: _Used) -> bool:
    if mention.column:
        return mention.column.casefold() in used.columns
    return mention.relation.casefold() in used.tables | used.reached


def _has_words(text: str, used: _Used) -> bool:
    words = frozenset(stems(text).split()) - STOP_WORDS
    return bool(words) and words <= used.words


def _same(one: Decimal, other: Decimal) -> bool:
    """Whether two numbers are one up to a power of ten (a share and its per cent, thousands) and rounding."""
    if not one or not other:
        return one == other
    ratio = abs(one / other)
    power = ratio.log10()
    return abs(power - power.to_integral_value()) < Decimal("0.0005")
