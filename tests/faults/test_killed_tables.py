"""A run that is killed while it reads a database leaves a usable corpus, and the next run finishes it."""

import os
import signal
import sqlite3
import subprocess
import sys
import time

import pytest

from pincite.corpus import Corpus
from pincite.database.holdings import FOLDER
from pincite.indexing import Wanted
from pincite.indexing import stored_relations as module
from pincite.settings import Settings
from pincite.workbench.library import Library, index

pytestmark = pytest.mark.servers

LIMIT = 1_000


@pytest.fixture
def works(tmp_path):
    """A database of a large relation and five small ones."""
    path = tmp_path / "works.sqlite"
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE a_large (id INTEGER PRIMARY KEY, name TEXT)")
    db.executemany(
        "INSERT INTO a_large VALUES (?, ?)", ((one, f"valve {one}") for one in range(1_500))
    )
    for number in range(5):
        db.execute(f"CREATE TABLE small{number} (id INTEGER PRIMARY KEY, name TEXT)")
        rows = ((one, f"gear {number}-{one}") for one in range(100))
        db.executemany(f"INSERT INTO small{number} VALUES (?, ?)", rows)
    db.commit()
    db.close()
    return path


def run(path, corpus):
    return index([], corpus, databases=[Wanted(path)], row_limit=LIMIT)


def killed(seconds, path, corpus):
    environment = {**os.environ, "PINCITE_ROW_LIMIT": str(LIMIT)}
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "pincite.cli.main",
            "index",
            "--db",
            str(path),
            "--corpus",
            str(corpus),
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment,
    )
    time.sleep(seconds)
    process.send_signal(signal.SIGKILL)
    process.wait()


def check_whole(path, corpus):
    run(path, corpus)
    opened = Corpus(corpus)
    assert len(opened.relations) == 6
    (held,) = opened.databases
    values = held.values()
    with held.open() as source:
        for relation, phrase in (("a_large", "valve"), ("small3", "gear")):
            counts = dict(
                source.engine.connect()
                .exec_driver_sql(f"SELECT name, count(*) FROM {relation} GROUP BY 1")
                .all()
            )
            found = [one for one in values.near(f"{phrase} 3", 50) if one.relation == relation]
            assert found and all(counts[one.value] == one.count for one in found)
            assert values.summary(relation, "name", 0)[0] == len(counts)
    (hit,) = Library(corpus, Settings()).search("gear 3-77", k=1, where=(("table", ("small3",)),))
    assert hit.place == "small3!77"
    assert not [name for name in os.listdir(corpus / FOLDER) if name.endswith(".half")]
    assert sum(name.endswith(".npz") for name in os.listdir(corpus / FOLDER)) == 1


@pytest.mark.parametrize("seconds", [0.7, 1.2, 1.8])
def test_kill_during_the_first_run(works, tmp_path, seconds):
    killed(seconds, works, tmp_path / "c")
    check_whole(works, tmp_path / "c")


def changed(path):
    db = sqlite3.connect(path)
    db.execute("UPDATE a_large SET name = 'pump ' || id WHERE id % 9 = 1")
    db.execute("DELETE FROM a_large WHERE id % 50 = 7")
    db.execute("INSERT INTO small3 VALUES (900, 'gear 3-900')")
    db.commit()
    db.close()


def test_readers_see_the_old_generation_after_a_kill(works, tmp_path):
    corpus = tmp_path / "c"
    run(works, corpus)
    changed(works)
    killed(1.3, works, corpus)
    assert Corpus(corpus).relations and Library(corpus, Settings()).search("gear 3-77", k=1)
    check_whole(works, corpus)


@pytest.mark.parametrize("stop", ["save", "put_document", "put_file", "settle", "publish"])
def test_a_fault_at_any_step_is_made_good_by_the_next_run(works, tmp_path, monkeypatch, stop):
    corpus = tmp_path / "c"
    run(works, corpus)
    changed(works)
    places = {
        "save": module.Prints, "put_document": module.Writer, "put_file": module.Writer, "settle": module.Values,
        "publish": module.Writer,
    }  # fmt: skip

    def fail(*given, **more):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(places[stop], stop, fail)
        with pytest.raises(KeyboardInterrupt):
            run(works, corpus)
    assert Library(corpus, Settings()).search("gear 3-77", k=1)
    check_whole(works, corpus)
    assert run(works, corpus).generation == Corpus(corpus).generation.number
    assert all(one.unchanged for one in run(works, corpus).relations)


def test_a_server_that_goes_away_leaves_what_there_was(works, tmp_path, monkeypatch):
    from pincite.database.database_errors import DatabaseUnreachable

    corpus = tmp_path / "c"
    run(works, corpus)
    changed(works)

    def lost(source, relation):
        raise DatabaseUnreachable("the connection was lost")

    with monkeypatch.context() as patched:
        patched.setattr(module, "rows_of", lost)
        with pytest.raises(DatabaseUnreachable):
            run(works, corpus)
    assert len(Corpus(corpus).relations) == 6
    check_whole(works, corpus)
