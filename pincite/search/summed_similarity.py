"""The similarity of a question to objects that have several representations, each an index of its own: their weighted sum.

Equation (1) of EnrichIndex (Chen et al., 2025) for every object: each index scores all of its rows, so that no object counts 0
in one because others come before it there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.corpus import Corpus
from pincite.search.index.shelf import OpenShelf, Shelf, allowed, open_shelf
from pincite.search.shelf_search import as_asked
from pincite.stage import Stage
from pincite.types import Hit, Query, Ranking

Numbers = NDArray[np.float64]
AT_ONCE = 16
"""Questions whose scores are held at a time."""


@dataclass(frozen=True)
class SummedSimilarity(Stage[Query, Ranking]):
    """The `k` objects with the highest sum of `weights[r]` x similarity over their representations r, best first.

    `shelves[s][r]` is the index of representation r for similarity s (by words, by meaning); an object is a node. Of several
    rows in an index, the parts of a long text, the best counts; without any, its similarity there is 0. With several
    similarities the sum of each is brought to [0, 1] over all objects that the query's filters admit, and they are added up
    with `shares`. Equal sums stay in the order of the indexes; an object that no index finds anything in is no hit. A hit's
    parts are what each index that found it says: the view, the rank there and the similarity. `words` says what text of a
    query is searched for.
    """

    corpus: Corpus = field(repr=False, compare=False)
    shelves: tuple[tuple[Shelf, ...], ...]
    weights: tuple[float, ...]
    shares: tuple[float, ...] = (1.0,)
    k: int = 100
    words: Callable[[Query], str] = as_asked

    def run(self, given: Query) -> Ranking:
        """Rank for one query."""
        return self.run_many([given])[0]

    def run_many(self, given: Sequence[Query]) -> list[Ranking]:
        """Rank for many queries, whose texts are encoded together."""
        made: list[Ranking] = []
        for start in range(0, len(given), AT_ONCE):
            some = given[start : start + AT_ONCE]
            texts = [self.words(query) for query in some]
            scores = [opened.score_all(texts) for opened in self._objects.opened]
            for at, query in enumerate(some):
                made.append(self._ranked(query, [matrix[at] for matrix in scores]))
        return made

    @cached_property
    def _objects(self) -> _Objects:
        shelves = chain.from_iterable(self.shelves)
        return _objects([open_shelf(self.corpus, shelf) for shelf in shelves])

    def _ranked(self, query: Query, scores: Sequence[NDArray[np.float32]]) -> Ranking:
        """The ranking by the scores of every row of every index, in their order."""
        objects = self._objects
        admitted = objects.within(allowed(self.corpus, query.where, query.without))
        found = np.zeros(len(objects.ids), np.bool_)
        for places, similarity in zip(objects.places, scores, strict=True):
            found[places[similarity != 0]] = True
        total = self._total(scores, admitted)
        among = np.flatnonzero(admitted & found)
        best = among[np.argsort(-total[among], kind="stable")[: self.k]]
        indexes = zip(objects.opened, objects.places, scores, strict=True)
        parts = [_parts(*index, admitted, best) for index in indexes]
        hits = [
            Hit(objects.ids[place].decode(), float(total[place]), 0, tuple(filter(None, said)))
            for place, *said in zip(best.tolist(), *parts, strict=True)
        ]
        return Ranking(query, tuple(hits))

    def _total(
        self, scores: Sequence[NDArray[np.float32]], admitted: NDArray[np.bool_]
    ) -> Numbers:
        """The sum of every object."""
        total = np.zeros(len(admitted))
        remaining = iter(zip(self._objects.places, scores, strict=True))
        for share, several in zip(self.shares, self.shelves, strict=True):
            summed = np.zeros(len(admitted))
            indexes = islice(remaining, len(several))
            for weight, (places, similarity) in zip(self.weights, indexes, strict=True):
                best = np.full(len(admitted), -np.inf)
                np.maximum.at(best, places, similarity)
                summed += weight * np.where(np.isfinite(best), best, 0.0)
            total += share * (_unit(summed, admitted) if len(self.shelves) > 1 else summed)
        return total


@dataclass(frozen=True, slots=True, eq=False)
class _Objects:
    """The objects of several open indexes: their ids, and for each index the place among these of every row."""

    opened: Sequence[OpenShelf]
    ids: NDArray[np.bytes_]
    places: Sequence[NDArray[np.int64]]

    def within(self, versions: frozenset[str] | None) -> NDArray[np.bool_]:
        """Which objects are of these document versions; None: all."""
        admitted = np.full(len(self.ids), versions is None)
        if versions is not None:
            for opened, places in zip(self.opened, self.places, strict=True):
                admitted[places[opened.of(versions)]] = True
        return admitted


def _objects(opened: Sequence[OpenShelf]) -> _Objects:
    """Each object once, in the order in which the indexes first have it."""
    rows = np.concatenate([shelf.nodes for shelf in opened])
    _, first, inverse = np.unique(rows, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    ends = np.cumsum([len(shelf.nodes) for shelf in opened])[:-1]
    return _Objects(opened, rows[first[order]], np.split(place[inverse], ends))


def _unit(summed: Numbers, admitted: NDArray[np.bool_]) -> Numbers:
    """Sums brought to [0, 1] among those admitted; 1 for all when they are equal."""
    among = summed[admitted]
    low, high = (among.min(), among.max()) if len(among) else (0.0, 0.0)
    return (summed - low) / (high - low) if high > low else np.ones(len(summed))


def _parts(
    opened: OpenShelf,
    places: NDArray[np.int64],
    similarity: NDArray[np.float32],
    admitted: NDArray[np.bool_],
    best: NDArray[Any],
) -> list[tuple[str, int, float] | None]:
    """What one index says of each of the `best` objects; None where it did not find one."""
    rows = np.full(len(admitted), -1, np.int64)
    rising = np.argsort(similarity, kind="stable")
    rows[places[rising]] = rising  # of several rows of an object the best, which comes last
    among = np.sort(similarity[admitted[places] & (similarity != 0)])
    made: list[tuple[str, int, float] | None] = []
    for row in rows[best].tolist():
        score = float(similarity[row]) if row >= 0 else 0.0
        rank = len(among) - int(np.searchsorted(among, score, side="right")) + 1
        made.append((opened.views[row].decode(), rank, score) if score else None)
    return made
