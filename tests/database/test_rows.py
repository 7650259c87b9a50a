import json
import sqlite3
from datetime import date, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.database.relations.description import plain, relation_from, relation_to
from pincite.database.relations.model import Column, Link, Relation
from pincite.database.relations.relation_rows import document_of, rows_of
from pincite.database.sources.connection import open_source
from pincite.database.statements.pins import read_pin
from pincite.search.index.table_rows import SERIALIZERS, Cards, Rows


@pytest.fixture
def made(tmp_path):
    """A database with a keyed relation, one without a key that repeats a row, and an empty one."""
    path = tmp_path / "works.sqlite"
    db = sqlite3.connect(path)
    db.executescript(
        """
        CREATE TABLE parts (code TEXT, size INTEGER, mass_kg REAL, photo BLOB, note TEXT, PRIMARY KEY (code, size));
        INSERT INTO parts VALUES ('B''7', 2, 1.5, x'00ff', NULL), ('A1', 10, NULL, NULL, 'spare; "old"');
        CREATE TABLE visits (guest TEXT, day TEXT);
        INSERT INTO visits VALUES ('Ann', '2024-05-01'), ('Bo', '2024-05-02'), ('Ann', '2024-05-01');
        CREATE TABLE blank (name TEXT);
        """
    )
    db.close()
    return path


def relation(source, name):
    return source.database.relation(name)


def document(source, name):
    one = relation(source, name)
    return document_of(source.database, one, f"card of {name}", tuple(rows_of(source, one)))


def test_a_relation_is_a_document_of_its_card_and_rows(made):
    with open_source(made) as source:
        parts = document(source, "parts")
    root, card, *rows = parts.nodes
    assert (parts.id, parts.meta) == ("works/parts", {"database": "works", "table": "parts"})
    assert (root.kind, card.kind, card.text, card.parent, card.table) == (
        "document",
        "table",
        "card of parts",
        root.id,
        None,
    )
    assert [(row.kind, row.parent) for row in rows] == [("row", card.id)] * 2
    assert [row.meta["values"] for row in rows] == [
        ["A1", 10, None, 'spare; "old"'],
        ["B'7", 2, 1.5, None],
    ]
    assert rows[1].text == "code: B'7; size: 2; mass (kg): 1.5"
    assert rows[1].anchor.path == "parts!B'7, 2"
    assert json.loads(json.dumps(card.meta)) == card.meta


def test_the_pin_of_a_row_finds_it_again(made):
    with open_source(made) as source:
        for name in ("parts", "visits"):
            for row in document(source, name).nodes[2:]:
                pin = read_pin(row.anchor.sql)
                found = source.run(pin.statement).rows
                assert len(found) == 1 and row.meta["values"][0] in found[0]


def test_ids_of_rows_depend_on_their_keys_alone(made):
    with open_source(made) as source:
        before = {row.id: row.text for row in document(source, "parts").nodes[2:]}
    db = sqlite3.connect(made)
    db.execute("UPDATE parts SET mass_kg = 9 WHERE size = 2")
    db.execute("INSERT INTO parts VALUES ('A0', 1, 1, NULL, NULL)")
    db.commit()
    with open_source(made) as source:
        after = {row.id: row.text for row in document(source, "parts").nodes[2:]}
    assert len(after) == 3 and before.keys() < after.keys()
    assert sorted(before[one] == after[one] for one in before) == [False, True]


def test_rows_without_a_key_are_known_by_what_they_hold_and_copies_stay_apart(made):
    with open_source(made) as source:
        first = [row.id for row in document(source, "visits").nodes[2:]]
    db = sqlite3.connect(made)
    db.execute("DELETE FROM visits WHERE rowid = 1")
    db.execute("INSERT INTO visits VALUES ('Ann', '2024-05-01')")
    db.commit()
    with open_source(made) as source:
        second = [row.id for row in document(source, "visits").nodes[2:]]
    assert len(set(first)) == 3 and set(first) == set(second)


def test_the_version_changes_with_the_content_alone(made):
    with open_source(made) as source:
        versions = [document(source, "parts").version, document(source, "parts").version]
        assert versions[0] == versions[1] and versions[0] != document(source, "visits").version
    db = sqlite3.connect(made)
    db.execute("UPDATE parts SET note = 'new' WHERE size = 2")
    db.commit()
    with open_source(made) as source:
        assert document(source, "parts").version != versions[0]


def test_an_empty_relation_has_a_card_alone(made):
    with open_source(made) as source:
        assert [node.kind for node in document(source, "blank").nodes] == ["document", "table"]


def test_rows_are_written_by_every_serializer(made):
    with open_source(made) as source:
        parts = document(source, "parts")
    written = {name: [(one.node, one.at) for one in Rows(name)(parts)] for name in SERIALIZERS}
    assert set(map(tuple, written.values())) == {tuple((row.id, 0) for row in parts.nodes[2:])}
    (first, _) = Rows("semantic")(parts)
    assert (
        first.text
        == 'Item in parts:, code is A1, size is 10, mass (kg) is Null, note is spare; "old".\n'
    )
    assert list(Rows(of=("table",))(parts)) == []
    assert [(one.view, one.text) for one in Cards()(parts)] == [("card", "card of parts")]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, None), (float("nan"), None), (True, "yes"), (3, 3), (2.5, 2.5), (Decimal("4.00"), 4), (Decimal("4.25"), 4.25),
        (b"abc", "3 bytes"), ([1, "a"], '[1, "a"]'), (date(2024, 5, 1), "2024-05-01"),
        (datetime(2024, 5, 1, 12, 30), "2024-05-01 12:30:00"),
    ],
)  # fmt: skip
def test_a_cell_is_shown(value, shown):
    assert plain(value) == shown


values = st.one_of(st.none(), st.booleans(), st.integers(), st.text(), st.dates(), st.datetimes(), st.times(),
                   st.decimals(allow_nan=False, allow_infinity=False))  # fmt: skip


@given(values, values, st.lists(st.text(), max_size=3))
def test_a_relation_survives_json(low, high, names):
    column = Column(
        "a", "number", "b", low=low, high=high, values=tuple(names), scale=Decimal("1000")
    )
    one = Relation(
        "r",
        (column,),
        key=("a",),
        links=(Link(("a",), "s", ("b", "c"), False),),
        sample=((low, high),),
        rows=3,
    )
    assert relation_from(json.loads(json.dumps(relation_to(one)))) == one
