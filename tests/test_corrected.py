"""A correction answers the same question the next time, says so, and does not outlive what it was made of."""

import json
import sqlite3
import zipfile

import pytest

from pincite.chat.conversation import Conversation
from pincite.chat.events import Answered
from pincite.records.review import accept, correct, place_box, place_cell, reviews, withdraw
from pincite.records.review.reviewed_questions import question_rows
from pincite.settings import Settings
from pincite.workbench.bundle import bundle, verify
from pincite.workbench.explanation import explained
from pincite.workbench.library import Library, index
from pincite.workbench.tools import ask as tool

REPORT = """# Contoso Tugs annual report 2023

The board is chaired by {chair}.

| EUR thousand | 2023 | 2022 |
|---|---|---|
| Revenue | {revenue} | 4,980 |
| Operating profit | 731 | 222 |
"""
ASKED = "What was the revenue of Contoso Tugs in 2023?"


@pytest.fixture
def files(tmp_path):
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "contoso.md").write_text(REPORT.format(chair="Ada Holm", revenue="5,410"))
    (folder / "other.md").write_text(
        "# Fabrikam Docks annual report 2023\n\nFabrikam Docks had 1,204 employees.\n"
    )
    return folder


@pytest.fixture
def corpus(files, tmp_path):
    index(files, tmp_path / "corpus")
    return tmp_path / "corpus"


@pytest.fixture
def opened(corpus):
    """The corpus with the question asked once: its library, the answer's id, and the cell below the one that was meant."""
    library = Library(corpus, Settings())
    answer = library.ask(ASKED)
    assert answer.value.amount == 5_410_000 and answer.corrected is None
    ((row, column),) = answer.citations[0].anchor.cells
    return (
        library,
        library.keep([answer])[0],
        place_cell(library.corpus, answer.citations[0].node, row + 1, column),
    )


def corrected(opened, value="731", by="Ada", **more):
    library, identity, place = opened
    return correct(library.corpus, identity, by, value, **{"place": place, **more})


def test_the_same_question_is_answered_by_the_correction(opened):
    library = opened[0]
    review = corrected(opened, note="the profit is meant")
    assert review.standing == "read"
    for asked in (ASKED, f"  {ASKED.upper()} ", ASKED.rstrip("?"), f"{ASKED}?!"):
        answer = library.ask(asked)
        assert answer.text == "731 thousand EUR" and answer.citations == (review.citation,)
        assert [(one.verdict, one.how) for one in answer.checks] == [("supported", review.how)]
        assert (
            answer.corrected.said
            == f"corrected by the reviewer Ada on {review.at[:10]}: {review.how}; the profit is meant"
        )
    assert (
        library.ask(ASKED, unit="EUR").text == "731,000 EUR"
    )  # the value and not the question is of a unit
    assert library.ask("What was the revenue of Contoso Tugs in 2022?").corrected is None
    assert (
        library.ask(ASKED, (("document", ("contoso.md",)),)).corrected is None
    )  # another filter is another question
    said = library.ask(ASKED, expects="boolean")
    assert "asks for an answer of the type boolean" in said.corrected.unused
    assert "cannot be given in kg" in library.ask(ASKED, unit="kg").corrected.unused


def test_every_door_gives_it(opened, corpus, tmp_path, pincite):
    library = opened[0]
    review = corrected(opened)
    when = f"corrected by the reviewer Ada on {review.at[:10]}"
    query = library.query(ASKED)
    assert (
        library.answer(query)
        == library.outcome(query).answer
        == next(library.answer_many([query]))
    )
    others = [
        library.query("How many employees did Fabrikam Docks have?"),
        query,
        library.query("Who chairs Contoso Tugs?"),
    ]
    assert [one.corrected is not None for one in library.answer_many(others)] == [
        False,
        True,
        False,
    ]
    assert tool(library, ASKED)["corrected"]["said"].startswith(when)
    assert explained(library, query, {})[1]["found"] == []
    (event,) = [one for one in Conversation(library).turn(ASKED) if isinstance(one, Answered)]
    assert event.answer.corrected.by == "Ada"
    code, out, _ = pincite("ask", ASKED, "--corpus", corpus)
    assert code == 0 and "731 thousand EUR" in out and when in " ".join(out.split())
    told = json.loads(pincite("ask", ASKED, "--corpus", corpus, "--json")[1])
    assert (told["value"], told["corrected"]["used"], told["corrected"]["by"]) == (
        731_000,
        True,
        "Ada",
    )
    (tmp_path / "asked.jsonl").write_text(json.dumps({"id": "1", "question": ASKED}))
    pincite("batch", tmp_path / "asked.jsonl", "--corpus", corpus, "--out", tmp_path / "run.jsonl")
    (row,) = map(json.loads, (tmp_path / "run.jsonl").read_text().splitlines())
    assert row["value"] == 731_000 and row["corrected"]["review"] == review.id


def test_a_test_set_asks_the_system_and_not_its_reviewers(opened, corpus, tmp_path, pincite):
    corrected(opened)
    (row,) = question_rows(corpus)
    assert row["answer_num"] == "731000"
    pincite("review", "export", "--corpus", corpus, "--out", tmp_path / "gold.jsonl")
    pincite("batch", tmp_path / "gold.jsonl", "--corpus", corpus, "--out", tmp_path / "run.jsonl")
    (made,) = map(json.loads, (tmp_path / "run.jsonl").read_text().splitlines())
    assert made["value"] == 5_410_000 and "corrected" not in made


def test_a_correction_to_nothing_refuses(opened, corpus, pincite):
    corrected(opened, "N/A", place=None, note="the figure is of another firm")
    answer = opened[0].ask(ASKED)
    assert answer.value is None and answer.reason.startswith("corrected by the reviewer Ada on ")
    assert answer.reason.endswith("the figure is of another firm") and not answer.citations
    code, out, _ = pincite("ask", ASKED, "--corpus", corpus)
    assert (
        code == 0
        and "N/A" in out
        and " ".join(out.split()).count("corrected by the reviewer Ada") == 1
    )


def test_a_word_without_a_place_says_that_it_is_one(opened):
    corrected(opened, "5,401 thousand EUR", place=None)
    answer = opened[0].ask(ASKED)
    assert answer.text == "5,401 thousand EUR" and not answer.citations and not answer.checks
    assert "the reviewer's word; no place is cited" in answer.corrected.said


def test_the_newest_is_used_and_a_withdrawn_one_is_gone(opened, corpus, pincite):
    library, first, _ = opened
    corrected(opened)
    corrected(opened, "732 thousand EUR", by="Bo", place=None)
    assert library.ask(ASKED).text == "732 thousand EUR"
    mine = library.keep([library.ask(ASKED)])[0]
    accept(library.corpus, mine, "Cy")  # what is accepted is the correction itself
    assert library.ask(ASKED).corrected.by == "Bo"
    code, out, _ = pincite("review", "withdraw", mine, "--corpus", corpus, "--by", "Bo")
    assert code == 0 and "withdrew" in out
    assert library.ask(ASKED).text == "5,410 thousand EUR" and question_rows(corpus) == []
    code, _, told = pincite("review", "withdraw", mine, "--corpus", corpus)
    assert code == 2 and "nothing to withdraw" in told
    corrected(opened)
    accept(library.corpus, first, "Cy")  # the answer was right
    assert library.ask(ASKED).corrected is None
    assert [one.action for one in reviews(corpus)][-1] == "accept"


def test_a_document_that_changed_takes_its_corrections_along(opened, files, corpus, pincite):
    corrected(opened)
    (files / "other.md").write_text(
        "# Fabrikam Docks annual report 2023\n\nFabrikam Docks had 9 employees.\n"
    )
    index(files, corpus)
    assert (
        Library(corpus, Settings()).ask(ASKED).text == "731 thousand EUR"
    )  # another document is no matter
    was = (files / "contoso.md").read_text()
    (files / "contoso.md").write_text(REPORT.format(chair="Bo Lind", revenue="5,411"))
    index(files, corpus)
    answer = Library(corpus, Settings()).ask(ASKED)
    assert (
        answer.text == "5,411 thousand EUR"
        and answer.corrected.unused == "contoso.md has changed since"
    )
    code, out, _ = pincite("ask", ASKED, "--corpus", corpus)
    assert code == 0 and "is not used: contoso.md has changed since" in " ".join(out.split())
    told = json.loads(pincite("ask", ASKED, "--corpus", corpus, "--json")[1])
    assert told["value"] == 5_411_000 and not told["corrected"]["used"]
    (files / "contoso.md").write_text(was)
    index(files, corpus)
    assert Library(corpus, Settings()).ask(ASKED).text == "731 thousand EUR"  # the same bytes
    (files / "contoso.md").unlink()
    index(files, corpus)
    assert (
        "contoso.md is no longer in the corpus"
        in Library(corpus, Settings()).ask(ASKED).corrected.unused
    )


def test_a_word_goes_with_the_document_that_was_wrong(opened, files, corpus):
    corrected(opened, "N/A", place=None)
    (files / "contoso.md").write_text(REPORT.format(chair="Ada Holm", revenue="5,411"))
    index(files, corpus)
    answer = Library(corpus, Settings()).ask(ASKED)
    assert (
        answer.text == "5,411 thousand EUR"
        and answer.corrected.unused == "contoso.md has changed since"
    )


def test_a_place_that_says_something_else_is_read_again(opened, corpus):
    library = opened[0]
    corrected(opened)
    db = sqlite3.connect(corpus / "reviews.sqlite")
    (content,) = db.execute("SELECT content FROM reviews").fetchone()
    forged = content.replace('"value":"731"', '"value":"737"')
    assert forged != content
    db.execute(
        "INSERT INTO reviews (topic, answer, content) SELECT topic, answer, ? FROM reviews",
        (forged,),
    )
    (question,) = db.execute("SELECT question FROM asked").fetchone()
    db.execute("INSERT INTO asked VALUES (2, ?)", (question,))
    db.commit()
    answer = library.ask(ASKED)
    assert (
        answer.text == "5,410 thousand EUR"
        and "its place was read again" in answer.corrected.unused
    )


def test_reviews_of_before_questions_had_an_index_are_found(opened, corpus):
    library = opened[0]
    corrected(opened)
    db = sqlite3.connect(corpus / "reviews.sqlite")
    db.execute("DROP TABLE asked")
    db.commit()
    assert library.ask(ASKED).text == "731 thousand EUR"
    corrected(opened, "732 thousand EUR", place=None)
    assert db.execute("SELECT count(*) FROM asked").fetchone() == (2,)
    assert library.ask(ASKED).text == "732 thousand EUR"


def test_where_nothing_was_reviewed_nothing_is_opened(opened, corpus, monkeypatch):
    monkeypatch.setattr(
        "pincite.records.review.review_log.connect_kept",
        lambda *_: pytest.fail("reviews were opened"),
    )
    assert opened[0].ask(ASKED).value is not None and not (corpus / "reviews.sqlite").exists()


def test_a_bundle_reads_a_correction_again(opened, tmp_path):
    library = opened[0]
    corrected(opened)
    read = library.keep([library.ask(ASKED)])[0]
    bundle(library, [read], tmp_path / "read.zip")
    assert verify(tmp_path / "read.zip").ok
    assert (
        "corrected by the reviewer Ada"
        in zipfile.ZipFile(tmp_path / "read.zip").read("index.html").decode()
    )
    corrected(opened, "5,401", place=None)
    word = library.keep([library.ask(ASKED)])[0]
    bundle(library, [word], tmp_path / "word.zip")
    assert verify(tmp_path / "word.zip").ok


def test_a_box_that_holds_no_text_is_cited(fresh_corpus, tmp_path):
    own = Library(fresh_corpus, Settings())
    asked = "What was the income tax expense of Halvorsen Maritime in 2023?"
    identity = own.keep([own.ask(asked)])[0]
    place = place_box(own.corpus, "halvorsen-annual-report-2023.pdf", 1, (590.0, 1.0, 594.0, 3.0))
    correct(own.corpus, identity, "Ada", "12 EUR", place=place)
    answer = own.ask(asked)
    assert answer.text == "12 EUR" and answer.citations == (place,) and not answer.checks
    bundle(own, own.keep([answer]), tmp_path / "box.zip")
    assert verify(tmp_path / "box.zip").ok
    withdraw(own.corpus, identity, "Ada")
    assert own.ask(asked).corrected is None
