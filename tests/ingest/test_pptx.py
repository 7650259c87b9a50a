import pytest
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from pincite.errors import SourceError
from tests.ingest.office import found, lost, read, tables, texts, whole


@pytest.fixture
def deck(tmp_path):
    made = Presentation()
    slide = made.slides.add_slide(made.slide_layouts[1])
    slide.shapes.title.text = "Harbour"
    slide.placeholders[1].text = "Two new cranes\nDepth of 14.5 m"
    slide.notes_slide.notes_text_frame.text = "The budget is EUR 38 million."
    slide = made.slides.add_slide(made.slide_layouts[5])
    slide.shapes.title.text = "Hidden"
    slide._element.set("show", "0")
    slide = made.slides.add_slide(made.slide_layouts[5])
    slide.shapes.title.text = "Traffic"
    table = slide.shapes.add_table(3, 3, Inches(1), Inches(2), Inches(6), Inches(2)).table
    for at, row in enumerate(
        [["Containers (thousand)", "Year", ""], ["", "2023", "2022"], ["Import", "120", "101"]]
    ):
        for column, text in enumerate(row):
            table.cell(at, column).text = text
    table.cell(0, 1).merge(table.cell(0, 2))
    table.cell(0, 0).merge(table.cell(1, 0))
    data = CategoryChartData()
    data.categories = ["Q1", "Q2"]
    data.add_series("Ships", (31, 42.5))
    slide.shapes.add_chart(
        XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(4), Inches(4), Inches(2), data
    )
    slide = made.slides.add_slide(made.slide_layouts[6])
    box = slide.shapes.add_textbox(Inches(1), Inches(3), Inches(3), Inches(1))
    box.text_frame.text = "Opening in May 2025"
    group = slide.shapes.add_group_shape()
    group.shapes.add_textbox(
        Inches(1), Inches(1), Inches(3), Inches(1)
    ).text_frame.text = "In a group"
    made.save(tmp_path / "a.pptx")
    return tmp_path / "a.pptx"


def test_a_slide_is_a_page_with_its_number(deck):
    document = read(deck)
    assert document.title == "Harbour"
    assert [
        (node.anchor.page, node.anchor.path) for node in document.nodes if node.kind == "page"
    ] == [
        (1, "slide 1 > Harbour"),
        (2, "slide 2"),
        (3, "slide 3 > Traffic"),
        (4, "slide 4"),
    ]


def test_bullets_notes_and_groups_are_read_from_top_to_bottom_and_hidden_slides_are_not(deck):
    document = read(deck)
    assert texts(document, "list") == ["• Two new cranes\n• Depth of 14.5 m"]
    assert [
        (node.text, node.anchor.path) for node in document.nodes if node.kind == "paragraph"
    ] == [
        ("The budget is EUR 38 million.", "slide 1, notes"),
        ("In a group", "slide 4"),
        ("Opening in May 2025", "slide 4"),
    ]
    assert "Hidden" not in whole(document)
    assert lost(document) == {"slide 2": "it is hidden and was not read"}


def test_tables_and_charts_are_tables(deck):
    table, chart = tables(read(deck))
    assert found(table, "Import", "Year 2022") == ("101", "slide 3 > Traffic")
    assert table.table.scale == 1000
    assert found(chart, "Q2", "Ships") == ("42.5", "slide 3 > Traffic")


def test_a_damaged_file_is_reported(deck, tmp_path):
    with pytest.raises(SourceError, match="damaged"):
        read(tmp_path / "b.pptx", deck.read_bytes()[:5000])
