"""DoclingDocument JSON read as docling-core writes it, and written so that docling-core reads it: nothing is lost either way."""

import json
import random
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.document.address import place_of
from pincite.errors import SourceError, UnsupportedSource
from pincite.ingest.docling.doclingfile import page_sizes, pages_of_docling
from pincite.ingest.docling.doclingout import to_docling
from pincite.ingest.document_parser import format_of, parse
from pincite.ingest.given_tables import table_block
from pincite.ingest.page_cuts import text_block
from pincite.ingest.raw_page import Block, Page
from pincite.ingest.tree import build
from pincite.types import Cell, Table
from tests.ingest.office import found, read, tables, texts
from tests.ingest.test_round_trip import FORMATS

doc = pytest.importorskip("docling_core.types.doc")
EXAMPLES = Path(__file__).parent.parent.parent / "examples" / "files"


def prov(page, box, span=(0, 0), origin="TOPLEFT"):
    made = doc.BoundingBox(
        **dict(zip("ltrb", box, strict=True)), coord_origin=getattr(doc.CoordOrigin, origin)
    )
    return doc.ProvenanceItem(page_no=page, bbox=made, charspan=span)


def cell(row, column, text, rows=1, columns=1, box=None, **marks):
    return doc.TableCell(
        text=text, row_span=rows, col_span=columns, start_row_offset_idx=row, end_row_offset_idx=row + rows,
        start_col_offset_idx=column, end_col_offset_idx=column + columns,
        bbox=box and doc.BoundingBox(**dict(zip("ltrb", box, strict=True))), **marks,
    )  # fmt: skip


def report():
    """A report of two pages with all that a parser can find on them."""
    made = doc.DoclingDocument(
        name="report",
        origin=doc.DocumentOrigin(
            mimetype="application/pdf", binary_hash=7, filename="report.pdf"
        ),
    )
    for number in (1, 2, 3):
        made.add_page(page_no=number, size=doc.Size(width=600, height=800))
    furniture = doc.ContentLayer.FURNITURE
    made.add_text(label=doc.DocItemLabel.PAGE_HEADER, text="Running head", content_layer=furniture)
    made.add_title("Annual report", prov=prov(1, (50, 760, 300, 740), origin="BOTTOMLEFT"))
    made.add_heading("Results", level=1, prov=prov(1, (50, 80, 200, 95)))
    split = "Revenue rose by a tenth to 1,250 this year and so did the profit that was made."
    item = made.add_text(
        label=doc.DocItemLabel.TEXT, text=split, prov=prov(1, (50, 700, 550, 715), (0, 43))
    )
    item.prov.append(prov(2, (50, 40, 550, 55), (43, len(split))))
    made.add_heading("By region", level=2, prov=prov(2, (50, 60, 200, 75)))
    caption = made.add_text(
        label=doc.DocItemLabel.CAPTION,
        text="Revenue in EUR million",
        prov=prov(2, (50, 80, 200, 90)),
    )
    data = doc.TableData(num_rows=4, num_cols=3, table_cells=[
        cell(0, 0, "Region", rows=2, column_header=True), cell(0, 1, "Year", columns=2, column_header=True),
        cell(1, 1, "2023", column_header=True), cell(1, 2, "2022", column_header=True),
        cell(2, 0, "North", row_header=True), cell(2, 1, "(4,521)", box=(210, 130, 260, 140)), cell(2, 2, "12.5%"),
        cell(3, 0, "South", row_header=True), cell(3, 1, "77"), cell(3, 2, ""),
    ])  # fmt: skip
    table = made.add_table(
        data, caption=caption, prov=prov(2, (50, 700, 400, 600), origin="BOTTOMLEFT")
    )
    note = made.add_text(label=doc.DocItemLabel.FOOTNOTE, text="South without the islands.")
    table.footnotes.append(note.get_ref())
    outer = made.add_list_group()
    made.add_list_item("first thing", parent=outer, marker="-", prov=prov(2, (50, 220, 300, 230)))
    second = made.add_list_item("second thing", parent=outer, marker="-")
    inner = made.add_list_group(parent=second)
    made.add_list_item("part of it", enumerated=True, marker="a)", parent=inner)
    pair = made.add_inline_group()
    made.add_text(label=doc.DocItemLabel.TEXT, text="Growth was", parent=pair)
    made.add_text(label=doc.DocItemLabel.TEXT, text="strong", parent=pair)
    shown = made.add_text(
        label=doc.DocItemLabel.CAPTION,
        text="Figure 1: Sales by year",
        prov=prov(3, (50, 300, 300, 310)),
    )
    picture = made.add_picture(caption=shown, prov=prov(3, (50, 100, 300, 290)))
    picture.meta = doc.PictureMeta(description={"text": "A bar chart that rises."})
    made.add_text(
        label=doc.DocItemLabel.TEXT,
        text="Sales 99",
        parent=picture,
        prov=prov(3, (60, 110, 90, 120)),
    )
    made.add_formula(text="E = mc^2", prov=prov(3, (50, 400, 100, 410)))
    made.add_text(label=doc.DocItemLabel.CHECKBOX_SELECTED, text="audited")
    graph = doc.GraphData(
        cells=[
            doc.GraphCell(label="key", cell_id=1, text="Auditor", orig="Auditor"),
            doc.GraphCell(label="value", cell_id=2, text="Berg & Co", orig="Berg & Co"),
        ],
        links=[doc.GraphLink(label="to_value", source_cell_id=1, target_cell_id=2)],
    )
    made.add_key_values(graph=graph)
    return made


def opened(made, folder, name="report.docling.json"):
    made.save_as_json(folder / name)
    return parse(folder / name, name, "ab" * 32)


def by_text(document, text):
    return next(node for node in document.nodes if node.text == text)


def test_what_docling_wrote_is_read_in_order_with_its_places(tmp_path):
    read_back = opened(report(), tmp_path)
    assert read_back.title == "Annual report"
    flow = [
        (one.kind, one.text)
        for one in read_back.nodes
        if one.kind not in ("page", "sentence", "document", "section")
    ]
    table = tables(read_back)[0]
    assert flow == [
        ("heading", "Annual report"),
        ("heading", "Results"),
        (
            "paragraph",
            "Revenue rose by a tenth to 1,250 this year and so did the profit that was made.",
        ),
        ("heading", "By region"),
        ("table", "Region | Year\n2023 | 2022\nNorth | (4,521) | 12.5%\nSouth | 77"),
        ("caption", "Revenue in EUR million"),
        ("footnote", "South without the islands."),
        ("list", "- first thing\n- second thing\na) part of it"),
        ("paragraph", "Growth was strong"),
        ("figure", "A bar chart that rises."),
        ("ocr", "Sales 99"),
        ("caption", "Figure 1: Sales by year"),
        ("equation", "E = mc^2"),
        ("paragraph", "[x] audited"),
        ("paragraph", "Auditor: Berg & Co"),
    ]
    assert "Running head" not in " ".join(texts(read_back, "page"))
    title = by_text(read_back, "Annual report")
    assert by_text(read_back, "By region").anchor.path == "Annual report > Results > By region"
    assert next(one for one in read_back.nodes if one.kind == "heading").anchor.spots == (
        (1, (50, 40, 300, 60)),
    )
    split = next(one for one in read_back.nodes if one.kind == "paragraph")
    assert split.anchor.spots == ((1, (50, 700, 550, 715)), (2, (50, 40, 550, 55)))
    assert split.meta["starts"] == (0, 43) and title.anchor.page in (0, 1)
    assert table.anchor.spots == ((2, (50, 100, 400, 200)),)
    assert (table.table.header_rows, table.table.header_columns) == (2, 1)
    assert (table.table.unit, int(table.table.scale), table.table.page) == ("EUR", 1_000_000, 2)
    assert found(table, "North", "Year 2023") == ("(4,521)", "page 2")
    assert {one.text: (one.row_span, one.column_span) for one in table.table.cells}["Region"] == (
        2,
        1,
    )
    assert next(one.box for one in table.table.cells if one.text == "(4,521)") == (
        210,
        130,
        260,
        140,
    )
    figure = next(one for one in read_back.nodes if one.kind == "figure")
    below = [(one.kind, one.anchor.spots) for one in read_back.nodes if one.parent == figure.id]
    assert below == [("ocr", ((3, (60, 110, 90, 120)),)), ("caption", ((3, (50, 300, 300, 310)),))]
    assert [one.anchor.page for one in read_back.nodes if one.kind == "page"] == [1, 2, 3]


def test_slides_and_sheets_are_cited_in_their_own_terms(tmp_path):
    kind = "application/vnd.openxmlformats-officedocument."
    deck = doc.DoclingDocument(
        name="deck",
        origin=doc.DocumentOrigin(
            mimetype=kind + "presentationml.presentation", binary_hash=1, filename="d.pptx"
        ),
    )
    for number in (1, 2):
        deck.add_page(page_no=number, size=doc.Size(width=100, height=100))
        slide = deck.add_group(name=f"slide-{number - 1}", label=doc.GroupLabel.CHAPTER)
        if number == 1:
            deck.add_title("Costs", parent=slide, prov=prov(1, (1, 1, 50, 9)))
        deck.add_text(
            label=doc.DocItemLabel.TEXT,
            text=f"Point {number}.",
            parent=slide,
            prov=prov(number, (1, 10, 50, 20)),
        )
    deck.add_text(
        label=doc.DocItemLabel.TEXT,
        text="Say it slowly.",
        content_layer=doc.ContentLayer.NOTES,
        prov=prov(2, (1, 30, 50, 40)),
    )
    made = opened(deck, tmp_path)
    assert [place_of(by_text(made, f"Point {n}.").anchor) for n in (1, 2)] == [
        "slide 1 > Costs",
        "slide 2",
    ]
    assert place_of(by_text(made, "Say it slowly.").anchor) == "slide 2, notes"

    book = doc.DoclingDocument(
        name="book",
        origin=doc.DocumentOrigin(
            mimetype=kind + "spreadsheetml.sheet", binary_hash=1, filename="b.xlsx"
        ),
    )
    book.add_page(page_no=1, size=doc.Size(width=5, height=5))
    sheet = book.add_group(name="sheet: Costs", label=doc.GroupLabel.SECTION)
    rows = [["Item", "2023"], ["Wages", "12"], ["Rent", "7"]]
    data = doc.TableData(num_rows=3, num_cols=2, table_cells=[
        cell(row, column, text, column_header=not row) for row, line in enumerate(rows) for column, text in enumerate(line)
    ])  # fmt: skip
    book.add_table(data, parent=sheet, prov=prov(1, (1, 2, 3, 5)))
    (table,) = tables(opened(book, tmp_path))
    assert found(table, "Rent", "2023") == ("7", "Costs!C5")


def test_boxes_of_slides_are_told_in_points(tmp_path):
    deck = doc.DoclingDocument(
        name="deck",
        origin=doc.DocumentOrigin(
            mimetype="application/vnd.ms-powerpoint", binary_hash=1, filename="d.pptx"
        ),
    )
    deck.add_page(page_no=1, size=doc.Size(width=9144000, height=6858000))
    slide = deck.add_group(name="slide-0", label=doc.GroupLabel.CHAPTER)
    box = (127000, 6858000 - 127000, 254000, 6858000 - 254000)
    deck.add_text(
        label=doc.DocItemLabel.TEXT,
        text="Point.",
        parent=slide,
        prov=prov(1, box, origin="BOTTOMLEFT"),
    )
    said = deck.add_group(
        name="comment-slide1-1",
        label=doc.GroupLabel.COMMENT_SECTION,
        content_layer=doc.ContentLayer.NOTES,
    )
    deck.add_text(
        label=doc.DocItemLabel.TEXT,
        text="Ann: sure?",
        parent=said,
        content_layer=doc.ContentLayer.NOTES,
    )
    made = opened(deck, tmp_path)
    assert by_text(made, "Point.").anchor.spots[0][1] == pytest.approx((10, 10, 20, 20))
    assert place_of(by_text(made, "Ann: sure?").anchor) == "slide 1, notes"


def test_references_are_read_under_either_name(tmp_path):
    (tmp_path / "a.json").write_text(report().model_dump_json())
    assert '"cref"' in (tmp_path / "a.json").read_text()
    assert compared(read(tmp_path / "a.json")) == compared(opened(report(), tmp_path))


def test_lists_in_lists_stay_in_order(tmp_path):
    made = doc.DoclingDocument(name="lists")
    outer = made.add_list_group()
    made.add_list_item("one", parent=outer)
    inner = made.add_list_group(parent=outer)
    made.add_list_item("inner", parent=inner, enumerated=True, marker="1.")
    made.add_list_item("two", parent=outer)
    assert texts(opened(made, tmp_path), "list") == ["\u2022 one\n1. inner\n\u2022 two"]


def test_a_source_without_pages_is_cited_by_its_headings(tmp_path):
    made = doc.DoclingDocument(name="page")
    head = made.add_heading("Costs", level=1)
    made.add_text(label=doc.DocItemLabel.TEXT, text="Wages are the most of it.", parent=head)
    read_back = opened(made, tmp_path)
    assert place_of(by_text(read_back, "Wages are the most of it.").anchor) == "Costs"


def compared(document):
    """All that must come back, but ids and the order of captions in the text of whole pages."""
    return [
        (
            one.kind,
            sorted(one.text.split()) if one.kind == "page" else one.text,
            one.anchor,
            one.table,
            {
                **one.meta,
                "continues": "continues" in one.meta,
                "notes": sorted(one.meta.get("notes", ())),
            },
        )
        for one in document.nodes
    ]


def again(document, sizes=None):
    """A document written, read and written by docling-core, and read by us."""
    text = json.dumps(to_docling(document, sizes or {}))
    theirs = doc.DoclingDocument.model_validate_json(text)
    through = json.loads(json.dumps(theirs.export_to_dict()))
    version = document.nodes[0].anchor.source
    ours, back = (
        build(version, document.id, "docling/1", pages_of_docling(one, document.id))
        for one in (json.loads(text), through)
    )
    return theirs, ours, back


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_comes_back_whole(name, tmp_path):
    first = read(tmp_path / name, FORMATS[name][0]())
    _, ours, back = again(first)
    assert compared(ours) == compared(back) == compared(first)
    assert ours.title == back.title == first.title


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.pdf")), ids=lambda path: path.stem)
def test_printed_pages_come_back_whole_and_docling_sees_the_same(path):
    first = parse(path, path.name, "cd" * 32)
    theirs, ours, back = again(first)
    assert compared(ours) == compared(back) == compared(first)
    own = [one for one in first.nodes if one.table is not None]
    assert len(theirs.tables) == len(own) > 0
    for item, node in zip(theirs.tables, own, strict=True):
        assert item.prov[0].page_no == node.anchor.page
        cells = {
            (one.row, one.column, one.row_span, one.column_span, one.text)
            for one in node.table.cells
        }
        assert {
            (
                one.start_row_offset_idx,
                one.start_col_offset_idx,
                one.row_span,
                one.col_span,
                one.text,
            )
            for one in item.data.table_cells
        } == cells
    plain = theirs.export_to_text()
    assert all(one.text.split()[0] in plain for one in first.nodes if one.kind == "paragraph")


def test_what_docling_wrote_is_written_again_with_all_its_texts_cells_and_boxes(tmp_path):
    made = report()
    theirs, _, back = again(opened(made, tmp_path), page_sizes(made.export_to_dict()))
    assert sorted(theirs.pages) == sorted(made.pages)

    def said(one):
        return sorted(
            w
            for item in one.texts
            if item.content_layer == doc.ContentLayer.BODY
            for w in item.text.split()
        )

    assert [word for word in said(made) if word not in said(theirs)] == []
    boxes = [
        {
            tuple(p.bbox.to_top_left_origin(800).as_tuple())
            for i in (*one.texts, *one.tables, *one.pictures)
            for p in i.prov
        }
        for one in (made, theirs)
    ]
    assert boxes[0] <= boxes[1]
    assert compared(back) == compared(opened(made, tmp_path))


def test_only_a_docling_document_is_taken_for_one(tmp_path):
    (tmp_path / "a.json").write_text('{"rows": [1, 2]}')
    with pytest.raises(UnsupportedSource, match="no parser for a.json"):
        format_of(tmp_path / "a.json")
    (tmp_path / "b.json").write_text('{"schema_name": "DoclingDocument", "version": "1.0.0"')
    with pytest.raises(SourceError, match="not complete JSON"):
        read(tmp_path / "b.json")
    (tmp_path / "c.json").write_text(
        '{"schema_name": "DoclingDocument", "version": "2.0.0", "body": {}}'
    )
    with pytest.raises(SourceError, match=r"version 2\.0\.0"):
        read(tmp_path / "c.json")


def test_one_in_an_archive_is_cited_there(tmp_path):
    data = report().model_dump_json(by_alias=True, exclude_none=True).encode()
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("report.json", data)
    (table,) = tables(read(tmp_path / "a.zip"))
    place = "member report.json, page 2 > Annual report > Results > By region"
    assert found(table, "South", "Year 2023") == ("77", place)


def test_a_damaged_one_is_refused_and_never_crashes():
    chance = random.Random(5)
    text = json.dumps(report().export_to_dict())
    refused = 0
    for _ in range(400):
        data = json.loads(text)
        for _ in range(chance.randrange(1, 4)):
            spoil(data, chance)
        try:
            pages_of_docling(data, "a.json")
        except SourceError:
            refused += 1
    assert refused > 50


def spoil(data, chance):
    """Put something else at a random place."""
    at = data
    while True:
        keys = list(at) if isinstance(at, dict) else list(range(len(at)))
        if not keys:
            return
        key = chance.choice(keys)
        if isinstance(at[key], (dict, list)) and chance.random() < 0.8:
            at = at[key]
            continue
        at[key] = chance.choice([None, -1, "x", [], {}, 1e308, "#/body", {"$ref": "#/texts/0"}])
        return


SOME = [
    "net",
    "sales",
    "Rose",
    "by",
    "1,250",
    "(7.5)",
    "\u00e4",
    "-",
    "a)",
    "1.",
    "\u2022",
    "km\u00b2",
]
WORDS = st.lists(st.sampled_from(SOME), min_size=1, max_size=6)
CORNERS = st.tuples(st.integers(0, 200), st.integers(0, 200))
BOXES = st.one_of(st.none(), CORNERS.map(lambda at: (at[0], at[1], at[0] + 9.5, at[1] + 3.25)))


@st.composite
def blocks(draw):
    kind = draw(
        st.sampled_from(
            ["paragraph", "heading", "list", "footnote", "caption", "equation", "figure", "table"]
        )
    )
    path = draw(st.sampled_from(["", "", "Costs!B2:C9", "slide 2, notes"]))
    if kind == "table":
        cells = draw(
            st.lists(
                st.tuples(st.integers(0, 4), st.integers(0, 3)),
                min_size=1,
                max_size=8,
                unique=True,
            )
        )
        held = tuple(
            Cell(
                *at,
                " ".join(draw(WORDS)),
                draw(st.integers(1, 2)),
                draw(st.integers(1, 2)),
                draw(BOXES),
                marks=draw(st.sampled_from([(), ("1",)])),
            )
            for at in cells
        )
        made = Table(
            held,
            draw(st.integers(0, 2)),
            draw(st.integers(0, 2)),
            caption=draw(st.sampled_from(["", "Table 1: net"])),
        )
        return replace(
            table_block(made, path), lines=(draw(BOXES),), continues=draw(st.booleans())
        )
    if kind == "figure":
        inner = tuple(
            text_block(" ".join(one), "ocr") for one in draw(st.lists(WORDS, max_size=2))
        )
        return Block(
            "figure",
            draw(st.sampled_from(["", "A bar chart."])),
            (draw(BOXES),),
            (0,),
            inner=inner,
            path=path,
        )
    lines = [
        " ".join(one)
        for one in draw(st.lists(WORDS, min_size=1, max_size=3 if kind != "heading" else 1))
    ]
    starts = [sum(len(one) + 1 for one in lines[:at]) for at in range(len(lines))]
    text = ("\n" if kind == "list" else " ").join(lines)
    level = draw(st.integers(1, 4)) if kind == "heading" else 0
    return Block(kind, text, tuple(draw(BOXES) for _ in lines), tuple(starts), level, path=path)


@given(
    st.lists(st.lists(blocks(), max_size=5), min_size=1, max_size=3),
    st.sampled_from(["", "slide {}", "text"]),
)
@settings(max_examples=40)
def test_whatever_is_stored_comes_back_as_it_was(held, place):
    def whole(block, number):
        """A table knows the page and the box that its block has."""
        box = block.lines[0]
        return (
            replace(block, table=replace(block.table, page=number, box=box))
            if block.table and box
            else block
        )

    pages = [
        Page(
            number,
            600.0,
            800.0,
            tuple(whole(block, number) for block in one),
            place=place.format(number),
        )
        for number, one in enumerate(held, 1)
    ]
    first = build("ab" * 32, "a.pdf", "pdf/1", pages)
    _, ours, back = again(first)
    assert compared(ours) == compared(back) == compared(first)
