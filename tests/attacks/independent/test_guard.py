"""Attacks on databases through statements, definitions and names: nothing unlisted is read, called or changed."""

# ruff: noqa: E501  (documents and statements stand on a line each)

import os
import sqlite3
import sys
import time
from pathlib import Path

import pytest

from pincite.database.database_errors import StatementFailed, StatementRefused, StatementTimeout
from pincite.database.sources.connection import open_source
from tests.postgres import postgres  # noqa: F401

CANARY = "canary-91cc"
PINCITE = Path(sys.executable).with_name("pincite")
SOURCES = {"sqlite": "plant", "duckdb": "duck", "postgresql": "server"}
TABLES = f"""
CREATE TABLE part (id integer PRIMARY KEY, name varchar(200), mass double precision);
CREATE TABLE secret (id integer, name varchar(200), word varchar(200));
INSERT INTO secret VALUES (1, '{CANARY}', '{CANARY}');
INSERT INTO part VALUES (1, 'bolt', 0.5), (2, 'nut', 0.25)
"""


@pytest.fixture(scope="module")
def plant(tmp_path_factory):
    """A SQLite database of which only the table `part` is listed."""
    path = tmp_path_factory.mktemp("plant") / "plant.sqlite"
    with sqlite3.connect(path) as made:
        made.executescript(TABLES)
    made.close()
    with open_source(path, tables=["part"]) as source:
        yield source


@pytest.fixture(scope="module")
def duck(tmp_path_factory):
    """A DuckDB database of which only the table `part` is listed."""
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("duckdb_engine")
    path = tmp_path_factory.mktemp("duck") / "plant.duckdb"
    with duckdb.connect(str(path)) as made:
        made.execute(TABLES + "; CREATE TYPE mood AS ENUM ('bolt', 'nut')")
    with open_source(path, tables=["part"]) as source:
        yield source


@pytest.fixture(scope="module")
def server(postgres):  # noqa: F811
    """A PostgreSQL database of which only the table `part` is listed; the secret may be read by the role all the same."""
    url = postgres.create(
        TABLES
        + f"""; CREATE TABLE "PART" (id integer, name text); INSERT INTO "PART" VALUES (1, '{CANARY}');
        CREATE SCHEMA reader; CREATE TABLE reader.part (id integer, name varchar(200), mass double precision);
        INSERT INTO reader.part VALUES (1, '{CANARY}', 1);
        CREATE FUNCTION public.leak(varchar, varchar) RETURNS text LANGUAGE sql AS 'SELECT max(word)::text FROM public.secret';
        CREATE OPERATOR public.|| (LEFTARG = varchar, RIGHTARG = varchar, FUNCTION = public.leak);
        CREATE FUNCTION public.told(varchar) RETURNS boolean LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION '%', (SELECT max(word) FROM public.secret); END $$;
        CREATE DOMAIN public.text AS varchar CHECK (public.told(VALUE));
        CREATE DOMAIN public.date AS varchar CHECK (public.told(VALUE))"""
    )
    with open_source(url, tables=["part"], schema="public") as source:
        assert [relation.name for relation in source.database.relations] == ["part"]
        assert source.run("SELECT name FROM part WHERE id = 1").rows == (("bolt",),)
        yield source


def kept(source, statement, seconds=5.0):
    """That a statement is refused, fails, or finds rows without the secret; what was said holds it neither."""
    began = time.monotonic()
    try:
        said = str(source.run(statement, seconds=seconds))
    except (StatementRefused, StatementFailed, StatementTimeout) as error:
        said = str(error)
        statement = ""
    assert CANARY not in said.replace(statement, ""), said
    assert time.monotonic() - began < seconds + 2
    return said


SCOPES = {
    "an expression reads the table that a later one of the same name hides": (
        "WITH a AS (SELECT word FROM secret), secret AS (SELECT 'x' AS word) SELECT word FROM a"
    ),
    "an expression of a subquery lends its name to the query around": (
        "SELECT word, (WITH secret AS (SELECT 'x' AS word) SELECT word FROM secret) AS y FROM secret"
    ),
    "an expression reads the table that has its own name": (
        "WITH secret AS (SELECT word FROM secret) SELECT word FROM secret"
    ),
    "an expression of the first arm lends its name to the second": (
        "SELECT * FROM (WITH secret AS (SELECT 'x' AS word) SELECT word FROM secret) AS q UNION ALL SELECT word FROM secret"
    ),
    "an expression is named as a listed table and its inside is not": (
        "WITH part AS (SELECT id, word AS name FROM main.secret) SELECT name FROM part"
    ),
}


@pytest.mark.parametrize("statement", SCOPES.values(), ids=SCOPES)
@pytest.mark.parametrize("kind", ["sqlite", "duckdb", "postgresql"])
def test_common_table_expressions_lend_their_names(statement, kind, request):
    """The attacker hides an unlisted table behind a common table expression that is out of scope where the table is read."""
    source = request.getfixturevalue(SOURCES[kind])
    kept(source, statement)


SMUGGLED = {
    "comment that ends in the comment that is written for it": "SELECT name FROM part -- */ UNION ALL SELECT word FROM secret --",
    "comment nested for one reader and not for the other": "SELECT name FROM part /* /* */ UNION ALL SELECT word FROM secret /* */ */",
    "hint comment": "SELECT /*+ x */ name FROM part /*! UNION ALL SELECT word FROM secret */",
    "dollar quotes": "SELECT $a$ $b$ '$a$ || name FROM part UNION ALL SELECT word FROM secret --$b$ '",
    "unicode escapes of a string": "SELECT U&'\\0027 UNION ALL SELECT word FROM secret --' || name FROM part",
    "unicode escapes of a name": 'SELECT * FROM U&"\\0073ecret"',
    "backslash before a quote": "SELECT '\\' || name FROM part WHERE name <> ' UNION ALL SELECT word FROM secret --'",
    "a NUL character": "SELECT name FROM part WHERE name <> 'a\0' UNION ALL SELECT word FROM secret --'",
    "a quote of another script": "SELECT name FROM part WHERE name = ‘x’ OR 1=1 UNION ALL SELECT word FROM secret",
    "brackets and backticks as quotes": "SELECT [word] FROM `secret`",
    "a name in full-width letters": "SELECT word FROM ｓｅｃｒｅｔ",
    "a letter that folds to another": "SELECT word FROM ſecret",
    "a parameter that is called like a table": "SELECT name FROM :secret",
    "TABLE": "TABLE secret",
    "TABLE in an arm": "SELECT name FROM part UNION ALL TABLE secret",
    "EXPLAIN ANALYZE": "EXPLAIN ANALYZE SELECT word FROM secret",
    "SELECT INTO": "SELECT name INTO stolen FROM part",
    "a lock": "SELECT name FROM part FOR UPDATE",
    "changing rows in an expression": "WITH x AS (DELETE FROM part RETURNING name) SELECT name FROM x",
    "COPY": "COPY (SELECT word FROM secret) TO '/tmp/stolen'",
    "a carriage return that ends a comment": "SELECT name FROM part --\rUNION ALL SELECT word FROM secret",
    "a line separator that ends a comment": "SELECT name FROM part --\u2028UNION ALL SELECT word FROM secret",
    "a natural join": "SELECT * FROM part NATURAL JOIN secret",
    "using of an unlisted table": "SELECT * FROM part JOIN secret USING (id)",
}


@pytest.mark.parametrize("statement", SMUGGLED.values(), ids=SMUGGLED)
@pytest.mark.parametrize("kind", ["sqlite", "duckdb", "postgresql"])
def test_text_that_two_readers_read_differently(statement, kind, request):
    """The attacker writes text that the guard and the database may read differently; nothing unlisted comes, nothing changes."""
    source = request.getfixturevalue(SOURCES[kind])
    kept(source, statement)
    assert source.run("SELECT count(*) FROM part WHERE id < 9").rows == ((2,),)
    assert not os.path.exists("/tmp/stolen")


POSTGRES = {
    "a table whose name differs in case": 'SELECT name FROM "PART"',
    "a schema named like the role, first in the search path": "SELECT name FROM part WHERE id = 1",
    "an operator of the owner's making": "SELECT name || name FROM part",
    "an operator named with its schema": "SELECT name OPERATOR(public.||) name FROM part",
    "a domain named like a built-in type": "SELECT CAST(name AS text), name::date FROM part",
    "a domain in quotes": 'SELECT CAST(name AS "text") FROM part',
    "a domain with its schema": "SELECT CAST(name AS public.text) FROM part",
    "a cast to a row of an unlisted table": "SELECT CAST(ROW(1, 'a', 'b') AS secret) FROM part",
    "a cast to a type by a function call": "SELECT secret(part) FROM part",
    "a query in a text": "SELECT query_to_xml('select word from secret', true, true, '')",
    "a cursor": "SELECT cursor_to_xml('c', 1, true, true, '')",
    "the statistics of the planner": "SELECT most_common_vals FROM pg_stats",
    "a setting made writable": "SELECT set_config('transaction_read_only', 'off', false)",
    "the text of all statements": "SELECT query FROM pg_stat_activity",
    "a large object": "SELECT lo_get(1)",
    "a collation of the owner's making": 'SELECT name COLLATE "public"."c" FROM part',
    "an entity outside of a document": "SELECT XMLPARSE(DOCUMENT '<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><a>&b;</a>')",
}


@pytest.mark.parametrize("statement", POSTGRES.values(), ids=POSTGRES)
def test_objects_of_the_owner_of_a_server(statement, server):
    """The owner of a PostgreSQL database made objects that a plain statement may reach; what they do never happens."""
    kept(server, statement)


DUCK = {
    "a file as a table": "SELECT * FROM '/etc/passwd'",
    "a file named like a table in a join": "SELECT p.name FROM part AS p, '/etc/passwd.csv' AS q",
    "FROM first": "FROM secret", "DESCRIBE as a table": "SELECT * FROM (DESCRIBE secret)",
    "SUMMARIZE as a table": "SELECT * FROM (SUMMARIZE secret)",
    "a table by its name in a text": "SELECT * FROM query_table('secret')",
    "a statement in a text": "SELECT * FROM query('SELECT word FROM secret')",
    "a function after a dot": "SELECT name.getenv() FROM part",
    "columns by a pattern": "SELECT COLUMNS('.*') FROM secret",
    "PIVOT of an unlisted table": "SELECT * FROM (PIVOT secret ON id USING max(word))",
    "UNPIVOT": "SELECT * FROM (UNPIVOT secret ON word INTO NAME a VALUE b)",
    "a positional join": "SELECT * FROM part POSITIONAL JOIN secret",
    "an as-of join": "SELECT s.word FROM part AS p ASOF JOIN secret AS s ON p.id >= s.id",
    "settings": "SELECT current_setting('home_directory') FROM part",
    "a variable": "SELECT getvariable('x') FROM part", "an environment variable": "SELECT getenv('HOME') FROM part",
    "a lambda": "SELECT list_transform([1], x -> (SELECT max(word) FROM secret)) FROM part",
    "an aggregate by name": "SELECT list_aggregate([name], 'string_agg', (SELECT word FROM secret)) FROM part",
    "a reserved catalog": "SELECT sql FROM duckdb_tables()",
    "a catalog's schema": "SELECT * FROM information_schema.tables",
    "another version of a table": "SELECT name FROM secret AT (VERSION => 1)",
    "star with replacements": "SELECT * REPLACE ((SELECT max(word) FROM secret) AS name) FROM part",
    "an enumeration from a query": "SELECT CAST('a' AS ENUM(SELECT word FROM secret))",
    "a cast to a type of the file": "SELECT CAST(name AS mood) FROM part",
}  # fmt: skip


@pytest.mark.parametrize("statement", DUCK.values(), ids=DUCK)
def test_the_ways_of_duckdb_to_name_a_table(statement, duck):
    """The attacker uses what DuckDB alone knows to reach a table, a file, a setting; none of it is reached."""
    said = kept(duck, statement)
    assert "root:" not in said
    assert os.environ.get("HOME", "/root") not in said.replace(statement, "")


LITE = {
    "the catalog": "SELECT sql FROM sqlite_master", "the catalog by its other name": "SELECT sql FROM sqlite_schema",
    "a pragma as a table": "SELECT * FROM pragma_table_info('secret')",
    "a table-valued function": "SELECT value FROM json_each('[1]')", "a file": "SELECT readfile('/etc/passwd')",
    "an extension": "SELECT load_extension('/tmp/x.so')",
    "a schema that is not there": "SELECT word FROM temp.secret",
    "a name in single quotes": "SELECT word FROM 'secret'", "MATCH": "SELECT name FROM part WHERE name MATCH 'x'",
    "INDEXED BY": "SELECT word FROM secret NOT INDEXED",
    "a value in double quotes that is a column elsewhere": 'SELECT "word" FROM part',
    "row values": "SELECT name FROM part WHERE (id, name) IN (SELECT id, word FROM secret)",
    "IN with a table": "SELECT name FROM part WHERE name IN secret", "RAISE": "SELECT RAISE(IGNORE)",
}  # fmt: skip


@pytest.mark.parametrize("statement", LITE.values(), ids=LITE)
def test_the_ways_of_sqlite_to_name_a_table(statement, plant):
    """The attacker uses what SQLite alone knows to reach a table, a file or a library; none of it is reached."""
    assert "root:" not in kept(plant, statement)


ENDLESS = {
    "a product of a table with itself": "SELECT count(*) FROM "
    + ", ".join(f"part AS t{at}" for at in range(40)),
    "a text repeated": "SELECT repeat('x', 1000000000) FROM part",
    "a text filled": "SELECT lpad('x', 1000000000) FROM part",
    "a hexadecimal blob": "SELECT hex(zeroblob(500000000)) FROM part",
    "a format with a width": "SELECT printf('%.*c', 900000000, 'x') FROM part",
    "a power of a power": "SELECT 9::numeric ^ 99999 ^ 9 FROM part",
    "a text that doubles": "SELECT length("
    + "replace(" * 20
    + "'aaaaaaaaaa'"
    + ", 'a', 'aaaaaaaaaa')" * 20
    + ") FROM part",
    "a text that doubles by concatenation": "SELECT v || v FROM ("
    + "SELECT v || v || v || v || v || v || v || v AS v FROM (" * 12
    + "SELECT 'aaaaaaaaaaaaaaaaaaaaaaaa' AS v"
    + ") AS a" * 12
    + ") AS b",
    "a hundred thousand parentheses": "SELECT " + "(" * 9_000 + "1" + ")" * 9_000,
    "a hundred thousand NOTs": "SELECT " + "NOT " * 4_900 + "1",
    "a long chain of additions": "SELECT 1" + "+1" * 9_000,
    "a long list of arms": " UNION ALL ".join(["SELECT 1"] * 1_500),
    "cases in cases": "SELECT " + "CASE WHEN 1=1 THEN " * 700 + "1" + " ELSE 2 END" * 700,
    "a pattern that never ends": "SELECT count(*) FROM part WHERE "
    + "'"
    + "a" * 4000
    + "b' LIKE '"
    + "%a" * 240
    + "%c'",
    "a range": "SELECT count(*) FROM range(1000000000000)",
    "a series": "SELECT count(*) FROM generate_series(1, 1000000000000)",
    "a factorial": "SELECT 99999! FROM part",
    "a window over a product": (
        "SELECT sum(a.mass) OVER (ORDER BY a.mass, b.mass) FROM "
        + ", ".join(f"part AS {x}" for x in "abcdefghijklmnopqrstuvwxy")
    ),
}


@pytest.mark.parametrize("statement", ENDLESS.values(), ids=ENDLESS)
@pytest.mark.parametrize("kind", ["sqlite", "duckdb", "postgresql"])
def test_a_statement_that_would_take_all_time_or_memory(statement, kind, request):
    """The attacker asks for what would take all time or all memory; it is refused, stopped, or found in bounded time."""
    source = request.getfixturevalue(SOURCES[kind])
    kept(source, statement, seconds=0.5)
    assert source.run("SELECT count(*) FROM part WHERE id < 9").rows == ((2,),)
