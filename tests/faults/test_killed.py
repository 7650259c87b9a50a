"""A run that is killed leaves a usable corpus, and the next run finishes it."""

import os
import signal
import subprocess
import sys
import time

import pytest
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

from pincite.corpus import Corpus, writing
from pincite.errors import CorpusBusy
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


def test_a_second_writer_is_told_that_the_corpus_is_busy(tmp_path):
    folder = reports(tmp_path / "reports", 1)
    with writing(tmp_path / "c"), pytest.raises(CorpusBusy, match="another process is indexing"):
        index(folder, tmp_path / "c")


def test_garbage_and_encrypted_files_are_listed_and_a_password_opens(tmp_path):
    folder, corpus = tmp_path / "reports", tmp_path / "c"
    folder.mkdir()
    (folder / "noise.txt").write_bytes(bytes(range(256)) * 400)
    sheet = Canvas(str(folder / "secret.pdf"), encrypt=StandardEncryption("open sesame"))
    sheet.drawString(72, 700, "The treasure holds 42 coins of gold.")
    sheet.save()
    problems = {os.path.basename(one.path): one.status for one in index(folder, corpus).problems}
    assert problems["secret.pdf"] == "locked"
    assert index(folder, corpus, passwords={"secret.pdf": "wrong"}).problems[0].status == "locked"
    again = index(folder, corpus, passwords={"secret.pdf": "open sesame"})
    assert "secret.pdf" not in {os.path.basename(one.path) for one in again.problems}
    (hit,) = Library(corpus, Settings()).search("treasure of gold coins", k=1)
    assert hit.document == "secret.pdf"
    assert b"open sesame" not in (corpus / "corpus.sqlite").read_bytes()


def test_asking_while_another_process_indexes(tmp_path):
    folder, corpus = reports(tmp_path / "reports", 3), tmp_path / "c"
    index(folder, corpus)
    for number in range(3, 10):
        (folder / f"r{number:03}.txt").write_text(f"Report {number} sold nothing at all. " * 300)
    process = start(folder, corpus)
    held = set()
    while process.poll() is None:
        held.add(len(Corpus(corpus).documents))
        assert Library(corpus, Settings()).search("units sold", k=1)
    assert process.returncode == 0
    assert held <= {3, 10} and len(Corpus(corpus).documents) == 10
