import importlib.util
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "scripts"


@pytest.fixture
def fit_rank(monkeypatch):
    monkeypatch.syspath_prepend(str(FOLDER))
    spec = importlib.util.spec_from_file_location("fit_rank", FOLDER / "fit_rank.py")
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "fit_rank", module)  # where its dataclass looks itself up
    spec.loader.exec_module(module)
    yield module
    sys.modules.pop("fit_tableread", None)


def test_no_weights_have_seen_a_document_that_they_judge(fit_rank, monkeypatch):
    features = [{"first": 1.0, "score": 0.5}]
    rows = [
        fit_rank.Row("wattbot", documents, features, [True], True, [], [])
        for at in range(30)
        for documents in [(f"wattbot {at}",), (f"wattbot {at}", f"wattbot {(at * 7) % 30}")]
    ]
    rows.append(fit_rank.Row("wattbot", ("wattbot none",), [], [], False, [], []))
    learned = []

    def fit(some, names):
        learned.append({document for row in some for document in row.documents})
        return {"first": float(len(learned))}

    monkeypatch.setattr(fit_rank, "fit", fit)
    held = fit_rank.held_out(rows, ["first", "score"])
    assert len(held) == 60  # the question without a candidate has nothing to be sure of
    for row, weights, right in held:
        assert not learned[round(weights) - 1].intersection(row.documents) and right
    assert all(0.9 < chance < 1 for chance in fit_rank.chances(held))
