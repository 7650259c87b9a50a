"""Answers from rows as a user meets them: `pincite sql`, and `ask` and `chat` over a corpus of reports and a database."""

import csv
import io
import json
import sqlite3

import pytest

from tests.copied import unasked

ALLOYS = [
    (1, "Anker 10", "steel", 310.0, 0.12), (2, "Anker 20", "steel", 450.5, 0.35), (3, "Brisa 5", "aluminium", 95.0, None),
    (4, "Brisa 7", "aluminium", 160.0, 0.01), (5, "Cobre", "copper", 70.0, 0.0), (6, "Anker 30", "steel", 520.0, 0.6),
]  # fmt: skip
NAMES = """
alloy:
  name: alloy
  columns:
    ys: {name: yield strength, unit: MPa}
    c: {name: carbon, unit: "%"}
waste:
  columns:
    hazardous_waste: {name: hazardous waste, unit: t}
"""


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    folder = tmp_path_factory.mktemp("plant")
    path = folder / "plant.sqlite"
    with sqlite3.connect(path) as db:
        db.execute(
            "CREATE TABLE alloy (id INTEGER PRIMARY KEY, name TEXT, family TEXT, ys REAL, c REAL)"
        )
        db.executemany("INSERT INTO alloy VALUES (?, ?, ?, ?, ?)", ALLOYS)
        db.execute(
            "CREATE TABLE waste (company TEXT, year INTEGER, hazardous_waste REAL, revised DATE)"
        )
        db.execute("INSERT INTO waste VALUES ('Solvik Energy', 2022, 2100, '2023-03-01')")
    db.close()
    (folder / "names.yaml").write_text(NAMES)
    return path


@pytest.fixture
def plant(database):
    """The database of the corpus, which is as it was when the test is over."""
    held = database.read_bytes()
    yield database
    database.write_bytes(held)


@pytest.fixture(scope="module")
def with_rows(database, example_corpus, tmp_path_factory):
    from pincite.indexing import Wanted
    from pincite.workbench.library import index

    folder = unasked(example_corpus, tmp_path_factory.mktemp("rows") / "corpus")
    index(
        [], folder, databases=[Wanted(str(database), "", "", (), database.with_name("names.yaml"))]
    )
    return folder


@pytest.fixture
def corpus(with_rows, tmp_path):
    return unasked(with_rows, tmp_path / "corpus")


STRENGTH = "What is the yield strength of Anker 20?"


def test_a_question_to_rows_shows_statement_mapping_and_rows(pincite, corpus):
    code, out, _ = pincite("sql", STRENGTH, "--corpus", corpus)
    assert code == 0
    assert "“yield strength”" in out and "name = Anker 20" in out
    assert "WHERE" in out and "450.5" in out and "310" not in out
    assert "1 row of plant" in out and "✓ supported" in out


def test_the_same_as_json_and_csv(pincite, corpus):
    words = "sql", STRENGTH, "--corpus", corpus
    told = json.loads(pincite(*words, "--json")[1])
    assert told["rows"] == [[450.5]] and told["columns"] == ["yield strength (MPa)"]
    assert told["refused"] is False and told["unmapped"] == [] and told["database"] == "plant"
    assert {"words": "Anker 20", "meaning": "name = Anker 20"} in told["mapping"]
    assert told["notes"] == [] and told["checks"][0]["verdict"] == "supported"
    rows = list(csv.reader(io.StringIO(pincite(*words, "--csv")[1])))
    assert rows[1:] == [["450.5"]]


def test_a_statement_is_run_again(pincite, corpus):
    statement = json.loads(pincite("sql", STRENGTH, "--corpus", corpus, "--json")[1])["statement"]
    code, out, _ = pincite("sql", "--run", statement, "--corpus", corpus, "--json")
    assert code == 0 and json.loads(out)["rows"] == [[450.5]]


def test_without_a_model_a_refusal_says_how_to_get_one(pincite, corpus):
    question = "Which captain sailed the longest voyage to Bergen?"
    code, out, _ = pincite("sql", question, "--corpus", corpus, "--json")
    told = json.loads(out)
    assert code == 0 and told["refused"] and told["rows"] == []
    assert told["reason"].startswith("without a language model only what names its row")
    code, out, err = pincite("sql", question, "--corpus", corpus, "--csv")
    assert code == 0 and out == "" and "without a language model" in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "give one question"),
        (("which alloys?", "--run", "SELECT 1"), "give one question"),
        (("which alloys?", "--json", "--csv"), "exclude each other"),
        (("which alloys?", "--database", "nowhere"), "known: plant"),
        (("which alloys?", "--document", "nowhere.pdf"), "no document 'nowhere.pdf'"),
        (("--run", "DELETE FROM alloy"), "DELETE"),
        (("--run", "SELECT * FROM sqlite_master"), "sqlite_master"),
    ],
)
def test_what_is_wrong_is_said(pincite, corpus, words, said):
    code, out, err = pincite("sql", *words, "--corpus", corpus)
    assert code != 0 and said in err and "Traceback" not in err


def test_ask_answers_from_rows_with_key_column_and_statement(pincite, corpus):
    told = json.loads(
        pincite("ask", "What is the yield strength of Anker 20?", "--corpus", corpus, "--json")[1]
    )
    assert (told["value"], told["unit"], told["refused"]) == (450.5, "MPa", False)
    (citation,) = told["citations"]
    assert (citation["table"], citation["key"], citation["rows"]) == ("alloy", ["id"], [[2]])
    assert citation["columns"][0] == "ys" and citation["statement"].startswith('WITH "alloy" AS (')
    assert told["reading"]["database"] == "plant" and told["reading"]["mapping"]
    assert told["checks"][0]["verdict"] == "supported"


def test_ask_in_another_unit(pincite, corpus):
    words = "ask", "What is the yield strength of Anker 10?", "--unit", "GPa", "--corpus", corpus
    told = json.loads(pincite(*words, "--json")[1])
    assert (told["value"], told["unit"]) == (0.31, "GPa")


def test_documents_answer_what_is_theirs(pincite, corpus):
    question = "What was the income tax expense of Halvorsen Maritime in 2023?"
    told = json.loads(pincite("ask", question, "--corpus", corpus, "--json")[1])
    assert told["value"] == 11_706_000 and "table" not in told["citations"][0]


def test_a_row_and_a_document_that_differ_stand_side_by_side(pincite, corpus, monkeypatch):
    monkeypatch.setenv("PINCITE_THRESHOLD", "0.2")
    words = "ask", "What was the hazardous waste of Solvik Energy in 2022?", "--corpus", corpus
    told = json.loads(pincite(*words, "--json")[1])
    (other,) = told["others"]
    assert (told["value"], told["unit"], told["date"]) == (2100, "t", "2023-03-01")
    assert (other["value"], other["unit"], other["date"], other["agrees"]) == (
        2145,
        "t",
        "2023",
        False,
    )
    assert other["citations"][0]["document"] == "solvik-sustainability-2023.pdf"
    out = pincite(*words)[1]
    assert (
        "2,100 t" in out
        and "the documents say something else: 2,145 t" in out
        and "2023-03-01" in out
    )


def test_a_database_that_is_gone_is_said_and_documents_answer(pincite, corpus, plant):
    plant.rename(plant.with_suffix(".away"))
    question = "What was the income tax expense of Halvorsen Maritime in 2023?"
    code, out, _ = pincite("ask", question, "--corpus", corpus)
    assert (
        code == 0
        and "11,706 thousand EUR" in out
        and "the database plant could not be asked" in out
    )
    code, out, _ = pincite("ask", "What is the yield strength of Anker 20?", "--corpus", corpus)
    assert code == 0 and "N/A" in out and "the database plant could not be asked" in out
    code, _, err = pincite("sql", "What is the yield strength of Anker 20?", "--corpus", corpus)
    assert code != 0 and "plant" in err


def test_a_table_inside_a_document_is_asked_the_same_way(pincite, example_corpus):
    words = "sql", "What is the unit of water consumption?", "--corpus", example_corpus
    told = json.loads(pincite(*words, "--document", "solvik-sustainability-2023.pdf", "--json")[1])
    assert told["rows"] == [["million m3"]]
    assert told["documents"] == ["solvik-sustainability-2023.pdf"]
    assert json.loads(pincite(*words, "--json")[1])["rows"] == [["million m3"]]


def test_a_citation_of_a_row_is_shown(pincite, corpus):
    told = json.loads(
        pincite("ask", "What is the yield strength of Anker 20?", "--corpus", corpus, "--json")[1]
    )
    code, out, _ = pincite("show", told["citations"][0]["id"], "--corpus", corpus)
    assert code == 0 and "Anker 20" in out and "450.5" in out


@pytest.mark.parametrize("recipe", ["baseline", "simple-fusion", "late-fusion", "weighted-fusion"])
def test_recipes_search_rows_of_databases_beside_documents(pincite, corpus, recipe):
    words = "--corpus", corpus, "--recipe", recipe, "--stand-ins"
    assert pincite("index", *words)[0] == 0
    found = json.loads(
        pincite("search", "the family of the alloy Brisa 5", "-k", "8", "--json", *words)[1]
    )
    assert (found[0]["document"], found[0]["kind"]) == ("plant/alloy", "row")
    assert any(one["document"].endswith(".pdf") for one in found)


def test_a_row_that_was_found_is_read_again_before_it_is_an_answer(corpus, plant):
    from pincite.check.claims import Verify
    from pincite.corpus import Corpus
    from pincite.evidence.candidate import Evidence
    from pincite.evidence.drafted_answer import cited
    from pincite.evidence.gathering import with_tables
    from pincite.types import Claim, Draft, Query

    opened = Corpus(corpus)
    (relation,) = (one for one in opened.relations if one.id == "plant/alloy")
    rows = with_tables(
        opened, [one for one in opened.document(relation.version).nodes if one.kind == "row"]
    )
    row = next(
        one
        for one in rows
        if one.table and any(cell.text == "Brisa 5" for cell in one.table.cells)
    )
    (cell,) = (cell for cell in row.table.cells if cell.text == "aluminium")
    citation = cited(
        Evidence(row, ((cell.row, cell.column),), quote="aluminium", document="plant/alloy"), "1"
    )
    query = Query("What is the family of Brisa 5?")
    draft = Draft(
        query,
        "aluminium",
        "aluminium",
        (Claim("aluminium", "aluminium", ("1",)),),
        (citation,),
        (row.id,),
        0.9,
    )
    assert Verify(opened)(draft).value == "aluminium"
    with sqlite3.connect(plant) as db:
        db.execute("UPDATE alloy SET ys = 96 WHERE id = 3")
    db.close()
    answer = Verify(opened)(draft)
    assert answer.value is None and "has changed since it was indexed" in answer.reason
    plant.unlink()
    assert Verify(Corpus(corpus))(draft).value is None
