from pathlib import Path

import pytest

from pincite.ingest.raw_page import Block
from pincite.ingest.textfile import (
    markdown_blocks,
    markdown_pages,
    read_text,
    text_blocks,
    text_pages,
)
from pincite.ingest.tree import build


def shown(blocks: list[Block]) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in blocks]


PROSE = """\
The factory was built in the north of the country and
it employs many people from the villages around. Produc-
tion began in the spring.
A second plant was opened a few years later, and it was
larger than the first in every way that counts."""


def test_wrapped_lines_join_and_paragraphs_part() -> None:
    blocks = text_blocks(PROSE)
    assert shown(blocks) == [
        (
            "paragraph",
            "The factory was built in the north of the country and it employs many people from the villages around. "
            "Production began in the spring.",
        ),
        (
            "paragraph",
            "A second plant was opened a few years later, and it was larger than the first in every way that counts.",
        ),
    ]
    assert blocks[0].starts == (0, 54, 109) and blocks[0].lines == (None, None, None)


def test_rows_keep_their_lines_with_the_labels_above_them() -> None:
    text = (
        PROSE
        + "\nPlant output\nYear North South\n2019 120 80\n2020 130 95\n2021 n/a 99\nTable 1: Output of both plants\n"
        + PROSE
    )
    assert shown(text_blocks(text))[2:4] == [
        ("paragraph", "Plant output\nYear North South\n2019 120 80\n2020 130 95\n2021 n/a 99"),
        ("caption", "Table 1: Output of both plants"),
    ]


def test_headings_by_number_and_by_name() -> None:
    text = f"A Title\nAbstract\n{PROSE}\n1 Introduction\n{PROSE}\n2.1 How it was done in both plants\n{PROSE}"
    headings = [
        (block.text, block.level) for block in text_blocks(text) if block.kind == "heading"
    ]
    assert headings == [
        ("Abstract", 1),
        ("1 Introduction", 1),
        ("2.1 How it was done in both plants", 2),
    ]


def test_a_table_of_contents_is_not_headings() -> None:
    text = (
        PROSE
        + "\n1 Introduction\n2 Carbon and Energy\n3 Water and Land\n4 People and Places\n"
        + PROSE
    )
    assert [block.kind for block in text_blocks(text) if block.kind == "heading"] == []


def test_pictures_are_figures_not_prose() -> None:
    blocks = text_blocks(
        "Before it.\n[Image page=1 idx=2 name=Im0.jpg] Size: 10x20, Data: 99 bytesAfter it."
    )
    assert shown(blocks) == [
        ("paragraph", "Before it."),
        ("figure", ""),
        ("paragraph", "After it."),
    ]


def test_long_lines_are_paragraphs_of_their_own() -> None:
    first, second = "word " * 60, "other " * 60
    assert shown(text_blocks(first + "\n" + second)) == [
        ("paragraph", first.strip()),
        ("paragraph", second.strip()),
    ]


def test_form_feeds_part_pages(tmp_path: Path) -> None:
    path = tmp_path / "pages.txt"
    path.write_text("One.\n\fTwo.\n\f\fFour.\f", encoding="utf-8")
    pages = list(text_pages(path))
    assert [(page.number, shown(list(page.blocks))) for page in pages] == [
        (1, [("paragraph", "One.")]),
        (2, [("paragraph", "Two.")]),
        (3, []),
        (4, [("paragraph", "Four.")]),
    ]
    document = build("ab" * 32, "pages.txt", "text/1", pages)
    assert [node.anchor.spots for node in document.nodes if node.kind == "paragraph"] == [
        ((1, None),),
        ((2, None),),
        ((4, None),),
    ]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_encodings(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "text.txt"
    path.write_bytes("Zürich – 5 €\r\nand on".encode(encoding))
    assert read_text(path) == "Zürich – 5 €\nand on"


def test_bytes_that_are_no_text_do_not_stop_the_run(tmp_path: Path) -> None:
    path = tmp_path / "text.txt"
    path.write_bytes(b"ok \x81\xff\x00 end")
    assert read_text(path).startswith("ok ")


MARKDOWN = """\
# Report

Some *plain* text with a [link](http://example.org)
that is **wrapped**.

## Figures

- one
- two

Table 2: Sales

| Year | Sales |
|------|------:|
| 2020 | 1,2\\|3 |
| 2021 | 14 |

```
a = 1
b = 2
```

Setext
------
Last.
"""


def test_markdown() -> None:
    blocks = markdown_blocks(MARKDOWN)
    assert shown(blocks) == [
        ("heading", "Report"),
        ("paragraph", "Some *plain* text with a link that is wrapped."),
        ("heading", "Figures"),
        ("list", "- one\n- two"),
        ("caption", "Table 2: Sales"),
        ("table", "Year | Sales\n2020 | 1,2|3\n2021 | 14"),
        ("paragraph", "a = 1\nb = 2"),
        ("heading", "Setext"),
        ("paragraph", "Last."),
    ]
    assert [block.level for block in blocks if block.kind == "heading"] == [1, 2, 2]
    table = blocks[5].table
    assert table is not None and table.caption == "Table 2: Sales"
    assert [(cell.row, cell.column, cell.text) for cell in table.cells][2:4] == [
        (1, 0, "2020"),
        (1, 1, "1,2|3"),
    ]


def test_markdown_sections(tmp_path: Path) -> None:
    path = tmp_path / "report.md"
    path.write_text(MARKDOWN, encoding="utf-8")
    document = build("ab" * 32, "report.md", "markdown/1", markdown_pages(path))
    assert document.title == "Report"
    paths = {
        node.text: node.anchor.path
        for node in document.nodes
        if node.kind in ("paragraph", "list")
    }
    assert paths["- one\n- two"] == "Report > Figures" and paths["Last."] == "Report > Setext"
