"""The small documents and the questions over them: all are there, and answers stand in their documents."""

import pytest

from benchmarks.measuring import small_documents as small
from benchmarks.measuring.own_questions import QUESTIONS
from pincite.document.labelled_cells import labels
from pincite.ingest.document_parser import parse
from pincite.records.runfile import read_lines

ROWS = read_lines(QUESTIONS / "small.jsonl")


def cells(name, label):
    """The cells of the row of a document that begins with a label, as numbers where they are some."""
    rows = [row for block in small.described()[name] for row in block.rows]
    (found,) = (row for row in rows if row[0] == label)
    return [small.value(cell)[0] for cell in found]


def gold(words):
    """The accepted answers of the one question in which these words stand."""
    (row,) = (row for row in ROWS if words in row["question"])
    return row["file"], row["answer"]


def test_every_file_is_written(tmp_path):
    made = small.build(tmp_path)
    assert len(made) == 20 and all(path.stat().st_size > 300 for path in made.values())
    kinds = [path.suffix for path in made.values()]
    assert {kind: kinds.count(kind) for kind in (".pdf", ".docx", ".xlsx")} == {
        ".pdf": 8,
        ".docx": 5,
        ".xlsx": 4,
    }


def test_headers_of_times_over_others_are_read_from_the_page(tmp_path):
    path = small.build(tmp_path)["fennmoor-fourth-quarter-release.pdf"]
    document = parse(path, path.name, "s")
    (table,) = (node.table for node in document.nodes if node.table is not None)
    held = {cell.text: cell.heading for cell in labels(table).cells}
    assert held["31.8"] == "Three months ended 31 December 2024"
    assert held["108.7"] == "Twelve months ended 31 December 2024"


def test_every_table_has_rows_of_one_length():
    for name, blocks in small.described().items():
        for block in blocks:
            assert len({len(row) for row in block.rows}) <= 1, name


def test_a_pdf_is_the_same_when_it_is_written_again(tmp_path):
    first, second = small.build(tmp_path / "a"), small.build(tmp_path / "b")
    for name in first:
        if name.endswith(("pdf", "html", "md", "csv")):
            assert first[name].read_bytes() == second[name].read_bytes()


def test_every_question_has_its_file_and_an_id_of_its_own():
    assert (
        len(ROWS)
        == len({row["id"] for row in ROWS})
        == len({row["question"] for row in ROWS})
        == 60
    )
    assert {row["file"] for row in ROWS} == set(small.described())
    for row in ROWS:
        assert (row["answer"] is None) == (row["kind"] == "absent") == (not row["evidence"])
        assert all(each["file"] == row["file"] for each in row["evidence"])
        assert row["file"].rpartition(".")[0] not in row["question"]


@pytest.mark.parametrize(
    ("words", "label", "column"),
    [
        ("Counting the green power", "Scope 2 emissions, market-based", 3),
        ("result does Eskerholm budget", "Result", 1),
        ("second well", "Well 2", 2),
        ("before adjustments", "Diluted earnings per share (GAAP)", 4),
        ("third quarter", "White sugar", 3),
    ],
)
def test_a_value_stands_in_its_row(words, label, column):
    name, accepted = gold(words)
    assert cells(name, label)[column] == accepted[0]


def test_what_is_computed_follows_from_the_cells():
    name, accepted = gold("water withdrawal fall")
    first, *_, last = cells(name, "Water withdrawal")[2:]
    assert accepted == [first - last, last - first]
    name, accepted = gold("energy was electricity")
    _, electricity, *_, total = cells(name, "All sites")
    assert accepted[0] == pytest.approx(100 * electricity / total, abs=0.01)


def test_cells_of_a_sheet_keep_their_form():
    assert small.value("-5,850") == (-5850, "#,##0") and small.value("2024") == (2024, "0")
    assert small.value("3.25") == (3.25, "0.00") and small.value("Q1") == ("Q1", "General")


def test_a_cell_that_goes_on_to_its_right():
    assert small.spans(["", "Quarter", "<", "Year", "<"]) == [(1, 2), (3, 4)]
