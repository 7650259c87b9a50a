"""Files of tables of odd names and shapes: each gets its own line at most, and the others are read."""

import sqlite3

import pytest

from pincite.database.database_errors import DatabaseError
from pincite.database.sources import sheet_files as sheets
from pincite.database.sources import table_files as files
from pincite.database.sources.connection import open_source
from pincite.workbench.library import index


def wide(columns):
    """A table of one row."""
    return ",".join(f"c{n}" for n in range(columns)) + "\n" + ",".join("1" * columns) + "\n"


def beside(folder, name, content):
    """A folder that holds a good file and this one, opened: what it holds, and what could not be read."""
    (folder / "good.csv").write_text("k,v\n1,2\n")
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    with open_source(folder) as source:
        assert source.run("SELECT v FROM good").rows == ((2,),)
        for relation in source.database.relations:
            named = '"' + relation.name.replace('"', '""') + '"'
            assert source.run(f"SELECT count(*) FROM {named}").rows == ((relation.rows,),)
        return {
            r.name: r for r in source.database.relations if r.name != "good"
        }, source.database.meta.get("unreadable", "")


@pytest.mark.parametrize(("name", "content", "said"), [
    ("wide.csv", wide(2001), "wide.csv has 2,001 columns"), ("nul.csv", "a\0b,c\n1,2\n", "nul.csv holds binary data"),
    ("cell.csv", "a,b\n1," + "x" * (1 << 24) + "y\n", "field larger than field limit"),
    ("open.csv", 'a,b\n1,"' + ("x" * 1000 + ",\n") * 17_000, "field larger than field limit"),
    ("broken.xlsx", b"PK\x03\x04" + b"\0" * 200, "broken.xlsx cannot be read as a workbook"),
])  # fmt: skip
def test_a_file_that_cannot_be_a_table_has_its_own_line(tmp_path, name, content, said):
    held, unreadable = beside(tmp_path, name, content)
    assert held == {} and said in unreadable
    (tmp_path / "good.csv").unlink()
    with pytest.raises(DatabaseError, match=said.replace("(", r"\(")):
        open_source(tmp_path / name)


@pytest.mark.parametrize(("name", "content", "relation", "columns"), [
    ("sqlite_x.csv", "a\n1\n", "table sqlite_x", ["a"]),
    ("SQLITE_MASTER.csv", "a\n1\n", "table SQLITE_MASTER", ["a"]),
    ("_pincite_relations.csv", "a\n1\n", "_pincite_relations _pincite_relations", ["a"]),
    ("select.csv", "from,where\n1,2\n", "select", ["from", "where"]),
    ("same.csv", "a,a,A,a 2\n1,2,3,4\n", "same", ["a", "a 2", "A 3", "a 2 2"]),
    ("empty.csv", ",,\n1,2,x\n3,4,y\n", None, None), ("heads.csv", "a,b\n", "heads", ["a", "b"]),
    ("long.csv", "x" * 1000 + ",b\n1,2\n", "long", ["x" * 1000, "b"]),
    ("quotes.csv", '"a ""b""",\'c\',d;--\n1,2,3\n', "quotes", ['a "b"', "'c'", "d;--"]),
    ("q\"'`;--.csv", "a\n1\n", "q\"'`;--", ["a"]),
    ("fold.csv", "Straße,STRASSE,İ\n1,2,3\n", "fold", ["Straße", "STRASSE 2", "İ"]),
    ("rowid.csv", "rowid,_rowid_,oid\n1,2,3\n", "rowid", ["rowid 2", "_rowid_", "oid"]),
    ("marks.csv", ":a,?b,@c,$d,%e,%(x)s\n1,2,3,4,5,6\n", "marks", [":a", "?b", "@c", "$d", "%e", "%(x)s"]),
    ("large.csv", "a\n" + "9" * 400 + "\n1e999\nnan\n", "large", ["a"]),
    ("widest.csv", wide(200), "widest", [f"c{n}" for n in range(200)]),
    ("n" * 200 + ".csv", "a\n1\n", "n" * 200, ["a"]),
])  # fmt: skip
def test_odd_names_are_read(tmp_path, name, content, relation, columns):
    held, unreadable = beside(tmp_path, name, content)
    assert unreadable == ""
    if relation is not None:
        assert [column.name for column in held[relation].columns] == columns


def test_columns_for_cells_as_they_were_written_count(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "MOST_COLUMNS", 3)
    held, unreadable = beside(tmp_path, "lost.csv", "a,b\n1,1\n2,2\n3,3\n500 max,500 max\n")
    assert held == {}
    assert (
        "lost.csv has 4 columns, counting those for cells as they were written, and at most 3"
        in unreadable
    )


def test_a_file_without_a_table_is_passed_over(tmp_path):
    assert beside(tmp_path, "none.csv", "\n\n") == ({}, "")


def test_a_file_that_is_too_large_has_its_own_line(tmp_path, monkeypatch):
    monkeypatch.setattr(sheets, "LARGEST", 10)
    (tmp_path / "good.csv").write_text("k\n1\n")
    (tmp_path / "large.csv").write_text("k\n1\n2\n3\n4\n5\n")
    with open_source(tmp_path) as source:
        assert [relation.name for relation in source.database.relations] == ["good"]
        assert (
            "large.csv has 0 MB, but tables of text are read only up to"
            in source.database.meta["unreadable"]
        )


def test_whatever_a_reader_raises_is_said_of_its_file_and_nothing_of_it_stays(
    tmp_path, monkeypatch
):
    def failing(connection, relation, rows):
        if relation.name == "bad":
            raise sqlite3.OperationalError("too strange")
        return insert(connection, relation, rows)

    insert = files.insert
    monkeypatch.setattr(files, "insert", failing)
    held, unreadable = beside(tmp_path, "bad.csv", "a\n1\n")
    assert held == {}
    assert "bad.csv cannot be read as a table (OperationalError: too strange)" in unreadable


def test_an_indexing_run_reads_the_others(tmp_path):
    folder = tmp_path / "sheets"
    folder.mkdir()
    (folder / "good.csv").write_text("Name,Strength (MPa)\nAlfa,250\n")
    (folder / "wide.csv").write_text(wide(2001))
    (folder / "sqlite_x.csv").write_text("Name,Mass (kg)\nAlfa,2\n")
    report = index(folder, tmp_path / "corpus")
    assert {one.relation for one in report.relations} == {"good", "table sqlite_x"}
    assert [(one.status, "2,001 columns" in one.reason) for one in report.problems] == [
        ("unreadable", True)
    ]
