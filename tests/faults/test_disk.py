"""A disk that is full, a folder that cannot be written, files that change or go away while they are read."""

import os
import subprocess
import sys
import textwrap
from importlib import import_module

import pytest

from pincite.corpus import Corpus, writing
from pincite.workbench.library import index

pytestmark = pytest.mark.servers

workforce = import_module("pincite.indexing.workforce")  # the room has a function of this name
ALONE = ["unshare", "--user", "--map-root-user", "--mount"]


def can_mount():
    try:
        return not subprocess.run([*ALONE, "true"], capture_output=True).returncode
    except OSError:
        return False


def report(number, pages=20):
    return "\f".join(
        f"Page {page} of report {number}. It sold {number * 100 + page} units. " * 9
        for page in range(pages)
    )


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "reports"
    made.mkdir()
    for number in range(3):
        (made / f"r{number}.txt").write_text(report(number))
    return made


FILLED = """
    import os, sys
    from pathlib import Path
    from pincite.corpus import Corpus
    from pincite.errors import CorpusError
    from pincite.workbench.library import Library, index
    from pincite.settings import Settings

    folder, disk = Path(sys.argv[1]), Path(sys.argv[2])
    corpus, filler = disk / "c", disk / "filler"
    assert index(folder, corpus).parsed == 3
    for number in range(3, 12):
        (folder / f"r{number}.txt").write_text((folder / "r0.txt").read_text().replace("report 0", f"report {number}"))

    def fill(how):
        file = os.open(filler, os.O_WRONLY | os.O_CREAT | how)
        try:
            while True:
                os.write(file, b"x" * 4096)
        except OSError:
            os.close(file)

    stopped = 0
    for room in (0, 60, 200, 500, 1000):  # KiB
        fill(os.O_TRUNC)
        os.truncate(filler, max(0, filler.stat().st_size - room * 1024))
        try:
            index(folder, corpus)
        except CorpusError as error:
            assert "disk" in str(error) and "run the same command again" in str(error), error
            stopped += 1
        fill(os.O_APPEND)
        assert len(Corpus(corpus).documents) in (3, 12)
        assert Library(corpus, Settings()).search("units sold", k=1)
        assert not list(corpus.glob("shelves/*.half"))
    filler.unlink()
    index(folder, corpus)
    assert stopped >= 3 and len(Corpus(corpus).documents) == 12
"""


@pytest.mark.stress
@pytest.mark.skipif(not can_mount(), reason="no disk of a given size can be made here")
def test_a_full_disk_stops_a_run_and_nothing_else(folder, tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    script = tmp_path / "filled.py"
    script.write_text(textwrap.dedent(FILLED))
    mounted = f'mount -t tmpfs -o size=16m tmpfs "{disk}" && exec "{sys.executable}" "{script}" "{folder}" "{disk}"'
    done = subprocess.run([*ALONE, "sh", "-c", mounted], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


LIMITED = """
    import resource, signal, sys
    from pincite.errors import CorpusError
    from pincite.workbench.library import index

    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, resource.RLIM_INFINITY))
    try:
        index(sys.argv[1], sys.argv[2])
    except CorpusError as error:
        sys.exit("stopped" if "disk" in str(error) else str(error))
"""


def test_a_file_that_may_not_grow_stops_a_run_and_the_next_finishes(folder, tmp_path):
    script = tmp_path / "limited.py"
    script.write_text(textwrap.dedent(LIMITED))
    done = subprocess.run(
        [sys.executable, script, folder, tmp_path / "c"], capture_output=True, text=True
    )
    assert done.stderr.strip().splitlines()[-1] == "stopped"
    index(folder, tmp_path / "c")
    assert len(Corpus(tmp_path / "c").documents) == 3


READ_ONLY = """
    import sys
    from pathlib import Path
    from pincite.errors import CorpusError
    from pincite.workbench.library import Library, index
    from pincite.settings import Settings

    folder, corpus = map(Path, sys.argv[1:])
    assert Library(corpus, Settings()).search("units sold", k=1)
    try:
        index(folder, corpus)
    except CorpusError as error:
        sys.exit("refused" if "cannot write a corpus" in str(error) else str(error))
"""


@pytest.mark.skipif(not can_mount(), reason="no folder can be made read-only for every user here")
def test_a_corpus_that_cannot_be_written_still_answers(folder, tmp_path):
    corpus = tmp_path / "c"
    index(folder, corpus)
    (folder / "new.txt").write_text(report(7))
    script = tmp_path / "read_only.py"
    script.write_text(textwrap.dedent(READ_ONLY))
    mounted = f'mount --bind -o ro "{tmp_path}" "{tmp_path}" && exec "{sys.executable}" "{script}" "{folder}" "{corpus}"'
    done = subprocess.run([*ALONE, "sh", "-c", mounted], capture_output=True, text=True)
    assert done.stderr.strip().splitlines()[-1:] == ["refused"], done.stderr


def parsed_by(meanwhile):
    """`parse_all` that does `meanwhile(job)` right after a file was parsed."""
    whole = workforce.parse_all

    def parse_all(jobs, *given):
        for job, made in whole(jobs, *given):
            meanwhile(job)
            yield job, made

    return parse_all


def test_a_file_that_changes_while_it_is_read_is_read_again(folder, tmp_path, monkeypatch):
    times = []

    def change(job):
        if job.name == "r1.txt" and len(times) < 1:
            times.append((folder / "r1.txt").write_text("Only this was sold: 77 boilers."))

    monkeypatch.setattr(workforce, "parse_all", parsed_by(change))
    assert index(folder, tmp_path / "c").problems == ()
    corpus = Corpus(tmp_path / "c")
    held = {one.id: corpus.document(one.version) for one in corpus.documents}
    assert held["r1.txt"].nodes[-1].text == "Only this was sold: 77 boilers."
    for one in corpus.files():
        assert one.sha == one.version.partition("-")[0] == corpus.source(one.sha).stem
    assert index(folder, tmp_path / "c").unchanged == 3


def test_a_file_that_goes_on_changing_is_reported_and_read_by_the_next_run(
    folder, tmp_path, monkeypatch
):
    index(folder, tmp_path / "c")
    times = []

    def change(job):
        times.append((folder / "r1.txt").write_text(f"The state is number {len(times)}."))

    (folder / "r1.txt").write_text("The state is number A.")
    with monkeypatch.context() as patched:
        patched.setattr(workforce, "parse_all", parsed_by(change))
        (problem,) = index(folder, tmp_path / "c").problems
    assert "written to while it was read" in problem.reason and "still answers" in problem.reason
    assert len(times) == 2 and len(Corpus(tmp_path / "c").documents) == 3
    assert index(folder, tmp_path / "c").problems == ()
    with writing(tmp_path / "c") as writer:
        assert not writer.db.execute("SELECT 1 FROM facts WHERE name LIKE 'begun %'").fetchall()


def test_a_file_that_goes_away_while_it_is_read_is_no_problem(folder, tmp_path, monkeypatch):
    def remove(job):
        if job.name == "r1.txt":
            os.unlink(folder / "r1.txt")

    monkeypatch.setattr(workforce, "parse_all", parsed_by(remove))
    assert index(folder, tmp_path / "c").problems == ()
    assert [one.id for one in Corpus(tmp_path / "c").documents] == ["r0.txt", "r2.txt"]
