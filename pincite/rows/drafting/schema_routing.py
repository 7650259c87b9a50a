"""Which relations of a database a question needs, found without a model: what its words and phrases name, and what joins that.

Three things are brought together. Words: BM25 over the names and columns of each relation (see `index.lexical`), short
cards preferred, neighbouring words as pairs too. Phrases: for each, the encoder's nearest columns, as shares of one among
the relations. Links: a relation that joins with well-found ones is worth more. Relations are then taken one by one, and a
word or phrase counts less for the next once it is accounted for, so that ten tables that say the same do not fill the list.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, pairwise
from typing import TYPE_CHECKING

import numpy as np

from pincite.database.relations.name_folding import CAMEL, RUN
from pincite.question.request import without_orders
from pincite.search.index.tokens import tokens
from pincite.text.lexicon import pattern, word_list

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pincite.database.relations.model import Column, Database, Relation
    from pincite.ports import Encoder

    Floats = NDArray[np.float64]

# In standard deviations of the relations' scores by words. On the plateau of a grid: twice or half of any moves little.
PHRASES = 0.75
NAMED = 2.0
LINKED = 0.2
JOINED = 0.5
ALIKE = 0.5
VARIANT = 0.5
COVERED = 0.3
"""By how much a word or phrase counts less for each relation taken that accounts for it: 1 / (1 + COVERED * taken)."""

K1, B = 2.0, 0.9
PAIR = 0.7
VALUE = 0.5
TEMPERATURE = 0.1
READ = 150
"""Relations whose columns are encoded for a question: those that its words and links put first."""
SAME = 0.6
"""Share of columns in common from which a relation is a variant of another: its history, its backup, an old version."""

_BETWEEN = "|".join(word_list("rows", "words between phrases"))
_APART = re.compile(rf"[,.;:?!()]|\b(?:{_BETWEEN})\b", re.IGNORECASE)
_KEY = pattern("rows", "key", "columns")


def relations(
    question: str, database: Database, k: int = 10, encoder: Encoder | None = None
) -> list[tuple[str, float]]:
    """The `k` relations that a question most likely needs, each with what it adds to those before it, best first.

    Without an encoder words and links decide alone. What is computed of a database is kept for the next question.
    """
    if not database.relations:
        return []
    cards = _cards_of(database)
    said = without_orders(question)
    asked = list(dict.fromkeys(tokens(said)))
    by_word = cards.by_word([*asked, *_neighbour_pairs(tokens(said))])
    parts = [by_word / _spread(by_word)]
    prior = cards.prior(frozenset(asked))
    phrases = _phrases(said)
    if encoder is not None and phrases:
        near = sorted(at for at, _ in cards.chosen(parts[0], prior, READ))
        by_phrase = cards.by_phrase(phrases, near, encoder)
        parts.append(PHRASES * by_phrase / _spread(by_phrase))
    return [(cards.names[at], worth) for at, worth in cards.chosen(np.vstack(parts), prior, k)]


@dataclass(frozen=True, slots=True, eq=False)
class _Cards:
    """The relations of a database as counted terms, vectors, and how they are linked and alike; all arrays by relation."""

    names: tuple[str, ...]
    terms: tuple[Counter[str], ...]
    lengths: Floats
    values: tuple[frozenset[str], ...]
    rarity: dict[str, float]
    name_terms: tuple[frozenset[str], ...]
    added: tuple[tuple[frozenset[str], ...], ...]
    linked: Floats
    alike: Floats
    called: tuple[tuple[str, tuple[str, ...]], ...]

    def by_word(self, asked: Sequence[str]) -> Floats:
        """The BM25 weight of each term that some relation has, for each relation; one row of zeros when there is none."""
        norm = K1 * (1 - B + B * self.lengths / max(self.lengths.mean(), 1e-9))
        rows = []
        for term in dict.fromkeys(asked):
            rarity = self.rarity.get(term)
            if rarity is None:
                continue
            pairs = zip(self.terms, self.values, strict=True)
            often = np.array([named[term] or VALUE * (term in held) for named, held in pairs])
            rows.append((PAIR if " " in term else 1.0) * rarity * often / (often + norm))
        return np.array(rows) if rows else np.zeros((1, len(self.names)))

    def by_phrase(self, phrases: Sequence[str], near: Sequence[int], encoder: Encoder) -> Floats:
        """For each phrase the share of each relation of `near` in it, by its nearest column; nothing for the others.

        A column is a unit vector halfway between its own name and its relation's.
        """
        given = [self.called[at] for at in near]
        at = _vectors_of(encoder, chain.from_iterable((name, *columns) for name, columns in given))
        pairs = [(name, text) for name, columns in given for text in columns or (name,)]
        rows = np.array([at[name] + at[text] for name, text in pairs], np.float32)
        rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
        starts = np.cumsum([0, *(max(1, len(columns)) for _, columns in given)])[:-1]
        asked = encoder.encode(phrases, side="query")
        nearest = np.maximum.reduceat(asked @ rows.T, starts, axis=1).astype(np.float64)
        share = np.exp((nearest - nearest.max(axis=1, keepdims=True)) / TEMPERATURE)
        made = np.zeros((len(phrases), len(self.names)))
        made[:, near] = share / share.sum(axis=1, keepdims=True)
        return made

    def prior(self, asked: frozenset[str]) -> Floats:
        """How much of each relation's name the question says; less for the variant of another that it does not ask for."""
        weight = self._weight
        share = [weight(terms & asked) / (weight(terms) or 1.0) for terms in self.name_terms]
        unasked = [any(not terms or not terms <= asked for terms in added) for added in self.added]
        return NAMED * np.array(share) - VARIANT * np.array(unasked, float)

    def _weight(self, terms: Iterable[str]) -> float:
        return sum(self.rarity.get(term, 0.0) for term in terms)

    def chosen(self, evidence: Floats, prior: Floats, k: int) -> list[tuple[int, float]]:
        """The relations taken one by one, each with what it adds."""
        found = np.maximum(_standardised(evidence.sum(axis=0)), 0)
        prior = prior + LINKED * _standardised((self.linked * found).max(axis=1))
        peak = evidence.max(axis=1) + 1e-9
        covered, left = np.zeros(len(evidence)), np.ones(len(self.names), bool)
        near, joined = np.zeros(len(self.names)), np.zeros(len(self.names))
        out: list[tuple[int, float]] = []
        for _ in range(min(k, len(self.names))):
            own = (evidence / (1 + COVERED * covered)[:, None]).sum(axis=0)
            worth = own + prior - ALIKE * near + JOINED * joined
            best = int(np.where(left, worth, -np.inf).argmax())
            left[best] = False
            out.append((best, float(worth[best])))
            covered += evidence[:, best] / peak
            near = np.maximum(near, self.alike[best])
            joined = np.maximum(joined, self.linked[best])
        return out


_kept: dict[int, tuple[Database, _Cards]] = {}
"""Cards by the identity of their database, which is kept with them so that no other can take its place."""


def _cards_of(database: Database) -> _Cards:
    held = _kept.get(id(database))
    if held is None:
        while len(_kept) > 7:
            _kept.pop(next(iter(_kept)))
        held = _kept[id(database)] = (database, _make_cards(database))
    return held[1]


@lru_cache(maxsize=2)
def _vectors(encoder: Encoder) -> dict[str, NDArray[np.float32]]:
    """The vectors of an encoder's texts so far."""
    return {}


def _vectors_of(encoder: Encoder, texts: Iterable[str]) -> dict[str, NDArray[np.float32]]:
    """The vectors of these texts and of others."""
    known = _vectors(encoder)
    if missing := [text for text in dict.fromkeys(texts) if text not in known]:
        known.update(zip(missing, encoder.encode(missing, side="document"), strict=True))
    return known


def _make_cards(database: Database) -> _Cards:
    given = database.relations
    terms, values = tuple(map(_terms_of, given)), tuple(map(_value_terms, given))
    every = ({*own, *held} for own, held in zip(terms, values, strict=True))
    found_in = Counter(chain.from_iterable(every)).items()
    named = tuple(frozenset(tokens(_split_name(relation.name))) for relation in given)
    names, alike = tuple(relation.name for relation in given), _column_overlap(given)
    return _Cards(
        names=names,
        terms=terms,
        lengths=np.array([counted.total() for counted in terms], float),
        values=values,
        rarity={term: math.log1p((len(given) - n + 0.5) / (n + 0.5)) for term, n in found_in},
        name_terms=named,
        added=tuple(_added_words(at, names, named, alike) for at in range(len(given))),
        linked=_join_strengths(given),
        alike=alike,
        called=tuple(
            (_readable_name(each), tuple(map(_readable_name, each.columns))) for each in given
        ),
    )


def _value_terms(relation: Relation) -> frozenset[str]:
    """The terms of the values that are known of a relation."""
    values = (value for column in relation.columns for value in column.values)
    return frozenset(chain.from_iterable(map(tokens, values)))


def _terms_of(relation: Relation) -> Counter[str]:
    """The counted terms of a relation's card, its names twice, and the pairs of neighbours within each name."""
    terms = tokens(_name_words(relation))
    every: tuple[Relation | Column, ...] = (relation, *relation.columns)
    for named in every:
        own = tokens(_name_words(named))
        terms += [
            *own,
            *_neighbour_pairs(own),
            *tokens(f"{' '.join(named.also)} {named.described}"),
        ]
    return Counter(terms)


def _name_words(named: Relation | Column) -> str:
    """A name as it is split, and the words of its readable form that it does not have."""
    own = _split_name(named.name).split()
    return " ".join((*own, *(word for word in named.readable.lower().split() if word not in own)))


def _readable_name(named: Relation | Column) -> str:
    return named.readable or _split_name(named.name)


def _split_name(name: str) -> str:
    """The words of a name in snake_case or camelCase, in lower case."""
    return " ".join(RUN.findall(CAMEL.sub(" ", name))).lower()


def _neighbour_pairs(terms: Sequence[str]) -> list[str]:
    """Neighbours as pairs in either order: "names of buildings" is "building name"."""
    return [" ".join(sorted(pair)) for pair in pairwise(terms) if pair[0] != pair[1]]


def _phrases(text: str) -> list[str]:
    """The stretches of a question between function words and signs."""
    parts = (" ".join(part.split()) for part in _APART.split(text))
    return list(dict.fromkeys(part for part in parts if len(part) > 2 and tokens(part)))


def _join_strengths(given: Sequence[Relation]) -> Floats:
    """How surely two relations join: 1 by a link or by a column named after the other, less by a key that many have."""
    at = {relation.name: row for row, relation in enumerate(given)}
    by_words = {
        tuple(tokens(_split_name(relation.name))): row for row, relation in enumerate(given)
    }
    made = _sharing_keys(given)
    for row, relation in enumerate(given):
        targets = [at.get(link.to) for link in relation.links]
        targets += [by_words.get(said) for said in _named_by_keys(relation.columns)]
        for target in targets:
            if target is not None:
                made[row, target] = made[target, row] = 1
    np.fill_diagonal(made, 0)
    return made


def _sharing_keys(given: Sequence[Relation]) -> Floats:
    """How surely two relations join by a key that both have: the less, the more relations have it."""
    holders: dict[str, list[int]] = {}
    for row, relation in enumerate(given):
        keys = (column.name for column in relation.columns if _KEY.search(column.name))
        for name in set(map(str.casefold, keys)):
            holders.setdefault(name, []).append(row)
    made = np.zeros((len(given), len(given)))
    for rows in holders.values():
        if len(rows) > 1:
            both = np.ix_(rows, rows)
            made[both] = np.maximum(made[both], 1 / math.log2(1 + len(rows)))
    return made


def _named_by_keys(columns: Iterable[Column]) -> Iterable[tuple[str, ...]]:
    """What the columns that end in a word for keys are named after."""
    for column in columns:
        if (found := _KEY.search(column.name)) and found.start():
            yield tuple(tokens(_split_name(column.name[: found.start()])))


def _column_overlap(given: Sequence[Relation]) -> Floats:
    """The share of column names that two relations have in common, of those of either (Jaccard)."""
    held = [frozenset(column.name.casefold() for column in relation.columns) for relation in given]
    made = np.zeros((len(held), len(held)))
    for row, mine in enumerate(held):
        made[row] = [len(mine & other) / max(1, len(mine | other)) for other in held]
    np.fill_diagonal(made, 0)
    return made


def _added_words(
    at: int, names: Sequence[str], named: Sequence[frozenset[str]], alike: Floats
) -> tuple[frozenset[str], ...]:
    """What the name of a relation adds to the names of those that it is a variant of."""
    own = named[at]
    return tuple(
        own - named[other]
        for other in np.flatnonzero(alike[at] >= SAME).tolist()
        if named[other] < own or named[other] == own and len(names[other]) < len(names[at])
    )


def _spread(rows: Floats) -> float:
    return float(rows.sum(axis=0).std()) or 1.0


def _standardised(values: Floats) -> Floats:
    return np.asarray((values - values.mean()) / (values.std() or 1.0))
