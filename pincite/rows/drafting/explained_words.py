"""Which telling words of a question a statement accounts for: by the names, meanings and values that it uses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from sqlglot import exp

from pincite.database.relations.model import Database
from pincite.database.relations.name_folding import stems
from pincite.rows.drafting.statement_tree import stored_columns
from pincite.rows.drafting.text_values import texts_of
from pincite.rows.drafting.value_hints import ValueHint
from pincite.search.index.tokens import STOP_WORDS
from pincite.text.lexicon import data_table, word_set
from pincite.text.words import PLAIN_WORD

if TYPE_CHECKING:
    from pincite.ports import Encoder

EXPLAINED, UNEXPLAINED = 0.5, 0.3
"""Cosine of a word and a name from which the one says the other, and up to which it says nothing of it."""
_NEGATED = re.compile(r"\b\w+n['’]t\b", re.IGNORECASE)
"""A verb that is denied."""
_ASKING = word_set("rows", "of asking")


@dataclass(frozen=True, slots=True)
class ExplainedWords:
    """The telling words of a question, each with the name that comes nearest to it and how near, in [0, 1]."""

    words: tuple[tuple[str, str, float], ...] = ()

    @property
    def mapping(self) -> tuple[tuple[str, str], ...]:
        """The words that are accounted for, with what accounts for them."""
        return tuple((word, name) for word, name, near in self.words if near >= EXPLAINED)

    @property
    def unmapped(self) -> tuple[str, ...]:
        """The words that nothing accounts for."""
        return tuple(word for word, _, near in self.words if near < UNEXPLAINED)

    @property
    def least(self) -> float:
        """How near the word comes that is accounted for least; 1 where there is no telling word."""
        return min((near for _, _, near in self.words), default=1.0)

    @property
    def mean(self) -> float:
        """How near the words come on average."""
        return sum(near for _, _, near in self.words) / len(self.words) if self.words else 1.0


def explained_words(
    question: str,
    tree: exp.Query,
    database: Database,
    hints: Sequence[ValueHint],
    encoder: Encoder | None = None,
) -> ExplainedWords:
    """The telling words of a question beside what a completed statement names and does."""
    rest = _NEGATED.sub(" ", question)
    for hint in sorted(hints, key=lambda each: -len(each.words)):
        rest = rest.replace(hint.words, " ")
    telling = list(dict.fromkeys(word for word in PLAIN_WORD.findall(rest) if _tells(word)))
    names = list(dict.fromkeys(filter(None, _statement_words(tree, database))))
    if not telling or not names:
        return ExplainedWords(tuple((word, "", 0.0) for word in telling))
    near = np.zeros((len(telling), len(names)), np.float32)
    if encoder is not None:
        vectors = encoder.encode([*telling, *names], side="query")
        near = np.asarray(vectors[: len(telling)] @ vectors[len(telling) :].T)
    found = []
    for at, word in enumerate(telling):
        own = set(stems(word).split())
        same = next((name for name in names if own <= set(stems(name).split())), "")
        best = int(near[at].argmax())
        found.append((word, same, 1.0) if same else (word, names[best], float(near[at][best])))
    return ExplainedWords(tuple(found))


def _tells(word: str) -> bool:
    folded = word.casefold()
    return folded not in STOP_WORDS and folded not in _ASKING and len(word) > 1 and word.isalpha()


def _statement_words(tree: exp.Query, database: Database) -> Iterator[str]:
    """What a statement uses, in words: columns, their meanings and units, tables, values, and what it does."""
    for relation, column in stored_columns(tree, database):
        yield column.name.replace("_", " ")
        yield from (column.readable, column.described)
        yield f"{relation.name} {column.name}".replace("_", " ")
        yield column.unit
    for table in tree.find_all(exp.Table):
        yield table.name.replace("_", " ")
    yield from texts_of(tree)
    said = data_table("words/rows")["done by"]
    for kind in {node.key for node in tree.walk()}:
        yield from said.get(kind, "").split()
