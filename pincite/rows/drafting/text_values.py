"""Texts that a statement compares columns with: spelled as they are stored, and left out where the question says nothing of them.

A small model fills its statements with values that it saw in the tables; what neither the question nor a stored value that is
like its words supports is no filter of the question.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sqlglot import exp

from pincite.database.relations.model import Column, Database, Relation
from pincite.database.relations.name_folding import stems
from pincite.rows.drafting.joins import column, completed, stored_column
from pincite.rows.drafting.value_hints import SAME, ValueHint, ValueIndex

if TYPE_CHECKING:
    from pincite.ports import Encoder

NEAR = 0.8
"""Likeness from which a stored value is taken for one that is spelled otherwise."""
MEANT = 0.45
"""Least cosine of a value and words of the question at which the one may be said for the other."""
SHORT = 3
"""Letters of a value up to which it is a code that means something else than it says."""


@dataclass(slots=True)
class TextValues:
    """What is known of the values that a statement may name: those of the database, and those of the question.

    `notes` says what was changed, `missing` what is stored nowhere.
    """

    question: str
    database: Database
    values: ValueIndex
    hints: Sequence[ValueHint]
    encoder: Encoder | None = None
    notes: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    def settle(self, tree: exp.Query) -> exp.Query:
        """The statement with its texts as they are stored, without filters of which the question says nothing."""
        moved = False
        for condition, side, written in list(_compared(tree)):
            found = stored_column(side, self.database)
            if found is None or found[1].type != "text" or written.parent is None:
                continue
            if not self._is_said(written.this, found[1]) and _left_out(condition):
                self.notes.append(
                    f"left out: {condition.sql()}, of which the question says nothing"
                )
                continue
            if isinstance(condition, exp.EQ | exp.NEQ | exp.In):
                moved |= self._spell(written, side, *found)
        return completed(tree, self.database) if moved else tree

    def _spell(
        self, written: exp.Literal, side: exp.Expr, relation: Relation, own: Column
    ) -> bool:
        """Write a value as it is stored, in its column or, where only another column has it, there; whether that is so."""
        text = str(written.this)
        if text in own.values or not text.strip():
            return False
        near = list(self.values.near(text, 12))
        here = [v for v in near if (v.relation, v.column) == (relation.name, own.name)]
        if here and here[0].score >= NEAR:
            if here[0].value != text:
                self.notes.append(f"'{text}' is stored as '{here[0].value}'")
            written.replace(exp.Literal.string(here[0].value))
            return False
        elsewhere = [v for v in near if v.score >= SAME and not here]
        if elsewhere and isinstance(side, exp.Column):
            first = elsewhere[0]
            self.notes.append(f"'{text}' stands in {first.relation}.{first.column}")
            written.replace(exp.Literal.string(first.value))
            same = first.relation == relation.name
            side.replace(column(side.table if same else first.relation, first.column))
            return True
        held = f": it holds {', '.join(own.values[:12])}" if own.values else ""
        self.missing.append(f"no row has '{text}' in {relation.name}.{own.name}{held}")
        return False

    def _is_said(self, text: str, own: Column) -> bool:
        """Whether the question says a value: by its words, by words that a stored value is like, or by what it means."""
        form = stems(text.strip("%"))
        if not form or text.strip("%").isdigit():
            return True
        said = set(stems(self.question).split())
        if said & set(form.split()) or any(form == stems(hint.value) for hint in self.hints):
            return True
        letters = "".join(filter(str.isalpha, text))
        if len(letters) <= SHORT or self.encoder is None:
            return True  # a code: what it means, its letters do not say
        return self._likeness(text, own) >= MEANT

    def _likeness(self, text: str, own: Column) -> float:
        """How near a value comes to any one, two or three words of the question."""
        assert self.encoder is not None
        words = self.question.split()
        spans = [
            " ".join(words[at : at + length]) for length in (1, 2, 3) for at in range(len(words))
        ]
        vectors = self.encoder.encode(list(dict.fromkeys(spans)), side="query")
        named = self.encoder.encode([text, f"{text} {own.name.replace('_', ' ')}"], side="query")
        return float((vectors @ named.T).max())


def _compared(tree: exp.Query) -> Iterator[tuple[exp.Expr, exp.Expr, exp.Literal]]:
    """Every comparison of a column with a text: the comparison, the column's side, the text."""
    for each in tree.find_all(exp.EQ, exp.NEQ, exp.Like, exp.ILike):
        for side, other in ((each.left, each.right), (each.right, each.left)):
            if isinstance(other, exp.Literal) and other.is_string:
                yield each, _bare(side), other
    for each in tree.find_all(exp.In):
        for other in each.expressions:
            if isinstance(other, exp.Literal) and other.is_string:
                yield each, _bare(each.this), other


def _bare(side: exp.Expr) -> exp.Expr:
    """What a comparison is about, whatever case its letters are put in."""
    while isinstance(side, exp.Lower | exp.Upper | exp.Trim | exp.Paren | exp.Collate):
        side = side.this
    return side


def _left_out(condition: exp.Expr) -> bool:
    """Take a condition out of a WHERE, where it is one of those that must all hold; whether it is out."""
    around = condition.parent
    while isinstance(around, exp.Paren):
        condition, around = around, around.parent
    if isinstance(around, exp.And):
        around.replace(around.right if around.left is condition else around.left)
        return True
    if isinstance(around, exp.Where):
        around.pop()
        return True
    return False


def texts_of(tree: exp.Query) -> Iterable[str]:
    """The texts that columns of a statement are compared with."""
    return (str(written.this) for _, _, written in _compared(tree))
