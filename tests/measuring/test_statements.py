"""What the measurement of statements counts, on a small database made here."""

import json
import sqlite3

import pytest

from benchmarks.measuring import measured_system as system
from benchmarks.measuring.placeholders import put, read_worded

TREES = [("Oak", 30, 1.5), ("Ash", 20, None), ("Red Elm", 35, 0.5), ("Oak", 12, 2.0)]


@pytest.fixture
def database(tmp_path):
    path = tmp_path / "trees.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE trees (name TEXT, height INTEGER, girth REAL)")
        connection.executemany("INSERT INTO trees VALUES (?, ?, ?)", TREES)
    return path


def test_placeholders_are_filled_from_the_database(database, tmp_path):
    path = tmp_path / "questions.jsonl"
    row = {
        "id": "1",
        "question": "How high is {name:3:lower}?",
        "gold": ["SELECT height FROM trees WHERE name = {name:3}"],
    }
    path.write_text(json.dumps(row))
    (filled,) = read_worded(path, database, "trees")
    assert filled["question"] == "How high is red elm?"
    assert filled["gold"] == [
        {
            "sql": "SELECT height FROM trees WHERE name = 'Red Elm'",
            "columns": ["height"],
            "rows": [(35,)],
        }
    ]


def test_forms_of_a_placeholder():
    values = {"name": ["Big Red Elm", "O'Hara"]}
    assert put("{name:1:last2} {name:1:joined}", values, quoted=False) == "Red Elm BigRedElm"
    assert put("name = {name:2}", values, quoted=True) == "name = 'O''Hara'"


def test_a_question_is_answered_from_rows_as_ask_answers_it(database, tmp_path):
    asked = [
        ("1", "trees", "What is the height of the Red Elm?"),
        ("2", "trees", "Which captain sailed to Bergen?"),
    ]
    made = system.statements(asked, database.parent, tmp_path / "work" / "statements")
    assert made["1"]["rows"] == [[35]] and not made["1"]["refused"]
    assert '"height"' in made["1"]["statement"]
    assert made["2"]["refused"] and made["2"]["rows"] == []
    assert system.statements(asked, database.parent, tmp_path / "work" / "statements") == made
