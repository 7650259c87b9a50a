"""Attacks on databases by statements, roles, and by files that somebody else wrote: none reads what is not listed, or stays."""

import sqlite3
import time
from contextlib import suppress
from random import Random

import pytest
import sqlalchemy as sa

from pincite.database.database_errors import (
    DatabaseError,
    StatementFailed,
    StatementRefused,
    StatementTimeout,
)
from pincite.database.relations.model import Column, Database, Relation
from pincite.database.sources.connection import open_source
from pincite.database.statements.statement_guard import guarded
from pincite.rows.drafting.statement_tree import Mendable, parsed
from tests.fuzz.statements import check_statement
from tests.fuzz.statements import statement as grown

CANARY = "canary-7f3a"
TABLES = f"""
CREATE TABLE part (id integer PRIMARY KEY, name varchar(200), mass double precision);
CREATE TABLE secret (word varchar(200));
INSERT INTO secret VALUES ('{CANARY}');
INSERT INTO part VALUES (1, 'bolt', 0.5), (2, 'nut', 0.25)
"""
ASKED = "SELECT word FROM secret"
FUNCTIONAL = [
    f"SELECT x FROM part, LATERAL ts_stat('SELECT array_to_tsvector(array_agg(word)) FROM secret') AS x, ({ASKED}) AS y",
    "SELECT x.ts_stat FROM upper('SELECT array_to_tsvector(array_agg(word)) FROM secret') AS x",
    "SELECT x.lower FROM part, LATERAL upper('a') AS x",
    "SELECT x FROM upper('a') AS x",
    "SELECT x.ts_stat FROM (SELECT 'SELECT array_to_tsvector(array_agg(word)) FROM secret'::text AS v) AS x",
    "WITH x AS (SELECT 'a'::text AS v) SELECT x.ts_stat FROM x",
    "WITH x(v) AS (SELECT '/etc/passwd'::text) SELECT x.pg_read_file FROM x",
    "SELECT x.pg_read_file FROM (VALUES ('/etc/passwd')) AS x(v)",
    "SELECT p.name FROM part AS p(a, b, c)",
    'SELECT p."Name" FROM part AS p',
    "SELECT part.row_to_json FROM part",
    "SELECT part.query_to_xml FROM part AS part",
    "SELECT (part).row_to_json FROM part",
    "SELECT (part.name).upper FROM part",
    "SELECT (x).* FROM part AS x",
    "SELECT part FROM part",
    "SELECT upper(part::text) FROM part",
    "SELECT name FROM part ORDER BY part.to_json",
    "SELECT count(*) FILTER (WHERE part.to_json IS NULL) FROM part",
    "SELECT sum(mass) OVER (PARTITION BY part.to_json) FROM part",
    "SELECT name FROM part WINDOW w AS (ORDER BY pg_sleep(9))",
    "SELECT DISTINCT ON (part.to_json) name FROM part",
    "SELECT name FROM part GROUP BY name, part.to_json",
    "SELECT name FROM part HAVING max(part.to_json) IS NULL",
    "SELECT name FROM part LIMIT (SELECT x.f FROM upper('a') AS x)",
    "SELECT * FROM ROWS FROM (upper('a'), lower('b')) AS x",
    "SELECT * FROM upper('a') WITH ORDINALITY AS x(v, n)",
    "SELECT * FROM part CROSS JOIN LATERAL upper(part.name) AS x",
    "SELECT (SELECT 1 FROM part AS a JOIN part AS b ON x.ts = 'a', (SELECT 1 AS ts) AS x) FROM (SELECT 'b' AS v) AS x",
    "SELECT (SELECT q.v FROM part AS x, (SELECT x.mass AS v) AS q) FROM (SELECT 'b' AS w) AS x",
    "SELECT 'secret'::regclass",
    "SELECT 'pg_sleep'::regproc",
    "SELECT name::name FROM part",
    "SELECT name::public.part FROM part",
    "SELECT public.upper(name) FROM part",
    "SELECT \"ts_stat\"('a')",
    'SELECT "pg_catalog"."ts_stat"(\'a\')',
    "SELECT tableoid FROM part",
    "SELECT p.ctid FROM part AS p",
    "SELECT p.xmin FROM part AS p",
    "SELECT name FROM part WHERE name @@ 'a'",
    "SELECT name FROM part TABLESAMPLE system_rows(part.mass)",
    "SELECT current_user AS name",
    "SELECT E'\\'' || word || E'\\'' FROM secret",
]


def listed(dialect="postgresql"):
    schema = {"postgresql": "public", "duckdb": "main"}.get(dialect, "")
    return Database(
        "shop", (Relation("part", (Column("id"), Column("name"), Column("mass")), schema=schema),), dialect,
    )  # fmt: skip


@pytest.fixture(scope="module")
def url(postgres):
    return postgres.create(
        TABLES
        + "; CREATE FUNCTION public.instr(text, text) RETURNS text LANGUAGE sql SECURITY DEFINER AS "
        "'SELECT max(word)::text FROM secret'; "
        "CREATE FUNCTION public.total(double precision) RETURNS text LANGUAGE sql AS 'SELECT max(word)::text FROM secret'"
    )


@pytest.mark.parametrize("statement", FUNCTIONAL)
def test_no_name_of_a_statement_calls_a_function(statement):
    with pytest.raises(StatementRefused):
        guarded(statement, listed())


def test_functions_that_somebody_made_are_not_called(url):
    with open_source(url, tables=["part"]) as source:
        for statement in (
            "SELECT total(mass) FROM part",
            "SELECT total(mass::double precision) FROM part",
        ):
            with pytest.raises(StatementFailed, match="total"):
                source.run(statement)
        assert source.run("SELECT upper(name) FROM part WHERE id = 1").rows == (("BOLT",),)


@pytest.mark.parametrize("statement", [
    "SELECT q.count, q.name FROM (SELECT count(*), name FROM part GROUP BY 2) AS q",
    "SELECT q.sum FROM (SELECT sum(mass) FROM part) AS q", "SELECT public.part.name FROM part",
    "SELECT name AS n FROM part GROUP BY n HAVING count(*) > 0 ORDER BY n",
    "SELECT j.n FROM (part AS a JOIN part AS b USING (id)) AS j(i, n)",
    "SELECT a.id, d.mass FROM part AS a LEFT JOIN LATERAL (SELECT mass FROM part AS c WHERE c.id = a.id) AS d ON true",
    "SELECT name FROM part AS a WHERE EXISTS (SELECT 1 FROM part AS b WHERE b.mass < a.mass)",
    "WITH x(v) AS (SELECT name FROM part), y AS (SELECT v FROM x) SELECT y.v FROM y ORDER BY y.v",
    "SELECT x.a FROM (SELECT 1 AS a UNION SELECT 2 ORDER BY a) AS x",
    "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY mass) FROM part",
    "SELECT name FROM part WHERE (id, mass) IN (SELECT id, mass FROM part)",
    "SELECT extract(year FROM date '2020-01-01'), interval '1 day', (ARRAY[1, 2])[1], count(part.*) FROM part",
])  # fmt: skip
def test_readings_are_still_let_through_and_run(url, statement):
    with open_source(url, tables=["part"]) as source:
        assert source.run(statement).rows


@pytest.fixture(scope="module")
def shop(postgres):
    """A database whose tables are given to roles that may do more than read."""
    return postgres.create(TABLES)


@pytest.mark.parametrize(
    ("made", "said"),
    [
        ("CREATE ROLE {role} LOGIN SUPERUSER", "is a superuser"),
        (
            "CREATE ROLE {role}_up SUPERUSER; CREATE ROLE {role} LOGIN NOINHERIT; GRANT {role}_up TO {role}",
            "is a superuser",
        ),
        ("CREATE ROLE {role} LOGIN CREATEROLE", "may make roles"),
        ("CREATE ROLE {role} LOGIN; GRANT pg_read_server_files TO {role}", "the server's files"),
        (
            "CREATE ROLE {role} LOGIN NOINHERIT; GRANT pg_execute_server_program TO {role}",
            "the server's files or programs",
        ),
        ("CREATE ROLE {role} LOGIN; GRANT pg_write_all_data TO {role}", "all tables for writing"),
        ("CREATE ROLE {role} LOGIN; ALTER TABLE part OWNER TO {role}", "owns public.part"),
        (
            "CREATE ROLE {role} LOGIN; GRANT INSERT ON secret TO {role}",
            "may write to public.secret",
        ),
        (
            "CREATE ROLE {role} LOGIN; GRANT UPDATE (name) ON part TO {role}",
            "may write to public.part",
        ),
        (
            "CREATE ROLE {role} LOGIN; GRANT CREATE ON SCHEMA public TO {role}",
            "may create in the schema public",
        ),
        (
            "CREATE ROLE {role} LOGIN; GRANT CREATE ON DATABASE {base} TO {role}",
            "may create schemas",
        ),
    ],
)
def test_a_role_that_may_do_more_than_read_is_refused_with_the_grants_to_use(
    postgres, shop, made, said
):
    base = sa.make_url(shop).database
    role = f"role{abs(hash(made))}"
    with postgres.connect(base) as connection:
        connection.execute(made.format(role=role, base=base))
        connection.execute(f"GRANT SELECT ON ALL TABLES IN SCHEMA public TO {role}")
    with pytest.raises(DatabaseError, match=said) as caught:
        open_source(postgres.url(base, role))
    for line in (
        "CREATE ROLE", "GRANT CONNECT ON DATABASE", "GRANT USAGE ON SCHEMA", "GRANT SELECT ON ALL TABLES",
    ):  # fmt: skip
        assert line in str(caught.value)
    with open_source(shop) as source:
        assert source.run("SELECT count(*) FROM part").rows == ((2,),)


def nested(levels, times=4):
    """A statement each of whose levels names the column of the one inside it several times."""
    text = "SELECT name AS x FROM part"
    for _ in range(levels):
        text = f"SELECT {' || '.join(['x'] * times)} AS x FROM ({text}) AS q"
    return text


def doubled(levels):
    """Common table expressions each of which reads the one before it twice."""
    names = [
        f"c{n} AS (SELECT a.name FROM c{n - 1} AS a, c{n - 1} AS b)" for n in range(1, levels)
    ]
    return f"WITH c0 AS (SELECT name FROM part), {', '.join(names)} SELECT count(*) FROM c{levels - 1}"


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb", "postgresql"])
@pytest.mark.parametrize("statement", [
    nested(12), doubled(20), "SELECT instr(a.name || b.name, a.name || b.name) FROM part AS a, part AS b",
    "SELECT replace(a.name, b.name, '') FROM part AS a, part AS b", f"SELECT trim(name, '{'ab' * 200}') FROM part",
])  # fmt: skip
def test_statements_that_unfold_without_end_are_refused_before_they_are_prepared(
    dialect, statement
):
    with pytest.raises(StatementRefused, match="expands to more than|write out what to look for"):
        guarded(statement, listed(dialect))


DEEP = [
    "SELECT " + "ARRAY[" * 30 + "1" + "]" * 30, "SELECT " + "[" * 30 + "1" + "]" * 30,
    "SELECT " + "ROW(" * 40 + "1" + ")" * 40, "SELECT 1 FROM " + "part JOIN " * 40 + "part",
    "SELECT id" + "[1]" * 6000 + " FROM part", "SELECT " + "x." * 2000 + "id FROM part",
    "SELECT 1 FROM " + "a." * 2000 + "part", "SELECT " + "{'a':" * 40 + "1" + "}" * 40,
    "SELECT " + "(SELECT " * 60 + "1" + ")" * 60, "SELECT " + "CASE WHEN " * 300 + "1" + " THEN 1 END" * 300,
    "SELECT " + "- " * 9000 + "1",
]  # fmt: skip


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb", "postgresql"])
def test_no_statement_keeps_the_parser(dialect):
    for statement in DEEP:
        began = time.process_time()
        with suppress(StatementRefused):
            guarded(statement, listed(dialect))
        with suppress(StatementRefused, Mendable):
            parsed(statement, listed(dialect))
        assert time.process_time() - began < 10


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb", "postgresql"])
def test_statements_of_the_grammar_are_refused_or_let_through(dialect):
    for seed in range(40):
        check_statement(grown(Random(seed)), dialect)


LONG = "a name that is long " * 9


@pytest.fixture(scope="module")
def many_sqlite(tmp_path_factory):
    path = tmp_path_factory.mktemp("many") / "shop.sqlite"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE part (id integer PRIMARY KEY, name text)")
        made = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)"
        connection.execute(f"INSERT INTO part {made} SELECT i, '{LONG}' || i FROM n")
    return path


@pytest.fixture(scope="module")
def many_duckdb(tmp_path_factory):
    duckdb = pytest.importorskip("duckdb")
    path = tmp_path_factory.mktemp("many") / "shop.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            f"CREATE TABLE part AS SELECT i AS id, '{LONG}' || i AS name FROM range(100000) AS t(i)"
        )
    return path


@pytest.fixture(scope="module")
def many_postgresql(postgres):
    return postgres.create(
        f"CREATE TABLE part AS SELECT i AS id, '{LONG}' || i AS name FROM generate_series(1, 100000) AS i"
    )


@pytest.mark.parametrize(
    ("engine", "statement"),
    [
        ("sqlite", "SELECT group_concat(name) || group_concat(name) FROM part"),
        (
            "sqlite",
            "SELECT a.name || b.name FROM (SELECT group_concat(name) AS name FROM part WHERE id < 60000) AS a, part AS b",
        ),
        ("duckdb", "SELECT array_agg(name) FROM part"),
        (
            "duckdb",
            "SELECT array_agg(name), string_agg(name, ', ') FROM part, (SELECT 1 UNION ALL SELECT 2) AS twice",
        ),
        ("postgresql", "SELECT array_agg(name) FROM part, (VALUES (1), (2)) AS twice"),
        ("postgresql", "SELECT string_agg(name, ', ') FROM part, (VALUES (1), (2)) AS twice"),
        (
            "postgresql",
            "SELECT a.names FROM (SELECT string_agg(name, ', ') AS names FROM part) AS a, part",
        ),
    ],
)
def test_a_result_is_as_large_as_is_allowed_and_no_larger(request, engine, statement):
    with open_source(request.getfixturevalue(f"many_{engine}"), database=listed(engine)) as source:
        began = time.monotonic()
        with pytest.raises(
            (StatementFailed, StatementTimeout),
            match="more than 16 MB|too big|stopped the statement",
        ):
            source.run(statement, seconds=3)
        assert time.monotonic() - began < 8
        assert source.run("SELECT count(*) FROM part").rows == ((100_000,),)


def duckdb_file(tmp_path, *statements):
    duckdb = pytest.importorskip("duckdb")
    path = tmp_path / "shop.duckdb"
    (tmp_path / "outside.csv").write_text(f"word\n{CANARY}\n")
    with duckdb.connect(str(path)) as connection:
        for statement in (*TABLES.split(";"), *statements):
            connection.execute(statement.replace("OUTSIDE", str(tmp_path / "outside.csv")))
    return path


@pytest.mark.parametrize("macro", [
    f"CREATE MACRO upper(x) AS ({ASKED} LIMIT 1)", f'CREATE MACRO "+"(a, b) AS ({ASKED} LIMIT 1)',
    f"CREATE MACRO total(x) AS ({ASKED} LIMIT 1)",
    "CREATE MACRO duckdb_functions() AS TABLE SELECT 'upper' AS function_name, true AS internal WHERE false",
    "CREATE MACRO lower(x) AS (SELECT content FROM read_text('OUTSIDE'))",
])  # fmt: skip
def test_a_file_that_redefines_functions_is_not_opened(tmp_path, macro):
    path = duckdb_file(tmp_path, macro)
    for kept in (None, listed("duckdb")):
        with pytest.raises(DatabaseError, match="under the names of built-in ones .*DROP MACRO"):
            open_source(path, tables=["part"] if kept is None else (), database=kept)


def test_macros_of_other_names_are_not_called(tmp_path):
    path = duckdb_file(
        tmp_path, f"CREATE MACRO peek(x) AS ({ASKED} LIMIT 1)", f"CREATE MACRO looks() AS TABLE {ASKED}",
    )  # fmt: skip
    with open_source(path, tables=["part"]) as source:
        for statement in (
            "SELECT peek(1)", "SELECT name.peek() FROM part", "SELECT main.peek(1)", "SELECT * FROM looks()",
            "SELECT (SELECT max(word) FROM looks())",
        ):  # fmt: skip
            with pytest.raises(StatementRefused):
                source.run(statement)


@pytest.mark.parametrize(
    "definition",
    [
        "CREATE VIEW hostile AS SELECT * FROM read_csv('OUTSIDE')",
        "CREATE VIEW hostile AS SELECT current_setting('memory_limit') AS word FROM part",
        "CREATE VIEW hostile AS SELECT * FROM duckdb_settings()",
        "CREATE MACRO looks() AS TABLE SELECT word FROM secret; CREATE VIEW hostile AS SELECT * FROM looks()",
        "CREATE VIEW inner_one AS SELECT * FROM range(3); CREATE VIEW hostile AS SELECT * FROM inner_one",
        "CREATE VIEW hostile AS WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT * FROM t",
        "CREATE MACRO peek(x) AS (SELECT max(word) FROM secret); "
        "CREATE TABLE hostile (a integer, b varchar GENERATED ALWAYS AS (getvariable('x')))",
    ],
)
def test_views_of_a_file_that_do_more_than_read_its_tables_are_left_out(tmp_path, definition):
    path = duckdb_file(
        tmp_path, *definition.split("; "), "CREATE VIEW fine AS SELECT name FROM part WHERE mass < 1",
    )  # fmt: skip
    with open_source(path) as source:
        assert {"part", "fine"} <= {relation.name for relation in source.database.relations}
        assert "hostile is not read" in source.database.meta["unreadable"]
        with pytest.raises(StatementRefused):
            source.run("SELECT * FROM hostile")
    with pytest.raises(DatabaseError, match="hostile is not read"):
        open_source(path, tables=["hostile"])
    kept = Database("shop", (Relation("hostile", (Column("word"),), schema="main"),), "duckdb")
    with open_source(path, database=kept) as source, pytest.raises(StatementRefused):
        source.run("SELECT * FROM hostile")


@pytest.mark.parametrize(
    "views",
    [
        [
            "CREATE VIEW hostile AS WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT n FROM t"
        ],
        [
            "CREATE VIEW hostile AS WITH t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT n FROM t"
        ],
        ["CREATE VIEW hostile AS SELECT zeroblob(1000000000) AS a FROM part"],
        ["CREATE VIEW hostile AS SELECT hex(randomblob(900000000)) AS a FROM part"],
        ["CREATE VIEW v0 AS SELECT name AS x FROM part"]
        + [f"CREATE VIEW v{n} AS SELECT x || x || x || x AS x FROM v{n - 1}" for n in range(1, 14)]
        + ["CREATE VIEW hostile AS SELECT x FROM v13"],
    ],
)
def test_views_of_sqlite_that_need_not_end_are_never_asked(tmp_path, views):
    path = tmp_path / "shop.sqlite"
    with sqlite3.connect(path) as connection:
        connection.executescript(";".join([TABLES, *views]))
    with open_source(path) as source:
        assert "part" in {relation.name for relation in source.database.relations}
        assert "the view hostile is not read" in source.database.meta["unreadable"]
        assert source.run("SELECT count(*) FROM part").rows == ((2,),)


def test_views_that_double_each_other_end_the_opening_and_not_the_process(tmp_path):
    path = tmp_path / "shop.sqlite"
    doubling = [
        f"CREATE VIEW v{n} AS SELECT a.name FROM v{n - 1} AS a, v{n - 1} AS b"
        for n in range(1, 20)
    ]
    with sqlite3.connect(path) as connection:
        connection.executescript(
            ";".join([TABLES, "CREATE VIEW v0 AS SELECT name FROM part", *doubling])
        )
    with pytest.raises(DatabaseError, match="cannot be read as a sqlite database: too many"):
        open_source(path)


def test_a_common_table_expression_does_not_stand_in_for_a_table(tmp_path):
    path = tmp_path / "shop.sqlite"
    with sqlite3.connect(path) as connection:
        connection.executescript(TABLES)
    with open_source(path, tables=["part"]) as source:
        endless = (
            "WITH part(n) AS (SELECT 1 UNION ALL SELECT id FROM part) SELECT count(*) FROM part"
        )
        assert source.run(endless).rows == ((3,),)
        with pytest.raises(StatementRefused):
            source.run("WITH t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT n FROM t")
