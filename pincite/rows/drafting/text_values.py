"""Texts that a statement compares columns with: spelled as they are stored, and left out where the question says nothing of them.

A small model fills its statements with values that it saw in the tables; what neither the question nor a stored value that is
like its words supports is no filter of the question.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING

from sqlglot import exp

from pincite.database.relations.model import Column, Relation
from pincite.database.relations.name_folding import stems
from pincite.database.statements.statement_guard import DIALECTS
from pincite.rows.drafting.joins import completed, route
from pincite.rows.drafting.statement_tree import (
    Mendable,
    column,
    left_out,
    name_stems,
    stored_column,
)
from pincite.rows.drafting.value_hints import SAME, ValueHint, is_spelling_of, named_otherwise

if TYPE_CHECKING:
    from pincite.ports import Encoder
    from pincite.rows.clean_source import CleanSource

NEAR = 0.8
"""Likeness from which a stored value is taken for one that is spelled otherwise."""
MEANT = 0.6
"""Least cosine of a value and words of the question at which the one may be said for the other."""
_COMPARISONS = (exp.EQ, exp.NEQ, exp.Like, exp.ILike, exp.GT, exp.GTE, exp.LT, exp.LTE)
_WRITTEN = frozenset(("text", "date", "datetime"))
_YEAR = re.compile(r"\b(?:19|20)\d\d(?=-\d\d)")
SHORT = 3
"""Letters of a value up to which it is a code that means something else than it says."""


@dataclass(slots=True)
class TextValues:
    """What is known of the values that a statement may name: those of the database, and those of the question.

    `notes` says what was changed, `missing` what is stored nowhere.
    """

    question: str
    source: CleanSource
    hints: Sequence[ValueHint]
    encoder: Encoder | None = None
    notes: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    def settle(self, tree: exp.Query) -> exp.Query:
        """The statement with its texts as they are stored, without filters of which the question says nothing."""
        moved = False
        for condition, side, written in list(_compared_texts(tree)):
            found = stored_column(side, self.source.database)
            if found is None or found[1].type not in _WRITTEN or written.parent is None:
                continue
            listed = condition.expressions if isinstance(condition, exp.In) else [written]
            texts = [str(each.this) for each in listed if isinstance(each, exp.Literal)]
            said = any(self._is_said(text, *found) for text in texts)
            if not said and left_out(condition):
                self.notes.append(
                    f"left out: {condition.sql()}, of which the question says nothing"
                )
                continue
            if found[1].type == "text" and isinstance(condition, exp.Like | exp.ILike):
                self._widen_pattern(written, *found)
            elif found[1].type == "text" and isinstance(condition, exp.EQ | exp.NEQ | exp.In):
                moved |= self._spell_value(written, side, *found, _uses_table(tree, side))
        return completed(tree, self.source.database) if moved else tree

    def _spell_value(
        self, written: exp.Literal, side: exp.Expr, relation: Relation, own: Column, used: bool
    ) -> bool:
        """Write a value as it is stored, in its column or, where only another column has it, there; whether that is so.

        Where something else of its table is `used`, it moves at most to one that a link leads to: who asks when the depot of
        Stuttgart opened is not answered by trips to Stuttgart.
        """
        text = str(written.this)
        if other := named_otherwise(self.question, text):
            raise Mendable(f"'{text}' is not '{other}', of which no row is")
        if text in own.values or not text.strip():
            return False
        for said in dict.fromkeys((text, _without_kind(text, relation, own))):
            near = self.source.near(said, 12)
            here = [v for v in near if (v.relation, v.column) == (relation.name, own.name)]
            if here and here[0].score >= NEAR and is_spelling_of(said, here[0].value):
                if here[0].value != text:
                    self.notes.append(f"'{text}' is stored as '{here[0].value}'")
                written.replace(exp.Literal.string(here[0].value))
                while isinstance(side.parent, exp.Lower | exp.Upper | exp.Trim):
                    side.parent.replace(side)
                return False
        near = [] if here else [v for v in self.source.near(text, 12) if v.score >= SAME]
        first = next((v for v in near if not used or self._is_beside(relation, v.relation)), None)
        if first is not None and isinstance(side, exp.Column):
            self.notes.append(f"'{text}' stands in {first.relation}.{first.column}")
            written.replace(exp.Literal.string(first.value))
            same = first.relation == relation.name
            side.replace(column(side.table if same else first.relation, first.column))
            return True
        held = f": it holds {', '.join(own.values[:12])}" if own.values else ""
        self.missing.append(f"no row has '{text}' in {relation.name}.{own.name}{held}")
        return False

    def _widen_pattern(self, written: exp.Literal, relation: Relation, own: Column) -> None:
        """Have a pattern find its text within values, and spell it as they do where none has it."""
        text = str(written.this)
        bare = text.strip("%")
        place = (relation.name, own.name)
        near = [v.value for v in self.source.near(bare, 50) if (v.relation, v.column) == place]
        if text in near or not bare or "%" in bare or "_" in text:
            return
        if near and not any(bare.casefold() in value.casefold() for value in near):
            words = {word for value in near for word in value.split()}
            bare = next(iter(get_close_matches(bare, words, 1, NEAR)), bare)
        wanted = f"%{bare}%" if "%" not in text or bare != text.strip("%") else text
        if wanted != text:
            written.replace(exp.Literal.string(wanted))
            self.notes.append(f"'{text}' is looked for as '{wanted}'")

    def _is_beside(self, relation: Relation, other: str) -> bool:
        """Whether a table is a relation itself, or one link away from it."""
        way = route(self.source.database, [relation.name], other)
        return way is not None and len(way) <= 1

    def _is_said(self, text: str, relation: Relation, own: Column) -> bool:
        """Whether the question says a value: by its words, by words that a stored value is like, or by what it means."""
        form = stems(text.strip("%"))
        if not form or text.strip("%").isdigit():
            return True
        if years := _YEAR.findall(text):
            return any(year in self.question for year in years)
        said = set(stems(self.question).split())
        if said & set(form.split()) or any(form == stems(hint.value) for hint in self.hints):
            return True
        if _is_code(text, own):
            meaning = self._meaning(text, relation, own)
            same = not meaning or bool(said & set(stems(meaning).split()))
            return same or self._is_meant(meaning)
        return self._is_meant(text, f"{text} {own.name.replace('_', ' ')}")

    def _meaning(self, code: str, relation: Relation, own: Column) -> str:
        """What a code means: by the table that its column links to, or by the column's description; "" where nothing says it."""
        told = re.search(rf"(?<!\w){re.escape(code)}\W{{1,3}}([^,;.]+)", own.described)
        if told:
            return told[1].strip()
        for link in relation.links:
            if link.columns != (own.name,):
                continue
            there = self.source.database.relation(link.to)
            texts = (each for each in there.columns if each.type == "text")
            label = next((each for each in texts if each.name not in link.to_columns), None)
            if label is not None:
                is_code = column(there.name, link.to_columns[0]).eq(exp.Literal.string(code))
                select = exp.select(column(there.name, label.name))
                select = select.from_(exp.to_identifier(there.name, quoted=True)).where(is_code)
                dialect = DIALECTS[self.source.database.dialect]
                rows = self.source.run(str(select.sql(dialect=dialect))).rows
                return str(rows[0][0]) if rows else ""
        return ""

    def _is_meant(self, *texts: str) -> bool:
        """Whether a value in one of these words comes near one, two or three words of the question."""
        if self.encoder is None:
            return True
        words = self.question.split()
        places = [(at, length) for length in (1, 2, 3) for at in range(len(words))]
        spans = [" ".join(words[at : at + length]) for at, length in places]
        vectors = self.encoder.encode(list(dict.fromkeys(spans)), side="query")
        named = self.encoder.encode(list(texts), side="query")
        return float((vectors @ named.T).max()) >= MEANT


def _without_kind(text: str, relation: Relation, own: Column) -> str:
    """A text without the words that say what it is, as its column does or the table that it names: "Alster river" is "Alster"."""
    kind = set(name_stems(own.name).split())
    if "name" in kind:
        kind |= set(name_stems(relation.name).split())
    return " ".join(word for word in text.split() if stems(word) not in kind) or text


def _is_code(text: str, own: Column) -> bool:
    """Whether a value is a code: a few letters, as are most values of its column."""
    short = [len(value) <= SHORT for value in own.values] or [own.distinct > 0]
    return len("".join(filter(str.isalpha, text))) <= SHORT and sum(short) * 2 > len(short)


def _compared_texts(tree: exp.Query) -> Iterator[tuple[exp.Expr, exp.Expr, exp.Literal]]:
    """Every comparison of a column with a text: the comparison, the column's side, the text."""
    pairs: list[tuple[exp.Expr, exp.Expr, exp.Expr]] = []
    for each in tree.find_all(exp.Between):
        pairs.append((each, each.this, each.args["low"]))
    for each in tree.find_all(*_COMPARISONS):
        pairs += [(each, each.left, each.right), (each, each.right, each.left)]
    for each in tree.find_all(exp.In):
        pairs += [(each, each.this, other) for other in each.expressions]
    for each, side, other in pairs:
        if isinstance(other, exp.Literal) and other.is_string:
            while isinstance(side, exp.Lower | exp.Upper | exp.Trim | exp.Paren | exp.Collate):
                side = side.this
            yield each, side, other


def _uses_table(tree: exp.Query, side: exp.Expr) -> bool:
    """Whether a statement shows, groups or filters by another column of the table that a column is of."""
    return any(
        each is not side and each.table == side.args["table"].name
        for each in tree.find_all(exp.Column)
        if isinstance(side, exp.Column) and not isinstance(each.find_ancestor(exp.Join), exp.Join)
    )


def texts_of(tree: exp.Query) -> Iterable[str]:
    """The texts that columns of a statement are compared with."""
    return (str(written.this) for _, _, written in _compared_texts(tree))
