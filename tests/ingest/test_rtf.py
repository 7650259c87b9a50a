import pytest

from pincite.errors import SourceError
from tests.ingest.office import found, read, tables, texts, whole

START = r"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset204 X;}{\f2\fcharset128 Y;}}"
START += r"{\stylesheet{\s0 Normal;}{\s1 heading 1;}{\s2 heading 2;}}{\info{\title Gone}}{\header Gone too}"
RULES = (
    START
    + r"""
\pard\s1 Safety\par\pard\s2 Helmets\par\pard\s0 They cost \'a3 25 {\v hidden }each{\super 1}{\footnote\pard Price of 2023.}.\par
{\f1 \'cf\'f0\'e8\'e2\'e5\'f2} {\f2 \'93\'fa\'96\'7b} \u8364? \u-10179?\u-8704? {\*\unknown Gone}\par
{\listtext\'b7\tab}One\par{\listtext\'b7\tab}Two\par
\trowd\trhdr\clmgf\cellx100\clmrg\cellx200\clvmgf\cellx300\pard\intbl Year\cell\cell Note\cell\row
\trowd\cellx100\cellx200\clvmrg\cellx300\pard\intbl 2023\cell 2022\cell\cell\row
\trowd\cellx100\cellx200\cellx300\pard\intbl 14\cell 12\cell x\cell\row\pard After.\page Next page.\par}"""
)


def test_structure_is_kept_and_hidden_text_is_not(tmp_path):
    document = read(tmp_path / "a.rtf", RULES.encode())
    kinds = ("heading", "paragraph", "footnote", "list")
    assert [(node.kind, node.text) for node in document.nodes if node.kind in kinds] == [
        ("heading", "Safety"),
        ("heading", "Helmets"),
        ("paragraph", "They cost £ 25 each."),
        ("footnote", "Price of 2023."),
        ("paragraph", "Привет 日本 € 😀"),
        ("list", "• One\n• Two"),
        ("paragraph", "After."),
        ("paragraph", "Next page."),
    ]
    assert [node.anchor.path for node in document.nodes if node.kind == "section"][
        -1
    ] == "text > Safety > Helmets"
    assert "Gone" not in whole(document)
    assert len(texts(document, "page")) == 2


def test_merged_cells_are_one(tmp_path):
    (table,) = tables(read(tmp_path / "a.rtf", RULES.encode()))
    spans = {
        cell.text: (cell.row, cell.column, cell.row_span, cell.column_span)
        for cell in table.table.cells
    }
    assert spans["Year"] == (0, 0, 1, 2)
    assert spans["Note"] == (0, 2, 2, 1)


def test_values_are_found_by_their_headers(tmp_path):
    text = (
        START
        + r"\trowd\trhdr\cellx1\cellx2\pard\intbl Item\cell 2023\cell\row\trowd\cellx1\cellx2\intbl Gloves\cell 14\cell\row}"
    )
    (table,) = tables(read(tmp_path / "a.rtf", text.encode()))
    assert found(table, "Gloves", "2023")[0] == "14"


def test_raw_bytes_of_pictures_are_passed_over(tmp_path):
    text = START.encode() + rb"Before {\pict\bin8 }}{{\x}}}after.\par}"
    assert texts(read(tmp_path / "a.rtf", text), "paragraph") == ["Before after."]


def test_braces_that_do_not_match_are_forgiven_and_other_files_are_not(tmp_path):
    assert texts(read(tmp_path / "a.rtf", (START + r"{{{ Cut off").encode()), "paragraph") == [
        "Cut off"
    ]
    with pytest.raises(SourceError, match="not an RTF file"):
        read(tmp_path / "b.rtf", b"plain words")
