"""What reviewers say: kept, read again at its place, the latest in force, and a test set of it."""

import json
import sqlite3
from dataclasses import replace
from decimal import Decimal

import pytest
from PIL import Image

from pincite.cli.main import main
from pincite.errors import UsageError
from pincite.evidence.framed_page import frame
from pincite.lab.scoring.evaluation import evaluate_run
from pincite.quantity import same
from pincite.records.review import (
    accept,
    comment,
    correct,
    in_force,
    place_box,
    place_cell,
    review_to,
    reviews,
    topic_of,
    value_of,
)
from pincite.records.review.reviewed_questions import question_rows
from pincite.records.runfile import write_lines
from pincite.settings import Settings
from pincite.types import Quantity, Query
from pincite.workbench.batch import read_questions
from pincite.workbench.importing import unpack
from pincite.workbench.library import Library
from pincite.workbench.transfer import pack

TAX = "What was the income tax expense of Halvorsen Maritime in 2023?"


@pytest.fixture
def asked(fresh_corpus):
    """A corpus to review, with one answer kept: its library, the answer and its id."""
    library = Library(fresh_corpus, Settings())
    answer = library.ask(TAX)
    return library, answer, library.keep([answer])[0]


def test_the_latest_is_in_force_and_nothing_is_lost(asked):
    library, answer, identity = asked
    accept(library.corpus, identity, "Ada")
    comment(library.corpus, identity, "Bo", "the sign?")
    last = correct(library.corpus, identity, "Bo", "11,706")
    assert in_force(library.corpus.folder) == {topic_of(answer.query): last}
    kept = reviews(library.corpus.folder, answer=identity)
    assert [(one.action, one.by) for one in kept] == [
        ("accept", "Ada"), ("comment", "Bo"), ("correct", "Bo"),
    ]  # fmt: skip
    assert kept[0].value == answer.value and kept[0].at.endswith("Z")
    (library.corpus.folder / "answers.sqlite").unlink()
    assert reviews(library.corpus.folder) == kept  # they stand by themselves
    again = accept(
        Library(library.corpus.folder, Settings()).corpus, library.keep([answer])[0], "Ada"
    )
    assert in_force(library.corpus.folder)[topic_of(answer.query)] == again


def test_reviews_are_only_added(asked):
    library, _, identity = asked
    accept(library.corpus, identity, "Ada")
    db = sqlite3.connect(library.corpus.folder / "reviews.sqlite")
    for statement in ("DELETE FROM reviews", "UPDATE reviews SET topic = ''"):
        with pytest.raises(sqlite3.IntegrityError, match="only added"):
            db.execute(statement)


def test_a_value_at_a_cell_is_read_again(asked):
    library, answer, identity = asked
    node, anchor = answer.citations[0].node, answer.citations[0].anchor
    ((row, column),) = anchor.cells
    place = place_cell(library.corpus, node, row, column)
    assert (place.anchor, place.quote) == (anchor, "(11,706)")
    right = correct(library.corpus, identity, "Ada", "11,706 thousand EUR", place=place)
    assert right.standing == "read" and right.value.amount == 11_706_000
    digits = correct(library.corpus, identity, "Ada", "(11,706)", place=place)
    assert digits.standing == "read" and digits.text == "11,706 thousand EUR"
    wrong = correct(library.corpus, identity, "Ada", "11,760 thousand EUR", place=place)
    assert wrong.standing == "word" and "11,760" in wrong.how and "(11,706)" in wrong.how
    assert review_to(right)["citation"]["page"] == 3


def test_a_box_on_a_page_holds_cells_lines_or_nothing_that_was_read(asked):
    library, answer, identity = asked
    place = answer.citations[0]
    ((page, box),) = place.anchor.spots
    around = (box[0] - 2, box[1] - 2, box[2] + 2, box[3] + 2)
    drawn = place_box(library.corpus, "halvorsen-annual-report-2023.pdf", page, around)
    assert drawn.anchor == place.anchor and drawn.quote == place.quote
    assert (
        correct(library.corpus, identity, "Ada", "11,706 thousand EUR", place=drawn).standing
        == "read"
    )
    asked = library.ask("How many employees did Solvik Energy have at the end of 2023?")
    staff = asked.citations[0]
    page, line = staff.anchor.spots[0]
    prose = place_box(library.corpus, staff.document, page, line)
    assert "2,467 employees" in " ".join(prose.quote.split())
    assert (
        correct(library.corpus, identity, "Ada", "2,467 employees", place=prose).standing == "read"
    )
    empty = place_box(library.corpus, staff.document, 1, (590.0, 1.0, 594.0, 3.0))
    assert empty.quote == "" and empty.anchor.spots == ((1, (590.0, 1.0, 594.0, 3.0)),)
    word = correct(library.corpus, identity, "Ada", "12 EUR", place=empty)
    assert word.standing == "word" and "no text was read in the box" in word.how
    assert isinstance(frame(library.corpus, empty), Image.Image)


def test_places_that_are_none(asked):
    corpus, document = asked[0].corpus, "halvorsen-annual-report-2023.pdf"
    table = next(
        node
        for node in corpus.page(corpus.select((("document", (document,)),))[0].version, 3)
        if node.table
    )
    for call, said in (
        (lambda: place_cell(corpus, "nothing", 0, 0), "no table 'nothing'"),
        (lambda: place_cell(corpus, table.id, 999, 0), "no cell at row 999"),
        (lambda: place_box(corpus, "nothing.pdf", 1, (0, 0, 1, 1)), "no document 'nothing.pdf'"),
        (lambda: place_box(corpus, document, 99, (0, 0, 1, 1)), "has no page 99; it has 4"),
        (lambda: place_box(corpus, document, 1, (5, 0, 5, 1)), "is empty"),
    ):
        with pytest.raises(UsageError) as error:
            call()
        assert said in str(error.value)


@pytest.mark.parametrize(("text", "query", "value"), [
    ("yes", Query("?", expects="boolean"), True), ("N/A", Query("?", expects="number"), None),
    ("Ada Holm; Bo Lind", Query("?", expects="names"), ("Ada Holm", "Bo Lind")),
    ("Ada Holm", Query("?", expects="name"), "Ada Holm"), ("the board decides", Query("?"), "the board decides"),
    ("No", Query("?"), False),
])  # fmt: skip
def test_values_as_they_are_typed(text, query, value):
    assert value_of(text, query) == value


def test_numbers_as_they_are_typed():
    number = Query("?", expects="number")
    assert str(value_of("(1,234.50)", number).value) == "-1234.50"
    million = value_of("1,345", number, "million USD")
    assert same(million, Quantity(Decimal(1345), "USD", Decimal(1_000_000)))
    assert million.unit == "million USD"
    assert same(value_of("1.345 billion USD", number, "million USD"), million)
    assert value_of("2 t CO2e", Query("?")).unit == "t CO2e"
    for text, query in (
        ("many", Query("?", expects="number")), ("maybe", Query("?", expects="boolean")), (" ", Query("?")),
    ):  # fmt: skip
        with pytest.raises(UsageError):
            value_of(text, query)


def test_a_review_needs_a_name_and_something_to_say(asked):
    library, _, identity = asked
    for call, said in (
        (lambda: accept(library.corpus, identity, " "), "the name of who makes it"),
        (lambda: comment(library.corpus, identity, "Ada", " "), "the comment is empty"),
        (lambda: accept(library.corpus, "ffff", "Ada"), "no answer 'ffff' is kept"),
        (lambda: comment(library.corpus, identity, "Ada", "x" * 10_001), "10,001 characters"),
    ):
        with pytest.raises(UsageError) as error:
            call()
        assert said in str(error.value)


def test_reviews_become_the_corpus_own_test_set(asked, tmp_path, monkeypatch, capsys):
    library, answer, identity = asked
    accept(library.corpus, identity, "Ada")
    other = library.ask("How many patents did Halvorsen Maritime hold at the end of 2023?")
    accept(library.corpus, library.keep([other])[0], "Ada")
    third = library.ask("What was the revenue of Halvorsen Maritime in 2022?")
    correct(library.corpus, library.keep([third])[0], "Bo", "1 EUR")
    made = question_rows(library.corpus.folder)
    assert [row["question"] for row in made] == [TAX, other.query.text, third.query.text]
    assert [place["page"] for place in made[0]["evidence"]] == [3]
    assert made[0]["evidence"][0]["doc_id"].startswith("halvorsen-annual-report-2023")
    assert [row["answer_type"] for row in made] == [
        "number", "unanswerable", "number",
    ]  # fmt: skip

    def pincite(*words):
        monkeypatch.setattr("sys.argv", ["pincite", *map(str, words)])
        with pytest.raises(SystemExit) as done:
            main()
        assert done.value.code == 0
        return capsys.readouterr().out

    corpus = ("--corpus", library.corpus.folder)
    pincite("review", "export", *corpus, "--out", tmp_path / "gold.jsonl")
    pincite("batch", tmp_path / "gold.jsonl", *corpus, "--out", tmp_path / "run.jsonl")
    figures = {
        one.metric: (one.value, one.n)
        for one in evaluate_run(tmp_path / "run.jsonl", tmp_path / "gold.jsonl", "typed")
    }
    assert figures["right"] == (0.5, 2) and figures["refused"] == (1.0, 1)
    listed = json.loads(pincite("review", "list", *corpus, "--json"))
    assert [one["action"] for one in listed] == ["accept", "accept", "correct"]
    assert listed[2]["standing"] == "word"


def test_an_exported_question_is_asked_of_what_it_was_asked_of(asked, tmp_path):
    library, _, _ = asked
    where = (("document", ("halvorsen-annual-report-2023.pdf",)), ("year", ("2023", "2024")))
    query = library.query(
        "What was the income tax expense?", where, "number", "million EUR", "2024"
    )
    accept(library.corpus, library.keep([library.answer(query)])[0], "Ada")
    write_lines(tmp_path / "gold.jsonl", question_rows(library.corpus.folder))
    (question,) = read_questions(tmp_path / "gold.jsonl")
    assert question.query(library) == replace(
        query, corrections="ignore"
    )  # a test asks the system, and not its reviewers
    (tmp_path / "bad.jsonl").write_text('{"question": "x", "where": "year=2023"}')
    with pytest.raises(UsageError, match="line 1: where: fields with their values are needed"):
        read_questions(tmp_path / "bad.jsonl")


def test_reviews_go_with_an_exported_corpus(asked, tmp_path):
    library, _, identity = asked
    said = accept(library.corpus, identity, "Ada")
    pack(library.corpus.folder, tmp_path / "all.pincite")
    unpack(tmp_path / "all.pincite", tmp_path / "there")
    assert reviews(tmp_path / "there") == (said,)
