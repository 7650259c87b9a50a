"""What a cell is of, in words to compare: those of its row and its column, and the times that it holds for."""

from __future__ import annotations

from pincite.document.cell_values import cell_times, label_terms
from pincite.document.labelled_cells import TIME_WORDS, Labelled
from pincite.document.times import When, when
from pincite.evidence.cited_place import CitedPlace
from pincite.text.lexicon import word_list
from pincite.text.words import stems
from pincite.types import Table

VAGUE = frozenset(stems(" ".join(word_list("evidence", "times"))))
"""What a question says of a time beside naming it; in a label it says nothing of the subject."""


def row_terms(cell: Labelled) -> frozenset[str]:
    """The words of a row: its label with the sections above it; a row without a label below labelled ones is a total."""
    return frozenset(label_terms(" ".join((*cell.sections, cell.label or "total")))) - VAGUE


def own_terms(cell: Labelled) -> frozenset[str]:
    """The words of a row's own label."""
    return frozenset(label_terms(cell.label or "total")) - VAGUE


def column_terms(cell: Labelled) -> frozenset[str]:
    """The words of a column's header, without its time."""
    return frozenset(label_terms(cell.heading) - TIME_WORDS)


def captioned(table: Table | None) -> tuple[When, ...]:
    """The one time that a table's caption names."""
    times = when(table.caption) if table else ()
    return times if len(times) == 1 and times[0].year else ()


def times_of(place: CitedPlace) -> tuple[When, ...]:
    """The times that a cell holds for: its own, or the one time of its table's caption; none for a quote."""
    return () if place.cell is None else cell_times(place.cell) or captioned(place.table)
