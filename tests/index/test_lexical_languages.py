"""Rows in other languages than English: stems, questions in several, compounds; and that English is what it was."""

import numpy as np
import pytest

from pincite.ingest.raw_page import Block, Page
from pincite.ingest.tree import build
from pincite.search.index.document_views import Pages
from pincite.search.index.lexical import Lexical
from pincite.search.index.shelf import Shelf
from pincite.search.index.tokens import split, tokens
from pincite.types import Entry

ROWS = [
    ("The inspections of the boilers were carried out in 2021.", ("en",)),
    ("Die Prüfungen der Kessel und der Verbrauch von Wasser wurden 2021 gemessen.", ("de",)),
    ("Der Wasserverbrauch je Haushalt sank.", ("de",)),
    ("Provningarna av pannorna gjordes under 2021.", ("sv",)),
]


def opened(tmp_path, rows=ROWS, **settings):
    index = Lexical(**settings)
    entries = [
        Entry(f"n{at}", "v", text, languages=() if codes == ("en",) else codes)
        for at, (text, codes) in enumerate(rows)
    ]
    index.build(entries, tmp_path / "index")
    return index.open(tmp_path / "index")


def rows(searcher, question):
    return [hit.row for hit in searcher.search([question], 9)[0]]


def test_terms_are_stemmed_as_their_language():
    assert tokens("die Prüfungen der Kessel", "de") == tokens("Prüfung Kessel", "de")
    assert tokens("provningarna av pannorna", "sv") == tokens("provning panna", "sv")
    assert tokens("1.234,5 t CO2e und FY2018", "de") == ["1.234,5", "t", "co2e", "fy2018", "2018"]


def test_a_question_typed_without_accents_finds_what_is_written_with_them(tmp_path):
    assert tokens("försäljningar", "sv") == tokens("forsaljning", "sv") == ["forsaljning"]
    assert tokens("café") == ["café"]
    assert rows(
        opened(tmp_path, [("Åkerns mätningar", ("sv",)), ("Annat", ("sv",))]), "akern matning"
    ) == [0]


def test_a_question_finds_other_forms_of_its_words(tmp_path):
    searcher = opened(tmp_path)
    assert searcher.languages == ("de", "en", "sv")
    assert rows(searcher, "Prüfung des Kessels")[0] == 1
    assert rows(searcher, "provning av panna")[0] == 3
    assert rows(searcher, "boiler inspection")[0] == 0
    assert set(rows(searcher, "2021")) == {0, 1, 3}


def test_stop_words_of_the_question_are_no_terms_of_other_languages(tmp_path):
    texts = [("A valve of the pump.", ("en",)), ("Das Wort the steht in einem Zitat.", ("de",))]
    searcher = opened(tmp_path, texts)
    assert rows(searcher, "What is the valve of the pump?") == [0]


def test_a_compound_is_found_by_its_parts_and_its_parts_by_it(tmp_path):
    searcher = opened(tmp_path)
    assert set(rows(searcher, "Wasser")) == {1, 2}
    assert rows(searcher, "Wasserverbrauch")[:2] == [2, 1]


def test_a_compound_is_made_of_words_that_the_index_has():
    known = {"wass", "verbrauch", "haushalt", "jahr"}.__contains__
    assert split("wasserverbrauch", "de", known) == ("wass", "verbrauch")
    assert split("haushaltsjahr", "de", known) == ("haushalt", "jahr")
    assert split("haushaltsjahrwasser", "de", known) == ("haushalt", "jahr", "wass")
    assert split("stromverbrauch", "de", known) == ()


def test_terms_that_agree_between_languages_count_once(tmp_path):
    text = "Katalog EBIT 2021"
    alone = opened(tmp_path / "one", [(text, ("de",)), ("Nichts", ("de",))]).scores("EBIT")
    several = opened(tmp_path / "two", [(text, ("de",)), ("Nichts", ("sv",))]).scores("EBIT")
    np.testing.assert_allclose(alone, several)


def test_a_row_in_two_languages_holds_the_stems_of_both_once(tmp_path):
    both = [
        ("Provningarna 2021. The inspections 2021.", ("sv", "en")),
        ("Annat", ("sv",)),
        ("Annat igen", ("sv",)),
    ]
    searcher = opened(tmp_path, both)
    assert rows(searcher, "provning") == rows(searcher, "inspection") == [0]
    once = opened(tmp_path / "once", [("2021 2021 a", ("sv",)), *both[1:]])
    assert len(np.unique(once.rows)) == 3


@pytest.mark.parametrize("bigrams", [False, True])
def test_english_alone_is_what_it_was(tmp_path, bigrams):
    texts = ["The war cost men and art.", "Boilers were inspected in 2021.", "Men att det som är"]
    plain = opened(tmp_path / "plain", [(text, ("en",)) for text in texts], bigrams=bigrams)
    assert plain.languages == ("en",)
    assert not (tmp_path / "plain" / "index" / "whole_rows.npy").exists()
    before = [term for text in texts for term in tokens(text)]
    assert before == [
        "war",
        "cost",
        "men",
        "art",
        "boiler",
        "inspect",
        "2021",
        "men",
        "att",
        "det",
        "som",
        "är",
    ]


def test_a_folder_without_languages_is_of_english(tmp_path):
    opened(tmp_path)
    (tmp_path / "index" / "languages.npy").unlink()
    assert Lexical().open(tmp_path / "index").languages == ("en",)


def test_entries_carry_the_languages_of_their_page():
    said = {
        "de": "Die Gesellschaft ist gewachsen, und der Absatz lag über dem des Vorjahres, das für alle ein gutes war.",
        "en": "The company has grown and its sales were higher than in the year before, which was a good one for all.",
    }
    blocks = [(Block("paragraph", said[code], (None,), (0,)),) for code in ("de", "de", "en")]
    pages = [Page(at, 600, 800, one) for at, one in enumerate(blocks, 1)]
    document = build("a" * 64, "r.pdf", "pdf/1", pages)
    held = Shelf(Lexical(), (Pages(),)).entries(document)
    assert [one.languages for one in held] == [("de",), ("de",), ()]
    english = build("b" * 64, "r.pdf", "pdf/1", pages[2:])
    assert [one.languages for one in Shelf(Lexical(), (Pages(),)).entries(english)] == [()]


def test_what_has_grown_is_what_is_built(tmp_path):
    texts = [
        "Wasser und Verbrauch",
        "Der Wasserverbrauch",
        "water use",
        "Der Stromverbrauch",
        "Strom aus Wasser",
    ]
    codes = [("de",), ("de",), (), ("de",), ("de",)]
    made = [
        Entry(f"n{at}", "v", text, languages=code)
        for at, (text, code) in enumerate(zip(texts, codes, strict=True))
    ]
    index = Lexical()
    index.build(made[:4], tmp_path / "before")
    index.build([made[0], made[2], made[4], made[3]], tmp_path / "whole")
    index.grow([made[4]], tmp_path / "grown", tmp_path / "before", np.array([0, 2, -1, 3]))
    held = {path.name: path.read_bytes() for path in (tmp_path / "whole").iterdir()}
    assert held == {path.name: path.read_bytes() for path in (tmp_path / "grown").iterdir()}
    index.build(made[2:3], tmp_path / "english")
    index.grow([], tmp_path / "left", tmp_path / "before", np.array([2]))
    held = {path.name: path.read_bytes() for path in (tmp_path / "english").iterdir()}
    assert held == {path.name: path.read_bytes() for path in (tmp_path / "left").iterdir()}
