"""How much of a corpus a question is put to: its own documents, all of them, or its own among a share of the others.

Shares are nested, so that runs over a quarter, a half and all of a corpus show what a larger index costs: the same questions
with the same documents to be found, among more and more others. The indexes are those of the whole corpus, filtered inside the
search: vectors compare as in an index of that share alone, while how rare a word is stays that of the whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from hashlib import blake2b
from math import ceil
from typing import Literal

from pincite.lab.scoring.examples import judgements
from pincite.records.runfile import document_name
from pincite.types import Example, Query, Where
from pincite.workbench.library import Library

Scope = Literal["own", "all"] | float
"""`own`, `all`, or the share of the documents that stay, between 0 and 1."""


def is_scope(value: object) -> bool:
    """Whether a value says how much of a corpus."""
    return value in ("own", "all") or isinstance(value, float) and 0 < value < 1


def within(example: Example, scope: Scope, documents: Sequence[str]) -> Where:
    """The filter that holds a question to its scope among all `documents`.

    A share keeps the question's own documents, those that it names or that are judged to answer it, and of all documents
    `scope` times their number, rounded up: always the same ones, drawn by the hash of their names.
    """
    if scope == "all":
        return ()
    if scope == "own":
        return example.query.where
    drawn = sorted(documents, key=lambda name: blake2b(name.encode(), digest_size=8).digest())
    named = [str(name) for _, names in example.query.where for name in names]
    judged = [name for name, grade in judgements(example.meta["gold"])[1].items() if grade > 0]
    own = {document_name(name) for name in named or judged}
    kept = {
        *drawn[: ceil(scope * len(drawn))],
        *(name for name in drawn if document_name(name) in own),
    }
    return (("document", tuple(sorted(kept))),)


def query_of(library: Library, example: Example, scope: Scope, documents: Sequence[str]) -> Query:
    """An example's question as it is put to a corpus of these documents in a scope."""
    given = example.query
    where = within(example, scope, documents)
    query = library.query(given.text, where, given.expects, given.unit, given.as_of)
    # whoever judged a collection judged all of its documents, also those that newer ones may replace
    return replace(query, without=()) if "qrels" in example.meta["gold"] else query
