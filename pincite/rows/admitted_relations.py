"""The relations of databases that a filter admits: by the names of documents, or by the metadata of the files they are of."""

from __future__ import annotations

from collections.abc import Mapping

from pincite.corpus import Corpus
from pincite.types import Where

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
