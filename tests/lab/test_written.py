"""Questions that a model writes: coherent windows by hand, what of its replies is kept, and which SQL is run."""

import json
import re
import sqlite3
from contextlib import closing

import numpy as np
import pytest
from typer.testing import CliRunner

from pincite.cli.main import app
from pincite.corpus import Corpus
from pincite.errors import BudgetSpent, UsageError
from pincite.indexing import Wanted
from pincite.indexing import index as index_files
from pincite.lab.scoring.measures import relevance
from pincite.lab.testsets.generation import generated
from pincite.lab.testsets.sql_table import sql_table
from pincite.lab.testsets.written_questions import coherent, problem, write_documents
from pincite.lab.testsets.written_table_questions import write_tables
from pincite.search.index.document_views import Pages
from pincite.search.index.lexical import Lexical
from pincite.search.index.shelf import Shelf
from pincite.types import Cell, Table
from pincite.workbench.library import index as index_database
from tests.served import agreed
from tests.stand_ins.fakes import HashEncoder, ScriptedModel, ScriptedServer, oracle

# ---- windows


def test_coherence_is_the_mean_cosine_of_different_chunks():
    a, b = [1.0, 0.0], [0.6, 0.8]  # cosine .6
    vectors = np.array([a, a, b, [0.0, 1.0]], np.float32)
    found = coherent(vectors, 3, 5)
    assert [at for at, _ in found] == [0]  # the other window shares chunks with it
    assert found[0][1] == pytest.approx((1 + 0.6 + 0.6) / 3)


def test_windows_do_not_overlap_and_the_most_coherent_comes_first():
    a, b = [1.0, 0.0], [0.0, 1.0]
    vectors = np.array([a, b, a, a, b, b], np.float32)
    assert [(at, round(score, 6)) for at, score in coherent(vectors, 2, 3)] == [
        (2, 1.0),
        (4, 1.0),
        (0, 0.0),
    ]
    assert coherent(vectors[:1], 5) == [(0, 1.0)]
    assert coherent(vectors[:0], 5) == []


# ---- documents


@pytest.fixture
def corpus(tmp_path):
    files = tmp_path / "files"
    files.mkdir()
    for name in ("ash", "birch"):
        pages = [
            f"{name} page {n}: the {name} yard sold {n}50 logs. " + "It rains there. " * 8
            for n in (1, 2, 3)
        ]
        (files / f"{name}.txt").write_text("\f".join(pages))
    index_files([files], tmp_path / "corpus", (Shelf(Lexical(), (Pages(),)),))
    return Corpus(tmp_path / "corpus")


def writer(calls, answer="150 logs", piece=1, first=None):
    def script(prompt, form):
        calls.append((form.__name__, prompt))
        if form.__name__ == "PickForm":
            return {"piece": piece}
        if first and not prompt.turns:
            return {"question": first, "answer": ""}
        word = prompt.context[0].split("\n")[1].split()[0]
        return {"question": f"How many logs did the {word} yard sell?", "answer": answer}

    return ScriptedModel(script)


def test_a_question_has_the_page_and_the_chunk_that_was_picked_for_its_gold(corpus):
    calls = []
    made = write_documents(corpus, writer(calls, answer="150"), HashEncoder(), 2, tokens=32)
    assert (
        [form for form, _ in calls].count("AskedForm")
        == [form for form, _ in calls].count("PickForm")
        == 2
    )
    for row in made.rows:
        assert row["evidence"][0]["page"] == int(row["source"]["text"].split("page ")[1][0])
        assert (row["answer"], row["kind"]) == ("150", "number")
        assert row["source"]["model"] == "scripted" and len(row["source"]["chunk"]) == 36
    assert (
        write_documents(corpus, writer([], answer="150"), HashEncoder(), 2, tokens=32).rows
        == made.rows
    )


def test_an_answer_that_does_not_stand_in_the_chunk_is_no_gold(corpus):
    (row,) = write_documents(corpus, writer([], answer="900"), HashEncoder(), 1, tokens=32).rows
    assert "answer" not in row and row["evidence"]


def test_a_bad_question_is_asked_for_again_and_given_up_in_the_end(corpus):
    calls = []
    made = write_documents(
        corpus, writer(calls, first="What does the text say?"), HashEncoder(), 1, tokens=32
    )
    assert len(made.rows) == 1
    assert "'the text'" in calls[1][1].turns[0][1]
    never = ScriptedModel(lambda prompt, form: {"question": "no question", "answer": ""})
    made = write_documents(corpus, never, HashEncoder(), 1, tokens=32)
    assert made.rows == [] and len(made.given_up) == 1


def test_a_question_that_no_chunk_answers_is_given_up(corpus):
    made = write_documents(corpus, writer([], piece=0), HashEncoder(), 1, tokens=32)
    assert made.rows == [] and "no chunk answers" in made.given_up[0]


def test_money_that_runs_out_ends_the_run_with_what_came(corpus):
    calls = []
    inner = writer(calls)

    def script(prompt, form):
        if len(calls) >= 2:
            raise BudgetSpent("spent")
        return inner.script(prompt, form)

    made = write_documents(corpus, ScriptedModel(script), HashEncoder(), 6, tokens=32)
    assert isinstance(made.stopped, BudgetSpent)
    assert len(made.rows) < 6


def test_no_text_of_a_document_reaches_the_system_part(corpus):
    calls = []
    write_documents(corpus, writer(calls), HashEncoder(), 2, tokens=32)
    assert all("yard" not in prompt.system for _, prompt in calls)


@pytest.mark.parametrize(
    "question", ["What is said", "What does this document say?", "Which row of the table is it?"]
)
def test_what_is_wrong_with_a_question_is_said(question):
    assert problem(question)


# ---- tables

pytest.importorskip("sqlglot")
ROWS = [
    ["Alloy", "Strength (MPa)", "Origin"],
    ["AX1", "400", "Norway"],
    ["AX2", "n/a", "Sweden"],
    ["AX3", "250", "Norway"],
]
HELD = Table(tuple(Cell(r, c, text) for r, row in enumerate(ROWS) for c, text in enumerate(row)))


def test_columns_of_numbers_hold_numbers_and_the_rest_text():
    table = sql_table(HELD)
    assert table.columns == ("Alloy", "Strength (MPa)", "Origin")
    assert table.rows == (
        ("AX1", 400.0, "Norway"),
        ("AX2", None, "Sweden"),
        ("AX3", 250.0, "Norway"),
    )
    assert table.numbers == (1, 2, 3)


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        ("\"Strength (MPa)\" > 100", (1, 3)),
        ("\"Strength (MPa)\" BETWEEN 200 AND 300", (3,)),
        ("\"Origin\" = 'Norway' AND (\"Strength (MPa)\" >= 400 OR \"Alloy\" = 'AX2')", (1,)),
        ("\"Strength (MPa)\" > -1", (1, 3)),
        ("\"Alloy\" = 'none'", ()),
    ],
)  # fmt: skip
def test_conditions_find_rows(condition, found):
    assert sql_table(HELD).find(f'SELECT * FROM "data" WHERE {condition}') == found


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ('SELECT * FROM "data"', "WHERE clause is needed"),
        ('SELECT "Alloy" FROM "data" WHERE "Alloy" = \'AX1\'', r"must begin with SELECT \*"),
        ('SELECT *, 1 FROM "data" WHERE "Alloy" = \'AX1\'', r"must begin with SELECT \*"),
        ('SELECT * FROM "other" WHERE "Alloy" = \'AX1\'', "only table"),
        ('SELECT * FROM "data", "data" WHERE "Alloy" = \'AX1\'', "not allowed|only table"),
        ('SELECT * FROM "data" WHERE "Colour" = 1', "no column"),
        ('SELECT * FROM "data" WHERE 1 = 1', "comparison must be of a column"),
        (
            'SELECT * FROM "data" WHERE "Alloy" = \'AX1\' OR 1 = 1',
            "comparison must be of a column",
        ),
        ('SELECT * FROM "data" WHERE "Alloy" LIKE \'AX%\'', "not allowed"),
        ('SELECT * FROM "data" WHERE "Alloy" = (SELECT \'AX1\')', "not allowed"),
        ('SELECT * FROM "data" WHERE "Alloy" = lower(\'AX1\')', "not allowed"),
        ('SELECT * FROM "data" WHERE "Alloy" = \'AX1\' ORDER BY 1', "not allowed"),
        ('SELECT * FROM "data" WHERE "Alloy" = \'AX1\' LIMIT 1', "not allowed"),
        ('SELECT * FROM "data" WHERE "Alloy" = \'AX1\'; DROP TABLE "data"', "one SELECT"),
        ('DELETE FROM "data" WHERE "Alloy" = \'AX1\'', "one SELECT"),
        ('SELECT * FROM "data" WHERE "Alloy" = \'AX1\' UNION SELECT * FROM "data"', "one SELECT"),
        ("ATTACH DATABASE 'x' AS y", "one SELECT|not PostgreSQL"),
        ("not sql at all (", "not PostgreSQL|one SELECT"),
    ],
)
def test_anything_but_a_select_with_comparisons_is_refused(sql, said):
    with pytest.raises(UsageError, match=said):
        sql_table(HELD).find(sql)


def table_writer(calls, sql=None):
    """Asks for the second column of the first row shown, by its label, and for a list of all others."""

    def script(prompt, form):
        calls.append(prompt)
        lines = prompt.context[0].split("\n")[1:-1]
        head, row = (line.split(" | ") for line in lines[:2])
        label = row[0].replace("'", "''")
        where = sql or f'SELECT * FROM "data" WHERE "{head[0]}" = \'{label}\''
        lookup = {
            "question": f"What is {head[1]} of {row[0]}?",
            "sql_query": where,
            "column": head[1],
        }
        return {
            "examples": [
                lookup,
                {"question": "Which?", "sql_query": "DROP TABLE data", "column": ""},
            ]
        }

    return ScriptedModel(script)


def test_rows_that_the_query_finds_are_the_gold_and_the_value_comes_from_the_table(example_corpus):
    calls = []
    corpus = Corpus(example_corpus)
    made = write_tables(corpus, table_writer(calls), 8, seed=1, languages=("English", "Swedish"))
    assert made.rows and all(
        "in equal parts in English and Swedish" in one.question for one in calls
    )
    for row in made.rows:
        (node,) = corpus.nodes(row["nodes"])
        table = sql_table(node.table)
        (found,) = row["source"]["rows"]
        assert table.find(row["source"]["sql"]) == (found["row"],)
        if "answer_num" in row:
            assert float(row["answer_num"]) == table.rows[table.numbers.index(found["row"])][1]
    refused = [prompt.turns[0][1] for prompt in calls if prompt.turns]
    assert refused and all("one SELECT statement is needed" in one for one in refused)


def test_a_query_for_everything_is_given_up(example_corpus):
    model = table_writer([], sql='SELECT * FROM "data" WHERE "Nothing" > 0')
    made = write_tables(Corpus(example_corpus), model, 4)
    assert made.rows == [] and "no column" in made.given_up[0]


# ---- tables of databases


@pytest.fixture
def works(tmp_path):
    """A corpus of a database with a table of 120 alloys and one of a single row."""
    with closing(sqlite3.connect(tmp_path / "works.sqlite")) as db:
        db.executescript(
            """
            CREATE TABLE alloys (id INTEGER PRIMARY KEY, name TEXT, yield_strength_mpa REAL, origin TEXT);
            CREATE TABLE owner (id INTEGER PRIMARY KEY, name TEXT);
            INSERT INTO owner VALUES (1, 'Lund Works');
            """
        )
        rows = [
            (n, f"Alloy {n}", 100.0 + n, "Norway" if n % 40 == 0 else None) for n in range(1, 121)
        ]
        db.executemany("INSERT INTO alloys VALUES (?, ?, ?, ?)", rows)
        db.commit()
    return tmp_path / "works.sqlite"


LOOKUP = {
    "question": "How strong is alloy 7 of the works?",
    "sql_query": 'SELECT * FROM "alloys" WHERE "name" = \'Alloy 7\'',
    "column": "yield_strength_mpa",
}
LISTED = {
    "question": "Which alloys of the works come from Norway?",
    "sql_query": 'SELECT * FROM "alloys" WHERE "origin" = \'Norway\'',
    "column": "",
}
BAD = [
    {"question": "Which alloys go?", "sql_query": 'DELETE FROM "alloys"', "column": ""},
    {"question": "Whose?", "sql_query": 'SELECT * FROM "owner" WHERE "id" = 1', "column": ""},
    {"question": "Which?", "sql_query": 'SELECT * FROM "alloys" WHERE "id" > 0', "column": ""},
]


@pytest.mark.parametrize("row_limit", [1000, 50])
def test_the_rows_that_the_database_finds_are_the_gold(tmp_path, works, monkeypatch, row_limit):
    index_database([], tmp_path / "corpus", databases=[Wanted(works)], row_limit=row_limit)
    monkeypatch.chdir(tmp_path)
    with ScriptedServer(oracle(lambda asked: {"examples": [LOOKUP, *BAD, LISTED]})) as server:
        (tmp_path / "pincite.toml").write_text(
            f'[models]\nbase_url = "{server.url}"\nsmall = "scripted"\n'
        )
        monkeypatch.setenv("OPENAI_API_KEY", "k")
        agreed(tmp_path)
        given = ["testset", "tables", "--corpus", "corpus", "--n", "4", "--out", "a.jsonl"]
        run = CliRunner().invoke(app, [*given, "--model", "small", "--json"])
    assert run.exit_code == 0, run.stderr
    first, *again = server.asked
    assert 'SELECT * FROM "alloys" WHERE' in first.said("system")
    assert '"yield_strength_mpa": yield strength (MPa)' in first.said("user")
    shown = [line for line in first.said("user").split("\n") if " | Alloy " in line]
    assert len(shown) == 100 and shown[6] == "7 | Alloy 7 | 107 | "
    said = again[0].said("user")
    assert "one SELECT statement is needed" in said and "every row" in said
    assert '"alloys" is the only table' in said
    lookup, listed = map(json.loads, (tmp_path / "a.jsonl").read_text().splitlines())
    assert (lookup["answer_num"], lookup["unit"], lookup["kind"]) == ("107", "MPa", "number")
    assert listed["answer"] == ["Alloy 40", "Alloy 80", "Alloy 120"]
    assert [row["key"] for row in listed["source"]["rows"]] == [["40"], ["80"], ["120"]]
    corpus = Corpus(tmp_path / "corpus")
    held = corpus.nodes(listed["nodes"])
    if row_limit == 1000:
        assert [node.meta["values"][1] for node in held] == listed["answer"]
    else:  # only the table itself is indexed
        assert [node.kind for node in held] == ["table"]
    assert relevance(listed, "document") == {"alloys": 1}


def test_code_alone_says_that_a_model_is_needed_for_a_database(tmp_path, works):
    index_database([], tmp_path / "corpus", databases=[Wanted(works)])
    with pytest.raises(UsageError, match="name one with --model"):
        generated(Corpus(tmp_path / "corpus"), "tables", 5)


@pytest.mark.parametrize("kind", ["duckdb", "files"])
def test_other_databases_are_asked_in_their_own_dialect(tmp_path, kind):
    rows = [("Alfa", 250, "2020-05-01"), ("Beta", 120, "2021-01-01"), ("Gamma", 410, "2022-03-01")]
    if kind == "duckdb":
        duckdb = pytest.importorskip("duckdb")
        with duckdb.connect(str(tmp_path / "w.duckdb")) as db:
            db.execute("CREATE TABLE alloys (name TEXT PRIMARY KEY, strength INTEGER, made DATE)")
            db.executemany("INSERT INTO alloys VALUES (?, ?, ?)", rows)
        index_database([], tmp_path / "corpus", databases=[Wanted(tmp_path / "w.duckdb")])
    else:
        (tmp_path / "w").mkdir()
        lines = ["name,strength,made", *(",".join(map(str, row)) for row in rows)]
        (tmp_path / "w" / "alloys.csv").write_text("\n".join(lines))
        index_database([tmp_path / "w"], tmp_path / "corpus")
    seen = []

    def script(prompt, form):
        seen.append(prompt)
        name = re.search(r"SELECT \* FROM (\S+) WHERE", prompt.system)[1]
        where = '"made" > \'2020-12-31\' AND "strength" BETWEEN 100 AND 420'
        query = f"SELECT * FROM {name} WHERE {where}"
        return {"examples": [{"question": "Which are newer?", "sql_query": query, "column": ""}]}

    made = write_tables(Corpus(tmp_path / "corpus"), ScriptedModel(script), 1)
    assert made.given_up == []
    (row,) = made.rows
    assert row["answer"] == ["Beta", "Gamma"] and len(row["nodes"]) == 2
    held = Corpus(tmp_path / "corpus").nodes(row["nodes"])
    assert [node.meta["values"][0] for node in held] == row["answer"]
    assert "Alfa | 250 | 2020-05-01" in seen[0].context[0]


def test_a_database_that_cannot_be_opened_is_said(tmp_path, works):
    index_database([], tmp_path / "corpus", databases=[Wanted(works)])
    works.unlink()
    model = ScriptedModel(lambda prompt, form: {"examples": [LOOKUP]})
    made = write_tables(Corpus(tmp_path / "corpus"), model, 4)
    assert made.rows == [] and "the database works cannot be asked" in made.given_up[0]


def test_the_command_asks_a_model_over_http_and_a_second_run_asks_nothing(
    tmp_path, corpus, monkeypatch
):
    def answer(asked):
        if "piece" in asked.schema["properties"]:
            return {"piece": 1}
        return {"question": "How many logs did the yard sell?", "answer": "150 logs"}

    monkeypatch.chdir(tmp_path)
    with ScriptedServer(oracle(answer)) as server:
        (tmp_path / "pincite.toml").write_text(
            f'[models]\nbase_url = "{server.url}"\nsmall = "scripted"\n'
        )
        monkeypatch.setenv("OPENAI_API_KEY", "k")
        agreed(tmp_path)
        given = [
            "testset",
            "documents",
            "--corpus",
            str(corpus.folder),
            "--n",
            "2",
            "--tokens",
            "32",
            "--model",
            "small",
            "--json",
        ]
        first = CliRunner().invoke(app, [*given, "--out", "a.jsonl"])
        assert first.exit_code == 0, first.stderr
        paid = server.bill.requests
        second = CliRunner().invoke(app, [*given, "--out", "b.jsonl"])
        assert (json.loads(first.stdout)["requests"], json.loads(second.stdout)["requests"]) == (
            4,
            0,
        )
        assert server.bill.requests == paid
    assert (tmp_path / "a.jsonl").read_text() == (tmp_path / "b.jsonl").read_text() != ""
