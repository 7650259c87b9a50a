"""What the tables of records on the pages that were read answer.

The readers of cells take a table for labels over numbers. One of records (`document/record_tables.py`) is asked like a table
of a database instead, and its answer is checked like one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from pincite.evidence.candidate import Candidate, Passage
from pincite.evidence.database_sources import DatabaseSources
from pincite.evidence.drafted_answer import nearest, own
from pincite.lines.kind_fit import fits
from pincite.ports import Encoder, Model
from pincite.question.understanding import understand
from pincite.rows.row_answers import ask_tables, best
from pincite.types import Draft, Quantity, Query

TABLES = 3
"""Tables of records that are asked, those of the best pages first."""
LEAST = 0.6
"""The confidence from which such an answer is quoted. It says how often an answer is right whose table is known to be the one
that is meant; a page that was found may hold another.
"""


def with_records(
    query: Query,
    tables: Sequence[Passage],
    quoted: Draft,
    sources: DatabaseSources,
    encoder: Encoder | None = None,
    model: Model | None = None,
) -> Draft:
    """What tables of records answer, given as passages, where that is likelier than `quoted`, which is then its alternative; else
    `quoted`.

    They can be read again by `sources` from then on.
    """
    least = max(LEAST, quoted.confidence if quoted.value is not None else 0.0)
    given = ((passage.node, passage.document) for passage in tables)
    told = best(ask_tables(query, islice(given, TABLES), sources, encoder, model))
    if told is None or not _may_answer(told.draft, query, least):
        return quoted
    possible = nearest((*own(quoted), *quoted.possible), told.draft.value)
    alternatives = (replace(quoted, alternatives=()), *quoted.alternatives)
    return replace(told.draft, read=quoted.read, possible=possible, alternatives=alternatives)


def _may_answer(draft: Draft, query: Query, least: float) -> bool:
    """Whether the draft of a table has a value of the kind that is asked for, and the least confidence."""
    if draft.value is None or draft.confidence < least:
        return False
    ask, operation = understand(query), draft.claims[0].operation
    if operation and isinstance(draft.value, Quantity) and ask.expects in ("name", "names"):
        return False
    return fits(ask, Candidate(draft.value, (), operation=operation))
