"""A corpus that is searched in an engine answers as one that is searched in its own folder."""

import json

import pytest

from pincite.indexing import ensure
from pincite.indexing.removing import remove
from pincite.settings import Settings
from pincite.workbench.library import Library, default_shelves
from tests.conftest import EXAMPLES

pytestmark = pytest.mark.servers


@pytest.fixture
def moved(fresh_corpus, place, monkeypatch):
    """The example corpus, moved to an engine: nothing is parsed or encoded again."""
    monkeypatch.setenv("PINCITE_SEARCH", place.url)
    shelves = default_shelves(fresh_corpus)
    _, encoded = ensure(fresh_corpus, shelves)
    assert encoded == 0
    return fresh_corpus


def questions():
    return [line for line in (EXAMPLES / "questions.txt").read_text().splitlines() if line][:6]


def test_the_same_questions_find_the_same_pages_and_answers(moved, place, library):
    there = Library(moved, Settings(search=place.url))
    there.check()
    for text in questions():
        for where in ((), (("document", (library.corpus.documents[0].id,)),)):
            query = library.query(text, where=where)
            mine, theirs = there.pipeline.find.run(query), library.pipeline.find.run(query)
            pairs = zip(mine.hits[:10], theirs.hits[:10], strict=True)
            for hit, wanted in pairs:
                assert hit.score == pytest.approx(wanted.score, abs=1e-3)
        ours, known = there.ask(text), library.ask(text)
        assert (ours.value, ours.reason) == (known.value, known.reason)
        assert ours.confidence == pytest.approx(known.confidence, abs=1e-3)


def test_a_name_that_no_document_holds_is_refused(moved, place):
    answer = Library(moved, Settings(search=place.url)).ask(
        "What was the revenue of Zyxograph in 2023?"
    )
    assert "Zyxograph" in answer.reason


def test_generations_share_tables_and_a_removed_document_is_found_by_older_readers_alone(
    moved, place
):
    before, tables, text = (
        Library(moved, Settings(search=place.url)),
        tables_in(moved),
        questions()[0],
    )
    found = {page.document for page in before.search(text)}
    gone = before.search(text)[0].document
    remove([gone], moved, default_shelves(moved))
    after = Library(moved, Settings(search=place.url))
    assert tables_in(moved) == tables
    assert gone not in {page.document for page in after.search(text)}
    assert {page.document for page in before.search(text)} == found


def tables_in(corpus):
    files = (corpus / "shelves").glob("*/index/engine.json")
    return {json.loads(file.read_text())["table"] for file in files}
