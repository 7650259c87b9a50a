"""Runs of indexing that are killed at a step of their own, and what must hold of a corpus after any of them."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import sys

from pincite.corpus import Corpus
from pincite.corpus import writer as module
from pincite.formats.spell import spell
from pincite.search.index.shelf import _read
from pincite.workbench.library import default_shelves, index
from tests.forked import PROCESSES

STEPS = ("open", "os.", "shutil.", "sqlite3.")
WORDS = (
    "valve pump boiler turbine shaft north south tonnes hours approved replaced measured".split()
)


def _indexed(folder, corpus, at, told):
    """Index; kill this process at its step `at`, or write the number of steps to `told`. Steps are system calls and SQL."""
    steps = 0

    def step(*_):
        nonlocal steps
        steps += 1
        if steps == at:
            os.kill(os.getpid(), signal.SIGKILL)

    connect = module.connect

    def traced(*given, **more):
        db = connect(*given, **more)
        db.set_trace_callback(step)
        return db

    module.connect = traced
    sys.addaudithook(lambda event, _: step() if event.startswith(STEPS) else None)
    index(folder, corpus, workers=1)
    with open(told, "w") as file:
        file.write(str(steps))


def run(folder, corpus, told, at=0, seconds=None):
    """Index in a process of its own that is killed at a step or after some seconds; the number of its steps, 0 when killed."""
    told.unlink(missing_ok=True)
    process = PROCESSES.Process(target=_indexed, args=(folder, corpus, at, told))
    process.start()
    process.join(seconds)
    process.kill()
    process.join()
    return int(told.read_text()) if told.exists() and told.read_text() else 0


def note(draw):
    pages = draw.randrange(1, 4)
    return "\f".join(
        " ".join(draw.choices(WORDS, k=30)) + f" {draw.randrange(10**6)}." for _ in range(pages)
    )


def change(folder, draw):
    """Edit, add, rename and remove some files."""
    for _ in range(draw.randrange(1, 5)):
        paths = sorted(folder.iterdir())
        what, path = (
            draw.choice(("edit", "edit", "add", "add", "rename", "remove", "copy")),
            draw.choice(paths),
        )
        new = folder / f"n{draw.randrange(10**9)}.txt"
        if what == "rename":
            path.rename(new)
        elif what == "remove" and len(paths) > 6:
            path.unlink()
        elif what == "copy":
            new.write_text(path.read_text())
        else:
            (path if what == "edit" else new).write_text(note(draw))


def check_whole(corpus, allowed):
    """A corpus that a kill left: sound, and its generation one of those `allowed`, with all its nodes and indexes."""
    if not (corpus / "corpus.sqlite").exists() or not os.path.getsize(corpus / "corpus.sqlite"):
        return
    db = sqlite3.connect(corpus / "corpus.sqlite")
    assert db.execute("PRAGMA quick_check").fetchall() == [("ok",)]
    if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'generations'").fetchone():
        return db.close()
    opened = Corpus(corpus)
    names = sorted(name for name, _ in opened.generation.documents)
    assert names in allowed, (names, allowed)
    for version in {version for _, version in opened.generation.documents}:
        pages, held = db.execute(
            "SELECT d.pages, count(*) FROM documents d JOIN nodes n USING (version) WHERE version = ? AND kind = 'page'",
            (version,),
        ).fetchone()
        assert pages == held > 0
    for shelf in default_shelves():
        if opened.generation.number:
            folder = corpus / "shelves" / opened.generation.shelves[spell(shelf)]
            assert set(_read(shelf.index, folder).versions) == {
                version for _, version in opened.generation.documents
            }
    opened.close()
    db.close()


def state(corpus):
    """All that a corpus holds and serves, for comparison with another of the same files."""
    opened = Corpus(corpus)
    db = sqlite3.connect(corpus / "corpus.sqlite")
    nodes = db.execute("SELECT * FROM nodes ORDER BY version, place").fetchall()
    files = [(one.path, one.document, one.sha, one.version, one.status) for one in opened.files()]
    facts = db.execute("SELECT name FROM facts").fetchall()
    shelves = {
        f"{spelling} {path.name}": path.read_bytes()
        for spelling, name in opened.generation.shelves.items()
        for path in sorted((corpus / "shelves" / name).rglob("*"))
        if path.is_file()
    }
    held = {version for _, version in opened.generation.documents}
    return (
        opened.generation.documents,
        files,
        facts,
        [row for row in nodes if row[0] in held],
        shelves,
    )


def kills(folder, corpus, fresh, count, seed):
    """Kill so many runs of a folder that changes all the time, then let one finish: nothing is damaged, lost or doubled."""
    draw = random.Random(seed)
    folder.mkdir()
    for number in range(8):
        (folder / f"r{number}.txt").write_text(note(draw))
    told = folder.parent / "steps"
    steps = run(folder, fresh, told)
    assert steps > 100
    published: list[str] = []
    done = 0
    for number in range(count):
        names = sorted(path.name for path in folder.iterdir())
        finished = (
            run(folder, corpus, told, seconds=draw.uniform(0.05, 1.0))
            if number % 4 == 3
            else run(folder, corpus, told, at=draw.randrange(1, steps))
        )
        check_whole(corpus, (published, names))
        if finished or (corpus / "corpus.sqlite").exists() and _published(corpus):
            published = _published(corpus)
        done += bool(finished)
        change(folder, draw)
    made = index(folder, corpus)
    assert made.problems == () and len(made.files) == len(list(folder.iterdir()))
    index(folder, fresh)
    assert state(corpus) == state(fresh)
    assert not [path for path in corpus.rglob("*.half")]
    return done


def _published(corpus):
    try:
        db = sqlite3.connect(corpus / "corpus.sqlite")
        row = db.execute("SELECT content FROM generations ORDER BY number DESC LIMIT 1").fetchone()
    except sqlite3.OperationalError:
        return []
    return sorted(name for name, _ in json.loads(row[0])["documents"]) if row else []
