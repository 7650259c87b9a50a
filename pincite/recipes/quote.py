"""The reader without a model: candidates from tables, prose and arithmetic, one ranker; the best is quoted.

Nothing is generated. A value is a cell, a span or an operation that code runs over cited cells and spans.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from pincite.corpus import Corpus
from pincite.document.record_tables import holds_records
from pincite.evidence.candidate import Passage
from pincite.evidence.chunk_passages import chunks
from pincite.evidence.database_sources import sources_of
from pincite.evidence.drafted_answer import draft_of
from pincite.evidence.gathering import gather
from pincite.ports import Encoder, Model
from pincite.question.understanding import understand
from pincite.search.bilingual_pages import asked_in
from pincite.search.index.token_windows import TokenWindows
from pincite.stage import Stage
from pincite.types import Draft, Query, Ranking


@dataclass(frozen=True)
class Quote(Stage[Ranking, Draft]):
    """Read the `k` best pages and quote the best candidate, or say why there is none.

    By chunks, the blocks that the `k` best chunks (of `windows` where they are of a page) touch are read instead. Tables of
    records among them are asked as those of databases are (the `encoder` says which heading is meant), and quoted where likelier.
    """

    corpus: Corpus = field(repr=False, compare=False)
    k: int = 8
    by: Literal["page", "chunk"] = "page"
    windows: TokenWindows | None = None
    encoder: Encoder | None = field(default=None, repr=False, compare=False)
    model: Model | None = field(default=None, repr=False, compare=False)

    def run(self, given: Ranking) -> Draft:
        """Read the pages of one ranking."""
        passages = self._passages(given)
        quoted = read(given.query, passages)
        tables = record_tables(passages)
        if not tables:
            return quoted
        from pincite.rows.record_answers import with_records  # here, because it costs SQL

        models, sources = (self.encoder, self.model), sources_of(self.corpus)
        return with_records(given.query, tables, quoted, sources, *models)

    def _passages(self, given: Ranking) -> list[Passage]:
        """What is read: the blocks of the best pages, or those that the best chunks touch."""
        code = asked_in(given.query)
        if self.by == "page":
            return gather(self.corpus, given.hits, self.k, code)
        blocks: dict[str, Passage] = {}
        for chunk in chunks(self.corpus, self.windows, given.hits, self.k, code):
            for passage in chunk:
                blocks.setdefault(passage.node.id, passage)
        return list(blocks.values())


def record_tables(passages: Sequence[Passage]) -> list[Passage]:
    """The tables of records among some passages, but for those of other documents than the question names."""
    here = [passage for passage in passages if not passage.apart]
    return [each for each in here if each.node.table and holds_records(each.node.table)]


def read(query: Query, passages: Sequence[Passage]) -> Draft:
    """Answer a query from passages alone: the draft of the best candidate, with those of the next ones."""
    from pincite.lines.reading import best_of  # here, because a search needs no reader

    ask = understand(query)
    return draft_of(ask, best_of(ask, passages), passages)
