import ir_measures
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.errors import UsageError
from pincite.lab.scoring import retrieval_metrics as metrics
from pincite.records.runfile import FoundPage

SHARED = ["Success@1", "Success@5", "R@5", "P@5", "RR", "RR@5", "AP", "AP@5", "nDCG", "nDCG@5"]


def test_by_hand():
    ranked, relevant = ["a", "b", "c", "d"], {"b": 1, "d": 2, "z": 1}
    assert metrics.score("Success@1", ranked, relevant) == 0
    assert metrics.score("Success@2", ranked, relevant) == 1
    assert metrics.score("R@4", ranked, relevant) == pytest.approx(2 / 3)
    assert metrics.score("P@4", ranked, relevant) == 0.5
    assert metrics.score("F1@4", ranked, relevant) == pytest.approx(4 / 7)
    assert metrics.score("RR", ranked, relevant) == 0.5
    assert metrics.score("AP", ranked, relevant) == pytest.approx((1 / 2 + 2 / 4) / 3)
    assert metrics.score("nDCG@2", ranked, relevant) == pytest.approx(
        0.63093 / (2 + 0.63093), rel=1e-4
    )


def test_nothing_relevant_does_not_apply():
    assert metrics.score("nDCG@10", ["a"], {"a": 0}) is None


@pytest.mark.parametrize("name", ["Success", "hit@5", "P@0", "nDCG@", ""])
def test_unknown_names_are_said(name):
    with pytest.raises(UsageError, match="no metric"):
        metrics.score(name, ["a"], {"a": 1})


rankings = st.permutations([f"d{n}" for n in range(12)]).flatmap(
    lambda order: st.integers(1, 12).map(lambda n: order[:n])
)
grades = st.dictionaries(
    st.sampled_from([f"d{n}" for n in range(15)]), st.integers(0, 3), min_size=1, max_size=10
)


@settings(max_examples=40)
@given(rankings, grades.filter(lambda judged: any(judged.values())))
def test_as_ir_measures_has_it(ranked, judged):
    run = [ir_measures.ScoredDoc("q", name, float(-at)) for at, name in enumerate(ranked)]
    qrels = [ir_measures.Qrel("q", name, grade) for name, grade in judged.items()]
    measures = [ir_measures.parse_measure(name) for name in SHARED]
    theirs = {
        str(each.measure): each.value for each in ir_measures.iter_calc(measures, qrels, run)
    }
    for name in SHARED:
        assert metrics.score(name, ranked, judged) == pytest.approx(theirs[name], abs=1e-6), name


@given(rankings, grades.filter(lambda judged: any(judged.values())))
def test_bounds_and_perfection(ranked, judged):
    best = sorted((name for name in judged if judged[name]), key=lambda name: -judged[name])
    for name in [*SHARED, "F1@5"]:
        assert 0 <= metrics.score(name, ranked, judged) <= 1 + 1e-9
    for name in ("Success@1", "R@12", "RR", "AP", "nDCG", f"P@{len(best)}", f"F1@{len(best)}"):
        assert metrics.score(name, best, judged) == pytest.approx(1)


def test_pages_and_documents_keep_their_first_place():
    found = [
        FoundPage("B.pdf", 2),
        FoundPage("a", 1),
        FoundPage("b", 2),
        FoundPage("b.PDF", 3),
        FoundPage("c", 0),
    ]
    assert metrics.pages(found) == [("b", 2), ("a", 1), ("b", 3)]
    assert metrics.documents(found) == ["b", "a", "c"]
