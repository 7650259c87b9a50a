"""What a statement omits from its question, adds to it or reverses: none of this proves that it is wrong."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cached_property
from itertools import chain

from sqlglot import exp

from pincite.database.relations.model import NUMERIC, TEMPORAL, Column, Database
from pincite.database.relations.name_folding import stems
from pincite.index.tokens import STOP_WORDS
from pincite.lexicon import pattern
from pincite.rows.drafting.draft_check import beside_column, parsed
from pincite.rows.programs.pieces import Mention, QuestionPiece, in_column

SURE = 0.85
"""The least score of a name that a statement has to take notice of."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something that a statement leaves out of a question or brings in; `words` are those of the question left out."""

    problem: str
    words: str = ""


def doubts(
    statement: str, database: Database, pieces: Sequence[QuestionPiece], question: str
) -> tuple[Doubt, ...]:
    """What a settled statement leaves out of a question, or brings in: none of it is proof that it is wrong.

    `pieces` are those of a linked question (see `link`): every value and number, and every name that is certain, must be in
    the statement; every text that a column is compared with must be in the question, or be a known value; and what the
    question counts, adds, averages or compares must be done so, and in its direction.
    """
    used = _Used(parsed(statement, database), database)
    left_out = [
        Doubt(problem, piece.text) for piece in pieces if (problem := _left_out(piece, used))
    ]
    brought_in = [Doubt(f"the statement looks for '{text}', of which the question says nothing")
                  for text in _brought_in(used, pieces, question)]  # fmt: skip
    not_done = [
        Doubt(problem, piece.text) for piece in pieces if (problem := _not_done(piece, used))
    ]
    return tuple(dict.fromkeys((*left_out, *brought_in, *not_done)))


class _Used:
    """What a statement names, compares with and does."""

    def __init__(self, tree: exp.Expression, database: Database) -> None:
        by_name = {relation.name.casefold(): relation for relation in database.relations}
        self._tree = tree
        self.tables = {table.name.casefold() for table in tree.find_all(exp.Table)}
        self.relations = [by_name[name] for name in sorted(self.tables) if name in by_name]
        self.in_sight = [column for relation in self.relations for column in relation.columns]
        self._literals = list(tree.find_all(exp.Literal))

    @cached_property
    def columns(self) -> set[str]:
        """The columns that it names; `*` names all columns of its tables."""
        named = {column.name.casefold() for column in self._tree.find_all(exp.Column)}
        shown = (
            expression
            for query in self._tree.find_all(exp.Select)
            for expression in query.expressions
        )
        if any(isinstance(expression, exp.Star) for expression in shown):
            named.update(column.name.casefold() for column in self.in_sight)
        return named

    @cached_property
    def words(self) -> set[str]:
        """The words in the names of its columns and tables."""
        names = " ".join((*self.columns, *self.tables))
        return set(stems(names.replace("_", " ")).split())

    @cached_property
    def texts(self) -> list[str]:
        """The texts in it."""
        return [str(literal.this) for literal in self._literals if literal.is_string]

    @cached_property
    def compared(self) -> list[str]:
        """The texts that a column is compared with, but for dates and numbers."""
        return [
            str(literal.this)
            for literal in self._literals
            if literal.is_string and _is_sought(literal)
        ]

    @cached_property
    def numbers(self) -> list[Decimal]:
        """The numbers in it, those that are written as texts too."""
        return [
            number
            for literal in self._literals
            if (number := _number(str(literal.this))) is not None
        ]

    @cached_property
    def held(self) -> list[Column]:
        """The columns of its tables that it names."""
        return [column for column in self.in_sight if column.name.casefold() in self.columns]

    @cached_property
    def reached(self) -> set[str]:
        """The tables that links in its columns lead to."""
        links = (link for relation in self.relations for link in relation.links)
        return {
            link.to.casefold()
            for link in links
            if self.columns.intersection(map(str.casefold, link.columns))
        }

    @cached_property
    def dated(self) -> bool:
        """Whether it names a column of dates."""
        return any(map(_is_dated, self.held))

    @cached_property
    def single(self) -> set[tuple[str, str]]:
        """The columns of its tables that hold one value everywhere."""
        places = (
            (relation.name, column) for relation in self.relations for column in relation.columns
        )
        return {(table, column.name) for table, column in places if column.distinct == 1}

    @cached_property
    def does(self) -> set[str]:
        """The kinds of its expressions, as sqlglot calls them."""
        return {node.key for node in self._tree.walk()}

    @cached_property
    def directions(self) -> set[str]:
        """Which way it compares: above, below."""
        comparisons = self._tree.find_all(exp.GT, exp.GTE, exp.LT, exp.LTE)
        return {direction for node in comparisons for direction in _directions(node)}

    @cached_property
    def ends(self) -> set[str]:
        """Which ends it takes: by `max` and `min`, by orders that fall or rise."""
        ordered = self._tree.find_all(exp.Ordered)
        return self.does & {"max", "min"} | {
            "falling" if order.args.get("desc") else "rising" for order in ordered
        }


def _is_dated(column: Column) -> bool:
    """Whether a column holds dates, by its type or its name."""
    return column.type in TEMPORAL or bool(pattern("rows", "dates", "columns").search(column.name))


def _is_sought(literal: exp.Expression) -> bool:
    """Whether a text is what a column is compared with, and no date or number."""
    return not re.fullmatch(r"[\d\s%:./T-]*", str(literal.this)) and beside_column(literal)


def _number(text: str) -> Decimal | None:
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def _directions(node: exp.Expression) -> Iterator[str]:
    """Whether a comparison keeps what is above or below something; both when both sides have columns."""
    above = isinstance(node, exp.GT | exp.GTE)
    left, right = (
        node.this.find(exp.Column, exp.AggFunc),
        node.args["expression"].find(exp.Column, exp.AggFunc),
    )
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
_WAYS = {"compare >": "above", "compare >=": "above", "compare <": "below", "compare <=": "below"}
"""Which way a statement compares where a question says so."""


def _not_done(piece: QuestionPiece, used: _Used) -> str:
    """What is wrong with what a statement does about a word that says what to do; "" when nothing is."""
    if piece.word is None:
        return ""
    role, sign, text = piece.word.role, piece.word.sign, piece.text
    if role in _DOES and not _does(role, text, used):
        return f"the statement does nothing for '{text}'"
    if role in _WAYS and _is_turned(_WAYS[role], used):
        return f"the statement compares the other way round than '{text}'"
    if role.startswith("best") and _takes_other_end(sign, used):
        return f"the statement takes the other end than '{text}'"
    return ""


def _is_turned(way: str, used: _Used) -> bool:
    """Whether a statement compares only the other way: of dates less and more may be said as early and late."""
    return bool(used.directions) and way not in used.directions and not used.dated


def _takes_other_end(sign: int, used: _Used) -> bool:
    """Whether a statement takes the least where the most is asked for, or the most where the least is."""
    asked = {"max", "falling"} if sign > 0 else {"min", "rising"}
    return bool(sign and used.ends) and used.ends.isdisjoint(asked) and not used.dated


def _does(role: str, text: str, used: _Used) -> bool:
    """Whether a statement does what a word asks for, or a column holds it already."""
    counted = role.startswith("count") and any(column.type in NUMERIC for column in used.held)
    return counted or _has_words(text, used) or not used.does.isdisjoint(_DOES[role])


def _brought_in(used: _Used, pieces: Sequence[QuestionPiece], question: str) -> Iterator[str]:
    """The texts of a statement that are neither in the question nor values that are known."""
    known = _known_values(used, pieces)
    said = set(stems(question).split())
    for text in used.compared:
        form = stems(text.strip("%"))
        if form and form not in known and said.isdisjoint(form.split()):
            yield text


def _known_values(used: _Used, pieces: Sequence[QuestionPiece]) -> set[str]:
    """The stems of the values that a question can mean, and of those that are known of the tables in sight."""
    linked = (
        mention.value
        for piece in pieces
        for mention in piece.mentions
        if mention.value is not None
    )
    return set(map(stems, chain(linked, *(column.values for column in used.in_sight))))


def _left_out(piece: QuestionPiece, used: _Used) -> str:
    """What a statement lacks of a piece of a question; "" when it lacks nothing."""
    if piece.kind == "number":
        return (
            "" if _has_number(piece, used) else f"the number {piece.text} is not in the statement"
        )
    if piece.kind == "value" and _is_missing(piece, used, _has_value):
        return f"nothing in the statement is about '{piece.text}'"
    if piece.kind == "name" and _is_missing(piece, used, _has_name):
        return f"no column or table in the statement is about '{piece.text}'"
    return ""


def _is_missing(piece: QuestionPiece, used: _Used, has: Callable[[Mention, _Used], bool]) -> bool:
    """Whether a statement has nothing that a piece can stand for, where that is certain, nor its words."""
    if any(has(mention, used) for mention in piece.mentions):
        return False
    return max(mention.score for mention in piece.mentions) >= SURE and not _has_words(
        piece.text, used
    )


def _has_number(piece: QuestionPiece, used: _Used) -> bool:
    """Whether a number is in a statement, in the unit of any of its columns; 1 and less may be left out."""
    if piece.amount is None or abs(piece.amount.value) <= 1:
        return True
    amounts = {piece.amount.value, *(in_column(piece.amount, column.unit) for column in used.held)}
    if any(
        _is_same(amount, number)
        for amount in amounts
        if amount is not None
        for number in used.numbers
    ):
        return True
    digits = str(piece.amount.value)
    return any(digits in text for text in used.texts)


def _has_value(mention: Mention, used: _Used) -> bool:
    if mention.place in used.single:
        return True  # all rows have it
    form = stems(mention.value or "")
    parts = filter(None, (stems(text.strip("%")) for text in used.texts))
    return form in map(stems, used.texts) or any(part in form for part in parts)


def _has_name(mention: Mention, used: _Used) -> bool:
    if mention.column:
        return mention.column.casefold() in used.columns
    return mention.relation.casefold() in used.tables | used.reached


def _has_words(text: str, used: _Used) -> bool:
    words = frozenset(stems(text).split()) - STOP_WORDS
    return bool(words) and words <= used.words


def _is_same(amount: Decimal, other: Decimal) -> bool:
    """Whether two numbers are one up to a power of ten (a share and its per cent, thousands) and rounding."""
    if not amount or not other:
        return amount == other
    power = abs(amount / other).log10()
    return abs(power - power.to_integral_value()) < Decimal("0.0005")
