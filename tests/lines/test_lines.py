"""Lines of passages: what they say, the values in them, and where each stands."""

from decimal import Decimal

import pytest

from pincite.document.times import when
from pincite.evidence.candidate import Passage
from pincite.lines.making import lines_of
from pincite.types import Anchor, Cell, Node, Table

ROWS = (
    ("", "2022", "2021"),
    ("Scope 1", "", ""),
    ("Denmark", "70.4", "68.0"),
    ("Norway", "(3.1)", "–"),
    ("Total", "67.3", "68.0"),
)
"""Emissions of two countries, in thousands of tonnes."""


def passage(text="", rows=(), caption=""):
    cells = tuple(Cell(r, c, cell) for r, row in enumerate(rows) for c, cell in enumerate(row))
    table = Table(cells, caption=caption, scale=Decimal(1000), unit="tCO2e") if rows else None
    node = Node(
        "n1", "table" if rows else "paragraph", text, Anchor("s", ((4, None),)), table=table
    )
    return Passage(node, heading="Report > Emissions", document="d", title="Nordhavn 2022")


@pytest.fixture
def emissions():
    return lines_of([passage(rows=ROWS, caption="Emissions")])


def test_a_row_is_a_line_with_its_labels(emissions):
    said = [line.text for line in emissions]
    assert said == [
        "Scope 1 > Denmark: 2022 = 70.4; 2021 = 68.0 (thousand tCO2e)",
        "Scope 1 > Norway: 2022 = (3.1); 2021 = – (thousand tCO2e)",
        "Scope 1 > Total: 2022 = 67.3; 2021 = 68.0 (thousand tCO2e)",
    ]


def test_values_of_a_row_have_sign_scale_unit_and_place(emissions):
    first, norway, _ = emissions
    assert [(each.value.amount, each.value.unit, each.cell) for each in first.values] == [
        (Decimal("70400"), "tCO2e", (2, 1)),
        (Decimal("68000"), "tCO2e", (2, 2)),
    ]
    assert norway.values[0].value.amount == Decimal("-3100")


def test_only_the_cells_of_the_times_asked_for_are_written(emissions):
    assert emissions[0].written(when("2021")) == "Scope 1 > Denmark: 2021 = 68.0 (thousand tCO2e)"
    assert emissions[0].written(when("2019")) == emissions[0].text


QUARTERS = (
    ("", "Three months ended 30 June 2022", "Six months ended 30 June 2023", "2023", "Q3"),
    ("Sales", "10", "20", "40", "11"),
)


@pytest.mark.parametrize(
    ("asked", "values"),
    [
        ("sales in 2023", ["40"]),  # the year, where parts of it stand beside it
        ("sales in the third quarter of 2023", ["11"]),  # and the quarter beside the year
        ("sales in the six months ended 30 June 2023", ["20"]),
        ("sales in all of 2023", ["40"]),
    ],
)
def test_a_part_of_a_year_is_not_the_year(asked, values):
    (sales,) = lines_of([passage(rows=QUARTERS)])
    assert [each.text for each in sales.of_times(when(asked))] == values


def test_a_sentence_is_a_line_with_its_numbers():
    text = "Sales rose to EUR 4.2 million in 2022. The board has five members."
    first, second = lines_of([passage(text)])
    assert (first.text, second.text) == (
        "Sales rose to EUR 4.2 million in 2022.",
        "The board has five members.",
    )
    assert text[first.values[0].start : first.values[0].end] == "EUR 4.2 million"
    assert first.values[0].value.amount == Decimal(4_200_000)


def test_the_evidence_of_a_value_is_its_cell_or_its_characters(emissions):
    (sentence,) = lines_of([passage("Sales rose to EUR 4.2 million in 2022.")])
    cell = emissions[0].evidence(emissions[0].values[1])
    assert (cell.cells, cell.quote) == (((2, 2),), "68.0")
    span = sentence.evidence(sentence.values[0])
    assert (span.start, span.end, span.quote) == (14, 29, "Sales rose to EUR 4.2 million in 2022.")


def test_the_evidence_of_a_whole_line_is_all_of_it(emissions):
    (sentence,) = lines_of([passage("Sales rose to EUR 4.2 million in 2022.")])
    assert emissions[0].evidence().cells == ((2, 0), (2, 1), (2, 2))
    assert sentence.evidence().quote == "Sales rose to EUR 4.2 million in 2022."
