"""The whole document beside an answer: pages that scroll, text to select, cited places framed, citation after citation by key."""

import pytest

from .conftest import QUESTION, ask, drawn_at, enter

pytestmark = pytest.mark.servers

CHANGE = (
    "By what percentage did the operating profit of Halvorsen Maritime change from 2022 to 2023?"
)


def opened(page):
    """Open the viewer by its key, and wait for its first page."""
    page.keyboard.press("v")
    page.locator(".leaf[data-drawn]").first.wait_for()


@pytest.fixture
def looking(window):
    """A window whose viewer is closed again afterwards: it opens by itself where it was used last."""
    page = window()
    yield page
    page.evaluate("localStorage.clear()")


def framed(page, number):
    """Where the frame on a page of the viewer is, in points."""
    leaf = page.locator(f".leaf[data-page='{number}']")
    box, sheet = leaf.locator("rect.frame").bounding_box(), leaf.bounding_box()
    wide = float(leaf.locator("svg").get_attribute("viewBox").split()[2])
    scale = wide / sheet["width"]
    left, top = (box["x"] - sheet["x"]) * scale, (box["y"] - sheet["y"]) * scale
    return left, top, left + box["width"] * scale, top + box["height"] * scale


def test_the_cited_place_is_framed_in_the_scrolled_document(looking, examples):
    ask(looking)
    assert looking.locator("#proof svg image").count()
    opened(looking)
    looking.locator(".leaf[data-page='3'] rect.frame").wait_for()
    cell = drawn_at(examples, "(11,706)", 3)
    around = cell[0] - 2, cell[1] - 2, cell[2] + 2, cell[3] + 2
    assert framed(looking, 3) == pytest.approx(around, abs=2.5)
    assert looking.locator(".leaf[data-page='3']").bounding_box()["width"] > 300


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_a_viewer_asked_for_while_another_citation_comes_is_opened_once(looking, order):
    ask(looking, CHANGE)
    held = []
    looking.route("**/documents/*/file", lambda route: held.append(route))
    looking.evaluate(
        "() => { for (const part of ['.citations a', '[data-scroll]']) document.querySelector(part).click() }"
    )
    while len(held) < 2:  # one for the section that was there, one for that which takes its place
        looking.wait_for_timeout(50)
    for at in order:
        held[at].continue_()
        looking.wait_for_timeout(1000)
    looking.locator(".leaf rect.frame").first.wait_for()
    looking.keyboard.press("v")
    looking.locator("#proof .sheet rect.frame").first.wait_for()
    assert looking.locator(".viewer").count() == 0


def test_text_is_selected_pages_scroll_and_zoom(looking):
    ask(looking)
    opened(looking)
    leaf = looking.locator(".leaf[data-page='3']")
    leaf.locator(".textLayer span", has_text="Consolidated income statement").first.wait_for()
    words = leaf.locator(".textLayer span", has_text="Consolidated income statement").first
    words.dblclick()
    assert looking.evaluate("getSelection().toString().trim()") in words.inner_text()
    assert looking.evaluate("getSelection().toString().trim()")
    looking.locator(".leaves").focus()
    looking.keyboard.press("End")
    looking.locator("#proof .count", has_text="4 of 4").wait_for()
    looking.locator(".thumb[data-page='1']").click()
    looking.locator("#proof .count", has_text="1 of 4").wait_for()
    before = leaf.bounding_box()["width"]
    looking.keyboard.press("+")
    assert leaf.bounding_box()["width"] == pytest.approx(1.3 * before, rel=0.02)
    looking.keyboard.press("0")
    assert leaf.bounding_box()["width"] == pytest.approx(before, rel=0.02)
    looking.keyboard.press("v")
    assert looking.locator(".viewer").count() == 0 and looking.locator("#proof image").is_visible()


def test_citation_after_citation_by_key_and_the_viewer_stays(looking):
    ask(looking, CHANGE)
    opened(looking)
    links = looking.locator(".citations:visible a")
    assert links.count() >= 2
    for key, at in (("n", 1), ("p", 0)):
        looking.keyboard.press(key)
        looking.wait_for_function(
            "at => [...document.querySelectorAll('.citations a')].filter(a => a.offsetParent)[at].ariaCurrent === 'true'",
            arg=at,
        )
        assert looking.locator(".viewer").count() == 1
        looking.locator(".viewer rect.frame").first.wait_for()


def test_a_chat_shows_the_page_of_its_last_answer_beside_it(looking):
    looking.goto("/c/reports/chat")
    enter(looking, "#q", QUESTION)
    looking.locator("#proof rect.frame").wait_for()
    assert "page 3" in looking.locator("#proof h2").inner_text()
    assert "/chat/" in looking.url
    looking.get_by_role("button", name="Keys").click()
    assert looking.get_by_role("dialog").get_by_text("next and previous citation").is_visible()
