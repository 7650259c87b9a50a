import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from pincite.search.index import lexical, term_counts
from pincite.search.index.lexical import Lexical
from pincite.search.index.row_scores import best
from pincite.search.index.term_counts import digests, hashed
from pincite.search.index.tokens import tokens
from pincite.types import Entry

TEXTS = [
    "Revenue grew by 12% in 2021, driven by packaging.",
    "Cash flow from operating activities was 402 million.",
    "Operating cash: flow of revenue, cash flow statement.",
    "The board met six times.",
    "",
]


def entries(texts):
    return [Entry(f"n{row}", "v", text) for row, text in enumerate(texts)]


def opened(tmp_path, texts, **settings):
    index = Lexical(**settings)
    index.build(entries(texts), tmp_path / "index")
    return index.open(tmp_path / "index")


def test_one_posting_by_hand(tmp_path):
    # "board" stands in 1 of 5 rows, once; its row has 4 of the mean 23 / 5 terms ("board met six time").
    assert [len(tokens(text)) for text in TEXTS] == [6, 6, 7, 4, 0]
    (hits,) = opened(tmp_path, TEXTS, k1=1.2, b=0.75).search(["board"], 3)
    idf = math.log(1 + (5 - 1 + 0.5) / (1 + 0.5))
    assert [hit.row for hit in hits] == [3]
    assert hits[0].score == pytest.approx(idf / (1 + 1.2 * (0.25 + 0.75 * 4 / (23 / 5))), rel=1e-6)


def test_agrees_with_bm25s(tmp_path):
    import bm25s

    reference = bm25s.BM25(k1=0.9, b=0.4, method="lucene")
    reference.index([tokens(text) for text in TEXTS], show_progress=False)
    searcher = opened(tmp_path, TEXTS, k1=0.9, b=0.4)
    for query in ["cash flow of operating activities", "revenue in 2021", "board cash cash"]:
        np.testing.assert_allclose(
            searcher.scores(query), reference.get_scores(tokens(query)), rtol=1e-5
        )


def test_orders_like_rank_bm25_where_their_idf_agrees(tmp_path):
    # Okapi's idf differs in scale, not for terms of equal rarity: with one term the order must be the same.
    reference = BM25Okapi([tokens(text) for text in TEXTS], k1=0.9, b=0.4)
    (hits,) = opened(tmp_path, TEXTS, k1=0.9, b=0.4).search(["operating"], 5)
    scores = reference.get_scores(tokens("operating"))
    assert [hit.row for hit in hits] == [
        row for row in np.argsort(-scores, kind="stable") if scores[row] != 0
    ]


def test_a_filter_holds_inside_the_search(tmp_path):
    searcher = opened(tmp_path, TEXTS)
    only = np.array([True, False, False, True, True])
    (hits,) = searcher.search(["revenue cash flow"], 1, only)
    assert [hit.row for hit in hits] == [0]


def test_bigrams_tell_order_apart(tmp_path):
    texts = ["flow cash here now", "cash flow here now"]
    (plain,) = opened(tmp_path, texts).search(["cash flow"], 2)
    assert plain[0].score == plain[1].score
    (pairs,) = opened(tmp_path / "pairs", texts, bigrams=True).search(["cash flow"], 2)
    assert pairs[0].row == 1
    assert pairs[0].score > pairs[1].score


def test_nothing_in_common_finds_nothing(tmp_path):
    searcher = opened(tmp_path, TEXTS)
    assert searcher.search(["", "xylophone", "the of"], 5) == [[], [], []]


def test_no_entries(tmp_path):
    assert opened(tmp_path, []).search(["cash"], 5) == [[]]


@given(st.lists(st.floats(0, 5), max_size=30), st.integers(0, 40), st.data())
def test_best_is_the_head_of_a_stable_sort(scores, k, data):
    only = np.array(
        data.draw(st.lists(st.booleans(), min_size=len(scores), max_size=len(scores))), dtype=bool
    )
    expected = [
        row
        for row in sorted(range(len(scores)), key=lambda row: -scores[row])
        if only[row] and scores[row]
    ]
    assert [hit.row for hit in best(np.array(scores), k, only)] == expected[:k]


RUN = st.text("ab1290.,-%Ü²σΣ", max_size=6)


@given(
    st.lists(st.tuples(RUN, st.sampled_from([" ", "\n", "\u00a0", "\t", "\u2003"])), max_size=8)
)
def test_no_term_reaches_across_blanks(runs):
    text = "".join(run + blank for run, blank in runs)
    assert digests(text, False, ("en",)).tolist() == hashed(tokens(text)).tolist()


def test_counting_in_blocks_changes_nothing(tmp_path, monkeypatch):
    texts = TEXTS * 3
    Lexical(bigrams=True).build(entries(texts), tmp_path / "whole")
    monkeypatch.setattr(term_counts, "BLOCK", 4)
    monkeypatch.setattr(lexical, "AT_ONCE", 5)
    Lexical(bigrams=True).build(entries(texts), tmp_path / "blocks")
    for path in (tmp_path / "whole").iterdir():
        assert path.read_bytes() == (tmp_path / "blocks" / path.name).read_bytes(), path.name
