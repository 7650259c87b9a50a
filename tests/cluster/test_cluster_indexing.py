"""Indexing on a real scheduler with real workers, some of which are killed while they work."""

import textwrap
import threading

import pytest

from pincite.errors import ClusterError
from pincite.indexing.cluster_tasks import FileTask
from pincite.ingest.parser_processes import ParserJob
from pincite.workbench.library import index
from tests.cluster.hosts import Hosts, Wire, held, waits

pytestmark = pytest.mark.servers

pytest.importorskip("distributed")

PARSER = """
import os, signal, sys, time
if "pincite.processes.worker" in " ".join(sys.orig_argv):
    import pincite.ingest.document_parser as module
    usual = module.parse

    def parse(path, name, *given):
        place = os.environ["TOLD"]
        if name.startswith("slow"):
            open(os.path.join(place, name), "a").write(f"{os.getppid()} ")
            while not os.path.exists(os.path.join(place, "go")):
                time.sleep(0.02)
        if name.startswith("poison"):
            open(os.path.join(place, name), "a").write("tried ")
            os.kill(os.getppid(), signal.SIGKILL)
            time.sleep(60)
        if name.startswith("crash"):
            open(os.path.join(place, name), "a").write("tried ")
            os.abort()
        return usual(path, name, *given)

    module.parse = parse
"""
"""What the workers find first on their path: parsers that wait to be killed, or end the worker that started them."""


@pytest.fixture(scope="module")
def started(tmp_path_factory):
    """The hosts, and a folder in which parsers say what they have begun."""
    folder = tmp_path_factory.mktemp("hosts")
    (folder / "sitecustomize.py").write_text(textwrap.dedent(PARSER))
    told = folder / "told"
    told.mkdir()
    made = Hosts(folder, folder, {"TOLD": str(told)})
    yield made, told
    made.stop()


@pytest.fixture
def told(started):
    for path in started[1].iterdir():
        path.unlink()
    return started[1]


@pytest.fixture
def hosts(started):
    return started[0].start()


def reports(folder, *names):
    folder.mkdir(exist_ok=True)
    for number, name in enumerate(names):
        pages = (f"Page {page} of {name}: output was {number}{page} tonnes." for page in range(3))
        (folder / name).write_text("\f".join(pages))
    return folder


def in_thread(folder, corpus, address):
    """Index on a cluster in a thread; what it made comes into the list."""
    made = []
    thread = threading.Thread(target=lambda: made.append(index(folder, corpus, on=address)))
    thread.start()
    return thread, made


def test_the_same_corpus_as_without_a_cluster_though_a_worker_is_killed(tmp_path, hosts, told):
    folder = reports(tmp_path / "reports", "a.txt", "b.txt", "c.md", "slow.txt")
    index(folder, tmp_path / "here")
    thread, made = in_thread(folder, tmp_path / "there", hosts.address)
    waits(lambda: (told / "slow.txt").exists() and (told / "slow.txt").read_text())
    (at_work,) = map(int, (told / "slow.txt").read_text().split())
    hosts.kill_worker([worker.pid for worker in hosts.workers].index(at_work))
    waits(lambda: len((told / "slow.txt").read_text().split()) == 2)
    (told / "go").touch()
    thread.join(60)
    (summary,) = made
    assert (summary.parsed, summary.pages, summary.problems) == (4, 12, ())
    assert held(tmp_path / "there") == held(tmp_path / "here")


def test_a_file_that_ends_its_workers_is_set_aside_after_two(tmp_path, hosts, told):
    folder = reports(tmp_path / "reports", "a.txt", "poison.txt", "b.txt")
    thread, made = in_thread(folder, tmp_path / "corpus", hosts.address)
    waits(lambda: (told / "poison.txt").exists())
    hosts.start_worker()  # as whoever supervises them does
    waits(lambda: (told / "poison.txt").read_text() == "tried tried ")
    hosts.start_worker()
    thread.join(90)
    (summary,) = made
    ((problem,),) = (summary.problems,)
    assert (problem.document, problem.status) == ("poison.txt", "unreadable")
    assert "2 workers ended" in problem.reason and "Index it again" in problem.reason
    assert (told / "poison.txt").read_text() == "tried tried "
    assert held(tmp_path / "corpus")[0] == ["a.txt", "b.txt"]


def test_a_scheduler_that_is_restarted_is_waited_for(tmp_path, hosts, told):
    folder = reports(tmp_path / "reports", "a.txt", "slow1.txt", "slow2.txt")
    thread, made = in_thread(folder, tmp_path / "corpus", hosts.address)
    waits(lambda: (told / "slow1.txt").exists() and (told / "slow2.txt").exists())
    hosts.kill_scheduler()
    for _ in range(2):
        hosts.kill_worker()
    (told / "go").touch()
    hosts.start()
    thread.join(90)
    (summary,) = made
    assert (summary.parsed, summary.problems) == (3, ())
    assert held(tmp_path / "corpus")[0] == ["a.txt", "slow1.txt", "slow2.txt"]


def test_a_connection_that_is_cut_is_made_again(tmp_path, hosts, told):
    folder = reports(tmp_path / "reports", "a.txt", "slow1.txt", "slow2.txt")
    wire = Wire(hosts.port)
    thread, made = in_thread(folder, tmp_path / "corpus", f"dask://127.0.0.1:{wire.port}")
    waits(lambda: (told / "slow1.txt").exists() and (told / "slow2.txt").exists())
    wire.cut()
    (told / "go").touch()
    thread.join(90)
    wire.close()
    (summary,) = made
    assert (summary.parsed, summary.problems) == (3, ())
    assert held(tmp_path / "corpus")[0] == ["a.txt", "slow1.txt", "slow2.txt"]


def test_a_run_that_was_stopped_goes_on(tmp_path, hosts, told, monkeypatch):
    folder = reports(tmp_path / "reports", "a.txt", "b.txt", "slow.txt")
    monkeypatch.setattr("pincite.processes.dask_cluster.AWAY_S", 3.0)

    def stopped():
        with pytest.raises(ClusterError, match="the same command again"):
            index(folder, tmp_path / "corpus", on=hosts.address)

    thread = threading.Thread(target=stopped)
    thread.start()
    waits((told / "slow.txt").exists)
    waits(lambda: files_stored(tmp_path / "corpus") == 2)
    hosts.stop()
    thread.join(60)
    (told / "go").touch()
    summary = index(folder, tmp_path / "corpus")
    assert (summary.parsed, summary.unchanged) == (1, 2)


def test_no_password_and_no_byte_of_a_file_is_in_what_a_task_is_logged_as(tmp_path):
    job = ParserJob(tmp_path / "a.pdf", "a.pdf", "sha", "wonderfully-secret")
    logged = repr(FileTask(job, 60.0, "7", b"confidential"))
    assert "secret" not in logged and "confidential" not in logged


def files_stored(corpus):
    from pincite.corpus import Corpus

    return len(Corpus(corpus).files())
