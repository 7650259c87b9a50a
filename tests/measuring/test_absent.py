from benchmarks.measuring import absent_names as absent
from benchmarks.measuring.own_questions import QUESTIONS
from pincite.records.runfile import Record, read_lines


def test_figures_by_hand():
    rows = [
        {"id": "1", "absent": "Nokia"},
        {"id": "2", "absent": "2031"},
        {"id": "3", "absent": None},
        {"id": "4", "absent": None},
    ]
    reasons = {
        "1": "no document names 'Nokia'",
        "2": "",
        "3": "",
        "4": "no document names 'Addobe'",
    }
    records = {
        key: Record(key, value=value)
        for key, value in {"1": None, "2": 5, "3": 5, "4": None}.items()
    }
    made = {
        line.figure.metric: line.figure
        for line in absent.absent_lines("all", rows, reasons, records)
    }
    assert {name: (each.value, each.n) for name, each in made.items()} == {
        "absent, refused with that reason": (0.5, 2),
        "absent, shown as answers": (0.5, 2),
        "there, refused with that reason": (0.5, 2),
    }
    some = absent.absent_lines("there", rows[2:], reasons, records)
    assert [line.figure.metric for line in some] == ["there, refused with that reason"]


def test_the_questions_of_the_project():
    rows = read_lines(QUESTIONS / "absent.jsonl")
    assert len({row["id"] for row in rows}) == len({row["question"] for row in rows}) == len(rows)
    assert (
        sum(row["absent"] is not None for row in rows)
        >= 60
        <= sum(row["absent"] is None for row in rows)
    )
    assert {row["over"] for row in rows} == {"reports", "papers"}
