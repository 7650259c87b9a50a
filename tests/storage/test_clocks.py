"""Writers and servers of one corpus in PostgreSQL whose clocks are days apart.

What a process reads from its own clock is moved; the server of the database keeps its own.
"""

import json
import os
import subprocess
import sys
import time
from contextlib import closing

import pytest

from pincite.corpus import Corpus, FileStatus, writing
from pincite.records.review import reviews
from pincite.settings import Settings
from pincite.storage import corpus_folder
from pincite.workbench.library import Library
from tests.cluster.hosts import ROOT

DAY = 86_400
COMMAND = """
import datetime, sys, time
moved = int(sys.argv.pop(1))
clock, clock_ns, in_parts = time.time, time.time_ns, time.gmtime
time.time = lambda: clock() + moved
time.time_ns = lambda: clock_ns() + moved * 10**9
time.gmtime = lambda seconds=None: in_parts(time.time() if seconds is None else seconds)
class Moved(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return cls.fromtimestamp(time.time(), tz)
datetime.datetime = Moved
from pincite.cli.main import main
main()
"""
QUESTION = "What was the harbour fee of Tarn in 2021?"


def at(moved, *words, cache):
    """What a command says whose clock is so many seconds ahead, on a machine with a cache of its own."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", COMMAND, str(moved), *map(str, words), "--json"],
        capture_output=True,
        text=True,
        env=environment,
    )
    assert done.returncode in (0, 2), done.stderr
    return json.loads(done.stdout)


def note(folder, name, fee):
    (folder / f"{name}.md").write_text(
        f"# {name}\n\nThe harbour fee of {name} was {fee} GBP in 2021.\n"
    )


@pytest.mark.servers
def test_writers_with_clocks_days_apart_take_turns(database, tmp_path):
    made, files = database("clocks"), tmp_path / "files"
    files.mkdir()
    ahead, behind = {"moved": 2 * DAY}, {"moved": -2 * DAY}
    for machine, name in ((ahead, "ahead"), (behind, "behind")):
        machine["cache"] = tmp_path / name
    note(files, "Tarn", 77)
    note(files, "Wick", 12)
    index = ("index", files, "--corpus", made)
    assert at(ahead["moved"], *index, cache=ahead["cache"])["generation"] == 1
    note(files, "Tarn", 78)
    (files / "Wick.md").unlink()
    note(files, "Lund", 5)
    told = at(behind["moved"], *index, cache=behind["cache"])
    assert (told["generation"], told["parsed"]) == (2, 2)
    with closing(
        Corpus(made)
    ) as corpus:  # the generation of the clock that is behind is the newer one
        assert sorted(known.id for known in corpus.documents) == ["Lund.md", "Tarn.md"]
    ask = ("ask", QUESTION, "--corpus", made)
    asked = [at(machine["moved"], *ask, cache=machine["cache"]) for machine in (ahead, behind)]
    assert [answer["value"] for answer in asked] == [78, 78]
    assert asked[0]["answer_id"] == asked[1]["answer_id"]
    again = at(ahead["moved"], *index, cache=ahead["cache"])
    assert (again["generation"], again["parsed"]) == (2, 0)

    identity = asked[0]["answer_id"]
    for machine, value in ((ahead, "79 GBP"), (behind, "80 GBP")):
        words = ("review", "correct", identity, value, "--by", "Ada", "--corpus", made)
        at(machine["moved"], *words, cache=machine["cache"])
    times = [review.at for review in reviews(corpus_folder(made))]
    assert times == sorted(times, reverse=True)
    assert Library(made, Settings()).ask(QUESTION).text == "80 GBP"  # the last that was said


def test_generations_of_one_moment_are_told_apart(tmp_path, monkeypatch):
    monkeypatch.setattr(time, "gmtime", lambda: time.struct_time((2026, 1, 1, 0, 0, 0, 3, 1, 0)))
    known = set()
    for number in range(3):
        with writing(tmp_path) as writer:
            writer.put_file(FileStatus(f"/{number}.txt", f"{number}.txt"))
            known.add(writer.publish([], {}).identity)
    assert len(known) == 3
