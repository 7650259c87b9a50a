"""The tables of the example reports against where they were drawn."""

import json

import pytest

from pincite.ingest.pdf.pdf_pages import raw_pages
from pincite.ingest.tables import find_tables


@pytest.fixture(scope="module")
def found(examples):
    """(file, page) -> its tables."""
    return {
        (file.name, page.number): find_tables(page)
        for file in sorted((examples / "files").iterdir())
        for page in raw_pages(file)
    }


def test_every_cell_stands_where_it_was_drawn(examples, found):
    cells = {
        (*at, cell.row, cell.column, cell.text): cell.box
        for at, some in found.items()
        for one in some
        for cell in one.cells
    }
    truth = json.loads((examples / "truth.json").read_text())
    for drawn in truth:
        box = cells[drawn["file"], drawn["page"], drawn["row"], drawn["column"], drawn["text"]]
        assert box == pytest.approx(drawn["box"], abs=3), drawn
    assert len(truth) == sum(bool(text) for *_, text in cells)


def test_what_captions_and_headers_declare(found):
    declared = [(one.scale, one.unit, one.unscaled) for some in found.values() for one in some]
    assert (
        1,
        "Wh",
        "",
    ) in declared  # "Energy per request (Wh)": "Model" over the labels names the rows, no unit
    assert (1000, "t CO2e", "") in declared
