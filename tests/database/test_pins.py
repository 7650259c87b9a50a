"""Pins: places in a database as text, and their cells read again by key."""

import uuid
from datetime import date, datetime
from decimal import Decimal

import pytest

from pincite.database.sources.connection import open_source
from pincite.database.statements.pins import Pin, by_key, key_of, read_pin

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
