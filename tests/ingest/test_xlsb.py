"""Binary workbooks: records made by hand, which another reader reads as well."""

import random

import pytest
from python_calamine import CalamineWorkbook

from pincite.errors import SourceError
from pincite.ingest.office.xlsbfile import _records, _rk
from tests.formats.format_writers import _typed, _zip
from tests.formats.ole import _binary, xlsb
from tests.ingest.office import found, read, tables, whole

CELLS = {
    (0, 0): "Item",
    (0, 1): "2023",
    (1, 0): "Wages",
    (1, 1): -12.5,
    (2, 0): "Share",
    (2, 1): 0.125,
    (3, 0): "Due",
    (3, 1): 45000.0,
}
FORMATS = {(1, 1): "#,##0.0;(#,##0.0)", (2, 1): "0.0%", (3, 1): "yyyy-mm-dd"}


def test_cells_are_read_as_they_are_displayed(tmp_path):
    (tmp_path / "a.xlsb").write_bytes(_zip(xlsb("Costs", CELLS, FORMATS, [])))
    (table,) = tables(read(tmp_path / "a.xlsb"))
    assert found(table, "Wages", "2023") == ("(12.5)", "Costs!B2")
    assert found(table, "Share", "2023") == ("12.5%", "Costs!B3")
    assert found(table, "Due", "2023") == ("2023-03-15", "Costs!B4")


def test_another_reader_reads_the_same_values(tmp_path):
    cells, formats, merged = _typed()
    (tmp_path / "a.xlsb").write_bytes(_zip(xlsb("Segments", cells, formats, merged)))
    sheet = CalamineWorkbook.from_path(str(tmp_path / "a.xlsb")).get_sheet_by_name("Segments")
    theirs = {
        (row, column + 1): value
        for row, line in enumerate(sheet.to_python())
        for column, value in enumerate(line)
        if value != ""
    }
    assert theirs == cells


def test_numbers_in_32_bits():
    # an integer, one of hundredths, a negative one, and the upper bits of 1.0 and of 1.5 in hundredths
    packed = [100 << 2 | 2, 1234 << 2 | 3, (-7 & 0x3FFFFFFF) << 2 | 2, 0x3FF00000, 0x3FF80000 | 1]
    assert [_rk(one) for one in packed] == [100.0, 12.34, -7.0, 1.0, 0.015]


def test_records_have_kinds_and_sizes_in_groups_of_seven_bits():
    assert list(_records(_binary(617, b"x" * 300) + _binary(5, b""))) == [
        (617, b"x" * 300),
        (5, b""),
    ]


def test_hidden_rows_and_sheets_are_left_out(tmp_path):
    parts = xlsb("Costs", CELLS, FORMATS, [])
    row = _binary(0, (2).to_bytes(4, "little") + bytes(4) + (300).to_bytes(2, "little") + bytes(7))
    hidden = row[:13] + bytes((0x10,)) + row[14:]
    assert row in parts["xl/worksheets/sheet1.bin"]
    body = parts["xl/worksheets/sheet1.bin"].replace(row, hidden)
    (tmp_path / "a.xlsb").write_bytes(_zip({**parts, "xl/worksheets/sheet1.bin": body}))
    assert "Share" not in whole(read(tmp_path / "a.xlsb")) and "Wages" in whole(
        read(tmp_path / "a.xlsb")
    )


def test_a_damaged_one_is_refused_and_never_crashes(tmp_path):
    parts, chance, refused = xlsb("Costs", CELLS, FORMATS, []), random.Random(3), 0
    for _ in range(60):
        name = chance.choice(
            [
                "xl/workbook.bin",
                "xl/worksheets/sheet1.bin",
                "xl/styles.bin",
                "xl/sharedStrings.bin",
            ]
        )
        data = bytearray(parts[name])
        for _ in range(3):
            data[chance.randrange(len(data))] = chance.randrange(256)
        try:
            read(tmp_path / "a.xlsb", _zip({**parts, name: bytes(data)}))
        except SourceError:
            refused += 1
    assert refused
    with pytest.raises(SourceError, match="not a binary workbook"):
        read(tmp_path / "a.xlsb", _zip({"a": b""}))
