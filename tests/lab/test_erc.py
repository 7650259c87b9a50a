import json

import pytest

from pincite.errors import UsageError
from pincite.lab.scoring import enterprise_challenge as erc
from pincite.records.runfile import Cited, Record
from pincite.workbench import submissions


@pytest.mark.parametrize(
    ("value", "gold", "kind", "score"),
    [
        (None, "N/A", "number", 1), ("n/a", "N/A", "names", 1), (None, "5", "number", 0), (5, "N/A", "number", 0),
        (100.9, "100", "number", 1), (101, "100", "number", 0), ("30758000", "30758000.0", "number", 1),
        (-5, "-5", "number", 0), (0, "0", "number", 0),  # a gold of zero or less can never score
        ("1,000", "1000", "number", 0),
        (True, "True", "boolean", 1), ("true", "True", "boolean", 1), (False, "True", "boolean", 0),
        (" Ann Lee", "ann lee", "name", 1), ("Ann", "Ann Lee", "name", 0),
        (["COO", "cfo"], "CFO,CEO", "names", 1 / 3), ("CFO, CEO", "ceo,cfo", "names", 1), ("CFO", "CFO", "names", 1),
    ],
)  # fmt: skip
def test_answers(value, gold, kind, score):
    assert erc.answer_score(value, gold, kind) == pytest.approx(score)


@pytest.mark.parametrize(
    ("cited", "pools", "score"),
    [
        ([], [], 1), (["a:3"], [], 0.9), ([], [["a:1"]], 0.75), (["a:1"], [["a:1", "a:2"]], 1),
        (["A:2"], [["a:1", "a:2"]], 1),
        (["a:1", "b:9"], [["a:1"], ["b:2"]], 1 - 0.1 - 0.25), ([f"z:{n}" for n in range(12)], [["a:1"]], 0),
        (["a:1", "a:1"], [["a:1"]], 1),
    ],
)  # fmt: skip
def test_references(cited, pools, score):
    assert erc.reference_score(cited, pools) == pytest.approx(score)


def test_points_of_a_question():
    gold = {"kind": "number", "gold": ["N/A", "42"], "reference_pools": [["abc:6"]]}
    right = Record("1", value=42, citations=(Cited("ABC.pdf", 7),))  # page 7 is index 6
    assert erc.score(right, gold).points == 1.5
    assert (
        erc.score(Record("1", refused=True), gold).points == 1 + 0.75 / 2
    )  # the best alternative counts
    assert erc.score(None, gold).points == 0


def test_constants_on_invented_rows():
    golds = [
        {"kind": "number", "gold": ["N/A"], "reference_pools": []},
        {"kind": "boolean", "gold": ["True"], "reference_pools": [["a:1"]]},
        {"kind": "boolean", "gold": ["False"], "reference_pools": []},
    ]
    refusing = [Record("1"), Record("2"), Record("3")]
    assert (
        sum(erc.score(r, g).points for r, g in zip(refusing, golds, strict=True))
        == 1.5 + 0.375 + 0.5
    )
    agreeing = [Record("1"), Record("2", value=True), Record("3", value=True)]
    assert (
        sum(erc.score(r, g).points for r, g in zip(agreeing, golds, strict=True))
        == 1.5 + 1.375 + 0.5
    )


def test_a_submission_holds_typed_values_and_comes_back(tmp_path):
    cited = (Cited("abc.pdf", 7, "x"), Cited("abc.pdf", 7, "y"), Cited("abc.pdf", 1))
    made = submissions.erc_submission(
        [
            (Record("1", value="12.0", citations=cited), "How many?", "number"),
            (Record("2", value=["CEO"]), "Who changed?", "names"),
            (Record("3"), "And?", "boolean"),
            (Record("4", value="yes"), "Did it?", "boolean"),
        ]
    )
    assert [row["value"] for row in made["answers"]] == [12, ["CEO"], "N/A", True]
    assert made["answers"][0]["references"] == [
        {"pdf_sha1": "abc", "page_index": 6},
        {"pdf_sha1": "abc", "page_index": 0},
    ]
    assert set(made["answers"][0]) == {"question_text", "kind", "value", "references"}
    path = tmp_path / "submission.json"
    path.write_text(json.dumps(made))
    back = erc.read_submission(path)
    assert back["How many?"].pages == {("abc", 7), ("abc", 1)} and back["And?"].refused


def test_what_is_no_submission_is_said(tmp_path):
    path = tmp_path / "submission.json"
    path.write_text('{"answers": [{"value": 1}]}')
    with pytest.raises(UsageError, match="question_text"):
        erc.read_submission(path)
