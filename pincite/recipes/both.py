"""Rows beside documents: one question asked of the databases of a corpus and of its documents, and settled between them."""

from __future__ import annotations

from dataclasses import dataclass, field

from pincite.answer.settle import settled
from pincite.answer.sources import sources_of
from pincite.corpus import Corpus
from pincite.stage import Stage
from pincite.types import Answer, Query


@dataclass(frozen=True)
class Both(Stage[Query, Answer]):
    """Ask `documents` and `rows`, and let `answer.settle` say which answers."""

    corpus: Corpus = field(repr=False, compare=False)
    documents: Stage[Query, Answer]
    rows: Stage[Query, Answer]

    def run(self, given: Query) -> Answer:
        """Answer one question."""
        return beside_rows(self.corpus, self.rows, given, self.documents(given))


def beside_rows(corpus: Corpus, rows: Stage[Query, Answer], query: Query, documents: Answer) -> Answer:
    """What the documents answered to a question, settled with what rows answer to it."""
    from pincite.sql.answer import unreachable

    return settled(rows(query), documents, corpus, unreachable(sources_of(corpus)))
