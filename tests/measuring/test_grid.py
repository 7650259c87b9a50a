import pytest

from benchmarks.measuring import ordinary_grid as grid
from benchmarks.measuring.own_questions import QUESTIONS
from pincite.records.runfile import read_lines
from pincite.workbench.grid import fill
from pincite.workbench.library import Library, index


@pytest.fixture
def corpus(tmp_path):
    files = tmp_path / "files"
    files.mkdir()
    for firm, amount in (("Northwind", 512), ("Contoso", 734)):
        text = f"# {firm} annual report 2023\n\nRevenue of {firm} was {amount} million dollars in 2023.\n"
        (files / f"{firm}.md").write_text(text)
    told = tmp_path / "metadata.csv"
    told.write_text("id,company\nNorthwind,Northwind\nContoso,Contoso\n")
    index(files, tmp_path / "corpus", metadata=told)
    return tmp_path / "corpus"


def test_a_grid_is_asked_as_a_user_would_and_scored_by_its_cells(corpus):
    rows = [
        {"firm": firm, "column": column, "type": kind, "answer": [value], "unit": unit}
        for firm, revenue in (
            ("Northwind", 512),
            ("Contoso", 900),
        )  # the second is wrong on purpose
        for column, kind, value, unit in (
            ("Revenue", "number", revenue, "million USD"),
            ("Auditor", "name", "KPMG", None),
        )
    ]
    spec = grid.spec(rows)
    assert [row.name for row in spec.rows] == ["Northwind", "Contoso"]
    assert [column.name for column in spec.columns] == ["Revenue", "Auditor"]
    made = {
        (line.of, line.figure.metric): line.figure
        for line in grid.grid_lines(rows, fill(spec, Library(corpus)))
    }
    assert made["an ordinary grid", "cells shown"].n == 4
    assert made["an ordinary grid, Revenue", "right of the shown"].value == 0.5


def test_the_grid_is_five_firms_by_six_questions_of_seen_documents():
    rows = read_lines(QUESTIONS / "grid.jsonl")
    assert len(rows) == len({(row["firm"], row["column"]) for row in rows}) == 30
    assert len({row["firm"] for row in rows}) == len({row["file"] for row in rows}) == 5
