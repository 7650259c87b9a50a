"""What words mean in a database that no name or value of it is spelled like: by the vectors of a text encoder.

A single word is compared with names and values one by one. What a whole question asks for is compared with the columns at
once: "how many can I plug in there?" says no word of "charging points", and means it all the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from pincite.database.relations.model import Column, Relation
from pincite.ports import Encoder, Side
from pincite.rows.programs.pieces import Mention
from pincite.rows.programs.scheme import Scheme

NEAR = 0.55
"""The least likeness (cosine) of a word to a name or value that it may stand for."""
WORTH = 0.8
"""What a name found by meaning is worth beside one that is spelled out."""
LISTED = 16
"""Values of the longest column whose values are tried by meaning: kinds and states, not names."""


@dataclass(frozen=True)
class Meaning:
    """The names and values of a prepared database as vectors; encoded when first asked for."""

    scheme: Scheme
    encoder: Encoder

    def near(self, phrase: str) -> list[Mention]:
        """The columns, relations and listed values that a phrase may stand for, likest first: three at most."""
        mentions, vectors = self._names
        if not mentions:
            return []
        likeness = vectors @ self._asked(phrase)
        best = np.argsort(-likeness, kind="stable")[:3]
        return [
            Mention(found.relation, found.column, found.value, WORTH * float(likeness[at]))
            for at in best.tolist()
            if likeness[at] >= NEAR and (found := mentions[at])
        ]

    def asked(self, question: str) -> tuple[Mention, ...]:
        """Every relation, and every column that holds more than identifiers, by how like the whole question is to it."""
        mentions, vectors = self._columns
        if not mentions:
            return ()
        likeness = vectors @ self._asked(question)
        found = (
            Mention(m.relation, m.column, None, float(likeness[at]))
            for at, m in enumerate(mentions)
        )
        return tuple(sorted(found, key=lambda each: -each.score))

    def alike(self, question: str, said: Sequence[str]) -> list[float]:
        """How like each of some statements, said in words, is to a question (cosines)."""
        if not said:
            return []
        likeness: list[float] = (
            self.encoder.encode(said, side="document") @ self._asked(question)
        ).tolist()
        return likeness

    def _asked(self, text: str) -> NDArray[np.float32]:
        vector: NDArray[np.float32] = vectors_of(self.encoder, (text,), "query")[0]
        return vector

    @cached_property
    def _names(self) -> tuple[list[Mention], NDArray[np.float32]]:
        said: dict[Mention, str] = {}
        for relation in self.scheme.database.relations:
            said[Mention(relation.name)] = _called(relation)
            for column in relation.columns:
                said[Mention(relation.name, column.name)] = _called(column)
                if column.type == "text" and len(column.values) <= LISTED:
                    said |= {
                        Mention(relation.name, column.name, value): value
                        for value in column.values
                    }
        return list(said), self._encoded(list(said.values()))

    @cached_property
    def _columns(self) -> tuple[list[Mention], NDArray[np.float32]]:
        """The relations, and the columns with the mean of two vectors: of the name, and of the name behind the relation's."""
        relations = self.scheme.database.relations
        places = [(relation, column) for relation in relations for column in _telling(relation)]
        alone = self._encoded([_called(column) for _, column in places])
        behind = self._encoded(
            [f"{_called(relation)} {_called(column)}" for relation, column in places]
        )
        whole = self._encoded(list(map(_called, relations)))
        mentions = [Mention(r.name) for r in relations] + [
            Mention(r.name, column.name) for r, column in places
        ]
        return mentions, np.concatenate([whole, (alone + behind) * np.float32(0.5)])

    def _encoded(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return vectors_of(self.encoder, tuple(texts), "document")


@lru_cache(maxsize=256)
def vectors_of(encoder: Encoder, texts: tuple[str, ...], side: Side) -> NDArray[np.float32]:
    """The vectors of texts, read-only and kept: names of a database come with every question, a question with every table."""
    made = encoder.encode(texts, side=side) if texts else np.zeros((0, encoder.dims), np.float32)
    made.setflags(write=False)
    return made


def _telling(relation: Relation) -> list[Column]:
    """The columns that hold more than identifiers."""
    linked = set(chain.from_iterable(link.columns for link in relation.links))
    return [
        column
        for column in relation.columns
        if column.name not in linked and column.name not in relation.key
    ]


def _called(named: Column | Relation) -> str:
    return (named.readable or named.name.replace("_", " ")).lower()
