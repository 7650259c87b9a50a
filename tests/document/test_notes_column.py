"""The column that names the note which explains a row is none of its values."""

import pytest

from benchmarks.measuring.bare_table import table_of
from pincite.document.labelled_cells import labels


@pytest.mark.parametrize("heading", ["Note", "Notes", "Note no.", "(Note)", "Ref."])
@pytest.mark.parametrize("reference", ["4", "5, 6", "12(a)", "A3", "4 and 7"])
def test_what_stands_below_note_is_no_value(heading, reference):
    table = table_of(
        [
            ["", heading, "2023", "2022"],
            ["Revenue", reference, "412", "398"],
            ["Costs", "", "9", "8"],
        ],
        [],
    )
    assert [(cell.text, cell.heading) for cell in labels(table).row(1)] == [
        ("412", "2023"),
        ("398", "2022"),
    ]


def test_other_columns_and_texts_stay():
    table = table_of([["", "Notes payable", "Note"], ["Revenue", "4", "see the annex"]], [])
    assert [cell.text for cell in labels(table).row(1)] == ["4", "see the annex"]
