import json
import os
import sqlite3

import pytest
import sqlalchemy as sa
from typer.testing import CliRunner

from pincite.cli.main import app
from pincite.corpus import Corpus
from pincite.database.database_errors import DatabaseError
from pincite.database.holdings import FOLDER
from pincite.database.statements.pins import read_pin
from pincite.errors import UsageError
from pincite.indexing import Wanted
from pincite.indexing import stored_relations as module
from pincite.search.index.table_rows import Cards, Rows
from pincite.search.reranking import entry_texts
from pincite.settings import Settings
from pincite.types import Hit
from pincite.workbench.importing import unpack
from pincite.workbench.library import Library, index
from pincite.workbench.transfer import pack


@pytest.fixture
def works(tmp_path):
    """A database of two relations."""
    path = tmp_path / "works.sqlite"
    change(
        path,
        """
        CREATE TABLE alloys (id INTEGER PRIMARY KEY, name TEXT, yield_strength_mpa REAL);
        INSERT INTO alloys VALUES (1, 'Alfa steel', 250), (2, 'Beta bronze', 120), (3, 'Gamma steel', 410);
        CREATE TABLE makers (id INTEGER PRIMARY KEY, maker TEXT);
        INSERT INTO makers VALUES (1, 'Lund Works'), (2, 'Oslo Works');
        """,
    )
    return path


def change(path, script):
    db = sqlite3.connect(path)
    db.executescript(script)
    db.commit()
    db.close()


def run(path, corpus, **more):
    wanted = Wanted(
        path, **{one: more.pop(one) for one in ("name", "tables", "names") if one in more}
    )
    return index([], corpus, databases=[wanted], **more)


def counts(summary):
    return {
        one.relation: (one.rows, one.new, one.changed, one.deleted) for one in summary.relations
    }


def texts(corpus):
    opened = Corpus(corpus)
    return [
        node.text
        for one in opened.relations
        for node in opened.document(one.version).nodes
        if node.kind == "row"
    ]


def test_only_rows_that_changed_are_new(works, tmp_path):
    corpus = tmp_path / "c"
    first = run(works, corpus)
    assert counts(first) == {"alloys": (3, 3, 0, 0), "makers": (2, 2, 0, 0)}
    again = run(works, corpus)
    assert (
        counts(again) == {"alloys": (3, 0, 0, 0), "makers": (2, 0, 0, 0)}
        and again.generation == first.generation
    )
    change(
        works,
        "UPDATE alloys SET yield_strength_mpa = 255 WHERE id = 1; DELETE FROM alloys WHERE id = 2;"
        "INSERT INTO alloys VALUES (4, 'Delta tin', 30)",
    )
    before = {node.text: node.id for node in rows_of(corpus, "works/alloys")}
    assert counts(run(works, corpus)) == {"alloys": (3, 1, 1, 1), "makers": (2, 0, 0, 0)}
    after = {node.text: node.id for node in rows_of(corpus, "works/alloys")}
    assert before["id: 3; name: Gamma steel; yield strength (MPa): 410"] in after.values()
    assert (
        after["id: 1; name: Alfa steel; yield strength (MPa): 255"]
        == before["id: 1; name: Alfa steel; yield strength (MPa): 250"]
    )


def rows_of(corpus, document):
    opened = Corpus(corpus)
    (one,) = (one for one in opened.relations if one.id == document)
    return [node for node in opened.document(one.version).nodes if node.kind == "row"]


def test_a_row_that_changed_reads_as_it_is_in_each_generation(works, tmp_path):
    corpus = tmp_path / "c"
    run(works, corpus)
    old = Corpus(corpus)
    change(works, "UPDATE alloys SET name = 'Alpha' WHERE id = 1")
    run(works, corpus)
    new = Corpus(corpus)
    row = next(node.id for node in rows_of(corpus, "works/alloys") if "Alpha" in node.text)
    assert "Alfa steel" in old.nodes([row])[0].text and "Alpha" in new.nodes([row])[0].text
    assert {old.places([row])[row][0], new.places([row])[row][0]} == {
        old.relations[0].version,
        new.relations[0].version,
    }


def test_rows_and_documents_are_searched_together(works, tmp_path):
    folder, corpus = tmp_path / "notes", tmp_path / "c"
    folder.mkdir()
    (folder / "note.txt").write_text("Gamma steel was tested in 2023 and held.")
    index(folder, corpus, databases=[Wanted(works)])
    library = Library(corpus, Settings())
    hits = {
        (hit.document, hit.page, hit.place, hit.kind) for hit in library.search("Gamma steel", k=3)
    }
    assert {("note.txt", 1, "", "page"), ("works/alloys", 0, "alloys!3", "row")} <= hits
    (hit, *_) = library.search("maker Oslo Works", k=1, where=(("database", ("works",)),))
    assert hit.place == "makers!2"
    (card, *_) = library.search("table of makers", k=1, where=(("table", ("makers",)),))
    assert card.kind == "table" and library.corpus.nodes([card.node])[0].text.startswith(
        "makers: a table of 2 rows"
    )


def test_rows_are_reranked_by_what_the_index_holds_of_them(works, tmp_path):
    corpus = tmp_path / "c"
    run(works, corpus)
    opened, views = Corpus(corpus), (Rows("key-values"), Cards())
    entries = [
        entry
        for one in opened.relations
        for view in views
        for entry in view(opened.document(one.version))
    ]
    assert len(entries) == 7
    assert entry_texts(opened, views, [Hit(one.node, 1.0, one.at) for one in entries]) == [
        one.text for one in entries
    ]


def test_a_database_is_opened_from_the_corpus_again(works, tmp_path):
    corpus = tmp_path / "c"
    run(works, corpus)
    (held,) = Corpus(corpus).databases
    assert (held.name, [one.name for one in held.database.relations]) == (
        "works",
        ["alloys", "makers"],
    )
    assert held.database.relation("alloys").column("yield_strength_mpa").unit == "MPa"
    (match,) = held.values().lookup("alfa STEELS")
    assert (match.relation, match.column, match.value, match.count) == (
        "alloys",
        "name",
        "Alfa steel",
        1,
    )
    with held.open() as source:
        pin = read_pin(rows_of(corpus, "works/alloys")[0].anchor.sql)
        assert source.run(pin.statement).rows == ((1, "Alfa steel", 250.0),)


def test_relations_that_are_gone_leave_the_corpus(works, tmp_path):
    corpus = tmp_path / "c"
    run(works, corpus)
    change(works, "DROP TABLE makers")
    assert counts(run(works, corpus)) == {"alloys": (3, 0, 0, 0)}
    opened = Corpus(corpus)
    assert [one.id for one in opened.relations] == ["works/alloys"]
    assert opened.databases[0].values().near("Lund Works") == []
    CliRunner().invoke(
        app, ["remove", "works/alloys", "--corpus", str(corpus)], catch_exceptions=False
    )
    assert Corpus(corpus).databases == ()
    run(works, corpus)
    CliRunner().invoke(app, ["remove", "works", "--corpus", str(corpus)], catch_exceptions=False)
    assert Corpus(corpus).relations == ()


def test_only_the_tables_that_are_named_are_taken(works, tmp_path):
    corpus = tmp_path / "c"
    assert counts(run(works, corpus, tables=("makers",))) == {"makers": (2, 2, 0, 0)}
    assert counts(run(works, corpus, tables=("alloys", "makers"))) == {
        "alloys": (3, 3, 0, 0),
        "makers": (2, 0, 0, 0),
    }
    assert counts(run(works, corpus, tables=("alloys",))) == {"alloys": (3, 0, 0, 0)}
    assert [one.id for one in Corpus(corpus).relations] == ["works/alloys"]


def test_new_names_are_new_texts_and_ids_stay(works, tmp_path):
    corpus, names = tmp_path / "c", tmp_path / "headings.yaml"
    run(works, corpus)
    ids = [node.id for node in rows_of(corpus, "works/makers")]
    names.write_text("makers:\n  maker: {name: company, also: [firm]}\n")
    run(works, corpus, names=names)
    assert texts(corpus)[-1] == "id: 2; company: Oslo Works"
    assert [node.id for node in rows_of(corpus, "works/makers")] == ids
    names.unlink()
    run(works, corpus)
    assert texts(corpus)[-1] == "id: 2; company: Oslo Works", (
        "a later run knows the names that were given"
    )


def test_above_the_limit_only_the_card_is_a_node_and_values_follow_the_changes(works, tmp_path):
    corpus = tmp_path / "c"
    first = run(works, corpus, row_limit=2)
    assert {one.relation: one.nodes for one in first.relations} == {
        "alloys": False,
        "makers": True,
    }
    assert counts(first)["alloys"] == (3, 3, 0, 0)
    assert [text for text in texts(corpus) if "steel" in text] == []
    change(
        works,
        "UPDATE alloys SET name = 'Alfa tin' WHERE id = 1; INSERT INTO alloys VALUES (9, 'Gamma steel', 1)",
    )
    assert counts(run(works, corpus, row_limit=2))["alloys"] == (4, 1, 1, 0)
    values = Corpus(corpus).databases[0].values()
    assert values.lookup("Alfa steel") == []
    assert [(one.value, one.count) for one in (*values.lookup("alfa tin"), *values.lookup("gamma steel"))] == [
        ("Alfa tin", 1), ("Gamma steel", 2),
    ]  # fmt: skip
    assert counts(run(works, corpus, row_limit=2))["alloys"] == (4, 0, 0, 0)
    prints = [one for one in os.listdir(corpus / FOLDER) if one.endswith(".npz")]
    assert len(prints) == 1
    change(works, "DELETE FROM alloys WHERE id > 1")
    run(works, corpus, row_limit=2)
    assert [text for text in texts(corpus) if "tin" in text] == [
        "id: 1; name: Alfa tin; yield strength (MPa): 250"
    ]


def test_lost_derived_files_are_made_again(works, tmp_path):
    corpus = tmp_path / "c"
    run(works, corpus, row_limit=2)
    for name in os.listdir(corpus / FOLDER):
        (corpus / FOLDER / name).unlink()
    run(works, corpus, row_limit=2)
    values = Corpus(corpus).databases[0].values()
    assert [one.value for one in (*values.lookup("alfa steel"), *values.lookup("oslo works"))] == [
        "Alfa steel",
        "Oslo Works",
    ]


def test_a_damaged_value_index_is_made_again(works, tmp_path):
    corpus = tmp_path / "c"
    run(works, corpus)
    (path,) = (corpus / FOLDER).glob("*.values.sqlite")
    path.write_bytes(b"no database at all" * 100)
    run(works, corpus)
    assert Corpus(corpus).databases[0].values().lookup("alfa steel")


def test_what_a_driver_raises_is_said_without_a_password(works, tmp_path, monkeypatch):
    def lost(source, relation):
        raise sa.exc.OperationalError(
            "SELECT", None, Exception("server closed; password=secret postgresql://a:secret@b/c")
        )

    monkeypatch.setattr(module, "rows_of", lost)
    with pytest.raises(DatabaseError, match="server closed") as raised:
        run(works, tmp_path / "c")
    assert "secret" not in str(raised.value)


def test_files_of_tables_below_a_folder_are_one_database(tmp_path):
    folder, corpus = tmp_path / "sheets", tmp_path / "c"
    (folder / "more").mkdir(parents=True)
    (folder / "alloys.csv").write_text("Name,Yield strength (MPa)\nAlfa,250\nBeta,n/a\n")
    (folder / "more" / "makers.tsv").write_text("Name\tMaker\nAlfa\tLund Works\n")
    (folder / "metadata.csv").write_text("id,company\nnote,Lund Works\n")
    (folder / "note.txt").write_text("Alfa is made at Lund Works since 1998.")
    (folder / "bad.xlsx").write_bytes(b"no workbook")
    first = index(folder, corpus, metadata=folder / "metadata.csv")
    assert counts(first) == {"alloys": (2, 2, 0, 0), "makers": (1, 1, 0, 0)}
    assert [(os.path.basename(one.path), one.status) for one in first.problems] == [
        ("bad.xlsx", "unreadable")
    ]
    opened = Corpus(corpus)
    assert [one.id for one in opened.documents] == ["note", "sheets/alloys", "sheets/makers"]
    (held,) = opened.databases
    with held.open() as source:
        assert source.run("SELECT count(*) FROM makers").rows == ((1,),)
    (folder / "bad.xlsx").unlink()
    again = index(folder, corpus, metadata=folder / "metadata.csv")
    assert (again.unchanged, again.problems) == (1, ())
    third = index(folder, corpus, metadata=folder / "metadata.csv")
    assert (
        counts(third) == {"alloys": (2, 0, 0, 0), "makers": (1, 0, 0, 0)}
        and third.generation == again.generation
    )
    (folder / "more" / "makers.tsv").write_text(
        "Name\tMaker\nAlfa\tLund Works\nBeta\tOslo Works\n"
    )
    assert counts(index(folder, corpus, metadata=folder / "metadata.csv"))["makers"] == (
        2,
        1,
        0,
        0,
    )
    (folder / "alloys.csv").unlink()
    index(folder, corpus, metadata=folder / "metadata.csv")
    assert [one.id for one in Corpus(corpus).relations] == ["sheets/makers"]
    (folder / "more" / "makers.tsv").unlink()
    index(folder, corpus, metadata=folder / "metadata.csv")
    assert Corpus(corpus).relations == () and os.listdir(corpus / FOLDER) != []


def test_a_spreadsheet_that_is_a_report_is_read_as_a_document_too(tmp_path):
    folder, corpus = tmp_path / "sheets", tmp_path / "c"
    folder.mkdir()
    (folder / "records.csv").write_text("Name,Strength\nAlfa,250\nBeta,300\n")
    (folder / "report.csv").write_text(
        "Energy use of the sites,\n\nSite,MWh\nLund,40\nOslo,30\n\nOslo was closed in May.,\n"
    )
    index(folder, corpus)
    assert "report.csv" in {one.id for one in Corpus(corpus).documents}
    assert "records.csv" not in {one.id for one in Corpus(corpus).documents}


def test_an_export_brings_values_and_files_of_tables_along(tmp_path):
    folder, corpus, other = tmp_path / "sheets", tmp_path / "c", tmp_path / "d"
    folder.mkdir()
    (folder / "alloys.csv").write_text("Name,Yield strength (MPa)\nAlfa,250\n")
    index(folder, corpus)
    pack(corpus, tmp_path / "c.pincite")
    (folder / "alloys.csv").unlink()
    unpack(tmp_path / "c.pincite", other)
    (held,) = Corpus(other).databases
    assert held.values().lookup("alfa")[0].value == "Alfa"
    with held.open() as source:
        assert source.run("SELECT count(*) FROM alloys").rows == ((1,),)


def test_metadata_of_files_of_tables_is_that_of_their_tables(tmp_path):
    folder, corpus = tmp_path / "plants", tmp_path / "c"
    folder.mkdir()
    for year, output in (("2022", 410), ("2023", 365)):
        (folder / f"output-{year}.csv").write_text(
            f"Plant,Output (t)\nVik,{output}\nNorrby,{output * 2}\n"
        )
    described = tmp_path / "described.csv"
    described.write_text("file,year,region\noutput-2022.csv,2022,north\noutput-2023,2023,north\n")
    index(folder, corpus, metadata=described)
    held = {one.id: dict(one.declared) for one in Corpus(corpus).relations}
    assert held == {
        "plants/output-2022": {"year": "2022", "region": "north"},
        "plants/output-2023": {"year": "2023", "region": "north"},
    }
    question = "What is the output of Vik?"
    for year, output in (("2022", 410), ("2023", 365)):
        answer = Library(corpus, Settings()).ask(question, where={"year": year})
        assert answer.value is not None and answer.value.amount == output, answer.reason
    described.write_text("file,year,region\noutput-2022.csv,2022,south\n")
    again = index([], corpus, metadata=described)
    assert again.described == 1
    assert Corpus(corpus).select((("region", ("south",)),))[0].id == "plants/output-2022"


def test_two_databases_of_one_name_are_told_apart(works, tmp_path):
    corpus, other = tmp_path / "c", tmp_path / "other" / "works.sqlite"
    other.parent.mkdir()
    change(other, "CREATE TABLE towns (name TEXT); INSERT INTO towns VALUES ('Lund')")
    run(works, corpus)
    with pytest.raises(UsageError, match="already holds a database works.*--name"):
        run(other, corpus)
    run(other, corpus, name="towns")
    assert [one.name for one in Corpus(corpus).databases] == ["towns", "works"]
    with pytest.raises(UsageError, match="two databases are called"):
        index([], corpus, databases=[Wanted(works), Wanted(works)])


def test_a_database_that_cannot_be_read_changes_nothing(works, tmp_path):
    corpus = tmp_path / "c"
    run(works, corpus)
    with pytest.raises(DatabaseError, match="nowhere"):
        run(tmp_path / "nowhere.sqlite", corpus)
    with pytest.raises(DatabaseError, match="no table steels"):
        run(works, corpus, tables=("steels",))
    assert len(Corpus(corpus).relations) == 2


def test_the_command_line_tells_what_changed(works, tmp_path):
    def said(*words):
        found = CliRunner().invoke(app, [*map(str, words)], catch_exceptions=False)
        return found.output

    corpus = tmp_path / "c"
    planned = said("index", "--db", works, "--corpus", corpus, "--dry-run")
    assert "works/alloys: 3 rows, 3 new" in planned and not corpus.exists()
    told = json.loads(said("index", "--db", f"sqlite:///{works}", "--corpus", corpus, "--json"))
    assert told["relations"][0] == {
        "database": "works", "table": "alloys", "rows": 3, "new": 3, "changed": 0, "deleted": 0, "rows_indexed": True,
        "names_guessed": 3,
    }  # fmt: skip
    assert "5 column names guessed" in said("index", "--db", works, "--corpus", corpus)
    assert "works/makers: 2 rows, unchanged" in said(
        "index", "--db", works, "--corpus", corpus, "--dry-run"
    )
    assert "database works: 2 tables, 5 rows" in said("status", "--corpus", corpus)
    assert json.loads(said("status", "--corpus", corpus, "--json"))["databases"][0]["rows"] == 5
    assert "| yield_strength_mpa |  | number in MPa" in said("tables", "--corpus", corpus)
    assert [one["name"] for one in json.loads(said("tables", "--corpus", corpus, "--json"))] == [
        "alloys",
        "makers",
    ]
    assert "alloys!3" in said("search", "Gamma steel", "--corpus", corpus)
