"""Chunks as passages: of what was found no more than the window, row or sentence, with offsets that stay those of the source."""

import pytest

from pincite.corpus import Corpus
from pincite.evidence.chunk_passages import chunks
from pincite.generate.shown_pieces import pieces_of
from pincite.lines.making import lines_of
from pincite.models.encoder import MiniLM
from pincite.search.index.token_windows import TokenWindows
from pincite.text.language import ENGLISH
from pincite.types import Hit
from pincite.workbench.library import index

REPORT = """# Ships

The fleet has nine ships. Two of them were built in Odense. The oldest one is the Freya.

| Item | 2023 | 2022 |
|---|---|---|
| Assets | | |
| Cash | 41 | 37 |
| Loans | 12 | 15 |

The crew numbers 204 people. Their wages rose by three per cent.
"""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("chunks")
    (folder / "ships.md").write_text(REPORT)
    index(folder / "ships.md", folder / "corpus")
    return Corpus(folder / "corpus")


def nodes(corpus, kind):
    (document,) = corpus.documents
    return [node for node in corpus.page(document.version, 1, without=()) if node.kind == kind]


def hit(node, at=0, view="", score=1.0):
    return Hit(node.id, score, at, ((view, 1, score),))


def told(corpus, windows, *hits, k=10):
    """The text of each chunk, its blocks joined."""
    return [
        " / ".join(one.node.text[slice(*one.part)] if one.part else one.node.text for one in chunk)
        for chunk in chunks(corpus, windows, hits, k)
    ]


def test_a_window_is_the_parts_of_the_blocks_that_it_touches(corpus):
    (page,) = nodes(corpus, "page")
    windows = TokenWindows(MiniLM(), 12, 0, without=("table",))
    found = told(corpus, windows, *(hit(page, at, windows.name) for at in range(5)))
    # 12 tokens each: the windows cover the prose once, cut where they are cut, and hold nothing of the table
    assert " ".join(found).replace(" / ", " ").split() == [
        word
        for line in REPORT.splitlines()
        if "|" not in line
        for word in line.strip("# ").split()
    ]
    assert len(found) > 2 and "wages" not in found[0] and "Ships" not in found[-1]


def test_every_window_of_real_pages_is_shown_as_it_was_indexed(example_corpus):
    corpus = Corpus(example_corpus)
    windows = TokenWindows(MiniLM(), 60, 10, without=("table",))
    entries = [
        entry for one in corpus.documents for entry in windows(corpus.document(one.version))
    ]
    assert len(entries) > 20
    for entry in entries:
        (text,) = told(corpus, windows, Hit(entry.node, 1.0, entry.at, ((windows.name, 1, 1.0),)))
        assert text.replace(" / ", " ").split() == entry.text.split()


def test_a_table_that_a_window_touches_is_whole_and_other_entries_of_a_page_are_the_page(corpus):
    (page,), (table,) = nodes(corpus, "page"), nodes(corpus, "table")
    windows = TokenWindows(MiniLM(), 500, 0)
    (whole,) = chunks(corpus, windows, [hit(page, 0, windows.name)], 5)
    assert [(one.node.kind, one.part) for one in whole] == [
        ("heading", None),
        ("paragraph", None),
        ("table", None),
        ("paragraph", None),
    ]
    narrow = TokenWindows(MiniLM(), 12, 0)
    assert chunks(corpus, narrow, [hit(page, 3, "pages")], 5) == [whole]
    assert chunks(corpus, None, [hit(page, 3, narrow.name)], 5) == [whole]
    (alone,) = chunks(corpus, narrow, [hit(table, 0, "table")], 5)
    assert [(one.node.id, one.part) for one in alone] == [(table.id, None)]


def test_a_row_is_a_line_with_its_headers_and_sections(corpus):
    (table,) = nodes(corpus, "table")
    hits = [hit(table, 3, "row"), hit(table, 2, "row")]
    rows = [lines_of(piece) for piece in pieces_of(corpus, hits, 2, "chunk", ENGLISH)]
    assert [[line.text for line in piece] for piece in rows] == [
        ["Assets > Loans: 2023 = 12; 2022 = 15"],
        ["Assets > Cash: 2023 = 41; 2022 = 37"],
    ]


def test_a_sentence_is_that_part_of_its_paragraph(corpus):
    odense = next(node for node in nodes(corpus, "sentence") if "Odense" in node.text)
    assert told(corpus, None, hit(odense)) == ["Two of them were built in Odense."]
    ((passage,),) = pieces_of(corpus, [hit(odense)], 3, "chunk", ENGLISH)
    assert [line.text for line in lines_of([passage])] == ["Two of them were built in Odense."]
    assert (
        "Freya" in passage.node.text
    )  # the node stays whole: what is cited of it has its own offsets


def test_the_best_are_kept_each_once(corpus):
    (page,), sentences = nodes(corpus, "page"), nodes(corpus, "sentence")
    windows = TokenWindows(MiniLM(), 500, 0)
    hits = [
        hit(sentences[0]),
        hit(page, 0, windows.name),
        hit(sentences[0], 0, "again"),
        hit(sentences[1]),
    ]
    assert [len(chunk) for chunk in chunks(corpus, windows, hits, 3)] == [1, 4, 1]
    assert [len(chunk) for chunk in chunks(corpus, windows, hits, 2)] == [1, 4]
    assert [one.rank for chunk in chunks(corpus, windows, hits, 3) for one in chunk[:1]] == [
        0,
        1,
        2,
    ]
    assert chunks(corpus, windows, [Hit("gone", 1.0)], 3) == []
