import re
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.cli.main import main
from pincite.formats import svg as draw
from pincite.lab.comparison.comparison import compare
from pincite.lab.comparison.disagreements import cases
from pincite.lab.comparison.html_report import report
from pincite.lab.comparison.plots import wilson
from pincite.lab.comparison.text_report import figure, markdown, signed
from pincite.lab.experiments.finished_runs import read_run_folder
from tests.lab.made_runs import FIRST, SECOND, write

GOLDEN = Path(__file__).parent / "golden" / "compare.md"
REWRITE = False
"""Set for one run to write the golden file anew."""
VOID = {"meta", "br", "link", "img", "hr", "input"}


class Checker(HTMLParser):
    """Fails on tags that do not close; keeps addresses and ids."""

    def __init__(self):
        super().__init__()
        self.open, self.addresses, self.ids, self.tags = [], [], [], []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        for name, value in attributes:
            if name in ("href", "src", "xlink:href", "srcset", "action", "data"):
                self.addresses.append(value)
            if name == "id":
                self.ids.append(value)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, f"</{tag}> closes nothing"


def checked(html):
    checker = Checker()
    checker.feed(html)
    checker.close()
    assert checker.open == []
    return checker


@pytest.fixture
def runs(tmp_path):
    return [
        read_run_folder(write(tmp_path, name, run, seconds, parameters={"k": k, "fusion": "rrf"}))
        for name, run, seconds, k in (("first", FIRST, 0.5, 3), ("second", SECOND, 0.25, 2))
    ]


def test_the_report_stands_alone(runs):
    html = report(compare(runs, samples=100))
    found = checked(html)
    assert all(address.startswith("#") for address in found.addresses)
    assert {address[1:] for address in found.addresses} <= set(found.ids) and len(
        found.ids
    ) == len(set(found.ids))
    assert not re.search(r"https?:|//[a-z]|@import|url\(|<script", html)
    assert not re.search(r"\bnan\b", html)


def test_the_report_has_its_plots_and_tables(runs):
    html = report(compare(runs, samples=100))
    for title in (
        "Differences from first", "Hit rate against the cut-off", "Recall against the cut-off", "accuracy against k",
        "accuracy against seconds a question", "Risk against coverage", "Reliability", "Time a question takes",
        "By type of question", "By kind of evidence", "Disagreements",
    ):  # fmt: skip
        assert title in html
    assert "What share &lt;b&gt;sank&lt;/b&gt;?" in html and "<b>sank" not in html
    assert "prefers-color-scheme: dark" in html and "@media print" in html


def test_every_text_of_a_plot_is_inside_it(runs):
    for svg in re.findall(r'<svg class="plot".*?</svg>', report(compare(runs, samples=100)), re.S):
        width, height = map(float, re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg).groups())
        for x, y in re.findall(r'<text class="\w+" x="([\d.-]+)" y="([\d.-]+)"', svg):
            assert 0 <= float(x) <= width and 0 <= float(y) <= height
        for x in re.findall(r'c?x="([\d.-]+)"', svg):
            assert 0 <= float(x) <= width


@pytest.mark.parametrize("count", [1, 12])
def test_one_run_and_many(runs, tmp_path, count):
    many = [
        read_run_folder(write(tmp_path, f"run {n}", (FIRST, SECOND)[n % 2], parameters={"k": n}))
        for n in range(count)
    ]
    html = report(compare(many, samples=50))
    checked(html)
    assert ("4 more are not" in html) == (count == 12)


def test_retrieval_runs_disagree_where_gold_is_found(tmp_path):
    runs = [
        read_run_folder(write(tmp_path, name, run, answers=False))
        for name, run in (("first", FIRST), ("second", SECOND))
    ]
    made = compare(runs, samples=50)
    (case,) = cases(made)
    assert (case.id, case.pattern) == ("4", (False, True))
    assert [side.rank for side in case.sides] == [None, 1]
    assert case.sides[1].found == (("b.pdf", 1, True),)
    checked(report(made))


def test_disagreements_by_hand(runs):
    found = {case.id: case for case in cases(compare(runs, samples=50))}
    assert {key: case.pattern for key, case in found.items()} == {
        "2": (True, False),
        "3": (False, True),
        "4": (False, True),
    }
    assert found["3"].gold == "no answer in the documents" and found["3"].evidence == ()
    assert found["2"].kind == "text, pure-text, table" and found["2"].evidence == (
        "a, page 4",
        "a, page 5",
    )
    first, second = found["2"].sides
    assert first.citations == (("a.pdf", 1, "on page 1", False),) and second.citations[0][3]
    assert (first.rank, second.rank) == (2, 1)


def test_markdown_is_golden(runs):
    text = markdown(compare(runs, ["Success@1", "RR", "accuracy", "AURC"], samples=1000))
    if REWRITE:
        GOLDEN.write_text(text, encoding="utf-8")
    assert text == GOLDEN.read_text(encoding="utf-8")


def test_the_golden_file_is_not_rewritten():
    assert not REWRITE


def test_figures_are_written_for_people():
    assert [figure(x) for x in (0.12345, -0.5, 12.34, 12345.6, float("nan"), -0.0001)] == [
        "0.123", "−0.500", "12.3", "12,346", "–", "0.000",
    ]  # fmt: skip
    assert [signed(x) for x in (0.1, -0.1, 0, 0.00001)] == ["+0.100", "−0.100", "0.000", "0.000"]


def test_wilson_by_hand():
    assert wilson(8, 10) == pytest.approx((0.490, 0.943), abs=1e-3)
    assert wilson(0, 10)[0] == 0 and wilson(10, 10)[1] == 1


def test_ticks_by_hand():
    assert draw.ticks(0, 1) == [0, 0.2, 0.4, 0.6, 0.8, 1]
    assert draw.ticks(0.42, 0.68) == [0.4, 0.5, 0.6, 0.7]
    assert draw.ticks(5, 80) == [0, 20, 40, 60, 80]
    assert draw.ticks(-814730, -814729.99998) == [
        -814730,
        -814729.999995,
        -814729.99999,
        -814729.999985,
        -814729.99998,
    ]
    assert draw.ticks(0.1 + 0.2, 0.9) == draw.ticks(0.3, 0.9)
    assert draw.log_ticks(0.012, 0.3) == [0.01, 0.02, 0.05, 0.1, 0.2, 0.5]
    assert draw.texts([0.0, 0.25, 0.5]) == ["0.00", "0.25", "0.50"] and draw.texts([0, 2000]) == [
        "0",
        "2,000",
    ]


@given(st.floats(-1e6, 1e6), st.floats(1e-6, 1e6), st.integers(3, 9))
def test_ticks_hold_all_values_evenly(low, span, count):
    at = draw.ticks(low, low + span, count)
    assert (
        at[0] <= low + 1e-6 * span
        and at[-1] >= low + span - 1e-6 * span
        and 2 <= len(at) <= count + 2
    )
    assert all(
        b - a == pytest.approx(at[1] - at[0], rel=1e-3) for a, b in zip(at, at[1:], strict=False)
    )


@given(st.floats(1e-4, 1e4), st.floats(1, 1e6))
def test_log_ticks_hold_all_values(low, factor):
    at = draw.log_ticks(low, low * factor)
    assert at[0] <= low * (1 + 1e-6) and at[-1] >= low * factor * (1 - 1e-6) and 2 <= len(at) <= 12


def test_the_command(tmp_path, monkeypatch, capsys):
    write(tmp_path, "one", FIRST)
    write(tmp_path, "two", SECOND)
    words = [
        "compare",
        "one",
        "two",
        "--metrics",
        "RR, accuracy",
        "--markdown",
        "o/t.md",
        "--html",
        "o/r.html",
        "--trec",
        "o/trec",
    ]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["pincite", *words])
    with pytest.raises(SystemExit) as stop:
        main()
    assert not stop.value.code
    out = capsys.readouterr().out
    assert "page RR" in out and "+0.500" in out and "kind of evidence: table (3)" in out
    assert (tmp_path / "o" / "t.md").read_text().startswith("# one, two\n")
    checked((tmp_path / "o" / "r.html").read_text())
    monkeypatch.setattr(
        sys,
        "argv",
        [
            "pincite",
            "compare",
            "o/trec/one.run",
            "o/trec/two.run",
            "--qrels",
            "o/trec/qrels",
            "--json",
        ],
    )
    with pytest.raises(SystemExit):
        main()
    assert '"measure": "page nDCG@10"' in capsys.readouterr().out


def test_beir_needs_the_corpus(tmp_path, monkeypatch, capsys, example_corpus):
    write(tmp_path, "one", FIRST)
    monkeypatch.chdir(tmp_path)
    for more, code in (((), 2), (("--corpus", str(example_corpus)), 0)):
        monkeypatch.setattr(sys, "argv", ["pincite", "compare", "one", "--beir", "b", *more])
        with pytest.raises(SystemExit) as stop:
            main()
        assert (stop.value.code or 0) == code
    assert "--corpus" in capsys.readouterr().err
    assert sorted(path.name for path in (tmp_path / "b").iterdir()) == [
        "corpus.jsonl",
        "qrels",
        "queries.jsonl",
    ]
