"""One writer and many readers; files that cannot be read."""

import os
import subprocess
import sys

import pytest
from reportlab.lib.pdfencrypt import StandardEncryption
from reportlab.pdfgen.canvas import Canvas

from pincite.corpus import Corpus, writing
from pincite.errors import CorpusBusy
from pincite.settings import Settings
from pincite.workbench.library import Library, index

pytestmark = pytest.mark.servers


def start(folder, corpus):
    return subprocess.Popen(
        [sys.executable, "-m", "pincite.cli.main", "index", str(folder), "--corpus", str(corpus)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def reports(folder, count):
    folder.mkdir()
    for number in range(count):
        pages = "\f".join(
            f"Page {page} of report {number}. It sold {number * 100 + page} units."
            for page in range(20)
        )
        (folder / f"r{number:03}.txt").write_text(pages)
    return folder


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
