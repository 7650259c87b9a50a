"""Footnote marks out of numbers and labels; exponents and digits stay."""

from __future__ import annotations

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from pincite.ingest.document_parser import parse
from pincite.ingest.layout.raised_marks import marks_of, raised, unmarked


@pytest.mark.parametrize(
    ("before", "text", "adds"),
    [
        ("emissions", "2", ""),
        ("Revenue", "(1)(2)", ""),
        ("1,234", "12", ""),
        ("in 2030", "1", ""),
        ("(t CO2e)", "1", ""),
        ("Services.”", "50", ""),
        ("10", "-3", "^-3"),
        ("x", "4", "^4"),
        ("2", "n", "^n"),
        ("(a + b)", "2", "^2"),
        ("kg s", "-1", "^-1"),
        ("9", "99", "99"),  # the cents of a price
        ("34", "th", "th"),
        ("A", "0", "0"),  # no note is numbered so
    ],
)
def test_what_is_raised_is_a_mark_or_an_exponent(before, text, adds):
    assert raised(before, text) == adds


def test_marks_one_by_one():
    assert marks_of("(1)(2)") == ("1", "2")
    assert marks_of("a, b") == ("a", "b")
    assert marks_of("**") == ("**",)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("1,234¹", ("1,234", "1")),
        ("5 m²", ("5 m²", "")),
        ("10⁶", ("10⁶", "")),
        ("Sales", ("Sales", "")),
    ],
)
def test_a_mark_that_is_a_character_of_its_own(text, parts):
    assert unmarked(text) == parts


ROWS = (
    ("Revenue", "^1", "1,234", ""),
    ("Costs a)", "", "800", ""),
    ("Water m", "^3", "77", "^(2)"),
    ("Staff", "", "45*", ""),
    ("Profit", "", "434(b)", ""),  # no such note
)
NOTES = ("(2) Drawn from wells.", "a) Without interest.", "* At year-end.", "1 Restated.")


def test_values_and_labels_are_read_without_their_marks_which_lead_to_the_notes(tmp_path):
    path = tmp_path / "marks.pdf"
    canvas = Canvas(str(path), pagesize=A4)
    y = 760.0
    canvas.drawRightString(300, y, "2023")
    for label, label_mark, value, mark in ROWS:
        y -= 16
        canvas.setFont("Helvetica", 10)
        for x, text, up in (
            (60, label, label_mark),
            (300 - canvas.stringWidth(value), value, mark),
        ):
            canvas.setFont("Helvetica", 10)
            canvas.drawString(x, y, text)
            canvas.setFont("Helvetica", 6)
            canvas.drawString(
                x + canvas.stringWidth(text, "Helvetica", 10) + 0.5, y + 4, up.lstrip("^")
            )
    for note in NOTES:
        y -= 20
        canvas.setFont("Helvetica", 8)
        canvas.drawString(60, y, note)
    canvas.save()
    document = parse(path, "marks.pdf", "ab" * 32)
    (node,) = (one for one in document.nodes if one.table is not None)
    texts = {cell.text: cell.marks for cell in node.table.cells}
    assert texts == {
        "2023": (), "Revenue": ("1",), "1,234": (), "Costs": ("a",), "800": (), "Water m³": (), "77": ("2",),
        "Staff": (), "45": ("*",), "Profit": (), "434(b)": (),
    }  # fmt: skip
    notes = {one.id: one.text for one in document.nodes}
    found = {mark: notes[where] for mark, where in node.meta["notes"].items()}
    assert set(found) == {"1", "a", "2", "*"}
    assert "Restated" in found["1"] and "wells" in found["2"]
