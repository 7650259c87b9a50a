"""Tables that run over pages: what the next part is given, and what is another table."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from pincite.document.table_headers import column_header, row_header
from pincite.document.table_text import markdown
from pincite.evidence.candidate import Evidence
from pincite.evidence.drafted_answer import cited
from pincite.formats.encoding import table_from, table_to
from pincite.ingest.document_parser import parse
from pincite.ingest.raw_page import Block, Page
from pincite.ingest.tables.continuation import carried
from pincite.lab.testsets.gold_rows import row_anchor
from pincite.search.index.table_rows import Rows
from pincite.types import Cell, Table

HEAD = ("", "2023", "2022")


def table(rows, header_rows=1, top=600.0, page=1, shift=0.0, **more):
    """A table of three columns with a row every 15 points; a label that begins with a space is indented."""
    cells = []
    for row, texts in enumerate(rows):
        y = top + 15 * row
        for column, text in enumerate(texts):
            if text:
                x = 60 + 100 * column + (10 if text.startswith(" ") else 0) + shift
                cells.append(Cell(row, column, text.strip(), box=(x, y, x + 40, y + 10)))
    box = (60 + shift, top, 300 + shift, top + 15 * len(rows))
    return Table(tuple(cells), header_rows, page=page, box=box, **more)


def page(number, *blocks):
    made = tuple(
        Block("table", "t", (one.box,), (0,), table=one) if isinstance(one, Table) else one
        for one in blocks
    )
    return Page(number, 595.0, 842.0, made)


def said(text, kind="paragraph"):
    return Block(kind, text, ((60.0, 40.0, 300.0, 50.0),), (0,))


def joined(first, second, *between):
    _, after = carried([page(1, first), page(2, *between, replace(second, page=2))])
    (block,) = (one for one in after.blocks if one.table is not None)
    return block


FIRST = table(
    [HEAD, ("Assets", "", ""), (" Cash", "10", "20"), (" Stocks", "30", "40")],
    caption="In millions",
    scale=Decimal(10**6),
)
NEXT = table([(" Land", "50", "60"), ("Total", "90", "120")], 0, 60.0)


def test_a_part_without_a_header_gets_the_one_before_with_its_sections_and_scale():
    block = joined(FIRST, NEXT)
    assert block.continues
    assert markdown(block.table).split("\n") == [
        "|  | 2023 | 2022 |", "| --- | --- | --- |", "| Assets |  |  |", "| Land | 50 | 60 |", "| Total | 90 | 120 |",
    ]  # fmt: skip
    assert row_header(block.table, 2) == "Assets > Land"
    assert row_header(block.table, 3) == "Total"
    assert (block.table.scale, block.table.caption, block.table.page) == (10**6, "In millions", 2)
    assert [(cell.text, cell.page) for cell in block.table.cells if cell.page] == [
        ("2023", 1),
        ("2022", 1),
        ("Assets", 1),
    ]
    assert block.text == "t"  # the page says what stands on it and no more


def test_a_header_that_is_repeated_is_no_row():
    block = joined(FIRST, table([HEAD, (" Land", "50", "60")], 0, 60.0))
    assert block.table.header_rows == 1
    assert [row_header(block.table, row) for row in range(1, 3)] == ["Assets", "Assets > Land"]
    assert block.continues


def test_the_pages_of_a_spread_may_have_other_margins():
    assert joined(FIRST, table([("Land", "50", "60")], 0, 60.0, shift=30.0)).continues


def test_a_column_without_values_on_the_next_page_is_left_out():
    rows = [("Land", "50", ""), ("Sea", "60", "")]
    made = table([("Land", "", "50"), ("Sea", "", "60")], 0, 60.0)
    narrow = replace(
        made, cells=tuple(replace(cell, column=min(cell.column, 1)) for cell in made.cells)
    )
    assert column_header(joined(FIRST, narrow).table, 2) == "2022"
    assert column_header(joined(FIRST, table(rows, 0, 60.0)).table, 1) == "2023"


@pytest.mark.parametrize(
    ("second", "between"),
    [
        (table([("", "2021", "2020"), ("Land", "50", "60")], 1, 60.0), ()),  # a header of its own
        (table([("Land", "50", "60")], 0, 60.0, shift=0.0), (said("Income from land follows."),)),
        (table([("Land", "50", "60")], 0, 60.0), (said("Liabilities", "heading"),)),
    ],
)
def test_another_table_gets_nothing(second, between):
    block = joined(FIRST, second, *between)
    assert not block.continues and block.table == replace(second, page=2)


def test_a_table_that_ends_high_on_its_page_does_not_go_on():
    assert not joined(replace(FIRST, box=(60, 100, 300, 160)), NEXT).continues


def test_a_title_that_says_it_goes_on_may_stand_between():
    assert joined(FIRST, NEXT, said("Table 3 (continued)")).continues


def test_a_part_below_a_line_on_the_same_page_gets_the_header():
    eps = table([("Basic", "1.2", "1.1")], 0, 700.0, caption="Earnings per share:")
    (made,) = carried(
        [page(1, replace(FIRST, unscaled="per share"), said("Earnings per share:"), eps)]
    )
    assert column_header(made.blocks[2].table, 1) == "2023"
    assert made.blocks[2].table.scale == 1


def test_a_carried_table_is_stored_as_it_is():
    made = joined(FIRST, NEXT).table
    assert table_from(table_to(made)) == made


def test_values_and_headings_of_a_long_table_are_cited_at_their_own_pages(tmp_path):
    path = tmp_path / "long.pdf"
    canvas = Canvas(str(path), pagesize=A4)
    y = 780.0
    for row in range(80):
        if row == 0:
            for x, text in ((300, "2023"), (400, "2022")):
                canvas.drawRightString(x, 800, text)
        canvas.drawString(60, y, f"Ship {row}")
        for x, text in ((300, f"{row + 100}"), (400, f"{row + 500}")):
            canvas.drawRightString(x, y, text)
        y -= 14
        if y < 60:
            canvas.showPage()
            y = 780.0
    canvas.save()
    document = parse(path, "long.pdf", "ab" * 32)
    first, second = (node for node in document.nodes if node.table is not None)
    assert second.meta["continues"] == first.id
    (value,) = (cell for cell in second.table.cells if cell.text == "179")
    assert column_header(second.table, value.column) == "2023"
    at = ((value.row, value.column), (0, value.column))
    assert [page for page, _ in cited(Evidence(second, at, quote="179"), "1").anchor.spots] == [
        2,
        1,
    ]
    entries = [entry for entry in Rows()(document) if entry.node == second.id]
    assert "2023 is 152" in entries[0].text
    assert {page for page, _ in row_anchor(second, entries[0].at).spots} == {2}


def test_a_column_with_nothing_but_a_header_makes_another_table():
    after = table([("", "2023", "2024"), ("Land", "50", "")], 1, 60.0)
    assert not joined(FIRST, after).continues
