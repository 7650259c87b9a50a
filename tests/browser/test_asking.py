"""What helps to ask: suggested questions, documents ticked, an answer to paste elsewhere, a broken file that is told."""

import re

import pytest

from .conftest import QUESTION, REPORT, ask

expect = pytest.importorskip("playwright.sync_api").expect
pytestmark = pytest.mark.servers

ENERGY, SOLVIK = "brandt-2024-inference-energy.pdf", "solvik-sustainability-2023.pdf"


def test_each_suggested_question_is_answered_when_it_is_clicked(page):
    page.goto("/c/reports/")
    suggested = page.locator(".examples a")
    questions = suggested.all_inner_texts()
    assert questions
    for at, question in enumerate(questions):
        suggested.nth(at).click()
        page.locator(".answer .value:not(.na)").wait_for()
        page.locator(".answer .citations a").first.wait_for()
        assert page.locator("#q").input_value() == question
        page.go_back()
        suggested.nth(at).wait_for()


def asked_of(page, *documents):
    """Ask of these documents alone, by ticking them; the documents that the page then names."""
    page.goto("/c/reports/")
    page.get_by_text("Filters and options").click()
    for document in documents:
        page.get_by_role("checkbox", name=document).check()
    page.locator("#q").fill(QUESTION)
    page.get_by_role("button", name="Ask", exact=True).click()
    page.locator(".answer .value").wait_for()
    page.get_by_text(f"Filters and options: only {len(documents)} documents").click()
    for document in (REPORT, ENERGY, SOLVIK):  # what was ticked stays so for the next question
        ticked = page.get_by_role("checkbox", name=document)
        expect(ticked).to_be_checked(checked=document in documents)
    said = page.locator(".split").inner_text()
    return {name for name in (REPORT, ENERGY, SOLVIK) if name in said}


def test_a_question_of_several_documents_cites_only_these(page):
    assert asked_of(page, REPORT, SOLVIK) - {SOLVIK} == {REPORT}
    assert "11,706" in page.locator(".value").inner_text()
    assert asked_of(page, ENERGY, SOLVIK) == {ENERGY, SOLVIK}
    expect(page.locator(".value.na")).to_be_visible()
    page.get_by_text(f"Only {ENERGY}, {SOLVIK}").wait_for()
    page.get_by_role("link", name="Link to this answer").click()
    page.wait_for_url("**/answers/*")
    page.get_by_text("Filters and options: only 2 documents").click()
    assert page.get_by_role("checkbox", name=re.compile("pdf"), checked=True).count() == 2


def test_an_answer_is_copied_with_its_place(window):
    page = window(permissions=["clipboard-read", "clipboard-write"])
    ask(page)
    page.get_by_role("button", name="Copy", exact=True).click()
    page.get_by_role("button", name="Copied").wait_for()
    held = page.evaluate("navigator.clipboard.readText()")
    assert held == f"11,706 thousand EUR ({REPORT}, page 3)"


def test_a_broken_file_is_told_and_the_others_are_read(page):
    page.goto("/c/reports/sources")
    broken = {
        "name": "broken.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.7 broken",
    }  # fmt: skip
    whole = {
        "name": "rules.md", "mimeType": "text/markdown", "buffer": b"# Harbour\n\nThe speed limit is 6 knots.\n",
    }  # fmt: skip
    page.set_input_files("input[name=files]", [broken, whole])
    page.get_by_role("button", name="Upload and index").click()
    page.wait_for_url("**/jobs/*")
    page.locator(".state.done").wait_for()
    problems = page.locator("section", has=page.get_by_role("heading", name="Files with problems"))
    expect(problems).to_contain_text("broken.pdf cannot be read")
    expect(problems).not_to_contain_text("rules.md")
    page.get_by_role("link", name="To the sources").click()
    page.get_by_role("link", name="rules.md").wait_for()
    expect(page.locator("section[aria-labelledby=problems]")).to_contain_text("broken.pdf")
