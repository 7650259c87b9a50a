import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.document.table_text import linear
from pincite.search.index.document_views import (
    Pages,
    Tables,
    Tops,
    Whole,
    Windows,
    headed,
    windows,
)
from pincite.types import Anchor, Cell, Document, Node, Table

TABLE = Table(
    cells=(
        Cell(0, 1, "Fiscal year", column_span=2), Cell(1, 1, "2021"), Cell(1, 2, "2020"),
        Cell(2, 0, "Revenue"), Cell(2, 1, "10"), Cell(2, 2, "8"), Cell(3, 0, "Cost"), Cell(3, 1, "4"), Cell(3, 2, ""),
    ),
    header_rows=2,
    caption="Results, in millions",
)  # fmt: skip


def node(id, kind, text, page, parent="p1", table=None):
    return Node(id, kind, text, Anchor("s", ((page, None),)), parent, table=table)


DOCUMENT = Document(
    "reports/ACME_2021_10K.pdf", "v1", title="Annual report", meta={"company": "Acme Corp", "year": "2021"},
    nodes=(
        node("root", "document", "", 1, ""),
        node("p1", "page", "one two three four five six seven", 1, "root"),
        node("h1", "heading", "1 Business", 1), node("a", "paragraph", "one two three.", 1),
        node("s", "sentence", "one two three.", 1, "a"),
        node("p2", "page", " ", 2, "root"),
        node("p3", "page", "eight nine", 3, "root"),
        node("h3", "heading", "2 Results", 3, "p3"), node("t", "table", "Revenue 10 8", 3, "p3", TABLE),
    ),
)  # fmt: skip


def test_windows_inside_pages():
    made = [(entry.node, entry.at, entry.text) for entry in Windows(words=4, overlap=1)(DOCUMENT)]
    assert made == [
        ("p1", 0, "one two three four"), ("p1", 1, "four five six seven"), ("p3", 0, "eight nine"),
    ]  # fmt: skip


def test_header_before_every_window():
    first, *_, last = Windows(words=4, overlap=1, header=True)(DOCUMENT)
    assert (
        first.text
        == "ACME 2021 10K | Annual report | Acme Corp | 2021 | 1 Business\none two three four"
    )
    assert last.text.startswith("ACME 2021 10K | Annual report | Acme Corp | 2021 | 2 Results\n")


def test_pages_leave_out_empty_ones():
    assert [(entry.node, entry.text) for entry in Pages()(DOCUMENT)] == [
        ("p1", "one two three four five six seven"), ("p3", "eight nine"),
    ]  # fmt: skip


def test_whole_sentences_tables():
    assert [entry.node for entry in Whole(("paragraph", "heading"))(DOCUMENT)] == ["h1", "a", "h3"]
    assert [entry.node for entry in Whole(("sentence",))(DOCUMENT)] == ["s"]
    assert [(entry.node, entry.view) for entry in Tables()(DOCUMENT)] == [("t", "table")]


def test_tables_on_their_page():
    assert [(entry.node, entry.at) for entry in Tables(on="page")(DOCUMENT)] == [("p3", 0)]


def test_linear_rows_carry_their_headers():
    assert (
        linear(TABLE)
        == "Results, in millions\nRevenue, Fiscal year 2021: 10; Fiscal year 2020: 8\nCost, Fiscal year 2021: 4"
    )


def test_headed_says_nothing_twice():
    assert headed(Document("notes.txt", "v", title="notes")) == "notes"


def test_overlap_must_be_less_than_the_window():
    with pytest.raises(ValueError, match="overlap 5"):
        list(windows("a b", 5, 5))


@given(st.lists(st.sampled_from("abcdefg"), max_size=40), st.integers(2, 9), st.data())
def test_windows_cover_the_text(words, size, data):
    overlap = data.draw(st.integers(0, size - 1))
    made = [window.split() for window in windows(" ".join(words), size, overlap)]
    rebuilt = [word for at, window in enumerate(made) for word in window[overlap if at else 0 :]]
    assert rebuilt == words
    assert all(len(window) <= size for window in made)


def test_tops_hold_headings_and_first_words():
    assert [entry.text for entry in Tops(words=2)(DOCUMENT)] == [
        "1 Business\none two",
        "2 Results\neight nine",
    ]


def test_windows_of_prose_alone():
    page = node("p1", "page", "before\nRevenue 10 8\nafter Revenue 10 8", 1, "root")
    one = Document(
        "a.pdf", "v", nodes=(page, node("t", "table", "Revenue 10 8", 1, "root", TABLE))
    )
    assert [entry.text for entry in Windows(without=("table",))(one)] == [
        "before after Revenue 10 8"
    ]
    assert [entry.text for entry in Windows()(one)] == ["before Revenue 10 8 after Revenue 10 8"]


def test_tables_and_figures_come_with_what_is_said_about_them():
    one = Document(
        "a.pdf", "v",
        nodes=(
            node("t", "table", "Revenue 10 8", 1, "root", TABLE), node("tc", "caption", "Results, in millions", 1, "t"),
            node("f", "figure", "", 1, "root"), node("fo", "ocr", "0 5 10 TWh", 1, "f"),
            node("fc", "caption", "Figure 1: Use", 1, "f"), node("e", "figure", " ", 1, "root"),
        ),
    )  # fmt: skip
    assert [
        (entry.node, entry.view, entry.text) for entry in Whole(("table", "figure", "ocr"))(one)
    ] == [
        ("t", "table", "Results, in millions\nRevenue 10 8"),
        ("f", "figure", "Figure 1: Use\n0 5 10 TWh"),
        ("fo", "ocr", "0 5 10 TWh"),
    ]
