import json

import pytest

from benchmarks.measuring import data_sets
from pincite.errors import UsageError


def put(folder, name, rows):
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text("".join(json.dumps(row) + "\n" for row in rows))


GOLD = {
    "id": "set/acme/page_7-1", "question": "What  was\nrevenue?", "answer": "5", "answer_type": "number",
    "answer_num": 5.0,
    "unit": "USD", "scale": "million", "doc_ids": ["acme.pdf"], "evidence_pages": [7], "derivation": "2+3",
}  # fmt: skip


def test_a_question_carries_only_what_is_allowed(tmp_path):
    put(tmp_path / "pdfqa_uda", "questions.jsonl", [GOLD])
    (one,) = data_sets.load("uda", tmp_path)
    assert data_sets.question_row(one, own=False) == {"id": "1", "question": "What was revenue?"}
    assert data_sets.question_row(one, own=True) == {
        "id": "1",
        "question": "What was revenue?",
        "doc_ids": ["acme.pdf"],
    }
    assert (
        one.query.expects is None
        and one.query.unit == ""
        and one.query.where == (("document", ("acme.pdf",)),)
    )
    assert one.evidence == (("acme", 7),) and one.meta["gold"] == GOLD


def test_companies_and_documents_of_annual_reports_stay_unknown(tmp_path):
    row = {"id": "erc-1", "question": "Did Acme merge?", "kind": "boolean", "companies": ["Acme"], "doc_ids": ["f.pdf"],
           "gold": ["True"], "reference_pools": []}  # fmt: skip
    put(tmp_path / "erc", "questions.jsonl", [row])
    (one,) = data_sets.load("erc", tmp_path)
    assert data_sets.question_row(one, own=True) == {
        "id": "1",
        "question": "Did Acme merge?",
        "kind": "boolean",
    }


def test_the_wanted_unit_of_wattbot_is_known(tmp_path):
    folder = tmp_path / "wattbot"
    folder.mkdir()
    head = "id,question,answer_value,answer_unit,ref_id\n"
    (folder / "train_QA.csv").write_text(head + "q1,How much?,5,kWh,['lee']\n")
    (folder / "dev_QA.csv").write_text(head + "q1,Who?,Lee,is_blank,lee\n")
    first, second = data_sets.load("wattbot", tmp_path)
    assert data_sets.question_row(first, own=False) == {
        "id": "1",
        "question": "How much?",
        "answer_unit": "kWh",
    }
    assert data_sets.question_row(second, own=False) == {"id": "2", "question": "Who?"}


def test_every_loader_writes_only_allowed_fields(tmp_path):
    for name in ("mmlongbench", "financebench", "tatqa", "wtq"):
        put(
            tmp_path / data_sets.LOADERS[name][0],
            "questions.jsonl",
            [{**GOLD, "table_id": "t", "context_id": "c", "kind": "x"}],
        )
        (one,) = data_sets.load(name, tmp_path)
        assert set(data_sets.question_row(one, own=True)) <= {"id", "question", "doc_ids"}


def test_what_is_missing_is_said(tmp_path):
    with pytest.raises(UsageError, match="PINCITE_DATA"):
        data_sets.load("uda", tmp_path)
    with pytest.raises(UsageError, match="known: wattbot"):
        data_sets.load("nonsense", tmp_path)


NAMES = {
    "ACMESTEEL_2019_10K.pdf": "ACMESTEEL_2019_10K.pdf",
    "student_guide_2020.pdf": "student_guide_2020.pdf",
    "9f3a77c0d1e24b5a.pdf": "9f3a77c0d1e24b5a.pdf",
    "5G_2018_10K.pdf": "5G_2018_10K.pdf",
}


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("What was the margin of Acme Steel in 2019?", {"ACMESTEEL_2019_10K.pdf"}),
        ("What did AcmeSteel's board decide?", {"ACMESTEEL_2019_10K.pdf"}),
        ("In the student guide, who is in charge?", {"student_guide_2020.pdf"}),
        ("How many students are there in 2019?", set()),
        ("What does a student pay?", set()),
        ("Student fees are what?", set()),
        ("How much did 5G invest?", {"5G_2018_10K.pdf"}),
        ("What does the 10K say?", set()),  # in two names
    ],
)
def test_which_document_a_question_names(question, named):
    assert data_sets.names_document(question, NAMES) == named
