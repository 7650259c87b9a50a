"""Files of tables as databases: separated values of several habits, workbooks, Parquet, folders of them."""

import datetime

import openpyxl
import pytest
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.styles import Font

from pincite.database.database_errors import DatabaseError
from pincite.database.sources.connection import open_source
from pincite.database.sources.database_address import parse
from pincite.database.sources.file_reading import FileReader
from pincite.database.sources.sheet_files import grids, sheets
from pincite.database.sources.table_files import import_files


@pytest.fixture
def folder(tmp_path):
    """A folder with a table in each format."""
    openpyxl = pytest.importorskip("openpyxl")
    (tmp_path / "steel.csv").write_text(
        "Mechanical data;;\nGrade;Sy;Tested\n;MPa;\nS235;235;13.02.2020\nS355;355,5;01.03.2021\nS500;500 max;\n",
        "cp1252",
    )
    (tmp_path / "plain.tsv").write_text("a\tb\n1\tx\n2\ty\n", "utf-8")
    book = openpyxl.Workbook()
    book.active.title = "Prices"
    for row in [
        ["Item", "Price (EUR)", "On"],
        ["café", 1.5, datetime.date(2020, 1, 2)],
        ["tea", 2, datetime.date(2020, 1, 3)],
    ]:
        book.active.append(row)
    stock = book.create_sheet("Stock")
    for row in [["Item", "Count", "Sold out"], ["café", 5, False], ["tea", 0, True]]:
        stock.append(row)
    book.create_sheet("Empty")
    (tmp_path / "more").mkdir()
    book.save(tmp_path / "more" / "shop.xlsx")
    (tmp_path / "~$shop.xlsx").write_bytes(b"locked")
    (tmp_path / ".hidden.csv").write_text("a\n1\n")
    return tmp_path


def test_a_folder_is_a_database(folder):
    with open_source(folder) as source:
        database = source.database
        assert (database.name, database.dialect, database.address) == (
            folder.name,
            "sqlite",
            str(folder),
        )
        assert [(r.name, r.rows) for r in database.relations] == [
            ("Prices", 2),
            ("Stock", 2),
            ("plain", 2),
            ("steel", 3),
        ]
        steel = database.relation("steel")
        assert steel.described == "Mechanical data"
        assert [(c.name, c.type, c.unit) for c in steel.columns] == [
            ("Grade", "text", ""), ("Sy (MPa)", "number", "MPa"), ("Tested", "date", ""),
        ]  # fmt: skip
        assert (steel.column("Tested").low, steel.column("Tested").high) == (
            "2020-02-13",
            "2021-03-01",
        )
        assert source.run(
            'SELECT "Sy (MPa) (as written)" FROM steel WHERE "Sy (MPa)" = 500'
        ).rows == (("500 max",),)
        prices = database.relation("Prices")
        assert [(c.type, c.unit) for c in prices.columns] == [
            ("text", ""),
            ("number", "EUR"),
            ("date", ""),
        ]
        assert source.run("SELECT Item FROM Prices WHERE \"On\" > '2020-01-02'").rows == (
            ("tea",),
        )
        assert [c.type for c in database.relation("Stock").columns] == [
            "text",
            "integer",
            "boolean",
        ]


def test_a_database_of_files_is_not_made_twice_and_never_changed(folder, tmp_path_factory):
    target = tmp_path_factory.mktemp("made")
    first = import_files(parse(folder), target)
    made = first.path.stat().st_mtime_ns
    assert (
        import_files(parse(folder), target).path == first.path
        and first.path.stat().st_mtime_ns == made
    )
    (folder / "plain.tsv").write_text("a\tb\n1\tx\n3\tz\n", "utf-8")
    second = import_files(parse(folder), target)
    assert second.path != first.path and first.path.exists()
    with open_source(f"sqlite:///{second.path}", name="tables") as source:
        assert source.run("SELECT max(a) FROM plain").rows == ((3,),)


def test_files_that_cannot_be_read_are_said_and_the_others_read(folder):
    (folder / "broken.xlsx").write_bytes(b"nonsense")
    with open_source(folder) as source:
        assert len(source.database.relations) == 4
        assert "broken.xlsx cannot be read as a workbook" in source.database.meta["unreadable"]
    with pytest.raises(DatabaseError, match="broken.xlsx cannot be read as a workbook"):
        open_source(folder / "broken.xlsx")
    (folder / "blank.csv").write_text("\n\n")
    with pytest.raises(DatabaseError, match="there is no table in .*: every sheet is empty"):
        open_source(folder / "blank.csv")
    (folder / "none").mkdir()
    with pytest.raises(DatabaseError, match="there are no files of tables below"):
        open_source(folder / "none")


def test_tables_of_one_name_are_told_apart(folder):
    (folder / "more" / "plain.csv").write_text("a\n1\n")
    with open_source(folder) as source:
        assert [r.name for r in source.database.relations if "plain" in r.name] == [
            "plain",
            "plain plain",
        ]


@pytest.mark.parametrize(
    ("name", "content", "rows"),
    [
        ("a.csv", b"a,b\r\n1,\"x, y\"\r\n", [["a", "b"], ["1", "x, y"]]),
        ("a.csv", b'a,b\n1,"two\nlines"\n', [["a", "b"], ["1", "two\nlines"]]),
        ("a.csv", b'a,b\n1,"say \\"x\\""\n', [["a", "b"], ["1", 'say "x"']]),
        ("a.csv", b'a,b\n1,"say ""x"""\n', [["a", "b"], ["1", 'say "x"']]),
        ("a.csv", "a;b\n1;é\n".encode("cp1252"), [["a", "b"], ["1", "é"]]),
        ("a.csv", "\ufeffa;b\n1;2\n".encode(), [["a", "b"], ["1", "2"]]),
        ("a.csv", "a,b\n1,2\n".encode("utf-16"), [["a", "b"], ["1", "2"]]),
        ("a.csv", b"a|b\n1|2\n", [["a", "b"], ["1", "2"]]),
        ("a.csv", b"1,2\n3,4\n", [["column 1", "column 2"], ["1", "2"], ["3", "4"]]),
        ("a.csv", b"2019,2020\n3,4\n", [["2019", "2020"], ["3", "4"]]),
        ("a.csv", b"one\n1\n2\n", [["one"], ["1"], ["2"]]),
        ("a.tsv", b"a\tb\n1,5\t2\n", [["a", "b"], ["1,5", "2"]]),
    ],
)  # fmt: skip
def test_separated_values(tmp_path, name, content, rows):
    path = tmp_path / name
    path.write_bytes(content)
    (sheet,) = sheets(path, FileReader())
    assert sheet.rows == rows


def test_parquet(tmp_path):
    duckdb = pytest.importorskip("duckdb")
    path = tmp_path / "parts.parquet"
    with duckdb.connect() as connection:
        connection.execute(
            "COPY (SELECT i AS id, i * 1.5 AS mass_kg, DATE '2020-01-01' + i::INT AS day, [i] AS l, {'a': i} AS s, i > 1 AS ok,"
            f" i::DECIMAL(9, 2) AS price FROM range(3) AS t(i)) TO '{path}'"
        )
    with open_source(path) as source:
        parts = source.database.relation("parts")
        assert [c.type for c in parts.columns] == [
            "integer",
            "number",
            "date",
            "text",
            "text",
            "boolean",
            "number",
        ]
        assert (parts.column("mass_kg").unit, parts.column("mass_kg").high) == ("kg", 3.0)
        assert source.run("SELECT * FROM parts WHERE ok").rows == (
            (2, 3.0, "2020-01-03", "[2]", '{"a": 2}', 1, 2.0),
        )
    path.write_bytes(b"nonsense")
    with pytest.raises(DatabaseError, match="cannot be read as Parquet"):
        open_source(path)


def test_cells_of_a_workbook_that_are_struck_out_are_empty(tmp_path):
    made = openpyxl.Workbook()
    for at, line in enumerate((("Substance", "Limit (kg)"), ("Nitrogen", 250), ("Copper", 5)), 3):
        for column, value in enumerate(line, 2):
            made.active.cell(at, column, value)
    for address in ("A1", "C4", "Z9"):  # nothing stands in the first and the last
        made.active[address].font = Font(strike=True)
    runs = ("Copper, ", TextBlock(InlineFont(strike=True), "250 kg"), " 5 kg")
    made.active["B5"] = CellRichText(*runs)
    made.save(tmp_path / "a.xlsx")
    ((_, rows),) = grids(tmp_path / "a.xlsx")
    assert rows == [["Substance", "Limit (kg)"], ["Nitrogen", ""], ["Copper, 5 kg", "5"]]
