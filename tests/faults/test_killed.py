"""A run that is killed leaves a usable corpus, and the next run finishes it."""

import os
import signal
import subprocess
import sys
import time

import pytest

from pincite.corpus import Corpus
from pincite.library import Library, index
from pincite.settings import Settings


def start(folder, corpus):
    return subprocess.Popen(
        [sys.executable, "-m", "pincite.cli.main", "index", str(folder), "--corpus", str(corpus)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def reports(folder, count):
    folder.mkdir()
    for number in range(count):
        pages = "\f".join(f"Page {page} of report {number}. It sold {number * 100 + page} units." for page in range(20))
        (folder / f"r{number:03}.txt").write_text(pages)
    return folder


def kill_after(seconds, folder, corpus):
    process = start(folder, corpus)
    time.sleep(seconds)
    process.send_signal(signal.SIGKILL)
    process.wait()


def check_whole(folder, corpus, count):
    assert index(folder, corpus).problems == ()
    assert len(Corpus(corpus).documents) == count
    (hit,) = Library(corpus, Settings()).search("Page 3 of report 2", k=1, where=(("document", ("r002",)),))
    assert hit.document == "r002.txt"
    assert not [name for name in os.listdir(corpus / "shelves") if name.endswith(".half")]


@pytest.mark.parametrize("seconds", [0.3, 1.0, 1.7])
def test_kill_during_the_first_run(tmp_path, seconds):
    folder, corpus = reports(tmp_path / "reports", 12), tmp_path / "c"
    kill_after(seconds, folder, corpus)
    check_whole(folder, corpus, 12)


def test_readers_see_the_old_generation_after_a_kill(tmp_path):
    folder, corpus = reports(tmp_path / "reports", 3), tmp_path / "c"
    index(folder, corpus)
    for number in range(3, 12):
        (folder / f"r{number:03}.txt").write_text(f"Something new in {number}. " * 400)
    kill_after(1.2, folder, corpus)
    held = len(Corpus(corpus).documents)
    assert held in (3, 12)
    assert Library(corpus, Settings()).search("units sold", k=1)
    assert index(folder, corpus).problems == ()
    assert len(Corpus(corpus).documents) == 12


@pytest.mark.stress
def test_a_hundred_kills(tmp_path):
    folder, corpus = reports(tmp_path / "reports", 40), tmp_path / "c"
    for number in range(100):
        kill_after(0.2 + (number % 20) / 10, folder, corpus)
        if (corpus / "corpus.sqlite").exists():
            Corpus(corpus).close()
    check_whole(folder, corpus, 40)
