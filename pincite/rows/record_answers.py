"""What the tables of records on the pages that were read answer.

The readers of cells take a table for labels over numbers. One of records (`document/record_tables.py`) is asked like a table
of a database instead, and its answer is checked like one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from pincite.check.claims import verified
from pincite.evidence.candidate import Passage
from pincite.evidence.database_sources import DatabaseSources
from pincite.evidence.drafted_answer import nearest, own
from pincite.ports import Encoder
from pincite.rows.row_answers import SURE, ask_tables, best, unsaid_words
from pincite.types import Draft, Query

TABLES = 3
"""Tables of records that are asked, those of the best pages first."""


def with_records(
    query: Query,
    tables: Sequence[Passage],
    quoted: Draft,
    sources: DatabaseSources,
    encoder: Encoder | None = None,
) -> Draft:
    """What tables of records answer, given as passages, where that is likelier than `quoted`; else `quoted`.

    They can be read again by `sources` from then on.
    """
    least = max(SURE, quoted.confidence if quoted.value is not None else 0.0)
    given = (
        (passage.node, passage.document)
        for passage in tables
        # no answer is surer than the share of the question's words that its table holds
        if unsaid_words(query.text, passage.node)[1] >= least
    )
    told = best(ask_tables(query, islice(given, TABLES), sources, encoder))
    if told is None or not _may_answer(told.draft, quoted, query):
        return quoted
    nodes = {passage.node.id: passage.node for passage in tables}
    if verified(told.draft, nodes, sources=sources).value is None:
        return quoted
    possible = nearest((*own(quoted), *quoted.possible), told.draft.value)
    return replace(told.draft, read=quoted.read, possible=possible)


def _may_answer(draft: Draft, quoted: Draft, query: Query) -> bool:
    """Whether the draft of a table has a value that may be computed, and is the likelier one."""
    if draft.value is None or quoted.value is not None and draft.confidence <= quoted.confidence:
        return False
    return query.derived == "allow" or not any(claim.operation for claim in draft.claims)
