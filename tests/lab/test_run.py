import csv
import json
import math

import pytest

from pincite.errors import UsageError
from pincite.lab.scoring.evaluation import evaluate_run, figure
from pincite.records.runfile import document_name, number_of, read_lines, read_run, text_of
from pincite.workbench import submissions


@pytest.fixture
def put(tmp_path):
    def write(name, rows):
        path = tmp_path / name
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return path

    return write


def values(figures):
    return {each.metric: each.value for each in figures}


def test_values_are_read_tolerantly(put):
    run = read_run(
        put(
            "run.jsonl",
            [
                {
                    "id": 1,
                    "value": 5,
                    "citations": [
                        {"document": "A.pdf", "page": 2, "quote": "five", "box": [0, 0, 1, 1]}
                    ],
                },
                {"id": "2", "value": None},
                {"id": "3", "value": "7", "refused": True},
                {
                    "id": "4",
                    "value": [1, 2],
                    "confidence": 0.5,
                    "checks": [{"claim": "c", "how": "cell"}],
                    "extra": 1,
                },
            ],
        )
    )
    assert run["1"].pages == {("a", 2)} and not run["1"].refused
    assert run["2"].refused and run["3"].refused and run["3"].value is None
    assert run["4"].how == "cell" and run["4"].confidence == 0.5


def test_numbers_and_names():
    assert number_of("3.0") == number_of(3) == 3
    assert (
        number_of("3 kg") is number_of(True) is number_of(None) is number_of(float("nan")) is None
    )
    assert text_of([1.0, "b", None]) == "1 b "
    assert (
        document_name("pdfs/Report.v2.PDF") == "report.v2"
        and document_name("2301.0123v2") == "2301.0123v2"
    )


def test_a_broken_line_is_named(put):
    path = put("run.jsonl", [{"id": 1}])
    path.write_text(path.read_text() + "{oops\n")
    with pytest.raises(UsageError, match="line 2"):
        read_lines(path)


def test_typed(put):
    gold = [
        {
            "id": "1",
            "answer": "10",
            "answer_type": "integer",
            "doc_ids": ["a"],
            "evidence_pages": [3],
        },
        {
            "id": "2",
            "answer": "blue",
            "answer_type": "text",
            "doc_ids": ["a"],
            "evidence_pages": [4, 5],
        },
        {
            "id": "3",
            "answer": "",
            "answer_type": "unanswerable",
            "doc_ids": ["a"],
            "evidence_pages": [],
        },
        {"id": "4", "answer": "", "answer_type": "yes_no", "doc_ids": ["a"], "evidence_pages": []},
        {
            "id": "5",
            "answer": "8",
            "answer_type": "number",
            "doc_ids": ["a"],
            "evidence_pages": [9],
        },
    ]
    run = [
        {
            "id": "1",
            "value": 10,
            "citations": [{"document": "a.pdf", "page": 3}, {"document": "a.pdf", "page": 8}],
        },
        {"id": "2", "value": "red", "citations": [{"document": "a.pdf", "page": 5}]},
        {"id": "3", "value": None},
    ]
    got = values(evaluate_run(put("run.jsonl", run), put("gold.jsonl", gold), "typed"))
    assert got == {
        "right": pytest.approx(1 / 3), "refused": 1, "right of answered": 0.5,
        "page precision": pytest.approx(2 / 3), "page recall": pytest.approx(2 / 3),
    }  # fmt: skip
    assert values(
        evaluate_run(put("run.jsonl", run), put("gold.jsonl", gold), "pages")
    ).keys() == {
        "page precision",
        "page recall",
    }


def test_erc_from_a_run_and_from_a_submission_agree(put, tmp_path):
    gold = put(
        "gold.jsonl",
        [
            {
                "id": "1",
                "question": "How many?",
                "kind": "number",
                "gold": ["5"],
                "reference_pools": [["a:1"]],
            }
        ],
    )
    run = put(
        "run.jsonl", [{"id": "1", "value": 5, "citations": [{"document": "a.pdf", "page": 2}]}]
    )
    sent = tmp_path / "submission.json"
    sent.write_text(
        json.dumps(submissions.erc_submission([(read_run(run)["1"], "How many?", "number")]))
    )
    assert values(evaluate_run(run, gold, "erc")) == values(evaluate_run(sent, gold, "erc")) == {
        "points": 1.5, "answer": 1, "references": 1,
    }  # fmt: skip


def test_wattbot_from_a_run_and_from_a_submission_agree(put, tmp_path):
    gold = tmp_path / "gold.csv"
    with gold.open("w", newline="") as file:
        writer = csv.DictWriter(file, ["id", "question", "answer_value", "answer_unit", "ref_id"])
        writer.writeheader()
        writer.writerow(
            dict(id="q1", question="?", answer_value="[1,2]", answer_unit="W", ref_id="lee,kim")
        )
        writer.writerow(
            dict(
                id="q2", question="?", answer_value="is_blank", answer_unit="W", ref_id="is_blank"
            )
        )
    run = put(
        "run.jsonl",
        [
            {"id": "q1", "value": 1.5, "citations": [{"document": "lee"}]},
            {"id": "q2", "value": None},
        ],
    )
    rows = [
        submissions.wattbot_row(record, "?", "W", {}, key) for key, record in read_run(run).items()
    ]
    submissions.write_wattbot(tmp_path / "sent.csv", rows)
    for rules, cited in (("wattbot2025", 0.15 * 0.5), ("wattbot2026", 0.2 * 2 / 3)):
        got = values(evaluate_run(run, gold, rules))
        assert got == values(evaluate_run(tmp_path / "sent.csv", gold, rules))
        assert got["score"] == pytest.approx(
            (1 + 1 - (0.15 if rules == "wattbot2025" else 0.2) + cited) / 2
        )


def test_retrieval_over_pages_or_documents(put, tmp_path):
    hits = put(
        "hits.jsonl",
        [
            {"id": "1", "hits": [{"document": "a", "page": 9}, {"document": "a", "page": 3}]},
            {"id": "2", "hits": [{"document": "b", "page": 1}]},
        ],
    )
    paged = put(
        "gold.jsonl",
        [
            {"id": "1", "doc_ids": ["A.pdf"], "evidence_pages": [3]},
            {"id": "2", "doc_ids": ["b"], "evidence_pages": []},
        ],
    )
    got = values(evaluate_run(hits, paged, "retrieval"))
    assert (got["page Success@1"], got["page Success@5"], got["page RR"]) == (0, 1, 0.5)
    qrels = tmp_path / "qrels.tsv"
    qrels.write_text("query-id\tcorpus-id\tscore\n1\tz\t1\n2\tb\t1\n")
    assert values(evaluate_run(hits, qrels, "retrieval"))["document Success@1"] == 0.5


def test_order_of_lines_does_not_matter(put):
    gold = [{"id": str(n), "answer": str(n + 1), "answer_type": "number"} for n in range(6)]
    run = [{"id": str(n), "value": n + n % 2 + 1} for n in range(6)]
    one = values(evaluate_run(put("a.jsonl", run), put("g.jsonl", gold), "typed"))
    other = values(evaluate_run(put("b.jsonl", run[::-1]), put("h.jsonl", gold[::-1]), "typed"))
    assert one["right"] == other["right"] == 0.5


def test_what_cannot_be_scored_is_said(put):
    run, gold = (
        put("run.jsonl", [{"id": "a", "value": 1}]),
        put("gold.jsonl", [{"id": "b", "answer": "1"}]),
    )
    with pytest.raises(UsageError, match="share no question id"):
        evaluate_run(run, gold, "typed")
    with pytest.raises(UsageError, match="known: wattbot2025"):
        evaluate_run(run, gold, "nonsense")
    with pytest.raises(UsageError, match="no file"):
        evaluate_run(run.with_name("gone.jsonl"), gold, "typed")


def test_a_guess_stands_in_for_a_refusal_beside_what_is_shown(put):
    place = {"document": "a.pdf", "page": 2, "quote": "5"}
    near = [
        {"value": value, "unit": "", "confidence": sure, "citation": place}
        for value, sure in ((7, 0.09), (5, 0.1))
    ]
    run = put(
        "run.jsonl",
        [
            {"id": "1", "value": None, "possible": near},
            {"id": "2", "value": 5, "possible": near[:1]},
        ],
    )
    asked = {
        "question": "How many?",
        "kind": "number",
        "gold": ["5"],
        "reference_pools": [["a:1"]],
    }
    got = values(
        evaluate_run(run, put("erc.jsonl", [{"id": "1", **asked}, {"id": "2", **asked}]), "erc")
    )
    assert (got["answer"], got["answer with guesses"]) == (0.5, 1)
    assert got["references with guesses"] > got["references"]
    typed = [{"id": each, "answer": "5", "answer_type": "integer"} for each in "12"]
    got = values(evaluate_run(run, put("typed.jsonl", typed), "typed"))
    assert (got["right"], got["right with guesses"]) == (
        0.5,
        1,
    ) and "refused with guesses" not in got
    assert read_run(run)["1"].value is None and read_run(run)["1"].candidate is None


def test_figures():
    assert figure("x", [1, 0, 1, 0])[:3] == ("x", 0.5, 4)
    assert figure("x", [1, 1], [1, 3]).value == 0.5
    assert math.isnan(figure("x", []).value)
