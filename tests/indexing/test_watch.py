import json
import os
import signal
import subprocess
import sys

import pytest

from pincite.errors import CorpusBusy, CorpusError, UsageError
from pincite.indexing import Summary
from pincite.indexing.watching import watch

pytestmark = pytest.mark.servers


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "reports"
    made.mkdir()
    (made / "a.txt").write_text("one")
    return made


def watched(folder, steps, run=lambda: Summary(())):
    """What watching yields when before the n-th look but the first `steps[n]` is done; then it is stopped."""
    steps = iter(steps)

    def wait(seconds):
        try:
            next(steps)()
        except StopIteration:
            raise KeyboardInterrupt from None

    found = []
    with pytest.raises(KeyboardInterrupt):
        for event in watch([folder], run, wait=wait):
            found.append(event)
    return found


def nothing():
    pass


def test_it_indexes_at_once_and_not_again_until_something_changes(folder):
    assert len(watched(folder, [nothing] * 3)) == 1
    assert (
        len(
            watched(
                folder, [nothing, lambda: (folder / "b.txt").write_text("two"), nothing, nothing]
            )
        )
        == 2
    )
    assert len(watched(folder, [(folder / "b.txt").unlink, nothing, nothing])) == 2


def test_a_file_that_is_still_growing_is_waited_for(folder):
    runs = []
    grow = [lambda size=size: (folder / "b.txt").write_text("x" * size) for size in (1, 2, 3)]
    watched(
        folder,
        [*grow, nothing, nothing],
        lambda: runs.append((folder / "b.txt").exists()) or Summary(()),
    )
    assert runs == [False, True]


def test_a_folder_that_is_away_is_told_once_and_takes_nothing_with_it(folder):
    away = folder.with_name("away")
    events = watched(
        folder,
        [lambda: folder.rename(away), nothing, lambda: away.rename(folder), nothing, nothing],
    )
    assert isinstance(events[0], Summary) and len(events) == 2
    assert isinstance(events[1], UsageError) and "does not exist" in str(events[1])


def test_what_failed_is_told_once_and_tried_again_when_something_changes(folder):
    tried = []

    def run():
        tried.append(1)
        raise CorpusError("the disk is full")

    events = watched(
        folder,
        [nothing, nothing, lambda: (folder / "b.txt").write_text("two"), nothing, nothing],
        run,
    )
    assert [str(event) for event in events] == ["the disk is full"] and len(tried) == 2


def test_another_writer_is_waited_for(folder):
    tried = []

    def run():
        tried.append(1)
        if len(tried) < 3:
            raise CorpusBusy("busy")
        return Summary(())

    assert watched(folder, [nothing] * 5, run) == [Summary(())] and len(tried) == 3


def test_the_verb_tells_lines_of_json_and_ends_at_an_interrupt(folder, tmp_path):
    command = [
        sys.executable,
        "-m",
        "pincite.cli.main",
        "watch",
        str(folder),
        "--corpus",
        str(tmp_path / "c"),
    ]
    process = subprocess.Popen(
        [*command, "--every", "0.2", "--json"], stdout=subprocess.PIPE, text=True
    )
    first = json.loads(process.stdout.readline())
    os.rename(folder / "a.txt", folder / "b.txt")
    (folder / "c.txt").write_text("Revenue was 5 million euros in 2023.")
    second = json.loads(process.stdout.readline())
    process.send_signal(signal.SIGINT)
    assert process.wait(20) == 0 and process.stdout.read() == ""
    assert (first["event"], first["parsed"], first["generation"]) == ("indexed", 1, 1)
    counts = ("parsed", "moved", "removed", "unchanged", "files", "generation")
    assert [second[count] for count in counts] == [1, 1, 1, 0, 2, 2]
