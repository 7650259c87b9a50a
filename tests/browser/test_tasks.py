"""Twelve tasks of a day, each done by mouse, by keys alone, and on a phone: from a new corpus to a grid that is sent on."""

import io
import re
from dataclasses import dataclass, field
from pathlib import Path

import openpyxl
import pytest

from .conftest import QUESTION, REPORT, running

pytestmark = pytest.mark.servers

NAME = "day"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
WAYS = {"mouse": {}, "keys": {}, "phone": PHONE}
MOST_TABS = 250


@dataclass
class Hand:
    """Somebody who uses a page in one way only."""

    way: str
    page: object
    done: list = field(default_factory=list)

    def press(self, target):
        """Press a link, a button or whatever opens."""
        if self.way == "mouse":
            target.click()
        elif self.way == "phone":
            target.tap()
        else:
            self._reach(target)
            checkbox = target.get_attribute("type") in ("checkbox", "file")
            self.page.keyboard.press("Space" if checkbox else "Enter")

    def write(self, target, words):
        """Write into a field, over what stands there."""
        self._go(target)
        self.page.keyboard.press("ControlOrMeta+A")
        self.page.keyboard.press("Delete")
        self.page.keyboard.insert_text(words)

    def choose(self, target, words):
        """Choose what begins with these words from a list."""
        if self.way == "keys":
            self._reach(target)
            self.page.keyboard.type(words)
            return
        label = target.evaluate(
            "(e, words) => [...e.options].find(o => o.text.startsWith(words)).text", words
        )
        target.select_option(label=label)

    def give(self, target, files):
        """Choose files in the window of the system that a field opens."""
        with self.page.expect_file_chooser() as chooser:
            self.press(target)
        chooser.value.set_files(files)

    def save(self, target):
        """What pressing there saves."""
        with self.page.expect_download() as download:
            self.press(target)
        return download.value.path().read_bytes()

    def _go(self, target):
        if self.way == "keys":
            self._reach(target)
        else:
            self.press(target)

    def _reach(self, target):
        for _ in range(MOST_TABS):
            if target.evaluate("e => e === document.activeElement"):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"no number of tabs leads to {target}")


def a_corpus_is_made(hand, site, files):
    page = hand.page
    page.goto(site)
    hand.press(page.locator(".switch summary"))
    hand.press(page.get_by_role("link", name=re.compile("All corpora")))
    hand.write(page.locator("#name"), NAME)
    hand.press(page.get_by_role("button", name="Make the corpus"))
    page.wait_for_url(f"**/c/{NAME}/sources")


def reports_are_added(hand, site, files):
    page = hand.page
    hand.give(page.locator("input[type=file]"), files)
    hand.press(page.get_by_role("button", name="Upload and index"))
    page.wait_for_url("**/jobs/*")
    page.locator(".state.done").wait_for()
    hand.press(page.get_by_role("link", name="To the sources"))
    page.get_by_role("link", name=REPORT).wait_for()


def an_example_is_asked(hand, site, files):
    page = hand.page
    hand.press(page.get_by_role("link", name="Ask", exact=True))
    hand.press(page.locator(".examples a").first)
    page.locator(".answer .value", has_text="412,608").wait_for()


def a_question_is_asked(hand, site, files):
    page = hand.page
    hand.write(page.locator("#q"), QUESTION)
    page.keyboard.press("Enter") if hand.way == "keys" else hand.press(
        page.get_by_role("button", name="Ask", exact=True)
    )
    page.locator(".answer .value", has_text="11,706").wait_for()
    page.wait_for_load_state()


def a_citation_is_followed(hand, site, files):
    page = hand.page
    hand.press(page.locator(".citations a").first)
    hand.press(page.locator("[data-scroll]"))
    page.locator(".leaf[data-page='3'] rect.frame").wait_for()
    page.locator(".leaf[data-page='3'] .textLayer span").first.wait_for(state="attached")
    hand.press(page.locator("[data-scroll]"))
    page.locator("#proof .sheet rect.frame").wait_for()


def questions_are_narrowed(hand, site, files):
    page = hand.page
    if not page.locator("select[name=kind]").is_visible():
        hand.press(page.get_by_text("Filters and options"))
    hand.choose(page.locator("select[name=kind]"), "annual")
    hand.press(page.get_by_role("button", name="Ask", exact=True))
    page.wait_for_url("**kind=annual*")
    page.locator(".answer .value", has_text="11,706").wait_for()


def an_answer_is_corrected(hand, site, files):
    page = hand.page
    hand.press(page.get_by_text("Correct or comment"))
    hand.write(page.locator("#correct input[name=value]"), "-11,706 thousand EUR")
    hand.write(page.locator("#correct textarea"), "an expense")
    hand.press(page.get_by_role("button", name="Correct", exact=True))
    page.locator(".said.correct").wait_for()


def a_possible_answer_is_used(hand, site, files):
    page = hand.page
    hand.press(page.get_by_role("link", name="Ask", exact=True))
    hand.write(page.locator("#q"), "How many vessels were scrapped in 2023?")
    hand.press(page.get_by_role("button", name="Ask", exact=True))
    page.locator(".value.na").wait_for()
    hand.press(page.get_by_role("button", name=re.compile("^Use this")).first)
    page.locator(".said.correct").wait_for()


def a_chat_goes_on(hand, site, files):
    page = hand.page
    hand.press(page.get_by_role("link", name="Chat", exact=True))
    for words, turn in (
        ("What was the revenue of Halvorsen Maritime in 2023?", "412,608"),
        ("and in 2022?", "398,115"),
    ):
        hand.write(page.locator("#q"), words)
        hand.press(page.get_by_role("button", name="Ask", exact=True))
        page.locator(".turn .value", has_text=turn).wait_for()


def a_grid_is_made_from_a_question_set(hand, site, files):
    page = hand.page
    hand.press(page.get_by_role("link", name="Grid", exact=True))
    hand.press(page.get_by_role("link", name="Credit memo"))
    assert page.locator("textarea[name=rows]").input_value() == "Halvorsen Maritime plc"
    hand.press(page.get_by_role("button", name="Fill it"))
    page.locator(".state.done").wait_for()
    hand.press(page.get_by_role("link", name="Open the grid"))
    cell = page.locator("td.cell", has_text="412,608").get_by_role("link")
    hand.press(cell)
    page.locator("#proof rect.frame").wait_for()


def a_grid_is_changed_and_sent_on(hand, site, files):
    page = hand.page
    if page.locator("[data-grid]").count() == 0:  # on a phone a cell has a page of its own
        hand.press(page.get_by_role("link", name="Back to the grid"))
    hand.press(page.get_by_role("link", name="Rows and columns"))
    hand.write(page.locator("tr:nth-last-child(3) input[name=name]"), "Income tax expense")
    hand.write(page.locator("tr:nth-last-child(3) input[name=period]"), "2022, 2023")
    hand.press(page.get_by_role("button", name="Save and fill"))
    page.locator(".state.done").wait_for()
    hand.press(page.get_by_role("link", name="Open the grid"))
    hand.press(page.get_by_role("button", name=re.compile("^Revenue")))
    page.locator("th[aria-sort=ascending]").wait_for()
    book = openpyxl.load_workbook(io.BytesIO(hand.save(page.get_by_role("link", name="XLSX"))))
    held = {cell.value for line in book.worksheets[0].iter_rows() for cell in line}
    assert held & {412_608, 412_608_000} and held & {9_847, 9_847_000}, held


def the_rest_is_reviewed_and_the_threshold_set(hand, site, files):
    page = hand.page
    hand.press(page.get_by_role("link", name="Review", exact=True))
    waiting = page.locator(".queue tbody tr")
    waiting.first.wait_for()
    before = waiting.count()
    hand.press(page.locator(".queue [type=checkbox]").first)
    hand.press(page.get_by_role("button", name="Accept what is selected"))
    page.wait_for_load_state()
    page.locator(".said.accept").first.wait_for()
    assert waiting.count() == before - 1
    hand.press(page.get_by_role("link", name="Settings", exact=True))
    hand.write(page.locator("input[name=threshold]"), "95")
    hand.press(page.get_by_role("button", name="Save"))
    page.wait_for_url("**#answers")
    hand.press(page.get_by_role("link", name="Ask", exact=True))
    hand.write(page.locator("#q"), "What was the revenue of Halvorsen Maritime in 2023?")
    hand.press(page.get_by_role("button", name="Ask", exact=True))
    page.locator(".value.na").wait_for()


TASKS = (
    a_corpus_is_made, reports_are_added, an_example_is_asked, a_question_is_asked, a_citation_is_followed,
    questions_are_narrowed, an_answer_is_corrected, a_possible_answer_is_used, a_chat_goes_on,
    a_grid_is_made_from_a_question_set, a_grid_is_changed_and_sent_on, the_rest_is_reviewed_and_the_threshold_set,
)  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_a_day(browser, corpus, examples, way):
    files = sorted(map(str, (examples / "files").glob("*.pdf")))
    made = Path(corpus).parent / f"{NAME}.corpus"
    with running(corpus) as site:
        context = browser.new_context(accept_downloads=True, **WAYS[way])
        context.set_default_timeout(240_000)
        hand = Hand(way, context.new_page())
        wrong = []
        hand.page.on("pageerror", lambda error: wrong.append(str(error)))
        for task in TASKS:
            task(hand, site, files)
            hand.done.append(task.__name__)
        context.close()
    made.rename(made.with_name(f"{NAME}-{way}.corpus"))
    assert len(hand.done) == 12 and not wrong, wrong
