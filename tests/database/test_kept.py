"""What a corpus keeps of a server's database."""

import pytest

from pincite.corpus import Corpus
from pincite.database.statements.pins import read_pin
from pincite.indexing import Wanted
from pincite.workbench.library import index


def run(url, corpus):
    (one,) = index([], corpus, databases=[Wanted(url, "towns")]).relations
    return one.relation, one.rows, one.new, one.changed, one.deleted


def test_the_password_of_a_server_is_nowhere_in_the_corpus(postgres, tmp_path, monkeypatch):
    corpus, secret = tmp_path / "c", "correcthorsebattery"
    url = postgres.create(
        "CREATE TABLE towns (name TEXT); INSERT INTO towns VALUES ('Lund'), ('Oslo')"
    )
    url = url.replace("postgresql://reader@", f"postgresql://reader:{secret}@")
    assert run(url, corpus) == ("towns", 2, 2, 0, 0)
    (held,) = Corpus(corpus).databases
    assert secret not in repr(held) and "reader@" not in held.database.address
    monkeypatch.setenv("PINCITE_DB_TOWNS", url)
    with held.open() as source:
        assert source.run("SELECT name FROM towns ORDER BY name").rows == (("Lund",), ("Oslo",))
    stored = b"".join(path.read_bytes() for path in corpus.rglob("*") if path.is_file())
    assert secret.encode() not in stored
    monkeypatch.setenv("PGUSER", "reader")
    assert run(held.database.address, corpus) == ("towns", 2, 0, 0, 0)


ODD = """
CREATE SCHEMA "Odd One";
CREATE TYPE "Odd One".mood AS ENUM ('good', 'bad');
CREATE TABLE "Odd One"."Select %" (
    "the key" uuid PRIMARY KEY, "rate %" numeric(30, 10), "a:b" text, "quote ""d" varchar(20), mood "Odd One".mood, day date,
    at timestamptz, span interval, bits bytea, tags text[], doc jsonb, place point, flag boolean, pincite text);
INSERT INTO "Odd One"."Select %" VALUES
    ('11111111-1111-1111-1111-111111111111', 12345678901234567890.5, 'It''s; -- %s :x', 'q"q', 'good', '2024-02-29',
     '2024-02-29 12:00+01', '1 day 2 hours', '\\x00ff', '{a,"b c"}', '{"x": [1, null]}', '(1,2)', true, 'p'),
    ('22222222-2222-2222-2222-222222222222', 'NaN', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
CREATE TABLE "Odd One".empty (name text);
"""


@pytest.mark.parametrize("row_limit", [50_000, 1])
def test_odd_names_and_types_of_a_server_are_read(postgres, tmp_path, monkeypatch, row_limit):
    monkeypatch.setenv("PGUSER", "reader")
    url, corpus = postgres.create(ODD), tmp_path / "c"

    def again():
        return index(
            [], corpus, databases=[Wanted(url, "odd", "Odd One")], row_limit=row_limit
        ).relations

    assert [(one.relation, one.rows, one.new) for one in again()] == [
        ("Select %", 2, 2),
        ("empty", 0, 0),
    ]
    assert all(one.unchanged for one in again())
    name = url.split("?")[0].rsplit("/", 1)[1]
    with postgres.connect(name) as connection:
        connection.execute(
            """UPDATE "Odd One"."Select %" SET "a:b" = 'other' WHERE mood = 'good'"""
        )
    assert [(one.new, one.changed, one.deleted) for one in again()] == [(0, 1, 0), (0, 0, 0)]
    opened = Corpus(corpus)
    (held,) = opened.databases
    assert [(one.value, one.column) for one in held.values().lookup("other")] == [("other", "a:b")]
    rows = [
        node for node in opened.document(opened.relations[0].version).nodes if node.kind == "row"
    ]
    assert len(rows) == (2 if row_limit > 2 else 0)
    with held.open() as source:
        for row in rows:
            assert len(source.run(read_pin(row.anchor.sql).statement).rows) == 1
    for row in rows[:1]:
        assert 'tags: ["a", "b c"]' in row.text and "flag: yes" in row.text
