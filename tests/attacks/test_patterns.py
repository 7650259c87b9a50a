"""No pattern of the package takes long, whatever it is given; no question and no text without a full stop does either."""

import json
import subprocess
import sys
import time

import pytest

from pincite.chat.conversation import Conversation
from pincite.errors import UsageError
from pincite.serve.table_view import GridCell, aligned
from pincite.settings import Settings
from pincite.types import QUESTION, Quantity
from pincite.workbench.batch import read_questions
from pincite.workbench.library import Library, index
from tests.attacks.collect import ROOT
from tests.attacks.strike import LIMIT_S, slowest, strike


@pytest.fixture(scope="module")
def collected():
    """The patterns of the package, as a process sees them that has not imported it."""
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.attacks.collect"], cwd=ROOT, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    return json.loads(run.stdout)


@pytest.mark.parametrize(("pattern", "unit"), [
    (r"^(?:(?:[A-Z][\w&.-]*\s?)+['’]s?|its)\s+", "LL"), (r"[(+-]?\s*[$€£¥]?\s*[(+-]?\s*\d[\d.,\s]*[%)]{0,2}", " "),
    (r"(\[[^\]]*\]|\[\d+\])*$", "[1]"),
])  # fmt: skip
def test_a_pattern_that_never_ends_is_found_out(pattern, unit):
    found = slowest(pattern, 0)
    assert found.seconds > LIMIT_S, found


def test_no_pattern_escapes(collected):
    assert not collected["unseen"]
    assert len(collected["patterns"]) > 600
    places = {place.partition(":")[0] for _, _, place in collected["patterns"]}
    assert {
        "pincite/lines/formulas.py",
        "pincite/serve/table_view.py",
        "pincite/ingest/office/csvfile.py",
    } <= places


def late(patterns, thorough=False):
    """Those that take too long, with what they take long on."""
    struck = strike(patterns, thorough)
    return [
        f"{place}: {written}\n    {slow}"
        for slow, written, place in struck
        if slow.seconds > LIMIT_S
    ]


def test_every_pattern_ends_in_time(collected):
    assert not late(collected["patterns"])


@pytest.mark.stress
def test_every_pattern_ends_in_time_on_all_pairs(collected):
    assert not late(collected["patterns"], thorough=True)


@pytest.mark.parametrize("question", [
    "WHAT WAS THE PROFIT MARGIN OF HALVORSEN MARITIME IN 2023?", f"What was the {'ACME' * 450} profit margin?",
])  # fmt: skip
def test_a_question_in_capitals_ends(library, question):
    start = time.process_time()
    library.ask(question)
    assert time.process_time() - start < 5


def test_a_cell_of_white_space_ends():
    start = time.process_time()
    aligned([[GridCell(f"1{' ' * 4_000}x", 0, 0, 1, 1, "", False)]])
    assert time.process_time() - start < 1


def test_a_question_is_no_longer_than_is_read(library, tmp_path):
    longest = "What was revenue in 2023 " + "x" * (QUESTION - 26) + "?"
    assert library.query(longest).text == longest
    for ask in (
        library.ask, library.search, library.rows, lambda text: list(Conversation(library, None).turn(text)),
    ):  # fmt: skip
        with pytest.raises(UsageError, match=r"2,001 characters, but at most 2,000 are read"):
            ask(longest + "?")
    path = tmp_path / "questions.jsonl"
    path.write_text(
        json.dumps({"question": "What was revenue?"}) + "\n" + json.dumps({"question": longest + "?"}) + "\n",
    )  # fmt: skip
    with pytest.raises(UsageError, match=r"line 2: the question has 2,001 characters"):
        read_questions(path)


WORDS = "the plant in Bergen made {} turbines while energy use fell and costs rose by {} percent "


def test_a_cell_that_is_longer_than_numbers_are_is_text(tmp_path):
    rows = f"<tr><td>Revenue</td><td>5</td></tr><tr><td>Costs</td><td>{'7' * 100_000}</td></tr>"
    path = tmp_path / "table.html"
    path.write_text(
        f"<html><body><h1>Report</h1><table><tr><th>Item</th><th>2023</th></tr>{rows}</table></body></html>"
    )
    index(path, tmp_path / "corpus")
    asking = Library(tmp_path / "corpus", Settings())
    assert asking.ask("What was the revenue in 2023?").value.value == 5
    assert not isinstance(
        asking.ask("What were the costs in 2023?", expects="number").value, Quantity
    )


LONG = {
    "words": "".join(WORDS.format(n, n % 97) for n in range(700)), "digits": "7" * 100_000,
    "spaces": "a" + " " * 100_000 + "b", "brackets": "(" * 50_000, "stops": ". " * 25_000,
    "names": "Mr. Smith " * 5_000, "marks": "!" * 100_000,
}  # fmt: skip


@pytest.mark.parametrize("name", LONG)
def test_a_text_without_an_end_is_read(name, tmp_path):
    path = tmp_path / f"{name}.txt"
    path.write_text(f"Report\n\n{LONG[name]}\n\nRevenue was 5 million in 2023.\n")
    start = time.process_time()
    index(path, tmp_path / "corpus")
    answer = Library(tmp_path / "corpus", Settings()).ask("What was revenue in 2023?")
    assert time.process_time() - start < 10
    best = (
        answer.value
        if answer.value is not None
        else answer.possible[0].value
        if answer.possible
        else None
    )
    assert name == "words" or best.text == "5 million"
