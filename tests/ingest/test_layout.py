from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.ingest.layout.page_layout import layout
from pincite.ingest.raw_page import Block, RawPage, Word
from pincite.types import Cell, Table

WIDE = 5.0  # every letter is half of the 10 point size


def line(
    text: str, x: float, y: float, size: float = 10.0, bold: bool = False, angle: int = 0
) -> list[Word]:
    """The words of a line whose top is at y, letters half as wide as the size."""
    words = []
    for token in text.split():
        width = len(token) * size / 2
        words.append(Word(token, (x, y, x + width, y + 0.96 * size), size, bold, False, angle))
        x += width + size / 2
    return words


def page(*lines: list[Word], **more) -> RawPage:
    return RawPage(1, 600.0, 800.0, tuple(word for words in lines for word in words), **more)


def paragraph(texts: list[str], x: float, y: float, **style) -> list[Word]:
    return [word for at, text in enumerate(texts) for word in line(text, x, y + 12 * at, **style)]


def texts(blocks: tuple[Block, ...]) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in blocks]


LEFT = [
    "the cat sat upon the mat and",
    "it did not move for a very",
    "long time because it was as",
    "tired as a cat can be today.",
]
RIGHT = [
    "a dog came in and looked at",
    "the cat that did not move in",
    "any way and went out again",
    "to see what was there now.",
]


def test_two_columns_are_read_one_after_the_other_below_a_wide_title() -> None:
    raw = page(
        line("A Title That Spans The Page", 60, 50, size=18, bold=True),
        paragraph(LEFT, 50, 100),
        paragraph(RIGHT, 320, 100),
    )
    assert texts(layout(raw).blocks) == [
        ("heading", "A Title That Spans The Page"),
        ("paragraph", " ".join(LEFT)),
        ("paragraph", " ".join(RIGHT)),
    ]


def test_the_order_of_the_content_stream_does_not_matter() -> None:
    words = [*paragraph(LEFT, 50, 100), *paragraph(RIGHT, 320, 100)]
    straight = layout(RawPage(1, 600.0, 800.0, tuple(words)))
    backward = layout(RawPage(1, 600.0, 800.0, tuple(words[::-1])))
    assert texts(straight.blocks) == texts(backward.blocks)


def test_rows_of_a_table_without_rules_stay_lines() -> None:
    raw = page(
        line("Revenue", 50, 100) + line("120 110", 400, 100),
        line("Costs of goods sold", 50, 112) + line("80 75", 400, 112),
        line("Profit", 50, 124) + line("40 35", 400, 124),
        line("Margin", 50, 136) + line("33% 32%", 400, 136),
    )
    assert [block.text for block in layout(raw).blocks] == [
        "Revenue 120 110\nCosts of goods sold 80 75\nProfit 40 35\nMargin 33% 32%"
    ]


def test_lines_and_starts_point_into_the_text() -> None:
    raw = page(
        paragraph(
            ["Sales grew in every mar-", "ket of the long-", "term plan that we made."], 50, 100
        )
    )
    (block,) = layout(raw).blocks
    assert block.text == "Sales grew in every market of the long-term plan that we made."
    assert block.starts == (0, 23, 39)
    assert block.text[23:].startswith("ket of the") and block.text[39:].startswith("term plan")
    assert block.lines[1] == (50.0, 112.0, 50.0 + 16 * WIDE, 121.6)


def test_a_hyphen_stays_where_the_page_has_the_hyphenated_word() -> None:
    raw = page(
        paragraph(
            ["We use a low-", "cost carrier, and low-cost carriers use a re-", "gional airport."],
            50,
            100,
        )
    )
    (block,) = layout(raw).blocks
    assert block.text == "We use a low-cost carrier, and low-cost carriers use a regional airport."


def test_paragraphs_part_at_indents_and_white_space() -> None:
    first = [
        "This is the first paragraph of the page and",
        "it goes on for a whole line and a half.",
    ]
    second = [
        "The second one begins with an indented line",
        "and it ends here on its own second line.",
    ]
    third = [
        "The third has white space above its lines and",
        "it is the last one of this little page.",
    ]
    raw = page(
        paragraph(first, 50, 100),
        line(second[0], 65, 124) + line(second[1], 50, 136),
        paragraph(third, 50, 160),
    )
    assert [block.text for block in layout(raw).blocks] == [
        " ".join(first),
        " ".join(second),
        " ".join(third),
    ]


def test_lists_captions_headings_and_footnotes() -> None:
    body = [
        "Here is some body text that fills the line well",
        "and another line so that its size is the common one.",
    ]
    raw = page(
        line("2.1 Method", 50, 60, bold=True),
        paragraph(body, 50, 80),
        paragraph(["\u2022 the first item of", "\u2022 the second item"], 60, 120),
        line("Table 3. What was measured and where", 50, 160),
        paragraph(body, 50, 190),
        line("1 A note in small type.", 50, 740, size=7),
    )
    assert [block.kind for block in layout(raw).blocks] == [
        "heading", "paragraph", "list", "caption", "paragraph", "footnote",
    ]  # fmt: skip
    assert layout(raw).blocks[2].text == "\u2022 the first item of\n\u2022 the second item"


def test_a_sentence_about_a_figure_is_no_caption() -> None:
    raw = page(
        paragraph(
            [
                "Figure 2 shows the effect of the change in price on",
                "the volume that was sold in the year.",
            ],
            50,
            100,
        )
    )
    assert [block.kind for block in layout(raw).blocks] == ["paragraph"]


def test_words_in_a_table_belong_to_its_block_only() -> None:
    table = Table(
        (Cell(0, 0, "Year"), Cell(0, 1, "Sales"), Cell(1, 0, "2020"), Cell(1, 1, "12")),
        page=1,
        box=(45.0, 95.0, 300.0, 130.0),
    )
    raw = page(
        line("Before it stands a line of text.", 50, 60),
        line("Year Sales", 50, 100),
        line("2020 12", 50, 112),
        line("After it stands another line of text.", 50, 150),
    )
    blocks = layout(raw, [table]).blocks
    assert texts(blocks) == [
        ("paragraph", "Before it stands a line of text."),
        ("table", "Year | Sales\n2020 | 12"),
        ("paragraph", "After it stands another line of text."),
    ]
    assert blocks[1].table is table and blocks[1].lines == (table.box,)


def test_a_raised_mark_is_no_part_of_its_line() -> None:
    words = line("grew by half", 50, 100)
    mark = Word("2", (108.0, 98.0, 111.0, 104.0), 6.0, superscript=True)
    raw = page([*words[:2], *line("half", 88, 100), mark, *line("in the year", 116, 100)])
    assert [block.text for block in layout(raw).blocks] == ["grew by half in the year"]


def test_a_page_written_sideways_is_read_in_its_own_direction() -> None:
    upright = [*paragraph(LEFT, 50, 100)]
    # turned a quarter to the left: what was at (x, y) from the top left is now at (y, 800 - x)
    turned = [
        Word(w.text, (w.box[1], 800 - w.box[2], w.box[3], 800 - w.box[0]), w.size, angle=90)
        for w in upright
    ]
    (block,) = layout(page(turned)).blocks
    assert block.text == " ".join(LEFT)
    assert block.lines[0] == (100.0, 800 - 50 - 28 * WIDE, 109.6, 750.0)


def test_right_to_left_words_are_read_from_the_right() -> None:
    words = [
        Word("\u05e9\u05dc\u05d5\u05dd", (200.0, 100.0, 220.0, 110.0), 10.0),
        Word("\u05e2\u05d5\u05dc\u05dd", (170.0, 100.0, 195.0, 110.0), 10.0),
    ]
    assert (
        layout(page(words)).blocks[0].text == "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd"
    )


def test_pages_without_words() -> None:
    assert layout(RawPage(3, 600.0, 800.0)).blocks == ()
    assert texts(layout(RawPage(3, text=" only text ")).blocks) == [("paragraph", "only text")]
    figure = layout(RawPage(1, 600.0, 800.0, pictures=((50.0, 50.0, 300.0, 300.0),))).blocks
    assert texts(figure) == [("figure", "")]


boxes = st.tuples(st.integers(0, 550), st.integers(0, 780), st.integers(1, 50), st.integers(5, 20))
words_strategy = st.lists(
    st.builds(
        lambda text, at, bold, angle: Word(
            text,
            (float(at[0]), float(at[1]), float(at[0] + at[2]), float(at[1] + at[3])),
            float(at[3]),
            bold,
            False,
            angle,
        ),
        st.text(alphabet="abcXYZ19.-(", min_size=1, max_size=8),
        boxes,
        st.booleans(),
        st.sampled_from([0, 0, 0, 90, 270, 45]),
    ),
    max_size=40,
)


@settings(max_examples=60)
@given(words_strategy)
def test_no_letter_is_lost_or_made_up(words: list[Word]) -> None:
    blocks = layout(RawPage(1, 600.0, 800.0, tuple(words))).blocks
    given_letters = sorted(letter for word in words for letter in word.text if letter.isalnum())
    assert (
        sorted(letter for block in blocks for letter in block.text if letter.isalnum())
        == given_letters
    )
    for block in blocks:
        assert len(block.lines) == len(block.starts)
        assert (
            list(block.starts) == sorted(block.starts)
            and block.starts[0] == 0
            and block.starts[-1] <= len(block.text)
        )


def test_words_that_no_cell_of_a_table_holds_are_not_lost() -> None:
    cells = tuple(
        Cell(
            at,
            column,
            text,
            box=(50 + 100 * column, 100 + 12 * at, 90 + 100 * column, 110 + 12 * at),
        )
        for at, row in enumerate((("Year", "Sales"), ("2020", "12")))
        for column, text in enumerate(row)
    )
    table = Table(cells, page=1, box=(45.0, 95.0, 300.0, 130.0))
    through = line("stray", 100, 106)
    blocks = layout(
        page(line("Year", 50, 100), line("Sales", 150, 100), through, line("2020", 50, 112)),
        [table],
    ).blocks
    assert [block.text for block in blocks if block.table is None] == ["stray"]


def test_labels_in_the_margin_are_read_before_the_text_beside_them() -> None:
    body = ["The first part tells of ships that", "were built in that year and of what", "they cost the yards that built them.",
            "It tells of ports as well, and of who", "owns them today in the north."]  # fmt: skip
    raw = page(
        line("Ships and", 40, 100, bold=True),
        line("harbours", 40, 112, bold=True),
        paragraph(body, 200, 100),
        line("Water and", 40, 200, bold=True),
        line("energy", 40, 212, bold=True),
        paragraph(body, 200, 200),
    )
    found = [block.text for block in layout(raw).blocks]
    assert [found.index("Ships and harbours"), found.index("Water and energy")] == [0, 2]
    assert found[1] == found[3] == " ".join(body)
