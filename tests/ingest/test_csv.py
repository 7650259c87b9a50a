import pytest

from pincite.errors import SourceError
from pincite.ingest.office.csvfile import delimiter_of
from pincite.ingest.office.record_sheets import is_relation
from tests.ingest.office import found, read, tables, texts


def test_a_table_has_cells_with_addresses(tmp_path):
    data = "Ort;Einwohner;Fläche (km²)\nKöln;1.084.831;405,0\nBonn;336.465;141,1\n".encode(
        "cp1252"
    )
    document = read(tmp_path / "towns.csv", data)
    (table,) = tables(document)
    assert document.title == "towns"
    assert found(table, "Bonn", "Einwohner") == ("336.465", "cells B3")
    assert found(table, "Köln", "Fläche (km²)") == ("405,0", "cells C2")


def test_quoted_cells_hold_delimiters_and_line_breaks(tmp_path):
    (table,) = tables(read(tmp_path / "a.csv", b'Name,Note\n"Ann, Bo","two\nlines"\nCy,x\n'))
    assert found(table, "Ann, Bo", "Note") == ("two lines", "cells B2")
    assert found(table, "Cy", "Note") == ("x", "cells B3")


def test_lines_before_the_table_are_its_caption(tmp_path):
    data = b"Emissions\n(in thousands of tonnes),,\n\nSite,2023,2022\nLund,5,4\nUme,6,7\n"
    (table,) = tables(read(tmp_path / "a.csv", data))
    assert (table.table.caption, table.table.scale) == ("Emissions (in thousands of tonnes)", 1000)
    assert found(table, "Ume", "2022") == ("7", "cells C6")


@pytest.mark.parametrize(
    ("text", "delimiter"),
    [
        ("a;b\n1,5;2,5", ";"),
        ("a\tb\n1\t2", "\t"),
        ("a|b|c\n1|2|3", "|"),
        ("a,b\n1,2", ","),
        ("word", ","),
    ],
)
def test_the_delimiter_is_told_from_the_lines(text, delimiter):
    assert delimiter_of(text.split("\n")) == delimiter


def test_excel_may_say_the_delimiter(tmp_path):
    (table,) = tables(read(tmp_path / "a.csv", b"sep=|\nName|Size\na|1\n"))
    assert found(table, "a", "Size") == ("1", "cells B3")


def test_a_file_without_a_table_is_text_and_one_without_text_is_an_error(tmp_path):
    assert texts(read(tmp_path / "a.csv", b"just a line\n"), "paragraph") == ["just a line"]
    with pytest.raises(SourceError, match="not text"):
        read(tmp_path / "b.csv", bytes(range(256)) * 40)


@pytest.mark.parametrize(
    ("text", "relation"),
    [
        ("Name,Size\na,1\nb,2\n", True),
        ("Name,Size\n" + "a,1\n" * 1200, True),
        ("Sizes in thousands\n\nName,Size\na,1\n", False),
        ("Name,Size\na,1\n\n\n\nTown,People,Year\nx,3,2020\n", False),
        ("Revenue,12\nCosts,8\n", False),
        ("just words\n", False),
    ],
)
def test_records_are_told_from_reports(tmp_path, text, relation):
    (tmp_path / "a.csv").write_text(text, encoding="utf-8")
    assert is_relation(tmp_path / "a.csv") == relation
