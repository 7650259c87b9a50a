"""The pairs that scripts/judge makes of a table or a text: which are right, and how the others are wrong."""

import random
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parents[2] / "scripts" / "judge"
ROWS = [
    ["", "Years ended December 31,", ""],
    ["", "2019", "2018"],
    ["Transport:", "", ""],
    ["Sensors", "914", "918"],
    ["Total transport", "2,000", "2,100"],
    ["Industry:", "", ""],
    ["Sensors", "300", "290"],
    ["Energy", "699", "712"],
]
TEXT = "The fund was founded in 1981. It gave out 308 grants and 24 prizes in 1990. Nobody was paid in that year."


@pytest.fixture
def judge(monkeypatch):
    monkeypatch.syspath_prepend(str(SCRIPTS))
    import example
    import grid
    import pairs
    import prose
    import tables

    yield {"example": example, "grid": grid, "pairs": pairs, "prose": prose, "tables": tables}
    for name in ("example", "grid", "pairs", "prose", "tables", "sources", "templates"):
        sys.modules.pop(name, None)


def made(judge, question, row, column):
    table = judge["grid"].grid(ROWS, judge["grid"].header_rows(ROWS))
    right = judge["example"].Pair(
        question, table.place(row, column), 1, "number", "right", "g", "s"
    )
    return list(judge["tables"].table_pairs(table, right, row, column, random.Random(1)))


def test_labels_of_a_financial_table(judge):
    grid = judge["grid"]
    assert grid.header_rows(ROWS) == 2
    table = grid.grid(ROWS, 2)
    assert table.row_path(3) == ("Transport", "Sensors")
    assert table.row_path(6) == ("Industry", "Sensors")
    assert table.column_path(2) == ("Years ended December 31,", "2018")
    assert table.place(3, 1).neighbours == ("2018: 918", "Total transport: 2,000")
    assert table.find("$2,000") == [(4, 1)]


def test_how_cells_differ(judge):
    table = judge["grid"].grid(ROWS, 2)
    assert table.differs(3, 1, 3, 2) == "year"
    assert table.differs(3, 1, 6, 1) == "scope"
    assert table.differs(3, 1, 7, 1) == "row"


def test_a_question_put_to_another_year_is_wrong_here_and_right_there(judge):
    pairs = made(judge, "What were energy sales in 2019?", 7, 1)
    swapped = [pair for pair in pairs if pair.question == "What were energy sales in 2018?"]
    assert {(pair.place.value, pair.label, pair.differs) for pair in swapped} == {
        ("699", 0, "year"),
        ("712", 1, "right"),
    }


def test_the_neighbours_of_a_cell_are_wrong(judge):
    pairs = made(judge, "What were energy sales in 2019?", 7, 1)
    wrong = {
        (pair.place.value, pair.differs)
        for pair in pairs
        if pair.question.endswith("energy sales in 2019?") and not pair.label
    }
    assert ("712", "year") in wrong
    assert all(value != "699" for value, _ in wrong)


def test_rows_that_a_comparing_question_may_mean_are_not_called_wrong(judge):
    pairs = made(judge, "What was the highest figure in 2019?", 4, 1)
    assert {pair.differs for pair in pairs} == {"right", "year"}


def test_another_value_of_the_sentence_and_the_sentences_beside_are_wrong(judge):
    held = judge["prose"].holding(TEXT, TEXT.index("308"), TEXT.index("308") + 3)
    place = judge["pairs"].Place.__args__[1]("", *held)
    right = judge["example"].Pair(
        "How many grants were there in 1990?", place, 1, "number", "right", "g", "s"
    )
    beside = [line for line in judge["prose"].split(TEXT) if line != held[0]]
    pairs = list(judge["prose"].prose_pairs(right, "308", beside, [], random.Random(1)))
    by = {pair.differs: pair for pair in pairs}
    assert by["right"].place.sentence[by["right"].place.start : by["right"].place.end] == "308"
    assert by["value"].place.sentence[by["value"].place.start : by["value"].place.end] == "24"
    assert by["sentence"].label == by["year"].label == 0
    assert "1990" not in by["year"].question


def test_a_pair_that_is_called_both_is_neither(judge):
    right = made(judge, "What were energy sales in 2019?", 7, 1)[0]
    assert list(judge["pairs"].unique([right, right.wrong("other")])) == []
    assert list(judge["pairs"].unique([right, right])) == [right]


def test_pairs_are_read_as_they_were_written(judge, tmp_path):
    pairs = made(judge, "What were energy sales in 2019?", 7, 1)
    judge["example"].write(iter(pairs), tmp_path / "pairs.jsonl")
    assert list(judge["example"].read(tmp_path / "pairs.jsonl")) == pairs


@pytest.mark.parametrize("name", ["mmlongbench", "financebench", "climretrieve", "rgb", "fresh"])
def test_sets_that_only_measure_are_never_named(name):
    assert all(name not in path.read_text(encoding="utf-8") for path in SCRIPTS.glob("*.py"))
