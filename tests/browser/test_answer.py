"""Reading an answer and its proof: the frame's pixels against where the value was drawn, pages, zoom, keys, no script."""

import pytest

from .conftest import MARGIN, QUESTION, REPORT, around, ask, drawn_at, enter, look

pytestmark = pytest.mark.servers

NEAR = 2
"""Pixels of the screen by which a frame may stand off."""
WORDS = "How many patents did Halvorsen Maritime hold at the end of 2023?"


def framed(page, truth):
    """Whether the frame in sight stands around a text drawn at `truth`, and that text is seen inside it."""
    seen = look(page)
    near = NEAR / seen.scale
    assert seen.frame() == pytest.approx(around(truth), abs=near)
    ink = seen.ink(around(truth, 1))
    assert (ink[0], ink[2]) == pytest.approx(
        (truth[0], truth[2]), abs=near + 1
    )  # what a letter leaves free at its sides
    assert truth[1] - near < ink[1] < ink[3] < truth[3] + near
    return seen


@pytest.fixture(scope="module")
def cell(examples):
    return drawn_at(examples, "(11,706)", 3)


def test_the_frame_stands_around_the_cited_cell(page, cell):
    ask(page)
    assert page.locator(".value").inner_text() == "11,706 thousand EUR"
    framed(page, cell)
    cited = page.locator("#proof td.cited")
    page.locator("#proof summary").click()
    assert cited.inner_text() == "(11,706)"


def test_pages_turn_and_the_frame_stays_with_its_own(page, cell):
    ask(page)
    page.locator("#proof a[rel=next]").click()
    page.locator("#proof[data-page='4']").wait_for()
    other = look(page)
    assert other.frame() is None and other.ink(around(cell)) != pytest.approx(cell, abs=3)
    page.keyboard.press("[")
    page.locator("#proof[data-page='3']").wait_for()
    framed(page, cell)
    page.locator("#proof a[rel=prev]").click()
    page.locator("#proof[data-page='2']").wait_for()
    page.go_back()
    page.locator("#proof[data-page='3']").wait_for()
    framed(page, cell)


def test_zoom_makes_the_page_larger_and_keeps_the_frame_in_sight(page, cell):
    ask(page)
    fitted = look(page).scale
    for name in ("Larger", "Larger", "Smaller", "Larger"):
        page.get_by_role("button", name=name).click()
    assert framed(page, cell).scale == pytest.approx(1.3**2 * fitted, rel=0.01)
    page.get_by_role("button", name="Fit").click()
    assert framed(page, cell).scale == pytest.approx(fitted)


def test_the_frame_is_right_in_every_window(page, cell):
    ask(page)
    for width, scheme in ((390, "light"), (1024, "dark"), (1680, "light")):
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 900})
        page.locator("#proof rect.frame").scroll_into_view_if_needed()
        framed(page, cell)


def test_a_value_of_two_cells_shows_each_where_it_stands(page, examples):
    ask(
        page,
        "By what percentage did the operating profit of Halvorsen Maritime change from 2022 to 2023?",
    )
    assert (
        "%" in page.locator(".value").inner_text()
        and "24.9" in page.locator(".value").inner_text()
    )
    links = page.locator(".citations").first.locator("a")
    found = set()
    for at in range(links.count()):
        with page.expect_navigation():
            links.nth(at).click()
        page.locator(f".citations li:nth-child({at + 1}) a[aria-current]").wait_for()
        quote = links.nth(at).locator("q").inner_text().strip('“”"')
        framed(page, drawn_at(examples, quote, 3))
        found.add(quote)
    assert found == {"68,253", "54,633"}


def test_without_an_answer_it_is_said_and_shown_what_was_searched(page):
    ask(page, WORDS)
    assert page.locator(".value").inner_text() == "N/A"
    page.get_by_role("heading", name="What was searched").wait_for()
    searched = page.locator("section[aria-labelledby=searched] a").first
    name = searched.inner_text()
    searched.click()
    assert page.locator("h1").inner_text() in name


def test_the_cited_place_is_in_sight_when_the_page_opens_and_after_each_click(window, cell):
    page = window(viewport={"width": 1366, "height": 600})
    ask(page)
    framed(page, cell)
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), "one scrollbar"
    page.locator(".sheet").evaluate("sheet => { sheet.scrollTop = 0; }")
    page.locator(".answer .citations a").click()
    page.wait_for_timeout(1000)
    framed(page, cell)


def test_reading_needs_no_script(window, cell):
    page = window(java_script_enabled=False)
    page.goto("/c/reports/")
    enter(page, "#q", QUESTION)
    page.locator("#proof rect.frame").wait_for()
    page.wait_for_load_state()
    page.locator("#proof rect.frame").scroll_into_view_if_needed()
    framed(page, cell)
    page.locator("#proof a[rel=next]").click()
    assert page.locator("#proof").get_attribute("data-page") == "4"
    page.get_by_text("Why", exact=True).click()
    assert page.get_by_text("Pages found").is_visible()
    page.get_by_role("link", name="Open in document").click()
    enter(page, "#find", "trade payables")
    assert page.locator("mark").first.inner_text() == "Trade payables"
    page.get_by_role("link", name="Chat", exact=True).click()
    enter(page, "#q", QUESTION)
    assert page.locator("#turn-1 .value").inner_text().startswith("11,706")


def test_the_document_is_read_page_by_page_with_search_inside(page, examples):
    page.goto("/c/reports/sources")
    page.get_by_role("link", name=REPORT).first.click()
    enter(page, "#find", "income TAX expense")
    page.locator(".citations a").first.click()
    page.get_by_role("heading", name="Page 3 of 4").wait_for()
    page.wait_for_load_state()
    rect = page.locator("rect.frame").first
    truth = drawn_at(examples, "Income tax expense", 3)
    corner = [float(rect.get_attribute(name)) + MARGIN for name in ("x", "y")]
    assert corner == pytest.approx(truth[:2], abs=1)
    page.keyboard.press("]")
    page.get_by_role("heading", name="Page 4 of 4").wait_for()
    assert page.locator("#find").input_value() == "income TAX expense"


def in_focus(page):
    """What has the focus; it must be seen that it has."""
    told = page.evaluate(
        "() => { const e = document.activeElement, s = getComputedStyle(e), b = e.getBoundingClientRect();"
        " return [e.tagName, e.id || e.getAttribute('rel') || e.textContent.trim().slice(0, 40), s.outlineStyle,"
        " parseFloat(s.outlineWidth), b.bottom > 0 && b.top < innerHeight && b.right > 0 && b.left < innerWidth] }"
    )
    tag, name, style, width, in_sight = told
    assert tag != "BODY" and style != "none" and width >= 2 and in_sight, told
    return name


def tab_to(page, name, steps=60):
    """Go on with Tab until what has this name has the focus."""
    for _ in range(steps):
        page.keyboard.press("Tab")
        if in_focus(page) == name:
            return
    raise AssertionError(f"{name} is not reached with Tab")


def test_everything_is_reached_with_keys_alone(page, cell):
    page.goto("/c/reports/sources")
    page.keyboard.press("Tab")
    assert in_focus(page) == "Skip to the content"
    tab_to(page, "Ask")
    page.keyboard.press("Enter")
    page.wait_for_url("**/c/reports/")
    page.keyboard.type(QUESTION)  # the field has the focus
    page.keyboard.press("Enter")
    page.locator("#proof rect.frame").wait_for()
    framed(page, cell)
    tab_to(page, "next")
    page.keyboard.press("Enter")
    page.locator("#proof[data-page='4']").wait_for()
    assert in_focus(page) == "prev"  # it was the last page: the other way is at hand
    page.keyboard.press("[")
    page.locator("#proof[data-page='3']").wait_for()
    page.keyboard.press("]")
    page.locator("#proof[data-page='4']").wait_for()
    page.keyboard.press("/")
    assert in_focus(page) == "q"
    page.keyboard.type("What was revenue in 2022?")
    page.keyboard.press("Enter")
    page.get_by_text("398,115").first.wait_for()
    tab_to(page, "+")
    before = look(page).scale
    page.keyboard.press("Enter")
    assert look(page).scale > 1.2 * before
    sheet = page.locator("#proof .sheet")
    sheet.focus()
    at = sheet.evaluate("sheet => sheet.scrollTop")
    page.keyboard.press("ArrowDown")
    page.wait_for_timeout(200)
    assert sheet.evaluate("sheet => sheet.scrollTop") > at
    tab_to(page, "The table as data")
    page.keyboard.press("Enter")
    assert page.locator("#proof td.cited").is_visible()
    page.keyboard.press("/")
    tab_to(page, "Correct or comment")
    page.keyboard.press("Enter")
    tab_to(page, "Comment only")
