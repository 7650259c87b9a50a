"""Follow-ups that narrow what a database answered: what was understood before stays as it was."""

import sqlite3

import pytest

from pincite.database.relations.value_index import build
from pincite.database.sources.connection import open_source
from pincite.rows.programs.narrowing import narrowed

ABOVE = "Which alloys have a yield strength above 90 MPa?"
ROWS = [
    (1, "Anker 10", "steel", 310.0, 0.12), (2, "Anker 20", "steel", 450.5, 0.35), (3, "Brisa 5", "aluminium", 95.0, None),
    (4, "Brisa 7", "aluminium", 160.0, 0.01), (5, "Cobre", "copper", 70.0, 0.0), (6, "Anker 30", "steel", 520.0, 0.6),
]  # fmt: skip


@pytest.fixture(scope="module")
def plant(tmp_path_factory):
    path = tmp_path_factory.mktemp("plant") / "plant.sqlite"
    with sqlite3.connect(path) as db:
        db.execute(
            "CREATE TABLE alloy (id INTEGER PRIMARY KEY, name TEXT, family TEXT, ys REAL, c REAL)"
        )
        db.executemany("INSERT INTO alloy VALUES (?, ?, ?, ?, ?)", ROWS)
    db.close()
    names = {
        "alloy": {
            "columns": {
                "ys": {"name": "yield strength", "unit": "MPa"},
                "c": {"name": "carbon", "unit": "%"},
            }
        }
    }
    with open_source(path, names=names) as source:
        yield source, build(source)


@pytest.mark.parametrize(
    ("asked", "rows"),
    [
        ((ABOVE,), ["Anker 10", "Anker 20", "Anker 30", "Brisa 5", "Brisa 7"]),
        ((ABOVE, "and below 0.4% carbon?"), ["Anker 10", "Anker 20", "Brisa 7"]),
        ((ABOVE, "and below 0.4% carbon?", "only the steel ones"), ["Anker 10", "Anker 20"]),
        ((ABOVE, "only the steel ones", "how many of them are there?"), [3]),
        ((ABOVE, "and above 400 MPa?"), ["Anker 20", "Anker 30"]),
        ((ABOVE, "and below 200 MPa?"), ["Brisa 5", "Brisa 7"]),
        (("What is the yield strength of Anker 20?", "and of Cobre?"), [70.0]),
        (("What is the yield strength of Anker 20?", "what about Cobre?", "and Brisa 5?"), [95.0]),
        (
            ("Which alloys are steel?", "and their carbon?"),
            [("Anker 10", 0.12), ("Anker 20", 0.35), ("Anker 30", 0.6)],
        ),
        (
            ("Which alloys are steel?", "which of them have a yield strength above 500 MPa?"),
            ["Anker 30"],
        ),
    ],
)
def test_a_follow_up_adds_replaces_counts_or_shows_more(plant, asked, rows):
    source, values = plant
    found = narrowed(asked, source, values)
    assert sorted(row[0] if len(row) == 1 else row for row in found.result.rows) == rows


@pytest.mark.parametrize(
    "text",
    [
        "What was the weather in Bergen?",
        "thanks",
        "who is the captain?",
        "and the number of the captain's daughters",
        "",
    ],
)
def test_what_stands_for_itself_or_is_not_understood_narrows_nothing(plant, text):
    source, values = plant
    assert narrowed((ABOVE, text), source, values) is None


def test_the_words_of_a_value_that_was_replaced_are_no_longer_told(plant):
    source, values = plant
    found = narrowed(("What is the yield strength of Anker 20?", "and of Cobre?"), source, values)
    told = [words for words, _ in found.mapping]
    assert "Cobre" in told and "Anker 20" not in told and "yield strength" in told
