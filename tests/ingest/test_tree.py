from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from pincite.ingest.cover_hints import hints
from pincite.ingest.layout.furniture import Furniture, without_furniture
from pincite.ingest.raw_page import Block, Page
from pincite.ingest.titles import title_of
from pincite.ingest.tree import anchor_of, build, page_text
from pincite.types import Cell, Document, Node, Table

SOURCE = "ab" * 32


def block(kind: str, *lines: str, y: float = 100.0, **more) -> Block:
    starts, at = [], 0
    for text in lines:
        starts.append(at)
        at += len(text) + 1
    boxes = tuple((50.0, y + 12 * n, 300.0, y + 12 * n + 10) for n in range(len(lines)))
    return Block(kind, " ".join(lines), boxes, tuple(starts), **more)  # type: ignore[arg-type]


def head(text: str, size: float = 12.0, bold: bool = True) -> Block:
    return block("heading", text, size=size, bold=bold)


def pages(*contents: list[Block]) -> list[Page]:
    return [Page(number, 600.0, 800.0, tuple(blocks)) for number, blocks in enumerate(contents, 1)]


def made(*contents: list[Block]) -> Document:
    return build(SOURCE, "report.pdf", "pdf/1", pages(*contents))


def of_kind(document: Document, kind: str) -> list[Node]:
    return [node for node in document.nodes if node.kind == kind]


def test_sections_nest_by_size_and_numbering() -> None:
    document = made(
        [
            head("A Report", 20.0),
            head("1 First"),
            block("paragraph", "One."),
            head("1.1 Below"),
            block("paragraph", "Two."),
        ],
        [
            head("Unnumbered"),
            block("paragraph", "Three."),
            head("2 Second"),
            block("paragraph", "Four."),
        ],
    )
    assert [(node.text, node.anchor.path) for node in of_kind(document, "paragraph")] == [
        ("One.", "A Report > 1 First"),
        ("Two.", "A Report > 1 First > 1.1 Below"),
        ("Three.", "A Report > Unnumbered"),
        ("Four.", "A Report > 2 Second"),
    ]
    assert document.title == "A Report"


def test_items_of_a_filing_stand_under_its_parts() -> None:
    document = made(
        [head("PART I"), head("Item 1. Business"), head("General"), block("paragraph", "Text.")],
        [head("Item 1A. Risk Factors"), block("paragraph", "More.")],
    )
    assert [node.anchor.path for node in of_kind(document, "paragraph")] == [
        "PART I > Item 1. Business > General",
        "PART I > Item 1A. Risk Factors",
    ]


def test_nodes_form_one_tree_in_reading_order() -> None:
    document = made(
        [
            head("1 First"),
            block("paragraph", "One is here. Two is there."),
            block("list", "- a", "- b"),
        ],
        [],
    )
    by_id = {node.id: node for node in document.nodes}
    assert len(by_id) == len(document.nodes)
    assert [node.order for node in document.nodes] == list(range(len(document.nodes)))
    root = document.nodes[0]
    assert root.kind == "document" and root.parent == ""
    assert all(by_id[node.parent].order < node.order for node in document.nodes[1:])
    assert [node.text for node in of_kind(document, "page")] == [
        "1 First\nOne is here. Two is there.\n- a - b",
        "",
    ]
    assert all(
        node.parent == root.id and node.anchor.spots == ((n, None),)
        for n, node in enumerate(of_kind(document, "page"), 1)
    )


def test_sentences_are_anchored_at_the_lines_they_overlap() -> None:
    document = made(
        [block("paragraph", "One is here. Two", "goes over two lines. Three", "is last.")]
    )
    (paragraph,) = of_kind(document, "paragraph")
    lines = paragraph.anchor.spots
    assert paragraph.meta["starts"] == (0, 17, 44)
    assert [(node.text, node.anchor.spots) for node in of_kind(document, "sentence")] == [
        ("One is here.", lines[:1]),
        ("Two goes over two lines.", lines[:2]),
        ("Three is last.", lines[1:]),
    ]


def test_anchor_of_a_span() -> None:
    document = made([block("paragraph", "aaaa bbbb", "cccc dddd", "eeee ffff")])
    (paragraph,) = of_kind(document, "paragraph")
    spots = paragraph.anchor.spots
    assert anchor_of(paragraph, 0, 4).spots == spots[:1]
    assert anchor_of(paragraph, 5, 14).spots == spots[:2]
    assert anchor_of(paragraph, 10, 11).spots == spots[1:2]
    assert anchor_of(paragraph, 0, len(paragraph.text)).spots == spots
    page = of_kind(document, "page")[0]
    assert anchor_of(page, 3, 5) == page.anchor


def test_a_paragraph_that_a_page_break_cuts_is_whole_and_anchored_on_both_pages() -> None:
    document = made(
        [
            block(
                "paragraph",
                "This paragraph is long enough to be one, and it goes on over the end of the com-",
            ),
            block("footnote", "1 Note."),
        ],
        [block("paragraph", "pany page in lower case.")],
    )
    (paragraph,) = of_kind(document, "paragraph")
    assert (
        paragraph.text
        == "This paragraph is long enough to be one, and it goes on over the end of the company page in lower case."
    )
    assert [page for page, _ in paragraph.anchor.spots] == [1, 2]
    assert paragraph.text[paragraph.meta["starts"][1] :] == "pany page in lower case."
    assert [node.text for node in of_kind(document, "page")] == [
        "This paragraph is long enough to be one, and it goes on over the end of the com-\n1 Note.",
        "pany page in lower case.",
    ]


def test_a_caption_stands_under_its_table_and_names_it() -> None:
    table = Table((Cell(0, 0, "a"), Cell(1, 0, "1")), page=1)
    document = made(
        [
            block("caption", "Table 1: What there is"),
            block("table", "a", table=table),
            block("paragraph", "Text."),
        ]
    )
    node = of_kind(document, "table")[0]
    assert node.table is not None and node.table.caption == "Table 1: What there is"
    assert of_kind(document, "caption")[0].parent == node.id
    assert of_kind(document, "paragraph")[0].parent == document.nodes[0].id


def test_ids_depend_on_source_parser_and_place_only() -> None:
    content = [head("1 First"), block("paragraph", "One is here.")]
    document = made(content)
    changed = made([head("1 First"), block("paragraph", "Other words.")])
    assert [node.id for node in document.nodes] == [node.id for node in changed.nodes]
    assert all(len(node.id) == 16 for node in document.nodes)
    other = build("cd" * 32, "report.pdf", "pdf/1", pages(content))
    assert not {node.id for node in document.nodes} & {node.id for node in other.nodes}


def test_title_passes_over_what_every_cover_says() -> None:
    cover = [head("FORM 10-K", 20.0), head("ACME CORP", 18.0), block("paragraph", "Text.")]
    assert title_of(pages(cover)) == "ACME CORP"
    assert (
        title_of(pages([block("paragraph", "First line of it", "and more")]))
        == "First line of it and more"
    )
    assert title_of([]) == ""


def test_running_heads_and_page_numbers_go_and_the_rest_stays() -> None:
    held = pages(
        *(
            [
                block("paragraph", "Acme Annual Report 2020" if n else "ACME", y=20.0),
                block("paragraph", f"Text of page {'abcd'[n]} is here.", y=200.0),
                block("paragraph", str(n + 1), y=770.0),
            ]
            for n in range(4)
        )
    )
    assert [page_text(page) for page in without_furniture(held)] == [
        "ACME\nText of page a is here.",
        "Text of page b is here.",
        "Text of page c is here.",
        "Text of page d is here.",
    ]


def test_furniture_leaves_a_block_without_its_running_line() -> None:
    held = pages(
        *(
            [block("paragraph", "Running head", f"text {'abc'[n]} below it", y=20.0)]
            for n in range(3)
        )
    )
    last = without_furniture(held)[2].blocks[0]
    assert last.text == "text c below it" and last.starts == (0,) and len(last.lines) == 1


def test_a_page_number_goes_wherever_the_page_ends() -> None:
    held = pages(
        *(
            [
                block("paragraph", "Text of a page.", y=100.0),
                block("paragraph", f"{section} | {n}", y=200.0 + 50 * n),
            ]
            for n, section in enumerate(["Cover", "One", "Two", "Three", "Four"])
        )
    )
    assert [page_text(page) for page in without_furniture(held)[1:]] == ["Text of a page."] * 4


def test_a_page_with_nothing_but_its_label_keeps_it() -> None:
    held = pages(*([block("paragraph", str(n), y=770.0)] for n in range(1, 5)))
    assert [page_text(page) for page in without_furniture(held)] == ["1", "2", "3", "4"]


def test_what_stands_at_the_edge_of_two_pages_of_many_is_no_furniture() -> None:
    held = pages(
        *(
            [
                block("paragraph", f"Line {'aabcde'[n]}", y=20.0),
                block("paragraph", "Body.", y=300.0),
            ]
            for n in range(6)
        )
    )
    assert Furniture.of(held).keys == frozenset()


def test_hints_from_a_cover_and_a_file_name() -> None:
    cover = pages(
        [
            head("FORM 10-K", 14.0),
            block("paragraph", "For the fiscal year ended June 30, 2021"),
            head("Acme Widgets, Inc.", 20.0),
            block("paragraph", "(Exact name of registrant as specified in its charter)"),
        ]
    )
    found = hints("filings/ACME_2021_10K.pdf", cover)
    assert found["company"] == "Acme Widgets, Inc."
    assert (found["kind"], found["period"], found["year"]) == ("10-K", "June 30, 2021", "2021")
    assert found["file_words"] == "acme 2021 10k"
    assert hints("x.pdf", []) == {"file_words": "x"}


def test_what_a_cover_a_file_name_and_metadata_tell_together() -> None:
    def told(name: str, *contents: list[Block], title: str = "") -> tuple[str, ...]:
        held = [replace(page, metadata_title=title) for page in pages(*contents)]
        found = hints(name, held)
        return tuple(found.get(key, "") for key in ("title", "company", "kind", "year"))

    inside = [block("paragraph", "The plan was carried out in 2021, as in 2020 and 2019.")]
    cover = [head("Orvik", 30.0), head("Annual Report", 14.0), block("paragraph", "2022")]
    assert told("x.pdf", cover, inside) == ("Orvik Annual Report", "", "annual report", "2022")
    suite = [head("Contents", 24.0), head("Our 2023 reporting suite", 12.0)]
    plain = [block("paragraph", "RioTarn", "Climate Report", "2023")]
    known = ("RioTarn Climate Report 2023", "Rio Tarn", "sustainability report", "2023")
    assert told("Rio Tarn Climate Report 2023.pdf", plain, suite) == known
    told_by_file = told("x.pdf", plain, suite, title="Climate Report 2023")
    assert told_by_file[0] == "Climate Report 2023"
    for wrong in ("Microsoft Word - final.docx", "0001-23-000015", "A template of ours"):
        assert told("x.pdf", plain, suite, title=wrong)[0] == known[0]
    paper = [head("On Kettles", 14.0), head("Abstract", 12.0), head("1 INTRODUCTION", 16.0)]
    assert told("x.pdf", paper) == ("On Kettles", "", "paper", "")
    release = [
        head("Tarn Mills announces second quarter 2023 results", 14.0),
        block("paragraph", "OSLO, May 4, 2024 - Tarn Mills (NYSE: TRN) earned more than in 2022."),
    ]
    named = (
        "Tarn Mills announces second quarter 2023 results",
        "Tarn Mills",
        "press release",
        "2023",
    )
    assert told("x.pdf", release) == named
    part = [block("paragraph", "Kettles in use 9"), head("3.1 Method", 12.0)]
    assert told("x.pdf", part)[0] == "Kettles in use"
    body = [
        block(
            "paragraph",
            "Source: the annual report on form 10-K of another, as said in many words.",
            y=9.0,
        )
    ]
    assert told("x.pdf", [head("Mills", 12.0), *[block("paragraph", "Text.")] * 4, *body])[2] == ""


def test_the_company_is_no_name() -> None:
    told = block(
        "paragraph",
        "In fiscal 2023, the Company closed a mill. In 2023, the Company sold it to Bolt Ltd.",
    )
    assert hints("x.pdf", pages([told]))["company"] == "Bolt Ltd"
    dated = block(
        "paragraph", "At 31 March 2019, the Group had 130.7 Group staff. The Corporation had none."
    )
    assert "company" not in hints("x.pdf", pages([dated]))


@given(
    st.lists(
        st.lists(
            st.sampled_from(["heading", "paragraph", "list", "caption", "table", "figure"]),
            max_size=6,
        ),
        max_size=4,
    )
)
def test_every_block_becomes_a_node_with_its_page(kinds: list[list[str]]) -> None:
    contents = [
        [block(kind, f"Text {n} of {m}.") for n, kind in enumerate(page)]
        for m, page in enumerate(kinds)
    ]
    document = made(*contents)
    for number, page in enumerate(contents, 1):
        for one in page:
            assert any(
                node.kind == one.kind and node.text == one.text and node.anchor.page == number
                for node in document.nodes
            )
