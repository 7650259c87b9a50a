"""Tables of records among the pages that were read: each row is a thing, and several columns say in words what it is.

The readers of cells take a table for labels over numbers. A table of records is asked like one of a database instead, and
its answer is checked like one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from pincite.check.claims import verified
from pincite.check.inside_tables import grid_of
from pincite.document.labelled_cells import is_blank, is_number
from pincite.evidence.candidate import Passage
from pincite.evidence.database_sources import DatabaseSources
from pincite.evidence.drafted_answer import nearest, own
from pincite.ports import Encoder
from pincite.rows.row_answers import ask_tables, best
from pincite.types import Draft, Node, Query

TABLES = 3
"""Tables of records that are asked, those of the best pages first."""
WORDED = 2
"""Columns behind the first that hold words in a table of records; one of labels over numbers has none."""


def with_records(
    query: Query,
    passages: Sequence[Passage],
    quoted: Draft,
    sources: DatabaseSources,
    encoder: Encoder | None = None,
) -> Draft:
    """What the tables of records among some passages answer, where that is likelier than `quoted`; else `quoted`.

    They can be read again by `sources` from then on.
    """
    given = (
        (passage.node, passage.document)
        for passage in passages
        if not passage.apart and holds_records(passage.node)
    )
    told = best(ask_tables(query, islice(given, TABLES), sources, encoder))
    if told is None or not _may_answer(told.draft, quoted, query):
        return quoted
    nodes = {passage.node.id: passage.node for passage in passages}
    if verified(told.draft, nodes, sources=sources).value is None:
        return quoted
    possible = nearest((*own(quoted), *quoted.possible), told.draft.value)
    return replace(told.draft, read=quoted.read, possible=possible)


def _may_answer(draft: Draft, quoted: Draft, query: Query) -> bool:
    """Whether the draft of a table has a value that may be computed, and is the likelier one."""
    if draft.value is None or quoted.value is not None and draft.confidence <= quoted.confidence:
        return False
    return query.derived == "allow" or not any(claim.operation for claim in draft.claims)


def holds_records(node: Node) -> bool:
    """Whether a node is a table of records."""
    columns = list(zip(*grid_of(node)[1:], strict=True))[1:]
    return sum(map(_is_worded, columns)) >= WORDED


def _is_worded(cells: Sequence[str]) -> bool:
    """Whether most cells of a column that hold anything hold words."""
    held = [cell for cell in cells if not is_blank(cell)]
    return 2 * sum(not is_number(cell) for cell in held) > len(held) > 1
