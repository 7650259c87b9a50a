"""No weights judge a question about whose documents they have learned."""

import importlib.util
import sys
from pathlib import Path

import pytest

from pincite.question.understanding import understand
from pincite.types import Query

FOLDER = Path(__file__).parents[2] / "scripts"


@pytest.fixture
def fitting(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    spec = importlib.util.spec_from_file_location("fit_reading", FOLDER / "fit_reading.py")
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "fit_reading", module)  # where its dataclass looks itself up
    spec.loader.exec_module(module)
    return module


def row(fitting, *documents, right=(True, False)):
    ask = understand(Query("How many mills are there?"))
    features = [{"near": float(good)} for good in right]
    found, none = [None] * len(right), {"none": 1.0}
    return fitting.Row(
        "wattbot", documents, ask, [], found, features, list(right), none, any(right)
    )


def test_each_question_is_judged_once_by_weights_of_other_documents(fitting):
    rows = [row(fitting, f"w {at}", f"w {(at * 7) % 30}") for at in range(30)]
    judged = []
    for own, others in fitting.apart(rows):
        judged += own
        theirs = {document for at in own for document in rows[at].documents}
        assert theirs.isdisjoint(document for at in others for document in rows[at].documents)
    assert sorted(judged) == list(range(30))


def test_what_is_right_weighs_more_and_none_more_where_nothing_is(fitting):
    rows = [row(fitting, f"w {at}") for at in range(20)]
    rows += [row(fitting, f"x {at}", right=(False, False)) for at in range(5)]
    weights = fitting.fit([fitting.whole(each) for each in rows], {"wattbot": 1.0})
    odds = [fitting.reading.weighed(each, weights) for each in rows[0].features]
    likely = fitting.reading.chances(odds, fitting.reading.weighed(rows[0].none, weights))
    assert likely[0] > 0.6 > likely[1]
    assert 0 < 1 - sum(likely) < 0.4
