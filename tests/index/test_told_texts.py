import sqlite3
from dataclasses import replace

import pytest

from pincite.errors import CorpusError
from pincite.formats.spell import spell
from pincite.search.index.told_texts import FILE, Store, Told, digests, nodes_told, with_told
from pincite.types import Anchor, Document, Entry, Node


def document(version="v1"):
    nodes = (
        Node("p1", "page", "one", Anchor("s", ((1, None),))),
        Node("t1", "table", "rows", Anchor("s", ((1, None),))),
        Node("p2", "page", "two", Anchor("s", ((2, None),))),
    )
    return Document("d", version, nodes=nodes)


def told(folder, *rows):
    store = Store(folder)
    for node, kind, model, pieces in rows:
        store.put(node, "v1", kind, model, "1", pieces)
    store.close()


QA = (
    ("p1", "qa", "m", ["Why? So.", "When? Then."]),
    ("t1", "qa", "m", ["How many? Two."]),
    ("p2", "qa", "m", []),
)


def test_a_view_gives_what_was_told_of_each_node(tmp_path):
    told(tmp_path, *QA)
    held = with_told(document(), tmp_path)
    assert list(Told("qa")(held)) == [
        Entry("p1", "qa", "Why? So.\nWhen? Then."),
        Entry("t1", "qa", "How many? Two."),
    ]
    assert list(Told("qa", each=True)(held)) == [
        Entry("p1", "qa", "Why? So."), Entry("p1", "qa", "When? Then.", 1), Entry("t1", "qa", "How many? Two.")
    ]  # fmt: skip
    assert list(Told("qa", on="page")(held)) == [
        Entry("p1", "qa", "Why? So.\nWhen? Then."), Entry("p1", "qa", "How many? Two.", 1)
    ]  # fmt: skip
    assert list(Told("purpose")(held)) == []


def test_without_a_store_nothing_was_told_and_none_is_made(tmp_path):
    assert with_told(document(), tmp_path) == document()
    assert digests(tmp_path) == {}
    assert nodes_told(tmp_path, "qa", "m", "1") == frozenset()
    assert list(tmp_path.iterdir()) == []


def test_the_last_model_to_tell_counts(tmp_path):
    told(
        tmp_path,
        ("p1", "summary", "a", ["old"]),
        ("p1", "summary", "b", ["other"]),
        ("p1", "summary", "a", ["new"]),
    )
    assert [one.text for one in Told("summary")(with_told(document(), tmp_path))] == ["new"]


def test_what_was_told_of_other_versions_is_ignored(tmp_path):
    told(tmp_path, *QA)
    gone = document("v2")
    assert with_told(replace(gone, nodes=gone.nodes[:1]), tmp_path).nodes[0].meta == {}


def test_nodes_with_nothing_to_tell_are_known(tmp_path):
    told(tmp_path, *QA)
    assert nodes_told(tmp_path, "qa", "m", "1") == {("v1", "p1"), ("v1", "t1"), ("v1", "p2")}
    assert (
        nodes_told(tmp_path, "qa", "m", "2") == nodes_told(tmp_path, "qa", "n", "1") == frozenset()
    )


def test_a_digest_is_of_the_content_alone(tmp_path):
    for name, rows in (("a", QA), ("b", tuple(reversed(QA))), ("c", QA[:2])):
        (tmp_path / name).mkdir()
        told(tmp_path / name, *rows)
    assert digests(tmp_path / "a") == digests(tmp_path / "b") != digests(tmp_path / "c")
    before = digests(tmp_path / "a")
    told(tmp_path / "a", ("p1", "purpose", "m", ["To test."]))
    assert {key: digests(tmp_path / "a")[key] for key in before} == before


def test_a_store_that_is_just_being_made_or_damaged(tmp_path):
    sqlite3.connect(tmp_path / FILE).close()
    assert digests(tmp_path) == {}
    (tmp_path / FILE).write_bytes(b"no database" * 200)
    with pytest.raises(CorpusError, match="damaged"):
        digests(tmp_path)


def test_views_spell_themselves():
    assert spell(Told("qa", each=True)) == "Told(kind='qa', each=True)"
