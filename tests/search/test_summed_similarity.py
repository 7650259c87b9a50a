"""Equation (1) of EnrichIndex against brute force: every object by its similarity in every index."""

from itertools import cycle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.corpus import Corpus
from pincite.errors import UsageError
from pincite.formats.spell import spell
from pincite.indexing import index
from pincite.search.index.dense import Dense
from pincite.search.index.document_views import Pages
from pincite.search.index.ivfpq import IVFPQ
from pincite.search.index.lexical import Lexical
from pincite.search.index.shelf import Shelf
from pincite.search.index.told_texts import Store, Told
from pincite.search.shelf_search import Search
from pincite.search.summed_similarity import SummedSimilarity
from pincite.types import Query
from tests.stand_ins.fakes import HashEncoder

ENCODER = HashEncoder(dims=16)
VIEWS = ((Pages(),), (Told("purpose"),), (Told("summary"),))
LEXICAL = tuple(Shelf(Lexical(), views) for views in VIEWS)
DENSE = tuple(Shelf(Dense(ENCODER), views) for views in VIEWS)
WORDS = "gold tin ore iron".split()


def made(folder, files):
    """A corpus of texts: by file (page text, purpose, summary) of each page, "" where nothing was told."""
    (folder / "files").mkdir()
    for name, pages in files.items():
        (folder / "files" / f"{name}.txt").write_text("\f".join(text for text, *_ in pages))
    index([folder / "files"], folder / "corpus", LEXICAL[:1])
    corpus, store = Corpus(folder / "corpus"), Store(folder / "corpus")
    for document in corpus.documents:
        nodes = [node for node in corpus.document(document.version).nodes if node.kind == "page"]
        told = files[document.id.removesuffix(".txt")]
        for node, (_, *texts) in zip(nodes, told, strict=True):
            for kind, text in zip(("purpose", "summary"), texts, strict=True):
                store.put(node.id, document.version, kind, "m", "1", [text] if text else [])
    store.close()
    index([folder / "files"], folder / "corpus", (*LEXICAL, *DENSE))
    return Corpus(folder / "corpus")


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """130 pages in two files, some of which nothing was told of."""
    drawn = np.random.default_rng(7)
    pages = []
    for number in range(130):
        texts = [" ".join(drawn.choice(WORDS, drawn.integers(1, 6))) for _ in range(3)]
        pages.append(
            (f"page {number} {texts[0]}", *(text if number % 5 else "" for text in texts[1:]))
        )
    return made(tmp_path_factory.mktemp("sums"), {"a": pages[:70], "b": pages[70:]})


def similarities(corpus, shelf, query):
    """By node, as the index's own search gives them to all that it finds."""
    return {hit.node: hit.score for hit in Search(corpus, shelf, 10_000).run(query).hits}


def brute(corpus, several, weights, query):
    totals = {}
    for shelf, weight in zip(several, weights, strict=True):
        for node, score in similarities(corpus, shelf, query).items():
            totals[node] = totals.get(node, 0.0) + weight * score
    return totals


TEXTS = st.lists(st.sampled_from([*WORDS, "page", "7", "silver"]), min_size=1, max_size=5).map(
    " ".join
)
WEIGHTS = st.tuples(*[st.floats(0.1, 3)] * 3)
FILES = st.sampled_from([(), (("document", ("b",)),)])


@settings(max_examples=60, deadline=None)
@given(TEXTS, WEIGHTS, FILES, st.sampled_from([LEXICAL, DENSE]), st.integers(1, 120))
def test_every_object_has_its_true_sum(corpus, text, weights, where, several, k):
    query = Query(text, where)
    expected = brute(corpus, several, weights, query)
    hits = SummedSimilarity(corpus, (several,), weights, k=k).run(query).hits
    assert len(hits) == min(k, len(expected))
    assert [hit.score for hit in hits] == pytest.approx(
        sorted(expected.values(), reverse=True)[: len(hits)], abs=1e-5
    )
    assert all(hit.score == pytest.approx(expected[hit.node], abs=1e-5) for hit in hits)
    for hit in hits:  # the parts are what each index says
        said = {
            shelf.views[0]: similarities(corpus, shelf, query).get(hit.node) for shelf in several
        }
        assert [score for _, _, score in hit.parts] == pytest.approx(
            [score for score in said.values() if score is not None], abs=1e-5
        )


@settings(max_examples=30, deadline=None)
@given(TEXTS, WEIGHTS, FILES, st.floats(0, 1))
def test_two_similarities_are_brought_to_one_scale_over_all_objects(
    corpus, text, weights, where, dense
):
    query = Query(text, where)
    pages = [
        node.id
        for document in corpus.select(where)
        for node in corpus.document(document.version).nodes
        if node.kind == "page"
    ]
    expected, found = dict.fromkeys(pages, 0.0), set()
    for several, share in ((LEXICAL, 1 - dense), (DENSE, dense)):
        similar = brute(corpus, several, weights, query)
        totals = dict.fromkeys(pages, 0.0) | similar
        found |= similar.keys()
        low, high = min(totals.values()), max(totals.values())
        for page, total in totals.items():
            expected[page] += share * ((total - low) / (high - low) if high > low else 1.0)
    stage = SummedSimilarity(corpus, (LEXICAL, DENSE), weights, (1 - dense, dense), k=1000)
    hits = stage.run(query).hits
    assert {hit.node for hit in hits} == found
    assert all(hit.score == pytest.approx(expected[hit.node], abs=1e-4) for hit in hits)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_an_object_that_no_index_has_among_its_best_comes_first(tmp_path):
    """It is 111th in each of three indexes; each of those before it is in one index alone."""
    strong, weak, none = "gold gold gold", "gold tin ore", "tin ore iron"
    pages = [(weak, weak, weak)]
    for at, _ in zip(cycle(range(3)), range(330), strict=False):
        pages.append(tuple(strong if place == at else none for place in range(3)))
    corpus = made(tmp_path, {"a": pages[1:] + pages[:1]})
    hits = SummedSimilarity(corpus, (LEXICAL,), (1.0, 1.0, 1.0), k=5).run(Query("gold")).hits
    (place,) = corpus.places([hits[0].node]).values()
    assert place[1] == 331 and hits[0].score > hits[1].score
    assert [(view, rank) for view, rank, _ in hits[0].parts] == [
        ("pages", 111),
        ("purpose", 111),
        ("summary", 111),
    ]


def test_what_nothing_is_found_in_is_no_hit_and_many_are_ranked_as_one(corpus):
    stage = SummedSimilarity(corpus, (LEXICAL,), (1.0, 1.0, 1.0))
    queries = [Query("silver"), Query("gold ore"), Query("iron", (("document", ("a",)),))] * 7
    many = stage.run_many(queries)
    assert many == [stage.run(query) for query in queries] and many[0].hits == ()
    assert spell(stage).startswith(
        "SummedSimilarity(shelves=((Shelf(index=Lexical(), views=(Pages(),)),"
    )


def test_an_index_that_cannot_score_all_is_refused(corpus, tmp_path):
    with pytest.raises(UsageError, match="cannot score all"):
        shelf = Shelf(IVFPQ(ENCODER), (Pages(),))
        index([corpus.folder.parent / "files"], tmp_path / "other", (shelf,))
        SummedSimilarity(Corpus(tmp_path / "other"), ((shelf,),), (1.0,)).run(Query("gold"))
