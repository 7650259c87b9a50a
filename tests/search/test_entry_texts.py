"""Entries are reranked by what the index holds of them: a window, a row of a table."""

from dataclasses import dataclass, field

from pincite.corpus import Corpus
from pincite.search.index.document_views import Windows
from pincite.search.index.table_rows import Rows
from pincite.search.reranking import Rerank, entry_texts
from pincite.types import Hit, Query, Ranking


@dataclass(frozen=True)
class Rising:
    """Scores texts in rising order; keeps what it was shown."""

    shown: list = field(default_factory=list)

    def score(self, query, texts):
        self.shown.extend(texts)
        return [at / len(texts) for at in range(len(texts))]


def test_every_window_and_row_is_shown_as_it_was_indexed(example_corpus):
    corpus = Corpus(example_corpus)
    views = Windows(words=30, overlap=10), Rows()
    entries = [
        entry
        for one in corpus.documents
        for view in views
        for entry in view(corpus.document(one.version))
    ]
    hits = [Hit(entry.node, 1.0, entry.at) for entry in entries]
    assert len(hits) > 40 and entry_texts(corpus, views, hits) == [entry.text for entry in entries]
    assert entry_texts(corpus, views, [Hit("gone", 1.0)]) == [""]
    node = next(
        node for node in corpus.page(corpus.documents[0].version, 1) if node.kind == "paragraph"
    )
    assert entry_texts(corpus, views, [Hit(node.id, 1.0)]) == [node.text]


def test_entries_of_one_node_are_ranked_apart(example_corpus):
    corpus = Corpus(example_corpus)
    page = next(
        node for node in corpus.page(corpus.documents[0].version, 1) if node.kind == "page"
    )
    found = Ranking(Query("q"), tuple(Hit(page.id, 1.0 - at / 10, at) for at in range(3)))
    scorer = Rising()
    made = Rerank(scorer, corpus, 3, 1.0, show="entry", views=(Windows(words=10, overlap=0),))(
        found
    )
    assert [hit.at for hit in made.hits] == [2, 1, 0]
    assert scorer.shown == [
        " ".join(page.text.split()[start : start + 10]) for start in (0, 10, 20)
    ]


def test_scores_of_the_first_stage_may_be_taken_as_they_are(example_corpus):
    corpus = Corpus(example_corpus)
    page = next(
        node for node in corpus.page(corpus.documents[0].version, 1) if node.kind == "page"
    )
    found = Ranking(
        Query("q"), (Hit(page.id, 0.8, 0), Hit(page.id, 0.5, 1), Hit(page.id, -0.2, 2))
    )
    rerank = Rerank(
        Rising(), corpus, 3, 0.7, show="entry", views=(Windows(words=10, overlap=0),), minmax=False
    )
    # .3 x cosine + .7 x judged, judged 0, 1/3, 2/3; a negative cosine counts 0
    assert [(hit.at, round(hit.score, 6)) for hit in rerank(found).hits] == [
        (2, 0.466667),
        (1, 0.383333),
        (0, 0.24),
    ]
