"""Figures next to their captions, on pages made here."""

import time
from dataclasses import replace

from reportlab.pdfgen.canvas import Canvas

from pincite.ingest.document_parser import parse
from pincite.ingest.layout.figures import with_figures
from pincite.ingest.ocr.ocr_settings import OcrSettings
from pincite.ingest.raw_page import Block, RawPage

CAPTION = Block("caption", "Figure 3: Sales by region.", ((100.0, 420.0, 300.0, 432.0),), (0,))
TEXT = Block(
    "paragraph",
    "Sales rose in every region, and most of all in the north. " * 3,
    ((60.0, 80.0, 540.0, 140.0),),
    (0,),
)
CHART = ((100.0, 250.0, 200.0, 400.0), (205.0, 300.0, 320.0, 405.0))


def page(**more):
    return RawPage(1, 600, 800, **more)


def figures(made):
    return [(at, block.lines[0]) for at, block in enumerate(made) if block.kind == "figure"]


def test_what_is_drawn_over_a_caption_is_its_figure():
    made = with_figures(page(drawn=CHART), [TEXT, CAPTION])
    assert figures(made) == [(1, (100.0, 250.0, 320.0, 405.0))] and made[2] is CAPTION


def test_or_under_it_where_nothing_is_over_it():
    below = tuple((x0, top + 200, x1, bottom + 200) for x0, top, x1, bottom in CHART)
    assert figures(with_figures(page(drawn=below), [TEXT, CAPTION])) == [
        (1, (100.0, 450.0, 320.0, 605.0))
    ]
    assert figures(with_figures(page(drawn=CHART + below), [TEXT, CAPTION]))[0][1] == (
        100.0,
        250.0,
        320.0,
        405.0,
    )


def test_nothing_is_drawn_for_a_table_or_far_away_or_as_a_frame():
    table = replace(CAPTION, text="Table 3: Sales by region.")
    assert with_figures(page(drawn=CHART), [TEXT, table]) == [TEXT, table]
    assert not figures(with_figures(page(drawn=((100.0, 80.0, 320.0, 200.0),)), [TEXT, CAPTION]))
    assert not figures(with_figures(page(drawn=((5.0, 5.0, 595.0, 795.0),)), [TEXT, CAPTION]))


def test_a_picture_that_was_found_elsewhere_is_moved_to_its_caption_with_what_was_read_off_it():
    read = Block("ocr", "North 42", ((120.0, 260.0, 180.0, 270.0),), (0,))
    picture = Block("figure", "", ((100.0, 250.0, 320.0, 405.0),), (0,), inner=(read,))
    made = with_figures(page(pictures=((100.0, 250.0, 320.0, 405.0),)), [picture, TEXT, CAPTION])
    assert [block.kind for block in made] == ["paragraph", "figure", "caption"] and made[
        1
    ].inner == (read,)


def test_titles_and_drawings_that_go_on_belong_to_it_and_text_between_does_not():
    title = Block("paragraph", "By region", ((150.0, 236.0, 220.0, 246.0),), (0,))
    upper = (100.0, 170.0, 320.0, 230.0)
    assert figures(with_figures(page(drawn=(*CHART, upper)), [TEXT, title, CAPTION]))[0][1] == (
        100.0,
        170.0,
        320.0,
        405.0,
    )
    between = replace(TEXT, lines=((60.0, 234.0, 540.0, 246.0),))
    assert figures(with_figures(page(drawn=(*CHART, upper)), [between, CAPTION]))[0][1] == (
        100.0,
        250.0,
        320.0,
        405.0,
    )


def test_many_shapes_take_no_time():
    dots = tuple(
        (x / 50, y * 2.0, x / 50 + 1, y * 2.0 + 1)
        for y in range(60, 200)
        for x in range(5000, 15000, 50)
    )
    started = time.process_time()
    assert len(dots) == 28_000 and figures(with_figures(page(drawn=dots), [CAPTION]))
    assert time.process_time() - started < 2


def test_in_a_file_a_drawn_chart_is_a_node_with_its_caption_below_it(tmp_path):
    canvas = Canvas(str(tmp_path / "a.pdf"), pagesize=(600, 800))
    canvas.drawString(
        60,
        740,
        "Sales rose in every region, and most of all in the north of the country, as Figure 1 shows.",
    )
    for at in range(4):
        canvas.bezier(
            150 + 60 * at, 500, 170 + 60 * at, 640, 190 + 60 * at, 560, 200 + 60 * at, 620
        )
    canvas.drawString(150, 470, "Figure 1: Sales by region, in thousands of tonnes.")
    canvas.drawString(
        60,
        400,
        "The board expects no change in the coming year, since harbours are being rebuilt.",
    )
    canvas.save()
    nodes = parse(tmp_path / "a.pdf", "a.pdf", "a" * 64, ocr_settings=OcrSettings("off")).nodes
    (figure,) = (node for node in nodes if node.kind == "figure")
    (caption,) = (node for node in nodes if node.kind == "caption")
    assert caption.parent == figure.id and caption.text.startswith("Figure 1")
    x0, top, x1, bottom = figure.anchor.spots[0][1]
    assert 140 < x0 < 155 and 370 < x1 < 390 and 150 < top < 200 and 290 < bottom < 310
