"""Sources on real servers and files: what they hold, odd types, empty and wide tables, and what is said when they fail."""

import datetime
import json
import logging
import sqlite3
import threading
import time
from decimal import Decimal

import pytest
import sqlalchemy as sa

from pincite.database.database_errors import DatabaseError, DatabaseUnreachable, StatementFailed
from pincite.database.relations.description import relation_to
from pincite.database.relations.model import Database
from pincite.database.relations.relation_card import text
from pincite.database.sources.connection import open_source

WIDE = ", ".join(f"c{n} integer" for n in range(120))
ODD = f"""
CREATE TABLE maker (mid integer PRIMARY KEY, name varchar(50));
CREATE TABLE odd (
  id integer PRIMARY KEY, mid integer REFERENCES maker (mid), price numeric(12, 4), size double precision,
  day date, moment timestamp, note json, parts integer[], photo bytea, fine boolean, label varchar(20), clock time
);
CREATE TABLE nothing (a integer, b text);
CREATE TABLE wide ({WIDE});
CREATE VIEW cheap AS SELECT id, price FROM odd WHERE price < 2;
COMMENT ON TABLE odd IS 'odd things';
COMMENT ON COLUMN odd.price IS 'list price (EUR)';
COMMENT ON COLUMN odd.label IS 'What is printed on the box; empty until it is packed.';
INSERT INTO maker VALUES (1, 'Ann'), (2, 'Bob');
INSERT INTO odd VALUES
  (1, 1, 1.5, 0.25, '2020-01-02', '2020-01-02 10:00', '{{"a": [1, 2]}}', ARRAY[1, 2], 'abc', true, 'x', '10:30'),
  (2, 2, 12345678.1234, NULL, '2021-01-02', NULL, NULL, NULL, NULL, NULL, 'y', NULL);
INSERT INTO wide (c0, c119) VALUES (1, 2);
"""


@pytest.fixture(scope="module")
def server_url(postgres):
    return postgres.create(ODD)


@pytest.fixture(scope="module")
def duckdb_file(tmp_path_factory):
    duckdb = pytest.importorskip("duckdb")
    path = tmp_path_factory.mktemp("odd") / "odd.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(ODD.replace("bytea", "blob").replace("'abc'", "'abc'::blob"))
    return path


@pytest.fixture(scope="module", params=["postgresql", "duckdb"])
def source(request):
    address = request.getfixturevalue(
        "server_url" if request.param == "postgresql" else "duckdb_file"
    )
    with open_source(address) as opened:
        yield opened


def test_tables_views_types_keys_links_and_comments_are_read(source):
    database = source.database
    assert [r.name for r in database.relations] == ["cheap", "maker", "nothing", "odd", "wide"]
    odd = database.relation("odd")
    assert [c.type for c in odd.columns] == [
        "integer", "integer", "number", "number", "date", "datetime", "json", "array", "binary", "boolean", "text", "time",
    ]  # fmt: skip
    assert odd.key == ("id",) and odd.rows == 2
    assert [(one.columns, one.to, one.declared) for one in odd.links] == [
        (("mid",), "maker", True)
    ]
    assert odd.readable == "odd things" and "odd" in odd.also
    price = odd.column("price")
    assert (price.readable, price.guessed, price.unit) == ("list price", False, "EUR")
    assert (price.low, price.high) == (Decimal("1.5"), Decimal("12345678.1234"))
    assert (
        odd.column("label").described.startswith("What is printed")
        and odd.column("label").readable == "label"
    )
    assert (odd.column("day").low, odd.column("moment").nulls) == (datetime.date(2020, 1, 2), 0.5)
    assert odd.column("label").values == ("x", "y")
    assert odd.sample[0][8] == "3 bytes"


def test_empty_and_wide_tables(source):
    nothing, wide = source.database.relation("nothing"), source.database.relation("wide")
    assert (nothing.rows, nothing.sample, nothing.column("a").low) == (0, (), None)
    assert (
        len(wide.columns) == 120 and wide.column("c119").high == 2 and wide.column("c5").nulls == 1
    )
    assert source.run("SELECT * FROM nothing").rows == ()
    assert len(source.run("SELECT * FROM wide").columns) == 120


def test_every_description_can_be_kept(source):
    for relation in source.database.relations:
        assert json.dumps(relation_to(relation)) and text(relation)


def test_odd_values_are_read_and_the_statement_finds_them_again(source):
    found = source.run("SELECT * FROM odd ORDER BY id")
    assert found.rows[0][2:5] == (Decimal("1.5000"), 0.25, datetime.date(2020, 1, 2))
    assert found.rows[0][6:10] == ({"a": [1, 2]}, [1, 2], b"abc", True)
    assert source.run(found.statement).rows == found.rows
    odd = sa.table(
        "odd",
        sa.column("id"),
        sa.column("day", sa.Date),
        sa.column("price", sa.Numeric),
        schema=source.database.relation("odd").schema,
    )
    built = sa.select(odd.c.id).where(
        odd.c.day > datetime.date(2020, 6, 1), odd.c.price > Decimal("2.5")
    )
    found = source.run(built)
    assert found.rows == ((2,),) and found.columns == ("id",) and not found.truncated
    assert source.run(found.statement).rows == found.rows
    found = source.run("SELECT id FROM odd WHERE day < :day", {"day": datetime.date(2020, 6, 1)})
    assert found.rows == ((1,),) and source.run(found.statement).rows == found.rows


@pytest.mark.parametrize(
    ("statement", "given"),
    [
        ("SELECT id FROM odd WHERE id % 2 = 1 AND label LIKE '%x%'", {}),
        (
            "SELECT id FROM odd WHERE label = :x AND label <> ':x' AND label <> '12:30:00'",
            {"x": "x"},
        ),
        ("SELECT id FROM odd WHERE label = :x", {"x": "x", "unused": 1}),
    ],
)
def test_percent_signs_and_colons_are_what_they_are(source, statement, given):
    found = source.run(statement, given)
    assert found.rows == ((1,),)
    assert source.run(found.statement).rows == ((1,),)


def test_only_the_tables_that_are_named(source):
    address = source.engine.url.render_as_string(hide_password=False).replace("+psycopg", "")
    with open_source(address, tables=["ODD", "maker"], name="shop") as some:
        assert some.database.name == "shop"
        assert [r.name for r in some.database.relations] == ["odd", "maker"]
    with pytest.raises(
        DatabaseError,
        match="there is no table gone in .*; it holds cheap, maker, nothing, odd, wide",
    ):
        open_source(address, tables=["odd", "gone"])
    with pytest.raises(DatabaseError, match="there is no schema elsewhere"):
        open_source(address, schema="elsewhere")


def test_a_profile_that_was_made_before_is_taken(source):
    address = source.engine.url.render_as_string(hide_password=False).replace("+psycopg", "")
    with open_source(address, database=source.database) as again:
        assert again.database is source.database
        assert again.run("SELECT count(*) FROM odd").rows == ((2,),)


def test_statements_that_the_database_rejects_fail_in_its_own_words(source):
    with pytest.raises(StatementFailed, match="could not run the statement: .+"):
        source.run("SELECT sum(label) FROM odd")


def test_schemas_beside_the_first(postgres):
    url = postgres.create(
        "CREATE SCHEMA lab; CREATE TABLE lab.steel (grade text); INSERT INTO lab.steel VALUES ('S235')"
    )
    with open_source(url, schema="lab") as source:
        assert source.database.relation("steel").schema == "lab"
        assert (
            source.run("SELECT grade FROM steel").rows
            == source.run("SELECT grade FROM lab.steel").rows
            == (("S235",),)
        )
    with pytest.raises(DatabaseError, match="there is nothing to read in"):
        open_source(url)


def test_names_with_capitals_need_no_quotes(postgres):
    url = postgres.create(
        'CREATE TABLE "txLog" (id integer, "txCcy" text); INSERT INTO "txLog" VALUES (1, \'EUR\')'
    )
    with open_source(url) as source:
        for statement in [
            "SELECT txCcy FROM txLog",
            "SELECT txlog.txccy FROM txLog WHERE txLog.txCcy = 'EUR'",
            "SELECT t.txCcy FROM txLog AS t ORDER BY t.txCcy",
            'SELECT "txLog"."txCcy" FROM "txLog"',
            "SELECT max(txCcy) AS latest FROM txLog GROUP BY id ORDER BY latest",
        ]:
            assert source.run(statement).rows == (("EUR",),)


def test_what_an_extra_would_install_is_said(tmp_path, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(
        DatabaseError, match=r"this needs the postgres extra: pip install 'pincite\[postgres\]'"
    ):
        open_source("postgresql://h/shop")


def test_servers_that_are_not_there():
    for url in (
        "postgresql://ann:s3cret@localhost:1/shop",
        "postgresql://ann:s3cret@/shop?host=/no/such/socket",
    ):
        with pytest.raises(
            DatabaseUnreachable, match="cannot be reached: .*; check host, port and database name"
        ) as caught:
            open_source(url)
        assert "s3cret" not in str(caught.value) and caught.value.retryable


def test_a_database_that_is_not_there(postgres):
    with pytest.raises(DatabaseUnreachable, match='database "gone" does not exist'):
        open_source(postgres.url("gone"))


def test_logins(postgres, monkeypatch, caplog):
    """A wrong or missing password is said, a right one is in nothing that a source tells of itself."""
    caplog.set_level(logging.DEBUG)
    tables = "CREATE TABLE mine (a integer); CREATE TABLE theirs (b integer)"
    url = postgres.create(
        f"{tables}; CREATE ROLE ann LOGIN PASSWORD 's3cret'; GRANT SELECT ON mine TO ann"
    )
    database = sa.make_url(url).database
    rules = postgres.folder / "pg_hba.conf"
    rules.write_text("local all ann scram-sha-256\n" + rules.read_text())
    with postgres.connect() as admin:
        admin.execute("SELECT pg_reload_conf()")
    time.sleep(0.2)
    with pytest.raises(DatabaseError, match="refuses this user.*PINCITE_DB_") as caught:
        open_source(postgres.url(database, "ann", "wr0ng"))
    assert "wr0ng" not in str(caught.value)
    for kept in (None, Database(database)):
        with pytest.raises(DatabaseError, match="refuses this user"):
            open_source(postgres.url(database, "ann"), database=kept)
    monkeypatch.setenv(f"PINCITE_DB_{database.upper()}", postgres.url(database, "ann", "s3cret"))
    with open_source(postgres.url(database).replace("reader@", "")) as source:
        assert [r.name for r in source.database.relations] == ["mine"]
        assert source.database.meta["unreadable"] == "theirs: permission denied"
        found = source.run("SELECT count(*) FROM mine")
        told = [
            repr(source),
            str(source.database),
            repr(source.engine),
            str(source.engine.url),
            repr(found),
            caplog.text,
        ]
        assert not any("s3cret" in one for one in told)
    with pytest.raises(
        DatabaseError, match="permission denied for table theirs; grant this user SELECT"
    ):
        open_source(postgres.url(database), tables=["theirs"])
    monkeypatch.delenv(f"PINCITE_DB_{database.upper()}")
    monkeypatch.setenv("PGPASSWORD", "s3cret")
    with open_source(postgres.url(database, "ann"), tables=["mine"]) as source:
        assert source.run("SELECT count(*) FROM mine").rows == ((0,),)


def test_connections_that_are_lost_in_the_middle(postgres):
    url = postgres.create("CREATE TABLE many AS SELECT generate_series(1, 2000) AS a")
    caught = []
    with open_source(url) as source:

        def ask():
            try:
                source.run("SELECT count(*) FROM many AS a, many AS b, many AS c", seconds=30)
            except Exception as error:
                caught.append(error)

        asking = threading.Thread(target=ask)
        asking.start()
        with postgres.connect() as admin:
            ended = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%AS c%' AND pid <> pg_backend_pid()"
            while asking.is_alive():
                admin.execute(ended)
                time.sleep(0.05)
        asking.join()
        (error,) = caught
        assert isinstance(error, DatabaseUnreachable) and "terminating connection" in str(error)
        assert source.run("SELECT count(*) FROM many").rows == ((2000,),)


def test_a_table_that_is_dropped_after_it_was_indexed(postgres):
    url = postgres.create("CREATE TABLE brief (a integer)")
    with open_source(url) as source:
        with postgres.connect(sa.make_url(url).database) as admin:
            admin.execute("DROP TABLE brief")
        with pytest.raises(StatementFailed, match='relation "public.brief" does not exist'):
            source.run("SELECT a FROM brief")


def test_files_that_are_damaged(tmp_path):
    path = tmp_path / "broken.sqlite"
    path.write_bytes(b"SQLite format 3\0" + b"x" * 5000)
    for kept in (None, Database("broken")):
        with pytest.raises(DatabaseError, match="cannot be read as a sqlite database"):
            open_source(path, database=kept)
    pytest.importorskip("duckdb")
    path = tmp_path / "broken.duckdb"
    path.write_bytes(b"x" * 8 + b"DUCK" + b"x" * 5000)
    with pytest.raises(DatabaseError, match="cannot be read as a duckdb database"):
        open_source(path)


def test_tables_of_sqlite(tmp_path):
    path = tmp_path / "some.sqlite"
    with sqlite3.connect(path) as connection:
        connection.executescript(
            'CREATE TABLE a (id integer PRIMARY KEY, "odd name" text, "say ""x""" int);'
            "CREATE TABLE b (k text PRIMARY KEY, a_id int REFERENCES a) WITHOUT ROWID;"
            "CREATE VIEW v AS SELECT * FROM a; INSERT INTO a VALUES (5, 'x', 1)"
        )
    with open_source(path) as source:
        assert [(r.name, r.rowid, r.key) for r in source.database.relations] == [
            ("a", "rowid", ("id",)), ("b", "", ("k",)), ("v", "", ()),
        ]  # fmt: skip
        assert source.run('SELECT rowid, "odd name", "say ""x""" FROM a').rows == ((5, "x", 1),)
        assert source.run('SELECT id FROM v WHERE "odd name" = "x"').rows == ((5,),)
    with sqlite3.connect(tmp_path / "empty.sqlite") as connection:
        connection.execute("CREATE TABLE t (a)")
        connection.execute("DROP TABLE t")
    with pytest.raises(DatabaseError, match="there is nothing to read in"):
        open_source(tmp_path / "empty.sqlite")


def test_the_sample_is_drawn_over_all_rows_and_is_the_same_the_next_time(tmp_path):
    path = tmp_path / "many.sqlite"
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE many (id INTEGER PRIMARY KEY)")
        db.execute("CREATE TABLE few (id INTEGER PRIMARY KEY)")
        db.executemany("INSERT INTO many VALUES (?)", [(n,) for n in range(1000, 0, -1)])
        db.executemany("INSERT INTO few VALUES (?)", [(3,), (1,), (2,)])
    db.close()
    drawn = []
    for _ in range(2):
        with open_source(path) as opened:
            drawn.append([one.sample for one in opened.database.relations])
            assert opened.database.relation("few").sample == ((1,), (2,), (3,))
            many = [row[0] for row in opened.database.relation("many").sample]
    assert drawn[0] == drawn[1]
    assert len(set(many)) == 5 and many == sorted(many) and max(many) > 100
