"""A question about one given table, read without a language model: the likeliest answer, its program, and the chance of it.

Small tables bear more operations than a database does: the row after another, the first and the last, how long, how many more,
which of two. All readings are worked out on the cells; the program of each finds the same by a statement
(see `value_grid.source_of`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from pincite.database.relations.name_folding import fold, stems
from pincite.ports import Encoder
from pincite.rows.onetable.anchors import STOP, AnchoredQuestion, Index, Near, asked, ngrams
from pincite.rows.onetable.question_readings import readings
from pincite.rows.onetable.reading_weights import (
    Features,
    chances,
    confidence,
    features,
    likeliest,
    shipped,
    surety,
)
from pincite.rows.onetable.readings import TableReading
from pincite.rows.onetable.value_grid import ValueGrid, grid_of
from pincite.rows.programs.meaning import vectors_of
from pincite.rows.programs.program import explain

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SAME = 0.65
"""The least likeness (cosine) of words that mean about the same; what only goes together, as company and employees, has less."""
_ASKED_FOR = {
    "who": "name of a person",
    "whom": "name of a person",
    "when": "date",
    "where": "place",
}
"""What a question asks for that names no kind of thing."""


@dataclass(frozen=True, slots=True)
class Single:
    """A given table made ready for questions; with an encoder, the vectors of its headings and of the `terms` in them."""

    grid: ValueGrid
    index: Index = field(repr=False)
    encoder: Encoder | None = None
    vectors: NDArray[np.float32] | None = field(default=None, repr=False)
    terms: tuple[str, ...] = ()
    term_vectors: NDArray[np.float32] | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class TableAnswer:
    """An answer: its items as texts, the chance that it is right in [0, 1], and the reading that gives it; `said` in words."""

    items: tuple[str, ...]
    confidence: float
    reading: TableReading
    said: str


def ready(rows: Sequence[Sequence[str]], encoder: Encoder | None = None) -> Single:
    """Read a grid of texts, headings first."""
    grid = grid_of(rows)
    if encoder is None or not grid.headings:
        return Single(grid, ngrams(grid), encoder)
    vectors = encoder.encode([heading or " " for heading in grid.headings], side="document")
    terms = telling(fold(" ".join(grid.headings)).split())
    term_vectors = encoder.encode(terms, side="document") if terms else None
    return Single(grid, ngrams(grid), encoder, vectors, terms, term_vectors)


def telling(words: Iterable[str]) -> tuple[str, ...]:
    """The different words of some that mean something by themselves."""
    return tuple(
        dict.fromkeys(
            word for word in words if word.isalpha() and len(word) > 2 and word not in STOP
        )
    )


def tell(question: str, table: Single) -> list[TableAnswer]:
    """The answers to a question, the likeliest first; none when nothing can be read.

    The confidence of the first is the chance that it is right; that of another its share of what is left.
    """
    found, rows = weighed(question, table)
    chance = chances(shipped()["weights"], rows)
    ranked = likeliest([reading.answer for reading in found], chance)
    if not ranked:
        return []
    best, first = ranked[0]
    sure = confidence(surety(rows[best], chance[best], [each for _, each in ranked]))
    left = [(1 - sure) * each / max(1 - first, 1e-9) for _, each in ranked[1:]]
    return [
        TableAnswer(found[at].answer, value, found[at], explain(found[at].query))
        for (at, _), value in zip(ranked, [sure, *left], strict=True)
    ]


def weighed(question: str, table: Single) -> tuple[list[TableReading], list[Features]]:
    """Every reading of a question with its features."""
    read = understood(question, table)
    found = readings(read, table.grid)
    return found, [features(read, table.grid, reading) for reading in found]


def understood(question: str, table: Single) -> AnchoredQuestion:
    """A question read over a table; with vectors, how near each heading is to it and to what it asks for."""
    read = asked(question, table.grid, table.index, meant(question, table))
    if table.encoder is None or table.vectors is None:
        return read
    kind = next((_ASKED_FOR[word] for word in read.words if word in _ASKED_FOR), "")
    focus = " ".join(read.words[slice(*read.focus)]) or kind or question
    near = (table.encoder.encode([question, focus], side="query") @ table.vectors.T).tolist()
    return replace(read, like_question=tuple(near[0]), like_focus=tuple(near[1]))


def meant(question: str, table: Single) -> Near:
    """For the words of a question those of headings that mean about the same: "village" and Town, "constructed" and Built.

    A word that a heading itself says means nothing else.
    """
    words = telling(fold(question).split())
    if table.encoder is None or table.term_vectors is None or not words:
        return {}
    likeness = vectors_of(table.encoder, words, "query") @ table.term_vectors.T
    said = {stems(term) for term in table.terms}
    found: dict[str, set[str]] = {}
    for word, row in zip(words, likeness.tolist(), strict=True):
        if (stem := stems(word)) not in said:
            likes = zip(table.terms, row, strict=True)
            found.setdefault(stem, set()).update(
                stems(term) for term, like in likes if like >= SAME
            )
    return found
