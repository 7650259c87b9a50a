"""The page of results is what its figures make, is short, and names nothing that cannot be run."""

import csv
import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.measuring.__main__ import MEASURES

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "scripts" / "results_page.py"
PAGE = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
with (ROOT / "benchmarks" / "results.csv").open(encoding="utf-8", newline="") as opened:
    ROWS = list(csv.DictReader(opened))


@pytest.fixture(scope="module")
def made():
    spec = importlib.util.spec_from_file_location("results_page", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_what_its_figures_make():
    done = subprocess.run([sys.executable, SCRIPT, "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_another_page_is_told(made, monkeypatch, tmp_path):
    page = tmp_path / "page.md"
    page.write_text(PAGE.replace(".026", ".126"))
    monkeypatch.setattr(made, "PAGE", page)
    with pytest.raises(SystemExit, match="is not what its figures make"):
        made.main(["--check"])
    made.main([])
    assert page.read_text() == PAGE


def test_the_page_is_short():
    assert len([word for word in PAGE.replace("|", " ").split() if re.search(r"\w", word)]) <= 1500


def test_each_row_has_its_cells_and_is_there_once():
    for row in ROWS:
        assert row["section"] and row["figure"] and row["value"], row
        assert row["with"] in ("model", "none", "endpoint")
        assert re.fullmatch(r"20\d\d-\d\d-\d\d", row["date"])
        assert re.fullmatch(r"|\[[\d.]+, [\d.]+\]", row["interval"])
    named = [(row["section"], row["figure"], row["with"]) for row in ROWS]
    assert len(named) == len(set(named))


def test_what_repeats_a_figure_is_there():
    commands = {row["command"] for row in ROWS}
    assert {
        name for each in commands for name in re.findall(r"SET=(\S+)", each)
    } <= MEASURES.keys()
    for each in commands:
        for name in re.findall(r"\S+\.py", each):
            assert (ROOT / name).is_file(), each


def test_shares_stand_side_by_side_and_the_rest_in_one_line(made):
    def row(figure, value, **others):
        empty = dict.fromkeys(("section", "interval", "n", "baseline", "floor", "commit"), "")
        about = {"with": "none", "date": "2030-01-02", "command": "make measure SET=uda MODEL=1"}
        return {**empty, **about, "figure": figure, "value": value, **others}

    rows = [
        row("papers: right of the shown", ".50", n="8", interval="[.25, .75]"),
        row("papers: right", "4 of 9", n="9", baseline='"1" to all .10', floor=".40"),
        row("papers: right", ".60", n="9", **{"with": "model"}),
        row(
            "a warm question: median", "9 ms", n="5", date="2020-01-02", command="a/b.py --runs 5"
        ),
        row("a warm question: p95", "12 ms", n="5", date="2020-01-02", command="a/b.py --runs 5"),
        row("size", "4 MB", command="pip wheel ."),
    ]
    assert made.section(rows).splitlines() == [
        "|questions|with|right of the shown|right|refused|beside|run|",
        "|---|---|---|---|---|---|---|",
        '|papers||.50 of 8 [.25–.75]|4 of 9||"1" to all .10; floor .40|`uda`|',
        "||model||.60 of 9|||`uda`|",
        "",
        "|figure|with|value|n|beside|run|",
        "|---|---|---|---|---|---|",
        "|a warm question†||median 9 ms; p95 12 ms|5||`a/b.py`|",
        "|size||4 MB|||pip wheel .|",
    ]


def test_a_section_without_a_place_is_told(made):
    with pytest.raises(KeyError, match="pages"):
        made.page([{"section": "pages"}], "No place.\n")
