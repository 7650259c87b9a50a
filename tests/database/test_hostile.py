"""Statements and values that mean harm: on no engine do they change or tell anything, even without the guard before them."""

import hashlib
import sqlite3
from pathlib import Path

import pytest
import sqlalchemy as sa
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.database.database_errors import StatementFailed, StatementRefused, StatementTimeout
from pincite.database.relations.model import Column, Database, Relation
from pincite.database.sources.connection import in_memory, open_source
from pincite.database.sources.typed_columns import relation_of
from pincite.database.statements.statement_guard import guarded

TABLES = [
    "CREATE TABLE part (id integer PRIMARY KEY, name varchar(200), mass double precision)",
    "CREATE TABLE secret (word varchar(200))",
    "INSERT INTO secret VALUES ('hush')",
    "INSERT INTO part VALUES (1, 'bolt', 0.5), (2, 'nut; DROP TABLE part; --', 0.25), (3, ''' OR 1=1 --', 2)",
    "CREATE VIEW light AS SELECT name FROM part WHERE mass < 1",
    "CREATE VIEW spy AS SELECT word FROM secret",
]
LISTED = ["part", "light"]
ENGINES = ["sqlite", "duckdb", "postgresql"]


@pytest.fixture(scope="module")
def sqlite_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("hostile") / "shop.sqlite"
    with sqlite3.connect(path) as connection:
        for statement in TABLES:
            connection.execute(statement)
    return path


@pytest.fixture(scope="module")
def duckdb_file(tmp_path_factory):
    duckdb = pytest.importorskip("duckdb")
    path = tmp_path_factory.mktemp("hostile") / "shop.duckdb"
    with duckdb.connect(str(path)) as connection:
        for statement in TABLES:
            connection.execute(statement)
    return path


@pytest.fixture(scope="module")
def server_url(postgres):
    return postgres.create(";".join(TABLES))


@pytest.fixture(params=ENGINES)
def source(request):
    if request.param == "postgresql":
        address = request.getfixturevalue("server_url")
    else:
        address = request.getfixturevalue(f"{request.param}_file")
    with open_source(address, tables=LISTED) as opened:
        yield opened


WRITES = [
    "INSERT INTO part VALUES (9, 'x', 1)",
    "UPDATE part SET mass = 0",
    "DELETE FROM part",
    "DROP TABLE part",
    "ALTER TABLE part ADD COLUMN z integer",
    "CREATE TABLE other (z integer)",
    "CREATE TEMP TABLE other (z integer)",
    "CREATE VIEW other AS SELECT 1",
    "TRUNCATE part",
    "SELECT * INTO other FROM part",
    "WITH gone AS (DELETE FROM part RETURNING *) SELECT * FROM gone",
    "WITH more AS (INSERT INTO part VALUES (9, 'x', 1) RETURNING *) SELECT * FROM more",
    "MERGE INTO part USING part AS p ON part.id = p.id WHEN MATCHED THEN DELETE",
    "SELECT * FROM part FOR UPDATE",
    "VACUUM",
    "REINDEX",
    "GRANT ALL ON part TO PUBLIC",
    "REPLACE INTO part VALUES (1, 'x', 1)",
]
STACKED = [
    "SELECT 1; DROP TABLE part",
    "SELECT 1; SELECT 2",
    "SELECT 1 /* ; */ ; -- \n DELETE FROM part",
    "SELECT name FROM part; COMMIT; DROP TABLE part; --",
    ";;SELECT 1;;DROP TABLE part;;",
    "BEGIN; DROP TABLE part; COMMIT",
]
COMMANDS = [
    "ATTACH 'other.db' AS other",
    "ATTACH DATABASE ':memory:' AS other",
    "DETACH main",
    "PRAGMA query_only = 0",
    "PRAGMA table_info(part)",
    "PRAGMA writable_schema = 1",
    "COPY part TO '/tmp/pincite-stolen.csv'",
    "COPY part FROM '/etc/passwd'",
    "COPY (SELECT 1) TO PROGRAM 'touch /tmp/pincite-stolen'",
    "EXPORT DATABASE '/tmp/pincite-stolen'",
    "INSTALL httpfs",
    "LOAD 'evil'",
    "SET default_transaction_read_only = off",
    "SET TRANSACTION READ WRITE",
    "RESET ALL",
    "BEGIN",
    "COMMIT",
    "EXPLAIN ANALYZE DELETE FROM part",
    "EXPLAIN SELECT 1",
    "CALL pragma_version()",
    "DO $$ BEGIN DELETE FROM part; END $$",
    "LISTEN all",
    "NOTIFY all",
    "SHOW ALL",
    "DESCRIBE part",
    "VALUES (1)",
    "TABLE secret",
    "DISCARD ALL",
    "PREPARE p AS SELECT 1",
    "EXECUTE p",
    "LOCK TABLE part",
    "KILL 1",
    "USE other",
    "",
    "   ",
    "-- nothing",
    "what is this",
    "(" * 400 + "SELECT 1" + ")" * 400,
    "SELECT " + "+".join("1" * 9000),
    "SELECT '" + "x" * 30_000 + "'",
]
STOLEN = [
    "SELECT lo_export(1, '/tmp/pincite-stolen')",
    "SELECT lo_import('/etc/passwd')",
    "SELECT writefile('/tmp/pincite-stolen', 'x')",
    "SELECT nextval('s')",
]
FUNCTIONS = [
    "SELECT pg_sleep(30)",
    "SELECT * FROM part WHERE pg_sleep(30) IS NULL",
    "SELECT name FROM part ORDER BY (SELECT pg_sleep(30))",
    "SELECT name FROM part LIMIT (SELECT count(*) FROM pg_sleep(30))",
    "SELECT pg_read_file('/etc/passwd')",
    "SELECT pg_read_binary_file('/etc/passwd')",
    "SELECT * FROM pg_ls_dir('/')",
    "SELECT lo_import('/etc/passwd')",
    "SELECT lo_export(1, '/tmp/pincite-stolen')",
    "SELECT * FROM dblink('dbname=postgres', 'SELECT 1') AS t(a integer)",
    "SELECT dblink_exec('dbname=postgres', 'DROP TABLE part')",
    "SELECT set_config('transaction_read_only', 'off', false)",
    "SELECT current_setting('data_directory')",
    "SELECT pg_terminate_backend(1)",
    "SELECT pg_catalog.pg_sleep(30)",
    'SELECT "pg_sleep"(30)',
    "SELECT pg_catalog.\"pg_read_file\"('/etc/passwd')",
    "SELECT query_to_xml('SELECT * FROM secret', true, true, '')",
    "SELECT database_to_xml(true, true, '')",
    "SELECT table_to_xml('secret', true, true, '')",
    "SELECT 'secret'::regclass",
    "SELECT CAST('secret' AS regclass)",
    "SELECT nextval('s')",
    "SELECT setval('s', 1)",
    "SELECT txid_current()",
    "SELECT version()",
    "SELECT current_user",
    "SELECT session_user",
    "SELECT inet_server_addr()",
    "SELECT has_table_privilege('secret', 'SELECT')",
    "SELECT load_extension('evil')",
    "SELECT readfile('/etc/passwd')",
    "SELECT writefile('/tmp/pincite-stolen', 'x')",
    "SELECT fts3_tokenizer('simple')",
    "SELECT zeroblob(1000000000)",
    "SELECT randomblob(1000000000)",
    "SELECT printf('%1000000000d', 1)",
    "SELECT repeat('x', 1000000000)",
    "SELECT lpad('x', 1000000000)",
    "SELECT rpad('x', 1000000000)",
    "SELECT * FROM generate_series(1, 1000000000000)",
    "SELECT generate_series(1, 1000000000000)",
    "SELECT * FROM range(1000000000000)",
    "SELECT unnest(range(1000000000000))",
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM read_text('/etc/passwd')",
    "SELECT * FROM '/etc/passwd'",
    "SELECT * FROM glob('/*')",
    "SELECT getenv('HOME')",
    "SELECT * FROM query('SELECT * FROM secret')",
    "SELECT * FROM query_table('secret')",
    "SELECT * FROM duckdb_settings()",
    "SELECT * FROM sqlite_scan('x', 'y')",
    "SELECT * FROM postgres_scan('x', 'y', 'z')",
    "SELECT * FROM pragma_table_info('part')",
    "SELECT * FROM json_each('[1]')",
    "SELECT * FROM xmltable('/' PASSING '<a/>' COLUMNS a text)",
    "SELECT * FROM json_to_recordset('[]') AS x(a integer)",
    "SELECT OPERATOR(pg_catalog.-) 1",
    "SELECT part.pg_read_file FROM part",
]
HIDDEN = [
    "SELECT * FROM secret",
    "SELECT * FROM SECRET",
    'SELECT * FROM "secret"',
    "SELECT * FROM public.secret",
    "SELECT * FROM main.secret",
    "SELECT * FROM temp.secret",
    "SELECT * FROM shop.main.secret",
    "SELECT * FROM spy",
    "SELECT (SELECT word FROM secret)",
    "SELECT * FROM part, secret",
    "SELECT * FROM part JOIN secret ON true",
    "SELECT * FROM part WHERE EXISTS (SELECT 1 FROM secret)",
    "SELECT * FROM part WHERE name IN (SELECT word FROM secret)",
    "SELECT * FROM (SELECT * FROM secret) AS part",
    "WITH part AS (SELECT * FROM secret) SELECT * FROM part",
    "WITH light AS (SELECT * FROM secret) SELECT * FROM light",
    "WITH secret AS (SELECT * FROM secret) SELECT * FROM secret",
    "WITH a AS (SELECT * FROM secret), secret AS (SELECT 1 AS word) SELECT * FROM a",
    "SELECT * FROM (WITH secret AS (SELECT 1 AS word) SELECT * FROM secret) AS a, secret",
    "SELECT word FROM (WITH secret AS (SELECT 1 AS word) SELECT * FROM secret) AS a UNION SELECT word FROM secret",
    "SELECT name FROM part UNION ALL SELECT word FROM secret",
    "SELECT name FROM part EXCEPT SELECT word FROM secret",
    "SELECT name FROM part ORDER BY (SELECT word FROM secret)",
    "SELECT CASE WHEN (SELECT count(*) FROM secret) > 0 THEN 1 END",
    "SELECT * FROM part, LATERAL (SELECT word FROM secret) AS q",
    "SELECT secret FROM secret",
    "SELECT * FROM sqlite_master",
    "SELECT * FROM sqlite_schema",
    "SELECT * FROM sqlite_temp_master",
    "SELECT * FROM pg_catalog.pg_class",
    "SELECT * FROM pg_class",
    "SELECT * FROM pg_shadow",
    "SELECT * FROM pg_stat_activity",
    "SELECT * FROM information_schema.tables",
    "SELECT * FROM duckdb_tables",
    "SELECT * FROM part TABLESAMPLE SYSTEM (10), secret",
    "SELECT tableoid FROM part",
    "SELECT xmin FROM part",
    "SELECT ctid FROM part",
    "SELECT word FROM part",
    "SELECT $1",
    "SELECT ?",
    "SELECT @x",
]
BOMBS = [
    "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT * FROM t",
    "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT max(n) FROM t",
]


def state(source):
    """What there is: the bytes of a file, or the rows of a server's tables as their owner sees them."""
    if source.engine.dialect.name == "postgresql":
        import psycopg

        url = source.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
        with psycopg.connect(url) as connection:
            kept = "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY 1"
            names = connection.execute(kept).fetchall()
            rows = [
                connection.execute(f"SELECT * FROM {name} ORDER BY 1").fetchall()
                for name in ("part", "secret")
            ]
        return names, rows
    path = Path(source.database.address.removeprefix(f"{source.database.dialect}:///"))
    return hashlib.sha256(path.read_bytes()).hexdigest(), sorted(
        one.name for one in path.parent.iterdir()
    )


def test_what_is_not_a_reading_of_listed_tables_is_refused_before_it_is_run(source):
    before = state(source)
    for statement in [*WRITES, *STACKED, *COMMANDS, *FUNCTIONS, *HIDDEN, *BOMBS]:
        with pytest.raises(StatementRefused) as caught:
            source.run(statement, seconds=1)
        assert "hush" not in str(caught.value)
    assert state(source) == before
    assert not list(Path("/tmp").glob("pincite-stolen*"))


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT",
        "SELECT * FROM",
        "SELECT (part).query_to_xml FROM part",
        "SELECT FROM part WHERE",
        "SELECT 'open FROM part",
        "SELECT (1",
    ],
)
def test_halves_of_statements_fail_with_a_message(source, statement):
    with pytest.raises((StatementRefused, StatementFailed)):
        source.run(statement)


def test_what_gets_past_the_guard_is_stopped_by_the_database(source):
    """The second wall: statements given straight to the engine change nothing, whatever they say."""
    before = state(source)
    for statement in [*WRITES, *COMMANDS, *STOLEN]:
        try:
            with source.engine.begin() as connection:
                connection.exec_driver_sql(statement)
        except Exception as error:
            assert "hush" not in str(error)
    assert state(source) == before
    assert not list(Path("/tmp").glob("pincite-stolen*"))


@pytest.mark.parametrize(
    "statement", [one for one in HIDDEN if "secret" in one.casefold() or "spy" in one]
)
def test_sqlite_itself_hides_what_is_not_listed(sqlite_file, statement):
    with open_source(sqlite_file, tables=LISTED) as source, source.engine.connect() as connection:
        try:
            rows = connection.exec_driver_sql(statement).fetchall()
        except sa.exc.DBAPIError:
            return
        assert "hush" not in str(rows)


def test_readings_of_listed_tables_are_run(source):
    for statement, expected in [
        ("SELECT count(*) FROM part", [(3,)]),
        ("SELECT name FROM light ORDER BY name LIMIT 1", [("bolt",)]),
        ("WITH heavy AS (SELECT * FROM part WHERE mass > 1) SELECT id FROM heavy", [(3,)]),
        ("WITH secret AS (SELECT 7 AS word) SELECT word FROM secret", [(7,)]),
        (
            "SELECT p.name FROM part AS p WHERE p.mass = (SELECT max(mass) FROM part)",
            [("' OR 1=1 --",)],
        ),
        ("SELECT 1 AS a UNION ALL SELECT 1", [(1,), (1,)]),
        ("/* a note */ SELECT id FROM part WHERE name = 'bolt' -- and another", [(1,)]),
        ("SELECT upper(name) FROM part WHERE id = 1;", [("BOLT",)]),
    ]:
        assert list(source.run(statement).rows) == expected


@pytest.mark.parametrize(
    "value",
    ["' OR 1=1 --", "nut; DROP TABLE part; --", "\\'; DELETE FROM part; --", "\0", ":name", "$$"],
)
def test_values_are_bound_and_never_read_as_sql(source, value):
    if "\0" in value and source.database.dialect == "postgresql":
        with pytest.raises(StatementFailed):
            source.run("SELECT id FROM part WHERE name = :name", {"name": value})
        return
    found = source.run("SELECT id FROM part WHERE name = :name", {"name": value})
    assert list(found.rows) == {"' OR 1=1 --": [(3,)], "nut; DROP TABLE part; --": [(2,)]}.get(
        value, []
    )
    if "\0" not in value:
        assert source.run(found.statement).rows == found.rows


def test_statements_end_at_their_limit_of_time(source):
    many = ", ".join(f"part AS p{n}" for n in range(24))
    with pytest.raises(StatementTimeout, match="stopped the statement after"):
        source.run(f"SELECT count(*) FROM {many}", seconds=0.3)
    assert source.run("SELECT count(*) FROM part").rows == ((3,),)


def test_rows_end_at_their_limit(source):
    many = ", ".join(f"part AS p{n}" for n in range(8))
    found = source.run(f"SELECT p0.id FROM {many}", rows=10)
    assert len(found.rows) == 10 and found.truncated
    found = source.run("SELECT id FROM part ORDER BY id LIMIT 100", rows=2)
    assert [row[0] for row in found.rows] == [1, 2] and found.truncated
    found = source.run("SELECT id FROM part ORDER BY id LIMIT 2", rows=2)
    assert [row[0] for row in found.rows] == [1, 2] and not found.truncated


def test_expressions_with_text_in_them_are_refused(source):
    part = sa.table("part", sa.column("id"))
    for statement in [
        sa.select(sa.text("1")),
        sa.select(part.c.id).where(sa.text("1=1")),
        sa.select(sa.literal_column("(SELECT word FROM secret)")),
        sa.select(sa.table("secret", sa.column("word"))),
        sa.insert(part).values(id=9),
        sa.select(sa.insert(part).values(id=9).returning(part.c.id).cte()),
        sa.text("DELETE FROM part"),
        sa.select(sa.func.pg_sleep(30)),
        sa.select(sa.func.load_extension("evil")),
    ]:
        with pytest.raises(StatementRefused):
            source.run(statement)


def test_cells_that_look_like_statements_are_only_cells():
    cells = [
        "=cmd|'/c calc'!A1",
        "'); DROP TABLE given; --",
        'x"; ATTACH ":memory:" AS y; --',
        "SELECT 1; DELETE FROM given",
    ]
    headings = ['a"; DROP TABLE given; --', "b) VALUES (1); --"]
    given = relation_of([headings, *([one, "1"] for one in cells)], "given")
    with in_memory([given], "tables") as source:
        assert [row[0] for row in source.run("SELECT * FROM given ORDER BY rowid").rows] == cells
        found = source.run(
            "SELECT rowid FROM given WHERE :cell IN (SELECT * FROM (SELECT 1))", {"cell": cells[1]}
        )
        assert found.rows == ()


WORDS = """SELECT FROM part secret light WHERE name = 'x' "id" ( ) , * ; -- /* */ UNION WITH AS INSERT INTO DELETE DROP TABLE
    PRAGMA COPY pg_sleep 1 :: [ ] $$ \\ ' LIMIT ORDER BY count CASE WHEN END OVER :name ? $1 \0 é LATERAL VALUES RETURNING
    E'\\'' . {fn x} # FILTER WITHIN GROUP EXISTS IN NOT NULL JOIN ON USING CAST int TABLESAMPLE FETCH OFFSET WINDOW COLLATE
    AT ZONE -> ->> @> ~ || ^ %""".split()


@pytest.mark.parametrize("dialect", ENGINES)
@given(
    words=st.lists(st.sampled_from(WORDS), max_size=12),
    start=st.sampled_from(["", "SELECT", "SELECT name FROM part"]),
)
@settings(max_examples=150)
def test_whatever_is_let_through_is_let_through_again_as_it_is(dialect, start, words):
    part = Relation(
        "part",
        (Column("id"), Column("name"), Column("mass")),
        schema="public" if dialect == "postgresql" else "",
    )
    database = Database("shop", (part,), dialect)
    try:
        once = guarded(" ".join([start, *words]), database)
    except StatementRefused:
        return
    assert guarded(once, database) == once
