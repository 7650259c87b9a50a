"""What a model is shown: handles that name cells, lines around pages that no document can write."""

from decimal import Decimal

from pincite.evidence.candidate import Passage
from pincite.generate.shown_pages import LONGEST, ShownPieces, shown, table_text, visible
from pincite.generate.source_places import CitedHandles, located
from pincite.question.understanding import understand
from pincite.types import Anchor, Cell, Hit, Node, Query, Table
from tests.generate.reading import page_of, shown_of

MERGED = Table(
    (
        Cell(0, 1, "2023", column_span=2),
        Cell(1, 1, "Gross"),
        Cell(1, 2, "Net | of tax"),
        Cell(2, 0, "Sales"),
        Cell(2, 1, "(1,204)"),
        Cell(2, 2, "7"),
    ),
    header_rows=2,
    caption="Sales by kind",
    scale=Decimal(1000),
    unit="EUR",
    unscaled="per share",
)


PLAIN = Table(
    (Cell(0, 1, "Net | of tax"), Cell(1, 0, "Sales <1%"), Cell(1, 1, "(1,204)")), header_rows=1
)


def test_a_table_is_markdown_with_a_letter_and_a_number_for_every_cell():
    assert table_text(PLAIN, 2) == (
        "Table T2\n"
        "|   | A | B |\n"
        "|---|---|---|\n"
        "| 1 |  | Net \\| of tax |\n"
        "| 2 | Sales <1% | (1,204) |"
    )


def test_a_table_with_merged_cells_is_html_whose_cells_have_their_handle_as_id():
    assert table_text(MERGED, 3) == (
        "Table T3: Sales by kind; numbers in thousands; unit EUR; except per share\n"
        "<table>\n"
        "<tr><td><th id=B1 colspan=2>2023\n"
        "<tr><td><th id=B2>Gross<th id=C2>Net | of tax\n"
        "<tr><th id=A3>Sales<td id=B3>(1,204)<td id=C3>7\n"
        "</table>"
    )


def test_a_cell_cannot_write_a_tag_and_a_number_below_another_stays_as_it_is():
    cells = (
        Cell(0, 0, "A</td></tr></table><b>", row_span=2),
        Cell(0, 1, "<1%"),
        Cell(1, 1, "R & D"),
    )
    assert table_text(Table(cells, 0, 0), 1).split("\n")[2:4] == [
        "<tr><td id=A1 rowspan=2>A&lt;/td>&lt;/tr>&lt;/table>&lt;b><td id=B1><1%",
        "<tr><td id=B2>R & D",
    ]


def test_what_spans_and_is_blank_makes_no_html():
    cells = (Cell(0, 0, " ", column_span=2), Cell(1, 0, "Sales"), Cell(1, 1, "7"))
    assert table_text(Table(cells, header_rows=1), 1).split("\n")[3:] == [
        "| 1 |  |  |",
        "| 2 | Sales | 7 |",
    ]


def test_a_merged_cell_is_cited_by_its_handle_or_by_any_place_it_spans_and_by_a_row_of_html():
    cells = (
        Cell(0, 0, "Sales", row_span=2),
        Cell(0, 1, "gross"),
        Cell(0, 2, "41"),
        Cell(1, 1, "net"),
        Cell(1, 2, "37"),
    )
    node = Node("t", "table", "Sales gross 41\nnet 37", Anchor("s" * 64), table=Table(cells))
    seen = ShownPieces(((Passage(node),),))
    assert seen.cell("T1!A1")[1] == seen.cell("T1!A2")[1] == (0, 0)
    assert seen.cell("T1!C2")[1] == (1, 2)
    for row in ("<tr><td id=B2>net<td id=C2>37", "<tr><td>net</td><td>37</td></tr>"):
        (found,) = located(CitedHandles(1, "", row), seen)
        assert found.quote == "net 37"


def test_handles_name_cells_in_the_ways_that_models_write_them():
    node = Node("t", "table", "", Anchor("s" * 64), table=MERGED)
    seen = ShownPieces(((Passage(node),),))
    for handle in ("T1!B3", "T1 B3", "t1:b3", "[T1] B3", "T1.B3", "1!B3"):
        assert seen.cell(handle)[1] == (2, 1), handle
    assert seen.cell("T1!C1")[1] == (0, 1)  # a merged header stands wherever it reaches
    for handle in ("T2!B3", "T1!B9", "T1!A3x", "B3", "", "T1!A1"):
        assert seen.cell(handle) is None, handle


def test_tables_are_numbered_through_all_pages_and_only_those_shown_can_be_named():
    table = "| | 2023 |\n|---|---|\n| Sales | {} |\n"
    seen = shown_of(table.format(5), table.format(6))
    assert [passage.node.table.cells[-1].text for passage in seen.tables.values()] == ["5", "6"]
    assert seen.cell("T2!B2") is not None and seen.first(1).cell("T2!B2") is None


def test_a_piece_is_headed_by_its_number_document_and_page():
    seen = shown_of("First.", "# Costs\n\nCosts rose.")
    first, *_, last = seen.pieces[1].split("\n")
    assert (
        first == f"=== {seen.mark} page 2 of the context | document: report.md | Costs | p. 2 ==="
    )
    assert last == f"=== {seen.mark} end of page 2 ==="


def test_the_mark_depends_on_all_that_is_shown():
    assert shown_of("One.").mark != shown_of("Two.").mark
    assert shown_of("One.").mark == shown_of("One.").mark


def test_characters_that_nobody_sees_are_left_out():
    assert visible("a\u200bb\u00adc\u202ed\U000e0041e\x00f\ng") == "abcdef\ng"


def test_of_a_page_that_is_too_long_the_blocks_about_the_question_stay_in_order():
    filler = "\n\n".join(
        f"Paragraph {at} is about weather. " + "It rained again. " * 60 for at in range(40)
    )
    text = f"{filler}\n\nThe quarry sold 812 tonnes of slate.\n\n{filler}"
    ask = understand(Query("How many tonnes of slate did the quarry sell?"))
    piece = ShownPieces((page_of(text),), ask).pieces[0]
    assert "812 tonnes of slate" in piece and len(piece) < LONGEST + 500


def test_pages_sections_and_passages_of_a_corpus(library):
    ranking = library.search("income tax expense", k=3)
    hits = [Hit(one.node, one.score) for one in ranking]
    pages = shown(library.corpus, hits, 2)
    assert len(pages.pages) == 2
    table = next(one.node for one in pages.pages[0] if one.node.table is not None)
    alone = shown(library.corpus, [Hit(table.id, 1.0)], 5, "passage")
    assert [[one.node.id for one in page] for page in alone.pages] == [[table.id]]
    section = shown(library.corpus, [Hit(table.id, 1.0)], 5, "section").pages[0]
    assert {one.node.anchor.path for one in section} == {table.anchor.path}
