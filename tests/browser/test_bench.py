"""The work at the bench in the browser: chat, documents in and out, a grid, reviews."""

import io
import json

import openpyxl
import pytest
from pypdfium2 import PdfDocument
from reportlab.lib.pagesizes import A4
from reportlab.pdfbase.pdfmetrics import getAscentDescent, stringWidth
from reportlab.pdfgen.canvas import Canvas

from .conftest import QUESTION, around, ask, drawn_at, enter, look

pytestmark = pytest.mark.servers

SPEC = """company,Revenue,Income tax expense
question,,What was the income tax expense of {entity} in 2023?
type,number,number
unit,thousand EUR,thousand EUR
period,2023,
Halvorsen Maritime plc,,
Northwind Tugs AS,,
"""
REVENUE = "What was the revenue of Halvorsen Maritime in 2022?"
PAYABLES = "What were the trade payables of Halvorsen Maritime in 2023?"
DOCK = ("4,217", "3,980"), ("1,306", "1,255")


def done(page):
    """Wait until the job on the page is over."""
    page.locator(".state.done").wait_for()
    page.wait_for_load_state()


def saved(page, click):
    """The bytes of what clicking there saves."""
    with page.expect_download() as download:
        click()
    return download.value.path().read_bytes()


def test_a_chat_goes_on_and_is_found_renamed_saved_and_deleted(page):
    page.goto("/c/reports/chat")
    for turn, asked, value in (
        ("#turn-1", QUESTION, "11,706"),
        ("#turn-2", "and in 2022?", "9,847"),
    ):
        enter(page, "#q", asked)
        page.locator(f"{turn} .value").wait_for()
        assert value in page.locator(f"{turn} .value").inner_text()
    assert (
        f"Understood as: {QUESTION.replace('2023', '2022')}"
        in page.locator("#turn-2").inner_text()
    )
    page.reload()
    assert page.locator(".turn").count() == 2
    page.get_by_text("This chat", exact=True).click()
    page.locator("#title").fill("Taxes of two years")
    page.get_by_role("button", name="Rename").click()
    page.get_by_role("heading", name="Taxes of two years").wait_for()
    for words, count in (("income tax", 1), ("no such words", 0)):
        enter(page, "#find", words)
        page.wait_for_url(f"**find={words.replace(' ', '+')}")
        assert page.locator(".chats li").count() == count
    page.go_back()
    page.locator(".chats li a").click()
    page.wait_for_url("**/chat/*")
    page.get_by_text("This chat", exact=True).click()
    text = saved(page, page.get_by_role("link", name="Save as Markdown").click).decode()
    assert "Taxes of two years" in text and "9,847" in text
    turns = json.loads(saved(page, page.get_by_role("link", name="as JSON").click))
    assert "and in 2022?" in json.dumps(turns)
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Delete this chat").click()
    page.wait_for_url("**/c/reports/chat")
    assert page.get_by_text("None yet.").is_visible()


def a_turned_report():
    """A PDF whose page is displayed turned and of whose sheet only a part is shown, and where its cells are seen."""
    file, size = io.BytesIO(), 10
    canvas = Canvas(file, pagesize=A4, invariant=1)
    canvas.translate(A4[0], 0)
    canvas.rotate(90)  # upright once the page is turned by 90 degrees clockwise
    canvas.setFont("Helvetica-Bold", 14)
    canvas.drawString(90, 480, "Quayside Works annual report 2023")
    canvas.setFont("Helvetica", size)
    canvas.drawString(90, 440, "Handling by Quayside Works (in thousands of tonnes)")
    cells = {}
    ascent, descent = getAscentDescent("Helvetica", size)
    for row, (label, *values) in enumerate(
        (("", "2023", "2022"), ("Grain handled", *DOCK[0]), ("Timber handled", *DOCK[1]))
    ):
        base = 415 - 18 * row
        canvas.drawString(90, base, label)
        for column, text in enumerate(values):
            canvas.drawRightString(400 + 110 * column, base, text)
            right, width = 400 + 110 * column, stringWidth(text, "Helvetica", size)
            cells[text] = right - width - 30, 545 - base - ascent, right - 30, 545 - base - descent
    canvas.save()
    document = PdfDocument(file.getvalue())
    document[0].set_rotation(90)
    document[0].set_cropbox(A4[0] - 545, 30, A4[0] - 20, A4[1] - 25)
    out = io.BytesIO()
    document.save(out)
    return out.getvalue(), cells


def test_a_file_that_is_not_read_is_told_in_the_words_of_the_interface(window):
    page = window(allowed=("415",))
    page.goto("/c/reports/sources")
    page.set_input_files(
        "input[name=files]", {"name": "x.exe", "mimeType": "", "buffer": b"MZ abc"}
    )
    page.get_by_role("button", name="Upload and index").click()
    page.get_by_text("x.exe: files of this type are not read; those read are").wait_for()
    assert page.get_by_role("button", name="Upload and index").is_visible(), "it is not busy"


def test_a_document_is_uploaded_asked_and_removed(page):
    pdf, cells = a_turned_report()
    page.goto("/c/reports/sources")
    page.set_input_files(
        "input[type=file]", {"name": "quayside.pdf", "mimeType": "application/pdf", "buffer": pdf}
    )
    page.get_by_role("button", name="Upload and index").click()
    page.wait_for_url("**/jobs/*")
    done(page)
    ask(page, "How much timber did Quayside Works handle in 2022?")
    assert page.locator(".value").inner_text().startswith(DOCK[1][1]), page.locator(
        "main"
    ).inner_text()
    seen, cell = look(page), cells[DOCK[1][1]]
    assert seen.frame() == pytest.approx(around(cell), abs=2 / seen.scale)
    assert seen.ink(around(cell, 1))[0] == pytest.approx(cell[0], abs=2 / seen.scale + 1)
    kept = page.url
    page.get_by_role("link", name="Sources", exact=True).click()
    page.once("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Remove quayside.pdf").click()
    page.wait_for_url("**/jobs/*")
    done(page)
    page.goto("/c/reports/sources")
    assert page.get_by_role("link", name="quayside.pdf").count() == 0
    page.goto(kept)
    page.locator(".value.na").wait_for()


def test_a_grid_is_made_corrected_filled_again_and_saved(page):
    page.goto("/c/reports/grids")
    page.set_input_files(
        "input[type=file]",
        {"name": "harbour.csv", "mimeType": "text/csv", "buffer": SPEC.encode()},
    )
    page.get_by_role("button", name="Fill it").click()
    page.wait_for_url("**/jobs/*")
    done(page)
    page.get_by_role("link", name="Open the grid").click()
    cells = page.locator(".grid td.cell")
    cells.first.wait_for()
    said = [one.partition(",\n")[0] for one in cells.all_inner_texts()]
    for text, value in zip(said, ("412,608", "11,706", "N/A", "N/A"), strict=True):
        assert value in text, said
    cells.nth(1).get_by_role("link").click()
    page.locator("#proof rect.frame").wait_for()
    page.get_by_text("Correct or comment").click()
    page.locator("#correct input[name=value]").fill("-11,700 thousand EUR")
    page.locator("#correct textarea").fill("rounded in the summary")
    page.get_by_role("button", name="Correct", exact=True).click()
    page.locator("td.cell.corrected").wait_for()
    page.get_by_role("button", name="Fill again").click()
    page.locator("[data-filling]").wait_for(state="detached")
    page.locator("td.cell.corrected").wait_for()
    assert "11,700" in cells.nth(1).inner_text()
    book = openpyxl.load_workbook(
        io.BytesIO(saved(page, page.get_by_role("link", name="XLSX").click))
    )
    found = {cell.value for line in book.worksheets[0].iter_rows() for cell in line}
    assert {412_608, -11_700, "Northwind Tugs AS"} <= found and book.worksheets[0].freeze_panes
    targets = [
        cell.hyperlink.target
        for sheet in book
        for line in sheet.iter_rows()
        for cell in line
        if cell.hyperlink
    ]
    assert any(
        one and one.startswith(page.url.partition("/grids")[0] + "/answers/") for one in targets
    ), targets
    table = saved(page, page.get_by_role("link", name="CSV").click).decode()
    assert "Northwind Tugs AS" in table


def test_answers_are_accepted_corrected_on_the_page_and_kept_as_examples(page, examples):
    ask(page)
    page.get_by_role("button", name="✓ Accept").click()
    page.locator(".said.accept").wait_for()

    ask(page, REVENUE)
    page.get_by_text("Correct or comment").click()
    page.locator("#correct input[name=value]").fill("412,608 thousand EUR")
    page.locator("#proof summary").click()
    page.locator("#proof td", has_text="412,608").click()
    assert "412,608" in page.locator("#marked").inner_text()
    page.get_by_role("button", name="Correct", exact=True).click()
    page.locator(".said.correct").wait_for()
    assert "412,608" in page.locator(".corrected").inner_text()

    ask(page, PAYABLES)
    page.get_by_text("Correct or comment").click()
    page.locator("#correct input[name=value]").fill("59,884 thousand EUR")
    page.locator("#mark").click()
    look(page)
    svg = page.locator("#proof svg").bounding_box()
    scale = svg["width"] / float(page.locator("#proof svg").get_attribute("viewBox").split()[2])
    box = around(drawn_at(examples, "59,884", 4), 3)
    x0, y0, x1, y1 = (edge * scale + svg["xy"[at % 2]] for at, edge in enumerate(box))
    page.mouse.move(x0, y0)
    page.mouse.down()
    page.mouse.move(x1, y1, steps=3)
    page.mouse.up()
    kind, _, number, *marked = page.locator("#place").input_value().split()
    assert (kind, number) == ("box", "4") and [float(edge) for edge in marked] == pytest.approx(
        box, abs=1
    )
    page.get_by_role("button", name="Correct", exact=True).click()
    page.locator(".corrected").wait_for()

    ask(page, "What was the number of patents of Halvorsen Maritime in 2023?")
    page.get_by_text("Correct or comment").click()
    page.locator("#correct textarea").fill("Ask the <b>board</b>.")
    page.get_by_role("button", name="Comment only").click()
    page.locator(".said.comment").wait_for()
    assert page.get_by_text("Ask the <b>board</b>.").count()

    page.get_by_role("link", name="Review", exact=True).click()
    lines = (
        saved(page, page.get_by_role("link", name="save it as questions").click)
        .decode()
        .splitlines()
    )
    rows = {row["question"]: row for row in map(json.loads, lines)}
    said = (QUESTION, "11706000"), (REVENUE, "412608000"), (PAYABLES, "59884000")
    assert [(one, rows[one]["answer_num"]) for one, _ in said] == [*said]
    assert not any("patents" in one for one in rows), "a comment is no example"
