"""What all readers find for a question, in one order."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.evidence.candidate import Candidate, Passage
from pincite.evidence.glossed_passages import glossed, restored
from pincite.question.ask import Ask
from pincite.readers.kind_fit import fits
from pincite.readers.prose_answers import read_prose
from pincite.readers.ranking import ranked
from pincite.readers.table_answers import answers
from pincite.readers.unnamed_document import unnamed
from pincite.types import Quantity


def best_of(ask: Ask, passages: Sequence[Passage]) -> list[Candidate]:
    """The candidates of all readers in one order, best first, their scores calibrated likelihoods."""
    return ranked(ask, passages, readers(ask, passages))


def readers(
    ask: Ask, passages: Sequence[Passage]
) -> tuple[list[Candidate], list[Candidate], list[Candidate]]:
    """The candidates of the table reader (cells, arithmetic, completed sentences), and of prose its words and its numbers.

    Each best first. Values of another type than the caller or a yes/no question wants are left out, and so are computed
    ones where the query forbids them.
    """
    ask, shown = unnamed(ask, passages), glossed(passages)
    words, numbers = read_prose(ask, shown)
    cells, words, numbers = (
        restored(found, passages) for found in (answers(ask, shown), words, numbers)
    )

    def kept(found: Sequence[Candidate]) -> list[Candidate]:
        return [
            candidate
            for candidate in found
            if fits(ask, candidate) and not _is_of_others(candidate, passages)
        ]

    return (
        kept(cells),
        kept(words),
        [candidate for candidate in kept(numbers) if not _tabled(candidate)],
    )


def _is_of_others(candidate: Candidate, passages: Sequence[Passage]) -> bool:
    """Whether a candidate rests on other documents only than those that the question names."""
    others = {passage.document for passage in passages if passage.apart}
    return bool(others and candidate.evidence) and all(
        where.document in others for where in candidate.evidence
    )


def _tabled(candidate: Candidate) -> bool:
    """Whether a number in running text is a table's: only the table reader knows its scale and headers."""
    return isinstance(candidate.value, Quantity) and any(
        where.node.table is not None for where in candidate.evidence
    )
