import json
from pathlib import Path

import pytest

from benchmarks.measuring import __main__ as measure
from benchmarks.measuring import document_sets as sets
from benchmarks.measuring import measured_system as system
from benchmarks.measuring import measurement as work
from pincite.errors import UsageError
from pincite.lab.scoring.evaluation import figure
from pincite.records.runfile import FoundPage


def test_chance_of_random_pages():
    at_1, at_5, at_10 = work.chance(20, [1, 2], "page ")
    assert at_1.value == pytest.approx((1 / 20 + 2 / 20) / 2)
    assert at_5.value == pytest.approx((5 / 20 + 1 - 15 * 14 / (20 * 19)) / 2)
    assert at_10.metric == "page Success@10"
    assert work.chance(5, [1], "")[2].value == 1


def test_a_row_of_the_figures():
    line = work.ReportedFigure(figure("right", [1.0, 1.0]), "all answers", '"1" to all 0.000')
    row = measure.csv_row("uda", line, "none", "make measure SET=uda", "abc1234", "2030-01-02")
    assert row == (
        ',"uda, all answers: right",1.000,"[1.000, 1.000]",2,none,"""1"" to all 0.000",'
        ",2030-01-02,abc1234,make measure SET=uda"
    )
    nothing = work.ReportedFigure(figure("right", []), "all answers", "")
    row = measure.csv_row("uda", nothing, "model", "make", "abc1234", "2030-01-02")
    assert row == ',"uda, all answers: right",-,,0,model,,,2030-01-02,abc1234,make'
    figures = Path(__file__).parents[2] / "benchmarks" / "results.csv"
    assert figures.read_text(encoding="utf-8").splitlines()[0] == measure.HEADER


def test_missing_data_and_unknown_sets_are_said(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PINCITE_DATA", str(tmp_path))
    assert measure.main(["uda"]) == 2
    assert "PINCITE_DATA" in capsys.readouterr().err
    assert measure.main(["nonsense"]) == 2
    assert "known: wattbot" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("row", "status"),
    [
        ({"category": "fail", "pdfium_open": "error", "chars_first10": 0}, ("unreadable",)),
        ({"category": "password", "pdfium_open": "error", "chars_first10": 0}, ("locked",)),
        ({"category": "structure", "pdfium_open": "ok", "chars_first10": 9}, ("ocr", "empty")),
        ({"category": "structure", "pdfium_open": "ok", "chars_first10": 10}, ("ok",)),
        ({"category": "structure", "pdfium_open": "error", "chars_first10": 10}, ("unreadable",)),
    ],
)
def test_expected_status(row, status, monkeypatch):
    monkeypatch.setattr(sets, "engine_name", lambda: "an engine")
    assert sets.expected_status(row) == status


def test_without_an_engine_pages_without_text_are_expected_to_be_named_so(monkeypatch):
    monkeypatch.setattr(sets, "engine_name", lambda: "")
    assert sets.expected_status(
        {"category": "structure", "pdfium_open": "ok", "chars_first10": 9}
    ) == ("no-text",)


def test_a_whole_measurement_of_a_tiny_set(tmp_path, monkeypatch):
    from reportlab.pdfgen.canvas import Canvas

    folder = tmp_path / "data" / "pdfqa_uda"
    (folder / "pdfs").mkdir(parents=True)
    canvas = Canvas(str(folder / "pdfs" / "acme.pdf"))
    for text in (
        "Nothing to see on this page.",
        "Revenue of the Acme group was 512 dollars in 2021.",
    ):
        canvas.drawString(72, 700, text)
        canvas.showPage()
    canvas.save()
    question = "What was the revenue of the Acme group in 2021?"
    gold = {"answer": "512", "answer_type": "number", "doc_ids": ["acme"], "evidence_pages": [2]}
    (folder / "questions.jsonl").write_text(
        json.dumps({"id": "x/page_2", "question": question, **gold})
    )
    monkeypatch.setenv("PINCITE_DATA", str(tmp_path / "data"))
    told = measure.measure("uda", folder=tmp_path / "work")
    again = measure.measure("uda", folder=tmp_path / "work")
    assert told == again
    kept = [
        json.loads(line) for line in (tmp_path / "work" / "results.jsonl").read_text().splitlines()
    ]
    assert len(kept) == 2 * len(told) and {
        "value",
        "low",
        "high",
        "n",
        "baseline",
        "command",
        "commit",
        "date",
    } <= set(kept[0])
    asked = (tmp_path / "work" / "uda" / "questions-own.jsonl").read_text()
    assert json.loads(asked) == {"id": "1", "question": question, "doc_ids": ["acme"]}
    assert any('page Success@1",1.000,' in row for row in told)


def test_a_torn_line_is_cut_off_and_asked_again(tmp_path):
    out = tmp_path / "run.jsonl"
    out.write_text('{"id": "1"}\n{"id": "2", "val')
    assert [row["id"] for row in system.finished(out)] == ["1"]
    assert out.read_text() == '{"id": "1"}\n'


def test_the_fingerprint_is_of_the_code():
    assert system.fingerprint() == system.fingerprint() and len(system.fingerprint()) == 10


def test_first_pages_are_the_baseline_of_own_documents():
    gold = {"doc_ids": ["a"], "evidence_pages": [4]}
    from pincite.lab.scoring.examples import example

    one = example(1, gold, "?")
    made = sets.pages_found(
        "own document", {"1": [FoundPage("a.pdf", 4)]}, [one], {"a": 9}, own=True
    )
    by_metric = {line.figure.metric: line for line in made}
    assert by_metric["page Success@1"].figure.value == 1
    assert by_metric["page Success@1"].baseline == "first pages 0.000"
    assert by_metric["page Success@5"].baseline == "first pages 1.000"


def test_a_set_of_which_nothing_can_be_read_is_no_measurement(tmp_path, capsys):
    (tmp_path / "pdfs").mkdir()
    (tmp_path / "pdfs" / "broken.pdf").write_bytes(b"no pdf")
    with pytest.raises(UsageError, match="no file"):
        system.index(tmp_path / "pdfs", tmp_path / "corpus")
    assert "broken.pdf" in capsys.readouterr().err
    assert system.statuses(tmp_path / "pdfs", tmp_path / "corpus") == {"broken.pdf": "unreadable"}
