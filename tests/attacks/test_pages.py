"""Pages that were made to keep a parser busy: work is bounded, and what fails is lost by itself, never with its file."""

from __future__ import annotations

import json
import random
import signal
import textwrap
from typing import Any

import pytest
from reportlab.pdfgen.canvas import Canvas

from pincite.corpus import Corpus
from pincite.indexing import Summary
from pincite.ingest import lost_parts
from pincite.ingest.document_parser import parse
from pincite.ingest.layout import understood_page as understood
from pincite.ingest.layout.page_layout import layout
from pincite.ingest.parser_processes import Parsed, ParserJob, parse_all
from pincite.ingest.raw_page import RawPage, Word
from pincite.ingest.tables import find_tables
from pincite.ingest.tables.assembly import PlacedCell
from pincite.ingest.tables.assembly import table as table_of_cells
from pincite.workbench.library import index
from pincite.workbench.page_quality import quality

WIDE, HIGH = 595.0, 842.0


@pytest.fixture(autouse=True)
def hurried():
    """End a test that computes for more than 20 seconds: what is slow here is slow without end."""

    def stop(number, frame):
        raise TimeoutError("the page is worked on without end")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, 20)
    yield
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    signal.signal(signal.SIGVTALRM, before)


def report(path, pages=3):
    """A report of some pages, each with a sentence and a ruled table."""
    canvas = Canvas(str(path), pagesize=(WIDE, HIGH))
    for number in range(1, pages + 1):
        canvas.drawString(60, 780, f"Page {number} tells that Alpha had {number}0 ships in 2023.")
        canvas.grid([60, 200, 300, 400], [600, 620, 640, 660])
        for row, texts in enumerate(
            (("Item", "2022", "2023"), ("Revenue", "12", "15"), ("Cost", "7", "9"))
        ):
            for column, text in enumerate(texts):
                canvas.drawString((65, 205, 305)[column], 645 - 20 * row, text)
        canvas.showPage()
    canvas.save()
    return path


def lost_of(document):
    return {
        node.anchor.page: node.meta["lost"]
        for node in document.nodes
        if node.kind == "page" and "lost" in node.meta
    }


def test_a_map_whose_labels_are_long_numbers_keeps_its_text(tmp_path):
    canvas = Canvas(str(tmp_path / "map.pdf"), pagesize=(WIDE, HIGH))
    canvas.setFont("Helvetica", 3)
    canvas.grid([30.0, 160.0, 290.0, 420.0, 550.0], [100.0 + 20 * n for n in range(20)])
    for at in range(70):
        canvas.drawString(34 + 130 * (at % 4), 104 + 20 * (at // 4), "1" * 40 + "x")
    canvas.showPage()
    canvas.save()
    document = parse(tmp_path / "map.pdf", "map.pdf", "0" * 64)
    assert not lost_of(document) and "1" * 40 + "x" in document.nodes[-1].text


def test_5000_lines_over_text_are_read(tmp_path):
    chance = random.Random(0)
    path = tmp_path / "map.pdf"
    canvas = Canvas(str(path), pagesize=(WIDE, HIGH))
    for _ in range(2500):
        x, y = chance.uniform(20, 500), chance.uniform(20, 750)
        canvas.lines(
            [(x, y, x + chance.uniform(10, 80), y), (x, y, x, y + chance.uniform(10, 60))]
        )
    canvas.drawString(60, 780, "A map of all ships of Alpha in 2023.")
    canvas.showPage()
    canvas.save()
    document = parse(path, "map.pdf", "0" * 64)
    assert not lost_of(document) and "all ships of Alpha" in document.nodes[-1].text


def words(count, text):
    """A page of so many small words in 50 columns."""
    rows = count // 50
    made = []
    for at in range(count):
        x, y = 20 + at % 50 * 11.0, 20 + at // 50 * (800 / rows)
        made.append(Word(text(at), (x, y, x + 3.0, y + 800 / rows * 0.8), 800 / rows * 0.8))
    return RawPage(1, WIDE, HIGH, tuple(made))


def test_30000_words_are_laid_out():
    page = words(30_000, lambda at: ("alpha", "beta", "gamma")[at % 3])
    assert (
        sum(len(block.text.split()) for block in layout(page, find_tables(page)).blocks) == 30_000
    )


def test_a_table_of_30000_cells_is_built():
    placed = [
        PlacedCell(
            [Word("a", (n % 50, n // 50, n % 50 + 1, n // 50 + 1), 1.0)],
            n // 50,
            n % 50,
            n // 50 + 1,
            n % 50 + 1,
        )
        for n in range(30_000)
    ]
    made = table_of_cells(placed, 1)
    assert made is not None and len(made.cells) == 30_000


def test_thousands_of_pictures_under_a_text_are_counted():
    page = words(3000, lambda at: "alpha")
    pictures = tuple(
        (20.0 + n % 300, 20.0 + n // 300, 220.0 + n % 300, 220.0 + n // 300) for n in range(20_000)
    )
    held = layout(RawPage(1, WIDE, HIGH, page.words, pictures=pictures))
    assert all(block.kind != "figure" for block in held.blocks)


def spin(*given):
    while True:
        pass


def raise_error(*given):
    raise ZeroDivisionError("no such cell")


@pytest.mark.parametrize(
    ("fails", "why"), [(spin, "too many lines or words"), (raise_error, "no such cell")]
)
def test_a_page_that_is_stopped_loses_its_tables_then_itself_never_the_file(
    tmp_path, monkeypatch, fails, why
):
    path = report(tmp_path / "a.pdf")
    monkeypatch.setattr(lost_parts, "COMPUTING_S", 0.3)

    def tables(page):
        return fails() if page.number > 1 else find_tables(page)

    def lay_out(page, tables=()):
        return fails() if page.number == 3 else layout(page, tables)

    monkeypatch.setattr(understood, "find_tables", tables)
    monkeypatch.setattr(understood, "layout", lay_out)
    document = parse(path, "a.pdf", "0" * 64)
    said = lost_of(document)
    assert said[2].startswith("its tables were not read: ")
    assert said[3].startswith("it was not read: ")
    assert list(said) == [2, 3] and all(why in one for one in said.values())
    assert [node.anchor.page for node in document.nodes if node.kind == "table"] == [1]
    assert "Page 2 tells" in next(
        node.text for node in document.nodes if node.kind == "page" and node.anchor.page == 2
    )


def stopped_at(tmp_path, monkeypatch, pages, code):
    """Let workers run `code` where some pages are read."""
    text = f"""
        import os, time
        from pincite.ingest.pdf import pdf_pages as pdf
        read = pdf._read_page
        def stopped(document, number):
            if number in {pages}:
                {code}
            return read(document, number)
        pdf._read_page = stopped
        """
    (tmp_path / "sitecustomize.py").write_text(textwrap.dedent(text))
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))


@pytest.mark.parametrize("code, silence", [("os.abort()", 60.0), ("time.sleep(600)", 8.0)])
def test_a_page_that_ends_its_worker_is_left_out(tmp_path, monkeypatch, code, silence):
    stopped_at(tmp_path, monkeypatch, "(2,)", code)
    path, told = report(tmp_path / "a.pdf"), dict[int, Any]()

    def keep(job, rows):
        told.update({row[2]: (row[5], json.loads(row[8])) for row in rows if row[1] == "page"})

    ((_, made),) = parse_all(
        [ParserJob(path, "a.pdf", "s" * 64)], 1, lambda *_: None, keep, silence_s=silence
    )
    assert isinstance(made, Parsed) and made.tables == 2
    assert "crashed on it or did not end" in told[2][1]["lost"] and "Page 3 tells" in told[3][0]


def test_a_file_whose_pages_all_end_their_worker_keeps_those_before(tmp_path, monkeypatch):
    stopped_at(tmp_path, monkeypatch, "range(2, 99)", "os.abort()")
    summary = index(report(tmp_path / "a.pdf", 9), tmp_path / "c")
    (problem,) = summary.problems
    assert problem.status == "partial" and "page 2: it was not read" in problem.reason
    assert not summary.failure
    assert "and 3 more" in problem.reason
    again = index(tmp_path / "a.pdf", tmp_path / "c")
    assert again.unchanged == 1 and again.problems == summary.problems
    (tmp_path / "a.pdf").touch()
    assert index(tmp_path / "a.pdf", tmp_path / "c").problems[0].reason == problem.reason
    listed = {page.page: page for page in quality(Corpus(tmp_path / "c"))}
    assert listed[1].suspicion == "" and listed[2].doubtful and "crashed" in listed[2].suspicion


def deck(path):
    import pptx

    made = pptx.Presentation()
    for number in range(1, 4):
        made.slides.add_slide(
            made.slide_layouts[5]
        ).shapes.title.text = f"Alpha has {number}0 ships in the sea"
    made.save(str(path))
    return path


def book(path):
    import openpyxl

    made = openpyxl.Workbook()
    for number in range(1, 4):
        sheet = made.create_sheet(f"S{number}")
        for row in (("Item", "2022"), ("Revenue", number * 10), ("Cost", 3)):
            sheet.append(row)
    del made["Sheet"]
    made.save(path)
    return path


@pytest.mark.parametrize(("write", "name", "function", "place"), [
    (deck, "a.pptx", "pptxfile._slide", "slide 2"), (book, "a.xlsx", "xlsxfile._sheet", "sheet S2"),
])  # fmt: skip
def test_a_slide_or_sheet_that_fails_is_lost_alone(
    tmp_path,
    monkeypatch,
    write,
    name,
    function,
    place,
):
    import importlib

    module = importlib.import_module(f"pincite.ingest.office.{function.partition('.')[0]}")
    attribute = function.partition(".")[2]
    whole, calls = getattr(module, attribute), []

    def fails(*given):
        calls.append(given)
        return raise_error() if len(calls) == 2 else whole(*given)

    monkeypatch.setattr(module, attribute, fails)
    document = parse(write(tmp_path / name), name, "0" * 64)
    pages = {
        node.anchor.path: node.meta.get("lost", "")
        for node in document.nodes
        if node.kind == "page"
    }
    assert len(pages) == 3
    assert "no such cell" in next(said for path, said in pages.items() if path.startswith(place))
    assert sum(not said for said in pages.values()) == 2


def test_halves_of_characters_do_not_stop_a_run(tmp_path):
    """A character of JSON may be half of one, which no database takes."""
    paragraph = {
        "self_ref": "#/texts/0", "label": "paragraph", "text": "Alpha \ud800 had 12 ships in 2023.", "prov": [],
    }  # fmt: skip
    body = {"self_ref": "#/body", "children": [{"$ref": "#/texts/0"}]}
    made = {
        "schema_name": "DoclingDocument", "version": "1.0.0", "name": "\ud800", "texts": [paragraph], "body": body,
    }  # fmt: skip
    (tmp_path / "a.json").write_text(json.dumps(made | {"pages": {}}))
    summary: Summary = index(tmp_path / "a.json", tmp_path / "c")
    assert not summary.problems and len(Corpus(tmp_path / "c").documents) == 1
