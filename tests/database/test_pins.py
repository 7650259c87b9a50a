"""Pins: places in a database as text, and their cells read again by key."""

import uuid
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal

import pytest

from pincite.database.sources.connection import open_source
from pincite.database.statements import pins
from pincite.database.statements.pins import Pin, by_key, key_of, read_pin, reading
from pincite.database.statements.replay import replay
from pincite.database.statements.result_lines import agrees
from pincite.database.statements.scalars import Unreplayable

SCRIPT = """
CREATE TABLE part (code text, revision integer, price numeric(8, 2), made date, seen timestamp, tags text[],
                   PRIMARY KEY (code, revision));
INSERT INTO part VALUES ('a', 1, 10.10, '2020-01-01', '2020-01-01 10:00', '{x}'), ('a', 2, 12.35, '2021-06-01', NULL, NULL),
                        ('b', 1, NULL, '2019-03-04', NULL, '{y,z}');
CREATE TABLE note (body text, weight real, about jsonb);
INSERT INTO note VALUES ('one', 1.5, '{"a": 1}'), ('two', NULL, NULL);
CREATE TABLE tool (id uuid PRIMARY KEY, name text);
INSERT INTO tool VALUES ('6e8bc430-9c3a-11d9-9669-0800200c9a66', 'Lathe');
"""


def test_a_pin_is_written_and_read_again():
    pin = Pin(
        "plant", "part", ("code", "on", "at", "price"),
        (("a'b", date(2020, 1, 2), datetime(2020, 1, 2, 3, 4), Decimal("1.10")), (None, None, None, 3)), ("name",), "SELECT 1",
    )  # fmt: skip
    assert read_pin(pin.written()) == pin
    assert (
        read_pin("") is None
        and read_pin("SELECT 1") is None
        and read_pin("[]") is None
        and read_pin("{}") is None
    )


@pytest.fixture(scope="module")
def source(postgres):
    with open_source(postgres.create(SCRIPT), name="shop") as opened:
        yield opened


def test_rows_are_read_again_by_keys_of_several_columns(source):
    part = source.database.relation("part")
    assert key_of(part) == ("code", "revision")
    found = by_key(source, part, [("a", 2), ("b", 1), ("c", 1)], ("price", "made"))
    assert found == {
        ("a", 2): (Decimal("12.35"), date(2021, 6, 1)),
        ("b", 1): (None, date(2019, 3, 4)),
    }


def test_a_table_without_a_key_is_read_again_by_what_its_rows_hold(source):
    note = source.database.relation("note")
    assert key_of(note) == ("body", "weight")
    assert by_key(source, note, [("two", None)], ("body",)) == {("two", None): ("two",)}


def test_a_key_of_another_type_survives_being_written(source):
    tool = source.database.relation("tool")
    row = (uuid.UUID("6e8bc430-9c3a-11d9-9669-0800200c9a66"),)
    kept = read_pin(Pin("shop", "tool", ("id",), (row,), ("name",), "").written())
    assert by_key(source, tool, kept.rows, ("name",)) == {kept.rows[0]: ("Lathe",)}


@pytest.mark.parametrize(
    "statement",
    [
        "SELECT code, SUM(price), AVG(price) FROM part GROUP BY code ORDER BY code",
        "SELECT code FROM part WHERE made >= '2020-01-01' ORDER BY made DESC",
        "SELECT code FROM part WHERE price IS NULL OR price > 12",
        "SELECT COUNT(*), MAX(made), MIN(seen) FROM part",
        "SELECT EXTRACT(YEAR FROM made), COUNT(DISTINCT code) FROM part GROUP BY EXTRACT(YEAR FROM made)",
        "SELECT code FROM part ORDER BY price DESC LIMIT 1",
        "SELECT body FROM note WHERE body ILIKE 'O%'",
        "SELECT COUNT(*) / 2, 7 / 2.0 FROM part",
    ],
)
def test_statements_of_a_server_are_computed_again(source, statement):
    found = source.run(statement)
    assert agrees(replay(found.statement, source.database, reading(source)), found.rows)


def test_a_large_table_is_read_through_its_tests_alone(source, monkeypatch):
    monkeypatch.setattr(pins, "WHOLE", 2)
    found = source.run("SELECT price FROM part AS p WHERE p.code = 'a' AND p.revision > 1")
    made = replay(found.statement, source.database, reading(source))
    assert [line.values for line in made.rows] == [(Decimal("12.35"),)]
    with pytest.raises(Unreplayable, match="more than 2 rows"):
        replay("SELECT COUNT(*) FROM part", source.database, reading(source))
    with pytest.raises(Unreplayable, match="more than 2 rows"):
        replay("SELECT code FROM part WHERE revision < 9", source.database, reading(source))


def test_what_the_profile_counted_may_have_grown(source, monkeypatch):
    monkeypatch.setattr(pins, "WHOLE", 2)
    stale = replace(source.database.relation("part"), rows=1)
    with pytest.raises(Unreplayable):
        reading(source)(stale, ("code",), "part", "")
