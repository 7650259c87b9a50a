"""What is asked, named, headed, typed or drawn up by a stranger so that it is worked on for ever: each is over in time."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
LIMIT_S = 300
"""Seconds in which the child must be through, on a machine that does much else."""
EACH_S = 2.5
"""Seconds of processor time that one attack may take."""
GROUPS = (
    "questions", "searches", "turns", "corrections", "cells", "headings", "names", "grids", "rows", "finds",
)  # fmt: skip


@pytest.fixture(scope="module")
def told(example_corpus, tmp_path_factory):
    """What became of each attack, by (group, name): its seconds, or none where it was never over."""
    words = [
        sys.executable, "-P", str(HERE / "endless.py"), str(example_corpus), str(tmp_path_factory.mktemp("endless")),
    ]  # fmt: skip
    environment = {**os.environ, "PYTHONPATH": str(HERE.parents[2])}
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    ) as child:
        try:
            said, wrong = child.communicate(timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            child.kill()
            said, wrong = child.communicate()
    found = {}
    for line in said.splitlines():
        one = json.loads(line)
        found[one["group"], one["name"]] = one.get("seconds")
    assert {group for group, _ in found} or not wrong, wrong[-2000:]
    return found, wrong


@pytest.mark.parametrize("group", GROUPS)
def test_what_is_made_to_be_worked_on_for_ever_is_over_in_time(told, group):
    """Questions, turns, corrections, cells, headings, names, grids and searches are made of one thing again and again: each of
    them is answered or refused before a moment is over.
    """
    found, wrong = told
    mine = {name: seconds for (of, name), seconds in found.items() if of == group}
    assert mine, wrong[-2000:]
    assert {
        name: seconds for name, seconds in mine.items() if seconds is None or seconds > EACH_S
    } == {}


def test_an_attack_that_is_never_over_is_noticed(monkeypatch):
    """The clock of these tests sees an attack that takes long: it would not pass."""
    monkeypatch.syspath_prepend(str(HERE))
    import endless

    heard = []

    def long():
        import time

        began = time.process_time()
        while time.process_time() - began < 0.05:
            pass

    monkeypatch.setattr(endless, "say", lambda **told: heard.append(told))
    endless.timed("a", "b", long)
    assert heard[0].get("seconds") is None and heard[1]["seconds"] > 0.04
