"""The relations of databases that a filter admits: by the names of documents, or by the metadata of the files they are of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pincite.corpus import Corpus
from pincite.types import Where

if TYPE_CHECKING:
    from pincite.database.relations.model import Relation
    from pincite.database.sources.connection import OpenDatabase
    from pincite.rows.programs.pieces import FoundValue, ValueIndex

Admitted = Mapping[str, frozenset[str]]
"""The databases that a filter admits by name, each with the names of the relations that it admits."""


def admitted(where: Where, corpus: Corpus) -> Admitted:
    """The relations that every field of a filter admits; a relation is also called by the database that it is of.

    Raises CorpusError for a field that no document has.
    """
    fields = tuple(pair for pair in where if pair[0] != "document")
    named = [set(map(str.casefold, values)) for name, values in where if name == "document"]
    found: dict[str, set[str]] = {}
    for document in corpus.select(fields):
        database, _, relation = document.id.partition("/")
        own = {document.id.casefold(), database.casefold()}
        if document.relation and all(own & names for names in named):
            found.setdefault(database, set()).add(relation)
    return {database: frozenset(relations) for database, relations in found.items()}


def within(
    source: OpenDatabase, values: ValueIndex, relations: frozenset[str]
) -> tuple[OpenDatabase, ValueIndex]:
    """A source and its value index with some of its relations alone."""
    held = source.database
    if all(relation.name in relations for relation in held.relations):
        return source, values
    kept = tuple(
        _linked_within(relation, relations)
        for relation in held.relations
        if relation.name in relations
    )
    return replace(source, database=replace(held, relations=kept)), _ValuesWithin(
        values, relations
    )


def _linked_within(relation: Relation, relations: frozenset[str]) -> Relation:
    """A relation with its links to some relations alone."""
    return replace(relation, links=tuple(link for link in relation.links if link.to in relations))


@dataclass(frozen=True, slots=True)
class _ValuesWithin:
    """A value index that knows the values of some relations alone."""

    values: ValueIndex
    relations: frozenset[str]

    def lookup(self, phrase: str) -> Sequence[FoundValue]:
        """The values that are `phrase`."""
        return self._kept(self.values.lookup(phrase))

    def near(self, phrase: str, k: int = 10) -> Sequence[FoundValue]:
        """The values nearest to `phrase`."""
        return self._kept(self.values.near(phrase, k))

    def _kept(self, found: Sequence[FoundValue]) -> Sequence[FoundValue]:
        return [each for each in found if each.relation in self.relations]
